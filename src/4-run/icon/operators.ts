// Operators that compute: arithmetic, comparison, strings, csets. Each has a fast path on the usual types; all else
// goes to a slow path that converts. Comparisons answer a boolean: what they produce, the right operand
// converted, the compiler asks for only when it is used.
import { asCset, asNumber, asSmall, asString, asInteger, maxSafe, normal, parseNumber } from './convert.js'
import { fail } from './errors.js'
import { Cset, equivalent, IconRecord, IconSet, keyOf, List, Real, type Result, type Value } from './values.js'

type Number_ = number | bigint | Real

// ---- arithmetic

export function add(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const t = a + b
    if (t <= maxSafe && t >= -maxSafe) return t
  }
  return arithmetic('+', a, b) as Value
}

export function sub(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const t = a - b
    if (t <= maxSafe && t >= -maxSafe) return t
  }
  return arithmetic('-', a, b) as Value
}

export function mul(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') {
    const t = a * b + 0
    if (t <= maxSafe && t >= -maxSafe) return t
  }
  return arithmetic('*', a, b) as Value
}

export function div(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0) return Math.trunc(a / b) + 0
  return arithmetic('/', a, b) as Value
}

export function rem(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number' && b !== 0) return (a % b) + 0
  return arithmetic('%', a, b) as Value
}

export function pow(a: Value, b: Value): Value {
  return arithmetic('^', a, b) as Value
}

function arithmetic(operator: string, a: Value, b: Value): Result {
  const x = a instanceof Real ? a : asNumber(a)
  if (x === undefined) return fail(102, a, operator, [a, b])
  const y = b instanceof Real ? b : asNumber(b)
  // of what was converted messages show integers on the left alone
  const shown = [operator === '^' || x instanceof Real ? a : x, b]
  if (y === undefined) return fail(102, b, operator, shown)
  if (x instanceof Real || y instanceof Real) return real(operator, x, y, shown)
  if (operator === '/' || operator === '%') {
    // eslint-disable-next-line eqeqeq
    if (y == 0) return operator === '/' ? fail(201, undefined, operator, [a, b]) : fail(202, y, operator, [a, b])
  }
  if (operator === '^') return power(x, y, b)
  const p = BigInt(x)
  const q = BigInt(y)
  switch (operator) {
    case '+':
      return normal(p + q)
    case '-':
      return normal(p - q)
    case '*':
      return normal(p * q)
    case '/':
      return normal(p / q)
    default:
      return normal(p % q)
  }
}

const asDouble = (x: Number_): number => (x instanceof Real ? x.v : Number(x))

function real(operator: string, x: Number_, y: Number_, shown: readonly Value[]): Result {
  const p = asDouble(x)
  const q = asDouble(y)
  let value: number
  switch (operator) {
    case '+':
      value = p + q
      break
    case '-':
      value = p - q
      break
    case '*':
      value = p * q
      break
    case '/':
      if (q === 0) return fail(204, undefined, operator, shown)
      value = p / q
      break
    case '%':
      if (q === 0) return fail(204, undefined, operator, shown)
      value = p % q
      break
    default:
      if (p === 0 && (q < 0 || (q === 0 && !(y instanceof Real)))) return fail(204, undefined, operator, shown)
      if (p < 0 && (y instanceof Real || typeof x === 'bigint')) {
        if (y instanceof Real) return fail(206, undefined, operator, shown)
      }
      value = y instanceof Real ? p ** q : realToInteger(p, y)
  }
  if (!Number.isFinite(value)) return fail(204, undefined, operator, shown)
  return new Real(value)
}

/** A real to an integer power, by squaring as iconx does it. */
function realToInteger(p: number, n: number | bigint): number {
  let exponent = Number(n)
  let base = p
  if (exponent < 0) {
    exponent = -exponent
    base = 1 / base
  }
  let value = 1
  while (exponent > 0) {
    if (exponent % 2 === 1) value *= base
    base *= base
    exponent = Math.floor(exponent / 2)
  }
  return value
}

function power(x: number | bigint, y: number | bigint, shown: Value): Result {
  const base = BigInt(x)
  if (base === 0n && y <= 0) return fail(204, undefined, '^', [x, shown])
  if (y < 0) {
    if (base === 1n) return 1
    if (base === -1n) return BigInt(y) % 2n === 0n ? 1 : -1
    return 0
  }
  if (base === 0n || base === 1n) return y === 0 ? 1 : Number(base)
  if (base === -1n) return BigInt(y) % 2n === 0n ? 1 : -1
  if (Number(y) * Math.log2(Math.abs(Number(base))) > 2 ** 29) return fail(307, undefined, '^', [x, y])
  return normal(base ** BigInt(y))
}

