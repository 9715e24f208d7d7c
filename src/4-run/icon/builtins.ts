// The built-in functions: one row each. Columns: name, parameters (-1: any number, -2: one and more), the function that gives the
// first result, and for generators the one that gives all.
import { asInteger, asSmall, asString, Converted, needInteger, needString, raise } from './convert.js'
import { IconError } from './errors.js'
import * as files from './files.js'
import { image, shortImage } from './image.js'
import { procNamed, proc, shownArguments } from './invoke.js'
import { machine, type Frame } from './machine.js'
import * as numbers from './numbers.js'
import { once } from './elements.js'
import { collectRegion } from './storage.js'
import * as strings from './strings.js'
import * as structures from './structures.js'
import {
  CoExpression,
  IconFile,
  IconRecord,
  IconSet,
  List,
  Proc,
  Table,
  typeOf,
  type Result,
  type Results,
  type Value,
} from './values.js'

type Call = (...args: Value[]) => Result
type All = (...args: Value[]) => Results

export interface Builtin {
  readonly name: string
  readonly arity: number
  readonly call: Call
  readonly all: All | undefined
}

const first =
  (all: All): Call =>
  (...args) =>
    all(...args).next().value as Result

const range = (call: unknown, all?: unknown): [Call, All?] => [call as Call, all as All]

// prettier-ignore
const rows: [string, number, [Call, All?]][] = [
  ['abs', 1, range(numbers.abs)], ['acos', 1, range(numbers.acos)], ['any', 4, range(strings.any)],
  ['args', 1, range(argsOf)], ['asin', 1, range(numbers.asin)], ['atan', 2, range(numbers.atan)],
  ['bal', 6, range(first(strings.balAll as All), strings.balAll)], ['center', 3, range(strings.center)],
  ['char', 1, range(strings.char)], ['chdir', 1, range(files.chdir)], ['close', 1, range(files.close)],
  ['collect', 2, range(collect)], ['copy', 1, range(structures.copy)], ['cos', 1, range(numbers.cos)],
  ['cset', 1, range(strings.cset)], ['delay', 1, range(files.delay)], ['delete', 2, range(structures.delete_)],
  ['detab', -2, range(strings.detab)], ['display', 2, range(display)], ['dtor', 1, range(numbers.dtor)],
  ['entab', -2, range(strings.entab)], ['errorclear', 0, range(errorclear)], ['exit', 1, range(files.exit)],
  ['exp', 1, range(numbers.exp)], ['find', 4, range(strings.find, strings.findAll)], ['flush', 1, range(files.flush)],
  ['function', 0, range(first(functionNames as All), functionNames)], ['get', 1, range(structures.get)],
  ['getch', 0, range(files.getch)], ['getche', 0, range(files.getch)], ['getenv', 1, range(files.getenv)],
  ['iand', 2, range(numbers.iand)], ['icom', 1, range(numbers.icom)], ['image', 1, range(image)],
  ['insert', 3, range(structures.insert)], ['integer', 1, range(numbers.integer)], ['ior', 2, range(numbers.ior)],
  ['ishift', 2, range(numbers.ishift)], ['ixor', 2, range(numbers.ixor)], ['kbhit', 0, range(files.kbhit)],
  ['key', 1, range(structures.key, structures.keyAll)], ['left', 3, range(strings.left)], ['list', 2, range(structures.list)],
  ['loadfunc', 2, range(unsupported)], ['log', 2, range(numbers.log)], ['many', 4, range(strings.many)],
  ['map', 3, range(strings.map)], ['match', 4, range(strings.match)], ['member', 2, range(structures.member)],
  ['move', 1, range(strings.move, moveAll)], ['name', 1, range(nameOf)], ['numeric', 1, range(numbers.numeric)],
  ['open', -3, range(files.open)], ['ord', 1, range(strings.ord)], ['pop', 1, range(structures.get)],
  ['pos', 1, range(strings.pos)], ['proc', 2, range(proc)], ['pull', 1, range(structures.pull)],
  ['push', -2, range(structures.push)], ['put', -2, range(structures.put)], ['read', 1, range(files.read)],
  ['reads', 2, range(files.reads)], ['real', 1, range(numbers.real)], ['remove', 1, range(files.remove)],
  ['rename', 2, range(files.rename)], ['repl', 2, range(strings.repl)], ['reverse', 1, range(strings.reverse)],
  ['right', 3, range(strings.right)], ['rtod', 1, range(numbers.rtod)], ['runerr', -2, range(runerr)],
  ['seek', 2, range(files.seek)], ['seq', 2, range(first(numbers.seqAll as All), numbers.seqAll)],
  ['serial', 1, range(serial)], ['set', 1, range(structures.set)], ['sin', 1, range(numbers.sin)],
  ['sort', 2, range(structures.sort)], ['sortf', 2, range(structures.sortf)], ['sqrt', 1, range(numbers.sqrt)],
  ['stop', -1, range(files.stop)], ['string', 1, range(strings.string)], ['system', 1, range(files.system)],
  ['tab', 1, range(strings.tab, tabAll)], ['table', 1, range(structures.table)], ['tan', 1, range(numbers.tan)],
  ['trim', 2, range(strings.trim)], ['type', 1, range(typeOf)], ['upto', 4, range(strings.upto, strings.uptoAll)],
  ['variable', 1, range(variable)], ['where', 1, range(files.where)], ['write', -1, range(files.write)],
  ['writes', -1, range(files.writes)],
]

