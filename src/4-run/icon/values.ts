// Icon's values in JavaScript, and their serial numbers.
//
//   null       null                 integer    number while safe, bigint beyond
//   string     one-byte string      real       Real (a box, so that 2.0 is not 2)
//   failure    undefined, which is never a value
import { machine } from './machine.js'
import type { Slots } from './slots.js'

export type Value =
  null | number | bigint | string | Real | Cset | List | Table | IconSet | IconRecord | Proc | CoExpression | IconFile

/** A value, or failure. */
export type Result = Value | undefined

/** What produces results one by one: a JavaScript generator, or an object that answers itself. */
export interface Results {
  next(sent?: unknown): { value?: unknown }
}

export class Real {
  constructor(readonly v: number) {}
}

/** A cset: 256 bits as eight words; the table of bytes that scanning uses is made when first asked for. */
export class Cset {
  private bytes: Uint8Array | undefined = undefined
  private text: string | undefined = undefined
  constructor(
    readonly w0: number,
    readonly w1: number,
    readonly w2: number,
    readonly w3: number,
    readonly w4: number,
    readonly w5: number,
    readonly w6: number,
    readonly w7: number,
  ) {}

  get words(): readonly number[] {
    return [this.w0, this.w1, this.w2, this.w3, this.w4, this.w5, this.w6, this.w7]
  }

  /** One byte for each character: 1 for members. */
  get table(): Uint8Array {
    return (this.bytes ??= this.makeTable())
  }

  private makeTable(): Uint8Array {
    const bytes = new Uint8Array(256)
    mark(bytes, this.w0, 0)
    mark(bytes, this.w1, 32)
    mark(bytes, this.w2, 64)
    mark(bytes, this.w3, 96)
    mark(bytes, this.w4, 128)
    mark(bytes, this.w5, 160)
    mark(bytes, this.w6, 192)
    mark(bytes, this.w7, 224)
    return bytes
  }

  get members(): string {
    if (this.text !== undefined) return this.text
    const text =
      membersOf(this.w0, 0) +
      membersOf(this.w1, 32) +
      membersOf(this.w2, 64) +
      membersOf(this.w3, 96) +
      membersOf(this.w4, 128) +
      membersOf(this.w5, 160) +
      membersOf(this.w6, 192) +
      membersOf(this.w7, 224)
    return (this.text = text)
  }

  get size(): number {
    const { w0, w1, w2, w3, w4, w5, w6, w7 } = this
    return bits(w0) + bits(w1) + bits(w2) + bits(w3) + bits(w4) + bits(w5) + bits(w6) + bits(w7)
  }

  static of(text: string): Cset {
    let [w0, w1, w2, w3, w4, w5, w6, w7] = [0, 0, 0, 0, 0, 0, 0, 0]
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      const bit = 1 << (code & 31)
      switch (code >> 5) {
        case 0:
          w0 |= bit
          break
        case 1:
          w1 |= bit
          break
        case 2:
          w2 |= bit
          break
        case 3:
          w3 |= bit
          break
        case 4:
          w4 |= bit
          break
        case 5:
          w5 |= bit
          break
        case 6:
          w6 |= bit
          break
        default:
          w7 |= bit
      }
    }
    return new Cset(w0, w1, w2, w3, w4, w5, w6, w7)
  }
}

/** Sets to 1 the bytes, from one on, of a word's bits. */
function mark(bytes: Uint8Array, word: number, from: number): void {
  for (let rest = word; rest !== 0; rest &= rest - 1) bytes[from + 31 - Math.clz32(rest & -rest)] = 1
}

function bits(word: number): number {
  let count = 0
  for (let rest = word; rest !== 0; rest &= rest - 1) count++
  return count
}

function membersOf(word: number, from: number): string {
  let text = ''
  for (let rest = word; rest !== 0; rest &= rest - 1) text += String.fromCharCode(from + 31 - Math.clz32(rest & -rest))
  return text
}

/** Whether two csets have the same members. */
export function sameCset(x: Cset, y: Cset): boolean {
  return (
    x.w0 === y.w0 &&
    x.w1 === y.w1 &&
    x.w2 === y.w2 &&
    x.w3 === y.w3 &&
    x.w4 === y.w4 &&
    x.w5 === y.w5 &&
    x.w6 === y.w6 &&
    x.w7 === y.w7
  )
}

/**
 * A list: elements a[h], a[h+1], …; what stands before h has been popped. `moved` counts how far elements have gone up
 * in `a` since it was made: a variable finds its element by that.
 */
export class List {
  h = 0
  moved = 0
  readonly id: number
  constructor(public a: Value[]) {
    this.id = ++machine.serials.list
  }
  get size(): number {
    return this.a.length - this.h
  }
  values(): Value[] {
    return this.h === 0 ? this.a : this.a.slice(this.h)
  }
}

/** The hash slots of a set or table: iconx starts with 16 and doubles when the chains grow beyond 5. */
export abstract class Hashed {
  mask = 15
  /** The elements in their slots, while something walks over them. */
  slots: Slots | undefined = undefined
  grow(size: number): void {
    while (size > 5 * (this.mask + 1)) this.mask = this.mask * 2 + 1
    this.slots?.split(this.mask)
  }
}

export class Table extends Hashed {
  readonly map = new Map<Key, Value>()
  /** The keys that a Map cannot compare (reals, csets), by the string that stands for them. */
  odd: Map<Key, Value> | undefined
  readonly id: number
  constructor(readonly initial: Value) {
    super()
    this.id = ++machine.serials.table
  }
}

