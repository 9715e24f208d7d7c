// The state of the one Icon program that runs in this thread: what keywords show, and the serial numbers.
import type { CoExpression, Proc, Result, Value } from './values.js'

/** Frames of procedures, kept only for programs that can ask for them (display, variable, &dump). */
export interface Frame {
  readonly name: string
  readonly parameters: readonly string[]
  readonly dynamic: readonly string[]
  readonly statics: readonly string[]
  get(name: string): Value
  set(name: string, value: Value): void
}

export const machine = {
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
  /** In traced programs: the body of `every` has just failed, so that what is resumed next has no place. */
  bodyFailed: false,
  file: '',
  features: [] as string[],
  serials: { list: 0, set: 0, table: 0, coexpression: 0 },
  main: null as CoExpression | null,
  current: null as CoExpression | null,
  frames: [] as Frame[],
  /** Names and values of the program's globals, as display shows them. */
  globals: new Map<string, { get(): Value; set(value: Value): void }>(),
  /** The procedures and record constructors that strings may name. */
  procs: new Map<string, Proc>(),
  keywordVariables: new Map<string, { get(): Value; set(value: Value): Result }>(),
  collections: 0,
  /** Makes the termination dump; taken when the end is seen coming, before procedures are left. */
  snapshot: () => '',
  host: '',
  started: 0,
  allocated: { string: 1024, block: 1024 },
}
