// Icon: which loops can end without a pass, as far as the text tells. One that cannot has nothing to be covered there.
import type { Expression, Loop, Procedure } from '../1-parse/icon/ast.js'
import { operandsOf } from './icon-expressions.js'
import type { Outcomes } from './outcomes.js'

/** Whether a loop may end before its first pass. */
export function maySkip({ kind, control }: Loop, procedure: Procedure, outcomes: Outcomes): boolean {
  return control !== null && (kind === 'Until' || !hasResult(control, procedure, outcomes))
}

/** Whether an expression is certain to have a result, at least one, when it is started. */
function hasResult(node: Expression | null, procedure: Procedure, outcomes: Outcomes): boolean {
  if (outcomes.isOnce(node, procedure)) return true
  const has = (one: Expression | null) => hasResult(one, procedure, outcomes)
  switch (node?.kind) {
    case 'Paren':
      return node.expressions.every(has)
    case 'To':
      return isRising(node)
    case 'Unary':
      if (node.operator.startsWith('|')) return has(node.operand)
      if (node.operator === '!') return node.operand.kind === 'String' && node.operand.text !== '""'
      break
    case 'Binary':
      if (node.operator === '|') return has(node.left) || has(node.right)
      if (node.operator === '&') return has(node.left) && has(node.right)
      break
    case 'Call':
      if (node.callee.kind === 'Identifier' && node.callee.name === 'seq' && outcomes.isBuiltin('seq')) {
        return node.args.every(has)
      }
      break
    case 'List':
    case 'Field':
      break
    default:
      return false
  }
  return outcomes.operation(node, procedure) === 'once' && operandsOf(node).every(has)
}

/** Whether a range shows that it has an element: by default it goes up by 1. */
function isRising({ from, to, by }: Extract<Expression, { kind: 'To' }>): boolean {
  const [first, last, step] = [from, to, by].map((node) => (node?.kind === 'Integer' ? Number(node.text) : undefined))
  if (first === undefined || last === undefined) return false
  return first === last ? by === null || step !== 0 : first < last && (by === null || (step ?? 0) > 0)
}
