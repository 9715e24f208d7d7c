// Variables as values: what assignment needs when the compiler cannot see the variable itself, and the
// operators that yield variables: subscripts, sections, fields, `!x`, `?x`.
import { asInteger, asSmall, asString, normal } from './convert.js'
import { fail, fatal, IconError, type Shown } from './errors.js'
import { image, shortImage } from './image.js'
import { machine } from './machine.js'
import { tableGet, tableSet } from './hash.js'
import { Slots } from './slots.js'
import {
  Cset,
  IconFile,
  IconRecord,
  IconSet,
  keyOf,
  List,
  Real,
  Table,
  type Key,
  type Result,
  type Results,
  type Value,
} from './values.js'
import { readLine } from './files.js'

/** A variable. `set` answers undefined when the assignment fails. */
export abstract class Ref {
  abstract get(): Value
  abstract set(value: Value): Result
  abstract name(): string
  /** As tracing shows it. */
  image(): string {
    return `(variable = ${shortImage(this.get())})`
  }
}

export class VarRef extends Ref {
  constructor(
    private readonly id: string,
    private readonly read: () => Value,
    private readonly write: (value: Value) => Result,
    /** Whether it is a procedure's own: it, and parts of it, are values to the caller. */
    readonly isLocal = false,
  ) {
    super()
  }
  get(): Value {
    return this.read()
  }
  set(value: Value): Result {
    return this.write(value)
  }
  name(): string {
    return this.id
  }
  override image(): string {
    return this.id.startsWith('&') ? `${this.id} = ${shortImage(this.get())}` : super.image()
  }
}

/** An element of a list, which pushing and popping do not move; one that is pulled out of the list keeps its value. */
class ElementRef extends Ref {
  private readonly origin: number
  private kept: Value
  constructor(
    private readonly list: List,
    at: number,
  ) {
    super()
    this.origin = at - list.moved
    this.kept = list.a[at]
  }
  private get at(): number {
    return this.origin + this.list.moved
  }
  get(): Value {
    const value = this.list.a[this.at]
    return value === undefined ? this.kept : value
  }
  set(value: Value): Result {
    const { at, list } = this
    if (at >= 0 && at < list.a.length) list.a[at] = value
    else this.kept = value
    return value
  }
  name(): string {
    return `L[${this.at - this.list.h + 1}]`
  }
}

class TableRef extends Ref {
  constructor(
    private readonly table: Table,
    private readonly key: Value,
  ) {
    super()
  }
  get(): Value {
    return tableGet(this.table, this.key)
  }
  set(value: Value): Result {
    tableSet(this.table, this.key, value)
    return value
  }
  name(): string {
    return `T[${image(this.key)}]`
  }
  override image(): string {
    return `${shortImage(this.table)}[${shortImage(this.key)}]`
  }
}

class FieldRef extends Ref {
  constructor(
    private readonly record: IconRecord,
    private readonly at: number,
  ) {
    super()
  }
  get(): Value {
    return this.record.at(this.at)
  }
  set(value: Value): Result {
    this.record.put(this.at, value)
    return value
  }
  name(): string {
    const { type } = this.record
    return `${type.name}.${type.fields[this.at]}`
  }
}

/** Part of the string in a variable: `length` characters after the first `start`. */
class PartRef extends Ref {
  constructor(
    readonly whole: Ref,
    public start: number,
    public length: number,
  ) {
    super()
  }
  get(): Value {
    const text = this.whole.get()
    if (typeof text !== 'string') fatal(103, text)
    if (this.start + this.length > text.length) fatal(205)
    return text.slice(this.start, this.start + this.length)
  }
  set(value: Value): Result {
    const part = asString(value)
    if (part === undefined) return fail(103, value)
    const text = this.whole.get()
    if (typeof text !== 'string') return fail(103, text)
    if (this.start + this.length > text.length) return fail(205, undefined)
    const whole = text.slice(0, this.start) + part + text.slice(this.start + this.length)
    this.length = part.length
    return this.whole.set(whole) === undefined ? undefined : value
  }
  name(): string {
    return `${this.whole.name()}[${this.start + 1}:${this.start + 1 + this.length}]`
  }
  override image(): string {
    const { whole, start, length } = this
    const text = whole.get()
    const name = whole.name() === '&subject' ? '&subject' : undefined
    return typeof text === 'string' ? partImage(text, start, length, name) : super.image()
  }
}

