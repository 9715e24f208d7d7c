// !x: the elements of a value, one after the other, as values or as variables.
import { asString } from './convert.js'
import { fail } from './errors.js'
import { tableGet } from './hash.js'
import { Slots } from './slots.js'
import { readLine } from './files.js'
import {
  IconFile,
  IconRecord,
  IconSet,
  List,
  Table,
  type Key,
  type Result,
  type Results,
  type Value,
} from './values.js'
import { ElementRef, FieldRef, Ref, TableRef, partOf } from './references.js'
import { shownElement } from './subscripts.js'

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
