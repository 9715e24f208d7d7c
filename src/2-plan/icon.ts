// Icon: which nodes are sites, and how control flows through them. The flow is followed through *bounded*
// expressions, where an expression, once it has succeeded or failed, is done with: statements, conditions, loop
// bodies. Within goal-directed evaluation, where an expression may start any number of times, a construct is an
// excursion: what enters it comes back, but how often it is entered does not follow from anything.
//
// source: Brailsford et al. §6 for the constructs; Icon's procedure events for a procedure's five counts.
import type { Tree } from '../1-parse/parse.js'
import {
  type Call,
  type Case,
  type Compound,
  type Expression,
  type If,
  type Loop,
  type Node,
  type Procedure,
  type Return,
} from '../1-parse/icon/ast.js'
import { amendableFiles, placeAfter, placeBefore, placeOf, tokenText, type Tokens } from '../1-parse/icon/scan.js'
import { assert } from '../error.js'
import { hashOf, lineStarts, positionIn } from '../source.js'
import { foresee, type Amount, type Foreseen } from './icon-ranges.js'
import { chooseBasis, outside, Vertices, type Advance, type Candidate, type Flow, type Relation } from './infer.js'
import { applies, leads, leavesProcedure, operandsOf, unaskedIn } from './icon-expressions.js'
import { studyOutcomes, type Outcomes } from './outcomes.js'
import { unknownCallee } from './plan.js'
import type { CaseSite, Plan, Probe, Probing, Site, Step, Surroundings, Unmonitored } from './plan.js'

/** Where control is: at a vertex, or nowhere, because it never gets here. */
type At = number | null

/** Where `break` and `next` lead in the innermost loop. */
interface LoopExits {
  readonly break: number
  readonly next: number
}

/** A count that can be measured by a probe of this shape. */
interface Measure {
  readonly shape: Probe['shape']
  readonly first: number
  readonly last: number
  readonly amount?: Amount
}

// what one more pass through each shape of probe costs, relative to the cheapest (ns over an empty loop)
const costs: Readonly<Record<Probe['shape'], number>> = {
  around: 1,
  else: 1.05,
  'failing else': 1.1,
  after: 1,
  do: 1.1,
  'bare do': 1.1,
  default: 1,
  'failing default': 1.1,
  'before end': 1.1,
  result: 1.7,
  failure: 0.8,
  'in initial': 0,
  'in advance': 3,
  pause: 0,
  local: 0,
}

// how often things run when nothing better is known: a loop's body, and a way that leads out of a loop
const loopWeight = 8
const exitWeight = 0.2

/** Plans an Icon source. */
export function planIcon(tree: Tree, surroundings: Surroundings, probing: Probing): Plan {
  const outcomes = studyOutcomes(tree.program, surroundings)
  return new Planner(tree, outcomes, surroundings.isLaunched).plan(probing)
}

type Edge = Candidate & { readonly measure: Measure; readonly procedure: Procedure }

class Planner {
  private readonly tokens: Tokens
  private readonly starts: readonly (readonly number[])[]
  private readonly amendable: readonly boolean[]
  private readonly vertices = new Vertices()
  /** How often control is expected at each vertex, when it was made. */
  private readonly weights: number[] = [1]
  private readonly edges: Edge[] = []
  private readonly extras: Probe[] = []
  private readonly sites: { readonly token: number; readonly site: Site }[] = []
  private readonly unmonitored: Unmonitored[] = []
  /** Where control stands from a token on: token and vertex, one after the other. */
  private readonly stands: number[] = []
  /** Loops whose passes can be counted in advance: the edge, and the vertices made for their bodies. */
  private readonly foreseen: { readonly edge: number; readonly from: number; readonly to: number }[] = []
  /** For procedures called by name: the edges that stand for executions of their call sites. */
  private readonly callSites = new Map<Procedure, number[]>()
  private foresees = true
  /** Call sites that can be counted. */
  private readonly countable = new Map<number, Measure>()
  /** For procedures called by name: the edges that stand for results that their callers got. */
  private readonly resultSites = new Map<Procedure, number[]>()
  /** The edges that stand for results procedures gave. */
  private readonly results = new Map<Procedure, readonly number[]>()
  private procedure!: Procedure
  private unasked!: ReadonlySet<Expression | null>
  private readonly entries = new Map<Procedure, number>()
  private counts!: Record<'returns' | 'suspends' | 'resumptions' | 'failures', number[]>

