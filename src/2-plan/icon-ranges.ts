// Icon loops whose passes can be told before the first of them: `every v := a to b by c do …` and `every v := !s do …`
// with a string s, if their bodies are certain to come to their ends. Such a loop is counted once, not at each pass.
// A run that is cut short within the body has counted passes that were never made, and the reports say so; that is
// why nothing that may take long, or call the user's own procedures, is left to such a body. Procedures that call
// themselves are an exception: searches, whose loops are short and run often. There bodies may also suspend; while
// they do, the passes not yet made are taken back.
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
      /** What counts the passes in the user's program. */
      readonly variable: string
      /** Whether the body suspends, so that it must be known then how many passes are still to come. */
      readonly pauses: boolean
    }
  | { readonly kind: 'characters'; readonly of: Identifier }

/**
 * An amount, and where it is found out.
 *
 * last       what is evaluated last before the passes begin
 * generates  the token of the operator that generates
 * suspends   of the body
 */
export interface Foreseen {
  readonly amount: Amount
  readonly last: Expression
  readonly generates: number
  readonly suspends: readonly Loop[]
}

/** Answers what can be foreseen of a loop's passes, if anything can. */
export function foresee(loop: Loop, procedure: Procedure, outcomes: Outcomes): Foreseen | undefined {
  if (loop.kind !== 'Every' || outcomes.convertsErrors || !outcomes.isBuiltin('integer')) return undefined
  const { control, body } = loop
  if (control?.kind !== 'Binary' || control.operator !== ':=' || control.left.kind !== 'Identifier') return undefined
  const suspends = body && !isQuiet(body, outcomes) ? suspendsOf(body, control.left.name, procedure, outcomes) : []
  if (!suspends) return undefined
  const source = control.right
  if (source.kind === 'To') {
    const { from, to, by } = source
    if (!isPure(from) || !isPure(to) || (by && (!isPure(by) || isZero(by)))) return undefined
    const pauses = suspends.length > 0
    if (pauses && by) return undefined
    const amount: Amount = { kind: 'range', from, to, by, variable: control.left.name, pauses }
    return { amount, last: by ?? to, generates: from.last + 1, suspends }
  }
  if (suspends.length > 0) return undefined
  if (source.kind !== 'Unary' || source.operator !== '!' || source.operand.kind !== 'Identifier') return undefined
  const { name } = source.operand
  if (name === control.left.name || (body && assignedIn(body).has(name))) return undefined
  if (!isStringVariable(name, procedure, outcomes)) return undefined
  return { amount: { kind: 'characters', of: source.operand }, last: source.operand, generates: source.first, suspends }
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
        quiet = false
        break
      default:
        if (leaving.has(node.kind) || isTransfer(node)) quiet = false
    }
  })
  return quiet
}

/**
 * The places where the body of a loop suspends, in a procedure that calls itself, if that is all the body does beside
 * coming to its end; undefined if it may do otherwise.
 */
function suspendsOf(
  body: Expression,
  variable: string,
  procedure: Procedure,
  outcomes: Outcomes,
): readonly Loop[] | undefined {
  if (!callsItself(procedure, outcomes) || !isLocal(variable, procedure) || assignedIn(body).has(variable)) {
    return undefined
  }
  const suspends: Loop[] = []
  let returns = true
  walk<Node>(body, children, (node) => {
    switch (node.kind) {
      case 'Call': {
        const { callee } = node
        const isKnown =
          callee.kind === 'Identifier' &&
          (outcomes.calledByName.has(callee.name) || (outcomes.isBuiltin(callee.name) && !slow.has(callee.name)))
        // variable("name") is a way to assign it
        if (!isKnown || callee.name === 'variable' || outcomes.mayLeave(node, procedure)) returns = false
        break
      }
      case 'Suspend':
        if (node.control) suspends.push(node)
        else returns = false
        break
      default:
        if (leaving.has(node.kind) || isTransfer(node)) returns = false
    }
  })
  return returns ? suspends : undefined
}

const leaving = new Set(['Repeat', 'Create', 'Return', 'Fail', 'Break', 'ControlCall'])

/** An operator that goes on in some other text, or goes on without end. */
function isTransfer(node: Node): boolean {
  if (node.kind === 'Unary') return node.operator.startsWith('@') || node.operator.startsWith('|')
  return node.kind === 'Binary' && ['@', '@:=', '!'].includes(node.operator)
}

function callsItself(procedure: Procedure, outcomes: Outcomes): boolean {
  if (outcomes.calledByName.get(procedure.name.name) !== procedure) return false
  let found = false
  walk<Node>(procedure, children, (node) => {
    found ||= node.kind === 'Call' && node.callee.kind === 'Identifier' && node.callee.name === procedure.name.name
  })
  return found
}

const isAssignment = (operator: string) => operator.endsWith(':=') || operator.startsWith('<-') || operator === ':=:'

/** The variables that a node's assignments may change. */
function assignedIn(node: Node): Set<string> {
  const names = new Set<string>()
  walk<Node>(node, children, (one) => {
    if (one.kind !== 'Binary' || !isAssignment(one.operator)) return
    for (const target of one.operator.includes(':=:') || one.operator === '<->' ? [one.left, one.right] : [one.left]) {
      let whole = target
      while (whole.kind === 'Subscript' || whole.kind === 'Section') whole = whole.operand
      walk<Node>(whole, children, (part) => {
        if (part.kind === 'Identifier') names.add(part.name)
      })
    }
  })
  return names
}

const isLocal = (name: string, { locals }: Procedure) =>
  locals.some(({ isStatic, names }) => !isStatic && names.some((one) => one.name === name))

/** Whether a variable of this procedure can hold nothing but strings, or null as long as it has not been assigned. */
function isStringVariable(name: string, procedure: Procedure, outcomes: Outcomes): boolean {
  if (!isLocal(name, procedure)) return false
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
