// What an Icon source shows of the values its expressions have, as far as it decides whether operations can fail:
// a subscript of a table never does, nor does string() of a text, nor tab() to a position that was found just now.
import {
  children,
  type Binary,
  type Call,
  type Expression,
  type Identifier,
  type Node,
  type Procedure,
} from '../1-parse/icon/ast.js'
import { walk } from '../1-parse/walk.js'

/** What is known of values. */
export interface Values {
  /** It is a table, or null, whenever control gets there. */
  readonly isTable: (node: Expression, procedure: Procedure) => boolean
  /** It is a string or something that every conversion to one accepts. */
  readonly isText: (node: Expression, procedure: Procedure) => boolean
  /** It is a position in the subject. */
  readonly isPosition: (node: Expression, procedure: Procedure) => boolean
}

/** A procedure and what matters of it here. */
export interface Studied {
  readonly procedure: Procedure
  readonly own: ReadonlySet<string>
  readonly assignments: readonly Binary[]
  readonly calls: readonly Call[]
}

/**
 * What of the program the study rests on.
 *
 * globals       names of global variables
 * isWhole       whether nothing but these procedures makes up the program
 * assignedBy    the names an assignment to an expression may change
 * builtinOf     the built-in function that a call calls, if it is sure to
 * calledByName  procedures that are called by their names and in no other way
 */
export interface Whole {
  readonly globals: ReadonlySet<string>
  readonly isWhole: boolean
  readonly assignedBy: (target: Expression, own: ReadonlySet<string>) => readonly string[]
  readonly builtinOf: (node: Expression, procedure: Procedure) => string | undefined
  readonly calledByName: ReadonlyMap<string, Procedure>
}

/** Everything that a variable is ever given; undefined once it may be given something that does not show. */
type Sources = { readonly node: Expression; readonly procedure: Procedure }[] | undefined