  constructor(
    private readonly tree: Tree,
    private readonly outcomes: Outcomes,
    private readonly isLaunched: boolean,
  ) {
    this.tokens = tree.tokens
    this.starts = this.tokens.files.map(({ text }) => lineStarts(text))
    this.amendable = isLaunched ? amendableFiles(this.tokens) : this.tokens.files.map((_, file) => file === 0)
  }

  plan(probing: Probing): Plan {
    this.foresees = probing === 'basis'
    for (const declaration of this.tree.program.declarations) {
      if (declaration.kind === 'Procedure') this.planProcedure(declaration)
    }
    const relations = this.relations()
    const calls = this.expectedCalls()
    const importance = (edge: number) => this.edges[edge].weight * calls.get(this.edges[edge].procedure)!
    const { flow, vertexOf } = chooseBasis(this.vertices, this.edges, probing === 'all', relations, importance)
    const probes: Probe[] = []
    flow.edges.forEach(({ counter }, i) => {
      if (counter >= 0 && counter < flow.counters) probes.push({ ...this.edges[i].measure, counter })
    })
    for (const { counter: edge, ...measure } of this.extras) {
      const { counter } = flow.edges[edge]
      if (counter >= 0 && counter < flow.counters) probes.push({ ...measure, counter })
    }
    const sites = this.sites.sort((one, other) => one.token - other.token).map(({ site }) => site)
    const { files, renumbered } = this.tokens
    return {
      language: 'icon',
      files: files.map(({ name, text }) => ({ name, hash: hashOf(text) })),
      renumbered,
      sites,
      flow: { ...flow, advances: this.advances(flow, vertexOf) },
      probes,
      steps: this.isLaunched ? this.steps(vertexOf) : [],
      unmonitored: this.unmonitored,
    }
  }

  // ---- edges and sites

  /** A new vertex, at which control is expected this often for each call of the procedure. */
  private fresh(weight: number): number {
    const vertex = this.vertices.fresh()
    this.weights[vertex] = weight
    return vertex
  }

  /** Notes that control stands at a vertex from a token on; only the launcher asks for that. */
  private stand(token: number, vertex: number): void {
    if (this.isLaunched) this.stands.push(token, vertex)
  }

  /** Adds an edge if its probe has a place; answers its number, or -1 after making the two vertices one. */
  private edge(from: number, to: number, measure: Measure, weight = this.weights[from]): number {
    if (!this.canPlace(measure)) {
      this.vertices.unite(from, to)
      return -1
    }
    return this.add({ from, to, weight: weight * costs[measure.shape], measurable: true, measure })
  }

  private add(edge: Omit<Edge, 'procedure'>): number {
    return this.edges.push({ ...edge, procedure: this.procedure }) - 1
  }

  private canPlace({ first, last }: Measure): boolean {
    const before = placeBefore(this.tokens, first)
    const after = placeAfter(this.tokens, last)
    return before !== undefined && after !== undefined && before.file === after.file && this.amendable[before.file]
  }

  /** Adds a site, unless one of its counts could not be had. */
  private site(token: number, what: string, edges: readonly number[], make: (at: SitePlace) => Site): void {
    const { file, offset } = placeOf(this.tokens, token)
    const at = { file, ...positionIn(this.starts[file], offset) }
    if (edges.includes(-1)) this.unmonitored.push({ file, line: at.line, what })
    else this.sites.push({ token, site: make(at) })
  }

  // ---- procedures

