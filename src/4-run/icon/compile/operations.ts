// Operations: expressions that evaluate all their operands and then compute. What an operation needs and does is
// stated once; expressions.ts evaluates the operands for one result or for all.
import type { Expression } from '../../../1-parse/icon/ast.js'
import { wholeOf } from './targets.js'
import { assignsItself, isAssignmentNode, nested, shownAs } from './variables.js'
import { callOperation } from './calls.js'
import { constant, effect, isRef, type Code, type Context, type Label, type Want } from './context.js'
import { createValue, isControl } from './control.js'
import { fieldGetter } from './fields.js'
import { isElement } from './expressions.js'
import { eachElement, eachResult } from './generators.js'
import { integerLiteral } from './literals.js'
import { comparing, computing, unary } from './operators.js'

/** An operand: its value, or, for operations on variables, the variable. */
export type Operand = Expression | null | { readonly ref: Expression }

/**
 * An operation.
 *
 * resumes   it has results of its own beyond the first, or something to undo; then `all` runs k for each
 * canFail   it may fail even though its operands have values
 */
export interface Operation {
  readonly operands: readonly Operand[]
  readonly resumes: boolean
  readonly canFail: boolean
  first(codes: readonly Code[], want: Want, fail: Label): Code
  all?(codes: readonly Code[], want: Want, k: (code: Code) => void): void
}

/** An expression as an operation; undefined when it is something else. */
export function operationOf(c: Context, e: Expression, want: Want = 'value'): Operation | undefined {
  if (isControl(e)) return undefined
  // what is known of an expression is asked for again and again
  const known = isRef(want) ? c.variableOperations : c.operations
  if (known.has(e)) return known.get(e)
  const operation = (isRef(want) ? variableOperation(c, e) : undefined) ?? newOperation(c, e)
  known.set(e, operation)
  return operation
}

/** An operation that gives a variable which is its operand, or part of it: when that has a name, nothing is special. */
function variableOperation(c: Context, e: Expression): Operation | undefined {
  if (e.kind === 'Subscript' && (e.subscripts.length > 1 || !hasName(e.operand))) return subscript(c, e, true)
  if (e.kind === 'Section' && !hasName(e.operand)) return section(c, e, true)
  if (e.kind !== 'Unary' || e.operator.length > 1 || hasName(e.operand)) return undefined
  const token = e.first
  switch (e.operator) {
    case '/':
    case '\\':
      return plainOn(c, e.operand, (ref, fail) => {
        c.line(`if (${c.use('deref')}(${ref}) ${e.operator === '/' ? '!==' : '==='} null) { ${c.jump(fail)} }`)
        return constant(ref)
      })
    case '?':
      return plainOn(c, e.operand, (ref, fail) => {
        const { of, whole } = wholeAssigned(c, constant(ref))
        return c.check(c.call('chooseRef', token, of, whole()), fail, 'ref')
      })
    default:
      return undefined
  }
}

/** An operation on a variable, if its operand is one. */
function plainOn(c: Context, operand: Expression, first: (ref: string, fail: Label) => Code): Operation {
  return {
    operands: [{ ref: operand }],
    resumes: false,
    canFail: true,
    first: ([code], _want, fail) => first(c.settle(code).text, fail),
  }
}

const hasName = (e: Expression): boolean => e.kind === 'Identifier' || e.kind === 'Keyword'

function newOperation(c: Context, e: Expression): Operation | undefined {
  switch (e.kind) {
    case 'Keyword':
      return keyword(c, e)
    case 'List':
      return plain(c, e.elements, false, (codes) => {
        return effect(`${c.mark(e.first)}new ${c.use('List')}([${texts(codes)}])`)
      })
    case 'Call':
      return callOperation(c, e)
    case 'ControlCall':
      return controlCall(c, e)
    case 'Subscript':
      return subscript(c, e)
    case 'Section':
      return section(c, e)
    case 'Field':
      return field(c, e)
    case 'To':
      return to(c, e)
    case 'Unary':
      return e.operator.length === 1 && e.operator !== '|' ? unaryOperation(c, e) : undefined
    case 'Binary':
      return isAssignmentNode(e) ? undefined : binary(c, e)
    default:
      return undefined
  }
}

const texts = (codes: readonly Code[]): string => codes.map(({ text }) => text).join(', ')

/** An operation with one result, which is never a variable. */
function plain(
  c: Context,
  operands: readonly Operand[],
  canFail: boolean,
  compute: (codes: readonly Code[], want: Want, fail: Label) => Code,
): Operation {
  return {
    operands,
    resumes: false,
    canFail: canFail || c.facts.converts,
    first: (codes, want, fail) => compute(codes, want === 'none' ? 'none' : 'value', fail),
  }
}