/** Part of a string as messages show it. */
const partImage = (text: string, start: number, length: number, name = shortImage(text)): string =>
  `${name}[${start + 1}${length === 1 ? '' : `+:${length}`}] = ${shortImage(text.slice(start, start + length))}`

/** A part of the string in a variable; of a part, that of the whole. */
const partOf = (whole: Ref, start: number, length: number): PartRef =>
  whole instanceof PartRef ? new PartRef(whole.whole, whole.start + start, length) : new PartRef(whole, start, length)

/** The value of what a procedure returned, when it may return variables. */
export function deref(value: unknown): Value {
  return value instanceof Ref ? value.get() : (value as Value)
}

/** What a procedure gives back: a variable unless it is a local one, or part of one. */
export function resultOf(value: unknown): unknown {
  const variable = value instanceof PartRef ? value.whole : value
  return variable instanceof VarRef && variable.isLocal ? deref(value) : value
}

/** Assigns to what an expression gave; error 111 if that is no variable. */
export function assignRef(target: unknown, value: Value, operator = ':='): Result {
  if (!(target instanceof Ref)) return fail(111, target as Value, operator, [target as Value, value])
  try {
    return target.set(value)
  } catch (error) {
    throw blamedOn(error, operator, () => [{ shown: target.image() }, value])
  }
}

/** An error with the operator and the operands that a traceback shows. */
function blamedOn(error: unknown, form: string, operands: () => (Value | Shown)[]): unknown {
  if (error instanceof IconError) error.blame = { form, operands: operands() }
  return error
}

const shownRef = (operand: unknown): Value | Shown =>
  operand instanceof Ref ? { shown: operand.image() } : (operand as Value)

/** An error in x :=: y or x <-> y. */
export const exchangeError = (error: unknown, operator: string, x: unknown, y: unknown): unknown =>
  blamedOn(error, operator, () => [shownRef(x), shownRef(y)])

/** What an exchange asks first: whether both are variables; error 111 if not. */
export function needVariables(operator: string, x: unknown, y: unknown): Result {
  if (x instanceof Ref && y instanceof Ref) return null
  return fail(111, (x instanceof Ref ? y : x) as Value, operator, [shownRef(x), shownRef(y)])
}

/**
 * x :=: y or x <-> y, where one or both may be parts of strings: when they are of the same, the left one moves the right
 * one. Answers what undoes it.
 */
export function exchangeRefs(operator: string, x: unknown, y: unknown): (() => void) | undefined {
  if (needVariables(operator, x, y) === undefined) return undefined
  const [dx, dy] = [deref(x), deref(y)]
  let [moveX, moveY] = [0, 0]
  if (x instanceof PartRef && y instanceof PartRef && x.whole.name() === y.whole.name()) {
    if (x.start > y.start) moveX = x.length - y.length
    else if (y.start > x.start) moveY = y.length - x.length
  }
  try {
    if (assignRef(x, dy) === undefined) return undefined
    if (y instanceof PartRef) y.start += moveY
    if (assignRef(y, dx) === undefined) return undefined
  } catch (error) {
    throw exchangeError(error, operator, x, y)
  }
  if (x instanceof PartRef) x.start += moveX
  return () => {
    if (assignRef(x, dx) === undefined) return
    if (y instanceof PartRef) y.start -= moveY
    assignRef(y, dy)
    if (x instanceof PartRef) x.start -= moveX
  }
}

// ---- subscripts

/** Position i of something `length` long, 1-based; 0 when out of range. Negative positions count from the right. */
function subscript(i: number, length: number): number {
  if (i > 0) return i <= length ? i : 0
  return i < 0 && -i <= length ? length + i + 1 : 0
}

