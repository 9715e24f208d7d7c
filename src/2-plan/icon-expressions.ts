// What the text of an Icon expression shows of how control goes through it, without following it.
import { children, type Expression, type Node } from '../1-parse/icon/ast.js'
import { walk } from '../1-parse/walk.js'

/** The operands of an operation, in the order in which they are evaluated. */
export function operandsOf(node: Expression): readonly (Expression | null)[] {
  switch (node.kind) {
    case 'List':
      return node.elements
    case 'Paren':
      return node.expressions
    case 'Call':
      return [node.callee, ...node.args]
    case 'Subscript':
      return [node.operand, ...node.subscripts]
    case 'Section':
      return [node.operand, node.from, node.to]
    case 'Field':
    case 'Unary':
      return [node.operand]
    case 'Binary':
      return node.operator === '\\' ? [node.right, node.left] : [node.left, node.right]
    case 'To':
      return [node.from, node.to, node.by]
    default:
      return []
  }
}

/** The token that stands for what is carried out once the operands are there. (Scanning begins before its second.) */
export function operationToken(node: Expression): number | undefined {
  switch (node.kind) {
    case 'Unary':
      return node.first
    case 'Binary':
      return node.operator === '?' || node.operator === '?:=' ? undefined : node.operatorToken
    case 'Call':
      return node.callee.last + 1
    case 'Subscript':
    case 'Section':
    case 'Field':
      return node.operand.last + 1
    case 'To':
      return node.from.last + 1
    default:
      return undefined
  }
}

/** Whether an expression leads out of the procedure or the loop at once. */
export function leads(node: Expression): boolean {
  switch (node.kind) {
    case 'Return':
    case 'Fail':
    case 'Break':
      return true
    case 'Call':
      return node.callee.kind === 'Identifier' && ['stop', 'exit'].includes(node.callee.name)
    case 'Compound':
      return node.expressions.some((one) => one !== null && leads(one))
    default:
      return false
  }
}

/** Whether an expression holds something that leaves the procedure. */
export function leavesProcedure(node: Expression): boolean {
  let found = false
  walk<Node>(node, children, ({ kind }) => {
    found ||= kind === 'Return' || kind === 'Fail' || kind === 'Suspend'
  })
  return found
}

/** Whether an expression applies a procedure to a list, as `f ! L`. */
export function applies(node: Expression): boolean {
  let found = false
  walk<Node>(node, children, (one) => {
    found ||= one.kind === 'Binary' && one.operator === '!'
  })
  return found
}
