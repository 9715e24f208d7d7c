// Icon: how many passes a loop will make, as an expression of Icon. It fails where there will be none, and never ends
// in an error where the loop itself would not: what is no integer, the loop's own operator is left to complain about.
import type { Expression } from '../1-parse/icon/ast.js'
import type { Amount } from '../2-plan/icon-ranges.js'

/**
 * Spells an amount.
 *
 * limit   the variable that is to hold the last number, if the loop pauses
 */
export function spellAmount(amount: Amount, limit: string): string {
  if (amount.kind === 'characters') return `*\\${amount.of.name}`
  const { pauses, by } = amount
  const [from, to] = [boundOf(amount.from), boundOf(amount.to)]
  const step = by ? boundOf(by) : { value: 1, text: '1' }
  if (pauses) return positive(difference({ text: `(${limit}:=${to.text})` }, from, 1))
  if (from.value !== undefined && to.value !== undefined && step.value !== undefined) {
    return String(Math.max(0, Math.floor((to.value - from.value) / step.value) + 1))
  }
  if (step.value === 1) return positive(difference(to, from, 1))
  if (step.value === -1) return positive(difference(from, to, 1))
  // the quotient is cut off towards zero
  const divisor = step.value === undefined ? `(0~=${step.text})` : `(${step.text})`
  return positive(`(${difference(to, from, 0)}+(${step.text}))/${divisor}`)
}

/** Spells an expression that fails unless there will be no pass; it fails as well where that cannot be told. */
export function spellNone(amount: Amount): string {
  const text = spellAmount(amount.kind === 'range' ? { ...amount, pauses: false } : amount, '')
  return text.startsWith('0<') ? `0>=${text.slice(2)}` : `0=${text}`
}

/** An expression for a bound's value as an integer, which fails if there is none; and the value, if it shows. */
interface Bound {
  readonly text: string
  readonly value?: number | undefined
}

function boundOf(node: Expression): Bound {
  const value = constant(node)
  const isInteger = node.kind === 'Integer' || (node.kind === 'Unary' && node.operator === '*')
  return { value, text: isInteger || value !== undefined ? spell(node) : `integer(${spell(node)})` }
}

/** The difference of two bounds, and a number more. */
function difference(minuend: Bound, subtrahend: Bound, more: number): string {
  const sum = more + (minuend.value ?? 0) - (subtrahend.value ?? 0)
  const plus = minuend.value === undefined ? minuend.text : ''
  const minus = subtrahend.value === undefined ? `-${subtrahend.text}` : ''
  const terms = plus + minus
  if (terms === '') return String(sum)
  return sum === 0 ? terms : `${terms}${sum > 0 ? '+' : ''}${sum}`
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
