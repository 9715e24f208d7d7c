// Icon: how many passes a loop will make, as an expression of Icon. It fails where there will be none, and never ends
// in an error where the loop itself would not: what is no integer, the loop's own operator is left to complain about.
import type { Expression } from '../1-parse/icon/ast.js'
import type { Amount } from '../2-plan/icon-ranges.js'

/** Spells an amount. */
export function spellAmount(amount: Amount): string {
  if (amount.kind === 'characters') return `*\\${amount.of.name}`
  const { from, to, by } = amount
  const [first, last, step] = [constant(from), constant(to), by ? constant(by) : 1]
  if (first !== undefined && last !== undefined && step !== undefined) {
    return String(Math.max(0, Math.floor((last - first) / step) + 1))
  }
  if (step === 1) return positive(distance(to, from, 1))
  if (step === -1) return positive(distance(from, to, 1))
  // the quotient is cut off towards zero
  const text = integer(by!)
  return positive(`(${distance(to, from, 0)}+(${text}))/${step === undefined ? `(0~=${text})` : `(${text})`}`)
}

/** The difference of two expressions, and a number more. */
function distance(minuend: Expression, subtrahend: Expression, more: number): string {
  const [one, other] = [constant(minuend), constant(subtrahend)]
  const sum = more + (one ?? 0) - (other ?? 0)
  const terms = `${one === undefined ? `+${integer(minuend)}` : ''}${other === undefined ? `-${integer(subtrahend)}` : ''}`
  return `${terms.replace(/^\+/, '')}${sum > 0 && terms !== '' ? '+' : ''}${sum === 0 && terms !== '' ? '' : sum}`
}

/** A size is not negative. (The blank: `<-` is an operator of its own.) */
const positive = (text: string) => (/^\*\w+$/.test(text) ? text : `0<${text.startsWith('-') ? ' ' : ''}${text}`)

/** The value of a small decimal literal. */
function constant(node: Expression): number | undefined {
  if (node.kind === 'Unary' && node.operator === '-') {
    const value = constant(node.operand)
    return value === undefined ? undefined : -value
  }
  return node.kind === 'Integer' && /^\d{1,9}$/.test(node.text) ? Number(node.text) : undefined
}

/** An expression for a bound's value as an integer; it fails if there is none. */
function integer(node: Expression): string {
  if (node.kind === 'Integer' || (node.kind === 'Unary' && node.operator === '*')) return spell(node)
  return `integer(${spell(node)})`
}

function spell(node: Expression): string {
  switch (node.kind) {
    case 'Identifier':
      return node.name
    case 'Integer':
      return node.text
    case 'Unary':
      return `${node.operator}${spell(node.operand)}`
    case 'Binary':
      return `(${spell(node.left)}${node.operator}${spell(node.right)})`
    default:
      throw new Error(`a bound is never a ${node.kind}`)
  }
}
