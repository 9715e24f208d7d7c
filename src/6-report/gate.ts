// Coverage → verdict: are the requirements met? Integers decide: how many are covered, of how many.
//
// A requirement is a percentage, of which no part may be lacking, or, if it is negative, how many may be missed at most.
// What is required of files that match a pattern is required besides: they remain part of the whole.
import { ScampError } from '../error.js'
import {
  addTotals,
  measures,
  totalsOf,
  type Coverage,
  type FileCoverage,
  type Item,
  type LineCoverage,
  type Measure,
  type Total,
  type Totals,
} from './coverage.js'

/** What is required in a measure: at least so many percent, or, if negative, at most so many missed. */
export type Thresholds = Readonly<Partial<Record<Measure, number>>>

/**
 * What is required of a program.
 *
 * overall   of all files together
 * each      of each file
 * patterns  of the files whose names match, together, and of each of them
 */
export interface Required {
  readonly overall: Thresholds
  readonly each: Thresholds
  readonly patterns: readonly { readonly pattern: string; readonly overall: Thresholds; readonly each: Thresholds }[]
}

/** A place where something is not covered: an item, or a line. */
export interface Missed {
  readonly file: string
  readonly item: Item | undefined
  readonly line: number
}

/**
 * One requirement, and whether it is met.
 *
 * scope      what it is required of, in words
 * total      what there is
 * threshold  what is required of it; undefined if only something else than a number is
 * because    why it is not met, if a number does not tell
 * missed     what is not covered, in the order of the files and of their texts
 */
export interface Judgement {
  readonly scope: string
  readonly measure: Measure
  readonly total: Total
  readonly threshold: number | undefined
  readonly because: string | undefined
  readonly isMet: boolean
  readonly missed: readonly Missed[]
}

/** Whether a file of this name is meant by a pattern. */
export type Matches = (name: string, pattern: string) => boolean

/** Judges coverage by what is required. */
export function judge(coverage: Coverage, required: Required, matches: Matches): Judgement[] {
  const { files } = coverage
  return [
    ...together('all files', files, required.overall),
    ...apart(files, required.each),
    ...required.patterns.flatMap(({ pattern, overall, each }) => {
      const own = files.filter(({ name }) => matches(name, pattern))
      if (own.length === 0) throw new ScampError(`something is required of ${pattern}, but no file matches that`)
      return [...together(pattern, own, overall), ...apart(own, each)]
    }),
  ]
}

/** Judges some files together. */
function together(scope: string, files: readonly FileCoverage[], thresholds: Thresholds): Judgement[] {
  const totals = addTotals(files.map((file) => file.totals))
  return required(scope, totals, thresholds, files.map(partOf))
}

/** Judges each file by itself. */
function apart(files: readonly FileCoverage[], thresholds: Thresholds): Judgement[] {
  return files.flatMap((file) => together(file.name, [file], thresholds))
}

/** The items and lines of a file that a requirement is about. */
interface Part {
  readonly file: string
  readonly items: readonly Item[]
  readonly lines: readonly LineCoverage[]
}

const partOf = ({ name, items, lines }: FileCoverage): Part => ({ file: name, items, lines })

function required(scope: string, totals: Totals, thresholds: Thresholds, parts: readonly Part[]): Judgement[] {
  return measures.flatMap((measure) => {
    const threshold = thresholds[measure]
    if (threshold === undefined) return []
    const total = totals[measure]
    // what is not monitored must not pass for tested
    const unmonitored = measure === 'outcome' && total.total === 0 && threshold !== 0
    const because = unmonitored ? 'outcomes are known of Icon tokens only: run with --monitor tokens' : undefined
    const isMet = !unmonitored && meets(total, threshold)
    return [{ scope, measure, total, threshold, because, isMet, missed: isMet ? [] : missedIn(parts, measure) }]
  })
}

