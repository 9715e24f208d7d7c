// Profile → one screen: per file and per procedure how many of the things that could happen did (coverage.ts), and the
// first that never did.
import type { Count, FileProfile, Profile } from '../5-profile/profile.js'
import { notesOn } from './constructs.js'
import { coverageOf, labelOf, totalsOf, type FileCoverage, type Item, type Total } from './coverage.js'
import { cut, drawTable, percent, printableName, spellCount, type Column } from './table.js'

/** A procedure with all the items that are its own; or a file's other items. */
interface Section {
  readonly name: string
  readonly line: number
  readonly calls: Count | undefined
  readonly items: Item[]
}

/**
 * Draws the summary; ends with a newline.
 *
 * columns  the width of the screen in characters; long names are cut to it
 */
export function summary(profile: Profile, columns: number): string {
  const lines: string[] = []
  const coverage = coverageOf(profile)
  const files = new Map<string, FileProfile>([...profile.files, ...profile.unloaded].map((file) => [file.name, file]))
  for (const file of coverage.files) {
    lines.push(
      headline(printableName(file.name), file.totals.item, columns),
      ...drawSections(sectionsOf(file), columns),
    )
    const notes = [...notesOn(files.get(file.name)!), ...file.findings.map(({ line, what }) => `line ${line}: ${what}`)]
    lines.push(...notes.flatMap((note) => fold(`NOTE: ${note}`, columns)), '')
  }
  if (coverage.files.length > 1) lines.push(headline('TOTAL', coverage.totals.item, columns), '')
  lines.push(...profile.notes.flatMap((note) => fold(`NOTE: ${note}`, columns)))
  if (lines[lines.length - 1] === '') lines.pop()
  return lines.map((line) => `${line}\n`).join('')
}

function sectionsOf(file: FileCoverage): Section[] {
  const sections = new Map<Item['within'], Section>()
  for (const item of file.items) {
    const { within, line } = item
    const section = sections.get(within) ?? { name: nameOf(within), line, calls: within?.calls, items: [] }
    sections.set(within, section)
    section.items.push(item)
  }
  return [...sections.values()]
}

function nameOf(procedure: Item['within']): string {
  if (!procedure) return '(no procedure)'
  return procedure.name === '' ? '(routine text)' : printableName(procedure.name)
}

/** `queens.icn: 12 of 14 sites ran (86%)`; if it must be, the name is cut in front, where its folders are. */
function headline(name: string, { covered, total }: Total, columns: number): string {
  const share = total > 0 ? ` (${percent(BigInt(covered), BigInt(total))}%)` : ''
  const rest = `: ${covered} of ${total} sites ran${share}`
  const width = Math.max(1, columns - rest.length)
  const shown = name.length <= width ? name : `…${name.slice(name.length - width + 1)}`
  return cut(shown + rest, columns)
}

const headings: readonly Column[] = [
  { heading: 'NAME', align: 'left' },
  { heading: 'LINE', align: 'right' },
  { heading: 'RAN', align: 'right' },
  { heading: 'CALLS', align: 'right' },
  { heading: 'NEVER RAN', align: 'left' },
]

/** A line per procedure. Where the table is too wide, the names give way, then the ends of lines. */
function drawSections(sections: readonly Section[], columns: number): string[] {
  if (sections.length === 0) return []
  const rows = sections.map(({ name, line, calls, items }) => {
    const never = items.find(({ covered, excluded }) => !covered && excluded === null)
    const { covered, total } = totalsOf(items, []).item
    return [
      name,
      String(line),
      `${covered}/${total}`,
      calls ? spellCount(calls) : '',
      never ? `${never.line}:${never.column} ${never.kind === 'procedure' ? never.kind : labelOf(never)}` : '',
    ]
  })
  const longest = Math.max(...rows.map(([name]) => name.length))
  const excess = Math.max(...drawTable(headings, rows).map((line) => line.length)) - columns
  const width = Math.max(headings[0].heading.length, longest - Math.max(0, excess))
  const fitted = rows.map(([name, ...cells]) => [cut(name, width), ...cells])
  return drawTable(headings, fitted).map((line) => cut(line.trimEnd(), columns))
}

/** Breaks a sentence into lines at its blanks; a word that is too long is cut. */
function fold(sentence: string, columns: number): string[] {
  const lines: string[] = []
  for (const word of sentence.split(/\s+/)) {
    const line = lines[lines.length - 1]
    if (line !== undefined && line.length + 1 + word.length <= columns) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(cut(word, columns))
  }
  return lines
}