  private planProcedure(procedure: Procedure): void {
    this.procedure = procedure
    this.unasked = unaskedIn(procedure)
    this.counts = { returns: [], suspends: [], resumptions: [], failures: [] }
    const { body, initial, last } = procedure
    const entry = this.fresh(1)
    this.stand(procedure.first, entry)
    const call = this.edge(
      outside,
      entry,
      body.length > 0 ? around(body[0]) : { shape: 'before end', first: last, last },
    )
    this.entries.set(procedure, call)
    if (initial) {
      this.excursion(initial, entry, [])
      const mayNotComplete = this.vertices.find(entry) === outside || leavesProcedure(initial)
      if (mayNotComplete && call >= 0) {
        this.extras.push({ shape: 'in initial', first: initial.first, last: initial.last, counter: call })
      }
    }
    const end = this.sequence(body, entry, [])
    if (end !== null) {
      const measure: Measure = { shape: 'before end', first: last, last }
      this.counts.failures.push(this.edge(end, outside, measure))
    }
    const { returns, suspends, resumptions, failures } = this.counts
    this.results.set(procedure, [...returns, ...suspends])
    const { name } = procedure.name
    this.site(
      procedure.first,
      `procedure ${name}`,
      [call, ...returns, ...suspends, ...resumptions, ...failures],
      (at) => {
        return { kind: 'procedure', ...at, name, calls: [call], returns, suspends, resumptions, failures }
      },
    )
  }

  // ---- following control

  /** Follows control through expressions one after another, each bounded; code that cannot be reached counts too. */
  private sequence(nodes: readonly (Expression | null)[], start: number, loops: LoopExits[]): At {
    let at: At = start
    for (const node of nodes) at = this.through(node, at ?? this.fresh(0), loops)
    return at
  }

  /** Follows control into an expression that starts any number of times while control is at a vertex. */
  private excursion(node: Expression | null, at: number, loops: LoopExits[]): void {
    const start = this.fresh(this.weights[at])
    const end = this.through(node, start, loops)
    this.vertices.unite(start, at)
    if (end !== null) this.vertices.unite(end, at)
  }

  /**
   * Follows control through an expression that starts whenever control gets to `at`, and is done with once it has
   * succeeded or failed. Answers where control then is.
   */
  private through(node: Expression | null, at: number, loops: LoopExits[]): At {
    if (node === null) return at
    this.stand(node.first, at)
    switch (node.kind) {
      case 'Identifier':
      case 'Integer':
      case 'Real':
      case 'String':
      case 'Cset':
      case 'Keyword':
        return at
      case 'Compound':
        return this.throughBlock(node, at, loops)
      case 'If':
        return this.throughIf(node, at, loops)
      case 'Case':
        return this.throughCase(node, at, loops)
      case 'While':
      case 'Until':
      case 'Every':
        return this.throughLoop(node, at, loops)
      case 'Suspend':
        return this.throughSuspend(node, at, loops)
      case 'Repeat': {
        const pass = this.fresh(this.weights[at] * loopWeight)
        const edge = this.edge(at, pass, around(node.body), this.weights[pass])
        this.loopSite(node, 'repeat', edge)
        this.join(at, this.body(node.body, pass, [...loops, { break: at, next: at }]))
        return at
      }
      case 'Return':
        this.throughReturn(node, at, loops)
        return null
      case 'Fail':
        this.counts.failures.push(this.edge(at, outside, around(node)))
        return null
      case 'Break': {
        const end = this.through(node.value, at, loops.slice(0, -1))
        if (end !== null) this.vertices.unite(end, loops[loops.length - 1].break)
        return null
      }
      case 'Next':
        this.vertices.unite(at, loops[loops.length - 1].next)
        return null
      case 'Create':
        this.excursion(node.expression, outside, [])
        return at
      case 'Call':
        return this.throughCall(node, at, loops)
      case 'ControlCall':
        for (const arg of node.args) this.excursion(arg, outside, [])
        return this.operands(node, [node.callee], at, loops)
      case 'Unary':
        // |e starts its operand again and again
        if (node.operator.startsWith('|')) {
          this.excursion(node.operand, at, loops)
          return at
        }
        return this.operands(node, [node.operand], at, loops)
      case 'Binary':
        if (node.operator === '|') {
          const after = this.through(node.left, at, loops)
          this.excursion(node.right, after ?? this.fresh(0), loops)
          return after
        }
        return this.operands(node, operandsOf(node), at, loops)
      default:
        return this.operands(node, operandsOf(node), at, loops)
    }
  }

