// Expressions → JavaScript. Two ways of compiling one:
//
//   value(c, e, want, fail)   its first result: code that falls through with the value, or jumps to `fail`
//   each(c, e, want, k)       all its results: loops, in whose innermost place k puts what is done with each;
//                             falling out of that is resumption, falling out of the loops is failure
//
// An expression that cannot be resumed is compiled by `value` alone, so that plain code becomes plain JavaScript.
import { children, type Clause, type Expression, type Node } from '../../../1-parse/icon/ast.js'
import { walk } from '../../../1-parse/walk.js'
import { isAssignment } from './operators.js'
import { assert } from '../../../error.js'
import { assignment, isAssignmentNode } from './assignments.js'
import { constant, effect, type Code, type Context, type Label, type Want } from './context.js'
import { breaksWithResults, controlValue, eachLoop, isControl } from './control.js'
import { integerLiteral, quotedLiteral, realLiteral } from './literals.js'
import { operationOf, type Operand, type Operation } from './operations.js'

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

const operandNode = (operand: Operand): Expression | null => (operand && 'ref' in operand ? operand.ref : operand)

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
          if (resumable(c, e.left) && canFail(c, e.right)) return bounded(c, e, want, fail)
          return scan(c, value(c, e.left, 'value', fail), e.right, e.operatorToken, want, fail)
      }
      if (isAssignmentNode(e)) {
        return needsLoop(c, [e.left, e.right], assignmentCanFail(e))
          ? bounded(c, e, want, fail)
          : assignment(c, e, want, fail)
      }
      break
    default:
  }
  if (isControl(e)) return controlValue(c, e, want, fail)
  const operation = operationOf(c, e)
  assert(operation, `no way to compile ${e.kind}`)
  if (needsLoop(c, operation.operands, operation.canFail)) return bounded(c, e, want, fail)
  const codes = operandValues(c, operation.operands, fail)
  return operation.first(codes, want, fail)
}

const assignmentCanFail = (e: { left: Expression }): boolean => e.left.kind !== 'Identifier'

