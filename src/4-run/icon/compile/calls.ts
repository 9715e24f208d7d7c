// Calls. What is called is known when the name is never assigned: then the call is a JavaScript call. Otherwise
// the library looks at the value at run time.
import type { Expression } from '../../../1-parse/icon/ast.js'
import { builtins, graphics } from '../builtins.js'
import { isAssignmentNode, isNamed, mayGiveVariable } from './variables.js'
import { constant, effect, isRef, type Code, type Context, type Label, type Want } from './context.js'
import { operandValues, resumable } from './expressions.js'
import { eachResult } from './generators.js'
import { integerLiteral } from './literals.js'
import { isOnVariables } from './facts.js'
import { firstCo, returned, variableOrValue, type Operation } from './operations.js'

/** Functions that never fail. */
// prettier-ignore
const total = new Set(('abs acos args asin atan center char close collect copy cos delay detab display dtor entab exp flush iand icom image ' +
  'insert ior ishift ixor left list log map push put repl reverse right rtod set sin sort sortf sqrt stop table tan trim ' +
  'type write writes delete ord exit').split(' '))

type Call = Expression & { kind: 'Call' }

export function callOperation(c: Context, e: Call): Operation {
  const { callee } = e
  if (callee.kind === 'Identifier') {
    const variable = c.variables.get(callee.name)!
    if (variable.kind === 'procedure') return procedureCall(c, e, callee.name)
    if (variable.kind === 'record') return recordCall(c, e, callee.name)
    if (variable.kind === 'function') return functionCall(c, e, callee.name)
  }
  if (callee.kind === 'Integer') return selection(c, e, Number(integerLiteral(callee.text)))
  return unknownCall(c, e)
}

const token = (e: Call): number => e.callee.last + 1

/** Arguments as many as there are parameters. */
function fitted(codes: readonly Code[], count: number): string[] {
  const args = codes.slice(0, count).map(({ text }) => text)
  while (args.length < count) args.push('null')
  return args
}

function extra(c: Context, codes: readonly Code[], count: number): void {
  for (const code of codes.slice(count)) if (code.kind === 'effect') c.line(`${code.text};`)
}

function procedureCall(c: Context, e: Call, name: string): Operation {
  const facts = c.facts.procedures.get(name)!
  const { parameters, variadic } = facts.node
  const fixed = variadic ? parameters.length - 1 : parameters.length
  const arguments_ = (codes: readonly Code[]) => {
    if (!variadic) extra(c, codes, fixed)
    const args = fitted(codes, fixed)
    if (variadic) {
      const rest = codes.slice(fixed).map(({ text }) => text)
      args.push(`new ${c.use('List')}([${rest.join(', ')}])`)
    }
    c.note(token(e))
    return args.join(', ')
  }
  const co = c.co && facts.transfers
  const variables = c.facts.returnsVariables || facts.givesVariables
  return {
    operands: e.args,
    resumes: facts.suspends,
    canFail: true,
    first(codes, want, fail) {
      const args = arguments_(codes)
      const mark = c.mark(token(e))
      if (co) {
        if (facts.suspends) return firstCo(c, `${mark}p_${name}$co(${args})`, fail, want, variables)
        return returned(c, `(yield* ${mark}p_${name}$co(${args}))`, fail, want, variables)
      }
      if (facts.suspends) return returned(c, `p_${name}$all(${args}).${mark}next().value`, fail, want, variables)
      return returned(c, `${mark}p_${name}(${args})`, fail, want, variables)
    },
    all(codes, want, k) {
      const args = arguments_(codes)
      const mark = c.mark(token(e))
      const results = `p_${name}${co ? '$co' : '$all'}(${args})`
      eachResult(c, results, mark, (code) => k(variableOrValue(c, code, want, variables)))
    },
  }
}

function recordCall(c: Context, e: Call, name: string): Operation {
  const { fields } = c.facts.records.get(name)!.node
  return {
    operands: e.args,
    resumes: false,
    canFail: false,
    first(codes) {
      extra(c, codes, fields.length)
      const code = effect(`new C_${name}(${fitted(codes, fields.length).join(', ')})`)
      return code
    },
  }
}

/** i(e1, e2, …): the value of the i-th; all must succeed. */
function selection(c: Context, e: Call, i: number): Operation {
  const at = i > 0 ? i - 1 : e.args.length + i
  const isVariable = mayGiveVariable(c, e.args[at] ?? null)
  return {
    operands: e.args.map((arg, j) => (j === at && arg && isVariable ? { ref: arg } : arg)),
    resumes: false,
    canFail: !(at >= 0 && at < e.args.length) || i === 0,
    first(codes, want, fail) {
      codes.forEach((code, j) => {
        if (j !== at && code.kind === 'effect') c.line(`${code.text};`)
      })
      if (this.canFail) {
        c.line(c.jump(fail))
        return constant('null')
      }
      if (isRef(want) || !isVariable) return codes[at]
      return effect(`${c.use('deref')}(${codes[at].text})`)
    },
  }
}

