// What Icon expressions can do, as far as the text alone tells: whether one always yields exactly one result,
// and whether control may leave it and never come back (exit, stop, a co-expression switch, a procedure unknown here).
// Procedures that call each other are judged together, at first optimistically, until nothing changes.
import { walk } from '../1-parse/walk.js'
import {
  children,
  type Binary,
  type Call,
  type Expression,
  type Identifier,
  type Node,
  type Procedure,
  type Program,
  type Return,
  type Subscript,
} from '../1-parse/icon/ast.js'
import { functions } from '../1-parse/icon/functions.js'
import { isChance, studyValues } from './icon-values.js'
import type { Surroundings } from './plan.js'

/** Answers to the two questions, for any expression within the procedure given. */
export interface Outcomes {
  /** It yields one result, never none, and when resumed no more. */
  readonly isOnce: (node: Expression | null, procedure: Procedure) => boolean
  /** The operation of this node itself, its operands aside, may not come back. */
  readonly mayLeave: (node: Expression, procedure: Procedure) => boolean
  /** What the operation of this node does each time it is carried out, its operands aside. */
  readonly operation: (node: Expression, procedure: Procedure) => Operation
  /** Procedures that are called by their names and in no other way. */
  readonly calledByName: ReadonlyMap<string, Procedure>
  /** Wherever the program calls this name, it calls the procedure, record or function of this name. */
  readonly isFixed: (name: string) => boolean
  /** Wherever the program calls this name, it calls the built-in function of this name. */
  readonly isBuiltin: (name: string) => boolean
  /** Run-time errors may be turned into failure. */
  readonly convertsErrors: boolean
}

/**
 * How often an operation has a result: never; always once; once or not at all; any number of times, when resumed. What
 * was done by one that is `undone` is taken back when it is resumed.
 */
export type Operation = 'never' | 'once' | 'maybe' | 'undone' | 'maybe undone' | 'generator'

/** What is known of a name that is called. */
type Callee = Procedure | 'record' | 'unknown' | { readonly builtin: string }

// kinds of expressions that have one result, whatever else the program does
const leaves: ReadonlySet<string> = new Set(['Identifier', 'Integer', 'Real', 'String', 'Cset', 'Create'])

