// Profile → the source, with the count of every token below it: the leftmost digit stands under the token's first
// character; where there is no room, the next count goes to a line of its own. A line of which something was never
// executed is marked behind its number.
//
// source: Coutant, Griswold and Hanson, "Measuring the Performance and Behavior of Icon Programs", IEEE Transactions on
//         Software Engineering SE-9 (1983), Figs. 1 to 8
import type { Count, FileProfile, Profile, ProfiledPorts, ProfiledToken } from '../5-profile/profile.js'
import { heatIn, leavePlain, paintHeat, type Heat, type Paint } from './heat.js'
import type { ReportOptions } from './options.js'
import { selectLines, type Lines } from './selection.js'
import { printableName, spellCount } from './table.js'

const tabStop = 8
const neverExecuted = '!'

/** Draws the listings, file by file, a blank line between; ends with a newline. */
export function listing(profile: Profile, options: ReportOptions): string {
  const style = {
    heatOf: heatIn(profile),
    paint: options.colour ? paintHeat : leavePlain,
    ...styleFor(options),
  }
  const parts = [...selectLines(profile, options)].map(([file, lines]) =>
    drawFile(file, options.textOf(file), lines, style),
  )
  parts.push(...profile.notes.map((note) => [`NOTE: ${note}`]))
  return parts.map((lines) => lines.map((line) => `${line}\n`).join('')).join('\n')
}

/** What options say of how counts are shown, but for the colours. */
export const styleFor = ({ ports, width = Infinity }: Pick<ReportOptions, 'ports' | 'width'>) => ({
  rows: ports ? portRows : countRow,
  width,
})

/** How counts are shown: in which rows below the source, in what colours, and how wide. */
export interface Style {
  readonly heatOf: (count: Count) => Heat
  readonly paint: Paint
  readonly rows: readonly Row[]
  readonly width: number
}

/** A kind of rows below a line, with its name in the margin; `countOf`: undefined where a token has none. */
interface Row {
  readonly heading: string
  readonly countOf: (token: ProfiledToken) => Count | undefined
}

const countRow: readonly Row[] = [{ heading: '', countOf: ({ count }) => count }]

const port = (heading: keyof ProfiledPorts): Row => ({ heading, countOf: ({ ports }) => ports?.[heading] })

/** What has one result whenever it is started has nothing but its starts to show. */
const portRows: readonly Row[] = [
  { heading: 'started', countOf: ({ count, ports }) => ports?.started ?? count },
  port('resumed'),
  port('succeeded'),
  port('failed'),
]

function drawFile(file: FileProfile, text: string | undefined, lines: Lines, style: Style): string[] {
  const title = printableName(file.name)
  if (file.language === 'algol68') return [title, '', 'tokens are counted in Icon programs']
  if (file.tokens.length === 0) return [title, '', 'its tokens were not monitored: scamp run --monitor tokens']
  if (text === undefined) return [title, '', 'this text is not there any more, or has changed']
  const byLine = new Map<number, ProfiledToken[]>()
  for (const token of file.tokens) {
    const list = byLine.get(token.line)
    if (list) list.push(token)
    else byLine.set(token.line, [token])
  }
  const sources = text.replace(/\n$/, '').split('\n')
  const last = lastShown(sources, lines)
  const margin = Math.max(String(last).length, ...style.rows.map(({ heading }) => heading.length - 1))
  const drawn = [title, '']
  for (let line = lines[0]; line <= last; line++) {
    drawn.push(...drawLine(line, sources[line - 1].replace(/\r$/, ''), byLine.get(line) ?? [], margin, style))
  }
  return drawn
}

/** The last line of a part: when a procedure ends before the next begins, its `end`. */
export function lastShown(sources: readonly string[], lines: Lines): number {
  const last = Math.min(lines[1], sources.length)
  if (lines[1] >= sources.length && lines[0] === 1) return last
  const part = sources.slice(lines[0] - 1, last)
  while (part.length > 1 && /^\s*(?:#.*)?$/.test(part[part.length - 1])) part.pop()
  return /^\s*end\b/.test(part[part.length - 1]) ? lines[0] + part.length - 1 : last
}

/** A line of source, folded to the width, with the counts of each piece below it. */
export function drawLine(
  number: number,
  source: string,
  tokens: readonly ProfiledToken[],
  margin: number,
  { heatOf, paint, rows, width }: Style,
): string[] {
  const { text, columns } = expandTabs(source)
  const placed = tokens.map((token) => ({ token, at: columns[token.column - 1] ?? text.length }))
  const mark = tokens.some(({ count }) => count.value === 0n) ? neverExecuted : ' '
  const drawn: string[] = []
  const room = Math.max(1, width - margin - 2)
  for (const [start, end] of fold(text, placed, room)) {
    const own = placed.filter(({ at }) => start <= at && (at < end || end === text.length))
    const head = drawn.length === 0 ? `${String(number).padStart(margin)}${mark}` : `${' '.repeat(margin)} `
    let painted = ''
    let done = start
    for (const { token, at } of own) {
      const stop = Math.min(end, at + token.text.length)
      painted += text.slice(done, at) + paint(text.slice(at, stop), heatOf(token.count))
      done = Math.max(done, stop)
    }
    drawn.push(`${head} ${painted}${text.slice(done, end)}`.trimEnd())
    for (const { heading, countOf } of rows) {
      const counts = own.flatMap(({ token, at }) => {
        const count = countOf(token)
        return count ? [{ at: at - start, text: spellCount(count), heat: heatOf(count) }] : []
      })
      // a port that nothing came through is not worth a line
      if (heading !== '' && counts.every(({ text: spelled }) => spelled === '0')) continue
      placeCounts(counts, paint).forEach((line, i) => {
        drawn.push(`${(i === 0 ? heading : '').padStart(margin + 1)} ${line}`)
      })
    }
  }
  return drawn
}

/** Where a line is folded: before a token whose text or count would not fit any more, or else where the room ends. */
function fold(
  text: string,
  placed: readonly { readonly token: ProfiledToken; readonly at: number }[],
  room: number,
): [start: number, end: number][] {
  const pieces: [number, number][] = []
  for (let start = 0; ;) {
    const from = start
    const over = placed.find(({ token, at }) => {
      return at > from && at - from + Math.max(token.text.length, spellCount(token.count).length) > room
    })
    const end = Math.min(over?.at ?? text.length, start + room)
    if (end >= text.length) return [...pieces, [start, text.length]]
    pieces.push([start, end])
    start = end
  }
}

/** The lines of counts below a piece of source. */
function placeCounts(
  counts: readonly { readonly at: number; readonly text: string; readonly heat: Heat }[],
  paint: Paint,
): string[] {
  const lines: { length: number; text: string }[] = []
  for (const { at, text, heat } of counts) {
    // a blank between two counts
    let line = lines.find(({ length }) => length < at)
    if (!line) lines.push((line = { length: 0, text: '' }))
    line.text += ' '.repeat(at - line.length) + paint(text, heat)
    line.length = at + text.length
  }
  return lines.map(({ text }) => text)
}

/** Blanks in place of tabs, and of what would move a terminal's cursor; and where each character then stands. */
function expandTabs(source: string): { text: string; columns: number[] } {
  let text = ''
  const columns: number[] = []
  for (const character of source) {
    columns.push(text.length)
    if (character === '\t') text += ' '.repeat(tabStop - (text.length % tabStop))
    else text += /\p{Cc}/u.test(character) ? '?' : character
  }
  return { text, columns }
}
