// Algol 68 text → its colours, from the scanner's tokens. What lies between tokens is blank, a comment or a pragmat; or,
// between the dollars of a format, its items.
import type { Source } from '../../source.js'
import type { Colour, Run } from '../colours.js'
import { scan } from './scan.js'
import { boldWords, kinds as kindOf } from './tokens.js'

const bold = new Map([...boldWords].map(([, kind]) => [kind, 'keyword' as Colour]))
const constants = new Set(['TRUE', 'FALSE', 'EMPTY', 'NIL', 'SKIP'])

/** Colours an Algol 68 text. Answers the runs that have a colour, in order. */
export function colourAlgol68(source: Source): Run[] {
  const { kinds, from, to } = scan(source, 'upper', () => undefined)
  const runs: Run[] = []
  let end = 0
  let isFormat = false
  const gap = (start: number, stop: number) => {
    const found = /\S(?:[^]*\S)?/.exec(source.text.slice(start, stop))
    if (!found) return
    const at = start + found.index
    const isPragmat = /^(?:PR\b|PRAGMAT\b|'PR)/.test(found[0])
    runs.push({
      start: at,
      end: at + found[0].length,
      colour: isFormat ? 'string' : isPragmat ? 'directive' : 'comment',
    })
  }
  for (let token = 0; token < kinds.length; token++) {
    gap(end, from[token])
    end = to[token]
    const colour = colourOf(kinds[token], source.text.slice(from[token], end))
    if (colour && end > from[token]) runs.push({ start: from[token], end, colour })
    if (kinds[token] === kindOf.formatBegin) isFormat = true
    if (kinds[token] === kindOf.formatEnd) isFormat = false
  }
  return runs
}

function colourOf(kind: string, text: string): Colour | undefined {
  if (constants.has(text.replace(/\W/g, ''))) return 'constant'
  // some signs share their kind with a bold word
  if (/^['A-Z]/.test(text)) {
    if (kind === kindOf.mode) return 'mode'
    return kind === kindOf.operator ? 'operator' : bold.get(kind)
  }
  if (kind === kindOf.formatBegin || kind === kindOf.formatEnd) return 'string'
  if (kind === kindOf.denotation) return text.startsWith('"') ? 'string' : /^[\d.]/.test(text) ? 'number' : undefined
  return undefined
}
