// Conversions between types, explicit and implied.
import { fail } from './errors.js'
import { Cset, Real, type Value } from './values.js'

export const maxSafe = Number.MAX_SAFE_INTEGER

/** An integer in its normal form: a number when that is exact. */
export function normal(value: bigint): number | bigint {
  return value <= 9007199254740991n && value >= -9007199254740991n ? Number(value) : value
}

export const isInteger = (value: unknown): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint'

const numeral =
  /^[ \t\n\v\f\r]*([+-]?)(?:(\d+)[rR]([\da-zA-Z]*)|(\d+)|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?))[ \t\n\v\f\r]*$/

/** The number that a string spells; undefined when it spells none. */
export function parseNumber(text: string): number | bigint | Real | undefined {
  if (text.length < 16) {
    // the common case: a few digits
    let value = 0
    let i = 0
    for (; i < text.length; i++) {
      const digit = text.charCodeAt(i) - 48
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    if (i === text.length && i > 0) return value
  }
  const match = numeral.exec(text)
  if (!match) return undefined
  const [, sign, radix, digits, integer, real] = match
  if (integer !== undefined) return normal(BigInt(sign === '-' ? `-${integer}` : integer))
  if (real !== undefined) {
    const value = Number(real)
    if (!Number.isFinite(value)) return undefined
    return new Real(sign === '-' ? -value : value)
  }
  const value = parseRadix(Number(radix), digits)
  return value === undefined ? undefined : normal(sign === '-' ? -BigInt(value) : BigInt(value))
}

/** The integer that digits in a radix spell. */
export function parseRadix(radix: number, digits: string): number | bigint | undefined {
  if (radix < 2 || radix > 36) return undefined
  let value = 0n
  const base = BigInt(radix)
  for (const digit of digits) {
    const d = Number.parseInt(digit, 36)
    if (d >= radix) return undefined
    value = value * base + BigInt(d)
  }
  return normal(value)
}

/** A real as iconx writes it: ten significant digits, and always a point or an exponent. */
export function realText(value: number): string {
  if (Number.isNaN(value)) return value < 0 ? '-nan' : 'nan'
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf'
  if (value === 0) return '0.0'
  const [mantissa, exponentText] = tenDigits(value).split('e')
  const exponent = Number(exponentText)
  if (exponent < -4 || exponent >= 10) {
    const digits = mantissa.includes('.') ? mantissa.replace(/\.?0+$/, '') : mantissa
    const size = Math.abs(exponent)
    return `${digits}e${exponent < 0 ? '-' : '+'}${size < 10 ? '0' : ''}${size}`
  }
  const text = withPoint(mantissa, exponent)
  const short = text.includes('.') ? text.replace(/0+$/, '') : text
  return short.endsWith('.') ? `${short}0` : short.includes('.') ? short : `${short}.0`
}

/** Ten significant digits, with exponent. What lies half way between two goes to the even one, as C has it. */
function tenDigits(value: number): string {
  const rounded = value.toExponential(9)
  // half way lie some numbers of eleven digits of which the last is 5: JavaScript takes the greater
  if (!/5(?:e|$)/.test(String(value))) return rounded
  const [, even, exponent] = /^(-?\d\.\d{8}[02468])50+(e.*)$/.exec(value.toExponential(20)) ?? []
  return even === undefined ? rounded : even + exponent
}

/** A mantissa of ten digits with its point moved, by -4 to 9 places. */
function withPoint(mantissa: string, exponent: number): string {
  const sign = mantissa.startsWith('-') ? '-' : ''
  const digits = mantissa.replace(/[-.]/g, '')
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digits}`
  const rest = digits.slice(exponent + 1)
  return `${sign}${digits.slice(0, exponent + 1)}${rest === '' ? '' : `.${rest}`}`
}

/** The string that a value converts to; undefined when it converts to none. */
export function asString(value: Value): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (value instanceof Real) return realText(value.v)
  if (value instanceof Cset) return value.members
  return undefined
}

/** The number that a value converts to; undefined when it converts to none. */
export function asNumber(value: Value): number | bigint | Real | undefined {
  if (typeof value === 'number' || typeof value === 'bigint' || value instanceof Real) return value
  if (typeof value === 'string') return parseNumber(value)
  if (value instanceof Cset) return parseNumber(value.members)
  return undefined
}

/** The integer that a value converts to; reals lose their fraction. */
export function asInteger(value: Value): number | bigint | undefined {
  if (typeof value === 'number') return value
  const number = asNumber(value)
  if (number instanceof Real) {
    if (!Number.isFinite(number.v)) return undefined
    return Math.abs(number.v) <= maxSafe ? Math.trunc(number.v) + 0 : normal(BigInt(Math.trunc(number.v)))
  }
  return number
}

/** The machine integer that a value converts to: what iconx's functions ask for; large integers do not do. */
export function asSmall(value: Value): number | undefined {
  if (typeof value === 'number') return value
  const integer = asInteger(value)
  if (typeof integer === 'bigint') {
    return integer >= -(2n ** 63n) && integer < 2n ** 63n ? Number(integer) : undefined
  }
  return integer
}

/** The real that a value converts to. */
export function asReal(value: Value): number | undefined {
  const number = asNumber(value)
  if (number === undefined) return undefined
  return number instanceof Real ? number.v : Number(number)
}

const cache = new Map<string, Cset>()

/** The cset of a string's characters; a few are kept, as the same ones are asked for again and again. */
export function csetOf(text: string): Cset {
  let cset = cache.get(text)
  if (!cset) {
    cset = Cset.of(text)
    if (text.length < 64) {
      if (cache.size > 200) cache.clear()
      cache.set(text, cset)
    }
  }
  return cset
}

/** The cset that a value converts to. */
export function asCset(value: Value): Cset | undefined {
  if (value instanceof Cset) return value
  const text = asString(value)
  return text === undefined ? undefined : csetOf(text)
}

// What functions use on their arguments: the conversion, or a run-time error. With &error set the error is a
// failure of the function, which `Converted` carries to the function's edge (builtins.ts).

export class Converted {}
const signal = new Converted()

export function raise(number: number, value?: Value): never {
  fail(number, value)
  throw signal
}

export function needString(value: Value): string {
  if (typeof value === 'string') return value
  return asString(value) ?? raise(103, value)
}

export function needInteger(value: Value): number {
  if (typeof value === 'number') return value
  return asSmall(value) ?? raise(101, value)
}

export function needCset(value: Value): Cset {
  if (value instanceof Cset) return value
  const text = asString(value)
  return text === undefined ? raise(104, value) : csetOf(text)
}

export function needReal(value: Value): number {
  return asReal(value) ?? raise(102, value)
}
