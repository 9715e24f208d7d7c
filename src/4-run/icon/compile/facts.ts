// What the compiler knows of a whole program before it compiles a line: which procedures can be reached, which
// names are ever assigned, which procedures suspend or may transfer between co-expressions, and which costly
// services (levels, tracing, access to locals by name, error conversion) the program can ask for.
import {
  children,
  type Expression,
  type Node,
  type Procedure,
  type RecordDeclaration,
} from '../../../1-parse/icon/ast.js'
import type { IconTree } from '../../../1-parse/icon/parse.js'
import { walk } from '../../../1-parse/walk.js'
import { builtins, graphics } from '../builtins.js'
import { isAssignment } from './operators.js'

export interface ProcedureFacts {
  readonly name: string
  readonly node: Procedure
  readonly tree: IconTree
  readonly suspends: boolean
  /** Names that occur in the body. */
  readonly mentions: ReadonlySet<string>
  /** Whether code outside `create` activates co-expressions, itself or through what it calls. */
  transfers: boolean
  /** Whether it may change structures, globals or what it is given: it, or what it calls. */
  changes: boolean
  readonly callsUnknown: boolean
  /** Whether it returns global variables or parts of &subject: callers read these later than they get them. */
  readonly givesVariables: boolean
  readonly creates: readonly Expression[]
  readonly locals: ReadonlySet<string>
}

export interface ProgramFacts {
  readonly procedures: ReadonlyMap<string, ProcedureFacts>
  readonly records: ReadonlyMap<string, { node: RecordDeclaration; tree: IconTree }>
  readonly globals: ReadonlySet<string>
  /** Globals, procedures and functions that are assigned somewhere, or might be. */
  readonly assigned: ReadonlySet<string>
  readonly usesFrames: boolean
  readonly usesLevel: boolean
  readonly usesTrace: boolean
  readonly converts: boolean
  /** Whether the program can see what storage it takes. */
  readonly asksStorage: boolean
  /** Procedures may return variables, and some caller assigns to a call. */
  readonly returnsVariables: boolean
  /** Whether any procedure gives variables. */
  readonly givesVariables: boolean
  /** Whether some co-expression's code may transfer to others. */
  readonly coroutines: boolean
  /** Functions on variables (name, :=) may be called through values: such calls pass variables. */
  readonly namesVariables: boolean
  /** The names of all fields of the records in use. */
  readonly fieldNames: ReadonlySet<string>
}

/** Gathers the facts. `trace`: &trace is on from the start. */
export function factsOf(trees: readonly IconTree[], trace: boolean): ProgramFacts {
  const declared = new Map<string, { node: Procedure; tree: IconTree }>()
  const records = new Map<string, { node: RecordDeclaration; tree: IconTree }>()
  const declaredGlobals = new Set<string>()
  let invokeAll = false
  const invocable: string[] = []
  for (const tree of trees) {
    for (const node of tree.program.declarations) {
      switch (node.kind) {
        case 'Procedure':
          if (!declared.has(node.name.name)) declared.set(node.name.name, { node, tree })
          break
        case 'Record':
          if (!records.has(node.name.name)) records.set(node.name.name, { node, tree })
          break
        case 'Global':
          for (const { name } of node.names) declaredGlobals.add(name)
          break
        case 'Invocable':
          for (const { name } of node.names) {
            if (name === 'all') invokeAll = true
            else invocable.push(name.replace(/^"(.*)"$/, '$1'))
          }
          break
        default:
      }
    }
  }
  const services = {
    frames: false,
    level: trace,
    trace,
    converts: false,
    storage: false,
    variables: false,
    names: false,
  }
  const assigned = new Set<string>()
  const procedures = new Map<string, ProcedureFacts>()
  const globals = new Set<string>()
  const usedRecords = new Map<string, { node: RecordDeclaration; tree: IconTree }>()
  const wanted = [
    'main',
    ...invocable,
    ...(invokeAll ? [...declared.keys(), ...records.keys(), ...declaredGlobals] : []),
  ]
  const seen = new Set<string>()
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    if (seen.has(name)) continue
    seen.add(name)
    const record = records.get(name)
    if (record) usedRecords.set(name, record)
    if (declaredGlobals.has(name)) globals.add(name)
    const procedure = declared.get(name)
    if (!procedure) continue
    const isDeclared = (id: string) => declared.has(id) || records.has(id) || declaredGlobals.has(id)
    const facts = procedureFacts(name, procedure.node, procedure.tree, assigned, services, declaredGlobals, isDeclared)
    procedures.set(name, facts)
    for (const mentioned of facts.mentions) if (!facts.locals.has(mentioned)) wanted.push(mentioned)
  }
  // in the order of the text, as iconx lists them
  const ordered = new Map(
    [...declared.keys()].filter((name) => procedures.has(name)).map((name) => [name, procedures.get(name)!]),
  )
  spreadTransfers(ordered)
  spreadChanges(ordered)
  const coroutines = [...ordered.values()].some(({ creates }) => creates.some((e) => reachesTransfer(e, ordered)))
  return {
    procedures: ordered,
    records: usedRecords,
    globals,
    assigned,
    usesFrames: services.frames,
    usesLevel: services.level || services.frames,
    usesTrace: services.trace,
    converts: services.converts,
    asksStorage: services.storage,
    returnsVariables: services.variables || services.trace,
    givesVariables: services.variables || services.trace || [...ordered.values()].some((facts) => facts.givesVariables),
    coroutines,
    namesVariables: services.names,
    fieldNames: new Set([...usedRecords.values()].flatMap(({ node }) => node.fields.map((field) => field.name))),
  }
}

