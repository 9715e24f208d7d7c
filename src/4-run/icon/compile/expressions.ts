// Expressions → JavaScript. Two ways of compiling one:
//
//   value(c, e, want, fail)   its first result: code that falls through with the value, or jumps to `fail`
//   each(c, e, want, k)       (generators.ts) all its results: loops, in whose innermost place k puts what is done with each;
//                             falling out of that is resumption, falling out of the loops is failure
//
// An expression that cannot be resumed is compiled by `value` alone, so that plain code becomes plain JavaScript.
import { children, type Expression, type Node } from '../../../1-parse/icon/ast.js'
import { walk } from '../../../1-parse/walk.js'
import { augmented, comparing, isAssignment } from './operators.js'
import { assert } from '../../../error.js'
import { assignment } from './assignments.js'
import { isAssignmentNode } from './variables.js'
import { scanningStep } from './calls.js'
import { constant, effect, type Code, type Context, type Label, type Want } from './context.js'
import { isLate, mayChange } from './facts.js'
import { breaksWithResults, controlValue, isControl } from './control.js'
import { each } from './generators.js'
import { lastPlace } from './places.js'
import { integerLiteral, quotedLiteral, realLiteral } from './literals.js'
import { operationOf, type Operand } from './operations.js'

// ---- what is known of an expression without compiling it

const resumableKnown = new WeakMap<Expression, boolean>()
const canFailKnown = new WeakMap<Expression, boolean>()

/** Whether the expression may have more than one result, or has something to undo. */
export function resumable(c: Context, e: Expression | null): boolean {
  if (e === null) return false
  let known = resumableKnown.get(e)
  if (known === undefined) resumableKnown.set(e, (known = findResumable(c, e)))
  return known
}

function findResumable(c: Context, e: Expression): boolean {
  const some = (...parts: (Expression | null)[]) => parts.some((part) => resumable(c, part))
  switch (e.kind) {
    case 'Paren':
      return some(...e.expressions)
    case 'Compound':
      return some(e.expressions[e.expressions.length - 1])
    case 'If':
      return some(e.then, e.otherwise)
    case 'Case':
      return some(...e.clauses.map(({ body }) => body))
    case 'While':
    case 'Until':
    case 'Repeat':
    case 'Every':
      return breaksWithResults(c, e)
    case 'Unary':
      if (e.operator === 'not') return false
      if (e.operator === '|') return true
      if (e.operator.length > 1) return resumable(c, splitUnary(e))
      break
    case 'Binary':
      if (e.operator === '|') return true
      if (e.operator === '<-' || e.operator === '<->') return true
      if (e.operator === '\\') return true
      if (e.operator === '&' || e.operator === '?' || isAssignmentNode(e)) return some(e.left, e.right)
      break
    default:
  }
  const operation = operationOf(c, e)
  return (
    operation !== undefined &&
    (operation.resumes || operation.operands.some((operand) => resumable(c, operandNode(operand))))
  )
}

export const operandNode = (operand: Operand): Expression | null =>
  operand && 'ref' in operand ? operand.ref : operand

/** Whether the expression may have no result. */
export function canFail(c: Context, e: Expression | null): boolean {
  if (e === null) return false
  let known = canFailKnown.get(e)
  if (known === undefined) canFailKnown.set(e, (known = findCanFail(c, e)))
  return known
}

function findCanFail(c: Context, e: Expression): boolean {
  const some = (...parts: (Expression | null)[]) => parts.some((part) => canFail(c, part))
  switch (e.kind) {
    case 'Identifier':
    case 'Integer':
    case 'Real':
    case 'String':
    case 'Cset':
    case 'Create':
    case 'Repeat':
      return e.kind === 'Repeat'
    case 'Paren':
      return some(...e.expressions)
    case 'Unary':
      if (e.operator === 'not') return true
      if (e.operator === '|') return canFail(c, e.operand)
      if (e.operator.length > 1) return canFail(c, splitUnary(e))
      break
    case 'Compound':
      return some(e.expressions[e.expressions.length - 1])
    case 'If':
      return e.otherwise === null || some(e.then, e.otherwise)
    case 'Binary':
      if (e.operator === '&') return some(e.left, e.right)
      if (e.operator === '|') return some(e.right)
      if (e.operator === ':=' && e.left.kind === 'Identifier') return some(e.right)
      break
    default:
  }
  const operation = operationOf(c, e)
  return (
    operation === undefined ||
    operation.canFail ||
    operation.operands.some((operand) => canFail(c, operandNode(operand)))
  )
}

/** Whether the first result cannot be had by taking each operand's first result. */
function needsLoop(c: Context, operands: readonly Operand[], canFailAfter: boolean): boolean {
  let failing = canFailAfter
  for (let i = operands.length - 1; i >= 0; i--) {
    const node = operandNode(operands[i])
    if (failing && resumable(c, node)) return true
    failing ||= canFail(c, node)
  }
  return false
}

