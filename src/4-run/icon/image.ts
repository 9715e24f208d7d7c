// Images of values: image(x), and the shorter ones that tracing, display and error messages show.
import { realText } from './convert.js'
import {
  CoExpression,
  Cset,
  IconFile,
  IconRecord,
  IconSet,
  List,
  Proc,
  Real,
  sameCset,
  Table,
  type Value,
} from './values.js'

const escapes: Readonly<Record<string, string>> = {
  '\b': '\\b',
  '\x7f': '\\d',
  '\x1b': '\\e',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
}

/** Text with iconx's escapes; the quote is escaped too. */
export function escaped(text: string, quote: string): string {
  // eslint-disable-next-line no-control-regex
  if (!/[\x00-\x1f\x7f-\xff"'\\]/.test(text)) return text
  let result = ''
  for (const c of text) {
    if (c === quote) result += `\\${c}`
    else if (escapes[c]) result += escapes[c]
    else if (c < ' ' || c > '~') result += `\\x${c.charCodeAt(0).toString(16).padStart(2, '0')}`
    else result += c
  }
  return result
}

function range(from: string, to: string): string {
  let text = ''
  for (let code = from.charCodeAt(0); code <= to.charCodeAt(0); code++) text += String.fromCharCode(code)
  return text
}

/** The csets that are keywords. */
// prettier-ignore
export const csetKeywords: Readonly<Record<string, Cset>> = {
  '&ascii': Cset.of(range('\0', '\x7f')), '&cset': Cset.of(range('\0', '\xff')), '&digits': Cset.of(range('0', '9')),
  '&lcase': Cset.of(range('a', 'z')), '&letters': Cset.of(range('A', 'Z') + range('a', 'z')), '&ucase': Cset.of(range('A', 'Z')),
}

function csetName(cset: Cset): string | undefined {
  for (const [name, keyword] of Object.entries(csetKeywords)) {
    if (sameCset(keyword, cset)) return name
  }
  return undefined
}

/** image(x). */
export function image(value: Value): string {
  if (value === null) return '&null'
  if (typeof value === 'string') return `"${escaped(value, '"')}"`
  if (typeof value === 'number') return String(value)
  if (typeof value === 'bigint') return largeImage(value)
  if (value instanceof Real) return realText(value.v)
  if (value instanceof Cset) return csetName(value) ?? `'${escaped(value.members, "'")}'`
  if (value instanceof List) return `list_${value.id}(${value.size})`
  if (value instanceof IconSet) return `set_${value.id}(${value.map.size})`
  if (value instanceof Table) return `table_${value.id}(${value.map.size})`
  if (value instanceof IconRecord) return `record ${value.type.name}_${value.id}(${value.size})`
  return otherImage(value)
}

function otherImage(value: Proc | CoExpression | IconFile): string {
  if (value instanceof Proc) return `${value.what} ${value.name}`
  if (value instanceof CoExpression) return `co-expression_${value.id}(${value.size})`
  return value.standard ?? `file(${escaped(value.name, '')})`
}

function largeImage(value: bigint): string {
  const text = String(value)
  if (text.length < 18) return text
  const size = value < 0n ? -value : value
  let length = 0
  let rest = size
  while (rest >= 1n << 32n) {
    rest >>= 32n
    length++
  }
  const digits = Math.trunc(length * 32 * 0.3010299956639812 + Math.log(Number(rest)) * 0.4342944819032518 + 0.5)
  return digits >= 30 ? `integer(~10^${digits})` : text
}

/** The image that messages show: strings cut at 16 characters, elements of structures one level deep. */
export function shortImage(value: Value, inner = false): string {
  if (typeof value === 'string') return `"${escaped(value.slice(0, 16), '"')}${value.length > 16 ? '...' : ''}"`
  if (value instanceof Cset) {
    const name = csetName(value)
    if (name) return name
    const { members } = value
    return `'${escaped(members.slice(0, 16), "'")}${members.length > 16 ? '...' : ''}'`
  }
  if (value instanceof List) {
    const { size } = value
    if (inner && size > 0) return `list_${value.id}(${size})`
    const parts: string[] = []
    for (let i = 1; i <= size; i++) {
      if (i <= 3 || i > size - 3) parts.push(shortImage(value.a[value.h + i - 1], true))
      else if (i === 4) parts.push('...')
    }
    return `list_${value.id} = [${parts.join(',')}]`
  }
  if (value instanceof IconRecord) {
    const fields = value.values()
    const name = `record ${value.type.name}_${value.id}`
    if (inner && fields.length > 0) return `${name}(${fields.length})`
    return `${name}(${fields.map((item) => shortImage(item, true)).join(',')})`
  }
  return image(value)
}
