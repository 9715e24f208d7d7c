// Sets and tables: lookup is a Map's; iconx's hash of a value gives the order of elements (slots.ts).
import {
  Cset,
  CoExpression,
  Hashed,
  IconFile,
  IconRecord,
  IconSet,
  keyOf,
  List,
  Proc,
  Real,
  Table,
  type Value,
} from './values.js'

export function tableGet(table: Table, key: Value): Value {
  const value = table.map.get(keyOf(key))
  return value === undefined ? table.initial : value
}

export function tableSet(table: Table, key: Value, value: Value): void {
  const k = keyOf(key)
  const { map, slots } = table
  if (slots !== undefined && !map.has(k)) {
    map.set(k, value)
    if (k !== key) (table.odd ??= new Map()).set(k, key)
    if (!slots.add(k)) table.slots = undefined
  } else {
    map.set(k, value)
    if (k !== key) (table.odd ??= new Map()).set(k, key)
  }
  if (map.size > 5 * (table.mask + 1)) table.grow(map.size)
}

export function setInsert(set: IconSet, value: Value): void {
  const key = keyOf(value)
  if (set.map.has(key)) return
  set.map.set(key, value)
  if (set.slots !== undefined && !set.slots.add(key)) set.slots = undefined
  if (set.map.size > 5 * (set.mask + 1)) set.grow(set.map.size)
}

/** Takes an element out of a set or table. */
export function remove(x: IconSet | Table, value: Value): void {
  const key = keyOf(value)
  if (x.slots !== undefined && x.map.has(key) && !x.slots.remove(key)) x.slots = undefined
  x.map.delete(key)
}

const split = (value: bigint): [number, number] => [Number(value >> 32n), Number(value & 0xffffffffn)]
const word = (value: bigint): [number, number] => split(BigInt.asUintN(64, value))

/** A value's hash, 64 bits: the upper and the lower 32. */
export function hash(value: Value): [number, number] {
  if (typeof value === 'string') return hashString(value)
  if (typeof value === 'number' && value >= 0 && value < 600_000_000_000) {
    const h = Math.floor((value * 13255) / 1024)
    return [Math.floor(h / 4294967296), h % 4294967296]
  }
  if (typeof value === 'number' || typeof value === 'bigint') return hashInteger(BigInt(value))
  if (value instanceof Real) return hashReal(value.v * 1129.27586206896558)
  if (value instanceof Cset) {
    let h = 0n
    for (let i = 7; i >= 0; i--) h = BigInt.asUintN(64, (h + BigInt(value.words[i] >>> 0)) * 37n)
    return split(h % 1048583n)
  }
  if (value instanceof Proc) return hashString(value.name)
  if (value instanceof List || value instanceof Hashed || value instanceof IconRecord) {
    return hash((value as List).id)
  }
  if (value instanceof IconFile) return [0, 5]
  if (value instanceof CoExpression) return [0, 18]
  return [0, 0]
}

function hashString(text: string): [number, number] {
  let high = 0
  let low = 0
  const n = Math.min(10, text.length)
  for (let i = 0; i < n; i++) {
    const t = (low + text.charCodeAt(i)) * 37
    low = t % 4294967296
    high = high * 37 + Math.floor(t / 4294967296)
  }
  low += text.length
  if (low >= 4294967296) {
    low -= 4294967296
    high++
  }
  return [high, low]
}

/** A double as an unsigned 64-bit integer, as x86-64 converts it. */
function hashReal(scaled: number): [number, number] {
  if (Number.isNaN(scaled) || scaled >= 2 ** 64) return [0, 0]
  return scaled < -(2 ** 63) ? [0x80000000, 0] : word(BigInt(Math.trunc(scaled)))
}

function hashInteger(value: bigint): [number, number] {
  if (value >= -(2n ** 63n) && value < 2n ** 63n) return split(BigInt.asUintN(64, 13255n * value) >> 10n)
  // a large integer: from its first and last 32-bit digits and their distance
  const size = value < 0n ? -value : value
  let digits = 0n
  for (let rest = size; rest > 0n; rest >>= 32n) digits++
  const most = size >> (32n * (digits - 1n))
  const least = size & 0xffffffffn
  return word((BigInt.asIntN(64, digits - 1n) << 16n) ^ BigInt.asUintN(64, (most << 8n) & 0xffffffffn) ^ least)
}
