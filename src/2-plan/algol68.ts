// Algol 68: which nodes are sites, and how control flows through them. Everything in Algol 68 is carried out once when
// control gets to it, so control is followed exactly, through operands as through statements. What leaves a routine
// for good (a jump to a label outside, `stop`, a call of something that may do such) leads to the outside, as does
// what runs at times of its own: formats, units of parallel clauses, refinements, bounds in modes.
//
// source: Brailsford et al. §6 for the constructs; Revised Report §3 for the order in which clauses are elaborated
import type { Algol68Tree } from '../1-parse/algol68/parse.js'
import type {
  Assignation,
  Call,
  Case,
  Closed,
  Collateral,
  Conditional,
  Declaration,
  Formula,
  If,
  Jump,
  Label,
  Identifier,
  Loop,
  Node,
  Routine,
  Series,
  Slice,
  Unit,
} from '../1-parse/algol68/ast.js'
import { nameOf, type Tokens } from '../1-parse/algol68/scan.js'
import { hashOf } from '../source.js'
import { studyNames, type Names } from './algol68-names.js'
import { Places, Standing, type SitePlace } from './algol68-steps.js'
import { Calls } from './calls.js'
import { FlowGraph, type At, type Measure as MeasureOf } from './flow-graph.js'
import { chooseBasis, outside, type Relation } from './infer.js'
import type {
  Algol68Shape,
  CaseSite,
  Planned,
  Probe,
  Probing,
  Sight,
  Site,
  Surroundings,
  Tally,
  Unmonitored,
} from './plan.js'

type Measure = MeasureOf<Algol68Shape>

// what one more pass through each shape of probe costs, relative to the cheapest; a unit's brackets cost a frame
const costs: Readonly<Record<Algol68Shape, number>> = {
  before: 1,
  after: 1,
  alone: 1,
  unit: 1.5,
  'no else': 1.5,
  'no out': 1.5,
  'no bar': 1.5,
  skip: 0,
}

// how much of a text stands for its name, in characters
const longestName = 30

// how often things run when nothing better is known: a loop's body, and a way that leads out of a loop or routine
const loopWeight = 8
const exitWeight = 0.2

/** Plans an Algol 68 source. */
export function planAlgol68(tree: Algol68Tree, surroundings: Surroundings, probing: Probing, sight: Sight): Planned {
  return new Planner(tree, studyNames(tree), surroundings, sight).plan(probing)
}

class Planner {
  private readonly tokens: Tokens
  private readonly places: Places
  private readonly standing: Standing
  private readonly graph = new FlowGraph<Algol68Shape, Routine | null>(costs, null)
  private readonly calls = new Calls(this.graph)
  private readonly sites: { readonly token: number; readonly site: Site }[] = []
  private readonly unmonitored: Unmonitored[] = []
  /** Probes that note a loop's passes; their counters are numbers of edges. */
  private readonly notes: Probe[] = []
  private readonly labels = new Map<Label, number>()
  /** The ranges of the program itself in which routines are called. */
  private readonly mainRanges = new Map<Routine, Set<number>>()
  /** Routines whose calls do not follow from the flow at their call sites. */
  private readonly unrelated = new Set<Routine>()
  private readonly isLaunched: boolean
  private readonly isWhole: boolean
  /** Where the innermost range begins: what a frame of a68g's stack tells of itself. */
  private range = 0
  /** The phrase of a series that control was led into last. */
  private phrase: Unit | null = null

  constructor(
    private readonly tree: Algol68Tree,
    private readonly names: Names,
    { isLaunched, isWhole }: Surroundings,
    private readonly sight: Sight,
  ) {
    this.isLaunched = isLaunched
    this.isWhole = isWhole
    this.tokens = tree.tokens
    this.places = new Places(this.tokens)
    this.standing = new Standing(this.places)
  }

