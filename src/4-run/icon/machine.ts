// The state of the one Icon program that runs in this thread: what keywords show, and the serial numbers.
import type { CoExpression, Result, Value } from './values.js'

/** Frames of procedures, kept only for programs that can ask for them (display, variable, &dump). */
export interface Frame {
  readonly name: string
  readonly parameters: readonly string[]
  readonly dynamic: readonly string[]
  readonly statics: readonly string[]
  get(name: string): Value
  set(name: string, value: Value): void
}

/** Commands that the program starts: another thread starts them, and this one waits for its answers. */
export interface Commands {
  /** Starts a command in a folder; answers its number. */
  start(command: string, folder: string, reads: boolean, writes: boolean): number
  /** Some of its output; undefined at the end. */
  read(command: number): string | undefined
  /** Writes to its input; answers false if it takes no more. */
  write(command: number, text: string): boolean
  /** Closes the pipes to it and waits for its end; answers its exit status times 256, or the signal that ended it. */
  finish(command: number): number
}

const initial = () => ({
  subject: '',
  pos: 1,
  random: 0,
  trace: 0,
  dump: 0,
  error: 0,
  errorNumber: 0,
  errorText: '',
  errorValue: undefined as Value | undefined,
  progname: '',
  level: 0,
  line: 0,
  file: '',
  features: [] as string[],
  serials: { list: 0, set: 0, table: 0, coexpression: 0 },
  main: null as CoExpression | null,
  current: null as CoExpression | null,
  frames: [] as Frame[],
  /** Names and values of the program's globals, as display shows them. */
  globals: new Map<string, { get(): Value; set(value: Value): void }>(),
  /** The first error that left a procedure. */
  caught: null as unknown,
  /** Makes the termination dump; taken when the end is seen coming, before procedures are left. */
  snapshot: () => '',
  host: '',
  /** Counters of the instrumented program. */
  counters: new Float64Array() as Float64Array,
  commands: undefined as Commands | undefined,
  /** A cell that another thread changes some twenty times a second. */
  beat: new Int32Array(1) as Int32Array,
  /** The current folder; a thread cannot have one of its own. */
  folder: '',
  /** Whether files, processes and the environment are out of reach. */
  sandbox: false,
  started: 0,
  /** The model of iconx's storage: in bytes, and collections by what asked for them. */
  storage: {
    collections: 0,
    static: { collections: 0 },
    string: { allocated: 0, used: 0, size: 500_000, collections: 0 },
    block: { allocated: 0, used: 0, size: 500_000, collections: 0 },
  },
})

export const machine = {
  ...initial(),
  keywordVariables: new Map<string, { get(): Value; set(value: Value): Result }>(),
}

/** Makes everything as it is before a program starts. */
export function resetMachine(): void {
  Object.assign(machine, initial())
}