/** Whether a total meets a threshold, exactly. */
export function meets({ covered, total }: Total, threshold: number): boolean {
  if (threshold < 0) return total - covered <= -threshold
  const [units, parts] = exactly(threshold)
  return BigInt(covered) * 100n * parts >= units * BigInt(total)
}

/** A decimal number as a fraction: 87.5 is 875 tenths. */
function exactly(threshold: number): [bigint, bigint] {
  const [whole, decimals = ''] = threshold.toFixed(6).replace(/0+$/, '').split('.')
  return [BigInt(whole + decimals), 10n ** BigInt(decimals.length)]
}

/** How many more must be covered to meet a threshold. */
export function lacking({ covered, total }: Total, threshold: number): number {
  if (threshold < 0) return total - covered + threshold
  const [units, parts] = exactly(threshold)
  const needed = (units * BigInt(total) + 100n * parts - 1n) / (100n * parts)
  return Number(needed) - covered
}

function missedIn(parts: readonly Part[], measure: Measure): Missed[] {
  return parts.flatMap(({ file, items, lines }): Missed[] => {
    if (measure === 'line') {
      const missed = lines.filter(({ covered, excluded }) => !covered && excluded === null)
      return missed.map(({ line }) => ({ file, item: undefined, line }))
    }
    return items
      .filter(
        ({ kind, covered, excluded }) => !covered && excluded === null && (measure === 'item' || kind === measure),
      )
      .map((item) => ({ file, item, line: item.line }))
  })
}

/**
 * Judges by an earlier coverage: no measure may drop. It has dropped if a smaller share is covered, and more is missed;
 * a smaller share of less that is all well tested is no drop.
 */
export function judgeAgainst(baseline: Coverage, now: Coverage): Judgement[] {
  // with tokens monitored other lines are known, and outcomes
  const alike = baseline.totals.outcome.total > 0 === now.totals.outcome.total > 0
  const compared = measures.filter((measure) => measure !== 'item' && (alike || !['outcome', 'line'].includes(measure)))
  return compared.flatMap((measure) => {
    const [before, total] = [baseline.totals[measure], now.totals[measure]]
    if (before.total === 0) return []
    const smaller = BigInt(total.covered) * BigInt(before.total) < BigInt(before.covered) * BigInt(total.total)
    const isMet = !(smaller && total.total - total.covered > before.total - before.covered)
    const because = isMet ? undefined : `before it was ${before.covered} of ${before.total}`
    const missed = isMet ? [] : newlyMissed(baseline, now, measure)
    return [{ scope: 'the baseline', measure, total, threshold: undefined, because, isMet, missed }]
  })
}

/** What is missed now; of files whose text is the same, what was not missed before. */
function newlyMissed(baseline: Coverage, now: Coverage, measure: Measure): Missed[] {
  const key = ({ item, line }: Missed) => (item ? `${item.line}:${item.column} ${item.of} ${item.side}` : String(line))
  return now.files.flatMap((file) => {
    const missed = missedIn([partOf(file)], measure)
    const before = baseline.files.find(({ name, hash }) => name === file.name && hash === file.hash)
    if (!before) return missed
    const known = new Set(missedIn([partOf(before)], measure).map(key))
    return missed.filter((one) => !known.has(key(one)))
  })
}

/** The lines that a change adds to a file, by their numbers in the new text. */
export interface Addition {
  readonly file: FileCoverage
  readonly lines: ReadonlySet<number>
}

/** Judges what a change adds: the items and lines that begin in the lines added. */
export function judgePatch(additions: readonly Addition[], thresholds: Thresholds): Judgement[] {
  const parts = additions.map(({ file, lines }) => ({
    file: file.name,
    items: file.items.filter(({ line }) => lines.has(line)),
    lines: file.lines.filter(({ line }) => lines.has(line)),
  }))
  const totals = addTotals(parts.map(({ items, lines }) => totalsOf(items, lines)))
  return required('the change', totals, thresholds, parts).filter(({ total }) => total.total > 0)
}
