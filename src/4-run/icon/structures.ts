// Built-in functions on lists, sets, tables and records; sorting.
import { asInteger, needInteger, raise } from './convert.js'
import { remove, setInsert, tableSet } from './hash.js'
import { once, originalKey, sortingOrder, walk } from './elements.js'
import {
  CoExpression,
  Cset,
  equivalent,
  IconFile,
  IconRecord,
  IconSet,
  keyOf,
  List,
  Proc,
  Real,
  Table,
  type Result,
  type Results,
  type Value,
} from './values.js'

export function list(n: Value, x: Value): Value {
  const size = n === null ? 0 : needInteger(n)
  if (size < 0) return raise(205, asInteger(n))
  if (size > 100_000_000) return raise(307)
  // with room made at once: growing to millions takes longer than all else
  // eslint-disable-next-line unicorn/no-new-array
  return new List(new Array<Value>(size).fill(x))
}

export function table(x: Value): Value {
  return new Table(x)
}

export function set(x: Value): Value {
  const from = x === null ? undefined : needList(x)
  const result = new IconSet()
  if (from) for (let i = from.h; i < from.a.length; i++) setInsert(result, from.a[i])
  return result
}

const needList = (x: Value = null): List => (x instanceof List ? x : raise(108, x))

export function put(x: Value, ...values: Value[]): Value {
  const into = needList(x)
  if (values.length === 0) into.a.push(null)
  else for (const value of values) into.a.push(value)
  return into
}

/** Puts a value before a list's first element. */
function enter(into: List, value: Value): void {
  if (into.h === 0) {
    // make room before the first element, as much as there are elements
    const room = Math.max(4, into.a.length)
    const grown: Value[] = []
    for (let i = 0; i < room; i++) grown.push(null)
    for (let i = 0; i < into.a.length; i++) grown.push(into.a[i])
    into.a = grown
    into.h = room
    into.moved += room
  }
  into.a[--into.h] = value
}

export function push(x: Value, ...values: Value[]): Value {
  const into = needList(x)
  if (values.length === 0) enter(into, null)
  else for (const value of values) enter(into, value)
  return into
}

/** put(x, value), as nearly all calls of it are. */
export function putOne(x: Value, value: Value): Value {
  const into = needList(x)
  into.a.push(value)
  return into
}

/** push(x, value). */
export function pushOne(x: Value, value: Value): Value {
  const into = needList(x)
  enter(into, value)
  return into
}

export function get(x: Value): Result {
  const from = needList(x)
  const { a, h } = from
  if (h >= a.length) return undefined
  const value = a[h]
  from.h = h + 1
  if (from.h > 64 && from.h * 2 > a.length) {
    a.splice(0, from.h)
    from.moved -= from.h
    from.h = 0
  }
  return value
}

export function pull(x: Value): Result {
  const from = needList(x)
  if (from.h >= from.a.length) return undefined
  const value = from.a.pop()!
  if (from.h >= from.a.length) {
    from.a = []
    from.h = 0
  }
  return value
}

export function insert(x: Value, key: Value, value: Value): Value {
  if (x instanceof IconSet) setInsert(x, key)
  else if (x instanceof Table) tableSet(x, key, value)
  else return raise(122, x)
  return x
}

export function delete_(x: Value, ...keys: Value[]): Value {
  const key = keys[0] ?? null
  if (!(x instanceof IconSet || x instanceof Table)) return raise(122, x)
  remove(x, key)
  return x
}

export function member(x: Value, key: Value): Result {
  if (x instanceof IconSet || x instanceof Table) return x.map.has(keyOf(key)) ? key : undefined
  return raise(122, x)
}

export function keyAll(x: Value): Results {
  if (!(x instanceof Table)) return raise(124, x)
  return walk(x, (element) => element)
}

export function key(x: Value): Result {
  return keyAll(x).next().value as Result
}

