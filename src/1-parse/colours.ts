// A text → its syntax colours, from the tokens of the language's own scanner. For showing programs; nothing else of scamp
// needs it. Texts that no translator would accept have colours too.
import type { Source } from '../source.js'
import { colourAlgol68 } from './algol68/colours.js'
import { colourIcon } from './icon/colours.js'

/** What a run of text is, as far as showing it goes; `left out`: a directive keeps it from the translator. */
export type Colour =
  'keyword' | 'constant' | 'mode' | 'operator' | 'number' | 'string' | 'comment' | 'directive' | 'left out'

/** A half-open range of offsets with its colour. */
export interface Run {
  readonly start: number
  readonly end: number
  readonly colour: Colour
}

/** Colours a text. Answers the runs that have a colour, in order and apart; files it includes are not looked at. */
export function coloursOf(source: Source): Run[] {
  return source.language === 'icon' ? colourIcon(source, () => undefined) : colourAlgol68(source)
}
