// Where the command line finds profiles: those it is given, or else the folder that SCAMP_OUT names.
import { existsSync } from 'node:fs'
import { fillPattern } from '../src/5-profile/file.js'
import { ScampError } from '../src/scamp.js'

const defaultFolder = '.scamp'

/** Where profiles go, by SCAMP_OUT, or else as it is configured. */
export function profileFolder(configured?: string): string {
  return fillPattern(process.env.SCAMP_OUT || configured || defaultFolder)
}

/** The profiles given, or else those of the folder; throws ScampError if there is no such folder. */
export function profilesOr(given: readonly string[], configured?: string): readonly string[] {
  if (given.length > 0) return given
  const folder = profileFolder(configured)
  if (!existsSync(folder)) throw new ScampError(noProfile([folder]))
  return [folder]
}

/** Says that there is no profile, and how to get one. */
export const noProfile = (paths: readonly string[]) =>
  `there is no profile in ${paths.join(', ')}; make one with: scamp run FILE`
