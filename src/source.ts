// A program text with its name, and positions in it. Inside scamp a position is an offset (0-based); line and
// column (from 1) exist only in messages and reports, and only this file converts.

import { createHash } from 'node:crypto'

/** The languages whose texts scamp reads. */
export type Language = 'icon' | 'algol68'

/**
 * A program text.
 *
 * name   as the user gave it; what messages and reports show
 * text   one UTF-16 unit per byte of the file (latin1), so that writing it back alters nothing
 */
export interface Source {
  readonly name: string
  readonly text: string
  readonly language: Language
}

/** A half-open range of offsets in one source's text. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A place people can look up: both count from 1, columns in characters. */
export interface Position {
  readonly line: number
  readonly column: number
}

/** The offset at which each line of the text starts; element 0 is 0. */
export function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** Finds the line and column of an offset, given the text's line starts. */
export function positionIn(starts: readonly number[], offset: number): Position {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (starts[middle] <= offset) low = middle
    else high = middle - 1
  }
  return { line: low + 1, column: offset - starts[low] + 1 }
}

/** Finds the line and column of an offset in a source. For many offsets of one source, use positionIn. */
export function positionOf(source: Source, offset: number): Position {
  return positionIn(lineStarts(source.text), offset)
}

/** A name for exactly this text: 16 hexadecimal digits of its SHA-256. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text, 'latin1').digest('hex').slice(0, 16)
}
