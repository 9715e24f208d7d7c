// Coverage → what is not covered: how much there is of each measure, then place by place what never happened, and why.
import type { Profile } from '../5-profile/profile.js'
import { coverageOf, explain, labelOf, measures, type Coverage, type Measure, type Totals } from './coverage.js'
import { lacking, type Judgement, type Missed } from './gate.js'
import { drawTable, percent, printableName, type Column } from './table.js'

/** The measures, as people read and write them. */
export const measureNames: Readonly<Record<Measure, string>> = {
  procedure: 'procedures',
  block: 'blocks',
  branch: 'branches',
  outcome: 'outcomes',
  item: 'items',
  line: 'lines',
}

/** Draws the totals of each file, then all items that are not covered; ends with a newline. */
export function uncovered(profile: Profile): string {
  const coverage = coverageOf(profile)
  const missed = coverage.files.flatMap(({ name, items }) => {
    return items
      .filter(({ covered, excluded }) => !covered && excluded === null)
      .map((item): Missed => ({ file: name, item, line: item.line }))
  })
  const findings = coverage.files.flatMap(spellFindings)
  const notes = [...findings, ...profile.notes].map((note) => `NOTE: ${note}`)
  const parts = [drawTotals(coverage), missed.map(spellMissed), notes].filter((lines) => lines.length > 0)
  return parts.map((lines) => lines.map((line) => `${line}\n`).join('')).join('\n')
}

/** The findings on a file's comments, a sentence each. */
export const spellFindings = ({ name, findings }: Coverage['files'][number]) =>
  findings.map(({ line, what }) => `${printableName(name)}:${line}: ${what}`)

/** A table of how much is covered, a line for each file, and for all of them if there are several. */
export function drawTotals({ files, totals }: Coverage): string[] {
  // outcomes, if tokens were monitored
  const shown = measures.filter((measure) => measure !== 'outcome' || totals.outcome.total > 0)
  const columns: Column[] = [
    { heading: 'FILE', align: 'left' },
    ...shown.map((measure): Column => ({ heading: measureNames[measure].toUpperCase(), align: 'right' })),
  ]
  const row = (name: string, own: Totals) => [
    name,
    ...shown.map((measure) => {
      const { covered, total } = own[measure]
      return total === 0 ? '-' : `${covered}/${total} ${percent(BigInt(covered), BigInt(total))}%`
    }),
  ]
  const rows = files.map(({ name, isLoaded, totals: own }) => {
    return row(`${printableName(name)}${isLoaded ? '' : ' (never loaded)'}`, own)
  })
  return drawTable(columns, files.length > 1 ? [...rows, row('TOTAL', totals)] : rows)
}

/** A place that is not covered, as editors find it: `queens.icn:12:5: if false: never, of 92`. */
export function spellMissed({ file, item, line }: Missed): string {
  if (!item) return `${printableName(file)}:${line}: line never executed`
  return `${printableName(file)}:${item.line}:${item.column}: ${printableName(labelOf(item))}: ${explain(item)}`
}

// how many places are shown of a requirement that is not met, and how many requirements that are
const most = 10
const mostMet = 20

/**
 * Draws a verdict: what is not met, with the first places that are not covered, then what is met.
 *
 * howToSee  a command that shows all of them
 */
export function drawVerdict(judgements: readonly Judgement[], faults: readonly string[], howToSee: string): string {
  const unmet = judgements.filter(({ isMet }) => !isMet)
  const met = judgements.filter(({ isMet }) => isMet)
  const lines: string[] = []
  for (const one of unmet) {
    lines.push(`FAIL ${spellJudgement(one)}`)
    lines.push(...one.missed.slice(0, most).map((missed) => `     ${spellMissed(missed)}`))
    if (one.missed.length > most) lines.push(`     and ${one.missed.length - most} more`)
  }
  lines.push(...faults.map((fault) => `FAIL ${fault}`))
  lines.push(...met.slice(0, mostMet).map((one) => `ok   ${spellJudgement(one)}`))
  if (met.length > mostMet) lines.push(`ok   and ${met.length - mostMet} more`)
  if (unmet.some(({ missed }) => missed.length > 0)) lines.push(`see all that is not covered: ${howToSee}`)
  return lines.map((line) => `${line}\n`).join('')
}

/** `all files: 12 of 20 branches (60%), at least 80% required: 4 more`. */
function spellJudgement({ scope, measure, total, threshold, because, isMet }: Judgement): string {
  const share = total.total > 0 ? ` (${percent(BigInt(total.covered), BigInt(total.total))}%)` : ''
  const found = `${printableName(scope)}: ${total.covered} of ${total.total} ${measureNames[measure]}${share}`
  if (because !== undefined) return `${found}; ${because}`
  if (threshold === undefined) return `${found}: no drop`
  const wanted = threshold < 0 ? `at most ${-threshold} missed` : `at least ${threshold}%`
  return isMet ? `${found}, ${wanted}` : `${found}, ${wanted} required: ${lacking(total, threshold)} more`
}