  /** Follows control through an operation: the first operand, and those after it as long as each yields one result. */
  private operands(node: Expression, nodes: readonly (Expression | null)[], start: number, loops: LoopExits[]): At {
    let at: At = start
    let certain = true
    for (const operand of nodes) {
      if (at === null) {
        // never reached, but its sites are reported all the same
        this.excursion(operand, this.fresh(0), loops)
        continue
      }
      if (certain) {
        at = this.through(operand, at, loops)
        certain = this.outcomes.isOnce(operand, this.procedure)
      } else this.excursion(operand, at, loops)
      if (operand && at !== null) this.stand(operand.last + 1, at)
    }
    if (at !== null && this.outcomes.mayLeave(node, this.procedure)) this.vertices.unite(at, outside)
    return at
  }

  /** Follows control through a call; one by name is an edge of its own, if it is made whenever control gets here. */
  private throughCall(node: Call, start: number, loops: LoopExits[]): At {
    const name = node.callee.kind === 'Identifier' ? node.callee.name : ''
    const callee = this.outcomes.calledByName.get(name)
    if (!callee) return this.operands(node, operandsOf(node), start, loops)
    let at: At = start
    let certain = true
    const bracket = node.callee.last + 1
    this.stand(bracket + 1, start)
    for (const operand of node.args) {
      if (at === null || !certain) this.excursion(operand, at ?? this.fresh(0), loops)
      else {
        at = this.through(operand, at, loops)
        certain = this.outcomes.isOnce(operand, this.procedure)
      }
    }
    if (at === null) return null
    certain &&= this.vertices.find(at) !== outside
    const called = this.fresh(this.weights[at])
    this.stand(bracket, called)
    const site = this.add({ ...unmeasured, from: at, to: called })
    if (!certain) this.vertices.unite(at, called)
    const isStart = node.args.every((one) => this.outcomes.isOnce(one, this.procedure))
    if (isStart && this.canPlace(around(node))) this.countable.set(site, around(node))
    this.callSites.set(callee, [...(this.callSites.get(callee) ?? []), site])
    if (this.outcomes.mayLeave(node, this.procedure)) this.vertices.unite(called, outside)
    return called
  }

  /** Notes that an edge stands for the results of an expression, in case that is a call. */
  private resultsOf(node: Expression | null, edge: number): void {
    let call = node
    while (call) {
      if (call.kind === 'Paren' && call.expressions.length === 1) call = call.expressions[0]
      else if (call.kind === 'Binary' && call.operator === ':=' && call.left.kind === 'Identifier') call = call.right
      else break
    }
    if (call?.kind !== 'Call' || call.callee.kind !== 'Identifier') return
    const callee = this.outcomes.calledByName.get(call.callee.name)
    if (callee) this.resultSites.set(callee, [...(this.resultSites.get(callee) ?? []), edge])
  }

  /** What is known beyond the flow. */
  private relations(): Relation[] {
    return [...this.callRelations(), ...this.resultRelations()]
  }

  /** Where every caller of a procedure shows how many results it got, they are as many as the procedure gave. */
  private resultRelations(): Relation[] {
    return [...this.resultSites].flatMap(([procedure, sites]) => {
      const calls = this.results.get(procedure) ?? []
      if (sites.length !== this.callSites.get(procedure)?.length || [...calls, ...sites].includes(-1)) return []
      return [{ calls, sites }]
    })
  }

