// Built-in functions on strings and csets: analysis, scanning, synthesis.
import { asCset, asInteger, asSmall, asString, needCset, needInteger, needString, raise } from './convert.js'
import { fail } from './errors.js'
import { shortImage } from './image.js'
import { machine } from './machine.js'
import { position } from './subscripts.js'
import { Cset, type Result, type Results, type Value } from './values.js'

// ---- analysis: the arguments s, i, j that all these functions end with, and look at first

/** Subject and range as offsets: what s, i, j mean when left out, too. Undefined: fail. */
interface Range {
  text: string
  from: number
  to: number
}

const range: Range = { text: '', from: 0, to: 0 }

function rangeOf(s: Value, i: Value, j: Value): boolean {
  let from: number
  if (s === null) {
    range.text = machine.subject
    from = i === null ? machine.pos : needInteger(i)
  } else {
    range.text = needString(s)
    from = i === null ? 1 : needInteger(i)
  }
  const { length } = range.text
  const p = position(from, length)
  if (p === 0) return false
  const q = j === null ? length + 1 : position(needInteger(j), length)
  if (q === 0) return false
  range.from = (p <= q ? p : q) - 1
  range.to = (p <= q ? q : p) - 1
  return true
}

/** Whether s, i, j are all left out: then what is analysed is the rest of the subject. */
const restOfSubject = (s: Value, i: Value, j: Value): boolean => s === null && i === null && j === null

export function any(c: Value, s: Value, i: Value, j: Value): Result {
  if (restOfSubject(s, i, j)) {
    const cset = needCset(c)
    const { subject, pos: at } = machine
    return at <= subject.length && cset.table[subject.charCodeAt(at - 1)] === 1 ? at + 1 : undefined
  }
  if (!rangeOf(s, i, j)) return undefined
  const cset = needCset(c)
  const { text, from, to } = range
  return from < to && cset.table[text.charCodeAt(from)] === 1 ? from + 2 : undefined
}

/** How far the members of a cset reach from an offset on. */
function endOfMembers({ table }: Cset, text: string, from: number, to: number): number {
  let at = from
  while (at < to && table[text.charCodeAt(at)] === 1) at++
  return at
}

/** The offset of the first member of a cset; `to` when there is none. */
function firstMember({ table }: Cset, text: string, from: number, to: number): number {
  let at = from
  while (at < to && table[text.charCodeAt(at)] !== 1) at++
  return at
}

export function many(c: Value, s: Value, i: Value, j: Value): Result {
  if (!rangeOf(s, i, j)) return undefined
  const cset = needCset(c)
  const { text, from, to } = range
  const at = endOfMembers(cset, text, from, to)
  return at > from ? at + 1 : undefined
}

export function match(s1: Value, s: Value, i: Value, j: Value): Result {
  if (!rangeOf(s, i, j)) return undefined
  const pattern = needString(s1)
  const { text, from, to } = range
  return from + pattern.length <= to && text.startsWith(pattern, from) ? from + pattern.length + 1 : undefined
}

export function upto(c: Value, s: Value, i: Value, j: Value): Result {
  if (!rangeOf(s, i, j)) return undefined
  const cset = needCset(c)
  const { text, from, to } = range
  const at = firstMember(cset, text, from, to)
  return at < to ? at + 1 : undefined
}

class Upto implements Results {
  value: number | undefined
  constructor(
    private readonly table: Uint8Array,
    private readonly text: string,
    private at: number,
    private readonly to: number,
  ) {}
  next(): this {
    const { table, text, to } = this
    while (this.at < to && table[text.charCodeAt(this.at)] !== 1) this.at++
    this.value = this.at < to ? ++this.at : undefined
    return this
  }
}

const nothing: Results = { next: () => ({ value: undefined }) }

export function uptoAll(c: Value, s: Value, i: Value, j: Value): Results {
  return rangeOf(s, i, j) ? new Upto(needCset(c).table, range.text, range.from, range.to) : nothing
}

export function find(s1: Value, s: Value, i: Value, j: Value): Result {
  if (typeof s1 === 'string' && typeof s === 'string' && i === null && j === null) {
    const at = s.indexOf(s1)
    return at >= 0 ? at + 1 : undefined
  }
  if (!rangeOf(s, i, j)) return undefined
  const pattern = needString(s1)
  const at = range.text.indexOf(pattern, range.from)
  return at >= 0 && at + pattern.length <= range.to ? at + 1 : undefined
}

