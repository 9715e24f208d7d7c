// Algol 68: what names stand for, as far as that decides where control goes. Labels and jumps to them; routines that
// a name always calls; and which of all those may leave a routine for good, by a jump to a label outside of it or to
// `stop`. Modes are not analysed: whatever might be a call of something unknown is taken for one.
import type { Algol68Tree } from '../1-parse/algol68/parse.js'
import {
  children,
  type Call,
  type Case,
  type Declaration,
  type Formula,
  type Identifier,
  type If,
  type Jump,
  type Label,
  type Loop,
  type Node,
  type Program,
  type Routine,
  type Series,
  type Slice,
} from '../1-parse/algol68/ast.js'
import type { Tokens } from '../1-parse/algol68/scan.js'
import { studyModes, type Modes } from './algol68-modes.js'

/** Something control can be in as a whole: a routine, or what runs on its own, such as a unit of a parallel clause. */
type Owner = Node

/** What may call something. */
type Use = Call | Identifier | Formula | Slice

/** Where a jump leads: to a label of its own routine, or out of it. */
export type Destination = Label | 'outside'

/** What the study of names finds out. */
export interface Names {
  /** Where a jump leads; undefined for an identifier that is none. */
  readonly jump: (node: Identifier | Jump) => Destination | undefined
  /** Whether a jump without more may be made a procedure of, to be carried out elsewhere. */
  readonly hasProcedureModes: boolean
  /** Labels that control may come to from other routines. */
  readonly entered: ReadonlySet<Label>
  /** Whether carrying out a call, a mention or an operator of a formula may not come back. */
  readonly mayLeave: (node: Use) => boolean
  /** The routine that a call, or a mention, always calls. */
  readonly called: (node: Call | Identifier) => Routine | undefined
  /** Whether a mention calls a routine of the library that has no parameters. */
  readonly callsLibrary: (node: Identifier) => boolean
  /** Whether the brackets of a call take a slice of something. */
  readonly slices: (node: Call) => boolean
  /** Whether an identifier stands for a procedure without parameters, by its mode. */
  readonly isProcedure: (node: Identifier) => boolean
  /** Whether something may call a routine that does not show in the text. */
  readonly mayCall: (node: Use) => boolean
  /** Routines all of whose calls are known. */
  readonly calledByName: ReadonlySet<Routine>
  /** Identifiers that are declared, or used for something not declared: what a prelude had better not use. */
  readonly declared: ReadonlySet<string>
}

/** What an identifier stands for where it is declared. */
type Binding =
  | { readonly kind: 'label'; readonly label: Label; readonly owner: Owner }
  | { readonly kind: 'routine'; readonly name: string; readonly routine: Routine }
  | Valued

/** Something that has a value; `unknown`: which may be a procedure, or hold one. `declarer`: where its mode is written. */
interface Valued {
  readonly kind: 'value' | 'unknown'
  readonly declarer: number | undefined
}

interface Scope {
  readonly names: Map<string, Binding>
  readonly outer: Scope | undefined
}

// what a program may jump to though it declares no such label
const standardLabels = new Set(['stop', 'abort', 'halt'])

// what is called by being named; in a `PROC REAL r = random` it is not, and is taken for a call all the same
const parameterless =
  /^(?:(?:next|long|longlong)?random|read(?:int|real|bool|char|string|bits|complex|line|long\w*)|cputime|clock|seconds|wallclock|utctime|localtime|wallseconds|errno|argc)$/i

// what runs procedures that a program has set, at the end of a file and the like
const transput =
  /^(?:get|put|read|print|write|newline|newpage|space|backspace|set|reset|close|lock|scratch|open|establish|create|associate|make|logical|physical|eof|eoln)/

/** Studies the names of a program. */
export function studyNames(tree: Algol68Tree): Names {
  return new Study(tree).study()
}

class Study {
  private readonly tokens: Tokens
  private readonly jumps = new Map<Node, Destination>()
  private readonly entered = new Set<Label>()
  private readonly declared = new Set<string>()
  /** What identifiers stand for, by the token that each is. */
  private readonly bindings: (Binding | undefined)[] = []
  /** What may call something, and what it stands in. */
  private readonly uses: { readonly node: Use; readonly owner: Owner }[] = []
  /** Routines that are the values of operators, by the operator. */
  private readonly operators = new Map<string, Routine[]>()
  /** Routines that are only known by a name or an operator; all others may be called from anywhere. */
  private readonly named = new Set<Routine>()
  private readonly escaped = new Set<Routine>()
  /** Owners that a jump leads out of, or a call of something that may. */
  private readonly leavers = new Set<Owner>()
  private modes: Modes
  private readonly hasProcedureModes: boolean
  private anyLeave = false
  /** Units whose values nobody asks for: a jump among them is carried out at once. */
  private readonly statements = new Set<Node>()

