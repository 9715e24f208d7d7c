// Run-time errors: iconx's numbers and texts; how an error becomes failure when &error is set.
import { machine } from './machine.js'
import type { Proc, Value } from './values.js'

// prettier-ignore
export const errorTexts: Readonly<Record<number, string>> = {
  101: 'integer expected or out of range', 102: 'numeric expected', 103: 'string expected', 104: 'cset expected',
  105: 'file expected', 106: 'procedure or integer expected', 107: 'record expected', 108: 'list expected',
  109: 'string or file expected', 110: 'string or list expected', 111: 'variable expected',
  112: 'invalid type to size operation', 113: 'invalid type to random operation',
  114: 'invalid type to subscript operation', 115: 'structure expected', 116: 'invalid type to element generator',
  117: 'missing main procedure', 118: 'co-expression expected', 119: 'set expected',
  120: 'two csets or two sets expected', 121: 'function not supported', 122: 'set or table expected',
  123: 'invalid type', 124: 'table expected', 125: 'list, record, or set expected', 126: 'list or record expected',
  140: 'window expected', 201: 'division by zero', 202: 'remaindering by zero', 203: 'integer overflow',
  204: 'real overflow, underflow, or division by zero', 205: 'invalid value', 206: 'negative first argument to real exponentiation',
  207: 'invalid field name', 208: 'second and third arguments to map of unequal length',
  209: 'invalid second argument to open', 210: 'non-ascending arguments to detab/entab', 211: 'by value equal to zero',
  212: 'attempt to read file not open for reading', 213: 'attempt to write file not open for writing',
  214: 'input/output error', 215: 'attempt to refresh &main', 216: 'external function not found',
  301: 'evaluation stack overflow', 302: 'memory violation', 303: 'inadequate space for evaluation stack',
  304: 'inadequate space in qualifier list', 305: 'inadequate space for static allocation',
  306: 'inadequate space in string region', 307: 'inadequate space in block region',
  308: 'system stack overflow in co-expression', 401: 'co-expressions not implemented',
  402: 'program not compiled with debugging option', 500: 'program malfunction', 600: 'vidget usage error',
  700: 'not allowed in the sandbox',
}

/** The error of who reaches out of the sandbox: scamp's own. */
export const forbidden = 700

/** One procedure call that an error leaves on its way out. */
export interface Left {
  readonly proc: Proc
  readonly args: readonly Value[]
  /** For the procedure that made a co-expression: an error that tells where it was called. */
  readonly origin?: Error
}

/**
 * A run-time error on its way to the top.
 *
 * blame   the expression that failed, as the traceback shows it: an operator with its operands, or a function
 * left    the procedure calls it has left so far, the innermost first
 */
export class IconError extends Error {
  readonly left: Left[] = []
  readonly starts: number[] = []
  blame: Blame | undefined
  readonly dump = machine.dump === 0 ? '' : machine.snapshot()
  /** Set when the error leaves a co-expression: what activated it is not part of the traceback. */
  sealed = false
  /** The JavaScript error behind it, which knows where the stack ended. */
  origin: Error | undefined
  constructor(
    readonly number: number,
    readonly value: Value | undefined,
  ) {
    super(errorTexts[number] ?? '')
  }
}

/** Raises an error that no setting of &error makes a failure. */
export function fatal(number: number, value?: Value): never {
  machine.error = 0
  throw fail(number, value)
}

/** What a traceback's last line shows; `form` says how. */
export interface Blame {
  readonly form: string
  readonly operands: readonly (Value | Shown)[]
}

/** An operand as text. */
export interface Shown {
  readonly shown: string
}

/** Thrown to end the program. */
export class Exit {
  readonly dump = machine.dump === 0 ? '' : machine.snapshot()
  constructor(readonly status: number) {}
}

/**
 * Raises an error, or, when &error says so, makes it a failure.
 *
 * form       the operator or function at fault
 * operands   its operands
 */
export function fail(
  number: number,
  value: Value | undefined,
  form?: string,
  operands?: readonly (Value | Shown)[],
): undefined {
  if (machine.error !== 0 && number !== 301) {
    machine.error--
    machine.errorNumber = number
    machine.errorText = errorTexts[number] ?? ''
    machine.errorValue = value
    return undefined
  }
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = Infinity
  const error = new IconError(number, value)
  Error.stackTraceLimit = limit
  if (form !== undefined) error.blame = { form, operands: operands ?? [] }
  throw error
}
