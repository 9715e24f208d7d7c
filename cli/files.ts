// Files that commands write.
import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolder, reasonOf } from '../src/5-profile/file.js'
import { ScampError } from '../src/scamp.js'

/** Writes a file, and makes the folders above it. Throws ScampError if it cannot be written. */
export function writeOutput(path: string, content: Buffer): void {
  try {
    makeFolder(dirname(path))
    writeFileSync(path, content)
  } catch (error) {
    throw new ScampError(`cannot write ${path}: ${reasonOf(error)}`)
  }
}
