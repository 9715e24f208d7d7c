// Places as icont notes them: operators, calls, keywords and a few control structures have one; what is between them in
// the code has that of the one before. What fails goes on at the last generator, which traces then show as resumed
// "from" the place that comes last in the code in front of the failure.
import type { Expression } from '../../../1-parse/icon/ast.js'

/** The token of the last place in an expression's code; undefined when it has none. */
export function lastPlace(e: Expression | null): number | undefined {
  switch (e?.kind) {
    case 'Paren':
      return e.expressions.length > 1 ? e.first : lastPlace(e.expressions[0])
    case 'Compound':
      return lastOf(...e.expressions)
    case 'If':
      return lastOf(e.condition, e.then, e.otherwise)
    case 'Case': {
      const clauses = e.clauses.filter(({ selector }) => selector !== null)
      const fallback = e.clauses.find(({ selector }) => selector === null)?.body ?? null
      const last = clauses[clauses.length - 1]
      return lastPlace(fallback) ?? (last ? (lastPlace(last.body) ?? last.first) : lastPlace(e.control))
    }
    case 'While':
    case 'Until':
    case 'Every':
      return lastOf(e.control, e.body)
    case 'Suspend':
      return lastPlace(e.body) ?? e.first
    case 'Repeat':
      return lastPlace(e.body)
    case 'Break':
      return lastPlace(e.value)
    case 'Unary':
      return e.operator === 'not' || e.operator === '|' ? lastPlace(e.operand) : e.first
    case 'Binary':
      if (e.operator === '|' || e.operator === '&' || e.operator === '!') return lastOf(e.left, e.right)
      return e.operator === '\\' ? (lastPlace(e.left) ?? e.operatorToken) : e.operatorToken
    case 'To':
      return e.from.last + 1
    case 'Field':
    case 'Subscript':
      return e.operand.last + 1
    case 'Section':
      return e.from.last + 1
    case 'Call':
    case 'ControlCall':
      return e.callee.last + 1
    case 'Keyword':
    case 'List':
    case 'Create':
    case 'Return':
    case 'Fail':
      return e.first
    default:
      return undefined
  }
}

/** The last place of several expressions one after the other. */
function lastOf(...parts: (Expression | null)[]): number | undefined {
  for (let i = parts.length - 1; i >= 0; i--) {
    const place = lastPlace(parts[i])
    if (place !== undefined) return place
  }
  return undefined
}
