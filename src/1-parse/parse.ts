// Stage 1: source → tree. Picks the language's scanner and grammar and turns what they complain of into errors.
import type { Source } from '../source.js'
import { parseAlgol68, type Algol68Tree } from './algol68/parse.js'
import type { ReadIncluded, Stropping } from './algol68/scan.js'
import { parseIcon, type IconTree } from './icon/parse.js'
import type { ReadInclude } from './icon/preprocess.js'

/** A parsed source: the tokens and the nodes over them. */
export type Tree = IconTree | Algol68Tree

/**
 * What parsing needs besides the text.
 *
 * readInclude   finds the text that an include directive of Icon names
 * readIncluded  finds the file that a pragmat of Algol 68 includes
 */
export interface Reading {
  readonly readInclude: ReadInclude
  readonly readIncluded: ReadIncluded
  readonly stropping: Stropping
}

/** Parses a source. Throws ScampError at the first place that the language's own translator would reject. */
export function parse(source: Source, reading: Reading): Tree {
  if (source.language === 'icon') return parseIcon(source, reading.readInclude)
  return parseAlgol68(source, reading.stropping, reading.readIncluded)
}
