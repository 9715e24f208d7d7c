// Files that commands write.
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

/** Whether a path names a folder: one that is there, or by its ending. */
export function isFolder(path: string): boolean {
  return path.endsWith('/') || (existsSync(path) && statSync(path).isDirectory())
}

/** Where a report goes: a page that is sent to a folder is what a browser looks for in one. */
export function reportPath(output: string, format: string): string {
  return format === 'html' && isFolder(output) ? join(output, 'index.html') : output
}
