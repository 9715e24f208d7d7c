// Icon's values in JavaScript, and their serial numbers.
//
//   null       null                 integer    number while safe, bigint beyond
//   string     one-byte string      real       Real (a box, so that 2.0 is not 2)
//   failure    undefined, which is never a value
import { machine } from './machine.js'

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
  private bytes: Uint8Array | undefined
  private text: string | undefined
  constructor(readonly words: Int32Array) {}

  has(code: number): boolean {
    return ((this.words[code >> 5] >>> (code & 31)) & 1) === 1
  }

  get table(): Uint8Array {
    if (this.bytes) return this.bytes
    const bytes = new Uint8Array(256)
    for (let code = 0; code < 256; code++) if (this.has(code)) bytes[code] = 1
    return (this.bytes = bytes)
  }

  get members(): string {
    if (this.text !== undefined) return this.text
    let text = ''
    for (let code = 0; code < 256; code++) if (this.has(code)) text += String.fromCharCode(code)
    return (this.text = text)
  }

  get size(): number {
    let size = 0
    for (let word of this.words) for (; word !== 0; word &= word - 1) size++
    return size
  }

  static of(text: string): Cset {
    const words = new Int32Array(8)
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      words[code >> 5] |= 1 << (code & 31)
    }
    return new Cset(words)
  }
}

/** A list: elements a[h], a[h+1], …; what stands before h has been popped. */
export class List {
  h = 0
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
  grow(size: number): void {
    while (size > 5 * (this.mask + 1)) this.mask = this.mask * 2 + 1
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

export class RecordType {
  serial = 0
  readonly proc: Proc
  readonly index = new Map<string, number>()
  constructor(
    readonly name: string,
    readonly fields: readonly string[],
  ) {
    fields.forEach((field, i) => this.index.set(field, i))
    this.proc = new Proc(name, 'record constructor', fields.length, (...args: Value[]) => new IconRecord(this, args))
  }
}

export class IconRecord {
  readonly id: number
  constructor(
    readonly type: RecordType,
    readonly fields: Value[],
  ) {
    this.id = ++type.serial
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
  level = 1
  readonly id: number
  activators: CoExpression[] = []
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
  /** The command of a pipe. */
  readonly command: string | undefined
  /** Text read ahead, and how much of it has been given out. */
  text: string
  at: number
  ended: boolean
  /** Text not yet written. */
  out: string
  /** Where the next byte is read or written; -1 where the system keeps count. */
  position: number
  status: number
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
  if (x instanceof Cset) return y instanceof Cset && x.words.every((word, i) => word === y.words[i])
  return false
}
