// Icon: what planning constructs and planning tokens have in common: where probes have room, where control stands for
// the frames of a traceback, and how a drawn graph becomes a plan.
import type { Compound, Expression, Loop, Node, Procedure } from '../1-parse/icon/ast.js'
import type { IconTree } from '../1-parse/icon/parse.js'
import { amendableFiles, placeAfter, placeBefore, placeOf, type Tokens } from '../1-parse/icon/scan.js'
import { hashOf, lineStarts, positionIn } from '../source.js'
import { IconCalls } from './icon-calls.js'
import { Graph, type Measure } from './icon-graph.js'
import { loopWeight } from './icon-expectations.js'
import type { Foreseen } from './icon-ranges.js'
import { maySkip } from './icon-skips.js'
import { stepsOf } from './icon-steps.js'
import { chooseBasis, outside, type Advance, type Flow } from './infer.js'
import type { Outcomes } from './outcomes.js'
import type { Planned, Probe, Probing, Tally } from './plan.js'

/** A place in the text of a file; line and column from 1. */
export interface SitePlace {
  readonly file: number
  readonly line: number
  readonly column: number
}

/**
 * A loop whose passes can be counted in advance.
 *
 * edge       that stands for its passes
 * starts     that stands for its starts, if there is one
 * from, to   the vertices made for its body: `from` to `to`, without `to`
 * before     where a frame stands that seems to be in a pass although none was counted, if that can be
 */
interface ForeseenLoop {
  readonly edge: number
  readonly starts?: number
  readonly from: number
  readonly to: number
  readonly before?: number
}

// what expectations count beside what is known
const negligible = 1e-6

/** Draws the flow graph of an Icon source, and makes a plan of it. */
export abstract class IconPlanner {
  protected readonly tokens: Tokens
  protected readonly graph = new Graph()
  protected readonly calls: IconCalls
  /** Probes beside those that the basis needs; their counters are numbers of edges. */
  protected readonly extras: Probe[] = []
  protected readonly foreseen: ForeseenLoop[] = []
  /** Expressions whose outcome makes no difference: they are bounded, and nobody asks for a result. */
  protected readonly unasked = new Set<Expression | null>()
  /** Whether passes may be counted in advance at all. */
  protected foresees = true
  /** The procedure that is being planned, and the edges of its counts. */
  protected procedure!: Procedure
  protected counts!: Record<'returns' | 'suspends' | 'resumptions' | 'failures', number[]>
  private readonly starts: readonly (readonly number[])[]
  private readonly amendable: readonly boolean[]
  /** Where control stands from a token on: token and vertex, one after the other. */
  private readonly stands: number[] = []

  constructor(
    private readonly tree: IconTree,
    protected readonly outcomes: Outcomes,
    private readonly isLaunched: boolean,
    private readonly seesSkips: boolean,
  ) {
    this.tokens = tree.tokens
    this.calls = new IconCalls(this.graph, outcomes.calledByName)
    this.starts = this.tokens.files.map(({ text }) => lineStarts(text))
    this.amendable = isLaunched ? amendableFiles(this.tokens) : this.tokens.files.map((_, file) => file === 0)
  }

  /** Draws the graph of a procedure, and notes its sites. */
  protected abstract planProcedure(): void

  /** What is to be made of the graph once calls are known and before the basis is chosen. */
  protected abstract completeGraph(): void

  /** What can be counted, and what cannot. */
  protected abstract monitored(): Pick<Planned, 'sites' | 'tokens' | 'unmonitored'>

  plan(probing: Probing, passages: readonly number[] | undefined): Planned {
    this.foresees = probing === 'basis'
    for (const declaration of this.tree.program.declarations) {
      if (declaration.kind !== 'Procedure') continue
      this.procedure = declaration
      this.graph.owner = declaration
      this.counts = { returns: [], suspends: [], resumptions: [], failures: [] }
      this.planProcedure()
    }
    const { edges, vertices } = this.graph
    const relations = this.calls.relations()
    const expected = this.calls.expected()
    const isWeighed = passages?.length === edges.length
    if (isWeighed) this.weigh(passages)
    const importance = (edge: number) => edges[edge].weight * (isWeighed ? 1 : expected.get(edges[edge].owner)!)
    this.completeGraph()
    const { flow, vertexOf } = chooseBasis(vertices, edges, probing === 'all', relations, importance)
    const isKept = (counter: number) => counter >= 0 && counter < flow.counters
    const probes: Probe[] = []
    flow.edges.forEach(({ counter }, i) => {
      const { measure } = edges[i]
      if (isKept(counter) && measure) probes.push({ ...measure, counter })
    })
    for (const { counter: edge, ...measure } of this.extras) {
      const { counter } = flow.edges[edge]
      if (isKept(counter)) probes.push({ ...measure, counter })
    }
    const { files, renumbered } = this.tokens
    return {
      language: 'icon',
      files: files.map(({ name, text }) => ({ name, hash: hashOf(text) })),
      renumbered,
      ...this.monitored(),
      flow: { ...flow, advances: this.advances(flow, vertexOf) },
      probes,
      steps: this.isLaunched ? stepsOf(this.tokens, this.starts, this.stands, vertexOf, this.outcomes.isFixed) : [],
    }
  }

