// Subscripts, sections and fields: as values, as variables, and assigned to. Where the operand of one is itself an element
// of a structure, messages show which.
import { asInteger, asSmall, asString } from './convert.js'
import { fail, type Shown } from './errors.js'
import { shortImage } from './image.js'
import { tableGet, tableSet } from './hash.js'
import { IconRecord, List, Table, type Result, type Value } from './values.js'
import { ElementRef, FieldRef, Ref, TableRef, partImage, partOf } from './references.js'

/** Position i of something `length` long, 1-based; 0 when out of range. Negative positions count from the right. */
function subscript(i: number, length: number): number {
  if (i > 0) return i <= length ? i : 0
  return i < 0 && -i <= length ? length + i + 1 : 0
}

/** x[i] as a value; where x is itself origin[key], messages show that. */
export function index(x: Value, i: Value, origin?: Value, key?: Value): Result {
  if (typeof i === 'string' && x instanceof Table) {
    const value = x.map.get(i)
    return value === undefined ? x.initial : value
  }
  if (typeof i === 'number') {
    if (x instanceof List) {
      const k = x.h + i - 1
      if (i > 0 && k < x.a.length) return x.a[k]
    } else if (typeof x === 'string') {
      if (i > 0 && i <= x.length) return x[i - 1]
    }
  }
  if (x instanceof Table) return tableGet(x, i)
  return indexSlow(x, i, origin, key)
}

function indexSlow(x: Value, i: Value, origin?: Value, key?: Value): Result {
  if (x instanceof List) {
    const at = listAt(x, i, origin, key)
    return at === undefined ? undefined : x.a[at]
  }
  if (x instanceof IconRecord) {
    const at = recordAt(x, i, origin, key)
    return at === undefined ? undefined : x.at(at)
  }
  const text = asString(x)
  if (text === undefined) return fail(114, x, '[]', [shownElement(x, origin, key), i])
  const position = asInteger(i)
  if (position === undefined) return fail(101, i, '[]', [shownElement(x, origin, key), i])
  const at = subscript(Number(position), text.length)
  return at === 0 ? undefined : text[at - 1]
}

/** The value of origin[key], or of the variable `origin`, as messages show it. */
export function shownElement(x: Value, origin: Value | Ref | undefined, key: Value | undefined): Value | Shown {
  if (origin instanceof Ref) return { shown: origin.image() }
  if (origin instanceof Table) return { shown: `${shortImage(origin)}[${shortImage(key ?? null)}]` }
  return isStructure(origin ?? null) ? { shown: `(variable = ${shortImage(x)})` } : x
}

function listAt(list: List, i: Value, origin?: Value, key?: Value): number | undefined {
  const position = asInteger(i)
  if (position === undefined) return fail(101, i, '[]', [shownElement(list, origin, key), i])
  const at = subscript(Number(position), list.size)
  return at === 0 ? undefined : list.h + at - 1
}

function recordAt(record: IconRecord, i: Value, origin?: Value, key?: Value): number | undefined {
  const position = asInteger(i)
  if (position === undefined) {
    const name = asString(i)
    return name === undefined ? fail(101, i, '[]', [shownElement(record, origin, key), i]) : record.type.index.get(name)
  }
  const at = subscript(Number(position), record.size)
  return at === 0 ? undefined : at - 1
}

/** Whether x[i] := … assigns into x itself, rather than making a new string. */
export function isStructure(x: Value): boolean {
  return x instanceof List || x instanceof Table || x instanceof IconRecord
}

/** x[i] := value for a structure x; undefined when out of range. */
export function setIndex(x: Value, i: Value, value: Value): Result {
  if (x instanceof List) {
    if (typeof i === 'number') {
      const k = x.h + i - 1
      if (i > 0 && k < x.a.length) {
        x.a[k] = value
        return value
      }
    }
    const at = listAt(x, i)
    if (at === undefined) return undefined
    x.a[at] = value
    return value
  }
  if (x instanceof Table) {
    tableSet(x, i, value)
    return value
  }
  const at = recordAt(x as IconRecord, i)
  if (at === undefined) return undefined
  ;(x as IconRecord).put(at, value)
  return value
}