class Find implements Results {
  value: number | undefined
  constructor(
    private readonly pattern: string,
    private readonly text: string,
    private at: number,
    private readonly to: number,
  ) {}
  next(): this {
    const { pattern, to } = this
    const found = this.at + pattern.length > to ? -1 : this.text.indexOf(pattern, this.at)
    if (found < 0 || found + pattern.length > to) {
      this.value = undefined
      this.at = to + 1
    } else {
      this.at = found + 1
      this.value = found + 1
    }
    return this
  }
}

export function findAll(s1: Value, s: Value, i: Value, j: Value): Results {
  return rangeOf(s, i, j) ? new Find(needString(s1), range.text, range.from, range.to) : nothing
}

export function balAll(c1: Value, c2: Value, c3: Value, s: Value, i: Value, j: Value): Results {
  if (!rangeOf(s, i, j)) return nothing
  const { text, from, to } = range
  const stops = c1 === null ? undefined : needCset(c1).table
  const opens = c2 === null ? Cset.of('(').table : needCset(c2).table
  const closes = c3 === null ? Cset.of(')').table : needCset(c3).table
  return balanced()

  function* balanced(): Generator<number, undefined> {
    let depth = 0
    for (let at = from; at < to; at++) {
      const code = text.charCodeAt(at)
      if (depth === 0 && (!stops || stops[code] === 1)) yield at + 1
      if (opens[code] === 1) depth++
      else if (closes[code] === 1) depth--
      if (depth < 0) return
    }
  }
}

// ---- scanning

export function setPos(value: Value, operator = ':='): Result {
  const i = typeof value === 'number' ? value : asSmall(value)
  if (i === undefined) return fail(101, value, operator, [{ shown: `&pos = ${machine.pos}` }, value])
  const p = position(i, machine.subject.length)
  if (p === 0) return undefined
  machine.pos = p
  return p
}

export function setSubject(value: Value, operator = ':='): Result {
  const text = asString(value)
  if (text === undefined)
    return fail(103, value, operator, [{ shown: `&subject = ${shortImage(machine.subject)}` }, value])
  machine.subject = text
  machine.pos = 1
  return text
}

/** The operand of a scanning expression, as the new subject. */
export function scanned(value: Value): string {
  if (typeof value === 'string') return value
  return asString(value) ?? (fail(103, value, '?..', [value]) as unknown as string)
}

export function tab(i: Value): Result {
  const p = position(typeof i === 'number' ? i : needInteger(i), machine.subject.length)
  if (p === 0) return undefined
  const old = machine.pos
  machine.pos = p
  return old <= p ? machine.subject.slice(old - 1, p - 1) : machine.subject.slice(p - 1, old - 1)
}

export function move(n: Value): Result {
  const step = typeof n === 'number' ? n : needInteger(n)
  const old = machine.pos
  const p = old + step
  if (p < 1 || p > machine.subject.length + 1) return undefined
  machine.pos = p
  return step >= 0 ? machine.subject.slice(old - 1, p - 1) : machine.subject.slice(p - 1, old - 1)
}

// tab() of a position that analysis of the subject gives, in one step: `pass…` moves, and answers the new position;
// `tab…` answers the text that is passed, too.

export function passAny(c: Value): number | undefined {
  const { table } = needCset(c)
  const { subject, pos: at } = machine
  return at <= subject.length && table[subject.charCodeAt(at - 1)] === 1 ? (machine.pos = at + 1) : undefined
}

export function passMany(c: Value): number | undefined {
  const { subject, pos: old } = machine
  const at = endOfMembers(needCset(c), subject, old - 1, subject.length)
  return at >= old ? (machine.pos = at + 1) : undefined
}

export function passUpto(c: Value): number | undefined {
  const { subject, pos: old } = machine
  const at = firstMember(needCset(c), subject, old - 1, subject.length)
  return at < subject.length ? (machine.pos = at + 1) : undefined
}

export function tabAny(c: Value): Result {
  const old = machine.pos
  return passAny(c) === undefined ? undefined : machine.subject[old - 1]
}