export function neg(a: Value): Value {
  if (typeof a === 'number') return 0 - a
  const x = asNumber(a)
  if (x === undefined) return fail(102, a, '-', [a]) as unknown as Value
  if (x instanceof Real) return new Real(-x.v)
  return normal(-BigInt(x))
}

/** +x, and the number a comparison produces. */
export function num(a: Value): Value {
  if (typeof a === 'number') return a
  const x = asNumber(a)
  if (x === undefined) return fail(102, a, '+', [a]) as unknown as Value
  return x
}

// ---- numerical comparison

function compare(operator: string, a: Value, b: Value): number | undefined {
  const x = asNumber(a)
  if (x === undefined) return fail(102, a, operator, [a, b])
  const y = asNumber(b)
  if (y === undefined) return fail(102, b, operator, [x instanceof Real ? a : x, b])
  if (x instanceof Real || y instanceof Real) {
    const p = asDouble(x)
    const q = asDouble(y)
    return p < q ? -1 : p > q ? 1 : p === q ? 0 : Number.NaN
  }
  return x < y ? -1 : x > y ? 1 : 0
}

export function lt(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a < b
  return compare('<', a, b)! < 0
}
export function le(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a <= b
  return compare('<=', a, b)! <= 0
}
export function eq(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a === b
  return compare('=', a, b) === 0
}
export function ge(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a >= b
  return compare('>=', a, b)! >= 0
}
export function gt(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a > b
  return compare('>', a, b)! > 0
}
export function ne(a: Value, b: Value): boolean {
  if (typeof a === 'number' && typeof b === 'number') return a !== b
  const order = compare('~=', a, b)
  return order !== undefined && order !== 0
}

// ---- string comparison

function strings(operator: string, a: Value, b: Value): [string, string] | undefined {
  const x = asString(a)
  if (x === undefined) return fail(103, a, operator, [a, b])
  const y = asString(b)
  if (y === undefined) return fail(103, b, operator, [x, b])
  return [x, y]
}

export function slt(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a < b
  const both = strings('<<', a, b)
  return both !== undefined && both[0] < both[1]
}
export function sle(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a <= b
  const both = strings('<<=', a, b)
  return both !== undefined && both[0] <= both[1]
}
export function seq(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a === b
  const both = strings('==', a, b)
  return both !== undefined && both[0] === both[1]
}
export function sge(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a >= b
  const both = strings('>>=', a, b)
  return both !== undefined && both[0] >= both[1]
}
export function sgt(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a > b
  const both = strings('>>', a, b)
  return both !== undefined && both[0] > both[1]
}
export function sne(a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') return a !== b
  const both = strings('~==', a, b)
  return both !== undefined && both[0] !== both[1]
}

/** What a numerical comparison produces: the right operand, a real when either is. */
export function numAs(a: Value, b: Value): Value {
  if (typeof a === 'number' && typeof b === 'number') return b
  const y = asNumber(b)!
  return !(y instanceof Real) && asNumber(a) instanceof Real ? new Real(Number(y)) : y
}

/** What a string comparison produces: the right operand as a string. */
export function str(a: Value): Value {
  return typeof a === 'string' ? a : asString(a)!
}

export const eqv = equivalent
export function nev(a: Value, b: Value): boolean {
  return !equivalent(a, b)
}

// ---- strings and lists

export function cat(a: Value, b: Value): Value {
  if (typeof a === 'string' && typeof b === 'string') return a + b
  const x = asString(a)
  if (x === undefined) return fail(103, a, '||', [a, b]) as unknown as Value
  const y = asString(b)
  if (y === undefined) return fail(103, b, '||', [x, b]) as unknown as Value
  return x + y
}

export function lconcat(a: Value, b: Value): Value {
  if (!(a instanceof List)) return fail(108, a, '|||', [a, b]) as unknown as Value
  if (!(b instanceof List)) return fail(108, b, '|||', [a, b]) as unknown as Value
  const all: Value[] = []
  for (let i = a.h; i < a.a.length; i++) all.push(a.a[i])
  for (let i = b.h; i < b.a.length; i++) all.push(b.a[i])
  return new List(all)
}

export function size(a: Value): Value {
  if (typeof a === 'string') return a.length
  if (a instanceof List) return a.a.length - a.h
  return sizeSlow(a)
}

