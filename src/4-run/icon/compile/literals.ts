// Literals of Icon as values.
import { parseNumber, parseRadix } from '../convert.js'

export function integerLiteral(text: string): number | bigint {
  const radix = /^(\d+)[rR](.*)$/.exec(text)
  if (radix) return parseRadix(Number(radix[1]), radix[2]) ?? 0
  return parseNumber(text) as number | bigint
}

export function realLiteral(text: string): number {
  const value = Number(text)
  return Number.isFinite(value) ? value : value
}

const plain: Readonly<Record<string, string>> = {
  b: '\b',
  d: '\x7f',
  e: '\x1b',
  f: '\f',
  l: '\n',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
}

/** The characters of a string or cset literal, given with its quotes. */
export function quotedLiteral(text: string): string {
  const body = text.slice(1, -1)
  if (!/[\\_\n]/.test(body)) return body
  let result = ''
  for (let i = 0; i < body.length; i++) {
    const c = body[i]
    if (c === '_') {
      // a line that ends in _ goes on at the next line's first character that is not blank
      const continued = /^_[ \t\r\v\f]*\n\s*/.exec(body.slice(i))
      if (continued) {
        i += continued[0].length - 1
        continue
      }
      result += c
    } else if (c === '\\') {
      const [value, length] = escape(body, i + 1)
      result += value
      i += length
    } else result += c
  }
  return result
}

function escape(body: string, at: number): [string, number] {
  const c = body[at]
  const rest = body.slice(at)
  const octal = /^[0-7]{1,3}/.exec(rest)
  if (octal) return [String.fromCharCode(Number.parseInt(octal[0], 8) & 255), octal[0].length]
  const hex = /^[xX]([\da-fA-F]{1,2})/.exec(rest)
  if (hex) return [String.fromCharCode(Number.parseInt(hex[1], 16)), hex[0].length]
  if (c === '^' && at + 1 < body.length) return [String.fromCharCode(body.charCodeAt(at + 1) & 31), 2]
  const low = c.toLowerCase()
  // to icont these are octal digits of which one makes a character
  if (c === '8' || c === '9') return [String.fromCharCode(Number(c)), 1]
  if (plain[low] !== undefined) return [plain[low], 1]
  return [c, 1]
}