/**
 * Where x[i] is, which is asked before the right side of x[i] := … is evaluated: that may push and pop. Undefined when
 * there is no such element.
 */
export function placeOf(x: Value, i: Value, origin?: Value, key?: Value): number | undefined {
  if (x instanceof List) {
    if (typeof i === 'number') {
      const k = x.h + i - 1
      if (i > 0 && k < x.a.length) return k - x.moved
    }
    const at = listAt(x, i, origin, key)
    return at === undefined ? undefined : at - x.moved
  }
  if (x instanceof IconRecord) return recordAt(x, i, origin, key)
  return x instanceof Table || index(x, i, origin, key) !== undefined ? 0 : undefined
}

/** The element at a place of a structure. */
export function getPlace(x: Value, i: Value, place: number): Value {
  if (x instanceof List) return x.a[place + x.moved] ?? null
  return x instanceof Table ? tableGet(x, i) : (x as IconRecord).at(place)
}

/** Sets it; of an element that is gone nobody hears any more. */
export function setPlace(x: Value, i: Value, place: number, value: Value): Value {
  if (x instanceof List) {
    const at = place + x.moved
    if (at >= 0 && at < x.a.length) x.a[at] = value
  } else if (x instanceof Table) tableSet(x, i, value)
  else (x as IconRecord).put(place, value)
  return value
}

/** The string x with character i replaced; undefined when out of range. */
export function replaceAt(x: Value, i: Value, value: Value, operator: string, origin?: Value, key?: Value): Result {
  const text = asString(x)
  if (text === undefined) return fail(114, x, '[]', [shownElement(x, origin, key), i])
  const position = asInteger(i)
  if (position === undefined) return fail(101, i, '[]', [shownElement(x, origin, key), i])
  const at = subscript(Number(position), text.length)
  if (at === 0) return undefined
  if (typeof x !== 'string') return fail(111, text[at - 1], operator, [text[at - 1], value])
  const part = typeof value === 'string' ? value : asString(value)
  if (part === undefined) return fail(103, value, operator, [{ shown: partImage(x, at - 1, 1) }, value])
  return text.slice(0, at - 1) + part + text.slice(at)
}

export function indexRef(x: Value, i: Value, whole: Ref | null, origin?: Value, key?: Value): Ref | Value | undefined {
  if (x instanceof List) {
    const at = listAt(x, i, origin, key)
    return at === undefined ? undefined : new ElementRef(x, at)
  }
  if (x instanceof Table) return new TableRef(x, i)
  if (x instanceof IconRecord) {
    const at = recordAt(x, i, origin, key)
    return at === undefined ? undefined : new FieldRef(x, at)
  }
  const part = indexSlow(x, i, origin, key)
  if (part === undefined) return undefined
  if (!whole || typeof x !== 'string') return part
  return partOf(whole, subscript(Number(asInteger(i)), x.length) - 1, 1)
}

// ---- sections

/** A position as iconx's functions take it: 1 to length+1, or 0 and negative from the right; 0 if outside. */
export function position(i: number, length: number): number {
  if (i > 0) return i <= length + 1 ? i : 0
  return -i <= length ? length + i + 1 : 0
}

/** Where a section begins and ends, as offsets; undefined when out of range. */
export function sectionOf(x: Value, i: Value, j: Value, shown: Value | Shown = x): [number, number] | undefined {
  const length = x instanceof List ? x.size : (x as string).length
  const p = asInteger(i)
  if (p === undefined) return fail(101, i, '[:]', [shown, i, j])
  if (asSmall(p) === undefined) return undefined
  const q = asInteger(j)
  if (q === undefined) return fail(101, j, '[:]', [shown, i, j])
  const from = position(Number(p), length)
  if (from === 0) return undefined
  const to = position(Number(q), length)
  if (to === 0) return undefined
  return from <= to ? [from - 1, to - 1] : [to - 1, from - 1]
}

