// Profile → coverage: of everything that could have happened in a program, what did. This is the one definition of
// "covered"; gates, pages and other programs' formats all ask here.
//
// An *item* is one thing that can happen. There are four kinds:
//
//   procedure  a procedure, operator or routine text is called
//   block      a block is passed through; a label is arrived at, if actions were monitored
//   branch     a decision goes one way: each side of an `if`, its `else` written or not; each arm of a case, its default,
//              and that no arm is taken where there is none (but not for conformity clauses of Algol 68, whose arms may be
//              all there can be); a loop's body, and, if branches were monitored, that it ends without a pass (`skip`),
//              unless its text shows that it cannot; if branches or actions were, that the right side of ANDF and the like
//              is needed, and that the left one decides
//   outcome    an operation that can do both succeeds, or fails (Icon, if its tokens were monitored). Control structures
//              have no outcomes of their own: theirs are their parts'
//
// An item is covered if it certainly happened: the least that its count can be is above 0. What a comment in the source
// leaves out is no part of any total; if it ran all the same, that is found fault with.
//
// A *line* is known if something that begins in it is counted: with tokens monitored every line that is ever carried out,
// otherwise those where a procedure, a block, an `if` or a case begins. It was executed as often as the token or
// construct in it that was executed most often; so a line may be covered and have items that are not.
import {
  addCounts,
  type Count,
  type Exclusion,
  type FileProfile,
  type Profile,
  type ProfiledSite,
  type ProfiledToken,
} from '../5-profile/profile.js'
import { enclosing, type Procedure } from './enclosing.js'

export type Kind = 'procedure' | 'block' | 'branch' | 'outcome'

/** What coverage is measured in: items of one kind, all items, or lines. */
export type Measure = Kind | 'item' | 'line'

/** All measures, in the order in which people see them. */
export const measures: readonly Measure[] = ['procedure', 'block', 'branch', 'outcome', 'item', 'line']

/**
 * One thing that can happen. The items of one decision follow each other and have the same place and `of`.
 *
 * line, column  of the construct or token, from 1
 * of            a procedure's name, empty if it has none; `block`, `label` and its name, `if`, `case`; a loop's keyword,
 *               `loop` in Algol 68; an operation as it is spelled
 * side          which way: of an `if` `true`, `false`; of a case `1`, `2`, …, `default`, `none`, `out`; of a loop
 *               `body`, `skip`; of ANDF and its like `right`, `left`; of an operation `success`, `failure`; else empty
 * within        the procedure it stands in, or is; null if in none
 * chances       how often control came to where it could have happened, if that is known
 * zero          why it is not covered; null if it is
 * excluded      the reason that a comment gives for leaving it out; null if none does
 */
export interface Item {
  readonly kind: Kind
  readonly line: number
  readonly column: number
  readonly of: string
  readonly side: string
  readonly within: Procedure | null
  readonly count: Count
  readonly chances: Count | null
  readonly covered: boolean
  readonly zero: Zero | null
  readonly excluded: string | null
}

/**
 * Why an item is not covered.
 *
 * unloaded   no run had this file
 * uncalled   the procedure it stands in was never called
 * unreached  control never came there
 * untaken    control came there, and it never happened
 * unsure     a run was cut short, and whether it happened there cannot be told
 */
export type Zero = 'unloaded' | 'uncalled' | 'unreached' | 'untaken' | 'unsure'

/**
 * A line of which it is known how often it was executed.
 *
 * within    the procedure that what was executed most often in it stands in; null if in none
 * items     of all items that begin in it, how many are covered
 * excluded  the reason that a comment gives for leaving the whole line out; null if none does
 */
export interface LineCoverage {
  readonly line: number
  readonly count: Count
  readonly covered: boolean
  readonly within: Procedure | null
  readonly items: Total
  readonly excluded: string | null
}