  /**
   * A procedure called by name is called as often as its call sites are executed. That helps only if they follow from
   * the flow, or if those that do not are seldom executed: then these are counted. Other sites are made no edges at all.
   */
  private callRelations(): Relation[] {
    this.countSeldomSites()
    const useful = new Map([...this.outcomes.calledByName].map(([name, procedure]) => [procedure, name]))
    for (let changed = true; changed;) {
      changed = false
      const forest = new Map<number, number>()
      const root = (vertex: number): number => {
        const parent = forest.get(vertex)
        return parent === undefined ? vertex : root(parent)
      }
      for (const [procedure, sites] of this.callSites) {
        const closesCircle =
          useful.has(procedure) &&
          sites.some((site) => {
            if (this.edges[site].measurable) return false
            const [from, to] = [
              root(this.vertices.find(this.edges[site].from)),
              root(this.vertices.find(this.edges[site].to)),
            ]
            if (from !== to) forest.set(Math.max(from, to), Math.min(from, to))
            return from === to
          })
        if (!closesCircle) continue
        useful.delete(procedure)
        for (const site of sites) this.vertices.unite(this.edges[site].from, this.edges[site].to)
        changed = true
        break
      }
    }
    return [...useful].flatMap(([procedure, name]) => {
      const call = this.entries.get(procedure) ?? -1
      return call < 0 ? [] : [{ name, calls: [call], sites: this.callSites.get(procedure) ?? [] }]
    })
  }

  /** Has call sites counted that do not follow from the flow, where that is cheaper than to count the calls. */
  private countSeldomSites(): void {
    const calls = this.expectedCalls()
    for (const [procedure, sites] of this.callSites) {
      const uncertain = sites.filter((site) => {
        const { from, to } = this.edges[site]
        return this.vertices.find(from) === this.vertices.find(to)
      })
      const expected = uncertain.map((site) => {
        const { procedure: caller, from } = this.edges[site]
        return this.countable.has(site) ? calls.get(caller)! * this.weights[from] : Infinity
      })
      if (expected.reduce((sum, one) => sum + one, 0) > calls.get(procedure)! / 2) continue
      for (const site of uncertain) {
        const measure = this.countable.get(site)!
        this.edges[site] = {
          ...this.edges[site],
          measure,
          measurable: true,
          weight: this.weights[this.edges[site].from],
        }
      }
    }
  }

  /** How often each procedure is expected to be called, by what is expected at its call sites. */
  private expectedCalls(): Map<Procedure, number> {
    const calls = new Map<Procedure, number>()
    for (const procedure of this.entries.keys()) calls.set(procedure, this.callSites.has(procedure) ? 0 : 1)
    // calls of calls of calls; what calls itself grows at each round, as it should
    for (let round = 0; round < 4; round++) {
      for (const [procedure, sites] of this.callSites) {
        let sum = 0
        for (const site of sites) {
          const { procedure: caller, from } = this.edges[site]
          sum += calls.get(caller)! * this.weights[from]
        }
        calls.set(procedure, sum)
      }
    }
    return calls
  }

  private throughBlock(node: Compound, at: number, loops: LoopExits[]): At {
    const inside = this.fresh(this.weights[at])
    const edge = this.edge(at, inside, around(node))
    this.site(node.first, 'block', [edge], (place) => ({ kind: 'block', ...place, passes: [edge] }))
    return this.sequence(node.expressions, inside, loops)
  }

  /** Follows control through the body of something that is counted already: its braces are no block of their own. */
  private body(node: Expression, at: number, loops: LoopExits[]): At {
    if (node.kind !== 'Compound') return this.through(node, at, loops)
    this.stand(node.first, at)
    return this.sequence(node.expressions, at, loops)
  }

  private throughIf(node: If, start: number, loops: LoopExits[]): At {
    const at = this.through(node.condition, start, loops) ?? this.fresh(0)
    const share = trueShare(node)
    const yes = this.fresh(this.weights[at] * share)
    const no = this.fresh(this.weights[at] * (1 - share))
    const whenTrue = this.edge(at, yes, around(node.then), this.weights[yes])
    const measure: Measure = node.otherwise
      ? around(node.otherwise)
      : { shape: this.unasked.has(node) ? 'else' : 'failing else', first: node.then.first, last: node.then.last }
    const whenFalse = this.edge(at, no, measure, this.weights[no])
    this.resultsOf(node.condition, whenTrue)
    this.site(node.first, 'if', [whenTrue, whenFalse], (place) => {
      return { kind: 'if', ...place, true: [whenTrue], false: [whenFalse] }
    })
    const afterTrue = this.body(node.then, yes, loops)
    const afterFalse = node.otherwise ? this.body(node.otherwise, no, loops) : no
    return this.join(afterTrue, afterFalse)
  }

