// Signals between the terminal, scamp and the program: each reaches the program, and scamp ends as the program did.
import type { End } from '../src/scamp.js'
import { statuses } from './options.js'

/** A run under way, as far as signals go. */
interface Followed {
  readonly stop: (reason: NodeJS.Signals) => void
  readonly pass: (signal: NodeJS.Signals) => void
}

const ending: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']

/** Sees to it that signals to this process reach the program, after its counters are read. */
export function followSignals(launched: Followed): void {
  for (const signal of ending) process.on(signal, () => launched.stop(signal))
  process.on('SIGTSTP', () => {
    launched.pass('SIGSTOP')
    process.kill(process.pid, 'SIGSTOP')
  })
  process.on('SIGCONT', () => launched.pass('SIGCONT'))
}

/** The exit status that says how the program ended; after a signal, this process ends by the same one. */
export function exitAs(end: End): number {
  if (end.kind === 'timeout') return statuses.timeout
  if (end.kind === 'exit') return end.status
  process.removeAllListeners(end.signal)
  process.kill(process.pid, end.signal)
  return 128
}
