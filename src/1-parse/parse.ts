// Stage 1: source → tree. Picks the language's scanner and grammar and turns what they complain of into errors.
import type { Source } from '../source.js'
import { parseIcon, type IconTree } from './icon/parse.js'
import type { ReadInclude } from './icon/preprocess.js'
import { ScampError } from '../error.js'

/** A parsed source: the tokens and the nodes over them. */
export type Tree = IconTree

/**
 * Parses a source.
 *
 * readInclude   finds the text that an include directive names
 * throws        ScampError at the first place that the language's own translator would reject
 */
export function parse(source: Source, readInclude: ReadInclude): Tree {
  if (source.language !== 'icon') throw new ScampError(`${source.name}: scamp does not read ${source.language} yet`)
  return parseIcon(source, readInclude)
}