/** x[i] as a value; where x is itself origin[key], messages show that. */
export function index(x: Value, i: Value, origin?: Value, key?: Value): Result {
  if (typeof i === 'string' && x instanceof Table) {
    const value = x.map.get(i)
    return value === undefined ? x.initial : value
  }
  if (typeof i === 'number') {
    if (x instanceof List) {
      const k = x.h + i - 1
      if (i > 0 && k < x.a.length) return x.a[k]
    } else if (typeof x === 'string') {
      if (i > 0 && i <= x.length) return x[i - 1]
    }
  }
  if (x instanceof Table) return tableGet(x, i)
  return indexSlow(x, i, origin, key)
}

function indexSlow(x: Value, i: Value, origin?: Value, key?: Value): Result {
  if (x instanceof List) {
    const at = listAt(x, i, origin, key)
    return at === undefined ? undefined : x.a[at]
  }
  if (x instanceof IconRecord) {
    const at = recordAt(x, i, origin, key)
    return at === undefined ? undefined : x.at(at)
  }
  const text = asString(x)
  if (text === undefined) return fail(114, x, '[]', [shownElement(x, origin, key), i])
  const position = asInteger(i)
  if (position === undefined) return fail(101, i, '[]', [shownElement(x, origin, key), i])
  const at = subscript(Number(position), text.length)
  return at === 0 ? undefined : text[at - 1]
}

/** The value of origin[key], or of the variable `origin`, as messages show it. */
function shownElement(x: Value, origin: Value | Ref | undefined, key: Value | undefined): Value | Shown {
  if (origin instanceof Ref) return { shown: origin.image() }
  if (origin instanceof Table) return { shown: `${shortImage(origin)}[${shortImage(key ?? null)}]` }
  return isStructure(origin ?? null) ? { shown: `(variable = ${shortImage(x)})` } : x
}

function listAt(list: List, i: Value, origin?: Value, key?: Value): number | undefined {
  const position = asInteger(i)
  if (position === undefined) return fail(101, i, '[]', [shownElement(list, origin, key), i])
  const at = subscript(Number(position), list.size)
  return at === 0 ? undefined : list.h + at - 1
}

function recordAt(record: IconRecord, i: Value, origin?: Value, key?: Value): number | undefined {
  const position = asInteger(i)
  if (position === undefined) {
    const name = asString(i)
    return name === undefined ? fail(101, i, '[]', [shownElement(record, origin, key), i]) : record.type.index.get(name)
  }
  const at = subscript(Number(position), record.size)
  return at === 0 ? undefined : at - 1
}

/** Whether x[i] := … assigns into x itself, rather than making a new string. */
export function isStructure(x: Value): boolean {
  return x instanceof List || x instanceof Table || x instanceof IconRecord
}

/** x[i] := value for a structure x; undefined when out of range. */
export function setIndex(x: Value, i: Value, value: Value): Result {
  if (x instanceof List) {
    if (typeof i === 'number') {
      const k = x.h + i - 1
      if (i > 0 && k < x.a.length) {
        x.a[k] = value
        return value
      }
    }
    const at = listAt(x, i)
    if (at === undefined) return undefined
    x.a[at] = value
    return value
  }
  if (x instanceof Table) {
    tableSet(x, i, value)
    return value
  }
  const at = recordAt(x as IconRecord, i)
  if (at === undefined) return undefined
  ;(x as IconRecord).put(at, value)
  return value
}

/**
 * Where x[i] is, which is asked before the right side of x[i] := … is evaluated: that may push and pop. Undefined when
 * there is no such element.
 */
export function placeOf(x: Value, i: Value, origin?: Value, key?: Value): number | undefined {
  if (x instanceof List) {
    if (typeof i === 'number') {
      const k = x.h + i - 1
      if (i > 0 && k < x.a.length) return k - x.moved
    }
    const at = listAt(x, i, origin, key)
    return at === undefined ? undefined : at - x.moved
  }
  if (x instanceof IconRecord) return recordAt(x, i, origin, key)
  return x instanceof Table || index(x, i, origin, key) !== undefined ? 0 : undefined
}

