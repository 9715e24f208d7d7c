// What iconx writes on stderr: error messages with their traceback, and the lines of &trace.
import { errorTexts, IconError, type Blame, type Shown } from './errors.js'
import type { Frame } from '../run.js'
import { complain } from './files.js'
import { shortImage } from './image.js'
import { machine } from './machine.js'
import { Ref } from './references.js'
import type { CoExpression, Proc, Value } from './values.js'

/**
 * Where in the program's text a place of the generated script came from. What raises errors has a place of its own; of
 * anything else, with `near`, the one before it is told.
 */
export type FindPlace = (line: number, column: number, near?: boolean) => Place | undefined

/** A place in the source; `variables` tells, for a call, which arguments are variables: v for each that is. */
export interface Place {
  readonly file: string
  readonly line: number
  readonly variables: string
}

/** A compiled program. */
export interface Compiled {
  /** Whether the program can see what storage it takes. */
  readonly asksStorage: boolean
  readonly script: string
  readonly findPlace: FindPlace
}

/** The name under which generated scripts appear in JavaScript's stack traces. */
export const scriptName = 'icon-program'

/** A place in the generated script: the function's name, line and column. */
interface StackFrame {
  readonly name: string
  readonly line: number
  readonly column: number
}

/** Where the functions of the script stood when an error was made; nobody may have looked at its stack before. */
function stackOf(error: Error): StackFrame[] {
  const { prepareStackTrace } = Error
  Error.prepareStackTrace = (_, sites) =>
    sites.flatMap((site): StackFrame[] => {
      if (site.getFileName() !== scriptName) return []
      return [{ name: site.getFunctionName() ?? '', line: site.getLineNumber()!, column: site.getColumnNumber()! }]
    })
  const stack = error.stack as unknown as StackFrame[]
  Object.assign(Error, { prepareStackTrace })
  return stack
}

/**
 * Where each left procedure stood: element 0 is the place of the error, element i of the i-th call. With `near`, an error
 * in what has no place of its own, such as taking the value of a variable, is where the operation before it was.
 */
function places(error: Error, find: FindPlace, near: boolean): (Place | undefined)[] {
  const result: (Place | undefined)[] = []
  let fresh = true
  for (const { name, line, column } of stackOf(error)) {
    const id = name.replace(/^.*\./, '')
    if (id.startsWith('b_')) continue
    if (fresh) result.push(find(line, column) ?? (near && result.length === 0 ? find(line, column, true) : undefined))
    if (id.startsWith('c_')) break
    fresh = id.startsWith('p_')
  }
  return result
}

const isShown = (value: Value | Shown): value is Shown =>
  value !== null && typeof value === 'object' && 'shown' in value

const imageOf = (value: Value | Shown): string => (isShown(value) ? value.shown : shortImage(value))

const list = (values: readonly (Value | Shown)[]): string => values.map(imageOf).join(',')

/** The offending expression as a traceback's last line shows it. */
function blameText({ form, operands }: Blame, variables: string): string {
  const shown = operands.map((value) => (value === undefined ? '' : imageOf(value)))
  const [, b, c] = shown
  const a =
    !/^(\[\]|\[:\]|\?|!|!apply|@)$/.test(form) || operands.length === 0 || isShown(operands[0])
      ? shown[0]
      : variables[0] === 'v' || (variables[0] === 'e' && typeof operands[0] !== 'string')
        ? `(variable = ${shown[0]})`
        : variables[0] === '&'
          ? `${variables} = ${shown[0]}`
          : shown[0]
  if (form.startsWith('f:')) return `${form.slice(2)}(${list(operands)})`
  switch (form) {
    case 'call':
      return `${a}(${operands
        .slice(1)
        .map((value, i) => (variables[i] === 'v' ? `(variable = ${imageOf(value)})` : imageOf(value)))
        .join(',')})`
    case 'to':
      return `{${a} to ${b} by ${c}}`
    case '[]':
      return `{${a}[${b}]}`
    case '[:]':
      return `{${a}[${b}:${c}]}`
    case '?..':
      return `{${a} ? ..}`
    case '@':
      return `{${a} @ ${b}}`
    case '! applied':
    case '!apply':
      return `${a} ! ${b}`
    case 'create':
      return '{create ..}'
    case '.':
      return `{${a} . ${operands[1] as string}}`
    case 'limit':
      return `limit counter: ${a}`
    case '[...]':
      return '[ ... ]'
    case 'keyword':
      return 'bad keyword reference'
    default:
      return operands.length >= 2 ? `{${a} ${form} ${b}}` : `{${form}${a}}`
  }
}

/** Where the procedures stand that are active in the current co-expression, the innermost first. */
export function framesOf(find: FindPlace): Frame[] {
  Error.stackTraceLimit = Infinity
  return framesIn(stackOf(new Error('here')), find)
}

function framesIn(stack: readonly StackFrame[], find: FindPlace): Frame[] {
  const frames: Frame[] = []
  let callee: string | undefined
  let fresh = true
  for (const { name, line, column } of stack) {
    const id = name.replace(/^.*\./, '')
    if (id.startsWith('b_')) {
      callee = id.slice(2).replace(/\$\w+$/, '')
      continue
    }
    const place = fresh ? find(line, column, true) : undefined
    if (place) frames.push({ file: place.file, line: place.line, ...(callee !== undefined && { callee }) })
    if (id.startsWith('c_')) break
    fresh = id.startsWith('p_')
    if (fresh) callee = id.slice(2).replace(/\$\w+$/, '')
  }
  return frames
}