/** How many of something are covered; integers, from which everything else is made. */
export interface Total {
  readonly covered: number
  readonly total: number
}

export type Totals = Readonly<Record<Measure, Total>>

/**
 * The coverage of one file.
 *
 * isLoaded  whether any run had it
 * items     in the order of the text; with those that are left out
 * lines     the same
 * totals    without what is left out
 * findings  what is wrong with comments that leave something out, a sentence each, and the comments' lines
 */
export interface FileCoverage {
  readonly name: string
  readonly language: FileProfile['language']
  readonly hash: string
  readonly isLoaded: boolean
  readonly items: readonly Item[]
  readonly lines: readonly LineCoverage[]
  readonly totals: Totals
  readonly findings: readonly Finding[]
  readonly unmonitored: FileProfile['unmonitored']
}

/** Something that is wrong with a comment. */
export interface Finding {
  readonly line: number
  readonly what: string
}

/** The coverage of a program: its files, and those that belong to it but that no run had. */
export interface Coverage {
  readonly files: readonly FileCoverage[]
  readonly totals: Totals
}

/** Measures the coverage of a profile. */
export function coverageOf(profile: Profile): Coverage {
  const files = [
    ...profile.files.map((file) => fileCoverage(file, true)),
    ...profile.unloaded.map((file) => fileCoverage(file, false)),
  ]
  return { files, totals: addTotals(files.map(({ totals }) => totals)) }
}

/** Adds totals up, measure by measure. */
export function addTotals(list: readonly Totals[]): Totals {
  return totalsBy((measure) => ({
    covered: list.reduce((sum, totals) => sum + totals[measure].covered, 0),
    total: list.reduce((sum, totals) => sum + totals[measure].total, 0),
  }))
}

/** Counts items and lines; what is left out does not count. */
export function totalsOf(items: readonly Item[], lines: readonly LineCoverage[]): Totals {
  const kept = items.filter(({ excluded }) => excluded === null)
  return totalsBy((measure) => {
    if (measure === 'line') return totalOf(lines.filter(({ excluded }) => excluded === null))
    return totalOf(measure === 'item' ? kept : kept.filter(({ kind }) => kind === measure))
  })
}

const totalsBy = (totalOfMeasure: (measure: Measure) => Total) =>
  Object.fromEntries(measures.map((measure) => [measure, totalOfMeasure(measure)])) as Totals

const totalOf = (list: readonly { readonly covered: boolean }[]): Total => ({
  covered: list.filter(({ covered }) => covered).length,
  total: list.length,
})

/** An item in words: `if true`, `case none`, `every body`, `find failure`, `procedure main`, `block`. */
export function labelOf({ kind, of, side }: Pick<Item, 'kind' | 'of' | 'side'>): string {
  if (kind === 'procedure') return of === '' ? 'routine text' : `procedure ${of}`
  return side === '' ? of : `${of} ${side}`
}

/** Why an item is not covered, as the end of a sentence that begins with its label; empty if it is. */
export function explain({ kind, side, within, chances, zero }: Item): string {
  switch (zero) {
    case null:
      return ''
    case 'unloaded':
      return 'never loaded: no run had this file'
    case 'uncalled':
      return kind === 'procedure' ? 'never called' : `never reached: ${within?.name || 'the routine'} was never called`
    case 'unreached':
      // how often a loop was started its counts do not tell
      return side === 'body' && !chances ? 'never a pass' : 'never reached'
    case 'untaken':
      if (side === 'skip') return 'never without a pass'
      return `never, of ${chances!.exact ? '' : 'at most '}${chances!.value}`
    case 'unsure':
      return 'not certain: a run was cut short there'
  }
}