/** Studies the values of a program's expressions. */
export function studyValues(procedures: readonly Studied[], whole: Whole): Values {
  const { builtinOf } = whole
  const owners = new Map(procedures.map(({ procedure, own }) => [procedure, own]))
  const everywhere = new Map<string, Sources>()
  const within = new Map<Procedure, Map<string, Sources>>(procedures.map(({ procedure }) => [procedure, new Map()]))
  const scopeOf = (name: string, procedure: Procedure) =>
    !owners.get(procedure)!.has(name) && whole.globals.has(name) ? everywhere : within.get(procedure)!
  const give = (scope: Map<string, Sources>, name: string, node: Expression, procedure: Procedure) => {
    const known = scope.get(name)
    if (known) known.push({ node, procedure })
    else if (!scope.has(name)) scope.set(name, [{ node, procedure }])
  }

  // a variable that a procedure returns may be assigned by its caller
  let showsAll = true
  let changesSubject = !whole.isWhole
  for (const { procedure, own, assignments, calls } of procedures) {
    for (const call of calls) if (builtinOf(call, procedure) === 'variable') showsAll = false
    for (const { operator, left, right } of assignments) {
      const swaps = operator === '<->' || operator === ':=:'
      for (const target of swaps ? [left, right] : [left]) {
        if (target.kind !== 'Identifier') {
          walk<Node>(target, children, (node) => {
            if (node.kind === 'Keyword' && node.name === 'subject') changesSubject = true
            if (node.kind === 'Call' && builtinOf(node, procedure) === undefined) showsAll = false
          })
        }
        const variable = variableOf(target)
        // what is assigned to an element leaves a table what it was
        if (isElement(target)) continue
        if (variable && (operator === ':=' || operator === '<-')) {
          give(scopeOf(variable.name, procedure), variable.name, right, procedure)
        } else {
          for (const name of whole.assignedBy(target, own)) scopeOf(name, procedure).set(name, undefined)
        }
      }
    }
  }
  if (!whole.isWhole) for (const name of whole.globals) everywhere.set(name, undefined)
  for (const { procedure } of procedures) {
    const { name, parameters, variadic } = procedure
    if (variadic || whole.calledByName.get(name.name) !== procedure) {
      for (const parameter of parameters) within.get(procedure)!.set(parameter.name, undefined)
    }
  }
  for (const { procedure: caller, calls } of procedures) {
    for (const { callee, args } of calls) {
      const called = callee.kind === 'Identifier' ? whole.calledByName.get(callee.name) : undefined
      called?.parameters.forEach(({ name }, i) => {
        const arg = args[i]
        if (arg) give(within.get(called)!, name, arg, caller)
      })
    }
  }

  const tables = new Map<Map<string, Sources>, Set<string>>()
  const isTable = (node: Expression, procedure: Procedure): boolean => {
    switch (node.kind) {
      case 'Identifier':
        return tables.get(scopeOf(node.name, procedure))?.has(node.name) ?? false
      case 'Paren':
        return node.expressions.length === 1 && node.expressions[0] !== null && isTable(node.expressions[0], procedure)
      case 'Binary':
        return node.operator === ':=' && isTable(node.right, procedure)
      case 'Call':
        return builtinOf(node, procedure) === 'table'
      default:
        return false
    }
  }
  if (showsAll) {
    // all of them, until one is given something else
    const scopes = [everywhere, ...within.values()]
    for (const scope of scopes) {
      tables.set(scope, new Set([...scope].flatMap(([name, sources]) => (sources ? [name] : []))))
    }
    for (let changed = true; changed;) {
      changed = false
      for (const [scope, names] of tables) {
        for (const name of names) {
          if (scope.get(name)!.every(({ node, procedure }) => isTable(node, procedure))) continue
          names.delete(name)
          changed = true
        }
      }
    }
  }

  const isText = (node: Expression, procedure: Procedure): boolean => {
    switch (node.kind) {
      case 'String':
      case 'Cset':
      case 'Integer':
      case 'Real':
        return true
      case 'Keyword':
        return textKeywords.has(node.name)
      case 'Paren':
        return node.expressions.length === 1 && node.expressions[0] !== null && isText(node.expressions[0], procedure)
      case 'Unary':
        return node.operator === '-' || node.operator === '+' || node.operator === '*' || isChance(node)
      case 'Binary':
        return textOperators.has(node.operator)
      case 'Call':
        return textFunctions.has(builtinOf(node, procedure) ?? '')
      default:
        return false
    }
  }

  const isPosition = (node: Expression, procedure: Procedure): boolean => {
    switch (node.kind) {
      case 'Integer':
        return node.text === '0' || node.text === '1'
      case 'Paren':
        return (
          node.expressions.length === 1 && node.expressions[0] !== null && isPosition(node.expressions[0], procedure)
        )
      case 'Binary':
        return node.operator === '|' && isPosition(node.left, procedure) && isPosition(node.right, procedure)
      case 'Call': {
        // in the subject, as long as nothing but their first arguments is said
        const most = analysisArguments.get(builtinOf(node, procedure) ?? '')
        return !changesSubject && most !== undefined && node.args.length <= most
      }
      default:
        return false
    }
  }
  return { isTable, isText, isPosition }
}

/** The variable that an expression is, but for tests whether it is null. */
function variableOf(node: Expression): Identifier | undefined {
  if (node.kind === 'Identifier') return node
  return node.kind === 'Unary' && '/\\'.includes(node.operator) ? variableOf(node.operand) : undefined
}

/** A part of something, perhaps tested whether it is null. */
function isElement(node: Expression): boolean {
  if (node.kind === 'Unary')
    return '!?'.includes(node.operator) || ('/\\'.includes(node.operator) && isElement(node.operand))
  return node.kind === 'Subscript' || node.kind === 'Section'
}

/** A random number up to a constant: there always is one. */
export const isChance = (node: Expression): boolean =>
  node.kind === 'Unary' && node.operator === '?' && node.operand.kind === 'Integer' && node.operand.text !== '0'

const textKeywords = new Set(
  'ascii cset digits lcase letters ucase date dateline clock host progname version subject pos time'.split(' '),
)
const textOperators = new Set('|| + - * / % ^'.split(' '))
const textFunctions = new Set('center char left map repl reverse right trim type image detab entab'.split(' '))

// string analysis, and how many arguments it may have and still be of the subject
const analysisArguments: ReadonlyMap<string, number> = new Map([
  ['any', 1],
  ['bal', 3],
  ['find', 1],
  ['many', 1],
  ['match', 1],
  ['upto', 1],
])
