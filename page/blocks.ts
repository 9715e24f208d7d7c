// The data in the page: blocks of JSON, read when they are needed.
import type { PageFile, PageIndex } from '../src/6-report/page-data.js'
import { linesOf, type SourceLine } from './lines.js'

/** Reads the block of this name. */
function read(name: string): unknown {
  return JSON.parse(document.getElementById(name)!.textContent)
}

/** What the overview needs. */
export const index = read('index') as PageIndex

/** A file that was opened. */
export interface OpenFile {
  readonly hasText: boolean
  readonly lines: readonly SourceLine[]
}

const opened = new Map<number, OpenFile>()

/** The file of this number, read at its first use. */
export function openFile(number: number): OpenFile {
  const known = opened.get(number)
  if (known) return known
  const file = read(`file-${number}`) as PageFile
  const made = { hasText: file.text !== null, lines: linesOf(file, index.files[number].lines) }
  opened.set(number, made)
  return made
}