function fileCoverage(file: FileProfile, isLoaded: boolean): FileCoverage {
  const items: Item[] = []
  const procedureAt = enclosing(file.sites)
  const tokens = new Map(file.tokens.map((token) => [`${token.line}:${token.column}`, token]))
  for (const part of inOrder(file)) {
    const within = procedureAt(part)
    for (const one of happeningsAt(part, tokens.get(`${part.line}:${part.column}`))) {
      const { kind, of, side, count, chances } = one
      const { line, column } = part
      const covered = count.least > 0n
      const zero = covered ? null : zeroOf(one, within?.calls, isLoaded)
      const excluded = exclusionOf(file.exclusions, line, side)?.reason ?? null
      items.push({
        kind,
        line,
        column,
        of,
        side,
        within,
        count,
        chances,
        covered,
        zero,
        excluded,
      })
    }
  }
  const lines = linesOf(file, items)
  const { name, language, hash, unmonitored } = file
  const findings = [
    ...file.complaints.map(({ line, what }) => ({ line, what })),
    ...file.exclusions.flatMap((one) => faultWith(one, items, lines, file.tokens.length > 0)),
  ].sort((one, other) => one.line - other.line)
  return { name, language, hash, isLoaded, items, lines, totals: totalsOf(items, lines), findings, unmonitored }
}

/** What is wrong with leaving something out: that it happened, or, if it would show, that there is nothing. */
function faultWith(
  exclusion: Omit<Exclusion, 'file'>,
  items: readonly Item[],
  lines: readonly LineCoverage[],
  isComplete: boolean,
): Finding[] {
  const { line, part, reason } = exclusion
  const speaksOf = (at: number, side: string) => exclusionOf([exclusion], at, side) !== undefined
  const left = items.filter((item) => speaksOf(item.line, item.side))
  const leftLines = part === null ? lines.filter((one) => speaksOf(one.line, '')) : []
  const ran = left.find(({ count }) => count.least > 0n)
  if (ran) {
    const times = `${ran.count.exact ? '' : 'at most '}${ran.count.value}`
    return [{ line, what: `left out ("${reason}"), but it ran: ${ran.line}:${ran.column} ${labelOf(ran)}, ${times}` }]
  }
  const ranLine = leftLines.find(({ covered }) => covered)
  if (ranLine)
    return [{ line, what: `left out ("${reason}"), but it ran: line ${ranLine.line}, ${ranLine.count.value}` }]
  if (isComplete && left.length + leftLines.length === 0) return [{ line, what: `leaves nothing out ("${reason}")` }]
  return []
}

/** The sites and tokens of a file in the order of the text; where both stand in one place, the site first. */
function inOrder({ sites, tokens }: FileProfile): (ProfiledSite | ProfiledToken)[] {
  return [...sites, ...tokens].sort((one, other) => one.line - other.line || one.column - other.column)
}

/** What can happen at a site or token, before it is known what to think of it. */
type Happening = Pick<Item, 'kind' | 'of' | 'side' | 'count' | 'chances'>

// what begins these has the ports of the whole structure
const structures = new Set(['if', 'case', 'every', 'while', 'until', 'repeat'])

