// Calls whose callee is known only at run time: procedures as values, integers, strings that name procedures.
import { asCset, asInteger, asNumber, asSmall, asString, Converted, needInteger, needString, raise } from './convert.js'
import { fail, IconError } from './errors.js'
import * as operators from './operators.js'
import { bang, bangRef, once } from './elements.js'
import { choose, chooseRef } from './random.js'
import { assignRef, deref, Ref, VarRef } from './references.js'
import { index, indexRef, section, sectionRef } from './subscripts.js'
import { functions, variableNamed } from './builtins.js'
import { errout, input } from './files.js'
import { csetKeywords } from './image.js'
import { machine } from './machine.js'
import { tabMatch } from './strings.js'
import { refresh } from './coexpressions.js'
import { IconRecord, List, Proc, type Result, type Results, type Value } from './values.js'

/** Arguments made as many as the procedure has parameters; the rest of a variadic one's in a list. */
function fit(proc: Proc, args: Value[]): Value[] {
  const { arity } = proc
  if (arity < 0) {
    if (proc.what === 'function') return args
    const fixed = -arity - 1
    const fitted = args.slice(0, fixed)
    while (fitted.length < fixed) fitted.push(null)
    fitted.push(new List(args.slice(fixed)))
    return fitted
  }
  if (args.length === arity) return args
  const fitted = args.slice(0, arity)
  while (fitted.length < arity) fitted.push(null)
  return fitted
}

/** Finds what a value calls: a procedure, or the argument that an integer selects; fails with error 106. */
function target(callee: Value, args: Value[]): Proc | number | undefined {
  if (callee instanceof Proc) return callee
  if (typeof callee === 'number') return callee
  const number = asSmall(callee)
  if (number !== undefined) return number
  const text = asString(callee)
  const proc = text === undefined ? undefined : procNamed(text, args.length)
  return proc ?? fail(106, text ?? callee, 'call', [text ?? callee, ...args])
}

function select(i: number, args: Value[]): Result {
  return args[i > 0 ? i - 1 : args.length + i]
}

/** callee(args…): the first result. */
export function invoke(callee: Value, ...args: Value[]): Result {
  if (callee instanceof Proc && callee.arity === args.length && callee.what === 'procedure') return callee.call(...args)
  const proc = target(callee, args)
  if (proc instanceof Proc) return operatorProcs.includes(proc) ? asFunction(proc, args) : proc.call(...fit(proc, args))
  return proc === undefined ? undefined : select(proc, args)
}

/** An operator called as a function: messages show it as one. */
function asFunction(proc: Proc, args: Value[]): Result {
  const fitted = fit(proc, args)
  try {
    return proc.call(...fitted)
  } catch (error) {
    if (error instanceof IconError) error.blame = { form: `f:${proc.name}`, operands: fitted }
    throw error
  }
}

/** callee(args…): all results. */
export function invokeAll(callee: Value, ...args: Value[]): Results {
  const proc = target(callee, args)
  if (proc instanceof Proc) {
    const fitted = fit(proc, args)
    if (proc.all) return proc.all(...fitted)
    return once(operatorProcs.includes(proc) ? asFunction(proc, args) : proc.call(...fitted))
  }
  return once(proc === undefined ? undefined : select(proc, args))
}

/** callee(args…) in code that may transfer between co-expressions: yields results and transfers. */
export function* invokeCo(callee: Value, ...args: Value[]): Generator<unknown, unknown, unknown> {
  const proc = target(callee, args)
  if (!(proc instanceof Proc)) return proc === undefined ? undefined : select(proc, args)
  const fitted = fit(proc, args)
  if (proc.co) return yield* proc.co(...fitted)
  if (!proc.all) return proc.call(...fitted)
  const results = proc.all(...fitted)
  for (let value = results.next().value; value !== undefined; value = results.next().value) yield value
  return undefined
}

/** The arguments that `p ! x` passes. */
function applied(callee: Value, x: Value): Value[] | undefined {
  if (x instanceof List) return x.a.slice(x.h)
  if (x instanceof IconRecord) return x.values()
  return fail(126, x, '!apply', [callee, x])
}

type Invoke<T> = (callee: Value, ...args: Value[]) => T

const applying =
  <T>(invoked: Invoke<T>, failed: () => T) =>
  (callee: Value, x: Value): T => {
    const args = applied(callee, x)
    return args === undefined ? failed() : blamed(callee, x, () => invoked(callee, ...args))
  }