export const builtins: ReadonlyMap<string, Builtin> = new Map(
  rows.map(([name, arity, [call, all]]) => [name, { name, arity, call, all }]),
)

/** The functions of Debian's Icon that need a window. */
// prettier-ignore
export const graphics: ReadonlySet<string> = new Set((
  'Active Alert Bg Clip Clone Color ColorValue CopyArea Couple DrawArc DrawCircle DrawCurve DrawImage DrawLine ' +
  'DrawPoint DrawPolygon DrawRectangle DrawSegment DrawString EraseArea Event Fg FillArc FillCircle FillPolygon ' +
  'FillRectangle Font FreeColor GotoRC GotoXY Lower NewColor PaletteChars PaletteColor PaletteKey Pattern Pending ' +
  'Pixel QueryPointer Raise ReadImage TextWidth Uncouple WAttrib WDefault WFlush WSync WriteImage').split(' '))

/** Those of them that take a fixed number of arguments. */
const graphicArity: Readonly<Record<string, number>> = { Active: 0, Couple: 2, QueryPointer: 1, Uncouple: 1, WSync: 1 }

/** The functions as values, for programs that pass them about. Those that need a window say that there is none. */
export const functions: ReadonlyMap<string, Proc> = new Map([
  ...[...builtins.values()].map(({ name, arity, call, all }): [string, Proc] => {
    const proc = new Proc(name, 'function', arity, guard(name, call))
    if (all) {
      const guarded = guard(name, all as never) as unknown as (...args: Value[]) => Results | undefined
      // an error that became failure is no result
      proc.all = (...args) => guarded(...args) ?? once(undefined)
    }
    return [name, proc]
  }),
  ...[...graphics].map((name): [string, Proc] => {
    return [name, new Proc(name, 'function', graphicArity[name] ?? -1, guard(name, unsupported))]
  }),
])

function guard(name: string, call: Call): Call {
  return (...args) => {
    try {
      return call(...args)
    } catch (error) {
      if (error instanceof Converted) return undefined
      if (error instanceof IconError)
        error.blame ??= { form: `f:${name}`, operands: shownArguments(name, args, error.number) }
      throw error
    }
  }
}

function tabAll(i: Value): Results {
  return untilResumed(machine.pos, strings.tab(i))
}

function moveAll(n: Value): Results {
  return untilResumed(machine.pos, strings.move(n))
}

