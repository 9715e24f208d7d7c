// Expressions for all their results: loops, in whose innermost place a continuation k puts what is done with each
// result. Falling out of what k emits is resumption; falling out of the loops is failure.
import type { Clause, Expression } from '../../../1-parse/icon/ast.js'
import { assert } from '../../../error.js'
import { assignment } from './assignments.js'
import { isAssignmentNode } from './variables.js'
import { eachScanningStep } from './calls.js'
import { constant, type Code, type Context, type Label, type Want } from './context.js'
import { eachLoop } from './control.js'
import {
  assigns,
  beginScan,
  canFail,
  discard,
  givesSubject,
  isElement,
  isLateKeyword,
  keep,
  operandNode,
  resumable,
  splitUnary,
  waits,
  statement,
  value,
} from './expressions.js'
import { lastPlace } from './places.js'
import { operationOf, type Operand, type Operation } from './operations.js'

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
  if (eachScanningStep(c, e, want, k)) return
  const operation = operationOf(c, e, want)
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
    if (operand && !('ref' in operand) && waits(c, operand, after)) {
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
  const [it, t, back] = [c.fresh('i'), c.fresh(), c.fresh('x')]
  const { noted } = c
  const again = c.capture(() => {
    c.note(noted)
    k(constant(t))
  })
  if (!c.co) {
    c.line(`for (let ${it} = ${results}, ${t}; (${t} = ${it}.${mark}next(${sent}).value) !== undefined; ) {`)
    c.line(`${again}\n}`)
    c.note(noted)
    return
  }
  c.line(`for (let ${it} = ${results}, ${t}, ${back}; (${t} = ${it}.${mark}next(${back}).value) !== undefined; ) {`)
  c.line(`if (${t} instanceof ${c.use('Transfer')}) { ${back} = yield ${t}; continue; }`)
  c.line(`${back} = undefined;`)
  c.line(`${again}\n}`)
  c.note(noted)
}

/**
 * Puts the elements of a value through k; those of lists and strings by counting.
 *
 * results   what makes the sequence of another value's elements
 * now       the variable that a string is read from anew for each character, if any
 * mark      of the operator
 */
export function eachElement(
  c: Context,
  x: Code,
  results: (of: string) => string,
  now: string,
  mark: string,
  k: (code: Code) => void,
): void {
  const [whole, it, i, t] = [c.fresh('x'), c.fresh('i'), c.fresh('i'), c.fresh()]
  c.line(`const ${whole} = ${x.text};`)
  c.line(`const ${it} = ${c.use('hasElements')}(${whole}) ? null : ${results(whole)};`)
  const next = `${it} === null ? ${mark}${c.use('elementAt')}(${whole}, ${now || 'undefined'}, ${i}++) : ${it}.${mark}next().value`
  c.line(`for (let ${i} = 0, ${t}; (${t} = ${next}) !== undefined; ) {`)
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
      else c.noteFailure()
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
  const late =
    isElement(e.control, isAssignmentNode(e.control) || e.control.kind === 'Paren') &&
    e.clauses.some(({ selector }) => assigns(c, selector))
  const given = controlOf(c, e.control, late ? 'ref' : 'value', fail)
  const named = given.kind === 'local' || (given.kind === 'global' && !given.text.includes('('))
  const kept = named ? given.text : c.settle(given).text
  let otherwise: Clause | undefined
  for (const clause of e.clauses) {
    const { selector } = clause
    if (selector === null) {
      otherwise = clause
      continue
    }
    const control = late ? `${c.script.mark(c.tree, selector.last, '')}${c.use('deref')}(${kept})` : kept
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
  if (otherwise) return chosen(otherwise.body)
  c.note(lastPlace(e))
  c.line(c.jump(fail))
}

/** The value that selects: failing, it leaves no place. */
function controlOf(c: Context, control: Expression, want: Want, fail: Label): Code {
  if (!c.facts.usesTrace || !canFail(c, control)) return value(c, control, want, fail)
  const t = c.fresh()
  c.line(`let ${t};`)
  whole(c, fail, (failed) => c.line(`${t} = ${value(c, control, want, failed).text};`))
  return constant(t)
}

/** Compiles what fails as a whole: in traced programs what is resumed then has no place. */
export function whole(c: Context, fail: Label, emit: (failed: Label) => void): void {
  if (!c.facts.usesTrace) return emit(fail)
  const [done, failed] = [c.label('o'), c.label()]
  c.block(done, () => {
    c.block(failed, () => {
      emit(failed)
      c.line(c.jump(done))
    })
    c.noteFailure()
    c.line(c.jump(fail))
  })
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
    c.note(lastPlace(operand))
  })
  c.line('}')
  c.noteFailure()
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
        c.noteFailure()
        return
      }
      const [left, some] = [c.fresh(), c.fresh()]
      if (c.facts.usesTrace) c.line(`let ${some} = false;`)
      c.line(`let ${left} = ${c.compute(c.call('limit', e.operatorToken, limit.text), failed, 'value').text};`)
      c.line(`if (${left} === 0) { ${c.jump(failed)} }`)
      each(c, e.left, want, (code) => {
        if (c.facts.usesTrace) c.line(`${some} = true;`)
        k(code)
        c.line(`if (--${left} === 0) { ${c.jump(failed)} }`)
      })
      if (!c.facts.usesTrace) return
      // only what has no result at all fails as a whole
      c.line(`if (!${some}) {`)
      c.noteFailure()
      c.line('}')
    })
  })
}