  /** Follows control through a case; to `results`, if given, where an arm has had its one result. */
  private throughCase(node: Case, start: number, loops: LoopExits[], results?: number): At {
    const at = this.through(node.control, start, loops) ?? this.fresh(0)
    const armWeight = this.weights[at] / (node.clauses.length + 1)
    const arms: CaseSite['arms'][number][] = []
    const edges: number[] = []
    let after: At = null
    let number = 0
    const arm = (name: string, to: number, measure: Measure) => {
      const edge = this.edge(at, to, measure, armWeight)
      edges.push(edge)
      arms.push({ name, count: [edge] })
    }
    for (const { selector, body } of node.clauses) {
      if (selector) this.excursion(selector, at, loops)
      const taken = this.fresh(armWeight)
      arm(selector ? String(++number) : 'default', taken, around(body))
      const end = this.body(body, taken, loops)
      if (results === undefined) after = this.join(after, end)
      else if (end !== null) this.vertices.unite(end, results)
    }
    if (node.clauses.every(({ selector }) => selector !== null)) {
      const none = this.fresh(armWeight)
      const shape = this.unasked.has(node) ? 'default' : 'failing default'
      arm('none', none, { shape, first: node.last, last: node.last })
      after = this.join(after, none)
    }
    if (!this.outcomes.isOnce(node.control, this.procedure)) after = this.join(after, at)
    this.site(node.first, 'case', edges, (place) => ({ kind: 'case', ...place, arms }))
    return after
  }

  private throughLoop(node: Loop, start: number, loops: LoopExits[]): number {
    const isEvery = node.kind === 'Every'
    const foreseen = this.foresees ? foresee(node, this.procedure, this.outcomes) : undefined
    if (foreseen && this.canPlace(around(foreseen.last))) return this.throughForeseen(node, foreseen, start, loops)
    const exits = { break: this.fresh(0), next: this.fresh(0) }
    const inside = [...loops, exits]
    // the control expression of other loops than every starts again at each pass
    const head = this.fresh(this.weights[start] * (isEvery ? 1 : 1 + loopWeight))
    this.vertices.unite(start, head)
    // of a case whose arms all have one result it shows how many it has
    const arms = isEvery ? caseIn(node.control) : undefined
    const split = arms?.clauses.every(({ body }) => this.outcomes.isOnce(body, this.procedure))
    const pass = this.fresh(this.weights[start] * loopWeight)
    const results = split ? this.fresh(this.weights[pass]) : undefined
    const end = split ? this.throughCase(arms!, head, inside, results) : this.through(node.control, head, inside)
    const at = end ?? this.fresh(0)
    const edge = this.edge(results ?? at, pass, passMeasure(node), this.weights[pass])
    this.loopSite(node, node.kind.toLowerCase(), edge)
    if (node.kind !== 'Until') this.resultsOf(node.control, edge)
    const again = isEvery ? at : start
    this.join(again, node.body ? this.body(node.body, pass, inside) : pass)
    this.vertices.unite(exits.break, at)
    this.vertices.unite(exits.next, again)
    const after = this.fresh(this.weights[start])
    this.vertices.unite(at, after)
    return after
  }