export function tabMany(c: Value): Result {
  const old = machine.pos
  const at = passMany(c)
  return at === undefined ? undefined : machine.subject.slice(old - 1, at - 1)
}

export function tabUpto(c: Value): Result {
  const old = machine.pos
  const at = passUpto(c)
  return at === undefined ? undefined : machine.subject.slice(old - 1, at - 1)
}

/** =s */
export function tabMatch(s: Value): Result {
  const pattern = typeof s === 'string' ? s : asString(s)
  if (pattern === undefined) return fail(103, s, '=', [s])
  if (!machine.subject.startsWith(pattern, machine.pos - 1)) return undefined
  machine.pos += pattern.length
  return pattern
}

export function pos(i: Value): Result {
  const p = position(needInteger(i), machine.subject.length)
  return p === machine.pos ? p : undefined
}

// ---- synthesis

/** Pads with a string as iconx does: `pad` repeated, ending at the right edge on the left side. */
function padding(pad: string, length: number, side: 'left' | 'right'): string {
  if (length <= 0) return ''
  if (pad.length === 1) return pad.repeat(length)
  const text = pad.repeat(Math.ceil(length / pad.length))
  return side === 'left' ? text.slice(0, length) : text.slice(text.length - length)
}

function padArguments(s: Value, n: Value, pad: Value): [string, number, string] {
  const text = needString(s)
  const width = n === null ? 1 : needInteger(n)
  const fill = pad === null ? ' ' : needString(pad)
  if (width < 0) return raise(205, asInteger(n))
  return [text, width, fill === '' ? ' ' : fill]
}

export function left(s: Value, n: Value, pad: Value): Value {
  const [text, width, fill] = padArguments(s, n, pad)
  if (text.length >= width) return text.slice(0, width)
  // the pad is laid from the right edge
  return text + padding(fill, width - text.length, 'right')
}

export function right(s: Value, n: Value, pad: Value): Value {
  const [text, width, fill] = padArguments(s, n, pad)
  if (text.length >= width) return text.slice(text.length - width)
  return padding(fill, width - text.length, 'left') + text
}

export function center(s: Value, n: Value, pad: Value): Value {
  const [text, width, fill] = padArguments(s, n, pad)
  if (text.length >= width) {
    const from = (text.length - width + 1) >> 1
    return text.slice(from, from + width)
  }
  const before = (width - text.length) >> 1
  return padding(fill, before, 'left') + text + padding(fill, width - text.length - before, 'right')
}

export function repl(s: Value, n: Value): Value {
  const text = needString(s)
  const count = needInteger(n)
  if (count < 0) return raise(205, asInteger(n))
  if (count * text.length > 2 ** 29) return raise(306)
  return text.repeat(count)
}

export function reverse(s: Value): Value {
  const text = needString(s)
  let result = ''
  for (let i = text.length - 1; i >= 0; i--) result += text[i]
  return result
}

const blank = Cset.of(' ')

export function trim(s: Value, c: Value): Value {
  const text = needString(s)
  const { table } = c === null ? blank : needCset(c)
  let end = text.length
  while (end > 0 && table[text.charCodeAt(end - 1)] === 1) end--
  return text.slice(0, end)
}

interface MapTable {
  readonly from: string
  readonly to: string
  readonly table: Uint8Array
}

/** The tables made last, the one used last first. */
const maps: MapTable[] = []

function mapTable(from: string, to: string): Uint8Array {
  for (let i = 0; i < maps.length; i++) {
    const entry = maps[i]
    if (entry.from === from && entry.to === to) {
      if (i > 0) {
        maps[i] = maps[0]
        maps[0] = entry
      }
      return entry.table
    }
  }
  const table = Uint8Array.from({ length: 256 }, (_, i) => i)
  for (let i = 0; i < from.length; i++) table[from.charCodeAt(i)] = to.charCodeAt(i)
  maps.unshift({ from, to, table })
  if (maps.length > 8) maps.pop()
  return table
}

