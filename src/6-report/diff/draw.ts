// Two profiles of two versions of a program, side by side: the first on the left, the second on the right. Between them
// stands `|` where a line has changed, `<` where only the first has it, `>` where only the second has it. Procedures of
// which nothing differs are left out.
//
// source: Coutant, Griswold and Hanson, "Measuring the Performance and Behavior of Icon Programs", IEEE Transactions on
//         Software Engineering SE-9 (1983), Figs. 5 and 6
import type { Count, Profile } from '../../5-profile/profile.js'
import { leavePlain } from '../heat.js'
import { countsOf } from '../json.js'
import { drawLine, styleFor, type Style } from '../listing.js'
import { drawTable, printableName, spellCount, type Column } from '../table.js'
import type { DiffLine, DiffPart, LinePair, PartPair } from './compare.js'

/** A profile with what it is called. */
export interface Named {
  readonly name: string
  readonly profile: Profile
}

/**
 * Draws what differs; an empty text if nothing does.
 *
 * width  of both sides together, where lines are folded; undefined: nowhere
 */
export function drawDiff(a: Named, b: Named, pairs: readonly PartPair[], width: number | undefined): string {
  const different = pairs.filter(({ isSame }) => !isSame)
  if (different.length === 0) return ''
  const lines = [
    `A: ${describe(a)}`,
    `B: ${describe(b)}`,
    ...[a, b].flatMap(({ profile }, side) => profile.notes.map((note) => `NOTE: ${'AB'[side]}: ${note}`)),
    ...goneTexts(different),
    '',
    ...drawTotals(different),
    ...different.flatMap((pair) => ['', ...drawPart(pair, width)]),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

const describe = ({ name, profile: { runs } }: Named) => `${printableName(name)}${runs > 1 ? `, ${runs} runs` : ''}`

/** What is to be said of texts that are not there any more. */
function goneTexts(pairs: readonly PartPair[]): string[] {
  const gone = (side: 'a' | 'b') => {
    const names = pairs.flatMap((pair) => (pair[side]?.isTextGone ? [pair[side].file.name] : []))
    return [...new Set(names)].map((name) => {
      return `NOTE: ${side.toUpperCase()}: the text of ${printableName(name)} is gone: lines are shown as their tokens tell`
    })
  }
  return [...gone('a'), ...gone('b')]
}

const right = (heading: string): Column => ({ heading, align: 'right' })
const left = (heading: string): Column => ({ heading, align: 'left' })

/** What differs, in a line each. */
function drawTotals(pairs: readonly PartPair[]): string[] {
  const spelled = (count: Count | undefined) => (count ? spellCount(count) : '-')
  const ofTokens = pairs.some(({ a, b }) => [a, b].some((part) => part !== undefined && part.file.tokens.length > 0))
  const rows = pairs.map(({ name, a, b }) => [
    printableName(name),
    ...[a, b].map((part) => spelled(part?.calls)),
    ...(ofTokens ? [...[a, b].map((part) => spelled(part?.activations)), ratio(a, b)] : []),
  ])
  const columns = [
    left('NAME'),
    ...['CALLS A', 'CALLS B', ...(ofTokens ? ['TOKENS A', 'TOKENS B', 'B/A'] : [])].map(right),
  ]
  return drawTable(columns, rows)
}

function ratio(a: DiffPart | undefined, b: DiffPart | undefined): string {
  if (!a || !b || a.activations.value === 0n) return '-'
  return (Number(b.activations.value) / Number(a.activations.value)).toFixed(2)
}

const between = ' | '

function drawPart({ a, b, lines }: PartPair, width: number | undefined): string[] {
  const side = width === undefined ? undefined : Math.floor((width - between.length) / 2)
  const [ones, others] = [sideOf(a, side), sideOf(b, side)]
  const drawn = lines.map((pair) => ({ mark: markOf(pair), one: ones(pair.a), other: others(pair.b) }))
  const room = Math.max(...drawn.flatMap(({ one }) => one.map(({ length }) => length)), 0)
  return drawn.flatMap(({ mark, one, other }) =>
    Array.from({ length: Math.max(one.length, other.length) }, (_, i) =>
      `${(one[i] ?? '').padEnd(room)} ${i === 0 ? mark : ' '} ${other[i] ?? ''}`.trimEnd(),
    ),
  )
}

function markOf({ a, b, hasSameText }: LinePair): string {
  if (!a) return '>'
  if (!b) return '<'
  return hasSameText ? ' ' : '|'
}

/** Draws the lines of one side. */
function sideOf(part: DiffPart | undefined, width: number | undefined): (line: DiffLine | undefined) => string[] {
  const margin = String(part?.lines[part.lines.length - 1]?.line ?? '').length
  const style: Style = { heatOf: () => 'cold', paint: leavePlain, ...styleFor(width === undefined ? {} : { width }) }
  return (line) => {
    if (!line) return []
    const drawn = drawLine(line.line, line.text, line.tokens, margin, style)
    return part!.file.tokens.length > 0 ? drawn : [...drawn, ...constructsOf(line, margin)]
  }
}

/** What is counted of a line's constructs, where tokens were not monitored. */
function constructsOf({ sites }: DiffLine, margin: number): string[] {
  return sites.map((site) => {
    const counts = countsOf(site).map(({ name, count }) => `${name} ${spellCount(count)}`)
    return `${' '.repeat(margin + 2)}${site.kind}: ${counts.join(', ')}`
  })
}