/** Studies a program. */
export function studyOutcomes(program: Program, surroundings: Surroundings): Outcomes {
  const procedures = new Map<string, Procedure>()
  const records = new Set<string>()
  const variables = new Set<string>(surroundings.foreignNames)
  let convertsErrors = surroundings.convertsErrors
  for (const declaration of program.declarations) {
    if (declaration.kind === 'Procedure') procedures.set(declaration.name.name, declaration)
    else if (declaration.kind === 'Record') records.add(declaration.name.name)
    else if (declaration.kind === 'Global') for (const { name } of declaration.names) variables.add(name)
  }
  for (const name of [...procedures.keys(), ...records]) variables.delete(name)
  const locals = new Map<Procedure, Set<string>>()
  const features = new Map<Procedure, Features>()
  const targets: { readonly target: Expression; readonly own: ReadonlySet<string> }[] = []
  for (const procedure of procedures.values()) {
    const names = [...procedure.parameters, ...procedure.locals.flatMap((local) => local.names)]
    const own = new Set(names.map(({ name }) => name))
    locals.set(procedure, own)
    const its = featuresOf(procedure)
    features.set(procedure, its)
    for (const { operator, left, right } of its.assignments) {
      targets.push({ target: left, own })
      if (operator === '<->' || operator === ':=:') targets.push({ target: right, own })
    }
    convertsErrors ||= its.keywords.has('error')
  }
  // what is called within a target may turn out to be a variable as well
  const isCalled = (name: string, own: ReadonlySet<string>) =>
    !own.has(name) && !variables.has(name) && (procedures.has(name) || records.has(name) || functions.has(name))
  for (let before = -1; before < variables.size;) {
    before = variables.size
    for (const { target, own } of targets) {
      for (const name of assignedBy(target, (one) => isCalled(one, own))) if (!own.has(name)) variables.add(name)
    }
  }

  const calleeOf = (node: Expression, procedure: Procedure): Callee => {
    if (node.kind !== 'Identifier') return 'unknown'
    const { name } = node
    if (variables.has(name) || locals.get(procedure)?.has(name)) return 'unknown'
    return procedures.get(name) ?? (records.has(name) ? 'record' : functions.has(name) ? { builtin: name } : 'unknown')
  }

  /** A call that can only mean one thing: not a string, nor a value that may be any procedure. */
  const isPlainCall = (node: Expression, procedure: Procedure): boolean => {
    if (node.kind === 'Unary' || node.kind === 'Binary') return node.operator !== '!'
    if (node.kind !== 'Call') return false
    if (node.callee.kind === 'Integer') return true
    const callee = calleeOf(node.callee, procedure)
    return callee !== 'unknown' && !(typeof callee === 'object' && 'builtin' in callee && byName.has(callee.builtin))
  }

  const calledByName = new Map(surroundings.isWhole ? procedures : [])
  if (![...features].every(([procedure, { transfers }]) => transfers.every((node) => isPlainCall(node, procedure)))) {
    calledByName.clear()
  }
  if (program.declarations.some(({ kind }) => kind === 'Link' || kind === 'Invocable')) calledByName.clear()
  for (const { values } of features.values()) for (const name of values) calledByName.delete(name)
  for (const name of ['main', ...variables]) calledByName.delete(name)
  const builtinOf = (node: Expression, procedure: Procedure): string | undefined => {
    if (node.kind !== 'Call') return undefined
    const callee = calleeOf(node.callee, procedure)
    return typeof callee === 'object' && 'builtin' in callee ? callee.builtin : undefined
  }
  const values = studyValues(
    [...features].map(([procedure, { assignments, transfers }]) => ({
      procedure,
      own: locals.get(procedure)!,
      assignments,
      calls: transfers.filter((node) => node.kind === 'Call'),
    })),
    {
      globals: new Set([...variables, ...procedures.keys(), ...records]),
      isWhole: surroundings.isWhole,
      assignedBy: (target, own) => assignedBy(target, (name) => isCalled(name, own)),
      builtinOf,
      calledByName,
    },
  )

  /** Tables have an element for every key. */
  const isOfTable = (node: Subscript, procedure: Procedure) =>
    node.subscripts.length === 1 && values.isTable(node.operand, procedure)
  /** Whether it is string() of what certainly has one. */
  const isText = (node: Call, procedure: Procedure) => {
    const [arg = null] = node.args
    return builtinOf(node, procedure) === 'string' && arg !== null && values.isText(arg, procedure)
  }
  /** Whether it is tab() to a position that there is. */
  const isFound = ({ args: [position = null] }: Call, procedure: Procedure) =>
    position !== null && values.isPosition(position, procedure)

  const onceProcedures = new Set<Procedure>(convertsErrors ? [] : procedures.values())
  const leavingProcedures = new Set<Procedure>()

  const mayLeave = (node: Expression, procedure: Procedure): boolean => {
    switch (node.kind) {
      case 'Unary':
        return node.operator === '@'
      case 'Binary':
        return node.operator === '@' || node.operator === '@:=' || node.operator === '!'
      case 'ControlCall':
        return true
      case 'Call': {
        const callee = calleeOf(node.callee, procedure)
        if (callee === 'unknown') return !isMutual(node.callee)
        if (callee === 'record') return false
        return 'builtin' in callee ? ['exit', 'stop'].includes(callee.builtin) : leavingProcedures.has(callee)
      }
      default:
        return false
    }
  }

  // answers that do not change any more
  const known = new Map<Expression, boolean>()
  let settled = false

  const isOnce = (node: Expression | null, procedure: Procedure): boolean => {
    if (node === null || leaves.has(node.kind)) return true
    if (!settled) return judge(node, procedure)
    let answer = known.get(node)
    if (answer === undefined) known.set(node, (answer = judge(node, procedure)))
    return answer
  }

  const judge = (node: Expression, procedure: Procedure): boolean => {
    const once = (one: Expression | null) => isOnce(one, procedure)
    switch (node.kind) {
      case 'Keyword':
        return !failingKeywords.has(node.name) && !generatingKeywords.has(node.name)
      case 'List':
        return !convertsErrors && node.elements.every(once)
      case 'Paren':
        return node.expressions.every(once)
      case 'Compound':
        return once(node.expressions[node.expressions.length - 1])
      case 'Field':
        return !convertsErrors && once(node.operand)
      case 'Subscript':
        return !convertsErrors && isOfTable(node, procedure) && once(node.operand) && node.subscripts.every(once)
      case 'Unary':
        if (convertsErrors) return false
        // a random number up to a constant: there always is one
        if (node.operator === '?') return isChance(node)
        return onceUnary.has(node.operator) && once(node.operand)
      case 'Binary':
        return (
          once(node.left) && once(node.right) && isOnceOperator(node.operator, node.left, node.right, convertsErrors)
        )
      case 'If':
        return node.otherwise !== null && once(node.then) && once(node.otherwise)
      case 'Case':
        return (
          once(node.control) &&
          node.clauses.some((clause) => clause.selector === null) &&
          node.clauses.every((clause) => once(clause.body))
        )
      case 'Call': {
        if (convertsErrors || !node.args.every(once)) return false
        const callee = calleeOf(node.callee, procedure)
        if (callee === 'unknown') return false
        if (callee === 'record') return true
        if (!('builtin' in callee)) return onceProcedures.has(callee)
        return functions.get(callee.builtin) === 'once' || isText(node, procedure)
      }
      default:
        return false
    }
  }

  for (let changed = true; changed;) {
    changed = false
    for (const [procedure, { transfers, returns, mayFail }] of features) {
      if (onceProcedures.has(procedure) && (mayFail || !returns.every((node) => isOnce(node.value, procedure)))) {
        onceProcedures.delete(procedure)
        changed = true
      }
      if (!leavingProcedures.has(procedure) && transfers.some((node) => mayLeave(node, procedure))) {
        leavingProcedures.add(procedure)
        changed = true
      }
    }
  }
  settled = true
  const operation = (node: Expression, procedure: Procedure): Operation => {
    switch (node.kind) {
      case 'Keyword':
        if (failingKeywords.has(node.name)) return 'maybe'
        return generatingKeywords.has(node.name) ? 'generator' : 'once'
      case 'List':
      case 'Field':
        return convertsErrors ? 'maybe' : 'once'
      case 'Subscript':
        return !convertsErrors && isOfTable(node, procedure) ? 'once' : 'maybe'
      case 'To':
        return 'generator'
      case 'Unary':
        if (node.operator === '!') return 'generator'
        if (node.operator === '=') return 'maybe undone'
        if (convertsErrors) return 'maybe'
        if (node.operator === '?') return isChance(node) ? 'once' : 'maybe'
        return onceUnary.has(node.operator) ? 'once' : 'maybe'
      case 'Binary':
        if (node.operator === '!') return 'generator'
        if (node.operator === '<-') return !convertsErrors && takesAnything(node.left) ? 'undone' : 'maybe undone'
        if (node.operator === '<->') {
          return !convertsErrors && takesAnything(node.left) && takesAnything(node.right) ? 'undone' : 'maybe undone'
        }
        return isOnceOperator(node.operator, node.left, node.right, convertsErrors) ? 'once' : 'maybe'
      case 'Call': {
        const callee = calleeOf(node.callee, procedure)
        if (callee === 'unknown') return 'generator'
        if (callee === 'record') return convertsErrors ? 'maybe' : 'once'
        if ('builtin' in callee) {
          if (callee.builtin === 'tab') return isFound(node, procedure) ? 'undone' : 'maybe undone'
          if (callee.builtin === 'move') return 'maybe undone'
          const outcome = functions.get(callee.builtin) ?? 'generator'
          const once = outcome === 'once' || isText(node, procedure)
          return once ? (convertsErrors ? 'maybe' : 'once') : outcome
        }
        if (onceProcedures.has(callee)) return 'once'
        const { suspends, returns } = features.get(callee)!
        if (suspends) return 'generator'
        return returns.length === 0 ? 'never' : 'maybe'
      }
      default:
        return 'maybe'
    }
  }
  const localNames = new Set([...locals.values()].flatMap((own) => [...own]))
  const isFixed = (name: string) => {
    if (variables.has(name) || localNames.has(name)) return false
    return procedures.has(name) || records.has(name) || functions.has(name)
  }
  const isBuiltin = (name: string) => isFixed(name) && !procedures.has(name) && !records.has(name)
  return { isOnce, mayLeave, operation, calledByName, isFixed, isBuiltin, convertsErrors }
}