// ---- built-in functions

/** What adds one value to a list, of functions that add any number. */
const withOneValue: Readonly<Record<string, string>> = { put: 'putOne', push: 'pushOne' }

/** Declares the wrapper that gives errors inside a function its name and arguments; answers the wrapper's name. */
function wrapper(c: Context, name: string, count: number, all: boolean): string {
  const { script } = c
  const id = `b_${name}${all ? '$all' : ''}${builtins.get(name)!.arity < 0 ? `$${count}` : ''}`
  if (script.wrappers.has(id)) return id
  const args = Array.from({ length: count }, (_, i) => `a${i}`)
  const short = count === 2 && Object.hasOwn(withOneValue, name) ? withOneValue[name] : undefined
  const target = short ? script.use(short) : script.constant(`B.get(${JSON.stringify(name)}).${all ? 'all' : 'call'}`)
  return guarded(c, id, target, name, args, args)
}

/** Declares a function that calls `target` and blames its errors on a function of Icon's, called with such arguments. */
function guarded(
  { script }: Context,
  id: string,
  target: string,
  blamed: string,
  parameters: readonly string[],
  args: readonly string[],
): string {
  const list = parameters.join(', ')
  script.wrappers.set(
    id,
    `function ${id}(${list}) { try { return ${target}(${list}); } catch (e) { return ${script.use('blameFunction')}(e, ${JSON.stringify(blamed)}, [${args.join(', ')}]); } }`,
  )
  return id
}

/** What moves over the text that an analysis of the subject finds: in one step, when that is never resumed. */
// prettier-ignore
const steps: Readonly<Record<string, { readonly text: string; readonly position: string }>> = {
  any: { text: 'tabAny', position: 'passAny' }, many: { text: 'tabMany', position: 'passMany' },
  upto: { text: 'tabUpto', position: 'passUpto' },
}

interface ScanningStep {
  readonly inner: Call
  readonly name: string
  readonly characters: Expression
}

/** tab(any(c)) and its like. */
function scanningStepOf(c: Context, e: Expression): ScanningStep | undefined {
  if (!isFunctionCall(c, e, 'tab') || e.args.length !== 1 || c.facts.converts || c.facts.usesTrace) return undefined
  const [inner] = e.args
  if (inner?.kind !== 'Call' || inner.callee.kind !== 'Identifier' || inner.args.length !== 1) return undefined
  const { name } = inner.callee
  const [characters] = inner.args
  if (!Object.hasOwn(steps, name) || !isFunctionCall(c, inner, name)) return undefined
  return characters === null || resumable(c, characters) ? undefined : { inner, name, characters }
}

/** The first result of such an expression; undefined for all others. */
export function scanningStep(c: Context, e: Expression, want: Want, fail: Label): Code | undefined {
  const found = scanningStepOf(c, e)
  if (!found) return undefined
  const { inner, name, characters } = found
  const [code] = operandValues(c, [characters], fail)
  const mover = want === 'none' ? steps[name].position : steps[name].text
  const wrapped = guarded(c, `b_${mover}`, c.use(mover), name, ['a0'], ['a0', 'null', 'null', 'null'])
  return c.check(`${c.mark(token(inner))}${wrapped}(${code.text})`, fail, want)
}

/** The same where it may be resumed: what has moved &pos puts it back. Answers whether it is such an expression. */
export function eachScanningStep(c: Context, e: Expression, want: Want, k: (code: Code) => void): boolean {
  const found = scanningStepOf(c, e)
  // upto() may have several results
  if (!found || found.name === 'upto') return false
  const old = c.fresh('p')
  const failed = c.label()
  c.block(failed, () => {
    c.line(`const ${old} = ${c.use('S')}.pos;`)
    k(scanningStep(c, e, want, failed)!)
    c.line(`S.pos = ${old};`)
  })
  return true
}

function isFunctionCall(c: Context, e: Expression, name: string): e is Call {
  return (
    e.kind === 'Call' &&
    e.callee.kind === 'Identifier' &&
    e.callee.name === name &&
    c.variables.get(name)?.kind === 'function'
  )
}

