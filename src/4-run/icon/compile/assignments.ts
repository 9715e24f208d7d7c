// Assignments: plain, reversible, augmented, and those that scan, conjoin or activate.
import type { Expression } from '../../../1-parse/icon/ast.js'
import { assert } from '../../../error.js'
import { constant, effect, isRef, type Code, type Context, type Label, type Want } from './context.js'
import { assigns, operandValues, resumable } from './expressions.js'
import { eachOperands } from './generators.js'
import { compare, type Operand } from './operations.js'
import { augmented, comparing, computing } from './operators.js'
import type { Binary } from './variables.js'
import { type Plan, type Target, checked, isPart, partPlan, planOf, refPlan } from './targets.js'
import { exchange } from './exchanges.js'

/**
 * Compiles an assignment: its first result, or, with k, all of them (then failure falls out).
 */
export function assignment(c: Context, e: Binary, want: Want, fail: Label, k?: (code: Code) => void): Code {
  switch (e.operator) {
    case ':=':
      return assign(c, e, e.right, want, fail, k)
    case '<-':
      return assign(c, e, e.right, want, fail, k, true)
    case ':=:':
      return exchange(c, e, want, fail, k, false)
    case '<->':
      return exchange(c, e, want, fail, k, true)
    case '?:=':
    case '&:=':
    case '@:=':
    case '!:=':
      return assignCombined(c, e, want, fail, k)
    default:
      return augment(c, e, want, fail, k)
  }
}

/** `x ?:= e` is `x := x ? e`, but x is evaluated once. */
function assignCombined(c: Context, e: Binary, want: Want, fail: Label, k: Then): Code {
  const operator = augmented(e.operator)
  if (e.left.kind === 'Identifier' || e.left.kind === 'Keyword') {
    return assign(c, e, { ...e, operator }, want, fail, k)
  }
  const name = c.fresh('x')
  const right: Binary = { ...e, operator, left: { ...e.left, kind: 'Identifier', name } as Expression }
  const plan = refPlan(c, e.left, e.operatorToken)
  return assign(c, e, right, want, fail, k, false, {
    operands: plan.operands,
    make(codes, failed, simple) {
      const target = plan.make(codes, failed, simple)
      c.variables.set(name, { kind: 'local', js: c.settle(target.get()).text })
      return target
    },
  })
}

export type Then = ((code: Code) => void) | undefined

/** Evaluates operands for one result, or for all when there is a continuation. */
export function withOperands(
  c: Context,
  operands: readonly Operand[],
  fail: Label,
  k: Then,
  body: (codes: readonly Code[], fail: Label) => void,
): void {
  if (!k) return body(operandValues(c, operands, fail), fail)
  eachOperands(c, operands, (codes) => {
    const failed = c.label()
    c.block(failed, () => body(codes, failed))
  })
}

