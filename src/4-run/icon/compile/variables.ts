// Which expressions are variables, or give some, and how messages show them.
import type { Expression } from '../../../1-parse/icon/ast.js'
import type { Context } from './context.js'
import { isAssignment } from './operators.js'

export type Binary = Expression & { kind: 'Binary' }

export const isAssignmentNode = (e: Expression): e is Binary => e.kind === 'Binary' && isAssignment(e.operator)

export const keywordVariables = new Set(['pos', 'subject', 'random', 'trace', 'error', 'dump', 'progname'])

/** Whether an expression gives the variable that it assigns. */
export const assignsItself = (e: Expression): boolean =>
  e.kind === 'Paren' && e.expressions.length === 1
    ? e.expressions[0] !== null && assignsItself(e.expressions[0])
    : isAssignmentNode(e)

/** x[i, j] is x[i][j]. */
export function nested(e: Expression): Expression {
  if (e.kind !== 'Subscript' || e.subscripts.length === 1) return e
  let operand: Expression = e.operand
  for (const part of e.subscripts) operand = { ...e, operand, subscripts: [part] }
  return operand
}

/** Whether an operand is a variable with a name: messages show that. */
export function isNamed(c: Context, e: Expression): boolean {
  if (e.kind === 'Paren' && e.expressions.length === 1) return e.expressions[0] !== null && isNamed(c, e.expressions[0])
  return (e.kind === 'Identifier' && c.variables.has(e.name)) || e.kind === 'Field'
}

/**
 * What messages show of an operand besides its value: v for a variable with a name, &keyword for one of those, e for what
 * is an element of a structure if it is no string.
 */
export function shownAs(c: Context, e: Expression): string {
  if (e.kind === 'Paren' && e.expressions.length === 1)
    return e.expressions[0] === null ? '' : shownAs(c, e.expressions[0])
  if (e.kind === 'Keyword') return keywordVariables.has(e.name) ? `&${e.name}` : ''
  if (e.kind === 'Unary' && /^[!?]$/.test(e.operator)) return 'e'
  if (isAssignmentNode(e)) return shownAs(c, e.left)
  if (e.kind === 'Binary' && e.operator === '&') return shownAs(c, e.right)
  return isNamed(c, e) ? 'v' : ''
}

/** Whether an expression names a variable by itself: what needs no Ref. */
export function isVariable(e: Expression): boolean {
  switch (e.kind) {
    case 'Identifier':
    case 'Field':
    case 'Subscript':
      return true
    case 'Keyword':
      return keywordVariables.has(e.name)
    case 'Section':
      return isVariable(e.operand)
    case 'Paren':
      return e.expressions.length === 1 && e.expressions[0] !== null && isVariable(e.expressions[0])
    default:
      return false
  }
}

/** Whether an expression may give a variable, by name or as the result of something. */
export function mayGiveVariable(c: Context, e: Expression | null): boolean {
  if (e === null) return false
  if (isVariable(e) || isAssignmentNode(e)) return true
  const last = (list: readonly (Expression | null)[]) => mayGiveVariable(c, list[list.length - 1] ?? null)
  switch (e.kind) {
    case 'Paren':
    case 'Compound':
      return last(e.expressions)
    case 'Section':
      return mayGiveVariable(c, e.operand)
    case 'Unary':
      return '!?'.includes(e.operator) || (/^[/\\|]$/.test(e.operator) && mayGiveVariable(c, e.operand))
    case 'Binary':
      if (e.operator === '|') return mayGiveVariable(c, e.left) || mayGiveVariable(c, e.right)
      if (e.operator === '&' || e.operator === '?') return mayGiveVariable(c, e.right)
      return e.operator === '\\' ? mayGiveVariable(c, e.left) : e.operator === '!' || e.operator === '@'
    case 'If':
      return mayGiveVariable(c, e.then) || mayGiveVariable(c, e.otherwise)
    case 'Case':
      return e.clauses.some(({ body }) => mayGiveVariable(c, body))
    case 'Call':
      if (e.callee.kind === 'Integer') return e.args.some((arg) => mayGiveVariable(c, arg))
      if (e.callee.kind !== 'Identifier') return true
      if (c.variables.get(e.callee.name)?.kind === 'function') return e.callee.name === 'variable'
      return c.facts.givesVariables
    default:
      return ['While', 'Until', 'Every', 'Repeat', 'ControlCall'].includes(e.kind)
  }
}

/** Whether a name is one of the procedure's own variables, gone when it is left. */
export const isLocal = (c: Context, name: string): boolean => c.variables.get(name)?.kind === 'local'
