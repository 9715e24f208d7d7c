// How hot a token is beside the others, and the colours that show it on a terminal.
import type { Count, Profile } from '../5-profile/profile.js'

/** From what was never executed to what was executed most. */
export type Heat = 'never' | 'cold' | 'warm' | 'hot'

/** Writes a text in the colour of a heat. */
export type Paint = (text: string, heat: Heat) => string

// of the logarithm of the highest count: what is hot was executed within a factor of some tens of that
const [warmShare, hotShare] = [0.45, 0.75]

/** Tells the heat of counts, beside the highest of a profile's tokens. */
export function heatIn({ files }: Profile): (count: Count) => Heat {
  const counts = files.flatMap(({ tokens }) => tokens.map(({ count }) => Number(count.value)))
  const highest = Math.log1p(counts.reduce((most, one) => Math.max(most, one), 0))
  return ({ value }) => {
    if (value === 0n) return 'never'
    const share = Math.log1p(Number(value)) / highest
    if (share >= hotShare) return 'hot'
    return share >= warmShare ? 'warm' : 'cold'
  }
}

// of ISO 6429: what never ran stands out on black and on white, the rest goes from the text's own colour to red
const codes: Readonly<Record<Heat, string>> = { never: '7', cold: '', warm: '33', hot: '31;1' }

/** Colours texts by escape sequences. */
export const paintHeat: Paint = (text, heat) => (codes[heat] === '' ? text : `\x1b[${codes[heat]}m${text}\x1b[0m`)

/** Leaves texts as they are. */
export const leavePlain: Paint = (text) => text