/** What an assignment gives: the variable. */
export function outcome(c: Context, target: Target, assigned: Code, want: Want): Code {
  if (want === 'none') return constant('null')
  const code = target.get()
  if (want === 'result' && code.kind === 'local') return c.settle(code)
  if (isRef(want)) return effect(target.ref())
  if (code.kind === 'local' || (code.kind === 'global' && !/\(/.test(code.text))) return code
  return target.after?.(assigned) ?? c.settle(assigned)
}

const isSimple = (e: Expression): boolean => /^(Integer|Real|String|Cset|Identifier)$/.test(e.kind)

/** Whether a resumption of an expression only undoes what it did, as that of a <- b does. */
function undoesOnly(c: Context, e: Expression): boolean {
  if (e.kind !== 'Binary' || e.operator !== '<-') return false
  if (e.left.kind === 'Subscript' && e.left.subscripts.some((part) => resumable(c, part))) return false
  return !resumable(c, e.right) || undoesOnly(c, e.right)
}

function assign(
  c: Context,
  e: Binary,
  right: Expression,
  want: Want,
  fail: Label,
  k: Then,
  reversible = false,
  given?: Plan,
): Code {
  // a part of a string is one variable for all the values that it gets, and grows with them; it stays where it was,
  // whatever the right side does to the string or the list
  const again = k !== undefined && resumable(c, right) && !undoesOnly(c, right)
  const section = e.left.kind === 'Section' && ((reversible && k) || !isSimple(right))
  const parts = again || isRef(want) || assigns(c, right) || section
  const plan = given ?? (isPart(e.left) && parts ? partPlan : planOf)(c, e.left, e.operatorToken)
  let result: Code = constant('null')
  withOperands(c, plan.operands, fail, k, (codes, failed) => {
    // what is undone later, by then its operands may have changed
    const target = plan.make(codes, failed, isSimple(right) && !(reversible && k))
    withOperands(c, [right], failed, k, ([value], failed2) => {
      const variable = target.get()
      const direct =
        value.kind !== 'effect' ||
        variable.kind === 'local' ||
        (variable.kind === 'global' && !/\(/.test(variable.text))
      const read = want !== 'none' && value.kind !== 'const' && (target.after !== undefined || reversible)
      const code = direct && !reversible && !read ? value : c.settle(value)
      const undo = reversible && k ? undoing(c, target, failed2) : undefined
      target.set(code, failed2)
      result = outcome(c, target, code, want)
      if (!k) return
      k(result)
      if (!undo) return
      const undone = c.label()
      c.block(undone, () => undo(undone))
      c.note(e.operatorToken)
    })
  })
  return result
}

/** Saves a variable's value; answers what emits its restoration, which may fail. */
export function undoing(c: Context, target: Target, fail: Label): (failed: Label) => void {
  const old = c.settle(checked(c, target.get(), fail))
  if (target.undo) return target.undo(old, fail)
  return (failed) => target.set(old, failed)
}

/** counter +:= y, or -:= : a cell of numbers, whose own value nobody asks for */
function raiseCounter(c: Context, e: Binary, cell: string, fail: Label, k: Then): Code {
  assert(/^[+-]:=$/.test(e.operator), 'a counter that does not count')
  const add = (amount: string) => {
    c.line(`${cell} ${e.operator[0]}= ${amount};`)
    k?.(constant('null'))
  }
  if (e.right.kind === 'Integer') add(e.right.text)
  else withOperands(c, [e.right], fail, k, ([amount]) => add(`Number(${amount.text})`))
  return constant('null')
}

/** x op:= y */
function augment(c: Context, e: Binary, want: Want, fail: Label, k: Then): Code {
  if (e.left.kind === 'Identifier' && c.variables.get(e.left.name)!.kind === 'counter') {
    return raiseCounter(c, e, c.variables.get(e.left.name)!.js, fail, k)
  }
  const operator = augmented(e.operator)
  const token = e.operatorToken
  const plan = (isPart(e.left) && isRef(want) ? partPlan : planOf)(c, e.left, e.operatorToken)
  let result: Code = constant('null')
  withOperands(c, plan.operands, fail, k, (codes, failed) => {
    const target = plan.make(codes, failed, isSimple(e.right))
    withOperands(c, [e.right], failed, k, ([right], failed2) => {
      const left = checked(c, target.get(), failed2)
      const name = computing[operator]
      const comparison = comparing[operator]
      assert(name || comparison, `no operator ${operator}`)
      const kept = left.kind === 'global' && right.kind === 'effect' ? c.settle(right) : right
      const made = name
        ? c.compute(c.call(name, token, left.text, kept.text), failed2, 'value')
        : compare(c, comparison, token, left, kept, 'value', failed2)
      const variable = target.get()
      const direct = variable.kind === 'local' || (variable.kind === 'global' && !/\(/.test(variable.text))
      const code = direct ? made : c.settle(made)
      target.set(code, failed2)
      result = outcome(c, target, code, want)
      k?.(result)
    })
  })
  return result
}