/** `(a, b)(…)` and `1(…)` select; they call nothing unknown. */
function isMutual(callee: Expression): boolean {
  return callee.kind === 'Integer'
}

function isAssignment(operator: string): boolean {
  return operator.endsWith(':=') || operator.startsWith('<-') || operator === ':=:'
}

/**
 * The names of variables that an assignment to this expression may change.
 *
 * isCalled   whether a name, where it is called, is that of a procedure, a record or a function: these take values, not
 *            variables
 */
function assignedBy(target: Expression, isCalled: (name: string) => boolean): string[] {
  switch (target.kind) {
    case 'Identifier':
      return [target.name]
    case 'Subscript':
    case 'Section':
      return assignedBy(target.operand, isCalled)
    case 'Field':
      return []
    case 'Call':
      if (target.callee.kind === 'Identifier' && isCalled(target.callee.name)) return []
      return namesIn(target)
    default:
      return namesIn(target)
  }
}

function namesIn(node: Expression): string[] {
  const names: string[] = []
  walk<Node>(node, children, (one) => {
    if (one.kind === 'Identifier') names.push(one.name)
  })
  return names
}

// the last ones fail where there is no window
const failingKeywords = new Set(
  'fail errornumber errortext errorvalue window col row x y interval control meta shift'.split(' '),
)
const generatingKeywords = new Set(['features', 'regions', 'storage', 'collections', 'allocated'])
const onceUnary = new Set(['-', '+', '*', '~', '.', '^'])
const arithmetic = new Set('+ - * / % ^ || ||| ++ -- **'.split(' '))