/** The element at a place of a structure. */
export function getPlace(x: Value, i: Value, place: number): Value {
  if (x instanceof List) return x.a[place + x.moved] ?? null
  return x instanceof Table ? tableGet(x, i) : (x as IconRecord).at(place)
}

/** Sets it; of an element that is gone nobody hears any more. */
export function setPlace(x: Value, i: Value, place: number, value: Value): Value {
  if (x instanceof List) {
    const at = place + x.moved
    if (at >= 0 && at < x.a.length) x.a[at] = value
  } else if (x instanceof Table) tableSet(x, i, value)
  else (x as IconRecord).put(place, value)
  return value
}

/** The string x with character i replaced; undefined when out of range. */
export function replaceAt(x: Value, i: Value, value: Value, operator: string, origin?: Value, key?: Value): Result {
  const text = asString(x)
  if (text === undefined) return fail(114, x, '[]', [shownElement(x, origin, key), i])
  const position = asInteger(i)
  if (position === undefined) return fail(101, i, '[]', [shownElement(x, origin, key), i])
  const at = subscript(Number(position), text.length)
  if (at === 0) return undefined
  if (typeof x !== 'string') return fail(111, text[at - 1], operator, [text[at - 1], value])
  const part = typeof value === 'string' ? value : asString(value)
  if (part === undefined) return fail(103, value, operator, [{ shown: partImage(x, at - 1, 1) }, value])
  return text.slice(0, at - 1) + part + text.slice(at)
}

export function indexRef(x: Value, i: Value, whole: Ref | null, origin?: Value, key?: Value): Ref | Value | undefined {
  if (x instanceof List) {
    const at = listAt(x, i, origin, key)
    return at === undefined ? undefined : new ElementRef(x, at)
  }
  if (x instanceof Table) return new TableRef(x, i)
  if (x instanceof IconRecord) {
    const at = recordAt(x, i, origin, key)
    return at === undefined ? undefined : new FieldRef(x, at)
  }
  const part = indexSlow(x, i, origin, key)
  if (part === undefined) return undefined
  if (!whole || typeof x !== 'string') return part
  return partOf(whole, subscript(Number(asInteger(i)), x.length) - 1, 1)
}

// ---- sections

/** A position as iconx's functions take it: 1 to length+1, or 0 and negative from the right; 0 if outside. */
export function position(i: number, length: number): number {
  if (i > 0) return i <= length + 1 ? i : 0
  return -i <= length ? length + i + 1 : 0
}

/** Where a section begins and ends, as offsets; undefined when out of range. */
export function sectionOf(x: Value, i: Value, j: Value, shown: Value | Shown = x): [number, number] | undefined {
  const length = x instanceof List ? x.size : (x as string).length
  const p = asInteger(i)
  if (p === undefined) return fail(101, i, '[:]', [shown, i, j])
  if (asSmall(p) === undefined) return undefined
  const q = asInteger(j)
  if (q === undefined) return fail(101, j, '[:]', [shown, i, j])
  const from = position(Number(p), length)
  if (from === 0) return undefined
  const to = position(Number(q), length)
  if (to === 0) return undefined
  return from <= to ? [from - 1, to - 1] : [to - 1, from - 1]
}

/** x[i:j] as a value; where x is itself origin[key], messages show that. */
export function section(x: Value, i: Value, j: Value, origin?: Value, key?: Value): Result {
  if (typeof x === 'string' && typeof i === 'number' && typeof j === 'number') {
    if (i > 0 && j >= i && j <= x.length + 1) return x.slice(i - 1, j - 1)
  }
  if (x instanceof List) {
    const place = sectionOf(x, i, j, shownElement(x, origin, key))
    return place === undefined ? undefined : new List(x.a.slice(x.h + place[0], x.h + place[1]))
  }
  const text = asString(x)
  if (text === undefined) return fail(110, x, '[:]', [shownElement(x, origin, key), i, j])
  const place = sectionOf(text, i, j, shownElement(x, origin, key))
  return place === undefined ? undefined : text.slice(place[0], place[1])
}