// ---- first results

/** Compiles an expression for its first result. */
export function value(c: Context, e: Expression | null, want: Want, fail: Label): Code {
  const code = firstResult(c, e, want, fail)
  c.lastToken = lastPlace(e) ?? c.lastToken
  return code
}

function firstResult(c: Context, e: Expression | null, want: Want, fail: Label): Code {
  if (e === null) return constant('null')
  switch (e.kind) {
    case 'Identifier':
      return identifier(c, e, want)
    case 'Integer':
    case 'Real':
    case 'String':
    case 'Cset': {
      const code = literal(c, e.kind, e.text)
      return code
    }
    case 'Paren':
      return conjunction(c, e.expressions, want, fail, e)
    case 'Compound': {
      for (const part of e.expressions.slice(0, -1)) statement(c, part)
      return value(c, e.expressions[e.expressions.length - 1], want, fail)
    }
    case 'Unary':
      if (e.operator.length > 1 && e.operator !== 'not') return value(c, splitUnary(e), want, fail)
      if (e.operator === 'not') return negation(c, e.operand, fail)
      if (e.operator === '|') return value(c, e.operand, want, fail)
      break
    case 'Binary':
      switch (e.operator) {
        case '&':
          return conjunction(c, [e.left, e.right], want, fail, e)
        case '|':
          return alternation(c, e.left, e.right, want, fail)
        case '\\':
          return bounded(c, e, want, fail)
        case '?':
          if (resumable(c, e.left) && (c.facts.converts || canFail(c, e.right))) return bounded(c, e, want, fail)
          return scan(c, value(c, e.left, 'value', fail), e.right, e.operatorToken, want, fail)
      }
      if (isAssignmentNode(e)) {
        return needsLoop(c, [e.left, e.right], assignmentCanFail(c, e))
          ? bounded(c, e, want, fail)
          : assignment(c, e, want, fail)
      }
      break
    default:
  }
  if (isControl(e)) return controlValue(c, e, want, fail)
  const step = scanningStep(c, e, want, fail)
  if (step) return step
  const operation = operationOf(c, e, want)
  assert(operation, `no way to compile ${e.kind}`)
  if (needsLoop(c, operation.operands, operation.canFail)) return bounded(c, e, want, fail)
  const codes = operandValues(c, operation.operands, fail)
  return operation.first(codes, want, fail)
}

/** Whether an assignment may fail though its operands have results. */
const assignmentCanFail = (c: Context, e: Expression & { kind: 'Binary' }): boolean =>
  e.left.kind !== 'Identifier' ||
  (/^(:=|<-|:=:|<->)$/.test(e.operator) ? false : c.facts.converts || Object.hasOwn(comparing, augmented(e.operator)))

/** `--x` is -(-x): operators written together. */
export function splitUnary(e: Expression & { kind: 'Unary' }): Expression {
  const known = splits.get(e)
  if (known) return known
  let operand = e.operand
  for (let i = e.operator.length - 1; i >= 0; i--) {
    operand = { ...e, operator: e.operator[i], operand }
  }
  splits.set(e, operand)
  return operand
}

const splits = new WeakMap<Expression, Expression>()

export function identifier(c: Context, e: Expression & { kind: 'Identifier' }, want: Want): Code {
  const variable = c.variables.get(e.name)!
  const late = variable.kind === 'global' || variable.kind === 'static'
  // a trace tells a procedure's name, too, for the variable that it is
  if (want === 'ref' || (want === 'result' && (late || (c.facts.usesTrace && variable.kind !== 'local')))) {
    const js = variable.js
    const assignable = variable.kind === 'local' || variable.kind === 'static' || variable.kind === 'global'
    const set = assignable ? `(x) => (${js} = x)` : '(x) => x'
    return effect(
      `new ${c.use('VarRef')}(${JSON.stringify(e.name)}, () => ${js}, ${set}${variable.kind === 'local' ? ', true' : ''})`,
    )
  }
  switch (variable.kind) {
    case 'local':
      return { text: variable.js, kind: 'local' }
    case 'static':
    case 'global':
      return { text: variable.js, kind: 'global' }
    default:
      return constant(variable.js)
  }
}

function literal(c: Context, kind: 'Integer' | 'Real' | 'String' | 'Cset', text: string): Code {
  switch (kind) {
    case 'Integer': {
      const number = integerLiteral(text)
      return constant(typeof number === 'bigint' ? `${number}n` : String(number))
    }
    case 'Real':
      return constant(c.script.constant(`new ${c.use('Real')}(${realLiteral(text)})`))
    case 'String':
      return constant(JSON.stringify(quotedLiteral(text)))
    case 'Cset':
      return constant(c.script.constant(`${c.use('csetOf')}(${JSON.stringify(quotedLiteral(text))})`))
  }
}