  constructor(private readonly tree: Algol68Tree) {
    this.tokens = tree.tokens
    const { kinds } = this.tokens
    this.hasProcedureModes = /R[^i]/.test(kinds)
    this.modes = studyModes(this.tokens, [])
  }

  study(): Names {
    const { program } = this.tree
    this.collect()
    this.resolve(program)
    this.findLeavers()
    const { jumps, entered, declared, hasProcedureModes } = this
    const calledByName = new Set([...this.named.keys()].filter((routine) => !this.escaped.has(routine)))
    for (const routine of [...this.operators.values()].flat()) calledByName.delete(routine)
    return {
      jump: (node) => jumps.get(node),
      hasProcedureModes,
      entered,
      mayLeave: (node) => this.mayLeave(node),
      called: (node) => this.called(node),
      callsLibrary: (node) => !declared.has(node.name) && parameterless.test(node.name),
      slices: ({ callee }) => this.modes.applied(callee, (node) => this.declarerOf(node)) === 'slice',
      isProcedure: (node) => {
        const declarer = this.declarerOf(node)
        return declarer !== undefined && this.modes.isParameterless(declarer)
      },
      mayCall: (node) => this.mayCall(node),
      calledByName,
      declared,
    }
  }

  // ---- names

  /** Collects what does not depend on scopes: modes that procedures may hide in, and the routines of operators. */
  private collect(): void {
    const { definitions } = this.tree
    for (const { what, name, isIdentity, value } of definitions) {
      if (what !== 'OP') continue
      const routines = this.operators.get(name.name) ?? []
      this.operators.set(name.name, routines)
      if (value?.kind === 'Routine' && isIdentity) {
        routines.push(value)
        this.named.add(value)
      }
    }
    this.modes = studyModes(
      this.tokens,
      definitions.filter(({ what }) => what === 'MODE'),
    )
  }

  private resolve(program: Program): void {
    const top: Scope = { names: new Map(), outer: undefined }
    this.series(program.series, top, program, true)
    for (const refinement of program.refinements) {
      top.names.set(refinement.name.name, { kind: 'unknown', declarer: undefined })
      this.series(refinement.series, top, refinement)
    }
  }

  /** Resolves a series. Answers its scope, which is the outer one if nothing is declared in it. */
  private series(series: Series, outer: Scope, owner: Owner, isStatement = false): Scope {
    const declares = series.phrases.some(({ kind }) => kind === 'Label' || kind === 'Declaration')
    const scope = declares ? { names: new Map<string, Binding>(), outer } : outer
    for (const phrase of series.phrases) {
      if (phrase.kind === 'Label') this.declare(scope, phrase.name.name, { kind: 'label', label: phrase, owner })
      else if (phrase.kind === 'Declaration') this.declareAll(phrase, scope)
    }
    series.phrases.forEach((phrase, i) => {
      if (phrase.kind === 'Label' || phrase.kind === 'Exit') return
      const next = series.phrases.at(i + 1)
      if (isStatement || (next && next.kind !== 'Exit')) this.statements.add(phrase)
      this.visit(phrase, scope, owner)
    })
    return scope
  }

  private declare(scope: Scope, name: string, binding: Binding): void {
    this.declared.add(name)
    scope.names.set(name, binding)
  }

  private declareAll(declaration: Declaration, scope: Scope): void {
    let mode: Valued = { kind: 'unknown', declarer: undefined }
    for (const part of declaration.parts) {
      if (part.kind === 'Declarer') {
        mode = this.valued(part.first, part.last)
        continue
      }
      if (part.what === 'MODE' || part.what === 'OP') continue
      const { name, token } = part.name
      const isProcedure = part.what === 'PROC' || this.tokens.kinds[token - 1] === 'R'
      if (isProcedure && part.isIdentity && part.value?.kind === 'Routine') {
        this.named.add(part.value)
        this.declare(scope, name, { kind: 'routine', name, routine: part.value })
      } else this.declare(scope, name, isProcedure ? { kind: 'unknown', declarer: undefined } : mode)
    }
  }

  /** What has the mode that is written within a range of tokens. */
  private valued(first: number, last: number): Valued {
    return { kind: this.modes.mayBeProcedure(first, last) ? 'unknown' : 'value', declarer: first }
  }