// ---- keywords

const always = new Set(['allocated', 'collections', 'features', 'regions', 'storage'])
// prettier-ignore
const constants = new Set(['ascii', 'cset', 'digits', 'lcase', 'letters', 'ucase', 'e', 'phi', 'pi', 'input', 'output', 'errout', 'version'])
const variables = new Set(['pos', 'subject', 'random', 'trace', 'error', 'dump', 'progname'])

function keyword(c: Context, e: Expression & { kind: 'Keyword' }): Operation {
  const name = JSON.stringify(e.name)
  const call = () => c.call('keyword', e.first, name)
  return {
    operands: [],
    resumes: always.has(e.name),
    canFail: !constants.has(e.name) && !variables.has(e.name) && !['null', 'line', 'file', 'level'].includes(e.name),
    first(_codes, want, fail) {
      c.lastToken = e.first
      if (isRef(want) && variables.has(e.name)) return effect(`${c.use('keywordRef')}(${name})`)
      switch (e.name) {
        case 'null':
          return constant('null')
        case 'fail':
          c.line(c.jump(fail))
          return constant('null')
        case 'line':
          return constant(String(c.place(e.first).line))
        case 'file':
          return constant(JSON.stringify(c.place(e.first).file))
        case 'subject':
        case 'pos':
        case 'level':
          return { text: `${c.use('S')}.${e.name}`, kind: 'global' }
      }
      if (constants.has(e.name)) return constant(c.script.constant(`${c.use('keyword')}(${name})`))
      if (variables.has(e.name)) return { text: call(), kind: 'global' }
      return c.check(call(), fail, want)
    },
    all(_codes, _want, k) {
      eachResult(c, `${c.use('keywordAll')}(${name})`, '', k)
    },
  }
}

// ---- calls of co-expressions: p{e1, e2}

function controlCall(c: Context, e: Expression & { kind: 'ControlCall' }): Operation {
  const list = () => {
    const made = e.args.map((arg) => (arg === null ? 'null' : createValue(c, arg, e.first).text))
    return constant(`new ${c.use('List')}([${made.join(', ')}])`)
  }
  const call = callOperation(c, { kind: 'Call', first: e.first, last: e.last, callee: e.callee, args: [null] })
  return {
    ...call,
    first: (codes, want, fail) => call.first([...codes.slice(0, -1), list()], want, fail),
    all: (codes, want, k) => call.all?.([...codes.slice(0, -1), list()], want, k),
  }
}

// ---- subscripts, sections, fields

function subscript(c: Context, e: Expression & { kind: 'Subscript' }, assigned = assignsItself(e.operand)): Operation {
  // x[i, j] is x[i][j]
  if (e.subscripts.length > 1) return subscript(c, nested(e) as Expression & { kind: 'Subscript' }, assigned)
  const [i] = e.subscripts
  const token = e.operand.last + 1
  const variables = shownAs(c, e.operand)
  return {
    operands: [assigned ? { ref: e.operand } : e.operand, i],
    resumes: false,
    canFail: true,
    first([x, at], want, fail) {
      const { of, whole } = assigned ? wholeAssigned(c, x) : { of: x.text, whole: () => wholeOf(c, e.operand) }
      const origin = originOf(c, e.operand)
      const operands = [x, at].map(({ text }) => text)
      if (operands.every((text) => plainName.test(text))) c.lastElement = { node: e, operands }
      if (!isRef(want)) return c.check(c.callOn(variables, 'index', token, of, at.text, ...origin), fail, want)
      return c.check(c.callOn(variables, 'indexRef', token, of, at.text, whole()), fail, want)
    },
  }
}

/** Code without effects, whose value stays. */
const plainName = /^(-?[\w$.]+|"[^"]*")$/

/** The operands of the subscript that an expression is, for messages, if the code has names for them. */
function originOf(c: Context, e: Expression): readonly string[] {
  if (e.kind === 'Paren' && e.expressions.length === 1)
    return e.expressions[0] === null ? [] : originOf(c, e.expressions[0])
  return c.lastElement?.node === e ? c.lastElement.operands : []
}

/** The two ends of a section, as codes. */
export function sectionEnds(
  c: Context,
  e: Expression & { kind: 'Section' },
  from: Code,
  to: Code,
  fail: Label,
): [Code, Code] {
  if (e.operator === ':') return [from, to]
  const start = from.kind === 'effect' ? c.settle(from) : from
  const name = e.operator === '+:' ? 'add' : 'sub'
  return [start, c.settle(c.compute(c.call(name, e.from.last + 1, start.text, to.text), fail, 'value'))]
}