  plan(probing: Probing): Planned {
    const { series, refinements } = this.tree.program
    const start = this.graph.fresh(1)
    this.edge(outside, start, series.phrases.length === 0 ? alone(series) : { shape: 'before', first: 0, last: 0 })
    this.leave(this.series(series, start, true))
    for (const refinement of refinements) this.excursion(refinement.series)
    const { vertices, edges } = this.graph
    const relations = this.relations()
    const expected = this.calls.expected()
    const importance = (edge: number) => edges[edge].weight * (expected.get(edges[edge].owner) ?? 1)
    const { flow, vertexOf } = chooseBasis(vertices, edges, probing === 'all', relations, importance)
    const probes: Probe[] = []
    flow.edges.forEach(({ counter }, i) => {
      const { measure } = edges[i]
      if (counter >= 0 && counter < flow.counters && measure) probes.push({ ...measure, counter })
    })
    for (const { counter: edge, ...note } of this.notes) probes.push({ ...note, counter: flow.edges[edge].counter })
    const sites = this.sites.sort((one, other) => one.token - other.token).map(({ site }) => site)
    return {
      language: 'algol68',
      files: this.tokens.files.map(({ name, text }) => ({ name, hash: hashOf(text) })),
      renumbered: false,
      sites,
      tokens: [],
      flow,
      probes,
      steps: this.isLaunched ? this.standing.steps(vertexOf) : [],
      unmonitored: this.unmonitored,
    }
  }

  // ---- edges and sites

  /** Adds an edge if its probe has a place; answers its number, or -1 after making the two vertices one. */
  private edge(from: number, to: number, measure: Measure, weight = this.graph.weights[to]): number {
    if (!this.canPlace(measure)) {
      this.graph.vertices.unite(from, to)
      return -1
    }
    return this.graph.measure(from, to, measure, weight)
  }

  /** Files that are included can be amended only if they are run from a copy. */
  private canPlace({ first, last }: Measure): boolean {
    const { file, isFixed } = this.tokens
    return file[first] === file[last] && (file[first] === 0 || (this.isLaunched && !isFixed[file[first]]))
  }

  /** Adds a site, unless one of its counts could not be had. */
  private site(token: number, what: string, edges: readonly number[], make: (at: SitePlace) => Site): void {
    const at = this.places.place(token)
    const { file } = at
    if (edges.includes(-1)) this.unmonitored.push({ file, line: at.line, what })
    else this.sites.push({ token, site: make(at) })
  }

  /** Notes that control stands at a vertex from a token on; only the launcher asks for that. */
  private stand(token: number, vertex: number, call?: Routine | 'unknown'): void {
    if (this.isLaunched) this.standing.note(token, vertex, this.range, call)
  }

  /** What carrying out a node may call. */
  private callOf(node: Call | Identifier | Formula | Slice): Routine | 'unknown' | undefined {
    const called = node.kind === 'Call' || node.kind === 'Identifier' ? this.names.called(node) : undefined
    return called ?? (this.names.mayCall(node) ? 'unknown' : undefined)
  }

  /** Control at a vertex leads out of the routine. */
  private leave(at: At): void {
    if (at !== null) this.graph.vertices.unite(at, outside)
  }

  // ---- series

  /**
   * Follows control through a series.
   *
   * isStatement  whether its value is not wanted, so that a jump in it is carried out here and now
   * range        the token by which a68g knows its range
   */
  private series(node: Series, start: number, isStatement: boolean, range = node.first): At {
    const outer = this.range
    this.range = range
    const end = this.phrases(node, start, isStatement)
    this.range = outer
    return end
  }

  private phrases({ phrases }: Series, start: number, isStatement: boolean): At {
    let at: At = start
    let completed: At = null
    phrases.forEach((phrase, i) => {
      if (phrase.kind === 'Exit') {
        completed = this.graph.join(completed, at)
        at = null
      } else if (phrase.kind === 'Label') at = this.arrival(phrase, this.graph.join(at, this.label(phrase))!)
      else {
        this.phrase = phrase
        const isLast = i + 1 === phrases.length || phrases[i + 1].kind === 'Exit'
        at = this.through(phrase, at ?? this.graph.fresh(0), isStatement || !isLast)
      }
    })
    return this.graph.join(completed, at)
  }

