// Icon text → its colours, from the scanner's tokens. What lies between tokens is blank, a comment, a directive of the
// preprocessor, or text that a directive leaves out.
import type { Source } from '../../source.js'
import type { Colour, Run } from '../colours.js'
import type { ReadInclude } from './preprocess.js'
import { scan } from './scan.js'
import { reservedWords } from './tokens.js'

const reserved = new Map([...reservedWords].map(([, { kind }]) => [kind, 'keyword' as Colour]))
const colours: ReadonlyMap<string, Colour> = new Map<string, Colour>([
  ...reserved,
  // `not` is written as a word, but is an operator of this kind
  ['u', 'operator'],
  ['n', 'number'],
  ['r', 'number'],
  ['s', 'string'],
  ['c', 'string'],
])

/** Colours an Icon text. Answers the runs that have a colour, in order; what is wrong with the text does not matter. */
export function colourIcon(source: Source, readInclude: ReadInclude): Run[] {
  const { kinds, text, from, to, origins } = scan(source, readInclude)
  const runs: Run[] = []
  let end = 0
  const place = placesIn(origins)
  for (let token = 0; token < kinds.length; token++) {
    const at = place(from[token])
    if (at === undefined) continue
    if (at.offset < end) continue
    runs.push(...between(source.text, end, at.offset))
    const length = at.use > 0 ? at.use : to[token] - from[token]
    end = at.offset + length
    const word = text.slice(from[token], to[token])
    const colour = at.use > 0 ? 'directive' : word === 'not' ? 'keyword' : colours.get(kinds[token])
    const isKeyword = kinds[token] === 'i' && source.text[at.offset - 1] === '&' && kinds[token - 1] === '&'
    if (colour && length > 0) runs.push({ start: at.offset, end, colour })
    else if (isKeyword) runs.push({ start: at.offset - 1, end, colour: 'constant' })
  }
  runs.push(...between(source.text, end, source.text.length))
  return runs
}

/** Finds where preprocessed text stands in the source itself; undefined for what an include brought in. */
function placesIn(
  origins: ReturnType<typeof scan>['origins'],
): (at: number) => { readonly offset: number; readonly use: number } | undefined {
  if (!origins) return (at) => ({ offset: at, use: 0 })
  let i = 0
  return (at) => {
    while (i + 1 < origins.length && origins[i + 1].at <= at) i++
    const { at: start, file, offset, use } = origins[i]
    if (file !== 0) return undefined
    return use > 0 ? { offset, use } : { offset: offset + at - start, use: 0 }
  }
}

function* between(text: string, start: number, end: number): Generator<Run> {
  const lines = /[^\n]+/g
  lines.lastIndex = start
  for (let line = lines.exec(text); line && line.index < end; line = lines.exec(text)) {
    const to = Math.min(end, line.index + line[0].length)
    const from = line.index + /^\s*/.exec(line[0])![0].length
    if (from >= to) continue
    const isWhole = line.index === 0 || text[line.index - 1] === '\n'
    if (text[from] === '#') yield { start: from, end: to, colour: 'comment' }
    else if (isWhole && text[from] === '$') yield { start: from, end: to, colour: 'directive' }
    else if (isWhole) yield { start: from, end: to, colour: 'left out' }
  }
}
