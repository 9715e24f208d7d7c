// Profile → one screen: per file and per procedure how many of the things that could happen did, and the first that
// never did. What is counted here is each outcome of a site: a block or a loop passed through, a procedure called,
// each side of an if, each arm of a case. An inexact count above 0 is taken to have happened.
import type { Count, FileProfile, Profile, ProfiledSite } from '../5-profile/profile.js'
import { notesOn } from './constructs.js'
import { countsOf } from './json.js'
import { cut, drawTable, percent, printableName, spellCount, type Column } from './table.js'

/** Something that may happen at a site; `what` says so in a word or two. */
interface Outcome {
  readonly line: number
  readonly column: number
  readonly what: string
  readonly count: Count
}

/** A procedure with all the outcomes that are its own; before the first procedure, a file's other outcomes. */
interface Section {
  readonly name: string
  readonly line: number
  readonly calls: Count | undefined
  readonly outcomes: Outcome[]
}

/**
 * Draws the summary; ends with a newline.
 *
 * columns  the width of the screen in characters; long names are cut to it
 */
export function summary(profile: Profile, columns: number): string {
  const lines: string[] = []
  const all: Outcome[] = []
  for (const file of profile.files) {
    const sections = sectionsOf(file)
    const outcomes = sections.flatMap((section) => section.outcomes)
    all.push(...outcomes)
    lines.push(headline(printableName(file.name), outcomes, columns), ...drawSections(sections, columns))
    lines.push(...notesOn(file).flatMap((note) => fold(`NOTE: ${note}`, columns)), '')
  }
  if (profile.files.length > 1) lines.push(headline('TOTAL', all, columns), '')
  lines.push(...profile.notes.flatMap((note) => fold(`NOTE: ${note}`, columns)))
  if (lines[lines.length - 1] === '') lines.pop()
  return lines.map((line) => `${line}\n`).join('')
}

function sectionsOf(file: FileProfile): Section[] {
  const sections: Section[] = []
  for (const site of file.sites) {
    if (site.kind === 'procedure' || site.kind === 'routine') {
      const name = site.name === '' ? '(routine text)' : printableName(site.name)
      sections.push({ name, line: site.line, calls: site.calls, outcomes: [] })
    } else if (sections.length === 0) {
      sections.push({ name: '(no procedure)', line: site.line, calls: undefined, outcomes: [] })
    }
    sections[sections.length - 1].outcomes.push(...outcomesOf(site))
  }
  return sections
}

function outcomesOf(site: ProfiledSite): Outcome[] {
  const { kind, line, column } = site
  if (kind === 'procedure' || kind === 'routine') return [{ line, column, what: 'procedure', count: site.calls }]
  if (kind === 'loop') return [{ line, column, what: 'loop', count: site.passes }]
  return countsOf(site).flatMap(({ name, count }) => {
    if (name === 'skipped') return []
    const what = kind === 'do' ? site.loop : kind === 'block' ? kind : `${kind} ${name}`
    return [{ line, column, what, count }]
  })
}

const ran = ({ count }: Outcome) => count.value > 0n
const howMany = (outcomes: readonly Outcome[]) => outcomes.filter(ran).length

/** `queens.icn: 12 of 14 sites ran (86%)`; if it must be, the name is cut in front, where its folders are. */
function headline(name: string, outcomes: readonly Outcome[], columns: number): string {
  const count = howMany(outcomes)
  const share = outcomes.length > 0 ? ` (${percent(BigInt(count), BigInt(outcomes.length))}%)` : ''
  const rest = `: ${count} of ${outcomes.length} sites ran${share}`
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
  const rows = sections.map(({ name, line, calls, outcomes }) => {
    const never = outcomes.find((outcome) => !ran(outcome))
    return [
      name,
      String(line),
      `${howMany(outcomes)}/${outcomes.length}`,
      calls ? spellCount(calls) : '',
      never ? `${never.line}:${never.column} ${never.what}` : '',
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