  /** Weighs the edges by how often they were passed in earlier runs; where that is the same, as expected. */
  private weigh(passages: readonly number[]): void {
    const { edges } = this.graph
    const starts = new Map(this.foreseen.map(({ edge, starts: first }) => [edge, first]))
    edges.forEach((edge, i) => {
      if (!Number.isFinite(edge.weight)) return
      const first = starts.get(i)
      const times = first === undefined ? passages[i] / (starts.has(i) ? loopWeight : 1) : passages[first]
      const toll = edge.toll ? passages[edge.toll.edge] * edge.toll.cost : 0
      edges[i] = { ...edge, weight: times * edge.cost + toll + edge.weight * negligible }
    })
  }

  private advances(flow: Flow, vertexOf: (vertex: number) => number): Advance[] {
    return this.foreseen.flatMap(({ edge, from, to, before }) => {
      const { counter } = flow.edges[edge]
      if (counter < 0 || counter >= flow.counters) return []
      const inside = Array.from({ length: to - from }, (_, i) => vertexOf(from + i))
      const vertices = [...new Set(inside)].sort((a, b) => a - b)
      return [{ counter, vertices, ...(before !== undefined && { before: vertexOf(before) }) }]
    })
  }

  /** Notes that control stands at a vertex from a token on; only the launcher asks for that. */
  protected stand(token: number, vertex: number): void {
    if (this.isLaunched) this.stands.push(token, vertex)
  }

  /** Whether there is room for a probe: it may begin and end in one file, and scamp may amend that. */
  protected canPlace({ first, last }: Measure): boolean {
    const before = placeBefore(this.tokens, first)
    const after = placeAfter(this.tokens, last)
    return before !== undefined && after !== undefined && before.file === after.file && this.amendable[before.file]
  }

  /**
   * Counts how often a loop ends without a pass, if that is asked for and can happen. Whether there was a pass is noted
   * in a local variable: set back where the loop begins, set where a pass does. If the passes can be told in advance, so
   * can it be told that there are none.
   *
   * The edge leads from the outside to itself: no other count depends on it, and so it is exact however a run ends.
   */
  protected skips(node: Loop, foreseen: Foreseen | undefined): Tally | null {
    const { control, body, first, last } = node
    if (!this.seesSkips || !control || !maySkip(node, this.procedure, this.outcomes)) return null
    const count = (measure: Measure) => this.graph.measure(outside, outside, measure, 0)
    if (foreseen) {
      const place = foreseen.last
      return [count({ shape: 'none in advance', first: place.first, last: place.last, amount: foreseen.amount })]
    }
    // what until has no body for is noted where its control expression fails
    const pass: Measure = !body && node.kind === 'Until' ? { ...around(control), shape: 'failure' } : passMeasure(node)
    const { bodyToken } = this.procedure
    const local: Measure = { shape: 'local', first: bodyToken, last: bodyToken }
    const whole: Measure = { shape: this.unasked.has(node) ? 'skip' : 'failing skip', first, last }
    if (![pass, whole, local].every((measure) => this.canPlace(measure))) return null
    const counter = count(whole)
    this.extras.push({ ...local, counter }, { ...pass, counter, notes: true })
    return [counter]
  }

  protected leaveUnasked(...nodes: readonly (Expression | null)[]): void {
    for (const node of nodes) this.unasked.add(node)
  }

  /** Of several expressions in braces only the last can be asked for its result. */
  protected leaveBracesUnasked(node: Compound): void {
    this.leaveUnasked(...node.expressions.slice(0, this.unasked.has(node) ? undefined : -1))
  }

  protected placeOf(token: number): SitePlace {
    const { file, offset } = placeOf(this.tokens, token)
    return { file, ...positionIn(this.starts[file], offset) }
  }
}

/** Around an expression. */
export const around = ({ first, last }: Node): Measure => ({ shape: 'around', first, last })

/** Where a loop's passes are counted: at its body, or behind its control expression. */
export function passMeasure({ kind, control, body, first, last }: Loop, aroundBody = around): Measure {
  if (body) return aroundBody(body)
  if (!control) return { shape: 'bare do', first, last }
  return { shape: kind === 'Every' || kind === 'While' ? 'after' : 'do', first: control.first, last: control.last }
}
