// Built-in functions on numbers.
import { asInteger, asNumber, asReal, asSmall, needInteger, needReal, normal, raise } from './convert.js'
import { fail } from './errors.js'
import { Real, type Result, type Results, type Value } from './values.js'

export function integer(x: Value): Result {
  return asInteger(x)
}

export function real(x: Value): Result {
  const value = asReal(x)
  return value === undefined ? undefined : new Real(value)
}

export function numeric(x: Value): Result {
  return asNumber(x)
}

export function abs(x: Value): Value {
  const number = asNumber(x)
  if (number === undefined) return raise(102, x)
  if (number instanceof Real) return new Real(Math.abs(number.v))
  return number < 0 ? normal(-BigInt(number)) : number
}

const math =
  (compute: (x: number) => number, valid: (x: number) => boolean = () => true) =>
  (x: Value): Value => {
    const number = needReal(x)
    if (!valid(number)) return raise(205, new Real(number))
    const result = compute(number)
    if (!Number.isFinite(result)) return raise(204)
    return new Real(result)
  }

export const sin = math(Math.sin)
export const cos = math(Math.cos)
export const tan = math(Math.tan)
export const acos = math(Math.acos, (x) => Math.abs(x) <= 1)
export const asin = math(Math.asin, (x) => Math.abs(x) <= 1)
/** What is too small for a real is as wrong as what is too large. */
export const exp = math((x) => Math.exp(x) || NaN)
export const sqrt = math(Math.sqrt, (x) => x >= 0)
export const dtor = math((x) => (x * Math.PI) / 180)
export const rtod = math((x) => (x * 180) / Math.PI)

export function atan(y: Value, x: Value): Value {
  const one = needReal(y)
  return new Real(x === null ? Math.atan(one) : Math.atan2(one, needReal(x)))
}

export function log(x: Value, base: Value): Value {
  const number = needReal(x)
  if (number <= 0) return raise(205, new Real(number))
  if (base === null) return new Real(Math.log(number))
  const b = needReal(base)
  if (b <= 1) return raise(205, new Real(b))
  return new Real(Math.log(number) / Math.log(b))
}

function bits(x: Value): bigint {
  const value = asInteger(x)
  return value === undefined ? raise(101, x) : BigInt(value)
}

export function iand(x: Value, y: Value): Value {
  return normal(bits(x) & bits(y))
}
export function ior(x: Value, y: Value): Value {
  return normal(bits(x) | bits(y))
}
export function ixor(x: Value, y: Value): Value {
  return normal(bits(x) ^ bits(y))
}
export function icom(x: Value): Value {
  return normal(~bits(x))
}
export function ishift(x: Value, n: Value): Value {
  const value = bits(x)
  const count = asSmall(n) ?? raise(101, asInteger(n) ?? n)
  return normal(count >= 0 ? value << BigInt(count) : value >> BigInt(-count))
}

class Seq implements Results {
  value: Value | undefined
  private readonly from: bigint
  constructor(
    private at: number | bigint,
    private readonly by: number | bigint,
  ) {
    this.from = BigInt(at)
  }
  next(): this {
    if (this.at > largest || this.at < -largest - 1n) {
      this.value = fail(203, undefined, 'f:seq', [normal(this.from), normal(BigInt(this.by))])
      return this
    }
    this.value = this.at
    const t = Number(this.at) + Number(this.by)
    this.at = Number.isSafeInteger(t) ? t : normal(BigInt(this.at) + BigInt(this.by))
    return this
  }
}

const largest = 2n ** 63n - 1n

/** An argument that may be any machine integer, kept exact. */
function machineInteger(x: Value, otherwise: number): number | bigint {
  if (x === null) return otherwise
  needInteger(x)
  return asInteger(x)!
}

export function seqAll(from: Value, by: Value): Results {
  const start = machineInteger(from, 1)
  const step = machineInteger(by, 1)
  if (step === 0) return raise(211, step)
  return new Seq(start, step)
}
