// Profiles of contexts → which of them reached a line: which test reached this?
import type { Profile } from '../5-profile/profile.js'
import { ScampError } from '../error.js'
import { coverageOf, labelOf, type FileCoverage } from './coverage.js'
import { cut, drawTable, printableName, spellCount, type Column } from './table.js'

/** The runs that the user called by one name; without a name, by none. */
export interface Context {
  readonly context: string
  readonly profile: Profile
}

/** A line of a file, as the user names the file. */
export interface PlaceAsked {
  readonly file: string
  readonly line: number
}

/**
 * Draws which contexts reached a line, how often, and what happened there; ends with a newline. Undefined if none did.
 *
 * throws  ScampError if no profile has the file, or nothing is counted in that line
 */
export function reached(contexts: Iterable<Context>, place: PlaceAsked, columns: number): string | undefined {
  const rows: string[][] = []
  const names = new Set<string>()
  const known = new Set<number>()
  for (const { context, profile } of contexts) {
    const { files } = coverageOf(profile)
    for (const { name } of files) names.add(name)
    const file = fileAsked(files, place.file)
    if (!file) continue
    for (const { line } of [...file.lines, ...file.items]) known.add(line)
    const row = rowOf(file, place.line)
    if (row) rows.push([context === '' ? '(no context)' : printableName(context), ...row])
  }
  const where = `${printableName(place.file)}:${place.line}`
  if (names.size === 0) throw new ScampError('there is no profile; make one with: scamp run --context NAME FILE')
  if (known.size === 0) {
    throw new ScampError(`no profile has ${printableName(place.file)}; there are ${[...names].sort().join(', ')}`)
  }
  if (!known.has(place.line)) throw new ScampError(`nothing is counted in ${where}; ${nearest(known, place.line)}`)
  return rows.length > 0
    ? `${drawTable(headings, rows)
        .map((line) => `${cut(line, columns).trimEnd()}\n`)
        .join('')}`
    : undefined
}

const headings: readonly Column[] = [
  { heading: 'CONTEXT', align: 'left' },
  { heading: 'TIMES', align: 'right' },
  { heading: 'WHAT HAPPENED', align: 'left' },
]

/** The file of this name, or else the only one whose name ends so. */
export function fileAsked<File extends { readonly name: string }>(
  files: readonly File[],
  name: string,
): File | undefined {
  const exact = files.find((file) => file.name === name)
  if (exact) return exact
  const ending = files.filter((file) => file.name.endsWith(`/${name}`))
  return ending.length === 1 ? ending[0] : undefined
}

/** How often control came to a line, and what happened there; undefined if it never came. */
function rowOf({ lines, items }: FileCoverage, line: number): string[] | undefined {
  const happened = items.filter((item) => item.line === line && item.count.value > 0n)
  const counts = [...lines.filter((one) => one.line === line), ...happened].map(({ count }) => count)
  if (counts.every(({ value }) => value === 0n)) return undefined
  const most = counts.reduce((one, other) => (other.value > one.value ? other : one))
  return [spellCount(most), happened.map(labelOf).join(', ')]
}

/** Which lines about this one are counted. */
function nearest(known: ReadonlySet<number>, line: number): string {
  const before = Math.max(...[...known].filter((one) => one < line))
  const after = Math.min(...[...known].filter((one) => one > line))
  const lines = [before, after].filter(Number.isFinite)
  return `counted nearby: ${lines.join(' and ')}; with --monitor tokens, every line that is ever carried out`
}