  private label(label: Label): number {
    let vertex = this.labels.get(label)
    if (vertex === undefined) {
      vertex = this.graph.fresh(1)
      this.labels.set(label, vertex)
      if (this.names.entered.has(label)) this.graph.vertices.unite(vertex, outside)
    }
    return vertex
  }

  // ---- actions

  /**
   * Counts an action that begins at a unit, if actions are asked for.
   *
   * named   what is called or assigned to, or its name
   * token   where the action is said to be
   */
  private action(action: string, named: Unit | string, unit: Unit, token: number, at: number): number {
    if (!this.sight.actions) return at
    const { first, last } = unit
    const name = typeof named === 'string' ? named : this.nameOf(named)
    const measure: Measure =
      unit === this.phrase ? { shape: 'before', first, last: first } : { shape: 'unit', first, last }
    return this.counted(action, name, token, at, measure)
  }

  private counted(action: string, name: string, token: number, at: number, measure: Measure): number {
    const begun = this.graph.fresh(this.graph.weights[at])
    const edge = this.edge(at, begun, measure)
    this.site(token, action, [edge], (place) => ({
      kind: 'action',
      ...place,
      action,
      name,
      times: [edge],
      skipped: null,
    }))
    return begun
  }

  private arrival(label: Label, at: number): number {
    if (!this.sight.actions) return at
    return this.counted('LABEL', label.name.name, label.first, at, after(label.last))
  }

  /** The name of a unit, if it is one; else the text of it, if that is short and can be printed. */
  private nameOf({ first, last }: Unit): string {
    const { file, from, to, files } = this.tokens
    if (file[first] !== file[last]) return ''
    const text = files[file[first]].text.slice(from[first], to[last]).replace(/\s+/g, ' ')
    return text.length > longestName || /\p{Cc}/u.test(text) ? '' : text
  }

  // ---- units

  /** Follows control into something that starts at times of its own. */
  private excursion(node: Series | Unit): void {
    const end = node.kind === 'Series' ? this.series(node, outside, false) : this.through(node, outside, false)
    this.leave(end)
  }

  /** Follows control through units one after another. */
  private sequence(nodes: readonly (Unit | null)[], start: number): At {
    let at: At = start
    for (const node of nodes) if (node) at = this.through(node, at ?? this.graph.fresh(0), false)
    return at
  }

  /** Follows control through a unit. Answers where control then is. */
  private through(node: Unit, at: number, isStatement: boolean): At {
    this.stand(node.first, at)
    switch (node.kind) {
      case 'Denotation':
        return at
      case 'Identifier':
      case 'Jump':
        return this.throughName(node, at, isStatement)
      case 'Declaration':
        return this.throughDeclaration(node, at)
      case 'Declarer':
        return this.sequence(node.bounds, at)
      case 'Closed':
        return this.throughClosed(node, at, isStatement)
      case 'Collateral':
        return this.throughCollateral(node, at)
      case 'If':
        return this.throughIf(node, at, isStatement)
      case 'Case':
        return this.throughCase(node, at, isStatement)
      case 'Loop':
        return this.throughLoop(node, at)
      case 'Routine':
        this.planRoutine(node, '', node.first)
        return at
      case 'Conditional':
        return this.throughConditional(node, at, isStatement)
      case 'Call':
        return this.throughCall(node, at)
      case 'Assignation':
        return this.throughAssignation(node, at)
      case 'Formula':
        return this.operation(node, node.operands, at)
      case 'Slice':
        return this.operation(node, [node.primary, ...node.subscripts], at)
      case 'Cast':
        return this.operation(node, [node.declarer, node.clause], at)
      case 'Generator':
        return this.operation(node, [node.declarer], at)
      case 'Format':
        for (const clause of node.clauses) this.excursion(clause)
        return at
    }
  }