function section(c: Context, e: Expression & { kind: 'Section' }, assigned = assignsItself(e.operand)): Operation {
  const token = e.from.last + 1
  const variables = shownAs(c, e.operand)
  return {
    operands: [assigned ? { ref: e.operand } : e.operand, e.from, e.to],
    resumes: false,
    canFail: true,
    first([x, from, to], want, fail) {
      const origin = originOf(c, e.operand)
      const settled = x.kind === 'effect' ? c.settle(x) : x
      const [i, j] = sectionEnds(c, e, from, to, fail)
      const { of, whole } = assigned
        ? wholeAssigned(c, settled)
        : { of: settled.text, whole: () => wholeOf(c, e.operand) }
      if (!isRef(want)) return c.check(c.callOn(variables, 'section', token, of, i.text, j.text, ...origin), fail, want)
      return c.check(c.callOn(variables, 'sectionRef', token, of, i.text, j.text, whole()), fail, want)
    },
  }
}

function field(c: Context, e: Expression & { kind: 'Field' }): Operation {
  const token = e.operand.last + 1
  return {
    operands: [e.operand],
    resumes: false,
    canFail: c.facts.converts,
    first([x], want, fail) {
      const place = c.script.constant(
        `${c.use('fieldPlace')}(${JSON.stringify(e.name)}, ${c.facts.fieldNames.has(e.name)})`,
        false,
      )
      const get = isRef(want) ? c.use('fieldRef') : fieldGetter(c, e.name)
      const code = `${c.mark(token)}${get}(${x.text}, ${place})`
      return c.compute(code, fail, want)
    },
  }
}

// ---- unary operators

function unaryOperation(c: Context, e: Expression & { kind: 'Unary' }): Operation | undefined {
  const token = e.first
  const { operator, operand } = e
  const whole = () => wholeOf(c, operand)
  const variables = shownAs(c, operand)
  switch (operator) {
    case '.':
      return plain(c, [operand], false, ([x]) => (x.kind === 'const' ? x : c.settle(x)))
    case '/':
    case '\\': {
      const test = operator === '/' ? '!==' : '==='
      return {
        operands: [operand],
        resumes: false,
        canFail: true,
        first([x], want, fail) {
          if (isRef(want)) {
            // the operand is evaluated here again, as a variable
            const variable = wholeOf(c, operand)
            const ref = variable === 'null' ? x : c.settle(effect(variable))
            c.line(`if (${x.text} ${test} null) { ${c.jump(fail)} }`)
            return ref
          }
          const code = x.kind === 'effect' ? c.settle(x) : x
          c.line(`if (${code.text} ${test} null) { ${c.jump(fail)} }`)
          return operator === '/' ? constant('null') : code
        },
      }
    }
    case '!':
      if (givesVariable(c, operand)) return elementsOfVariable(c, operand, token)
      return {
        operands: [operand],
        resumes: true,
        canFail: true,
        first([x], want, fail) {
          if (isRef(want))
            return c.check(`${c.callOn(variables, 'bangRef', token, x.text, whole())}.next().value`, fail, want)
          const results = c.callOn(variables, 'bang', token, x.text, ...originOf(c, operand))
          return c.check(`${results}.next().value`, fail, want)
        },
        all([x], want, k) {
          if (isRef(want))
            return eachResult(c, c.callOn(variables, 'bangRef', token, x.text, whole()), c.mark(token), k)
          const origin = originOf(c, operand)
          const results = (of: string) => c.callOn(variables, 'bang', token, of, ...origin)
          // a string in a variable is read anew for each character
          const now = hasName(operand) && (x.kind === 'local' || x.kind === 'global') ? x.text : ''
          if (c.facts.usesTrace) eachResult(c, results(x.text), c.mark(token), k, now)
          else eachElement(c, x, results, now, c.mark(token, variables), k)
        },
      }
    case '?':
      return {
        operands: [operand],
        resumes: false,
        canFail: true,
        first([x], want, fail) {
          if (isRef(want)) return c.check(c.callOn(variables, 'chooseRef', token, x.text, whole()), fail, want)
          return c.check(c.callOn(variables, 'choose', token, x.text, ...originOf(c, operand)), fail, want)
        },
      }
    case '=':
      return {
        operands: [operand],
        resumes: true,
        canFail: true,
        first: ([x], want, fail) => c.check(c.call('tabMatch', token, x.text), fail, want),
        all([x], want, k) {
          const old = c.fresh('p')
          const failed = c.label()
          c.block(failed, () => {
            c.line(`const ${old} = ${c.use('S')}.pos;`)
            k(c.check(c.call('tabMatch', token, x.text), failed, want))
            c.line(`S.pos = ${old};`)
            c.note(token)
          })
        },
      }
    case '@':
      return activation(c, operand, null, token)
    default: {
      // a negative number is a constant as others are
      const literal = operator === '-' && operand.kind === 'Integer' ? integerLiteral(operand.text) : 0
      if (typeof literal === 'number' && literal !== 0) return plain(c, [], false, () => constant(`-${literal}`))
      const [name, canFail] = unary[operator]
      return plain(c, [operand], canFail, ([x], want, fail) => {
        const code = c.call(name, token, x.text)
        return canFail ? c.check(code, fail, want) : c.compute(code, fail, want)
      })
    }
  }
}