/** The values of operands, in order; each as late as it may be read. */
export function operandValues(c: Context, operands: readonly Operand[], fail: Label): Code[] {
  const codes: Code[] = []
  operands.forEach((operand, i) => {
    const code = operandValue(c, operand, operands.slice(i + 1), fail)
    codes.push(keep(c, code, codes, operands.slice(i + 1)))
  })
  return codes
}

function operandValue(c: Context, operand: Operand, after: readonly Operand[], fail: Label): Code {
  if (operand && 'ref' in operand) return value(c, operand.ref, 'ref', fail)
  if (operand && waits(c, operand, after)) {
    // an element is a variable until the operation is done: operands after it may still change it
    const ref = c.settle(value(c, operand, 'ref', fail))
    return { text: `${c.use('deref')}(${ref.text})`, kind: 'global' }
  }
  return value(c, operand, 'value', fail)
}

/** Evaluates now what cannot wait for the operands after it, or might change those before it. */
export function keep(c: Context, code: Code, before: readonly Code[], after: readonly Operand[]): Code {
  if (code.kind !== 'effect') return code
  if (c.facts.usesTrace) return c.settle(code)
  if (!after.every((operand) => operand === null || isTrivial(operand))) return c.settle(code)
  if (before.some(({ kind }) => kind === 'global') || after.some((operand) => operand && !isLiteral(operand)))
    return c.settle(code)
  return code
}

/**
 * Whether an expression may give a variable that its code does not name: an element of a structure, a part of a string.
 * `chosen`: any variable will do, as what chooses between several or keeps the first copies their values.
 */
export function isElement(e: Expression | null, chosen = false): boolean {
  switch (e?.kind) {
    case 'Identifier':
    case 'Keyword':
      return chosen
    case 'Subscript':
    case 'Section':
    case 'Field':
      return true
    case 'Paren':
    case 'Compound':
      return isElement(e.expressions[e.expressions.length - 1], chosen || e.expressions.length > 1)
    case 'If':
      return isElement(e.then, true) || isElement(e.otherwise, true)
    case 'Case':
      return e.clauses.some(({ body }) => isElement(body, true))
    case 'Unary':
      if (e.operator.length > 1) return e.operator !== 'not' && isElement(splitUnary(e), chosen)
      return /[!?]/.test(e.operator) || (/[\\/|]/.test(e.operator) && isElement(e.operand, true))
    case 'Binary':
      if (isAssignmentNode(e)) return isElement(e.left, chosen)
      if (e.operator === '|') return isElement(e.left, true) || isElement(e.right, true)
      if (e.operator === '&' || e.operator === '?') return isElement(e.right, true)
      return e.operator === '\\' && isElement(e.left, true)
    case 'Call':
      return e.callee.kind === 'Integer' && e.args.some((arg) => isElement(arg, true))
    default:
      return false
  }
}

/** Whether an operand is a variable that its code does not name, and those after it may assign it. */
export function waits(c: Context, operand: Expression, after: readonly Operand[]): boolean {
  if (after.length === 0 || !isElement(operand)) return false
  return after.some((one) => assigns(c, one)) || (some(operand, isKeyword) && after.some((one) => some(one, moves)))
}

function some(operand: Operand, test: (e: Node) => boolean): boolean {
  let found = false
  if (operand && !('ref' in operand)) walk<Node>(operand, children, (e) => !(found ||= test(e)))
  return found
}

const isKeyword = (e: Node): boolean => e.kind === 'Keyword' && /^(pos|subject)$/.test(e.name)

/** Whether an expression moves &pos. */
const moves = (e: Node): boolean =>
  (e.kind === 'Call' && e.callee.kind === 'Identifier' && /^(tab|move)$/.test(e.callee.name)) ||
  (e.kind === 'Unary' && e.operator.includes('='))

/** Whether an operand assigns, or calls what may change a structure. */
export function assigns(c: Context, operand: Operand): boolean {
  if (operand === null || 'ref' in operand || isTrivial(operand)) return false
  let found = false
  walk<Node>(operand, children, (e) => {
    if (e.kind === 'Binary' && isAssignment(e.operator)) found = true
    if (mayChange(e, c.facts.procedures, (name) => /^(procedure|function|record)$/.test(c.variables.get(name)!.kind)))
      found = true
    return !found
  })
  return found
}

function isLiteral(operand: Operand): boolean {
  return operand === null || (!('ref' in operand) && /^(Integer|Real|String|Cset)$/.test(operand.kind))
}