/** Whether a string names an operator on variables: when called, such operators get them. */
export const isOnVariables = (text: string): boolean => /^"(:=|:=:|<-|<->|\[\]|\[:\]|!|\?|\/|\\\\)"$/.test(text)

interface Services {
  frames: boolean
  level: boolean
  trace: boolean
  converts: boolean
  storage: boolean
  variables: boolean
  names: boolean
}

function procedureFacts(
  name: string,
  node: Procedure,
  tree: IconTree,
  assigned: Set<string>,
  services: Services,
  globals: ReadonlySet<string>,
  declared: (name: string) => boolean,
): ProcedureFacts {
  const locals = new Set<string>()
  for (const parameter of node.parameters) locals.add(parameter.name)
  for (const { names } of node.locals) for (const local of names) locals.add(local.name)
  const mentions = new Set<string>()
  const creates: Expression[] = []
  const results: Expression[] = []
  let suspends = false
  let transfers = false
  let changes = false
  let callsUnknown = false
  let depth = 0
  // the callee of the call that is entered
  let called: Expression | undefined
  const isOwn = (e: Expression) =>
    e.kind === 'Identifier' && (locals.has(e.name) || !(declared(e.name) || builtins.has(e.name)))
  const enter = (e: Node) => {
    switch (e.kind) {
      case 'Identifier':
        mentions.add(e.name)
        if ((e.name === 'display' || e.name === 'variable') && !locals.has(e.name) && !declared(e.name))
          services.frames = true
        if (e.name === 'variable' && e !== called) services.names = services.variables = true
        break
      case 'String':
        if (/^"(name|variable|:=|:=:|<-|<->)"$/.test(e.text)) services.names = true
        if (e.text === '"variable"') services.variables = services.frames = true
        break
      case 'Keyword':
        if (e.name === 'dump') services.frames = true
        if (e.name === 'level') services.level = true
        if (e.name === 'trace') services.trace = services.level = services.frames = true
        if (e.name === 'error') services.converts = true
        if (/^(allocated|storage|regions|collections)$/.test(e.name)) services.storage = true
        break
      case 'Return':
        if (e.value) results.push(e.value)
        break
      case 'Suspend':
        suspends = true
        if (e.control) results.push(e.control)
        break
      case 'Create':
        creates.push(e.expression)
        depth++
        break
      case 'ControlCall':
        creates.push(...e.args.filter((arg) => arg !== null))
        if (depth === 0) callsUnknown = true
        break
      case 'Call':
        called = e.callee
        if (e.callee.kind !== 'Identifier' && depth === 0) callsUnknown = true
        if (e.callee.kind === 'Identifier' && e.callee.name === 'proc' && e.args[0]?.kind === 'String')
          services.names ||= isOnVariables(e.args[0].text)
        if (e.callee.kind === 'Identifier' && locals.has(e.callee.name) && depth === 0) callsUnknown = true
        break
      case 'Unary':
        if (e.operator.includes('@') && depth === 0) transfers = true
        break
      case 'Binary':
        if ((e.operator === '@' || e.operator === '@:=') && depth === 0) transfers = true
        if (e.operator === '!' && depth === 0) callsUnknown = true
        if (isAssignment(e.operator)) {
          if (!isOwn(e.left) || (/^(:=:|<->)$/.test(e.operator) && !isOwn(e.right))) changes = true
          markTargets(e.left, assigned, services)
          if (/^(:=:|<->)$/.test(e.operator)) markTargets(e.right, assigned, services)
        }
        break
      default:
    }
  }
  walk<Node>(node, children, enter, (e) => {
    if (e.kind === 'Create') depth--
  })
  const statics = new Set(
    node.locals.filter(({ isStatic }) => isStatic).flatMap(({ names }) => names.map((local) => local.name)),
  )
  const late = (id: string) => statics.has(id) || (globals.has(id) && !locals.has(id))
  const givesVariables = results.some((e) => isLate(e, late))
  return { name, node, tree, givesVariables, suspends, mentions, transfers, changes, callsUnknown, creates, locals }
}

/**
 * Whether an expression may give a variable that others can assign before the value is read: a keyword, a name that
 * is `late`, a part of such a string; with `elements`, also what !x and ?x give.
 */
