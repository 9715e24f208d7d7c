// What is known of the procedures of an Icon program beyond the flow within each: who calls them, how often, and who gets
// their results.
import type { Expression, Procedure } from '../1-parse/icon/ast.js'
import { Calls } from './calls.js'
import type { Graph, Measure } from './icon-graph.js'
import type { Relation } from './infer.js'
import type { IconShape } from './plan.js'

/** Collects calls and results while the graph is drawn. */
export class IconCalls extends Calls<IconShape, Procedure | null> {
  /** There are co-expressions: an error in one leaves a traceback with calls that came back long ago, and results beside them. */
  switches = false
  /** Call sites that can be counted. */
  private readonly countable = new Map<number, Measure>()
  /** For procedures called by name: the edges that stand for results that their callers got. */
  private readonly resultSites = new Map<Procedure, number[]>()
  /** The edges that stand for results procedures gave. */
  private readonly results = new Map<Procedure, readonly number[]>()

  /** calledByName: the procedures that are called by their names and in no other way */
  constructor(
    graph: Graph,
    private readonly calledByName: ReadonlyMap<string, Procedure>,
  ) {
    super(graph)
  }

  /** Notes the edges by which results leave a procedure. */
  gave(procedure: Procedure, edges: readonly number[]): void {
    this.results.set(procedure, edges)
  }

  /** Notes an edge that stands for a call, and how it could be counted, if at all. */
  called(callee: Procedure, edge: number, measure: Measure | undefined): void {
    if (measure) this.countable.set(edge, measure)
    this.calledAt(callee, edge)
  }

  /** Notes that an edge stands for the results of an expression, in case that is a call. */
  got(node: Expression | null, edge: number): void {
    let call = node
    while (call) {
      if (call.kind === 'Paren' && call.expressions.length === 1) call = call.expressions[0]
      else if (call.kind === 'Binary' && call.operator === ':=' && call.left.kind === 'Identifier') call = call.right
      else break
    }
    if (call?.kind !== 'Call' || call.callee.kind !== 'Identifier') return
    const callee = this.calledByName.get(call.callee.name)
    if (callee) this.answered(callee, edge)
  }

  /** Notes the edge that stands for the results of a call. */
  answered(callee: Procedure, edge: number): void {
    const sites = this.resultSites.get(callee)
    if (sites) sites.push(edge)
    else this.resultSites.set(callee, [edge])
  }

  /** What is known beyond the flow. Call sites that do not follow from it are counted, if they are seldom executed. */
  relations(): Relation[] {
    this.countSeldomSites()
    const names = new Map([...this.calledByName].map(([name, procedure]) => [procedure, name]))
    return [...this.callRelations(names), ...(this.switches ? [] : this.resultRelations())]
  }

  /** Where every caller of a procedure shows how many results it got, they are as many as the procedure gave. */
  private resultRelations(): Relation[] {
    return [...this.resultSites].flatMap(([procedure, sites]) => {
      const calls = this.results.get(procedure) ?? []
      if (sites.length !== this.callSites.get(procedure)?.length || ![...calls, ...sites].every(this.follows)) return []
      return [{ calls, sites }]
    })
  }

  /** Whether the count of an edge can be had: it was not left out, and leads from one place to another. */
  private readonly follows = (edge: number): boolean => {
    const drawn = this.graph.edges[edge]
    if (!drawn) return false
    return drawn.measurable || this.graph.vertices.find(drawn.from) !== this.graph.vertices.find(drawn.to)
  }

  /** Has call sites counted that do not follow from the flow, where that is cheaper than to count the calls. */
  private countSeldomSites(): void {
    const calls = this.expected()
    for (const [procedure, sites] of this.callSites) {
      const uncertain = sites.filter((site) => {
        const { from, to } = this.graph.edges[site]
        return this.graph.vertices.find(from) === this.graph.vertices.find(to)
      })
      const expected = uncertain.map((site) => {
        const { owner, from } = this.graph.edges[site]
        return this.countable.has(site) ? calls.get(owner)! * this.graph.weights[from] : Infinity
      })
      if (expected.reduce((sum, one) => sum + one, 0) > calls.get(procedure)! / 2) continue
      for (const site of uncertain) {
        const measure = this.countable.get(site)!
        this.graph.edges[site] = {
          ...this.graph.edges[site],
          measure,
          measurable: true,
          cost: 1,
          toll: null,
          weight: this.graph.weights[this.graph.edges[site].from],
        }
      }
    }
  }
}