/** What an expression that assigns itself gave: its value, and the variable if it is one. */
function wholeAssigned(c: Context, given: Code): { of: string; whole: () => string } {
  const ref = c.settle(given).text
  return { of: `${c.use('deref')}(${ref})`, whole: () => `${ref} instanceof ${c.use('Ref')} ? ${ref} : null` }
}

/** Whether an expression may give a variable that it does not name. */
function givesVariable(c: Context, e: Expression): boolean {
  if (e.kind === 'Paren' && e.expressions.length === 1)
    return e.expressions[0] !== null && givesVariable(c, e.expressions[0])
  if (hasName(e)) return false
  return isElement(e, true) || assignsItself(e) || (e.kind === 'Call' && c.facts.givesVariables)
}

/** !e where e may be a variable: a string is read anew from it for each character. */
function elementsOfVariable(c: Context, operand: Expression, token: number): Operation {
  const variables = shownAs(c, operand)
  const call = (name: string, ...args: string[]) => c.callOn(variables, name, token, ...args)
  return {
    operands: [{ ref: operand }],
    resumes: true,
    canFail: true,
    first([ref], want, fail) {
      const r = c.settle(ref).text
      const { of, whole } = wholeAssigned(c, constant(r))
      const all = isRef(want) ? call('bangRef', of, whole()) : call('bang', of, r)
      return c.check(`${all}.next().value`, fail, want)
    },
    all([ref], want, k) {
      const r = c.settle(ref).text
      const { of, whole } = wholeAssigned(c, constant(r))
      if (isRef(want)) return eachResult(c, call('bangRef', of, whole()), c.mark(token), k)
      const x = c.settle(effect(of))
      const now = `(typeof ${x.text} === 'string' && ${r} instanceof ${c.use('Ref')} ? ${of} : undefined)`
      if (c.facts.usesTrace) eachResult(c, call('bang', x.text, r), c.mark(token), k, now)
      else eachElement(c, x, (given) => call('bang', given, r), now, c.mark(token), k)
    },
  }
}

/** value @ target */
function activation(c: Context, target: Expression, sent: Expression | null, token: number): Operation {
  const at = sent ? 1 : 0
  return plain(c, sent ? [sent, target] : [target], true, (codes, want, fail) => {
    const value = sent ? codes[0].text : 'null'
    const to = codes[at].text
    c.note(token)
    const how = c.callOn(sent ? shownAs(c, sent) : '', c.co ? 'transfer' : 'activate', token, to, value)
    return c.check(c.co ? `(yield ${c.check(how, fail, 'value').text})` : how, fail, want)
  })
}

// ---- binary operators

function binary(c: Context, e: Expression & { kind: 'Binary' }): Operation | undefined {
  const token = e.operatorToken
  const { operator } = e
  const name = computing[operator]
  if (name)
    return plain(c, [e.left, e.right], false, ([a, b], want, fail) =>
      c.compute(c.call(name, token, a.text, b.text), fail, want),
    )
  const comparison = comparing[operator]
  if (comparison) {
    return plain(c, [e.left, e.right], true, ([a, b], want, fail) => compare(c, comparison, token, a, b, want, fail))
  }
  if (operator === '@') return activation(c, e.right, e.left, token)
  if (operator === '!') {
    // icont notes no place for an application: messages tell that of the operation before
    const variables = shownAs(c, e.left)
    const named = c.facts.namesVariables
    const gives = named || c.facts.givesVariables
    const call = (name: string, f: Code, x: Code) =>
      c.callOn(variables, named ? `${name}On` : name, c.lastToken, f.text, x.text)
    return {
      operands: [e.left, e.right],
      resumes: true,
      canFail: true,
      first([f, x], want, fail) {
        if (c.co) return firstCo(c, call('applyCo', f, x), fail, want, gives)
        return returned(c, call('apply', f, x), fail, want, gives)
      },
      all([f, x], want, k) {
        const results = call(c.co ? 'applyCo' : 'applyAll', f, x)
        eachResult(c, results, c.mark(c.lastToken, variables), (code) => k(variableOrValue(c, code, want, gives)))
      },
    }
  }
  return undefined
}