function sizeSlow(a: Value): Value {
  if (a instanceof Cset) return a.size
  if (a !== null && typeof a === 'object') {
    if ('map' in a) return a.map.size
    if (a instanceof IconRecord || 'activators' in a) return a.size
  }
  const text = asString(a)
  return text === undefined ? (fail(112, a, '*', [a]) as unknown as Value) : text.length
}

// ---- csets and sets

function setOf(values: Iterable<Value>): IconSet {
  const set = new IconSet()
  for (const value of values) set.map.set(keyOf(value), value)
  set.grow(set.map.size)
  return set
}

/** Both operands as csets. */
function csets(operator: string, a: Value, b: Value): [Cset, Cset] | undefined {
  const x = asCset(a)
  if (x === undefined) return fail(120, a, operator, [a, b])
  const y = asCset(b)
  if (y === undefined) return fail(120, b, operator, [x, b])
  return [x, y]
}

/** An operator on csets; it knows the last results, as loops ask for the same ones again and again. */
function onCsets(operator: string, combine: (x: number, y: number) => number): (a: Value, b: Value) => Value {
  const known: { x: Cset; y: Cset; result: Cset }[] = []
  let next = 0
  return (a, b) => {
    const both = csets(operator, a, b)
    if (!both) return undefined as unknown as Value
    const [x, y] = both
    for (let i = 0; i < known.length; i++) {
      const entry = known[i]
      if (entry.x === x && entry.y === y) return entry.result
    }
    const result = new Cset(
      combine(x.w0, y.w0),
      combine(x.w1, y.w1),
      combine(x.w2, y.w2),
      combine(x.w3, y.w3),
      combine(x.w4, y.w4),
      combine(x.w5, y.w5),
      combine(x.w6, y.w6),
      combine(x.w7, y.w7),
    )
    known[next] = { x, y, result }
    next = (next + 1) % 8
    return result
  }
}

const unionOfCsets = onCsets('++', (x, y) => x | y)
const intersectionOfCsets = onCsets('**', (x, y) => x & y)
const differenceOfCsets = onCsets('--', (x, y) => x & ~y)

export function union(a: Value, b: Value): Value {
  if (a instanceof IconSet && b instanceof IconSet) return setOf([...a.map.values(), ...b.map.values()])
  return unionOfCsets(a, b)
}

export function inter(a: Value, b: Value): Value {
  if (a instanceof IconSet && b instanceof IconSet) {
    const [small, large] = a.map.size <= b.map.size ? [a, b] : [b, a]
    return setOf([...small.map].filter(([key]) => large.map.has(key)).map(([, value]) => value))
  }
  return intersectionOfCsets(a, b)
}

export function diff(a: Value, b: Value): Value {
  if (a instanceof IconSet && b instanceof IconSet) {
    return setOf([...a.map].filter(([key]) => !b.map.has(key)).map(([, value]) => value))
  }
  return differenceOfCsets(a, b)
}

export function compl(a: Value): Value {
  const x = asCset(a)
  if (x === undefined) return fail(104, a, '~', [a]) as unknown as Value
  return new Cset(~x.w0, ~x.w1, ~x.w2, ~x.w3, ~x.w4, ~x.w5, ~x.w6, ~x.w7)
}

// ---- operands of `to` and limits

/** An operand of `to`. */
export function toOperand(a: Value, from: Value, to: Value, by: Value): Value {
  if (typeof a === 'number') return a
  const value = asSmall(a) === undefined ? undefined : asInteger(a)
  return value === undefined ? (fail(101, a, 'to', [from, to, by]) as unknown as Value) : value
}

/** The step of `to`: never zero. */
export function byOperand(a: Value, from: Value, to: Value): Value {
  const value = toOperand(a, from, to, a)
  return value === 0 ? (fail(211, value, 'to', [from, to, value]) as unknown as Value) : value
}

/** One step of `to … by`. */
export function step(i: Value, by: Value): Value {
  if (typeof i === 'number' && typeof by === 'number') {
    const t = i + by
    if (t <= maxSafe && t >= -maxSafe) return t
  }
  return normal(BigInt(i as number) + BigInt(by as number))
}

/** The operand of a limitation. */
export function limit(a: Value): number {
  const value = asSmall(a)
  if (value === undefined) return fail(101, a, 'limit', [a]) as unknown as number
  return value < 0 ? (fail(205, asInteger(a)!, 'limit', [asInteger(a)!]) as unknown as number) : value
}

export { parseNumber }