/** callee ! x: the first result. */
export const apply = applying(invoke, () => undefined)

/** callee ! x: all results. */
export const applyAll = applying(invokeAll, () => once(undefined))

/** The same of what may work on variables. */
export const applyOn = applying(invokeOn, () => undefined)
export const applyAllOn = applying(invokeAllOn, () => once(undefined))

/** callee ! x in code that may transfer between co-expressions: yields results and transfers. */
const applyingCo = (invoked: Invoke<Generator<unknown, unknown, unknown>>) =>
  function* (callee: Value, x: Value): Generator<unknown, unknown, unknown> {
    const args = applied(callee, x)
    if (args === undefined) return undefined
    const results = blamed(callee, x, () => invoked(callee, ...args))
    let back: unknown
    for (;;) {
      const { value, done } = blamed(callee, x, () => results.next(back))
      if (done) return value
      back = yield value
    }
  }

export const applyCo = applyingCo(invokeCo)
export const applyCoOn = applyingCo(invokeCoOn)

/** An error in a function that is applied to a list is blamed on the application. */
function blamed<T>(callee: Value, x: Value, call: () => T): T {
  try {
    return call()
  } catch (error) {
    if (error instanceof IconError && error.left.length === 0)
      error.blame = {
        form: '! applied',
        operands: [typeof callee === 'number' ? callee : converted(callee), x],
      }
    throw error
  }
}

// ---- strings that name procedures, functions and operators

type Compute = (...args: Value[]) => Result
type Test = (a: Value, b: Value) => boolean

const comparison =
  (test: Test, result: (a: Value, b: Value) => Value): Compute =>
  (a, b) =>
    test(a, b) ? result(a, b) : undefined

const same = (a: Value): Value => a
const right = (_a: Value, b: Value): Value => b
const string = (_a: Value, b: Value): Value => operators.str(b)

// prettier-ignore
const operatorRows: [string, number, Compute, ((...args: Value[]) => Results)?][] = [
  ['+', 1, operators.num], ['-', 1, operators.neg], ['*', 1, operators.size], ['~', 1, operators.compl], ['?', 1, choose],
  ['=', 1, tabMatch], ['.', 1, same], ['^', 1, refresh],
  ['/', 1, (a) => (a === null ? null : undefined)], ['\\', 1, (a) => (a === null ? undefined : a)],
  ['!', 1, (a) => bang(a).next().value as Result, bang],
  ['+', 2, operators.add], ['-', 2, operators.sub], ['*', 2, operators.mul], ['/', 2, operators.div], ['%', 2, operators.rem], ['^', 2, operators.pow],
  ['<', 2, comparison(operators.lt, operators.numAs)], ['<=', 2, comparison(operators.le, operators.numAs)],
  ['=', 2, comparison(operators.eq, operators.numAs)], ['~=', 2, comparison(operators.ne, operators.numAs)],
  ['>=', 2, comparison(operators.ge, operators.numAs)], ['>', 2, comparison(operators.gt, operators.numAs)],
  ['<<', 2, comparison(operators.slt, string)], ['<<=', 2, comparison(operators.sle, string)],
  ['==', 2, comparison(operators.seq, string)], ['~==', 2, comparison(operators.sne, string)],
  ['>>=', 2, comparison(operators.sge, string)], ['>>', 2, comparison(operators.sgt, string)],
  ['===', 2, comparison(operators.eqv, right)], ['~===', 2, comparison(operators.nev, right)],
  ['||', 2, operators.cat], ['|||', 2, operators.lconcat],
  ['++', 2, operators.union], ['--', 2, operators.diff], ['**', 2, operators.inter],
  ['[]', 2, index], ['[:]', 3, section],
  ['...', 3, (from, to, by) => range(from, to, by).next().value as Result, range],
]

type OnVariables = (...operands: unknown[]) => Results

const wholeOf = (operand: unknown): Ref | null => (operand instanceof Ref ? operand : null)