/** The string x with section i:j replaced; undefined when out of range. */
export function replaceSection(x: Value, i: Value, j: Value, value: Value, operator = ':='): Result {
  if (x instanceof List) {
    const part = section(x, i, j)
    return part === undefined ? undefined : fail(111, part, operator, [part, value])
  }
  const text = asString(x)
  if (text === undefined) return fail(110, x, '[:]', [x, i, j])
  const place = sectionOf(text, i, j, x)
  if (place === undefined) return undefined
  if (typeof x !== 'string')
    return fail(111, text.slice(place[0], place[1]), operator, [text.slice(place[0], place[1]), value])
  const part = asString(value)
  const shown = partImage(x, place[0], place[1] - place[0])
  if (part === undefined) return fail(103, value, operator, [{ shown }, value])
  return text.slice(0, place[0]) + part + text.slice(place[1])
}

export function sectionRef(x: Value, i: Value, j: Value, whole: Ref | null): Ref | Value | undefined {
  if (x instanceof List) return section(x, i, j)
  const text = asString(x)
  if (text === undefined) return fail(110, x, '[:]', [x, i, j])
  const place = sectionOf(text, i, j, x)
  if (place === undefined) return undefined
  if (!whole || typeof x !== 'string') return text.slice(place[0], place[1])
  return partOf(whole, place[0], place[1] - place[0])
}

// ---- fields

/** Where a field was found last: records of one type come again and again. */
export interface FieldPlace {
  readonly field: string
  /** Whether any record has such a field. */
  readonly known: boolean
  type: unknown
  at: number
}

export const fieldPlace = (field: string, known: boolean): FieldPlace => ({ field, known, type: null, at: 0 })

export function fieldAt(x: Value, place: FieldPlace): number {
  if (!(x instanceof IconRecord)) return fail(107, x, '.', [x, place.known ? place.field : 'field']) ?? -1
  if (x.type === place.type) return place.at
  const at = x.type.index.get(place.field)
  if (at === undefined) return fail(207, x, '.', [x, place.known ? place.field : 'field']) ?? -1
  place.type = x.type
  place.at = at
  return at
}

/** x.field as a value. */
export function field(x: Value, place: FieldPlace): Value {
  const at = fieldAt(x, place)
  return at < 0 ? (undefined as unknown as Value) : (x as IconRecord).at(at)
}

export function setField(x: Value, place: FieldPlace, value: Value): Result {
  const at = fieldAt(x, place)
  if (at < 0) return undefined
  ;(x as IconRecord).put(at, value)
  return value
}

export function fieldRef(x: Value, place: FieldPlace): Ref | undefined {
  const at = fieldAt(x, place)
  return at < 0 ? undefined : new FieldRef(x as IconRecord, at)
}

// ---- !x

class Once implements Results {
  constructor(public value: unknown) {}
  private done = false
  next(): { value?: unknown } {
    if (this.done) return { value: undefined }
    this.done = true
    return this
  }
}

/** A sequence of at most one result. */
export const once = (value: unknown): Results => new Once(value)

class EachElement implements Results {
  value: Value | undefined
  private i = 0
  constructor(private readonly list: List) {}
  next(): this {
    this.value = elementAt(this.list, undefined, this.i++)
    return this
  }
}

/** The characters of a string; of one in a variable, which may change meanwhile, next is told the present value. */
class EachCharacter implements Results {
  value: Value | undefined
  private i = 0
  constructor(private readonly text: string) {}
  next(now?: unknown): this {
    this.value = elementAt(this.text, now as Value, this.i++)
    return this
  }
}

/** Whether elementAt() gives the elements of x: loops then need no sequence of results. */
export const hasElements = (x: Value): x is List | string => x instanceof List || typeof x === 'string'