/** Writes an error's message and traceback. Answers where the procedures stood. */
export function reportError(error: IconError, find: FindPlace): Frame[] {
  const { left, origin } = error
  const at = places(origin ?? error, find, origin === undefined)
  // a stack may be exhausted where a procedure has not begun
  const unbegun = origin && at[0] === undefined ? /^p_(\w+)/.exec(stackOf(origin)[0]?.name)?.[1] : undefined
  if (origin && at[0] === undefined) at.shift()
  const here = at.find((place) => place !== undefined) ?? { file: machine.file, line: machine.line, variables: '' }
  let text = `\nRun-time error ${error.number}\n`
  text += `File ${here.file}; Line ${here.line}\n${errorTexts[error.number] ?? ''}\n`
  if (error.value !== undefined) text += `offending value: ${shortImage(error.value)}\n`
  text += 'Traceback:\n'
  // of an exhausted stack the innermost calls, and most of the others, are not in `left`
  const missing = origin ? at.length - left.length : 0
  const frames: Frame[] = []
  for (let i = left.length - 1; i >= 0; i--) {
    const { proc, args, origin: creation } = left[i]
    const place = creation ? places(creation, find, false)[1] : at[i + 1 + missing]
    // who made a co-expression may have returned long ago
    if (place && !creation && !origin) frames.push({ file: place.file, line: place.line, callee: proc.name })
    text += `${proc.name}(${list(args)})${place ? ` from line ${place.line} in ${place.file}` : ''}\n`
  }
  if (origin) frames.push(...tallied(framesIn(stackOf(origin), find).slice(unbegun === undefined ? 1 : 2)))
  frames.push({
    file: here.file,
    line: here.line,
    ...(error.blame && blamed(error.blame, here.variables)),
    ...(unbegun !== undefined && { callee: unbegun, unbegun: true }),
  })
  if (error.blame) text += `${blameText(error.blame, here.variables)} from line ${here.line} in ${here.file}\n`
  complain(text)
  return frames
}

/** Writes that memory is exhausted. What procedures were called with is not known then. */
export function reportExhaustion(frames: readonly Frame[]): void {
  const [here] = frames
  const place = here ? `File ${here.file}; Line ${here.line}\n` : ''
  const calls = [...frames].reverse().flatMap(({ file, line, callee }) => {
    return callee === undefined ? [] : [`${callee}(..) from line ${line} in ${file}\n`]
  })
  complain(`\nRun-time error 307\n${place}${errorTexts[307]}\nTraceback:\nmain(..)\n${calls.join('')}`)
}

/** Frames that are the same, once each. */
function tallied(frames: readonly Frame[]): Frame[] {
  const known = new Map<string, { frame: Frame; times: number }>()
  for (const frame of frames) {
    const key = `${frame.callee} ${frame.line} ${frame.file}`
    const one = known.get(key)
    if (one) one.times++
    else known.set(key, { frame, times: 1 })
  }
  return [...known.values()].map(({ frame, times }) => ({ ...frame, times }))
}

const blamed = (blame: Blame, variables: string): Pick<Frame, 'callee' | 'operation'> =>
  blame.form.startsWith('f:') ? { callee: blame.form.slice(2) } : { operation: blameText(blame, variables) }

// ---- &trace

function line(file: string, at: number, text: string): void {
  const place = at === 0 ? '             :       ' : `${file.slice(-13).padEnd(13)}: ${String(at).padStart(4)}  `
  complain(`${place}${'| '.repeat(Math.max(0, machine.level))}${text}\n`)
}

export function traceCall(proc: Proc, args: readonly Value[]): void {
  machine.level++
  if (machine.trace === 0) return
  machine.level--
  machine.trace--
  line(machine.file, machine.line, `${proc.name}(${list(args)})`)
  machine.level++
}

const resultImage = (value: unknown): string => (value instanceof Ref ? value.image() : shortImage(value as Value))

function traceEnd(file: string, at: number, text: string): void {
  if (machine.trace === 0) return
  machine.trace--
  line(file, at, text)
}

export function traceReturn(proc: Proc, file: string, at: number, value: unknown): void {
  machine.level--
  traceEnd(file, at, `${proc.name} returned ${resultImage(value)}`)
}

export function traceFail(proc: Proc, file: string, at: number): void {
  machine.level--
  traceEnd(file, at, `${proc.name} failed`)
}

export function traceSuspend(proc: Proc, file: string, at: number, value: unknown): void {
  machine.level--
  traceEnd(file, at, `${proc.name} suspended ${resultImage(value)}`)
}

export function traceResume(proc: Proc): void {
  if (machine.trace !== 0) {
    machine.trace--
    line(machine.file, machine.line, `${proc.name} resumed`)
  }
  machine.level++
}

/** A transfer between co-expressions. */
export function traceTransfer(proc: string, from: CoExpression, what: string, to: CoExpression): void {
  if (machine.trace === 0) return
  machine.trace--
  line(machine.file, machine.line, `${proc}; co-expression_${from.id} ${what} co-expression_${to.id}`)
}