/** x[i:j] as a value; where x is itself origin[key], messages show that. */
export function section(x: Value, i: Value, j: Value, origin?: Value, key?: Value): Result {
  if (typeof x === 'string' && typeof i === 'number' && typeof j === 'number') {
    if (i > 0 && j >= i && j <= x.length + 1) return x.slice(i - 1, j - 1)
  }
  if (x instanceof List) {
    const place = sectionOf(x, i, j, shownElement(x, origin, key))
    return place === undefined ? undefined : new List(x.a.slice(x.h + place[0], x.h + place[1]))
  }
  const text = asString(x)
  if (text === undefined) return fail(110, x, '[:]', [shownElement(x, origin, key), i, j])
  const place = sectionOf(text, i, j, shownElement(x, origin, key))
  return place === undefined ? undefined : text.slice(place[0], place[1])
}

/** The string x with section i:j replaced; undefined when out of range. */
export function replaceSection(x: Value, i: Value, j: Value, value: Value, operator = ':='): Result {
  if (x instanceof List) {
    const part = section(x, i, j)
    return part === undefined ? undefined : fail(111, part, operator, [part, value])
  }
  const text = asString(x)
  if (text === undefined) return fail(110, x, '[:]', [x, i, j])
  const place = sectionOf(text, i, j, x)
  if (place === undefined) return undefined
  if (typeof x !== 'string')
    return fail(111, text.slice(place[0], place[1]), operator, [text.slice(place[0], place[1]), value])
  const part = asString(value)
  const shown = partImage(x, place[0], place[1] - place[0])
  if (part === undefined) return fail(103, value, operator, [{ shown }, value])
  return text.slice(0, place[0]) + part + text.slice(place[1])
}

export function sectionRef(x: Value, i: Value, j: Value, whole: Ref | null): Ref | Value | undefined {
  if (x instanceof List) return section(x, i, j)
  const text = asString(x)
  if (text === undefined) return fail(110, x, '[:]', [x, i, j])
  const place = sectionOf(text, i, j, x)
  if (place === undefined) return undefined
  if (!whole || typeof x !== 'string') return text.slice(place[0], place[1])
  return partOf(whole, place[0], place[1] - place[0])
}

// ---- fields

/** Where a field was found last: records of one type come again and again. */
export interface FieldPlace {
  readonly field: string
  /** Whether any record has such a field. */
  readonly known: boolean
  type: unknown
  at: number
}

export const fieldPlace = (field: string, known: boolean): FieldPlace => ({ field, known, type: null, at: 0 })

export function fieldAt(x: Value, place: FieldPlace): number {
  if (!(x instanceof IconRecord)) return fail(107, x, '.', [x, place.known ? place.field : 'field']) ?? -1
  if (x.type === place.type) return place.at
  const at = x.type.index.get(place.field)
  if (at === undefined) return fail(207, x, '.', [x, place.known ? place.field : 'field']) ?? -1
  place.type = x.type
  place.at = at
  return at
}

/** x.field as a value. */
export function field(x: Value, place: FieldPlace): Value {
  const at = fieldAt(x, place)
  return at < 0 ? (undefined as unknown as Value) : (x as IconRecord).at(at)
}

export function setField(x: Value, place: FieldPlace, value: Value): Result {
  const at = fieldAt(x, place)
  if (at < 0) return undefined
  ;(x as IconRecord).put(at, value)
  return value
}

export function fieldRef(x: Value, place: FieldPlace): Ref | undefined {
  const at = fieldAt(x, place)
  return at < 0 ? undefined : new FieldRef(x as IconRecord, at)
}