/** Element i, from 0 on, of a list or string; of a string in a variable, which may change meanwhile, of what it is `now`. */
export function elementAt(x: Value, now: Value | undefined, i: number): Result {
  if (typeof x === 'string') {
    if (now === undefined) return i < x.length ? x[i] : undefined
    if (typeof now !== 'string') return fail(103, now, '!', [now])
    return i < now.length ? now[i] : undefined
  }
  const { a, h } = x as List
  return h + i < a.length ? a[h + i] : undefined
}

class EachOf implements Results {
  value: unknown
  private i = 0
  constructor(
    private readonly length: () => number,
    private readonly get: (i: number) => unknown,
  ) {}
  next(): this {
    this.value = this.i < this.length() ? this.get(this.i++) : undefined
    return this
  }
}

const count = (n: number) => () => n

/** !x: its elements, as values; where x is itself origin[key], or the value of a variable, messages show that. */
export function bang(x: Value, origin?: Value | Ref, key?: Value): Results {
  if (x instanceof List) return new EachElement(x)
  if (typeof x === 'string') return new EachCharacter(x)
  if (x instanceof Table) return walk(x, (key) => tableGet(x, key))
  if (x instanceof IconSet) return walk(x, (member) => member)
  if (x instanceof IconRecord) return new EachOf(count(x.size), (i) => x.at(i))
  if (x instanceof IconFile && !x.channel?.readable) return once(fail(212, x, '!', [shownElement(x, origin, key)]))
  if (x instanceof IconFile) return new EachOf(count(Infinity), () => readLine(x))
  const text = asString(x)
  if (text === undefined) return once(fail(116, x, '!', [shownElement(x, origin, key)]))
  // a value that was converted stays as it was
  return new EachOf(count(text.length), (i) => text[i])
}

/** Walks over a set or table; what becomes of each member or key. */
export function walk(x: IconSet | Table, get: (element: Value) => unknown): Results {
  const next = Slots.walk(x)
  const step = {
    value: undefined as unknown,
    next() {
      const element = next()
      step.value = element === undefined ? undefined : get(element.value)
      return step
    },
  }
  return step
}

/** The keys in the order that sorting starts from. */
export const sortingOrder = (x: IconSet | Table): Key[] => (x.slots ?? new Slots(x)).sortingOrder()

/** !x: its elements, as variables where they are variables. */
export function bangRef(x: Value, whole: Ref | null): Results {
  if (x instanceof List)
    return new EachOf(
      () => x.size,
      (i) => new ElementRef(x, x.h + i),
    )
  if (x instanceof Table) return walk(x, (key) => new TableRef(x, key))
  if (x instanceof IconRecord) return new EachOf(count(x.size), (i) => new FieldRef(x, i))
  if (x instanceof IconSet || x instanceof IconFile || !whole) return bang(x)
  if (typeof x !== 'string') return bang(x)
  return new EachOf(
    () => {
      const now = whole.get()
      return typeof now === 'string' ? now.length : (fail(103, now, '!', [now]) ?? 0)
    },
    (i) => partOf(whole, i, 1),
  )
}

export function originalKey(table: Table, key: Key): Value {
  return table.odd?.get(key) ?? key
}

// ---- ?x

/** The next of iconx's random numbers, 0 ≤ r < 1. */
export function random(): number {
  machine.random = (Math.imul(1103515245, machine.random) + 453816694) & 0x7fffffff
  return machine.random * 4.65661286e-10
}

/** ?x as a value; where x is itself origin[key], messages show that. */
export function choose(x: Value, origin?: Value, key?: Value): Result {
  if (typeof x === 'string') return x.length === 0 ? undefined : x[Math.floor(random() * x.length)]
  if (typeof x === 'number' && x > 0) return Math.floor(random() * x) + 1
  return chooseSlow(x, origin, key)
}