  /** Follows control through an operation; errors in it are reported at its beginning, or at an operator. */
  private operation(node: Unit, operands: readonly Unit[], start: number): At {
    const mayLeave = (node.kind === 'Formula' || node.kind === 'Slice') && this.names.mayLeave(node)
    let at: At = start
    for (let i = 0; i < operands.length; i++) {
      at = this.through(operands[i], at ?? this.graph.fresh(0), false)
      if (mayLeave) this.leave(at)
      if (at !== null && i + 1 < operands.length) this.stand(operands[i].last + 1, at)
    }
    if (at === null) return at
    const call = node.kind === 'Formula' || node.kind === 'Slice' ? this.callOf(node) : undefined
    if (at !== start || call) this.stand(node.first, at, call)
    if (node.kind === 'Formula') for (const { token } of node.operators) this.stand(token, at, call)
    if (node.kind === 'Slice') this.standAtSubscripts(node.subscripts, at)
    return at
  }

  /** An index that is out of bounds is reported where a subscript begins. */
  private standAtSubscripts(subscripts: readonly Unit[], at: number): void {
    for (const { first } of subscripts) this.stand(first, at)
  }

  private throughName(node: Identifier | Jump, at: number, isStatement: boolean): At {
    const destination = this.names.jump(node)
    if (destination === undefined) return node.kind === 'Identifier' ? this.throughMention(node, at, isStatement) : at
    this.graph.vertices.unite(at, destination === 'outside' ? outside : this.label(destination))
    if (isStatement || !this.names.hasProcedureModes) return null
    // it may be a procedure that is made of the jump, to be called who knows where
    if (destination !== 'outside') this.graph.vertices.unite(at, outside)
    return at
  }

  private throughAssignation(node: Assignation, at: number): At {
    const begun = this.action('ASST', node.target, node, node.source.first - 1, at)
    return this.operation(node, [node.target, node.source], begun)
  }

  private throughMention(node: Identifier, start: number, isStatement: boolean): At {
    const routine = this.names.called(node)
    const isCall =
      this.sight.actions &&
      (routine !== undefined || this.names.callsLibrary(node) || (isStatement && this.names.isProcedure(node)))
    const begun = isCall ? this.action('CALL', node.name, node, node.first, start) : start
    const at = routine ? this.callSite(routine, begun) : begun
    const call = this.callOf(node)
    if (call) this.stand(node.first, at, call)
    if (this.names.mayLeave(node)) this.leave(at)
    return at
  }

  private throughCall(node: Call, start: number): At {
    const { callee } = node
    const token = callee.kind === 'Identifier' ? callee.first : callee.last + 1
    const isSlice = (this.isLaunched || this.sight.actions) && this.names.slices(node)
    const begun = isSlice ? start : this.action('CALL', callee, node, token, start)
    let at: At = callee.kind === 'Identifier' && !isSlice ? begun : this.through(callee, begun, false)
    at = this.sequence(node.args, at ?? this.graph.fresh(0))
    if (at === null) return at
    if (isSlice) this.standAtSubscripts(node.args, at)
    const routine = this.names.called(node)
    if (routine) at = this.callSite(routine, at)
    const call = this.callOf(node)
    this.stand(callee.first, at, call)
    this.stand(callee.last + 1, at, call)
    if (this.names.mayLeave(node)) this.leave(at)
    return at
  }

  /** A call of a routine all of whose calls are known is an edge of its own. */
  private callSite(routine: Routine, at: number): number {
    if (!this.isWhole || !this.names.calledByName.has(routine)) return at
    const called = this.graph.fresh(this.graph.weights[at])
    this.calls.calledAt(routine, this.graph.follow(at, called))
    // a frame of the program itself tells its range: two calls there could not be told apart when a run is cut short
    if (this.graph.owner === null) {
      const ranges = this.mainRanges.get(routine) ?? new Set()
      this.mainRanges.set(routine, ranges)
      if (ranges.has(this.range)) this.unrelated.add(routine)
      ranges.add(this.range)
    }
    return called
  }

