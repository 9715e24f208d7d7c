// How often parts of an Icon program are expected to run, when no earlier profile tells. Only the cost of a plan hangs
// on these numbers, never a count.
import type { Expression, If } from '../1-parse/icon/ast.js'
import { leads } from './icon-expressions.js'

/** Passes through a loop's body for each start of the loop. */
export const loopWeight = 8

/** How often a way is taken that leads out of a loop or a procedure. */
const exitWeight = 0.2

/** How often one of two ways is taken of which nothing is known. */
export const branchWeight = 0.5

/** How often a condition is expected to be true: ways out are seldom taken, and without an else it is a special case. */
export function trueShare({ then, otherwise }: If): number {
  if (leads(then)) return exitWeight
  if (!otherwise) return 0.4
  return leads(otherwise) ? 1 - exitWeight : branchWeight
}

/** How many results an operation that may have none, or several, is expected to have. */
export function likelihood(node: Expression, isGenerator: boolean): number {
  if (isGenerator) return resultWeight
  switch (node.kind) {
    case 'Subscript':
    case 'Section':
    case 'Field':
    case 'List':
      return 0.95
    case 'Unary':
      return node.operator === '?' ? 0.95 : branchWeight
    case 'Binary':
      return node.operator.startsWith('~') && node.operator !== '~' ? 0.7 : branchWeight
    case 'Call':
      return node.callee.kind === 'Identifier' ? (likely.get(node.callee.name) ?? 0.6) : 0.6
    default:
      return branchWeight
  }
}

const resultWeight = 4

// functions that fail only where something ends, or is not what it should be; and those that test something
const likely = new Map([
  ...['get', 'integer', 'move', 'numeric', 'open', 'pop', 'pull', 'read', 'reads', 'real', 'string', 'tab'].map(
    (name): [string, number] => [name, 0.9],
  ),
  ...['any', 'match', 'member', 'pos'].map((name): [string, number] => [name, branchWeight]),
])