function eachScan(c: Context, e: Expression & { kind: 'Binary' }, want: Want, k: (code: Code) => void): void {
  each(c, e.left, 'value', (subject) => {
    const failed = c.label()
    c.block(failed, () => {
      beginScan(c, subject, e.operatorToken, failed)
      const { subject: s, pos: p } = c.scans[c.scans.length - 1]
      const late = want === 'value' && givesSubject(e.right)
      each(c, e.right, late ? 'ref' : want, (code) => {
        const kept =
          want === 'none' || isLateKeyword(code) || code.kind === 'const' || code.kind === 'local'
            ? code
            : c.settle(code)
        if (want === 'none') discard(c, code)
        // while the result is used, the subject is the outer one
        const [s2, p2] = [c.fresh('s'), c.fresh('p')]
        c.line(`const ${s2} = S.subject, ${p2} = S.pos; S.subject = ${s}; S.pos = ${p};`)
        const saved = c.scans.pop()!
        k(
          want === 'none'
            ? constant('null')
            : late
              ? { text: `${c.mark(e.operatorToken)}${c.use('deref')}(${kept.text})`, kind: 'global' }
              : kept,
        )
        c.scans.push(saved)
        c.line(`${s} = S.subject; ${p} = S.pos; S.subject = ${s2}; S.pos = ${p2};`)
        c.note(e.operatorToken)
      })
      const restore = c.leaveScans(c.scans.length - 1)
      c.scans.pop()
      c.line(restore)
      c.note(e.operatorToken)
    })
  })
}

// ---- e1 | e2 | …

function arms(e: Expression): Expression[] {
  if (e.kind === 'Binary' && e.operator === '|') return [...arms(e.left), ...arms(e.right)]
  if (e.kind === 'Paren' && e.expressions.length === 1 && e.expressions[0]) return arms(e.expressions[0])
  return [e]
}

const givesLate = (e: Expression): boolean => e.kind === 'Binary' && e.operator === '?' && givesSubject(e.right)

/** Longest text that is put into every arm rather than shared. */
const shortText = 600

function eachAlternative(c: Context, e: Expression, want: Want, k: (code: Code) => void): void {
  const all = arms(e)
  if (want === 'value' && all.some(givesLate)) {
    // parts of the subject are read when the result is, outside the scan
    return eachAlternative(c, e, 'ref', (code) => k({ text: `${c.use('deref')}(${code.text})`, kind: 'global' }))
  }
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
        if (arm !== all[all.length - 1]) c.note(lastPlace(arm))
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
          if (alternative !== all[all.length - 1]) c.note(lastPlace(alternative))
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
