// a68g's messages about amended texts → the same about the user's texts: lines as the user wrote them, marks under the
// columns that are meant, files named as the user named them.
import type { AmendedText } from '../3-rewrite/rewrite.js'
import { lineStarts, positionIn } from '../source.js'

/** A file of the program as it was and as a68g read it, at this path. */
export interface AmendedFile extends AmendedText {
  readonly path: string
}

/** A place in the user's text: the number of a file, line and column from 1. `isInserted`: in an insertion of ours. */
export interface OriginalPlace {
  readonly file: number
  readonly line: number
  readonly column: number
  readonly isInserted: boolean
}

// a source line is shown behind its number, in this column
const textColumn = 6
// what marks places under a source line
const marks = /[0-9A-Za-z*-]/

/** A source line as a message shows it, and the columns of the amended text that are marked, with their marks. */
interface ShownLine {
  readonly line: number
  readonly text: string
  readonly marked: readonly { readonly column: number; readonly mark: string }[]
}

/** What a68g said of a line before the program ran: where it marks it, and how many messages. */
interface Warned {
  readonly marked: ShownLine['marked']
  readonly messages: number
}

/** Translates a68g's messages. */
export class Messages {
  private readonly lines: readonly (readonly string[])[]
  /** By the lines as they are shown. */
  private readonly warned: ReadonlyMap<string, Warned>
  private readonly starts: readonly { readonly amended: readonly number[]; readonly original: readonly number[] }[]

  /** warnings: those that have been shown, in terms of the user's text; what a68g says later is numbered behind them */
  constructor(
    private readonly files: readonly AmendedFile[],
    warnings: string,
  ) {
    this.warned = readWarnings(warnings)
    this.lines = files.map(({ text }) => text.split('\n'))
    this.starts = files.map(({ text, source }) => ({ amended: lineStarts(text), original: lineStarts(source.text) }))
  }

  /** Whether a line of output is a source line as messages show it, or may be the beginning of one. */
  mayShowSource(row: string): boolean {
    if (/^\d{1,7} *$/.test(row)) return true
    const match = /^(\d+) +(?=\S)/.exec(row)
    if (!match) return false
    const shown = row.slice(textColumn).trimEnd()
    return this.lines.some((lines) => lines[Number(match[1]) - 1]?.startsWith(shown))
  }

  /** Rewrites a message, which begins with a source line. */
  translate(text: string): string {
    const rows = text.split('\n')
    const out: string[] = []
    for (let at = 0; at < rows.length;) {
      const [shown, next] = readShown(rows, at)
      if (!shown) {
        out.push(this.withNames(rows[at++]))
        continue
      }
      const warned = this.warned.get(this.head(shown)?.trimEnd() ?? '')
      const message = warned && numbered.exec(rows[next] ?? '')
      if (warned && message) {
        // some warnings are marked here even if they were not to be shown
        const [, head, number] = message
        out.push(...this.draw(ownMarks(shown, Number(number)), rows.slice(at, next), warned))
        out.push(this.withNames(`${head}${warned.messages + 1}${rows[next].slice(head.length + number.length)}`))
        at = next + 1
      } else {
        out.push(...this.draw(shown, rows.slice(at, next)))
        at = next
      }
    }
    return out.join('\n')
  }

  /** The place that the first source line in a message marks; undefined if there is none, or it is not the program's. */
  place(text: string): OriginalPlace | undefined {
    const rows = text.split('\n')
    for (let at = 0; at < rows.length; at++) {
      const [shown] = readShown(rows, at)
      if (!shown || shown.marked.length === 0) continue
      const file = this.fileOf(shown)
      if (file < 0) continue
      return this.original(file, shown.line, shown.marked[0].column)
    }
    return undefined
  }

  /** Where the source line stands that a message begins with: in the user's text, or behind it; undefined: nowhere. */
  beginsWith(text: string): 'text' | 'behind' | undefined {
    const [shown] = readShown(text.trimStart().split('\n'), 0)
    const file = shown ? this.fileOf(shown) : -1
    if (!shown || file < 0) return undefined
    return this.startOf(file, shown.line) === undefined ? 'behind' : 'text'
  }

  /** Where a line of the user's text begins; undefined behind the text. */
  private startOf(file: number, line: number): number | undefined {
    const start = this.starts[file].original[line - 1]
    return start < this.files[file].source.text.length ? start : undefined
  }

  private fileOf({ line, text }: ShownLine): number {
    return this.lines.findIndex((lines) => lines[line - 1]?.trimEnd().startsWith(text.trimEnd()))
  }

