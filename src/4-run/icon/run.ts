// Runs a compiled program in this thread, from main to its end.
import { compileFunction } from 'node:vm'
import { setFlagsFromString } from 'node:v8'
import { displayText } from './builtins.js'
import { Converted } from './convert.js'
import { errorTexts, Exit, IconError } from './errors.js'
import type { Frame } from '../run.js'
import { closeAll, complain, readFrom, resetFiles, writeOnTerminal } from './files.js'
import { library } from './library.js'
import { machine, resetMachine, type Commands } from './machine.js'
import { bookkeeping } from './storage.js'
import { reportError, scriptName, type Compiled } from './tracing.js'
import { CoExpression, List, type Proc, type Value } from './values.js'

/** What a program is run with. */
export interface Setting {
  readonly name: string
  readonly args: readonly string[]
  readonly trace: number
  readonly host: string
  /** The descriptor of standard input. */
  readonly stdin: number
  /** Whether standard output is a terminal. */
  readonly terminal: boolean
  readonly counters: Float64Array
  readonly commands: Commands | undefined
  /** A cell that another thread changes some twenty times a second. */
  readonly beat: Int32Array
  /** The current folder. */
  readonly folder: string
  readonly sandbox: boolean
}

/** How a program ended: its exit status, and where its procedures stood if an error cut it short. */
export interface Ended {
  readonly status: number
  readonly frames: readonly Frame[] | undefined
}

interface Loaded {
  readonly G: Record<string, Value>
  readonly constants: readonly [string, Value][]
  readonly names: readonly string[]
}

/** Runs a program to its end. Programs may be run one after the other. */
export function runProgram({ script, findPlace, asksStorage }: Compiled, setting: Setting): Ended {
  setFlagsFromString('--max-optimized-bytecode-size=2000000')
  Error.stackTraceLimit = Infinity
  resetMachine()
  resetFiles()
  machine.progname = setting.name
  machine.host = setting.host
  machine.counters = setting.counters
  machine.commands = setting.commands
  machine.beat = setting.beat
  machine.folder = setting.folder
  machine.sandbox = setting.sandbox
  readFrom(setting.stdin)
  if (setting.terminal) writeOnTerminal()
  machine.trace = setting.trace
  machine.snapshot = snapshot
  machine.main = machine.current = new CoExpression(undefined, [])
  machine.main.size = 1
  const load = compileFunction(script, ['RT'], { filename: scriptName }) as (runtime: object) => Loaded
  const { G, constants, names } = load(asksStorage ? bookkeeping(library) : library)
  for (const name of names) {
    machine.globals.set(name, { get: () => G[`g_${name}`], set: (value) => (G[`g_${name}`] = value) })
  }
  for (const [name, value] of constants) machine.globals.set(name, { get: () => value, set: () => {} })
  return finish(() => {
    const main = machine.globals.get('main')!.get() as Proc
    machine.main!.frames = machine.frames
    if (main.arity === 0) main.call()
    else main.call(new List([...setting.args]), ...Array.from<Value>({ length: Math.abs(main.arity) - 1 }).fill(null))
  })

  function finish(action: () => void): Ended {
    try {
      action()
    } catch (error) {
      if (error instanceof Exit) {
        const status = closeOutput(error.status)
        complain(error.dump)
        return { status, frames: [] }
      }
      if (error instanceof IconError) {
        closeOutput(1)
        const frames = reportError(error, findPlace)
        complain(error.dump)
        return { status: 1, frames }
      }
      throw error
    }
    const status = closeOutput(0)
    if (machine.dump !== 0) complain(machine.snapshot())
    return { status, frames: [] }
  }
}

/** Writes out what is left, at the end; answers the exit status: `status`, unless that cannot be done. */
function closeOutput(status: number): number {
  try {
    closeAll()
    return status
  } catch (error) {
    if (error instanceof Exit) return error.status
    if (!(error instanceof IconError || error instanceof Converted)) throw error
    complain(`\nRun-time error 214\n${errorTexts[214]}\n`)
    return 1
  }
}

function snapshot(): string {
  const { id, size } = machine.current!
  return `\nTermination dump:\n\nco-expression #${id}(${size})\n${displayText(machine.level)}`
}