/** What moved over the subject, until it is resumed: then &pos is what it was. (Errors are raised before.) */
function* untilResumed(old: number, text: Result): Generator<Value> {
  if (text === undefined) return
  yield text
  machine.pos = old
}

function* functionNames(): Generator<string> {
  yield* [...builtins.keys(), ...graphics].sort((x, y) => (x < y ? -1 : 1))
}

function argsOf(x: Value): Result {
  return x instanceof Proc ? x.arity : raise(106, x)
}

function collect(region: Value, bytes: Value): Value {
  const r = region === null ? 0 : needInteger(region)
  const b = bytes === null ? 0 : needInteger(bytes)
  if (r < 0 || r > 3) return raise(205, asInteger(region))
  if (b < 0) return raise(205, asInteger(bytes))
  collectRegion(r, b)
  return null
}

function errorclear(): Value {
  machine.errorNumber = 0
  machine.errorText = ''
  machine.errorValue = undefined
  return null
}

/** What this engine does not have: graphics, and functions in C. */
function unsupported(): Value {
  return raise(121)
}

function nameOf(x: Value): Value {
  return raise(111, x)
}

function runerr(...args: Value[]): Value {
  const number = asSmall(args[0] ?? null)
  if (number === undefined) return raise(101, args[0] ?? null)
  if (number <= 0) return raise(205, args[0])
  // an int in C
  const code = Number(BigInt.asIntN(32, BigInt(asInteger(args[0])!)))
  return args.length > 1 ? raise(code, args[1]) : raise(code)
}

function serial(x: Value): Result {
  if (
    x instanceof List ||
    x instanceof IconSet ||
    x instanceof Table ||
    x instanceof IconRecord ||
    x instanceof CoExpression
  ) {
    return x.id
  }
  return undefined
}

/** variable(s), as a value; the compiler asks variableNamed when a variable is wanted. */
function variable(name: Value): Result {
  const found = variableNamed(needString(name))
  return found?.get()
}

/** A keyword, a local of the procedure that runs, or a global, by name. */
export function variableNamed(name: string): { get(): Value; set(value: Value): Result } | undefined {
  const keyword = machine.keywordVariables.get(name)
  if (keyword) return keyword
  const frame = machine.frames[machine.frames.length - 1]
  if (frame && [...frame.parameters, ...frame.dynamic, ...frame.statics].includes(name)) {
    return {
      get: () => frame.get(name),
      set: (value) => {
        frame.set(name, value)
        return value
      },
    }
  }
  const global = machine.globals.get(name)
  if (!global) return undefined
  return {
    get: () => global.get(),
    set: (value) => {
      global.set(value)
      return value
    },
  }
}

// ---- display

function display(levels: Value, file: Value): Result {
  const to = file === null ? files.errout : file
  if (!(to instanceof IconFile)) return raise(105, file)
  const count = levels === null ? machine.level : needInteger(levels)
  if (count < 0) return raise(205, asInteger(levels))
  const { current } = machine
  let text = `co-expression_${current!.id}(${current!.size})\n\n`
  text += displayText(count)
  files.writeText(to, text)
  return null
}

/** The values of locals, some frames back, and of globals. */
export function displayText(count: number): string {
  let text = ''
  const { frames } = machine
  for (let i = frames.length - 1; i >= 0 && count-- > 0; i--) text += frameText(frames[i])
  text += '\nglobal identifiers:\n'
  const names = [...machine.globals.keys()].sort((x, y) => (x < y ? -1 : 1))
  for (const name of names) text += `   ${name} = ${shortImage(machine.globals.get(name)!.get())}\n`
  return text
}

function frameText(frame: Frame): string {
  const names = [...frame.parameters, ...frame.dynamic, ...frame.statics]
  const lines = names.map((name) => `   ${name} = ${shortImage(frame.get(name))}\n`)
  return `${frame.name} local identifiers:\n${lines.join('')}`
}

export { asString, procNamed }
