// The one class for everything that is the user's to mend (program, command, environment), and the one function
// that draws it. What is our own fault is an assertion instead: its message starts with "internal error".
import { positionOf, type Source, type Span } from './source.js'

/** A further place that explains an error. */
export interface Note {
  readonly message: string
  readonly source?: Source
  readonly span?: Span
}

/**
 * Something the user can mend. The message is lower case, names the thing in the user's words, and says the cure
 * where there is one.
 *
 * source, span   where in a program text, if it is about one
 * notes          other places, or what to do
 */
export class ScampError extends Error {
  readonly source: Source | undefined
  readonly span: Span | undefined
  readonly notes: readonly Note[]

  constructor(message: string, source?: Source, span?: Span, notes: readonly Note[] = []) {
    super(message)
    this.name = 'ScampError'
    this.source = source
    this.span = span
    this.notes = notes
  }
}

/** Stops when something that must hold of scamp itself does not. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new Error(`internal error: ${message}`)
}

/**
 * Draws an error as people see it, without a final newline:
 *
 *   queens.icn:7:14: expected "then" before "place"
 *   7 |   if safe(r,c) place(r,c)
 *     |                ^
 */
export function drawError(error: ScampError): string {
  const lines = drawPlace(error.message, error.source, error.span)
  for (const note of error.notes) lines.push(...drawPlace(`note: ${note.message}`, note.source, note.span))
  return lines.join('\n')
}

function drawPlace(message: string, source: Source | undefined, span: Span | undefined): string[] {
  if (!source) return [message]
  if (!span) return [`${source.name}: ${message}`]
  const { line, column } = positionOf(source, span.start)
  const start = span.start - column + 1
  const newline = source.text.indexOf('\n', start)
  const end = newline < 0 ? source.text.length : newline
  const text = source.text.slice(start, end).replace(/\r$/, '')
  const [from, to] = window(text.length, column)
  const shown = printable(text.slice(from, to))
  const margin = String(line)
  const blank = ' '.repeat(margin.length)
  const indent = printable(text.slice(from, column - 1)).replace(/[^\t]/g, ' ')
  return [`${source.name}:${line}:${column}: ${message}`, `${margin} | ${shown}`, `${blank} | ${indent}^`]
}

/** The part of a long line that is worth showing: 100 characters about the column. */
function window(length: number, column: number): [number, number] {
  if (length <= 120) return [0, length]
  const from = Math.max(0, column - 60)
  return [from, Math.min(length, from + 100)]
}

/** Program text as a terminal may safely show it: no control characters but tabs; bytes above 126 as latin1. */
function printable(text: string): string {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/g, '?')
}