  /** A source line as the user wrote it; undefined if it is none of the user's. */
  private head(shown: ShownLine): string | undefined {
    const file = this.fileOf(shown)
    const start = file < 0 ? undefined : this.startOf(file, shown.line)
    if (start === undefined) return undefined
    const { text } = this.files[file].source
    const end = text.indexOf('\n', start)
    const line = text.slice(start, end < 0 ? text.length : end).replace(/\r$/, '')
    return `${String(shown.line).padEnd(textColumn - 1)} ${line}`
  }

  /** Draws a source line with its marks, and those it had before. */
  private draw(shown: ShownLine, rows: readonly string[], warned?: Warned): string[] {
    const file = this.fileOf(shown)
    if (file < 0) return [...rows]
    const head = this.head(shown)
    // a line behind the user's text is ours
    if (head === undefined) return []
    if (shown.marked.length === 0) return [head]
    const width = head.length - textColumn
    const under: string[] = Array.from({ length: width + 1 }, () => ' ')
    for (const { column, mark } of warned?.marked ?? []) under[column - 1] = mark
    for (const { column, mark } of shown.marked) {
      const at = this.original(file, shown.line, column).column - 1
      under[at] = !warned ? mark : under[at] === ' ' ? (warned.messages + 1).toString(36) : '*'
    }
    return [head, ' '.repeat(textColumn) + under.join('').slice(0, Math.max(width, 1))]
  }

  /** Where a place of the amended text is in the user's. */
  private original(file: number, line: number, column: number): OriginalPlace {
    const { edits } = this.files[file]
    const offset = this.starts[file].amended[line - 1] + column - 1
    let inserted = 0
    for (const { at, text } of edits) {
      if (at + inserted > offset) break
      if (offset < at + inserted + text.length) return this.at(file, at, true)
      inserted += text.length
    }
    return this.at(file, offset - inserted, false)
  }

  private at(file: number, offset: number, isInserted: boolean): OriginalPlace {
    return { file, ...positionIn(this.starts[file].original, offset), isInserted }
  }

  private withNames(row: string): string {
    return this.files.reduce((text, { path, source }) => text.replaceAll(path, source.name), row)
  }
}

// a message, and its number
const numbered = /^(a68g: (?:[^:\n]+: )?runtime error: )(\d+)(?=: )/

/** A source line with the marks of one message only: its number, or what stands for several at one place. */
function ownMarks(shown: ShownLine, number: number): ShownLine {
  const own = shown.marked.filter(({ mark }) => mark === number.toString(36))
  return { ...shown, marked: own.length > 0 ? own : shown.marked.filter(({ mark }) => mark === '*') }
}

/** Reads what a68g said of a text when it checked it. */
function readWarnings(warnings: string): Map<string, Warned> {
  const warned = new Map<string, Warned>()
  const rows = warnings.split('\n')
  let last: ShownLine | undefined
  for (let at = 0; at < rows.length;) {
    const [shown, next] = readShown(rows, at)
    const number = /^a68g: [^\n]*?warning: (\d+): /.exec(rows[at])?.[1]
    if (shown) last = shown
    else if (last && number !== undefined) {
      const key = `${String(last.line).padEnd(textColumn - 1)} ${last.text}`
      warned.set(key, { marked: last.marked, messages: Number(number) })
    }
    at = next > at ? next : at + 1
  }
  return warned
}

/** Reads a source line with its marks, and what it goes on with in further rows; answers where the next begins. */
function readShown(rows: readonly string[], from: number): [ShownLine | undefined, number] {
  const head = /^(\d+) {1,5}/.exec(rows[from])
  if (!head || rows[from].length < textColumn) return [undefined, from]
  let text = ''
  const marked: { column: number; mark: string }[] = []
  let at = from
  for (let margin = textColumn; ;) {
    const start = text.length
    text += rows[at++].slice(margin)
    const under = rows[at]
    if (under !== undefined && /^ {5}[ 0-9A-Za-z*-]*$/.test(under)) {
      // the marks of a further row stand one to the right of what they mean
      for (let i = textColumn; i < under.length; i++) {
        if (marks.test(under[i])) marked.push({ column: start + i - textColumn + 1, mark: under[i] })
      }
      at++
    }
    if (!/^\.\d/.test(rows[at] ?? '')) break
    margin = textColumn - 1
  }
  return [{ line: Number(head[1]), text, marked }, at]
}
