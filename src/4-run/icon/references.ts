// Variables as values: what assignment needs when the compiler cannot see the variable itself.
import { asString } from './convert.js'
import { fail, fatal, IconError, type Shown } from './errors.js'
import { image, shortImage } from './image.js'
import { tableGet, tableSet } from './hash.js'
import { IconRecord, List, Table, type Result, type Value } from './values.js'

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
export class ElementRef extends Ref {
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

export class TableRef extends Ref {
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

export class FieldRef extends Ref {
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
export const partImage = (text: string, start: number, length: number, name = shortImage(text)): string =>
  `${name}[${start + 1}${length === 1 ? '' : `+:${length}`}] = ${shortImage(text.slice(start, start + length))}`

/** A part of the string in a variable; of a part, that of the whole. */
export const partOf = (whole: Ref, start: number, length: number): PartRef =>
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