function chooseSlow(x: Value, origin?: Value, key?: Value): Result {
  if (x instanceof List) return x.size === 0 ? undefined : x.a[x.h + Math.floor(random() * x.size)]
  if (x instanceof Table) {
    const key = chooseKey(x)
    return key === undefined ? undefined : x.map.get(key)
  }
  if (x instanceof IconSet) {
    const key = chooseKey(x)
    return key === undefined ? undefined : x.map.get(key)
  }
  if (x instanceof IconRecord) {
    return x.size === 0 ? undefined : x.at(Math.floor(random() * x.size))
  }
  if (x instanceof Cset) return choose(x.members)
  const number = x instanceof Real ? asInteger(x) : typeof x === 'string' ? undefined : asInteger(x)
  if (number === undefined) return fail(113, x, '?', [shownElement(x, origin, key)])
  if (typeof number === 'bigint') return chooseLarge(number)
  if (number < 0) return fail(205, number, '?', [number])
  return number === 0 ? new Real(random()) : Math.floor(random() * number) + 1
}

/** The string whose characters are in swapBytes. */
let swapText = ''
const swapBytes = Buffer.allocUnsafeSlow(1024)

/** The string x with two of its characters exchanged; undefined for what takes longer. */
export function swapped(x: string, i: Value, j: Value): string | undefined {
  const { length } = x
  if (typeof i !== 'number' || typeof j !== 'number' || length > swapBytes.length) return undefined
  if (i <= 0 || j <= 0 || i > length || j > length) return undefined
  if (x !== swapText) swapBytes.write(x, 0, 'latin1')
  const byte = swapBytes[i - 1]
  swapBytes[i - 1] = swapBytes[j - 1]
  swapBytes[j - 1] = byte
  swapText = swapBytes.toString('latin1', 0, length)
  return swapText
}

/** What `every !x :=: ?x` leaves in x, for a string. */
export function shuffled(x: string): string {
  const codes: number[] = []
  const { length } = x
  for (let i = 0; i < length; i++) codes.push(x.charCodeAt(i))
  for (let i = 0; i < length; i++) {
    const j = Math.floor(random() * length)
    const code = codes[i]
    codes[i] = codes[j]
    codes[j] = code
  }
  if (length <= 1000) return String.fromCharCode.apply(null, codes)
  return Buffer.from(codes).toString('latin1')
}

/**
 * As iconx: a machine integer is one random number times it; of a large one, random digits of 32 bits, the lowest first,
 * one more than it has, leave a remainder.
 */
function chooseLarge(bound: bigint): Result {
  if (bound >= -1n << 63n && bound < 1n << 63n) {
    if (bound < 0n) return fail(205, bound, '?', [bound])
    return normal(BigInt(Math.trunc(random() * Number(bound))) + 1n)
  }
  let value = 0n
  // iconx does not look at the sign of a large integer
  const size = bound < 0n ? -bound : bound
  const bits = size.toString(2).length
  for (let at = 0n; at < bits + 32; at += 32n) value |= BigInt(Math.trunc(random() * 2 ** 32)) << at
  return normal((value % size) + 1n)
}

function chooseKey(x: IconSet | Table): Key | undefined {
  if (x.map.size === 0) return undefined
  return sortingOrder(x)[Math.floor(random() * x.map.size)]
}

export function chooseRef(x: Value, whole: Ref | null): Ref | Value | undefined {
  if (x instanceof List) {
    return x.size === 0 ? undefined : new ElementRef(x, x.h + Math.floor(random() * x.size))
  }
  if (x instanceof Table) {
    const key = chooseKey(x)
    return key === undefined ? undefined : new TableRef(x, originalKey(x, key))
  }
  if (x instanceof IconRecord) {
    return x.size === 0 ? undefined : new FieldRef(x, Math.floor(random() * x.size))
  }
  const text = x instanceof Cset || typeof x === 'number' ? undefined : asString(x)
  if (text === undefined || !whole || typeof x !== 'string') return choose(x)
  if (text.length === 0) return undefined
  return partOf(whole, Math.floor(random() * text.length), 1)
}

export { keyOf }