  private throughDeclaration(node: Declaration, start: number): At {
    let at: At = start
    for (const part of node.parts) {
      if (part.kind === 'Declarer') at = this.through(part, at ?? this.graph.fresh(0), false)
      else if (part.what === 'MODE') {
        if (part.value) this.excursion(part.value)
      } else if (part.value?.kind === 'Routine') this.planRoutine(part.value, part.name.name, part.name.token)
      else if (part.value) at = this.operation(part.value, [part.value], at ?? this.graph.fresh(0))
    }
    return at
  }

  // ---- clauses

  private throughClosed(node: Closed, at: number, isStatement: boolean): At {
    if (!this.isBlock(node)) return this.series(node.series, at, isStatement)
    const inside = this.graph.fresh(this.graph.weights[at])
    const edge = this.edge(at, inside, after(node.first))
    this.site(node.first, 'block', [edge], (place) => ({ kind: 'block', ...place, passes: [edge] }))
    return this.series(node.series, inside, isStatement)
  }

  /** `BEGIN … END`, and brackets round more than one unit: brackets round one are part of a formula. */
  private isBlock(node: Closed): boolean {
    return this.tokens.kinds[node.first] === 'B' || node.series.phrases.length > 1
  }

  private throughCollateral(node: Collateral, at: number): At {
    if (!node.isParallel) return this.sequence(node.units, at)
    if (this.sight.actions) at = this.action('PAR', '', node, node.first, at)
    // units wait for each other, and a jump out of one ends the others: each is followed by itself
    for (const unit of node.units) this.excursion(unit)
    return at
  }

  /** Follows control through a clause that is the body of something counted already: it is no block of its own. */
  private body(node: Unit, at: number): At {
    if (node.kind !== 'Closed') return this.through(node, at, false)
    this.stand(node.first, at)
    return this.series(node.series, at, false)
  }

  private throughIf(node: If, start: number, isStatement: boolean): At {
    const { condition, then, otherwise } = node
    const at = this.series(condition, start, false, condition.first - 1) ?? this.graph.fresh(0)
    const elseSeries = otherwise?.kind === 'Series' ? otherwise : null
    const share = leads(then) ? exitWeight : elseSeries && leads(elseSeries) ? 1 - exitWeight : 0.5
    const yes = this.graph.fresh(this.graph.weights[at] * share)
    const no = this.graph.fresh(this.graph.weights[at] * (1 - share))
    const whenTrue = this.edge(at, yes, after(then.first - 1))
    const measure: Measure = otherwise
      ? after(otherwise.kind === 'If' ? otherwise.condition.first - 1 : otherwise.first - 1)
      : { shape: node.isBrief ? 'no bar' : 'no else', first: node.first, last: then.last }
    const whenFalse = this.edge(at, no, measure)
    this.site(node.first, 'if', [whenTrue, whenFalse], (place) => {
      return { kind: 'if', ...place, hasElse: otherwise !== null, true: [whenTrue], false: [whenFalse] }
    })
    const afterTrue = this.series(then, yes, isStatement, then.first - 1)
    const afterFalse = this.otherwise(otherwise, no, isStatement)
    return this.graph.join(afterTrue, afterFalse)
  }

  private otherwise(node: Series | If | Case | null, at: number, isStatement: boolean): At {
    if (node === null) return at
    if (node.kind !== 'Series') return this.through(node, at, isStatement)
    return this.series(node, at, isStatement, node.first - 1)
  }