function isOnceOperator(operator: string, left: Expression, right: Expression, convertsErrors: boolean): boolean {
  if (operator === '&' || operator === '?') return !convertsErrors || operator === '&'
  if (convertsErrors) return false
  if (arithmetic.has(operator)) return true
  if (operator === ':=:') return takesAnything(left) && takesAnything(right)
  if (!operator.endsWith(':=') || !takesAnything(left)) return false
  return operator === ':=' || arithmetic.has(operator.slice(0, -2))
}

/** An assignment to it cannot fail; to `&pos` it can, and so to what may turn out to be that. */
function takesAnything(node: Expression): boolean {
  switch (node.kind) {
    case 'Identifier':
    case 'Field':
    case 'Subscript':
    case 'Section':
      return true
    case 'Keyword':
      return node.name !== 'pos'
    case 'Unary':
      return '/\\'.includes(node.operator) && takesAnything(node.operand)
    default:
      return false
  }
}

/** What of a procedure matters to its outcomes. */
interface Features {
  readonly assignments: readonly Binary[]
  readonly keywords: ReadonlySet<string>
  /** Operations by which control might leave for good. */
  readonly transfers: readonly Expression[]
  readonly returns: readonly Return[]
  /** It fails, suspends, or runs to its end somewhere. */
  readonly mayFail: boolean
  readonly suspends: boolean
  /** Names used otherwise than to call them. */
  readonly values: ReadonlySet<string>
}

// functions that find a procedure by its name
const byName = new Set(['proc', 'variable', 'function', 'loadfunc'])

function featuresOf(procedure: Procedure): Features {
  const assignments: Binary[] = []
  const keywords = new Set<string>()
  const transfers: Expression[] = []
  const returns: Return[] = []
  const identifiers: Identifier[] = []
  const callees = new Set<Expression>()
  const { body } = procedure
  let suspends = false
  let mayFail = body.length === 0 || !neverCompletes(body[body.length - 1])
  walk<Node>(procedure, children, (node) => {
    switch (node.kind) {
      case 'Binary':
        if (isAssignment(node.operator)) assignments.push(node)
        if (node.operator === '@' || node.operator === '@:=' || node.operator === '!') transfers.push(node)
        break
      case 'Unary':
        if (node.operator === '@') transfers.push(node)
        break
      case 'Call':
        callees.add(node.callee)
        transfers.push(node)
        break
      case 'ControlCall':
        transfers.push(node)
        break
      case 'Identifier':
        identifiers.push(node)
        break
      case 'Keyword':
        keywords.add(node.name)
        break
      case 'Return':
        returns.push(node)
        break
      case 'Suspend':
        suspends = true
        mayFail = true
        break
      case 'Fail':
        mayFail = true
        break
      default:
    }
  })
  const values = new Set(identifiers.filter((one) => !callees.has(one)).map(({ name }) => name))
  return { assignments, keywords, transfers, returns, mayFail, suspends, values }
}

/** Control never goes on to what follows this expression: it returns first. */
function neverCompletes(node: Expression | null): boolean {
  if (node === null) return false
  switch (node.kind) {
    case 'Return':
      return true
    case 'If':
      return node.otherwise !== null && neverCompletes(node.then) && neverCompletes(node.otherwise)
    case 'Paren':
      return node.expressions.length === 1 && neverCompletes(node.expressions[0])
    case 'Compound':
      return neverCompletes(node.expressions[node.expressions.length - 1])
    default:
      return false
  }
}