export function map(s: Value, from: Value, to: Value): Value {
  const text = needString(s)
  if (from === null && to === null) {
    if (text.length < 16) {
      let i = 0
      for (; i < text.length; i++) {
        const code = text.charCodeAt(i)
        if (code >= 65 && code <= 90) break
      }
      if (i === text.length) return text
    }
    // eslint-disable-next-line no-control-regex
    if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase()
  }
  const one = from === null ? 'ABCDEFGHIJKLMNOPQRSTUVWXYZ' : mapString(from)
  const other = to === null ? 'abcdefghijklmnopqrstuvwxyz' : mapString(to)
  if (one.length !== other.length) return raise(208)
  if (text.length === 1) {
    const at = one.lastIndexOf(text)
    return at < 0 ? text : other[at]
  }
  return translate(text, mapTable(one, other))
}

function mapString(value: Value): string {
  return value instanceof Cset ? value.members : needString(value)
}

const codes: number[][] = []

function translate(text: string, table: Uint8Array): string {
  const { length } = text
  if (length <= 24) {
    const array = (codes[length] ??= Array.from({ length }, () => 0))
    for (let i = 0; i < length; i++) array[i] = table[text.charCodeAt(i)]
    return String.fromCharCode.apply(null, array)
  }
  const bytes = Buffer.from(text, 'latin1')
  for (let i = 0; i < length; i++) bytes[i] = table[bytes[i]]
  return bytes.toString('latin1')
}

/** The tab stops that follow each other: the given columns, then at the last distance. */
function* tabStops(columns: readonly number[]): Generator<number> {
  let before = 1
  let interval = 8
  for (const column of columns) {
    yield column
    interval = column - before
    before = column
  }
  if (columns.length === 1) interval = columns[0] - 1
  for (;;) yield (before += interval)
}

function tabArguments(stops: readonly Value[]): number[] {
  if (stops.length === 0) return [9]
  let before = -Infinity
  const columns = stops.map((stop) => {
    const column = needInteger(stop)
    return column > before ? (before = column) : raise(210, asInteger(stop))
  })
  return columns[0] > 1 ? columns : raise(210, asInteger(stops[0]))
}

/** Finds the first tab stop after a column. */
function stopFinder(columns: readonly number[]): (column: number) => number {
  const source = tabStops(columns)
  const known: number[] = []
  return (column) => {
    let i = 0
    for (;;) {
      if (i === known.length) known.push(source.next().value!)
      if (known[i] > column) return known[i]
      i++
    }
  }
}

export function detab(s: Value = null, ...stops: Value[]): Value {
  const text = needString(s)
  const after = stopFinder(tabArguments(stops))
  let result = ''
  let column = 1
  for (const c of text) {
    if (c === '\t') {
      const stop = after(column)
      result += ' '.repeat(stop - column)
      column = stop
    } else {
      result += c
      if (c === '\b') column--
      else if (c === '\n' || c === '\r') column = 1
      else if (c >= ' ' && c <= '~') column++
    }
  }
  return result
}

export function entab(s: Value = null, ...stops: Value[]): Value {
  const text = needString(s)
  const after = stopFinder(tabArguments(stops))
  let result = ''
  let column = 1
  let blanks = 0
  for (const c of text) {
    if (c === ' ') {
      blanks++
      column++
      continue
    }
    if (blanks > 0) result += blankRun(column - blanks, column, after)
    blanks = 0
    result += c
    if (c === '\t') column = after(column)
    else if (c === '\b') column--
    else if (c === '\n' || c === '\r') column = 1
    else if (c >= ' ' && c <= '~') column++
  }
  if (blanks > 0) result += blankRun(column - blanks, column, after)
  return result
}

/** Tabs and blanks that lead from one column to another; a single blank stays a blank, and so does one before a tab stop. */
function blankRun(from: number, to: number, after: (column: number) => number): string {
  if (to - from === 1) return ' '
  let result = ''
  let column = from
  let stop = after(column)
  if (stop === column + 1 && after(stop) > to) {
    result = ' '
    column = stop
    stop = after(column)
  }
  for (; stop <= to; stop = after(column)) {
    result += '\t'
    column = stop
  }
  return result + ' '.repeat(to - column)
}

export function char(i: Value): Value {
  const code = needInteger(i)
  if (code < 0 || code > 255) return raise(205, asInteger(i))
  return String.fromCharCode(code)
}

export function ord(s: Value): Value {
  const text = needString(s)
  if (text.length !== 1) return raise(205, text)
  return text.charCodeAt(0)
}

export function string(x: Value): Result {
  return asString(x)
}

export function cset(x: Value): Result {
  return asCset(x)
}