export function isLate(e: Expression, late: (id: string) => boolean, elements = false): boolean {
  switch (e.kind) {
    case 'Identifier':
      return late(e.name)
    case 'Keyword':
      return /^(subject|pos|random|trace|error|dump)$/.test(e.name)
    case 'Subscript':
    case 'Section':
      return isLate(e.operand, late, elements)
    case 'Paren':
    case 'Compound': {
      const last = e.expressions[e.expressions.length - 1]
      return last ? isLate(last, late, elements) : false
    }
    case 'If':
      return isLate(e.then, late, elements) || (e.otherwise !== null && isLate(e.otherwise, late, elements))
    case 'Case':
      return e.clauses.some(({ body }) => isLate(body, late, elements))
    case 'Unary':
      return (elements ? /^[\\/!?]$/ : /^[\\/]$/).test(e.operator) && isLate(e.operand, late, elements)
    case 'Binary':
      if (isAssignment(e.operator)) return isLate(e.left, late, elements)
      if (e.operator === '|') return isLate(e.left, late, elements) || isLate(e.right, late, elements)
      if (e.operator === '&' || e.operator === '?') return isLate(e.right, late, elements)
      return e.operator === '\\' && isLate(e.left, late, elements)
    case 'Call':
      // i(e1, …, en) is one of them
      return e.callee.kind === 'Integer' && e.args.some((arg) => arg !== null && isLate(arg, late, elements))
    default:
      return false
  }
}

/** Marks the names that an assignment to this expression may assign. */
function markTargets(target: Expression, assigned: Set<string>, services: Services): void {
  walk<Node>(target, children, (e) => {
    if (e.kind === 'Identifier') assigned.add(e.name)
    if (e.kind === 'Call' || e.kind === 'ControlCall' || (e.kind === 'Binary' && e.operator === '!')) {
      if (!(e.kind === 'Call' && e.callee.kind === 'Identifier' && builtins.has(e.callee.name)))
        services.variables = true
    }
    // what is computed with, as in x[f(i)] := …, is not assigned
    return (
      !(e.kind === 'Subscript' || e.kind === 'Section' || e.kind === 'Call' || e.kind === 'Field') ||
      markBase(e, assigned, services)
    )
  })
}

function markBase(e: Expression, assigned: Set<string>, services: Services): false {
  if (e.kind === 'Subscript' || e.kind === 'Section') markTargets(e.operand, assigned, services)
  if (e.kind === 'Call')
    for (const arg of e.args) if (arg && e.callee.kind !== 'Identifier') markTargets(arg, assigned, services)
  return false
}

/** A procedure transfers when something it calls may. */
function spreadTransfers(procedures: ReadonlyMap<string, ProcedureFacts>): void {
  for (let changed = true; changed;) {
    changed = false
    const some = [...procedures.values()].some(({ transfers }) => transfers)
    for (const facts of procedures.values()) {
      if (facts.transfers) continue
      const calls = [...facts.mentions].some((name) => !facts.locals.has(name) && procedures.get(name)?.transfers)
      if (calls || (some && facts.callsUnknown)) facts.transfers = changed = true
    }
  }
}

/** A procedure changes things when something it calls may. */
function spreadChanges(procedures: ReadonlyMap<string, ProcedureFacts>): void {
  for (let changed = true; changed;) {
    changed = false
    for (const facts of procedures.values()) {
      if (facts.changes) continue
      const isKnown = (name: string) => !facts.locals.has(name) && (procedures.has(name) || builtins.has(name))
      let changes = false
      walk<Node>(facts.node, children, (e) => {
        changes ||= mayChange(e, procedures, isKnown)
        return !changes
      })
      if (changes) facts.changes = changed = true
    }
  }
}

const changers = new Set(['delete', 'get', 'insert', 'pop', 'pull', 'push', 'put', 'runerr', 'variable'])

/** Whether a node is a call, or an activation, of what may change structures or others' variables. */
export function mayChange(
  e: Node,
  procedures: ReadonlyMap<string, ProcedureFacts>,
  isKnown: (name: string) => boolean,
): boolean {
  if (e.kind === 'Call') {
    if (e.callee.kind !== 'Identifier') return e.callee.kind !== 'Integer'
    const { name } = e.callee
    return !isKnown(name) || changers.has(name) || procedures.get(name)?.changes === true
  }
  if (e.kind === 'ControlCall') return true
  if (e.kind === 'Unary') return e.operator.includes('@')
  return e.kind === 'Binary' && /^[!@]$/.test(e.operator)
}

/** Whether the code of a co-expression may transfer to another. */
export function reachesTransfer(e: Expression, procedures: ReadonlyMap<string, ProcedureFacts>): boolean {
  const some = [...procedures.values()].some(({ transfers }) => transfers)
  let reaches = false
  walk<Node>(e, children, (node) => {
    if (node.kind === 'Create') return false
    if (node.kind === 'Unary' && node.operator.includes('@')) reaches = true
    if (node.kind === 'Binary' && (node.operator === '@' || node.operator === '@:=')) reaches = true
    if (node.kind === 'Identifier' && procedures.get(node.name)?.transfers) reaches = true
    if (
      some &&
      node.kind === 'Call' &&
      !(node.callee.kind === 'Identifier' && (procedures.has(node.callee.name) || builtins.has(node.callee.name)))
    )
      reaches = true
    if (some && node.kind === 'Binary' && node.operator === '!') reaches = true
    return true
  })
  return reaches
}

export { graphics }