function isTrivial(operand: Operand): boolean {
  return isLiteral(operand) || (operand !== null && !('ref' in operand) && operand.kind === 'Identifier')
}

/** The first result of an expression whose parts must be retried. */
function bounded(c: Context, e: Expression, want: Want, fail: Label): Code {
  const found = c.label('b')
  const result = c.fresh()
  if (want !== 'none') c.line(`let ${result};`)
  c.block(found, () => {
    each(c, e, want, (code) => {
      if (want !== 'none') c.line(`${result} = ${code.text};`)
      else if (code.kind === 'effect') c.line(`${code.text};`)
      c.line(c.jump(found))
    })
    c.line(c.jump(fail))
  })
  return want === 'none' ? constant('null') : constant(result)
}

function conjunction(c: Context, parts: readonly (Expression | null)[], want: Want, fail: Label, e: Expression): Code {
  if (needsLoop(c, parts, false)) return bounded(c, e, want, fail)
  for (const part of parts.slice(0, -1)) discard(c, value(c, part, 'none', fail))
  return value(c, parts[parts.length - 1], want, fail)
}

/** Emits what has an effect, and forgets the value. */
export function discard(c: Context, code: Code): void {
  if (code.kind === 'effect') c.line(`${code.text};`)
}

function negation(c: Context, operand: Expression, fail: Label): Code {
  const failed = c.label('n')
  c.block(failed, () => {
    discard(c, value(c, operand, 'none', failed))
    c.note(lastPlace(operand))
    c.line(c.jump(fail))
  })
  return constant('null')
}

function alternation(c: Context, left: Expression, right: Expression, want: Want, fail: Label): Code {
  const result = c.fresh()
  const found = c.label('a')
  if (want !== 'none') c.line(`let ${result};`)
  const take = (code: Code) => {
    if (want !== 'none') c.line(`${result} = ${code.text};`)
    else discard(c, code)
  }
  c.block(found, () => {
    const next = c.label()
    c.block(next, () => {
      take(value(c, left, want, next))
      c.line(c.jump(found))
    })
    if (next.used) take(value(c, right, want, fail))
  })
  return want === 'none' ? constant('null') : constant(result)
}

function scan(c: Context, subject: Code, body: Expression, token: number, want: Want, fail: Label): Code {
  beginScan(c, subject, token, fail)
  const late = want === 'value' && givesSubject(body)
  let code = scanned(c, body, token, late ? 'ref' : want, fail)
  if (want === 'none') discard(c, code)
  else if (code.kind === 'effect' || (code.kind === 'global' && !isLateKeyword(code))) code = c.settle(code)
  const restore = c.leaveScans(c.scans.length - 1)
  c.scans.pop()
  c.line(restore)
  if (late) return { text: `${c.mark(token)}${c.use('deref')}(${code.text})`, kind: 'global' }
  return want === 'none' ? constant('null') : code
}

/** The body of a scan: failing, it goes back to where the scan began. */
function scanned(c: Context, body: Expression, token: number, want: Want, fail: Label): Code {
  if (!c.facts.usesTrace) return value(c, body, want, fail)
  const [done, failed] = [c.label('o'), c.label()]
  const t = c.fresh()
  c.line(`let ${t};`)
  let result = constant(want === 'none' ? 'null' : t)
  c.block(done, () => {
    c.block(failed, () => {
      const code = value(c, body, want, failed)
      if (isLateKeyword(code)) result = code
      else if (want === 'none') discard(c, code)
      else c.line(`${t} = ${code.text};`)
      c.line(c.jump(done))
    })
    c.note(token)
    c.line(c.jump(fail))
  })
  return result
}

/** Whether a scan may give &subject, &pos or a part of &subject, but not simply one of the two. */
export const givesSubject = (body: Expression): boolean => body.kind !== 'Keyword' && isLate(body, () => false, true)

/** &subject and &pos are variables: as results of a scan they mean those outside it. */
export const isLateKeyword = ({ text }: Code): boolean => text === 'S.subject' || text === 'S.pos'

/** Sets a new subject; what it was is in two variables, in c.scans. */
export function beginScan(c: Context, subject: Code, token: number, fail: Label): void {
  const text = c.compute(c.call('scanned', token, subject.text), fail, 'value')
  const name = c.settle(text).text
  const saved = { subject: c.fresh('s'), pos: c.fresh('p') }
  c.line(`let ${saved.subject} = ${c.use('S')}.subject, ${saved.pos} = S.pos;`)
  c.line(`S.subject = ${name}; S.pos = 1;`)
  c.scans.push(saved)
}

// ---- statements

/** Compiles an expression whose outcome does not matter. */
export function statement(c: Context, e: Expression | null): void {
  if (e === null) return
  const failed = c.label()
  c.block(failed, () => discard(c, value(c, e, 'none', failed)))
}