export function compare(
  c: Context,
  [test, result]: readonly [string, string],
  token: number,
  a: Code,
  b: Code,
  want: Want,
  fail: Label,
): Code {
  const settle = want !== 'none'
  const left = settle && result === 'numAs' && a.kind === 'effect' ? c.settle(a) : a
  const right = settle && b.kind === 'effect' ? c.settle(b) : b
  c.line(`if (!${c.call(test, token, left.text, right.text)}) { ${c.jump(fail)} }`)
  if (want === 'none') return constant('null')
  if (result === '') return c.settle(right)
  return c.settle(
    effect(result === 'numAs' ? `${c.use(result)}(${left.text}, ${right.text})` : `${c.use(result)}(${right.text})`),
  )
}

// ---- what procedures give back

/** A procedure's result, which may be a variable when the program assigns to such. */
export function returned(c: Context, text: string, fail: Label, want: Want, variables = c.facts.givesVariables): Code {
  return variableOrValue(c, c.check(text, fail, want), want, variables)
}

export function variableOrValue(c: Context, code: Code, want: Want, variables = c.facts.givesVariables): Code {
  if (want === 'none') return code
  if (isRef(want)) return code
  return variables ? { text: `${c.use('deref')}(${code.text})`, kind: 'global' } : code
}

/** The first result of a generator that may also yield transfers. */
export function firstCo(
  c: Context,
  results: string,
  fail: Label,
  want: Want,
  variables = c.facts.givesVariables,
): Code {
  const t = c.fresh()
  c.line(`let ${t};`)
  const found = c.label('a')
  c.block(found, () => {
    eachResult(c, results, '', (code) => {
      c.line(`${t} = ${code.text};`)
      c.line(c.jump(found))
    })
  })
  c.line(`if (${t} === undefined) { ${c.jump(fail)} }`)
  return variableOrValue(c, constant(t), want, variables)
}

// ---- i to j by k

function to(c: Context, e: Expression & { kind: 'To' }): Operation {
  const token = e.from.last + 1
  const ends = (codes: readonly Code[], fail: Label) => {
    const [from, last, by] = codes.map((code) => (code.kind === 'const' ? code : c.settle(code)))
    const operand = (code: Code) => {
      if (/^-?\d+$/.test(code.text)) return code.text
      return c.settle(
        c.compute(c.call('toOperand', token, code.text, from.text, last.text, by?.text ?? '1'), fail, 'value'),
      ).text
    }
    const [first, end] = [operand(from), operand(last)]
    const step =
      by && !/^-?[1-9]\d*$/.test(by.text)
        ? c.settle(c.compute(c.call('byOperand', token, by.text, from.text, last.text), fail, 'value')).text
        : (by?.text ?? '1')
    return { from: first, last: end, step }
  }
  const within = (i: string, last: string, step: string) => {
    if (/^\d+$/.test(step)) return `${i} <= ${last}`
    if (/^-\d+$/.test(step)) return `${i} >= ${last}`
    return `(${step} > 0 ? ${i} <= ${last} : ${i} >= ${last})`
  }
  return {
    operands: e.by === null ? [e.from, e.to] : [e.from, e.to, e.by],
    resumes: true,
    canFail: true,
    first(codes, _want, fail) {
      const { from, last, step } = ends(codes, fail)
      c.line(`if (!(${within(from, last, step)})) { ${c.jump(fail)} }`)
      return constant(from)
    },
    all(codes, _want, k) {
      const failed = c.label()
      c.block(failed, () => {
        const { from, last, step } = ends(codes, failed)
        const i = c.fresh('i')
        const safe = /^-?\d{1,15}$/.test(from) && /^-?\d{1,15}$/.test(last)
        const next = safe
          ? `${i} += ${step}`
          : step === '1'
            ? `${i} < 9007199254740991 ? ${i}++ : (${i} = ${c.use('step')}(${i}, 1))`
            : `${i} = ${c.use('step')}(${i}, ${step})`
        c.line(`for (let ${i} = ${from}; ${within(i, last, step)}; ${next}) {`)
        k(constant(i))
        c.line('}')
        c.note(token)
      })
    },
  }
}