  private throughCase(node: Case, start: number, isStatement: boolean): At {
    const { chooser, otherwise } = node
    const at = this.series(chooser, start, false, chooser.first - 1) ?? this.graph.fresh(0)
    const weight = this.graph.weights[at] / (node.arms.length + 1)
    const arms: CaseSite['arms'][number][] = []
    const edges: number[] = []
    let end: At = null
    const arm = (name: string, measure: Measure): number => {
      const taken = this.graph.fresh(weight)
      const edge = this.edge(at, taken, measure)
      edges.push(edge)
      arms.push({ name, count: [edge] })
      return taken
    }
    const outer = this.range
    node.arms.forEach(({ unit, first }, i) => {
      const taken = arm(String(i + 1), entering(unit))
      this.range = first === unit.first ? node.arms[0].first - 1 : first
      end = this.graph.join(end, this.through(unit, taken, isStatement))
    })
    this.range = outer
    if (otherwise) {
      const measure = after(otherwise.kind === 'Case' ? otherwise.chooser.first - 1 : otherwise.first - 1)
      end = this.graph.join(end, this.otherwise(otherwise, arm('out', measure), isStatement))
    } else {
      const { last } = node.arms[node.arms.length - 1]
      const name = node.isConformity ? 'unmatched' : 'skipped'
      end = this.graph.join(end, arm(name, { shape: node.isBrief ? 'no bar' : 'no out', first: node.first, last }))
    }
    this.site(node.first, 'case', edges, (place) => ({ kind: 'case', ...place, arms }))
    return end
  }

  private throughLoop(node: Loop, start: number): At {
    const { condition, until } = node
    const skips = this.skips(node)
    const outer = this.range
    // brackets about the loop are a range that begins where it does
    if (skips) this.range = node.first
    const begun = this.sequence([node.from, node.by, node.to], start) ?? this.graph.fresh(0)
    this.range = node.first
    const after_ = condition || until ? this.graph.fresh(this.graph.weights[begun]) : begun
    const pass = this.graph.fresh(this.graph.weights[begun] * loopWeight)
    const tests: number[] = []
    let at = begun
    if (condition) {
      const test = this.graph.fresh(this.graph.weights[begun] * (loopWeight + 1))
      tests.push(this.edge(at, test, after(condition.first - 1)))
      at = this.series(condition, test, false) ?? this.graph.fresh(0)
      this.graph.follow(at, after_)
    }
    if (node.to && after_ !== begun) this.graph.follow(begun, after_)
    const edge = this.edge(at, pass, node.body.phrases.length === 0 ? alone(node.body) : after(node.doToken))
    let end = this.series(node.body, pass, true)
    if (until) {
      const test = this.graph.fresh(this.graph.weights[pass])
      tests.push(this.edge(end ?? this.graph.fresh(0), test, after(until.first - 1)))
      end = this.series(until, test, false)
      if (end !== null) {
        const again = this.graph.fresh(this.graph.weights[pass])
        this.graph.follow(end, after_)
        this.graph.follow(end, again)
        end = again
      }
    }
    this.graph.join(begun, end)
    this.range = outer
    this.site(node.first, 'loop', [edge, ...tests], (place) => {
      return { kind: 'loop', ...place, passes: [edge], tests: tests.length > 0 ? tests.slice(0, 1) : null, skips }
    })
    return after_
  }

  /**
   * Counts how often a loop ends without a pass, if that is asked for and can happen: a variable tells it, in brackets
   * about the loop. The edge leads from the outside to itself: no other count depends on it.
   */
  private skips(node: Loop): Tally | null {
    const measure: Measure = { shape: 'skip', first: node.first, last: node.last }
    if (!this.sight.skips || !maySkip(node, this.tokens) || !this.canPlace(measure)) return null
    const edge = this.graph.measure(outside, outside, measure, 0)
    this.notes.push({ ...after(node.doToken), counter: edge, notes: true })
    return [edge]
  }

