// Icon loops whose passes can be told before the first of them: `every v := a to b by c do …` and `every v := !s do …`
// with a string s, if their bodies are certain to come to their ends. Such a loop is counted once, not at each pass.
// A run that is cut short within the body has counted passes that were never made, and the reports say so; that is
// why nothing that may take long, or call the user's own procedures, is left to such a body.
import { walk } from '../1-parse/walk.js'
import {
  children,
  type Expression,
  type Identifier,
  type Loop,
  type Node,
  type Procedure,
} from '../1-parse/icon/ast.js'
import type { Outcomes } from './outcomes.js'

/** How many passes there will be: the integers of a range, or the characters of a string. */
export type Amount =
  | {
      readonly kind: 'range'
      readonly from: Expression
      readonly to: Expression
      /** Null for steps of 1. */
      readonly by: Expression | null
    }
  | { readonly kind: 'characters'; readonly of: Identifier }

/**
 * An amount, and where it is found out.
 *
 * last       what is evaluated last before the passes begin
 * generates  the token of the operator that generates
 */
export interface Foreseen {
  readonly amount: Amount
  readonly last: Expression
  readonly generates: number
}

/** Answers what can be foreseen of a loop's passes, if anything can. */
export function foresee(loop: Loop, procedure: Procedure, outcomes: Outcomes): Foreseen | undefined {
  if (loop.kind !== 'Every' || outcomes.convertsErrors || !outcomes.isBuiltin('integer')) return undefined
  const { control, body } = loop
  if (control?.kind !== 'Binary' || control.operator !== ':=' || control.left.kind !== 'Identifier') return undefined
  if (body && !isQuiet(body, outcomes)) return undefined
  const source = control.right
  if (source.kind === 'To') {
    const { from, to, by } = source
    if (!isPure(from) || !isPure(to) || (by && (!isPure(by) || isZero(by)))) return undefined
    return { amount: { kind: 'range', from, to, by }, last: by ?? to, generates: from.last + 1 }
  }
  if (source.kind !== 'Unary' || source.operator !== '!' || source.operand.kind !== 'Identifier') return undefined
  const { name } = source.operand
  if (name === control.left.name || (body && assignedIn(body).has(name))) return undefined
  if (!isStringVariable(name, procedure, outcomes)) return undefined
  return { amount: { kind: 'characters', of: source.operand }, last: source.operand, generates: source.first }
}

/** Whether a bound can be evaluated twice, with the same result. */
function isPure(node: Expression): boolean {
  switch (node.kind) {
    case 'Identifier':
    case 'Integer':
      return true
    case 'Unary':
      return ['*', '-'].includes(node.operator) && isPure(node.operand)
    case 'Binary':
      return ['+', '-', '*'].includes(node.operator) && isPure(node.left) && isPure(node.right)
    default:
      return false
  }
}

const isZero = (node: Expression) => node.kind === 'Integer' && /^0*$/.test(node.text.replace(/^.*r/i, ''))

// functions that may keep a program waiting, or end it
const slow = new Set(
  (
    'chdir close collect delay display exit flush getch getche kbhit loadfunc open read reads remove rename seek stop ' +
    'system where write writes'
  ).split(' '),
)

/** Whether a body is certain to come to its end, soon, unless a run-time error keeps it from it. */
function isQuiet(body: Expression, outcomes: Outcomes): boolean {
  let quiet = true
  walk<Node>(body, children, (node) => {
    switch (node.kind) {
      case 'Call': {
        const { callee } = node
        quiet &&= callee.kind === 'Identifier' && outcomes.isBuiltin(callee.name) && !slow.has(callee.name)
        break
      }
      case 'While':
      case 'Until':
      case 'Every':
      case 'Suspend':
      case 'Repeat':
      case 'Create':
      case 'Return':
      case 'Fail':
      case 'Break':
      case 'ControlCall':
        quiet = false
        break
      case 'Unary':
        // |e may try without end
        if (node.operator.startsWith('@') || node.operator.startsWith('|')) quiet = false
        break
      case 'Binary':
        if (['@', '@:=', '!'].includes(node.operator)) quiet = false
        break
      default:
    }
  })
  return quiet
}

const isAssignment = (operator: string) => operator.endsWith(':=') || operator.startsWith('<-') || operator === ':=:'

/** The names within the targets of a node's assignments. */
function assignedIn(node: Node): Set<string> {
  const names = new Set<string>()
  walk<Node>(node, children, (one) => {
    if (one.kind !== 'Binary' || !isAssignment(one.operator)) return
    for (const target of one.operator.includes(':=:') || one.operator === '<->' ? [one.left, one.right] : [one.left]) {
      walk<Node>(target, children, (part) => {
        if (part.kind === 'Identifier') names.add(part.name)
      })
    }
  })
  return names
}

/** Whether a variable of this procedure can hold nothing but strings, or null as long as it has not been assigned. */
function isStringVariable(name: string, procedure: Procedure, outcomes: Outcomes): boolean {
  if (!procedure.locals.some(({ isStatic, names }) => !isStatic && names.some((one) => one.name === name))) return false
  let strings = true
  walk<Node>(procedure, children, (node) => {
    if (node.kind === 'Call') {
      // variable("name") is a way to assign it
      const { callee } = node
      strings &&= callee.kind === 'Identifier' && callee.name !== 'variable' && outcomes.isFixed(callee.name)
    } else if (node.kind === 'ControlCall' || (node.kind === 'Binary' && node.operator === '!')) strings = false
    else if (node.kind === 'Binary' && isAssignment(node.operator)) {
      const { operator, left, right } = node
      if (left.kind === 'Identifier' && operator === ':=') {
        if (left.name === name) strings &&= isString(right, outcomes)
      } else if (left.kind === 'Identifier' && operator === '||:=') return
      else if (mentions(left, name) || (operator !== ':=' && mentions(right, name))) strings = false
    }
  })
  return strings
}

function mentions(node: Node, name: string): boolean {
  let found = false
  walk<Node>(node, children, (one) => {
    found ||= one.kind === 'Identifier' && one.name === name
  })
  return found
}

// functions whose results are strings
const stringFunctions = new Set(
  'center char detab entab image left map move repl reverse right string tab trim type'.split(' '),
)

/** Whether an expression has no results but strings. */
function isString(node: Expression, outcomes: Outcomes): boolean {
  switch (node.kind) {
    case 'String':
      return true
    case 'Paren':
      return node.expressions.length === 1 && node.expressions[0] !== null && isString(node.expressions[0], outcomes)
    case 'Binary':
      return node.operator === '||'
    case 'Call': {
      const { callee } = node
      return callee.kind === 'Identifier' && outcomes.isBuiltin(callee.name) && stringFunctions.has(callee.name)
    }
    // of a list a section is a list
    case 'Subscript':
    case 'Section':
      return isString(node.operand, outcomes)
    default:
      return false
  }
}