  /** Where the mode of an identifier is written; of a procedure without parameters, that of what it yields. */
  private declarerOf(node: Identifier): number | undefined {
    const binding = this.bindings[node.first]
    if (binding?.kind === 'routine' && binding.routine.parameters.length === 0) return binding.routine.first
    return binding && 'declarer' in binding ? binding.declarer : undefined
  }

  private find(name: string, scope: Scope): Binding | undefined {
    for (let at: Scope | undefined = scope; at; at = at.outer) {
      const binding = at.names.get(name)
      if (binding) return binding
    }
    return undefined
  }

  private visit(node: Node | null, scope: Scope, owner: Owner, isCallee = false): void {
    if (node === null) return
    switch (node.kind) {
      case 'Denotation':
      case 'Label':
      case 'Exit':
        return
      case 'Identifier':
        this.uses.push({ node, owner })
        return this.mention(node, node.name, scope, owner, isCallee)
      case 'Formula':
        this.uses.push({ node, owner })
        return this.visitAll(node.operands, scope, owner)
      case 'Slice':
        this.uses.push({ node, owner })
        this.visit(node.primary, scope, owner)
        return this.visitAll(node.subscripts, scope, owner)
      case 'Jump':
        return this.jumpTo(node, this.find(node.name.name, scope), owner)
      case 'Series':
        this.series(node, scope, owner)
        return
      case 'Closed':
        this.series(node.series, scope, owner, this.statements.has(node))
        return
      case 'If': {
        const inner = this.series(node.condition, scope, owner)
        this.series(node.then, inner, owner, this.statements.has(node))
        return this.otherwise(node, inner, owner)
      }
      case 'Case': {
        const inner = this.series(node.chooser, scope, owner)
        for (const arm of node.arms) {
          if (this.statements.has(node)) this.statements.add(arm.unit)
          if (arm.name === null) this.visit(arm.unit, inner, owner)
          else {
            const own: Scope = { names: new Map(), outer: inner }
            this.declare(own, arm.name.name, this.valued(arm.first + 1, arm.name.token))
            this.visit(arm.unit, own, owner)
          }
        }
        return this.otherwise(node, inner, owner)
      }
      case 'Loop':
        return this.loop(node, scope, owner)
      case 'Routine': {
        if (!this.named.has(node)) this.escaped.add(node)
        const inner: Scope = { names: new Map(), outer: scope }
        let declarer = node.first + 1
        let before = node.first
        for (const { name, token } of node.parameters) {
          // a name directly behind a comma has the mode of the one before it
          if (token > before + 2 || before === node.first) declarer = before + (before === node.first ? 1 : 2)
          this.declare(inner, name, this.valued(declarer, token))
          before = token
        }
        return this.visit(node.unit, inner, node)
      }
      case 'Collateral':
        if (!node.isParallel) return this.visitAll(node.units, scope, owner)
        for (const unit of node.units) this.visit(unit, scope, unit)
        return
      case 'Format':
        for (const clause of node.clauses) this.visit(clause, scope, node)
        return
      case 'Call':
        this.uses.push({ node, owner })
        this.visit(node.callee, scope, owner, true)
        this.checkWhole(node)
        return this.visitAll(node.args, scope, owner)
      default:
        for (const key of children[node.kind]) {
          const child = (node as unknown as Record<string, Node | null | readonly Node[]>)[key]
          if (Array.isArray(child)) this.visitAll(child, scope, owner)
          else this.visit(child as Node | null, scope, owner)
        }
    }
  }

  private visitAll(nodes: readonly (Node | null)[], scope: Scope, owner: Owner): void {
    for (const node of nodes) this.visit(node, scope, owner)
  }

  private otherwise(node: If | Case, scope: Scope, owner: Owner): void {
    if (node.otherwise?.kind === 'Series') this.series(node.otherwise, scope, owner, this.statements.has(node))
    else {
      if (node.otherwise && this.statements.has(node)) this.statements.add(node.otherwise)
      this.visit(node.otherwise, scope, owner)
    }
  }

  private loop(node: Loop, scope: Scope, owner: Owner): void {
    for (const unit of [node.from, node.by, node.to]) this.visit(unit, scope, owner)
    const inner: Scope = { names: new Map(), outer: scope }
    if (node.name) this.declare(inner, node.name.name, { kind: 'value', declarer: undefined })
    const tested = node.condition ? this.series(node.condition, inner, owner) : inner
    const body = this.series(node.body, tested, owner, true)
    if (node.until) this.series(node.until, body, owner)
  }

