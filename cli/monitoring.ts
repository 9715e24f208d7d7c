// What is recorded of a program: what it is asked for on the command line, by SCAMP_MONITOR or in the configuration.
import { ScampError, sights, type Language, type Monitor } from '../src/scamp.js'

/** What can be recorded. */
export const monitors = Object.keys(sights) as Monitor[]

/** What a program can report on by itself. */
export const selfReported = monitors.filter((monitor) => !sights[monitor].skips)

/** Whether it can be recorded in a language. */
export const suits = (monitor: Monitor, language: Language) =>
  monitor === 'coverage' || !sights[monitor][language === 'icon' ? 'actions' : 'tokens']

/** The same with tokens. */
export const withTokens = (monitor: Monitor | undefined): Monitor =>
  monitor && sights[monitor].skips ? 'coverage' : 'tokens'

/**
 * What SCAMP_MONITOR asks for: wrappers' own options leave no room for it. What does not suit the language is none of
 * its business, for a build may hold both.
 */
export function monitorWanted(language: Language): Monitor {
  const { SCAMP_MONITOR: wanted = '' } = process.env
  if (wanted === '') return 'constructs'
  const monitor = monitors.find((one) => one === wanted)
  if (!monitor) throw new ScampError(`SCAMP_MONITOR=${wanted}: there are ${monitors.join(', ')}`)
  return suits(monitor, language) ? monitor : 'constructs'
}
