// Profile → the report of SCAMP: for each text file a table per construct kind, counts and percentages.
// prelude/report.icn prints the same, byte for byte, from within a self-contained program; change both or none.
//
// source: Brailsford, Foxley, Mander and Morgan, "Run-time profiling of Algol 68-R programs using DIDYMUS and SCAMP",
//         Fig. 3; the columns of PROCEDURES after CALLS, and the KIND of loops, are Icon's; the TESTS of WHILE and UNTIL
//         are Algol 68's, where there are any; SKIPPED is how often a loop made no pass, where that was monitored
import {
  addCounts,
  type Count,
  type FileProfile,
  type Profile,
  type ProfiledSite,
  type ProfiledToken,
} from '../5-profile/profile.js'
import { drawTable, printableName, spellCount, spellShare, type Column } from './table.js'

/** Draws the constructs' counts, file by file, a blank line between; ends with a newline. */
export function constructs(profile: Profile): string {
  const parts = profile.files.map((file) => drawFile(file, profile.runs))
  const notes = profile.notes.map((note) => `NOTE: ${note}`)
  if (notes.length > 0) parts.push(notes)
  return parts.map((lines) => lines.map((line) => `${line}\n`).join('')).join('\n')
}

/** What cannot be counted in a file, a sentence for each. */
export function notesOn(file: FileProfile): string[] {
  return file.unmonitored.map(({ line, what }) => `${what} in line ${line} is not monitored`)
}

function drawFile(file: FileProfile, runs: number): string[] {
  const title = `MONITORING INFORMATION FOR TEXT FILE ${printableName(file.name)}`
  const lines = [title, '*'.repeat([...title].length)]
  if (runs > 1) lines.push(`RUNS: ${runs}`)
  for (const { kind, title: heading, columns, rows } of tables) {
    const sites = file.sites.filter((site) => site.kind === kind)
    if (sites.length === 0) continue
    const cells = sites.flatMap(rows)
    // last columns that nothing is in are left out
    const used = Math.max(...cells.map(({ length }) => length))
    lines.push('', heading, '', ...drawTable(columns.slice(0, used), cells))
  }
  if (file.tokens.length > 0) lines.push('', 'TOKENS', '', ...drawTable(tokenColumns, file.tokens.map(tokenRow)))
  else if (file.sites.length === 0) lines.push('', 'no constructs')
  const notes = notesOn(file).map((note) => `NOTE: ${note}`)
  return notes.length > 0 ? [...lines, '', ...notes] : lines
}

/** One table of the report; `rows` gives the lines for a site of its kind. */
interface ConstructTable {
  readonly kind: ProfiledSite['kind']
  readonly title: string
  readonly columns: readonly Column[]
  readonly rows: (site: ProfiledSite) => string[][]
}

/** Makes a table whose `rows` may count on the kind of its sites. */
function table<Kind extends ProfiledSite['kind']>(
  kind: Kind,
  title: string,
  columns: readonly Column[],
  rows: (site: Extract<ProfiledSite, { kind: Kind }>) => string[][],
): ConstructTable {
  return { kind, title, columns: [right('LINENO'), ...columns], rows: rows as ConstructTable['rows'] }
}

const right = (heading: string): Column => ({ heading, align: 'right' })
const left = (heading: string): Column => ({ heading, align: 'left' })

const spellIfKnown = (count: Count | null) => (count ? spellCount(count) : '')

/** A row without the empty cells at its end. */
const known = (cells: string[]) => cells.filter((_, i) => cells.slice(i).some((cell) => cell !== ''))

const tokenColumns = [...['LINENO', 'COLUMN', 'COUNT'].map(right), left('TOKEN')]
const tokenRow = ({ line, column, count, text }: ProfiledToken) => {
  return [String(line), String(column), spellCount(count), printableName(text)]
}

const armsPerLine = 5

const tables: readonly ConstructTable[] = [
  table('block', 'BLOCKS', [right('PASSES')], ({ line, passes }) => [[String(line), spellCount(passes)]]),
  table(
    'procedure',
    'PROCEDURES',
    [left('NAME'), ...['CALLS', 'RETURNS', 'SUSPENDS', 'RESUMPTIONS', 'FAILURES'].map(right)],
    ({ line, name, calls, returns, suspends, resumptions, failures }) => [
      [String(line), name, ...[calls, returns, suspends, resumptions, failures].map(spellCount)],
    ],
  ),
  table('routine', 'PROCEDURES', [left('NAME'), right('CALLS')], ({ line, name, calls }) => [
    [String(line), name === '' ? '-' : name, spellCount(calls)],
  ]),
  table(
    'if',
    'IF STATEMENTS',
    [right('TOTAL'), right('TRUE (% OF TOTAL)'), right('FALSE (% OF TOTAL)')],
    ({ line, true: yes, false: no }) => {
      const total = addCounts([yes, no])
      return [[String(line), spellCount(total), spellShare(yes, total), spellShare(no, total)]]
    },
  ),
  table(
    'case',
    'CASE STATEMENTS',
    [right('TOTAL'), left('FORMAT IS CASENO:INVOCATIONS (% OF TOTAL)')],
    ({ line, arms }) => {
      const total = addCounts(arms.map(({ count }) => count))
      // in Algol 68, that no unit was chosen and there is no OUT is worth a word only if it happened
      const shown = arms.filter(({ name, count }) => (name !== 'skipped' && name !== 'unmatched') || count.value > 0n)
      const items = shown.map(({ name, count }) => `${name}:${spellShare(count, total)}`)
      const rows = [[String(line), spellCount(total), ...items.slice(0, armsPerLine)]]
      for (let i = armsPerLine; i < items.length; i += armsPerLine) {
        rows.push(['', '', ...items.slice(i, i + armsPerLine)])
      }
      return rows
    },
  ),
  table('do', 'DO STATEMENTS', [right('ELABORATIONS'), left('KIND'), right('SKIPPED')], (site) => {
    const { line, passes, loop, skips } = site
    return [known([String(line), spellCount(passes), loop, spellIfKnown(skips)])]
  }),
  table('loop', 'DO STATEMENTS', [right('ELABORATIONS'), right('TESTS'), right('SKIPPED')], (site) => {
    const { line, passes, tests, skips } = site
    return [known([String(line), spellCount(passes), spellIfKnown(tests), spellIfKnown(skips)])]
  }),
  table('action', 'ACTIONS', [left('KIND'), left('NAME'), right('TIMES')], ({ line, action, name, times }) => [
    [String(line), action, name, spellCount(times)],
  ]),
]