// prettier-ignore
const onVariables: [string, number, OnVariables][] = [
  [':=', 2, (x, y) => once(assignRef(x, deref(y)) === undefined ? undefined : x)],
  [':=:', 2, (x, y) => once(exchange(x, y) ? x : undefined)],
  ['<-', 2, function* (x, y) { const old = deref(x); if (assignRef(x, deref(y)) !== undefined) { yield x; assignRef(x, old) } }],
  ['<->', 2, function* (x, y) { const [p, q] = [deref(x), deref(y)]; if (exchange(x, y)) { yield x; if (assignRef(x, p) !== undefined) assignRef(y, q) } }],
  ['[]', 2, (x, i) => once(indexRef(deref(x), deref(i), wholeOf(x)))],
  ['[:]', 3, (x, i, j) => once(sectionRef(deref(x), deref(i), deref(j), wholeOf(x)))],
  ['!', 1, (x) => bangRef(deref(x), wholeOf(x))], ['?', 1, (x) => once(chooseRef(deref(x), wholeOf(x)))],
  ['/', 1, (x) => once(deref(x) === null ? x : undefined)], ['\\', 1, (x) => once(deref(x) === null ? undefined : x)],
]

/** x :=: y; answers whether it could be done. */
function exchange(x: unknown, y: unknown): boolean {
  const [p, q] = [deref(x), deref(y)]
  return assignRef(x, q) !== undefined && assignRef(y, p) !== undefined
}

const operatorProcs: Proc[] = operatorRows.map(([name, arity, call, all]) => {
  const proc = new Proc(name, 'function', arity, call)
  proc.all = all
  return proc
})

for (const [name, arity, on] of onVariables) {
  let proc = operatorProcs.find((one) => one.name === name && one.arity === arity)
  if (!proc) {
    proc = new Proc(name, 'function', arity, (...args) => on(...args).next().value as Result)
    operatorProcs.push(proc)
  }
  proc.on = on
}

/** callee(operands…), where operands are variables if they can be: all results, which may be variables. */
export function invokeAllOn(callee: Value, ...operands: unknown[]): Results {
  return onVariablesOf(callee, operands) ?? invokeAll(callee, ...operands.map(deref))
}

/** The results of what works on variables; undefined of all else. */
function onVariablesOf(callee: Value, operands: unknown[]): Results | undefined {
  const proc = typeof callee === 'string' ? procNamed(callee, operands.length) : callee
  if (!(proc instanceof Proc)) return undefined
  if (proc === functions.get('name')) return once(nameOfRef(operands[0]))
  if (proc === functions.get('variable')) return once(variableRef(deref(operands[0] ?? null)))
  return proc.on && asOperator(proc, operands, proc.on)
}

/** The same in code that may transfer between co-expressions: yields results and transfers. */
export function* invokeCoOn(callee: Value, ...operands: unknown[]): Generator<unknown, unknown, unknown> {
  const results = onVariablesOf(callee, operands)
  if (!results) return yield* invokeCo(callee, ...operands.map(deref))
  for (let value = results.next().value; value !== undefined; value = results.next().value) yield value
  return undefined
}

/** Its first result. */
export function invokeOn(callee: Value, ...operands: unknown[]): Result {
  return invokeAllOn(callee, ...operands).next().value as Result
}

function asOperator(proc: Proc, operands: unknown[], on: OnVariables): Results {
  const fitted = Array.from({ length: proc.arity }, (_, i) => operands[i] ?? null)
  try {
    return on(...fitted)
  } catch (error) {
    if (error instanceof IconError) error.blame = { form: `f:${proc.name}`, operands: fitted.map(deref) }
    throw error
  }
}

/** name(v): the name of a variable. */
export function nameOfRef(ref: unknown): Result {
  return ref instanceof Ref ? ref.name() : fail(111, ref as Value, 'f:name', [ref as Value])
}

/** variable(s): the variable itself. */
export function variableRef(name: Value): VarRef | undefined {
  let id: string
  try {
    id = needString(name)
  } catch (error) {
    return blameFunction(error, 'variable', [name])
  }
  const variable = variableNamed(id)
  return (
    variable &&
    new VarRef(
      id,
      () => variable.get(),
      (value) => variable.set(value),
    )
  )
}

function* range(from: Value, to: Value, by: Value): Generator<Value> {
  const first = operators.toOperand(from, from, to, by)
  const last = first === undefined ? undefined : operators.toOperand(to, from, to, by)
  const step = last === undefined ? undefined : operators.byOperand(by, from, to)
  // an error became failure
  if (step === undefined) return
  const up = operators.gt(step, 0)
  for (let i: Value = first!; up ? i! <= last! : i! >= last!; i = operators.step(i, step)) yield i
}

