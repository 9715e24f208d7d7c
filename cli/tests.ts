// `scamp tests FILE:LINE`: which contexts reached a line.
import { reached, readContexts } from '../src/scamp.js'
import { readConfig } from './config.js'
import { statuses } from './options.js'
import { profilesOr } from './profiles.js'

/** Prints which contexts reached a place. Answers 0 if there are such, else 1. */
export async function tests(place: string, profiles: readonly string[]): Promise<number> {
  const match = /^(.+):(\d+)$/.exec(place)
  if (!match || Number(match[2]) < 1) {
    process.stderr.write(`scamp: say which line of which file, as in queens.icn:12, not ${place}\n`)
    return statuses.misuse
  }
  const [, file, line] = match
  const { contexts, rejected } = readContexts(profilesOr(profiles, (await readConfig()).out))
  const table = reached(contexts, { file, line: Number(line) }, process.stdout.columns ?? 80)
  for (const message of rejected) process.stderr.write(`scamp: ${message}\n`)
  if (table === undefined) {
    process.stderr.write(`scamp: no run reached ${place}\n`)
    return statuses.below
  }
  process.stdout.write(table)
  return rejected.length > 0 ? statuses.below : statuses.ok
}