  private mention(node: Identifier, name: string, scope: Scope, owner: Owner, isCallee: boolean): void {
    const binding = this.find(name, scope)
    if (binding?.kind === 'label' || (!binding && standardLabels.has(name))) {
      return this.jumpTo(node, binding, owner)
    }
    this.bindings[node.first] = binding
    if (binding?.kind !== 'routine') return
    // a name that is not called may be handed on
    const hasParameters = binding.routine.parameters.length > 0
    if (hasParameters ? !isCallee : isCallee || this.hasProcedureModes) this.escaped.add(binding.routine)
  }

  /** A call without all of its arguments makes a procedure, to be called elsewhere. */
  private checkWhole({ callee, args }: Call): void {
    const binding = callee.kind === 'Identifier' ? this.bindings[callee.first] : undefined
    if (binding?.kind === 'routine' && args.length !== binding.routine.parameters.length) {
      this.escaped.add(binding.routine)
    }
  }

  private jumpTo(node: Identifier | Jump, binding: Binding | undefined, owner: Owner): void {
    if (binding && binding.kind !== 'label') return
    // a procedure may be made of it, which does not come back to where it is called
    if (this.hasProcedureModes && !this.statements.has(node)) this.anyLeave = true
    if (binding?.owner === owner) {
      this.jumps.set(node, binding.label)
      return
    }
    this.jumps.set(node, 'outside')
    this.leavers.add(owner)
    if (binding) this.entered.add(binding.label)
  }

  // ---- what may not come back

  private findLeavers(): void {
    for (let size = -1; size !== this.leavers.size;) {
      size = this.leavers.size
      for (const owner of this.leavers) if (owner.kind !== 'Program' && this.isEscaped(owner)) this.anyLeave = true
      for (const { node, owner } of this.uses) {
        if (!this.leavers.has(owner) && this.mayLeave(node)) this.leavers.add(owner)
      }
    }
  }

  /** Whether something may be carried out at places that do not show. Parallel units and refinements are. */
  private isEscaped(owner: Owner): boolean {
    return owner.kind !== 'Routine' || this.escaped.has(owner)
  }

  private mayLeave(node: Use): boolean {
    switch (node.kind) {
      case 'Identifier': {
        const binding = this.bindings[node.first]
        if (binding?.kind === 'routine') {
          return binding.routine.parameters.length === 0 && this.routineLeaves(binding.routine)
        }
        return this.anyLeave && binding?.kind === 'unknown'
      }
      case 'Call': {
        const { callee } = node
        if (callee.kind !== 'Identifier') return this.anyLeave
        const binding = this.bindings[callee.first]
        if (binding?.kind === 'routine') return this.routineLeaves(binding.routine)
        if (binding) return this.anyLeave && binding.kind !== 'value'
        return this.anyLeave && transput.test(callee.name)
      }
      case 'Formula':
        return node.operators.some(({ name }) => {
          if (name === 'OF') return this.anyLeave && this.hasProcedureModes
          const routines = this.operators.get(name)
          return routines !== undefined && (this.anyLeave || routines.some((one) => this.leavers.has(one)))
        })
      case 'Slice':
        return this.anyLeave && this.hasProcedureModes
    }
  }

  /** Whether calling a routine may not come back; what it yields may be a procedure that is called at once. */
  private routineLeaves(routine: Routine): boolean {
    return this.leavers.has(routine) || (this.anyLeave && this.yieldsProcedure(routine))
  }

  private yieldsProcedure({ first, parameters, unit }: Routine): boolean {
    const from = parameters.length > 0 ? parameters[parameters.length - 1].token : first
    return this.modes.mayBeProcedure(from, unit.first - 1)
  }

  private mayCall(node: Use): boolean {
    switch (node.kind) {
      case 'Identifier':
        return this.bindings[node.first]?.kind === 'unknown'
      case 'Call': {
        const { callee } = node
        if (callee.kind !== 'Identifier') return true
        const binding = this.bindings[callee.first]
        return binding ? binding.kind !== 'value' && binding.kind !== 'routine' : transput.test(callee.name)
      }
      case 'Formula':
        return node.operators.some(({ name }) => this.operators.has(name) || (name === 'OF' && this.hasProcedureModes))
      case 'Slice':
        return this.hasProcedureModes
    }
  }

  private called(node: Call | Identifier): Routine | undefined {
    const callee = node.kind === 'Call' ? node.callee : node
    if (callee.kind !== 'Identifier') return undefined
    const binding = this.bindings[callee.first]
    if (binding?.kind !== 'routine') return undefined
    const { parameters } = binding.routine
    if (node.kind === 'Identifier') return parameters.length === 0 ? binding.routine : undefined
    return parameters.length > 0 && node.args.length === parameters.length ? binding.routine : undefined
  }
}