export class IconSet extends Hashed {
  readonly map = new Map<Key, Value>()
  readonly id: number
  constructor() {
    super()
    this.id = ++machine.serials.set
  }
}

/** What stands for a value in a Map: itself, but for reals and csets. */
export type Key = Value | string

export function keyOf(value: Value): Key {
  if (typeof value === 'string' || typeof value === 'number') return value
  if (value instanceof Real) return `\u0100r${value.v + 0}`
  if (value instanceof Cset) return `\u0100c${value.members}`
  return value
}

/** What a field is called in the records themselves. */
export const fieldProperty = (field: string): string => `f_${field}`

/** A record declaration. Its records are objects of a class of its own, `shape`, which the compiled script declares. */
export class RecordType {
  serial = 0
  readonly proc: Proc
  readonly index = new Map<string, number>()
  readonly properties: readonly string[]
  shape!: new (...values: Value[]) => IconRecord
  constructor(
    readonly name: string,
    readonly fields: readonly string[],
  ) {
    fields.forEach((field, i) => this.index.set(field, i))
    this.properties = fields.map(fieldProperty)
    this.proc = new Proc(name, 'record constructor', fields.length, (...args: Value[]) => new this.shape(...args))
  }
}

/** A record; its fields are properties, so that nothing but the record itself need be looked at to read one. */
export abstract class IconRecord {
  readonly id: number
  constructor(readonly type: RecordType) {
    this.id = ++type.serial
  }
  get size(): number {
    return this.type.fields.length
  }
  at(i: number): Value {
    return (this as unknown as Record<string, Value>)[this.type.properties[i]]
  }
  put(i: number, value: Value): void {
    ;(this as unknown as Record<string, Value>)[this.type.properties[i]] = value
  }
  values(): Value[] {
    return this.type.properties.map((_, i) => this.at(i))
  }
}

/**
 * A procedure, function or record constructor.
 *
 * arity   parameters; negative when the last one takes the rest (-1: any number)
 * call    gives the first result
 * all     gives all results, when there may be several
 * co      the same, as a JavaScript generator that may also yield transfers between co-expressions
 */
export class Proc {
  all: ((...args: Value[]) => Results) | undefined
  co: ((...args: Value[]) => Generator<unknown, unknown, unknown>) | undefined
  /** Of an operator on variables: all results, variables perhaps, from operands that are variables where they can be. */
  on: ((...operands: unknown[]) => Results) | undefined
  locals: readonly string[] = []
  constructor(
    readonly name: string,
    readonly what: 'procedure' | 'function' | 'record constructor',
    readonly arity: number,
    readonly call: (...args: Value[]) => Result,
  ) {}
}

/**
 * A co-expression. `body` makes its results from copies of the locals; `results` is undefined before the first
 * activation.
 */
export class CoExpression {
  results: Results | undefined
  size = 0
  readonly id: number
  activators: CoExpression[] = []
  /** How many co-expressions were active when it was first activated. */
  depth = 0
  frames: unknown[] = []
  /** The procedure call that made it, and a JavaScript error made then, for its place. */
  creator: { proc: Proc; args: readonly Value[]; origin: Error } | undefined
  constructor(
    readonly body: ((...locals: Value[]) => Results) | undefined,
    readonly locals: readonly Value[],
  ) {
    this.id = ++machine.serials.coexpression
  }
}

/** An open or closed file; what reads and writes it is in files.ts. */
export class IconFile {
  constructor(
    readonly name: string,
    public channel: Channel | undefined,
    readonly standard?: '&input' | '&output' | '&errout',
  ) {}
}

/** An open file, pipe or directory. */
export interface Channel {
  /** The descriptor; -1 for a pipe or a directory, whose content is held in `text` or goes into `out`. */
  readonly fd: number
  readonly readable: boolean
  readonly writable: boolean
  /** The number of a pipe's command. */
  readonly command: number | undefined
  /** Text read ahead, and how much of it has been given out. */
  text: string
  at: number
  /** Where in `text` the next carriage return is; -1: nowhere; smaller: not looked for. */
  carriage: number
  /** Whether only a newline ends a line, and not a carriage return as well. */
  readonly raw: boolean
  ended: boolean
  /** Text not yet written, and how much of it may be kept. */
  out: string
  limit: number
  /** Where the next byte is read or written; -1 where the system keeps count. */
  position: number
}

const types: readonly [new (...args: never[]) => object, string][] = [
  [Real, 'real'],
  [Cset, 'cset'],
  [List, 'list'],
  [Table, 'table'],
  [IconSet, 'set'],
  [Proc, 'procedure'],
  [CoExpression, 'co-expression'],
  [IconFile, 'file'],
]

/** type(x). */
export function typeOf(value: Value): string {
  if (value === null) return 'null'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'number' || typeof value === 'bigint') return 'integer'
  if (value instanceof IconRecord) return value.type.name
  for (const [type, name] of types) if (value instanceof type) return name
  throw new Error('internal error: a value of no type')
}

/** x === y. */
export function equivalent(x: Value, y: Value): boolean {
  if (x === y) return true
  if (typeof x !== 'object' || x === null || typeof y !== 'object' || y === null) return false
  if (x instanceof Real) return y instanceof Real && x.v === y.v
  if (x instanceof Cset) return y instanceof Cset && sameCset(x, y)
  return false
}