/** What can happen at a site or token; `token`: the one that begins there, if tokens were monitored. */
function happeningsAt(part: ProfiledSite | ProfiledToken, token: ProfiledToken | undefined): Happening[] {
  if (!('kind' in part)) {
    const { text, ports } = part
    if (!ports || structures.has(text)) return []
    const chances = addCounts([ports.started, ports.resumed])
    return [
      { kind: 'outcome', of: text, side: 'success', count: ports.succeeded, chances },
      { kind: 'outcome', of: text, side: 'failure', count: ports.failed, chances },
    ]
  }
  switch (part.kind) {
    case 'procedure':
    case 'routine':
      return [{ kind: 'procedure', of: part.name, side: '', count: part.calls, chances: null }]
    case 'block':
      return [{ kind: 'block', of: 'block', side: '', count: part.passes, chances: null }]
    case 'if': {
      const chances = addCounts([part.true, part.false])
      return [
        { kind: 'branch', of: 'if', side: 'true', count: part.true, chances },
        { kind: 'branch', of: 'if', side: 'false', count: part.false, chances },
      ]
    }
    case 'case': {
      const chances = addCounts(part.arms.map(({ count }) => count))
      return part.arms
        .filter(({ name }) => name !== 'unmatched')
        .map(({ name, count }) => {
          return { kind: 'branch', of: 'case', side: name === 'skipped' ? 'none' : name, count, chances }
        })
    }
    case 'do':
      return loopHappenings(part.loop, part, token?.count ?? null)
    case 'loop':
      return loopHappenings('loop', part, null)
    case 'action': {
      const { action, name, times, skipped } = part
      if (action === 'LABEL') return [{ kind: 'block', of: `label ${name}`, side: '', count: times, chances: null }]
      // others are carried out whenever control gets there
      if (!skipped) return []
      const chances = addCounts([times, skipped])
      return [
        { kind: 'branch', of: action, side: 'right', count: times, chances },
        { kind: 'branch', of: action, side: 'left', count: skipped, chances },
      ]
    }
  }
}

/**
 * What can happen at a loop: a pass, and none at all, if that was monitored.
 *
 * starts  how often it began, if that is known
 */
function loopHappenings(
  of: string,
  { passes, skips }: { readonly passes: Count; readonly skips: Count | null },
  starts: Count | null,
): Happening[] {
  const body: Happening = { kind: 'branch', of, side: 'body', count: passes, chances: starts ?? skips }
  // of how many starts there were none says too little: a loop that has passes was started
  return skips ? [body, { kind: 'branch', of, side: 'skip', count: skips, chances: starts ?? passes }] : [body]
}

function zeroOf({ kind, count, chances }: Happening, calls: Count | undefined, isLoaded: boolean): Zero {
  if (!isLoaded) return 'unloaded'
  if (count.value > 0n) return 'unsure'
  if (chances && chances.value > 0n) return 'untaken'
  return kind === 'procedure' || calls?.value === 0n ? 'uncalled' : 'unreached'
}

function exclusionOf<One extends Omit<Exclusion, 'file'>>(
  exclusions: readonly One[],
  line: number,
  side: string,
): One | undefined {
  return exclusions.find(({ first, last, part }) => first <= line && line <= last && (part === null || part === side))
}

function linesOf(file: FileProfile, items: readonly Item[]): LineCoverage[] {
  const known = new Map<number, { readonly count: Count; readonly within: Procedure | null }>()
  const procedureAt = enclosing(file.sites)
  for (const part of inOrder(file)) {
    const within = procedureAt(part)
    const count = 'kind' in part ? executionsOf(part) : part.count
    if (!count) continue
    const before = known.get(part.line)?.count
    const isMore =
      !before || count.value > before.value || (count.value === before.value && count.exact && !before.exact)
    if (isMore) known.set(part.line, { count, within })
  }
  const itemsOf = new Map<number, Item[]>()
  for (const item of items) {
    if (item.excluded !== null) continue
    const list = itemsOf.get(item.line)
    if (list) list.push(item)
    else itemsOf.set(item.line, [item])
  }
  return [...known]
    .sort(([one], [other]) => one - other)
    .map(([line, { count, within }]) => ({
      line,
      count,
      within,
      covered: count.least > 0n,
      items: totalOf(itemsOf.get(line) ?? []),
      excluded: exclusionOf(file.exclusions, line, '')?.reason ?? null,
    }))
}

/** How often control came to a construct; undefined if its counts do not tell. */
function executionsOf(site: ProfiledSite): Count | undefined {
  switch (site.kind) {
    case 'procedure':
    case 'routine':
      return site.calls
    case 'block':
      return site.passes
    case 'action':
      return site.times
    case 'if':
      return addCounts([site.true, site.false])
    case 'case':
      return addCounts(site.arms.map(({ count }) => count))
    case 'do':
    case 'loop':
      return undefined
  }
}
