// Builds trees from flat runs `operand (operator operand)*`, by precedence. Without recursion: a run may be long.
import type { Expression } from './ast.js'
import { infix } from './tokens.js'

/** An infix operator, its token, and the operand to its right. */
export type Step = readonly [operator: string, token: number, right: Expression]

/** Builds the tree of a run. Every operator must be in the table `infix`. */
export function climb(first: Expression, steps: readonly Step[]): Expression {
  if (steps.length === 0) return first
  const operands: Expression[] = [first]
  const operators: { operator: string; token: number; precedence: number }[] = []
  const reduce = () => {
    const { operator, token } = operators.pop()!
    const right = operands.pop()!
    const left = operands.pop()!
    operands.push({ kind: 'Binary', first: left.first, last: right.last, operator, operatorToken: token, left, right })
  }
  for (const [operator, token, right] of steps) {
    const { precedence, rightAssociative } = infix.get(operator)!
    for (;;) {
      const top = operators[operators.length - 1]
      if (!top || top.precedence < precedence || (top.precedence === precedence && rightAssociative)) break
      reduce()
    }
    operators.push({ operator, token, precedence })
    operands.push(right)
  }
  while (operators.length > 0) reduce()
  return operands[0]
}
