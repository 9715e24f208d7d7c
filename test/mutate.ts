// Mutants of Icon texts: one token dropped, doubled, or swapped with the next. Same seed, same mutants.
import { scan } from '../src/1-parse/icon/scan.js'

/** A repeatable source of pseudo-random integers (xorshift32). */
export function randomIntegers(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** Makes a mutant of a text; its description says what was done where. */
export function mutate(text: string, below: (n: number) => number): { text: string; description: string } {
  const { from, to, kinds, origins } = scan({ name: 'mutant', text, language: 'icon' }, () => undefined)
  const real = [...kinds].map((_, i) => i).filter((i) => to[i] > from[i])
  if (origins || real.length < 3) return mutateLine(text, below)
  const pick = below(real.length - 1)
  const [token, next] = [real[pick], real[pick + 1]]
  const spelled = text.slice(from[token], to[token])
  const after = text.slice(to[token])
  switch (below(3)) {
    case 0:
      return { text: text.slice(0, from[token]) + after, description: `dropped ${spelled}` }
    case 1:
      return { text: text.slice(0, to[token]) + ' ' + spelled + after, description: `doubled ${spelled}` }
    default: {
      const other = text.slice(from[next], to[next])
      const between = text.slice(to[token], from[next])
      const swapped = text.slice(0, from[token]) + other + between + spelled + text.slice(to[next])
      return { text: swapped, description: `swapped ${spelled} and ${other}` }
    }
  }
}

/** For texts with directives, whose tokens have no simple place: drops or doubles a whole line. */
function mutateLine(text: string, below: (n: number) => number): { text: string; description: string } {
  const lines = text.split('\n')
  const line = below(lines.length)
  const again = below(2)
  lines.splice(line, again ? 0 : 1, ...(again ? [lines[line]] : []))
  return { text: lines.join('\n'), description: `${again ? 'doubled' : 'dropped'} line ${line + 1}` }
}