  /** `a ANDF b`: b may be left out. Only if there is something to count in it does that matter. */
  private throughConditional(node: Conditional, start: number, isStatement: boolean): At {
    const at = this.through(node.left, start, false)
    if (at === null) return null
    const seesRight = this.sight.actions || this.sight.skips
    const before = this.graph.edges.length
    const right = this.graph.fresh(this.graph.weights[at] / 2)
    const end = this.through(node.right, right, isStatement)
    if (this.graph.edges.length === before && end !== null && !seesRight) {
      this.graph.vertices.unite(at, right)
      return at
    }
    const needed = this.edge(at, right, entering(node.right))
    const skipped = this.graph.fresh(this.graph.weights[at] / 2)
    const skip = this.graph.follow(at, skipped)
    if (seesRight) {
      const operator = node.right.first - 1
      const action = nameOf(this.tokens, operator).toUpperCase()
      this.site(operator, action, [needed], (place) => ({
        kind: 'action',
        ...place,
        action,
        name: '',
        times: [needed],
        skipped: [skip],
      }))
    }
    return this.graph.join(end, skipped)
  }

  // ---- routines

  /** Plans a routine; its site stands where its name does, or where it begins if it has none. */
  private planRoutine(node: Routine, name: string, token: number): void {
    const outer = [this.graph.owner, this.range] as const
    this.graph.owner = node
    this.range = node.first
    const entry = this.graph.fresh(1)
    const call = this.edge(outside, entry, entering(node.unit))
    this.calls.entered(node, call)
    this.site(token, `routine ${name}`, [call], (place) => {
      return { kind: 'routine', ...place, name, end: this.endOf(node, place), calls: [call] }
    })
    this.leave(this.body(node.unit, entry))
    ;[this.graph.owner, this.range] = outer
  }

  /** Where the last token of a routine is; one that goes on in another file ends with its own. */
  private endOf({ last }: Routine, { file }: SitePlace): { line: number; column: number } {
    const { line, column, ...end } = this.places.place(last)
    return end.file === file ? { line, column } : { line: Number.MAX_SAFE_INTEGER, column: 1 }
  }

  /** What is known beyond the flow, by the place of the routine. */
  private relations(): Relation[] {
    const routines = this.isWhole ? [...this.names.calledByName].filter((routine) => !this.unrelated.has(routine)) : []
    return this.calls.callRelations(new Map(routines.map((routine) => [routine, this.places.spot(routine.first)])))
  }
}

/** Where a series is that has nothing in it. */
const alone = ({ first }: Series): Measure => ({ shape: 'alone', first, last: first })

const after = (token: number): Measure => ({ shape: 'after', first: token, last: token })

/** Where entering a unit is counted: within the clause that it is, if it is one, for brackets of its own cost time. */
function entering(node: Unit): Measure {
  switch (node.kind) {
    case 'Closed':
      return after(node.first)
    case 'If':
    case 'Case':
      return after(node.first)
    default:
      return { shape: 'unit', first: node.first, last: node.last }
  }
}

/** Whether a loop may end without a pass: it does not begin with a test, and its bounds show that there is one. */
function maySkip({ from, by, to, condition, body }: Loop, tokens: Tokens): boolean {
  // there is no place to note a pass
  if (body.phrases.length === 0) return false
  if (condition) return true
  if (!to) return false
  const [first, last] = [from, to].map((unit) => (unit?.kind === 'Denotation' ? denoted(unit, tokens) : undefined))
  const start = from ? first : 1
  const isUp = by === null && nameOf(tokens, to.first - 1).toUpperCase() === 'TO'
  return !isUp || start === undefined || last === undefined || start > last
}

/** The value of an integer that is written out. */
function denoted({ first, last }: Unit, { from, to, file, files }: Tokens): number | undefined {
  const text = files[file[first]].text.slice(from[first], to[last])
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined
}

/** Whether a series leads out of the routine or the loop at once. */
function leads({ phrases }: Series): boolean {
  const last: Node | undefined = phrases[phrases.length - 1]
  return last.kind === 'Jump' || (last.kind === 'Identifier' && last.name === 'stop')
}