export function copy(x: Value): Value {
  if (x instanceof List) return new List(x.a.slice(x.h))
  if (x instanceof IconRecord) return new x.type.shape(...x.values())
  if (x instanceof IconSet) {
    const result = new IconSet()
    for (const [k, value] of x.map) result.map.set(k, value)
    result.mask = x.mask
    return result
  }
  if (x instanceof Table) {
    const result = new Table(x.initial)
    for (const [k, value] of x.map) result.map.set(k, value)
    if (x.odd) result.odd = new Map(x.odd)
    result.mask = x.mask
    return result
  }
  return x
}

// ---- sorting

/** The order of types in sorting. */
function rank(x: Value): number {
  if (x === null) return 0
  if (typeof x === 'number' || typeof x === 'bigint') return 1
  if (x instanceof Real) return 2
  if (typeof x === 'string') return 3
  if (x instanceof Cset) return 4
  if (x instanceof IconFile) return 5
  if (x instanceof CoExpression) return 6
  if (x instanceof Proc) return 7
  if (x instanceof List) return 8
  if (x instanceof IconSet) return 9
  if (x instanceof Table) return 10
  return 11
}

const ascending = <T extends string | number | bigint>(x: T, y: T): number => (x < y ? -1 : x > y ? 1 : 0)

/** Compares any two values as sorting does. */
export function order(x: Value, y: Value): number {
  if (typeof x === 'string' && typeof y === 'string') return ascending(x, y)
  const kind = rank(x)
  const difference = kind - rank(y)
  if (difference !== 0) return difference
  switch (kind) {
    case 0:
      return 0
    case 1:
      return ascending(x as number, y as number)
    case 2:
      return ascending((x as Real).v, (y as Real).v)
    case 4:
      return ascending((x as Cset).members, (y as Cset).members)
    case 5:
    case 7:
      return ascending((x as Proc).name, (y as Proc).name)
    case 11: {
      const [one, other] = [x as IconRecord, y as IconRecord]
      return ascending(one.type.name, other.type.name) || one.id - other.id
    }
    default:
      return (x as List).id - (y as List).id
  }
}

export function sort(x: Value, how: Value): Value {
  if (x instanceof Table) return sortTable(x, how === null ? 1 : needInteger(how), how)
  return new List(sortable(x).sort(order))
}

function sortable(x: Value): Value[] {
  if (x instanceof List) return x.a.slice(x.h)
  if (x instanceof IconRecord) return x.values()
  if (x instanceof IconSet) {
    const values: Value[] = []
    const results = walk(x, (element) => element)
    for (let v = results.next().value; v !== undefined; v = results.next().value) values.push(v as Value)
    return values
  }
  return raise(x instanceof Table ? 125 : 115, x)
}

function sortTable(x: Table, how: number, shown: Value): Value {
  if (how < 1 || how > 4) return raise(205, asInteger(shown))
  const pairs: [Value, Value][] = []
  for (const k of sortingOrder(x)) pairs.push([originalKey(x, k), x.map.get(k)!])
  const by = how % 2 === 1 ? 0 : 1
  if (how <= 2) {
    const result = new List([])
    const lists = pairs.map((pair) => new List(pair))
    lists.sort((one, other) => order(one.a[by], other.a[by]))
    result.a = lists
    return result
  }
  pairs.sort((one, other) => order(one[by], other[by]))
  return new List(pairs.flat())
}

export function sortf(x: Value, i: Value): Value {
  if (x instanceof Table || !(x instanceof List || x instanceof IconSet || x instanceof IconRecord))
    return raise(125, x)
  const field = i === null ? 1 : needInteger(i)
  if (field === 0) return raise(205, 0)
  return new List(sortable(x).sort((one, other) => orderByField(one, other, field)))
}

function fieldOf(x: Value, i: number): Result {
  const fields = (x as List | IconRecord).values()
  return fields[i > 0 ? i - 1 : fields.length + i]
}

function orderByField(x: Value, y: Value, i: number): number {
  const both = (x instanceof List && y instanceof List) || (x instanceof IconRecord && y instanceof IconRecord)
  if (both) {
    const one = fieldOf(x, i)
    const other = fieldOf(y, i)
    if (one !== undefined && other !== undefined) {
      const difference = order(one, other)
      if (difference !== 0) return difference
    } else if (one !== undefined || other !== undefined) return one !== undefined ? 1 : -1
  }
  return order(x, y)
}

export { equivalent, once }
