// A file's profile and coverage, its text and its colours → its block of the page, and its entry in the overview.
import type { Colour, Run } from '../1-parse/colours.js'
import type { Count, FileProfile, ProfiledSite, ProfiledToken } from '../5-profile/profile.js'
import type { Procedure } from './enclosing.js'
import { explain, totalsOf, type FileCoverage, type Item, type LineCoverage } from './coverage.js'
import type {
  PageDecision,
  PageEntry,
  PageFile,
  PageLines,
  PageProcedure,
  PageSide,
  PageTokens,
  Shown,
} from './page-data.js'
import { spellCount } from './table.js'

/** The letters that stand for colours in a block; `-` is none. The page's looks (page/looks/4-source.css) know them too. */
const letters: Readonly<Record<Colour, string>> = {
  keyword: 'K',
  constant: 'C',
  mode: 'M',
  operator: 'O',
  number: 'N',
  string: 'S',
  comment: 'R',
  directive: 'D',
  'left out': 'L',
}

/** The lines of a file that a context reached; contexts are numbered in the order of the index. */
export interface ReachedLines {
  readonly context: number
  readonly lines: readonly number[]
}

/** Makes a file's block. `colours`: of its text; `contexts`: that reached anything in it. */
export function pageBlock(
  file: FileProfile,
  coverage: FileCoverage,
  lines: readonly PageLine[],
  text: string | undefined,
  colours: readonly Run[],
  contexts: readonly ReachedLines[],
): PageFile {
  const decoded = text === undefined ? undefined : decode(text)
  return {
    text: decoded?.text ?? null,
    colours: decoded ? spellRuns(text!, colours, decoded.lengthOf) : '',
    lines: spellLines(lines),
    decisions: decisionsOf(file.sites, coverage),
    tokens: tokensOf(file.tokens, coverage, decoded ? columnsIn(text!, decoded.lengthOf) : (_, column) => column),
    // where one side only is left out, that side tells
    exclusions: file.exclusions
      .filter(({ part }) => part === null)
      .map(({ first, last, reason }) => [first, last, reason] as const),
    remarks: [
      ...file.unmonitored.map(({ line, what }) => [line, `${what}: not counted`] as const),
      ...coverage.findings.map(({ line, what }) => [line, what] as const),
    ],
    contexts: contexts.map((one) => [one.context, differences(one.lines)] as const),
  }
}

/** Makes a file's entry in the overview. */
export function pageEntry(coverage: FileCoverage, lines: readonly PageLine[], text: string | undefined): PageEntry {
  const { name, isLoaded, totals } = coverage
  const last = lines.at(-1)?.line ?? 0
  return {
    name,
    isLoaded,
    lines: text === undefined ? last : text.replace(/\n$/, '').split('\n').length,
    covered: totals.item.covered,
    items: totals.item.total,
    missing: lines.filter(({ state }) => '~-'.includes(state)).length,
    hottest: shown(hottestOf(lines)[0]?.count ?? nothing),
    procedures: proceduresOf(coverage),
  }
}

const nothing: Count = { value: 0n, least: 0n, exact: true }

/** A count as the page shows it. */
export function shown(count: Count): Shown {
  return count.exact && count.value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(count.value) : spellCount(count)
}

/** A line of the page; `state` as in the block. */
export interface PageLine {
  readonly line: number
  readonly count: Count
  readonly state: string
}

/**
 * The lines of which something is known: those of the coverage, and those with items only, such as loops of which only
 * the passes were counted.
 */
export function pageLines({ lines, items }: FileCoverage): PageLine[] {
  const measured = new Set(lines.map(({ line }) => line))
  const known = new Map(lines.map((line): [number, PageLine] => [line.line, { ...line, state: stateOf(line) }]))
  for (const { line, count, covered, excluded } of items) {
    if (excluded !== null || measured.has(line)) continue
    const before = known.get(line)
    const hotter = before && before.count.value > count.value ? before.count : count
    known.set(line, { line, count: hotter, state: covered && before?.state !== '~' ? '+' : '~' })
  }
  return [...known.values()].sort((one, other) => one.line - other.line)
}

/** The lines that were executed, the hottest first. */
export function hottestOf(lines: readonly PageLine[]): PageLine[] {
  return lines
    .filter(({ count }) => count.value > 0n)
    .sort((one, other) => Number(other.count.value - one.count.value) || one.line - other.line)
}

// ---- lines and procedures

function stateOf({ covered, items, excluded }: LineCoverage): string {
  if (excluded !== null) return 'x'
  if (!covered) return '-'
  return items.covered < items.total ? '~' : '+'
}

function spellLines(lines: readonly PageLine[]): PageLines {
  return {
    numbers: differences(lines.map(({ line }) => line)),
    counts: lines.map(({ count }) => shown(count)),
    states: lines.map(({ state }) => state).join(''),
  }
}

/** The procedures, each with the items that are its own. */
function proceduresOf({ items }: FileCoverage): PageProcedure[] {
  const sections = new Map<Procedure, Item[]>()
  for (const item of items) {
    if (!item.within) continue
    const own = sections.get(item.within) ?? []
    sections.set(item.within, own)
    own.push(item)
  }
  return [...sections].map(([procedure, own]) => {
    const { name, line, calls } = procedure
    const { covered, total } = totalsOf(own, []).item
    return [name, line, shown(calls), covered, total, procedure.kind === 'routine' ? procedure.end.line : null]
  })
}

