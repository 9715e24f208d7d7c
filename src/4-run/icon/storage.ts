// A model of iconx's storage, for programs that ask for it (&allocated, &storage, &regions, &collections, collect): no
// other program pays for it. Strings go to one region, all else to the block region. What is allocated has the size it
// has in iconx on a 64-bit machine, measured there; a region that is full is collected, and everything in it is taken
// for garbage. Allocations within iconx that a program cannot see, such as converted arguments, are not modelled.
import type { Builtin } from './builtins.js'
import type { library } from './library.js'
import { machine } from './machine.js'
import {
  CoExpression,
  Cset,
  IconFile,
  IconRecord,
  IconSet,
  List,
  Real,
  Table,
  type RecordType,
  type Result,
  type Results,
  type Value,
} from './values.js'

type Library = typeof library

// sizes in bytes
const slot = 16
const listHeader = 40
const listBlock = 56
const leastSlots = 8
const recordHeader = 32
const table = 352
const tableElement = 56
const set = 336
const setMember = 40
const trapped = 40
const real = 16
const cset = 48
const file = 40
const coExpression = 384
const largeHeader = 40

/** The block that a value is, when it is made. */
function blockSize(value: unknown): number {
  if (value instanceof Real) return real
  if (typeof value === 'bigint') return largeHeader + 8 * Math.ceil(value.toString(16).replace('-', '').length / 16)
  if (value instanceof Cset) return cset
  if (value instanceof List) return listHeader + listBlock + slot * (value.size || leastSlots)
  if (value instanceof IconRecord) return recordHeader + slot * value.size
  if (value instanceof Table) return table + tableElement * value.map.size
  if (value instanceof IconSet) return set + setMember * value.map.size
  if (value instanceof IconFile) return file
  return value instanceof CoExpression ? coExpression : 0
}

function allocate(region: 'string' | 'block', size: number): void {
  const { [region]: one } = machine.storage
  one.allocated += size
  if (one.used + size > one.size) {
    machine.storage.collections++
    one.collections++
    one.used = 0
  }
  one.used += size
}

/** Makes room in a region: 0 none in particular, 1 static, 2 string, 3 block; one that is too small is replaced. */
export function collectRegion(region: number, bytes: number): void {
  const { storage } = machine
  const one = region === 2 ? storage.string : storage.block
  if (region >= 2) {
    one.used = 0
    if (bytes > one.size) {
      one.size += bytes
      return
    }
    one.collections++
  }
  storage.collections++
  if (region === 1) storage.static.collections++
}

// functions that make a new string of their result
const stringMakers = new Set('center detab entab getenv image left map read reads repl reverse right string'.split(' '))

// functions that make a block of their result
const makers =
  /^(abs|acos|asin|atan|copy|cos|cset|dtor|exp|iand|icom|integer|ior|ishift|ixor|list|log|numeric|open|real|rtod|set|sin|sort|sortf|sqrt|table|tan)$/

/** Books a result that is new. */
function book<T>(value: T): T {
  const size = blockSize(value)
  if (size > 0) allocate('block', size)
  return value
}

type Any = (...args: never[]) => unknown

const booked = <F extends Any>(make: F): F => ((...args: never[]) => book(make(...args))) as F

/** Books how much a set, a table or a list has grown. */
function growing<F extends Any>(change: F): F {
  return ((...args: never[]) => {
    const [whole] = args as unknown[]
    const before =
      whole instanceof Table || whole instanceof IconSet ? whole.map.size : whole instanceof List ? whole.size : 0
    const result = change(...args)
    if (whole instanceof Table) allocate('block', tableElement * Math.max(0, whole.map.size - before))
    if (whole instanceof IconSet) allocate('block', setMember * Math.max(0, whole.map.size - before))
    if (whole instanceof List) growList(whole, whole.size - before)
    return result
  }) as F
}

const room = new WeakMap<List, number>()

function growList(list: List, count: number): void {
  let free = room.get(list) ?? (list.size === count ? leastSlots : 0)
  for (let i = 0; i < count; i++) {
    if (free === 0) {
      free = Math.max(leastSlots, list.size >> 1)
      allocate('block', listBlock + slot * free)
    }
    free--
  }
  room.set(list, free)
}

/** Assigning to a part of a string makes a new one. */
function replacing<F extends Any>(replace: F): F {
  return ((...args: never[]) => {
    const made = replace(...args)
    allocate('block', trapped)
    if (typeof made === 'string') allocate('string', made.length)
    return made
  }) as F
}

/** An element of a table, or a part of a string, becomes a variable of its own. */
function trapping<F extends Any>(find: F): F {
  return ((...args: never[]) => {
    const [whole] = args as unknown[]
    if (typeof whole === 'string' || whole instanceof Table) allocate('block', trapped)
    return find(...args)
  }) as F
}

function bookedBuiltin(builtin: Builtin): Builtin {
  const { name, call, all } = builtin
  if (/^(insert|put|push)$/.test(name)) return { ...builtin, call: growing(call) }
  const note = (result: Result): Result => {
    if (typeof result === 'string' && stringMakers.has(name)) allocate('string', result.length)
    return makers.test(name) && !(result instanceof IconRecord) ? book(result) : result
  }
  return {
    ...builtin,
    call: (...args) => note(call(...args)),
    all: all && ((...args: Value[]): Results => all(...args)),
  }
}

// the string that was made last: what is appended to it needs no room but its own
let last = ''

/** The library, with what it allocates booked. */
export function bookkeeping(plain: Library): Library {
  const arithmetic = Object.fromEntries(
    (['add', 'sub', 'mul', 'div', 'rem', 'pow', 'neg', 'compl', 'union', 'diff', 'inter', 'lconcat'] as const).map(
      (name) => [name, booked(plain[name] as Any)],
    ),
  )
  const cat: Library['cat'] = (a, b) => {
    const made = plain.cat(a, b)
    if (typeof made !== 'string') return made
    allocate('string', a === last && last !== '' ? made.length - last.length : made.length)
    return (last = made)
  }
  class BookedList extends List {
    constructor(elements: Value[]) {
      super(elements)
      book(this)
    }
    // lists that the library makes are lists, too
    static [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof List
    }
  }
  abstract class BookedRecord extends IconRecord {
    constructor(type: RecordType) {
      super(type)
      book(this)
    }
    static [Symbol.hasInstance](value: unknown): boolean {
      return value instanceof IconRecord
    }
  }
  return {
    ...plain,
    ...arithmetic,
    cat,
    index: trapping(plain.index),
    indexRef: trapping(plain.indexRef),
    section: booked(trapping(plain.section)),
    replaceAt: replacing(plain.replaceAt),
    replaceSection: replacing(plain.replaceSection),
    sectionRef: trapping(plain.sectionRef),
    setIndex: trapping(growing(plain.setIndex)),
    setPlace: trapping(growing(plain.setPlace)),
    putOne: growing(plain.putOne),
    pushOne: growing(plain.pushOne),
    create: booked(plain.create),
    B: new Map([...plain.B].map(([name, builtin]) => [name, bookedBuiltin(builtin)])),
    List: BookedList,
    IconRecord: BookedRecord,
  }
}
