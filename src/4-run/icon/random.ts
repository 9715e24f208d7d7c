// ?x: a random element of a value, or a random number, as iconx chooses them.
import { asInteger, asString, normal } from './convert.js'
import { fail } from './errors.js'
import { machine } from './machine.js'
import { Cset, IconRecord, IconSet, List, Real, Table, type Key, type Result, type Value } from './values.js'
import { ElementRef, FieldRef, Ref, TableRef, partOf } from './references.js'
import { shownElement } from './subscripts.js'
import { originalKey, sortingOrder } from './elements.js'

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