/** The procedure, function or operator that a string names, to be called with so many arguments: what a global variable of that name now holds, if there is one. */
export function procNamed(name: string, count: number): Proc | undefined {
  const global = machine.globals.get(name)
  if (global) {
    const value = global.get()
    return value instanceof Proc ? value : undefined
  }
  const known = functions.get(name)
  if (known) return known
  return operatorProcs.find((proc) => proc.name === name && proc.arity === count)
}

/** proc(x, n) */
export function proc(x: Value, n: Value): Result {
  if (x instanceof Proc) return x
  const text = asString(x)
  if (text === undefined) return undefined
  const count = n === null ? 1 : needInteger(n)
  if (count < 0 || count > 3) return raise(205, asInteger(n))
  if (count === 0) return functions.get(text)
  return procNamed(text, count)
}

/** Arguments as messages show them: where analysis takes the subject, it stands for the argument left out. */
export function shownArguments(name: string, args: readonly Value[], number: number): readonly Value[] {
  if (args.length === 0) return args
  if (name === 'open') return shownOpen(args)
  if (name === 'display' && (args[1] ?? null) === null) return [args[0], errout]
  if (number === 205 && /^(left|right|center)$/.test(name)) return [converted(args[0]), args[1], args[2] ?? ' ']
  if (name === 'ord' && number !== 205) return args
  if (/^(left|right|center|repl|trim|ord|proc)$/.test(name)) return [converted(args[0]), ...args.slice(1)]
  if (/^(detab|entab)$/.test(name)) return [converted(args[0]), ...args.slice(1).map(asFarAs(args))]
  if (/^(iand|ior|ixor|ishift)$/.test(name)) return [asInteger(args[0] ?? null) ?? args[0], ...args.slice(1)]
  if (name === 'reads') return [args[0] ?? input, ...args.slice(1)]
  if (name === 'map') return shownMap(args)
  const at = name === 'bal' ? 3 : /^(any|find|many|match|upto)$/.test(name) ? 1 : -1
  if (at < 0) return args
  const shown = args.map((arg, i) => (i === at ? ((arg ?? null) === null ? machine.subject : converted(arg)) : arg))
  // csets are converted last, in turn
  if (name === 'bal' && number === 104)
    for (let i = 0; i < at && (shown[i] === null || asCset(shown[i])); i++) shown[i] &&= asCset(shown[i])!
  return shown
}

/** Those of open(): strings, as far as they are. */
function shownOpen(args: readonly Value[]): Value[] {
  const wrong = args.findIndex((x) => asString(x) === undefined)
  return args.map((x, i) => (i < 2 && (wrong < 0 || i < wrong) ? converted(x) : x))
}

/** The columns of detab() and entab(): integers, as far as they are. */
const asFarAs = (args: readonly Value[]) => {
  const wrong = args.findIndex((x, i) => (i === 0 ? asString(x) : asInteger(x)) === undefined)
  return (x: Value, i: number): Value => (wrong < 0 || i + 1 < wrong ? (asInteger(x) ?? x) : x)
}

/** An argument that the function has made a string already. */
const converted = (arg: Value | undefined): Value => (arg === undefined ? null : (asString(arg) ?? arg))

/** Those of map(), with the alphabets that are left out. */
function shownMap(args: readonly Value[]): Value[] {
  const [s, from, to] = [args[0] ?? null, args[1] ?? '&ucase', args[2] ?? '&lcase']
  const shown = [s, ...[from, to].map((x) => (x === '&ucase' || x === '&lcase' ? csetKeywords[x].members : x))]
  if (asString(s) === undefined) return [s, args[1] ?? null, args[2] ?? null]
  const wrong = shown.findIndex((x) => asString(x) === undefined)
  return shown.map((x, i) => (wrong < 0 || i < wrong || args[i] === undefined ? converted(x) : x))
}

/** What happens to an error inside a function: it learns the function's name and arguments; or is a failure. */
export function blameFunction(error: unknown, name: string, args: readonly Value[]): undefined {
  if (error instanceof Converted) return undefined
  if (error instanceof IconError)
    error.blame ??= { form: `f:${name}`, operands: shownArguments(name, args, error.number) }
  throw error
}

export { asNumber }