/** `--x` is -(-x): operators written together. */
function splitUnary(e: Expression & { kind: 'Unary' }): Expression {
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
  if (want === 'ref' || (want === 'result' && (variable.kind === 'global' || variable.kind === 'static'))) {
    const js = variable.js
    const assignable = variable.kind === 'local' || variable.kind === 'static' || variable.kind === 'global'
    const set = assignable ? `(x) => (${js} = x)` : '(x) => x'
    return effect(`new ${c.use('VarRef')}(${JSON.stringify(e.name)}, () => ${js}, ${set})`)
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
  if (operand && isElement(operand) && after.some(assigns)) {
    // an element is a variable until the operation is done: operands after it may still change it
    const ref = c.settle(value(c, operand, 'ref', fail))
    return { text: `${c.use('deref')}(${ref.text})`, kind: 'global' }
  }
  return value(c, operand, 'value', fail)
}

/** Evaluates now what cannot wait for the operands after it, or might change those before it. */
function keep(c: Context, code: Code, before: readonly Code[], after: readonly Operand[]): Code {
  if (code.kind !== 'effect') return code
  if (c.facts.usesTrace) return c.settle(code)
  if (!after.every((operand) => operand === null || isTrivial(operand))) return c.settle(code)
  if (before.some(({ kind }) => kind === 'global') || after.some((operand) => operand && !isLiteral(operand)))
    return c.settle(code)
  return code
}

/** Whether an expression may give an element of a structure or a part of a string. */
function isElement(e: Expression | null): boolean {
  switch (e?.kind) {
    case 'Subscript':
    case 'Field':
      return true
    case 'Paren':
    case 'Compound':
      return isElement(e.expressions[e.expressions.length - 1])
    case 'If':
      return isElement(e.then) || isElement(e.otherwise)
    default:
      return false
  }
}

/** Whether an assignment stands in an operand. */
function assigns(operand: Operand): boolean {
  if (operand === null || 'ref' in operand || isTrivial(operand)) return false
  let found = false
  walk<Node>(operand, children, (e) => {
    if (e.kind === 'Binary' && isAssignment(e.operator)) found = true
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
  let code = value(c, body, want, fail)
  if (want === 'none') discard(c, code)
  else if (code.kind === 'effect' || (code.kind === 'global' && !isLateKeyword(code))) code = c.settle(code)
  const restore = c.leaveScans(c.scans.length - 1)
  c.scans.pop()
  c.line(restore)
  return want === 'none' ? constant('null') : code
}

/** &subject and &pos are variables: as results of a scan they mean those outside it. */
const isLateKeyword = ({ text }: Code): boolean => text === 'S.subject' || text === 'S.pos'

/** Sets a new subject; what it was is in two variables, in c.scans. */
export function beginScan(c: Context, subject: Code, token: number, fail: Label): void {
  const text = c.compute(c.call('scanned', token, subject.text), fail, 'value')
  const name = c.settle(text).text
  const saved = { subject: c.fresh('s'), pos: c.fresh('p') }
  c.line(`let ${saved.subject} = ${c.use('S')}.subject, ${saved.pos} = S.pos;`)
  c.line(`S.subject = ${name}; S.pos = 1;`)
  c.scans.push(saved)
}

// ---- all results

/** Compiles an expression for all its results. */
export function each(c: Context, e: Expression | null, want: Want, k: (code: Code) => void): void {
  if (!resumable(c, e)) {
    const failed = c.label()
    c.block(failed, () => k(value(c, e, want, failed)))
    return
  }
  assert(e !== null, 'nothing cannot be resumed')
  switch (e.kind) {
    case 'Paren':
      return eachOperand(c, e.expressions, want, (codes) => k(codes[codes.length - 1]))
    case 'Compound':
      for (const part of e.expressions.slice(0, -1)) statement(c, part)
      return each(c, e.expressions[e.expressions.length - 1], want, k)
    case 'If':
      return eachIf(c, e, want, k)
    case 'Case':
      return eachCase(c, e, want, k)
    case 'While':
    case 'Until':
    case 'Repeat':
    case 'Every':
      return eachLoop(c, e, want, k)
    case 'Unary':
      if (e.operator.length > 1 && e.operator !== 'not') return each(c, splitUnary(e), want, k)
      if (e.operator === '|') return eachRepeated(c, e.operand, want, k)
      break
    case 'Binary':
      switch (e.operator) {
        case '&':
          return eachOperand(c, [e.left, e.right], want, (codes) => k(codes[1]))
        case '|':
          return eachAlternative(c, e, want, k)
        case '\\':
          return eachLimited(c, e, want, k)
        case '?':
          return eachScan(c, e, want, k)
      }
      if (isAssignmentNode(e)) {
        const failed = c.label()
        return c.block(failed, () => assignment(c, e, want, failed, k))
      }
      break
    default:
  }
  const operation = operationOf(c, e)
  assert(operation, `no way to compile ${e.kind}`)
  eachOperation(c, operation, want, k)
}

function eachOperation(c: Context, operation: Operation, want: Want, k: (code: Code) => void): void {
  eachOperands(c, operation.operands, (codes) => {
    if (operation.resumes) return operation.all!(codes, want, k)
    const failed = c.label()
    c.block(failed, () => k(operation.first(codes, want, failed)))
  })
}

/** Runs k for every combination of the operands' results, the last operand resumed first. */
export function eachOperands(c: Context, operands: readonly Operand[], k: (codes: Code[]) => void): void {
  const from = (i: number, codes: Code[]): void => {
    if (i === operands.length) return k(codes)
    const operand = operands[i]
    const node = operandNode(operand)
    const after = operands.slice(i + 1)
    if (operand && !('ref' in operand) && isElement(operand) && after.some(assigns)) {
      each(c, operand, 'ref', (code) => {
        const ref = c.settle(code)
        from(i + 1, [...codes, { text: `${c.use('deref')}(${ref.text})`, kind: 'global' }])
      })
      return
    }
    const want = operand && 'ref' in operand ? 'ref' : 'value'
    each(c, node, want, (code) => from(i + 1, [...codes, keep(c, code, codes, operands.slice(i + 1))]))
  }
  from(0, [])
}

/** Mutual evaluation: only the last value is wanted. */
function eachOperand(c: Context, parts: readonly (Expression | null)[], want: Want, k: (codes: Code[]) => void): void {
  const from = (i: number, codes: Code[]): void => {
    if (i === parts.length) return k(codes)
    const last = i === parts.length - 1
    each(c, parts[i], last ? want : 'none', (code) => {
      if (!last) discard(c, code)
      from(i + 1, [...codes, code])
    })
  }
  from(0, [])
}

/** Puts a sequence of results through k: an expression that makes an object with `next`. */
export function eachResult(c: Context, results: string, mark: string, k: (code: Code) => void, sent = ''): void {
  const at = c.facts.usesTrace ? c.place(c.lastToken) : undefined
  const note = at ? `${c.use('resumeAt')}(${at.line}, ${JSON.stringify(at.file)}), ` : ''
  const [it, t] = [c.fresh('i'), c.fresh()]
  if (!c.co) {
    c.line(`for (let ${it} = ${results}, ${t}; (${note}${t} = ${it}.${mark}next(${sent}).value) !== undefined; ) {`)
    k(constant(t))
    c.line('}')
    return
  }
  const back = c.fresh('x')
  c.line(
    `for (let ${it} = ${results}, ${t}, ${back}; (${note}${t} = ${it}.${mark}next(${back}).value) !== undefined; ) {`,
  )
  c.line(`if (${t} instanceof ${c.use('Transfer')}) { ${back} = yield ${t}; continue; }`)
  c.line(`${back} = undefined;`)
  k(constant(t))
  c.line('}')
}

/** Several ways to the same continuation: its text is made once, and put wherever a way leads. */
export function joined(
  c: Context,
  want: Want,
  k: (code: Code) => void,
  ways: (take: (code: Code) => void) => void,
): void {
  const result = c.fresh('v')
  if (want !== 'none') c.line(`let ${result};`)
  const text = c.capture(() => k(constant(want === 'none' ? 'null' : result)))
  ways((code) => {
    if (want !== 'none') c.line(`${result} = ${code.text};`)
    else discard(c, code)
    c.line(`{\n${text}\n}`)
  })
}

function eachIf(c: Context, e: Expression & { kind: 'If' }, want: Want, k: (code: Code) => void): void {
  joined(c, want, k, (take) => {
    const done = c.label('i')
    c.block(done, () => {
      const otherwise = c.label()
      c.block(otherwise, () => {
        discard(c, value(c, e.condition, 'none', otherwise))
        each(c, e.then, want, take)
        c.line(c.jump(done))
      })
      if (e.otherwise) each(c, e.otherwise, want, take)
    })
  })
}

function eachCase(c: Context, e: Expression & { kind: 'Case' }, want: Want, k: (code: Code) => void): void {
  joined(c, want, k, (take) => {
    const done = c.label('c')
    c.block(done, () => {
      clauses(c, e, done, (body) => {
        each(c, body, want, take)
        c.line(c.jump(done))
      })
    })
  })
}

/** Compiles the selection of a case; `chosen` compiles a clause's body and must jump. */
export function clauses(
  c: Context,
  e: Expression & { kind: 'Case' },
  fail: Label,
  chosen: (body: Expression) => void,
): void {
  // a variable is read when it is compared
  const given = value(c, e.control, 'value', fail)
  const control = given.kind === 'local' ? given.text : c.settle(given).text
  let otherwise: Clause | undefined
  for (const clause of e.clauses) {
    const { selector } = clause
    if (selector === null) {
      otherwise = clause
      continue
    }
    const next = c.label('n')
    c.block(next, () => {
      if (resumable(c, selector)) {
        const found = c.label('h')
        c.block(found, () => {
          each(c, selector, 'value', (code) =>
            c.line(`if (${c.use('eqv')}(${control}, ${code.text})) { ${c.jump(found)} }`),
          )
          c.line(c.jump(next))
        })
      } else {
        const code = value(c, selector, 'value', next)
        c.line(`if (!${c.use('eqv')}(${control}, ${code.text})) { ${c.jump(next)} }`)
      }
      chosen(clause.body)
    })
  }
  if (otherwise) chosen(otherwise.body)
  else c.line(c.jump(fail))
}

/** |e: e again and again, until it has no result. */
function eachRepeated(c: Context, operand: Expression, want: Want, k: (code: Code) => void): void {
  const some = c.fresh()
  c.line(`for (let ${some} = true; ${some}; ) {`)
  c.line(`${some} = false;`)
  each(c, operand, want, (code) => {
    const kept = code.kind === 'effect' ? c.settle(code) : code
    c.line(`${some} = true;`)
    k(kept)
  })
  c.line('}')
}

/** e \ n */
function eachLimited(c: Context, e: Expression & { kind: 'Binary' }, want: Want, k: (code: Code) => void): void {
  each(c, e.right, 'value', (limit) => {
    const failed = c.label()
    c.block(failed, () => {
      if (/^[1-9]\d*$/.test(limit.text) && Number(limit.text) === 1) {
        each(c, e.left, want, (code) => {
          k(code)
          c.line(c.jump(failed))
        })
        return
      }
      const left = c.fresh()
      c.line(`let ${left} = ${c.compute(c.call('limit', e.operatorToken, limit.text), failed, 'value').text};`)
      c.line(`if (${left} === 0) { ${c.jump(failed)} }`)
      each(c, e.left, want, (code) => {
        k(code)
        c.line(`if (--${left} === 0) { ${c.jump(failed)} }`)
      })
    })
  })
}

function eachScan(c: Context, e: Expression & { kind: 'Binary' }, want: Want, k: (code: Code) => void): void {
  each(c, e.left, 'value', (subject) => {
    const failed = c.label()
    c.block(failed, () => {
      beginScan(c, subject, e.operatorToken, failed)
      const { subject: s, pos: p } = c.scans[c.scans.length - 1]
      each(c, e.right, want, (code) => {
        const kept =
          want === 'none' || isLateKeyword(code) || code.kind === 'const' || code.kind === 'local'
            ? code
            : c.settle(code)
        if (want === 'none') discard(c, code)
        // while the result is used, the subject is the outer one
        const [s2, p2] = [c.fresh('s'), c.fresh('p')]
        c.line(`const ${s2} = S.subject, ${p2} = S.pos; S.subject = ${s}; S.pos = ${p};`)
        const saved = c.scans.pop()!
        k(want === 'none' ? constant('null') : kept)
        c.scans.push(saved)
        c.line(`${s} = S.subject; ${p} = S.pos; S.subject = ${s2}; S.pos = ${p2};`)
      })
      const restore = c.leaveScans(c.scans.length - 1)
      c.scans.pop()
      c.line(restore)
    })
  })
}

// ---- e1 | e2 | …

function arms(e: Expression): Expression[] {
  if (e.kind === 'Binary' && e.operator === '|') return [...arms(e.left), ...arms(e.right)]
  if (e.kind === 'Paren' && e.expressions.length === 1 && e.expressions[0]) return arms(e.expressions[0])
  return [e]
}

/** Longest text that is put into every arm rather than shared. */
const shortText = 600

function eachAlternative(c: Context, e: Expression, want: Want, k: (code: Code) => void): void {
  const all = arms(e)
  const result = c.fresh('v')
  if (want !== 'none') c.line(`let ${result};`)
  const text = c.capture(() => k(constant(want === 'none' ? 'null' : result)))
  const take = (code: Code) => {
    if (want !== 'none') c.line(`${result} = ${code.text};`)
    else discard(c, code)
  }
  if (text.length <= shortText || all.some((arm) => resumable(c, arm) && hasControl(arm))) {
    for (const arm of all) {
      each(c, arm, want, (code) => {
        take(code)
        c.line(`{\n${text}\n}`)
      })
    }
    return
  }
  // one loop; `arm` says which alternative is next, `it` makes the results of one that has several
  const [arm, it] = [c.fresh('n'), c.fresh('i')]
  const done = c.label('d')
  c.block(done, () => {
    c.line(`for (let ${arm} = 0, ${it} = null; ; ) {`)
    const found = c.label('a')
    c.block(found, () => {
      c.line(`switch (${arm}) {`)
      let state = 0
      for (const alternative of all) {
        c.line(`case ${state}: {`)
        if (!resumable(c, alternative)) {
          c.line(`${arm} = ${state + 1};`)
          const failed = c.label()
          c.block(failed, () => {
            take(value(c, alternative, want, failed))
            c.line(c.jump(found))
          })
          c.line('}')
          state += 1
        } else {
          const made = c.capture(() => {
            each(c, alternative, want, (code) => c.line(`yield ${code.text};`))
          })
          const t = c.fresh()
          c.line(`${it} = (function* () {\n${made}\n})();`)
          c.line(`${arm} = ${state + 1};`)
          c.line('}')
          c.line(`case ${state + 1}: {`)
          if (c.co) {
            c.line(`let ${t} = ${it}.next().value;`)
            c.line(`while (${t} instanceof ${c.use('Transfer')}) ${t} = ${it}.next(yield ${t}).value;`)
          } else c.line(`const ${t} = ${it}.next().value;`)
          c.line(`if (${t} !== undefined) {`)
          take(constant(t))
          c.line(c.jump(found))
          c.line('}')
          c.line(`${arm} = ${state + 2};`)
          c.line('}')
          state += 2
        }
      }
      c.line(`default: ${c.jump(done)}`)
      c.line('}')
    })
    c.line(`{\n${text}\n}`)
    c.line('}')
  })
}

/** Whether an expression may leave the place where it stands. */
function hasControl(e: Expression): boolean {
  const text = JSON.stringify(e, (_key, part: unknown) => part)
  return /"kind":"(Return|Suspend|Fail|Break|Next)"/.test(text)
}

// ---- statements

/** Compiles an expression whose outcome does not matter. */
export function statement(c: Context, e: Expression | null): void {
  if (e === null) return
  const failed = c.label()
  c.block(failed, () => discard(c, value(c, e, 'none', failed)))
}

/** The same for the body of `every` in a traced program: notes whether it failed. */
export function tracedBody(c: Context, e: Expression): void {
  const [done, failed] = [c.label('o'), c.label()]
  c.line(`${c.use('S')}.bodyFailed = false;`)
  c.block(done, () => {
    c.block(failed, () => {
      discard(c, value(c, e, 'none', failed))
      c.line(c.jump(done))
    })
    c.line(`${c.use('S')}.bodyFailed = true;`)
  })
}