function differences(numbers: readonly number[]): number[] {
  return numbers.map((number, i) => number - (i > 0 ? numbers[i - 1] : 0))
}

// ---- what can happen

/**
 * The decisions: items of one place, and beside a procedure's calls how it was left. What happens where no else is
 * written is called so. Actions that are no items are among them.
 */
function decisionsOf(sites: readonly ProfiledSite[], { items }: FileCoverage): PageDecision[] {
  const known = new Map(sites.map((site) => [`${site.kind} ${placeOf(site)}`, site]))
  const decisions: (PageDecision & { readonly place: string; readonly column: number; readonly sides: PageSide[] })[] =
    []
  for (const item of items) {
    if (item.kind === 'outcome') continue
    const { line, column, kind, of } = item
    const place = `${kind} ${placeOf(item)}`
    let decision = decisions.at(-1)
    if (decision?.place !== place) decisions.push((decision = { place, line, column, kind, of, sides: [] }))
    const site = known.get(`${kind === 'branch' ? of : kind} ${placeOf(item)}`)
    const lacksElse = site?.kind === 'if' && !site.hasElse && item.side === 'false'
    decision.sides.push(sideOf(item, lacksElse ? 'no else' : item.side))
    if (kind === 'procedure' && site?.kind === 'procedure') {
      for (const left of ['returns', 'suspends', 'resumptions', 'failures'] as const) {
        decision.sides.push([left, shown(site[left]), ' ', ''])
      }
    }
  }
  for (const site of sites) {
    if (site.kind !== 'action' || site.action === 'LABEL' || site.skipped) continue
    const { line, column, action, name, times } = site
    const of = `${action} ${name}`.trimEnd()
    decisions.push({ place: placeOf(site), line, column, kind: 'block', of, sides: [['', shown(times), ' ', '']] })
  }
  return decisions
    .sort((one, other) => one.line - other.line || one.column - other.column)
    .map(({ line, kind, of, sides }) => ({ line, kind, of, sides }))
}

const placeOf = ({ line, column }: { readonly line: number; readonly column: number }) => `${line}:${column}`

function sideOf(item: Item, side: string): PageSide {
  const { kind, count, covered, excluded } = item
  const name = kind === 'procedure' ? 'calls' : side
  if (excluded !== null) return [name, shown(count), 'x', excluded]
  return [name, shown(count), covered ? '+' : '-', explain(item)]
}

// ---- tokens

function tokensOf(
  tokens: readonly ProfiledToken[],
  { items }: FileCoverage,
  columnOf: (line: number, column: number) => number,
): PageTokens {
  const missing = new Map<string, number>()
  for (const item of items) {
    if (item.kind !== 'outcome' || item.covered || item.excluded !== null) continue
    const bit = item.side === 'success' ? 1 : 2
    missing.set(placeOf(item), (missing.get(placeOf(item)) ?? 0) | bit)
  }
  return {
    lines: differences(tokens.map(({ line }) => line)),
    columns: tokens.map(({ line, column }) => columnOf(line, column)),
    lengths: tokens.map(({ line, column, text }) => columnOf(line, column + text.length) - columnOf(line, column)),
    counts: tokens.map(({ count }) => shown(count)),
    ports: tokens.map(({ ports }) => {
      if (ports === null) return 0
      return [shown(ports.started), shown(ports.resumed), shown(ports.succeeded), shown(ports.failed)] as const
    }),
    missing: tokens.map((token) => missing.get(placeOf(token)) ?? 0),
  }
}

// ---- texts

/** Spells coloured runs: lengths in base 36, each with the letter of its colour. */
function spellRuns(text: string, runs: readonly Run[], lengthOf: (part: string) => number): string {
  let spelled = ''
  let at = 0
  const add = (end: number, letter: string) => {
    if (end > at) spelled += lengthOf(text.slice(at, end)).toString(36) + letter
    at = end
  }
  for (const { start, end, colour } of runs) {
    add(start, '-')
    add(end, letters[colour])
  }
  add(text.length, '-')
  return spelled
}

/**
 * A text as people wrote it. scamp reads bytes; if they are UTF-8, that is what was meant.
 *
 * lengthOf  how many characters of `text` a part of the bytes became
 */
export function decode(bytes: string): { readonly text: string; readonly lengthOf: (part: string) => number } {
  // eslint-disable-next-line no-control-regex
  if (/^[\x00-\x7f]*$/.test(bytes)) return { text: bytes, lengthOf: ({ length }) => length }
  try {
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
    const text = decoder.decode(Buffer.from(bytes, 'latin1'))
    return { text, lengthOf: (part) => Buffer.from(part, 'latin1').toString('utf8').length }
  } catch {
    return { text: bytes, lengthOf: ({ length }) => length }
  }
}

/** Finds the column of the decoded text for one of the bytes. */
function columnsIn(bytes: string, lengthOf: (part: string) => number): (line: number, column: number) => number {
  const lines = bytes.split('\n')
  return (line, column) => 1 + lengthOf((lines[line - 1] ?? '').slice(0, column - 1))
}
