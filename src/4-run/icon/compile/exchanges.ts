// Exchanges, x :=: y and x <-> y, of which one may be, or move, a part of the other.
import type { Expression } from '../../../1-parse/icon/ast.js'
import { constant, type Code, type Context, type Label, type Want } from './context.js'
import type { Binary } from './variables.js'
import { type Target, checked, planOf, refTarget } from './targets.js'
import { type Then, outcome, undoing, withOperands } from './assignments.js'

export function exchange(c: Context, e: Binary, want: Want, fail: Label, k: Then, reversible: boolean): Code {
  if (mayOverlap(e.left, e.right)) return exchangeParts(c, e, want, fail, k)
  const [one, other] = [planOf(c, e.left, e.operatorToken), planOf(c, e.right, e.operatorToken)]
  let result: Code = constant('null')
  withOperands(c, one.operands, fail, k, (codes, failed) => {
    const left = one.make(codes, failed, false)
    withOperands(c, other.operands, failed, k, (others, failed2) => {
      const right = other.make(others, failed2, false)
      if (!k && want === 'none' && exchangeCharacters(c, e, left, right, () => exchangeValues(left, right, failed2)))
        return
      exchangeValues(left, right, failed2)
    })
  })
  return result

  function exchangeValues(left: Target, right: Target, failed: Label): void {
    if (left.isRef || right.isRef) {
      const args = [JSON.stringify(e.operator), left.ref(), right.ref()]
      c.line(`if (${c.call('needVariables', e.operatorToken, ...args)} === undefined) { ${c.jump(failed)} }`)
    }
    const x = c.settle(checked(c, left.get(), failed))
    const y = c.settle(checked(c, right.get(), failed))
    const [undoLeft, undoRight] = reversible && k ? [undoing(c, left, failed), undoing(c, right, failed)] : []
    blaming(c, e.operator, left, right, () => {
      left.set(y, failed)
      right.set(x, failed)
    })
    result = outcome(c, left, y, want)
    if (!k) return
    k(result)
    if (!undoLeft || !undoRight) return
    // the right side stays as it is when the left one cannot be what it was
    const undone = c.label()
    c.block(undone, () => [undoLeft, undoRight].forEach((undo) => undo(undone)))
    c.note(e.operatorToken)
  }
}

/** Emits an exchange such that its errors are its own, not those of the assignments that it consists of. */
function blaming(c: Context, operator: string, left: Target, right: Target, exchange: () => void): void {
  if (left.takesAny && right.takesAny) return exchange()
  const { noted } = c
  c.line('try {')
  exchange()
  c.line('} catch (e) {')
  const args = ['e', JSON.stringify(operator), left.ref(), right.ref()]
  c.line(`throw ${c.use('exchangeError')}(${args.join(', ')});\n}`)
  c.noted = noted
}

/** Whether one of two variables may be, or move, a part of the other: what the compiler cannot see might. */
function mayOverlap(left: Expression, right: Expression): boolean {
  const seen = /^(Identifier|Keyword|Field|Subscript)$/
  if (!seen.test(left.kind) || !seen.test(right.kind)) return true
  // x[i][j] may be a part of x[i], and changes length with it
  if (left.kind === 'Subscript' && right.kind === 'Subscript') return depthOf(left) !== depthOf(right)
  if (left.kind === 'Subscript') return !distinct(left.operand, right)
  return right.kind === 'Subscript' && !distinct(right.operand, left)
}

/** How many subscripts are put to what is no subscript itself. */
const depthOf = (e: Expression): number => (e.kind === 'Subscript' ? e.subscripts.length + depthOf(e.operand) : 0)

/** Whether two expressions are different variables, of which one has a name. */
const distinct = (one: Expression, other: Expression): boolean =>
  one.kind === 'Identifier' && !(other.kind === 'Identifier' && other.name === one.name)

/** x[i:j] :=: x[k:l]: the one may move or overlap the other. */
function exchangeParts(c: Context, e: Binary, want: Want, fail: Label, k: Then): Code {
  let result: Code = constant('null')
  withOperands(c, [{ ref: e.left }, { ref: e.right }], fail, k, (codes, failed) => {
    const [x, y] = codes.map((code) => c.settle(code).text)
    const call = c.call('exchangeRefs', e.operatorToken, JSON.stringify(e.operator), x, y)
    const undo = c.check(call, failed, 'value')
    result = outcome(c, refTarget(c, x, e.operatorToken, e.operator), constant('null'), want)
    if (!k) return
    k(result)
    if (e.operator === '<->') c.line(`${c.mark(e.operatorToken)}${undo.text}();`)
  })
  return result
}

/** x[i] :=: x[j]: of a string in one step. Answers whether it is such an exchange. */
function exchangeCharacters(c: Context, e: Binary, left: Target, right: Target, otherwise: () => void): boolean {
  if (left.character === undefined || right.character === undefined) return false
  if (e.left.kind !== 'Subscript' || e.right.kind !== 'Subscript') return false
  const [one, other] = [e.left.operand, e.right.operand]
  if (one.kind !== 'Identifier' || other.kind !== 'Identifier' || one.name !== other.name) return false
  const { js } = c.variables.get(one.name)!
  const made = c.fresh()
  const swapped = `${c.use('swapped')}(${js}, ${left.character}, ${right.character})`
  c.line(`const ${made} = typeof ${js} === 'string' ? ${swapped} : undefined;`)
  c.line(`if (${made} !== undefined) { ${js} = ${made}; } else {`)
  otherwise()
  c.line('}')
  return true
}