  /** A loop whose passes are counted before the first; no pass leads anywhere but to the next. */
  private throughForeseen(
    node: Loop,
    { amount, last, generates, suspends }: Foreseen,
    start: number,
    loops: LoopExits[],
  ): number {
    const at = this.through(node.control, start, loops)
    assert(at !== null, 'a range that is never gone through')
    const pass = this.fresh(this.weights[start] * loopWeight)
    const measure: Measure = { shape: 'in advance', first: last.first, last: last.last, amount }
    const edge = this.edge(at, pass, measure, this.weights[start])
    this.loopSite(node, 'every', edge)
    if (suspends.length > 0 && edge >= 0) {
      const { bodyToken } = this.procedure
      this.extras.push({ shape: 'local', first: bodyToken, last: bodyToken, counter: edge })
      for (const { control } of suspends) {
        this.extras.push({ shape: 'pause', first: control!.first, last: control!.last, amount, counter: edge })
      }
    }
    // what the operator complains about, it complains about after the passes were counted
    this.stand(generates, pass)
    this.stand(generates + 1, start)
    const next = this.fresh(this.weights[pass])
    const end = node.body ? this.body(node.body, pass, [...loops, { break: at, next }]) : pass
    this.vertices.unite(next, end ?? pass)
    this.foreseen.push({ edge, from: pass, to: this.vertices.count })
    this.add({ ...unmeasured, from: next, to: at })
    return at
  }

  private advances(flow: Flow, vertexOf: (vertex: number) => number): Advance[] {
    return this.foreseen.flatMap(({ edge, from, to }) => {
      const { counter } = flow.edges[edge]
      if (counter < 0 || counter >= flow.counters) return []
      const inside = Array.from({ length: to - from }, (_, i) => vertexOf(from + i))
      return [{ counter, vertices: [...new Set(inside)].sort((a, b) => a - b) }]
    })
  }

  private throughSuspend(node: Loop, start: number, loops: LoopExits[]): number {
    const once = this.outcomes.isOnce(node.control, this.procedure)
    const exits = { break: this.fresh(0), next: this.fresh(0) }
    const inside = [...loops, exits]
    const evaluated = this.fresh(this.weights[start])
    const at = this.through(node.control, evaluated, inside) ?? this.fresh(0)
    const resumed = this.fresh(this.weights[start] * (once ? 1 : loopWeight))
    // one result: control leaves with it, and if it ever comes back, goes on behind
    const certain = once && this.vertices.find(at) !== outside
    if (certain) this.edge(start, evaluated, around(node))
    else this.vertices.unite(start, evaluated)
    this.counts.suspends.push(this.result(at, this.weights[resumed], node.control, certain))
    const after = certain ? this.fresh(this.weights[resumed]) : at
    const edge = this.edge(outside, resumed, passMeasure(node), this.weights[resumed])
    this.counts.resumptions.push(edge)
    if (node.body) this.loopSite(node, 'suspend', edge)
    this.join(after, node.body ? this.body(node.body, resumed, inside) : resumed)
    this.vertices.unite(exits.break, after)
    this.vertices.unite(exits.next, after)
    return after
  }

  private throughReturn(node: Return, at: number, loops: LoopExits[]): void {
    const { value } = node
    const evaluated = this.fresh(this.weights[at])
    const end = this.through(value, evaluated, loops)
    if (end === null) {
      this.vertices.unite(at, evaluated)
      return
    }
    const once = this.outcomes.isOnce(value, this.procedure)
    const certain = once && this.vertices.find(end) !== outside
    if (certain) this.edge(at, evaluated, around(node))
    else this.vertices.unite(at, evaluated)
    const result = this.result(end, this.weights[end], value, certain)
    this.counts.returns.push(result)
    this.resultsOf(value, result)
    if (value === null || once) return
    const measure: Measure = { shape: 'failure', first: value.first, last: value.last }
    this.counts.failures.push(this.edge(end, outside, measure))
  }

  /**
   * A result on its way out of the procedure. When it is certain to come, it follows from the start of its
   * `return` or `suspend`, which is cheaper to count.
   */
  private result(from: number, weight: number, value: Expression | null, certain: boolean): number {
    if (value === null) return this.add({ ...unmeasured, from, to: outside })
    const measure: Measure = { shape: 'result', first: value.first, last: value.last }
    const edge = this.edge(from, outside, measure, weight)
    if (edge >= 0 && certain) this.edges[edge] = { ...this.edges[edge], weight: Infinity }
    return edge
  }