function functionCall(c: Context, e: Call, name: string): Operation {
  if (graphics.has(name)) return unknownCall(c, e)
  if (name === 'name' && e.args.length > 0 && e.args[0]) return nameCall(c, e, e.args[0])
  const { arity, all } = builtins.get(name)!
  const count = arity < 0 ? e.args.length : arity
  return {
    operands: e.args,
    resumes: all !== undefined,
    canFail: !(total.has(name) || (name === 'tab' && givesPosition(c, e.args[0]))) || c.facts.converts,
    first(codes, want, fail) {
      extra(c, codes, count)
      c.note(token(e))
      if (name === 'variable' && isRef(want)) {
        return c.check(c.call('variableRef', token(e), fitted(codes, 1)[0]), fail, want)
      }
      const text = `${c.mark(token(e))}${wrapper(c, name, count, false)}(${fitted(codes, count).join(', ')})`
      const code = this.canFail ? c.check(text, fail, want) : effect(text)
      return code
    },
    all(codes, want, k) {
      extra(c, codes, count)
      if (name === 'tab' || name === 'move') {
        // what moved &pos puts it back when resumed
        const old = c.fresh('p')
        const failed = c.label()
        c.block(failed, () => {
          c.line(`const ${old} = ${c.use('S')}.pos;`)
          k(this.first(codes, want, failed))
          c.line(`S.pos = ${old};`)
          c.note(token(e))
        })
        return
      }
      const mark = c.mark(token(e))
      const call = `${mark}${wrapper(c, name, count, true)}(${fitted(codes, count).join(', ')})`
      const results = c.facts.converts ? `(${call} ?? ${c.use('once')}(undefined))` : call
      eachResult(c, results, mark, (code) => k(code))
    },
  }
}

/** Whether an argument is a position in the subject, so that tab() cannot fail: upto(c) and its like. */
function givesPosition(c: Context, e: Expression | null | undefined): boolean {
  if (e?.kind !== 'Call' || e.callee.kind !== 'Identifier' || c.variables.get(e.callee.name)?.kind !== 'function')
    return false
  const subject = e.callee.name === 'bal' ? 3 : 1
  return /^(any|bal|find|many|match|upto)$/.test(e.callee.name) && e.args.length <= subject
}

/** name(v): the name of a variable. */
function nameCall(c: Context, e: Call, variable: Expression): Operation {
  return {
    operands: [{ ref: variable }, ...e.args.slice(1)],
    resumes: false,
    canFail: c.facts.converts,
    first: ([ref], want, fail) => c.compute(`${c.call('nameOfRef', token(e), ref.text)}`, fail, want),
  }
}

// ---- calls of what is known only at run time

/** Whether an argument looks like an element of a list. */
const isElementOf = (e: Expression): boolean => e.kind === 'Unary' && e.operator === '!'

/** Whether an argument assigns a variable with a name, which it then is. */
const givesNamed = (c: Context, e: Expression): boolean =>
  e.kind === 'Paren' && e.expressions.length === 1
    ? e.expressions[0] !== null && givesNamed(c, e.expressions[0])
    : isAssignmentNode(e) && isNamed(c, e.left)

function unknownCall(c: Context, e: Call): Operation {
  // an error message tells which arguments are variables
  const variables = e.args.map((arg) =>
    arg && (isNamed(c, arg) || isElementOf(arg) || givesNamed(c, arg)) ? 'v' : '-',
  )
  const mark = () => c.mark(token(e), variables.join(''))
  const named = c.facts.namesVariables || (e.callee.kind === 'String' && isOnVariables(e.callee.text))
  const gives = named || c.facts.givesVariables
  return {
    operands: [e.callee, ...(named ? e.args.map((arg) => arg && { ref: arg }) : e.args)],
    resumes: true,
    canFail: true,
    first(codes, want, fail) {
      c.note(token(e))
      const args = codes.map(({ text }) => text)
      if (c.co) {
        const results = `${mark()}${c.use(named ? 'invokeCoOn' : 'invokeCo')}(${args.join(', ')})`
        return firstCo(c, results, fail, want, gives)
      }
      return returned(c, `${mark()}${c.use(named ? 'invokeOn' : 'invoke')}(${args.join(', ')})`, fail, want, gives)
    },
    all(codes, want, k) {
      c.note(token(e))
      const args = codes.map(({ text }) => text)
      const invoked = c.co ? (named ? 'invokeCoOn' : 'invokeCo') : named ? 'invokeAllOn' : 'invokeAll'
      const results = `${mark()}${c.use(invoked)}(${args.join(', ')})`
      eachResult(c, results, mark(), (code) => k(variableOrValue(c, code, want, gives)))
    },
  }
}