  private loopSite(node: Expression, loop: string, edge: number): void {
    this.site(node.first, loop, [edge], (place) => ({ kind: 'do', ...place, loop, passes: [edge] }))
  }

  private join(one: At, other: At): At {
    if (one === null || other === null) return one ?? other
    const weight = this.weights[one] + this.weights[other]
    this.vertices.unite(one, other)
    const both = this.fresh(weight)
    this.vertices.unite(one, both)
    return both
  }

  // ---- where frames stand

  /** For every line, the vertices at which control can be while an operation of that line is carried out. */
  private steps(vertexOf: (vertex: number) => number): Step[] {
    const { stands } = this
    const order = Array.from({ length: stands.length / 2 }, (_, i) => 2 * i)
    if (order.some((i) => i > 0 && stands[i] < stands[i - 2])) order.sort((a, b) => stands[a] - stands[b] || a - b)
    const { kinds } = this.tokens
    const steps: Step[] = []
    let next = 0
    let vertex = outside
    let atFile = -1
    let line = 1
    for (let token = 0; token < kinds.length; token++) {
      while (next < order.length && stands[order[next]] === token) vertex = vertexOf(stands[order[next++] + 1])
      const { file, offset } = placeOf(this.tokens, token)
      const starts = this.starts[file]
      if (file !== atFile || offset < starts[line - 1]) line = positionIn(starts, offset).line
      else while (line < starts.length && starts[line] <= offset) line++
      atFile = file
      const last = steps[steps.length - 1]
      if (operations.has(kinds[token])) steps.push({ file, line, vertex, ...this.operationAt(token) })
      else if (last?.vertex !== vertex || last.file !== file) steps.push({ file, line, vertex })
    }
    return steps
  }

  /** What a token stands for when a traceback speaks of it. */
  private operationAt(token: number): Pick<Step, 'call' | 'operator'> {
    const { kinds } = this.tokens
    if (kinds[token] !== '(' && kinds[token] !== '{') {
      return { operator: tokenText(this.tokens, token).replace(/(?<=.):=$/, '') }
    }
    const callee = token > 0 && kinds[token - 1] === 'i' ? tokenText(this.tokens, token - 1) : unknownCallee
    return { call: this.outcomes.isFixed(callee) ? callee : unknownCallee }
  }
}

type SitePlace = { readonly file: number; readonly line: number; readonly column: number }

// kinds of tokens that stand for something carried out, which an error or a call can be pending at
const operations = new Set('([{ab=u?&.t')

/** The case that an expression is, but for parentheses. */
function caseIn(node: Expression | null): Case | undefined {
  if (node?.kind === 'Case') return node
  return node?.kind === 'Paren' && node.expressions.length === 1 ? caseIn(node.expressions[0]) : undefined
}

/** How often a condition is expected to be true: ways out are seldom taken, and without an else it is a special case. */
function trueShare({ then, otherwise }: If): number {
  if (leads(then)) return exitWeight
  if (!otherwise) return 0.4
  return leads(otherwise) ? 1 - exitWeight : 0.5
}

const unmeasured = { weight: Infinity, measurable: false, measure: { shape: 'result', first: 0, last: 0 } } as const

/**
 * Around an expression; of a `return` around its value, which is cheaper, unless that would show: `f ! L` reports
 * errors at the line of what was carried out before it.
 */
function around(node: Node): Measure {
  const { first, last } = node.kind === 'Return' && node.value && !applies(node.value) ? node.value : node
  return { shape: 'around', first, last }
}

/** Where a loop's passes are counted: at its body, or behind its control expression. */
function passMeasure({ kind, control, body, first, last }: Loop): Measure {
  if (body) return around(body)
  if (!control) return { shape: 'bare do', first, last }
  return { shape: kind === 'Every' || kind === 'While' ? 'after' : 'do', first: control.first, last: control.last }
}
