// What is known of the procedures of an Icon program beyond the flow within each: who calls them, how often, and who gets
// their results.
import type { Expression, Procedure } from '../1-parse/icon/ast.js'
import type { Graph, Measure } from './icon-graph.js'
import type { Relation } from './infer.js'

/** Collects calls and results while the graph is drawn. */
export class Calls {
  /** For procedures called by name: the edges that stand for executions of their call sites. */
  private readonly callSites = new Map<Procedure, number[]>()
  /** Call sites that can be counted. */
  private readonly countable = new Map<number, Measure>()
  /** For procedures called by name: the edges that stand for results that their callers got. */
  private readonly resultSites = new Map<Procedure, number[]>()
  /** The edges that stand for results procedures gave. */
  private readonly results = new Map<Procedure, readonly number[]>()
  private readonly entries = new Map<Procedure, number>()

  /** calledByName: the procedures that are called by their names and in no other way */
  constructor(
    private readonly graph: Graph,
    private readonly calledByName: ReadonlyMap<string, Procedure>,
  ) {}

  /** Notes the edge by which a procedure is entered. */
  entered(procedure: Procedure, edge: number): void {
    this.entries.set(procedure, edge)
  }

  /** Notes the edges by which results leave a procedure. */
  gave(procedure: Procedure, edges: readonly number[]): void {
    this.results.set(procedure, edges)
  }

  /** Notes an edge that stands for a call, and how it could be counted, if at all. */
  called(callee: Procedure, edge: number, measure: Measure | undefined): void {
    if (measure) this.countable.set(edge, measure)
    this.callSites.set(callee, [...(this.callSites.get(callee) ?? []), edge])
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
    if (callee) this.resultSites.set(callee, [...(this.resultSites.get(callee) ?? []), edge])
  }

  /** What is known beyond the flow. */
  relations(): Relation[] {
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
    const useful = new Map([...this.calledByName].map(([name, procedure]) => [procedure, name]))
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
            if (this.graph.edges[site].measurable) return false
            const [from, to] = [
              root(this.graph.vertices.find(this.graph.edges[site].from)),
              root(this.graph.vertices.find(this.graph.edges[site].to)),
            ]
            if (from !== to) forest.set(Math.max(from, to), Math.min(from, to))
            return from === to
          })
        if (!closesCircle) continue
        useful.delete(procedure)
        for (const site of sites) this.graph.vertices.unite(this.graph.edges[site].from, this.graph.edges[site].to)
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
    const calls = this.expected()
    for (const [procedure, sites] of this.callSites) {
      const uncertain = sites.filter((site) => {
        const { from, to } = this.graph.edges[site]
        return this.graph.vertices.find(from) === this.graph.vertices.find(to)
      })
      const expected = uncertain.map((site) => {
        const { procedure: caller, from } = this.graph.edges[site]
        return this.countable.has(site) ? calls.get(caller)! * this.graph.weights[from] : Infinity
      })
      if (expected.reduce((sum, one) => sum + one, 0) > calls.get(procedure)! / 2) continue
      for (const site of uncertain) {
        const measure = this.countable.get(site)!
        this.graph.edges[site] = {
          ...this.graph.edges[site],
          measure,
          measurable: true,
          weight: this.graph.weights[this.graph.edges[site].from],
        }
      }
    }
  }

  /** How often each procedure is expected to be called, by what is expected at its call sites. */
  expected(): Map<Procedure, number> {
    const calls = new Map<Procedure, number>()
    for (const procedure of this.entries.keys()) calls.set(procedure, this.callSites.has(procedure) ? 0 : 1)
    // calls of calls of calls; what calls itself grows at each round, as it should
    for (let round = 0; round < 4; round++) {
      for (const [procedure, sites] of this.callSites) {
        let sum = 0
        for (const site of sites) {
          const { procedure: caller, from } = this.graph.edges[site]
          sum += calls.get(caller)! * this.graph.weights[from]
        }
        calls.set(procedure, sum)
      }
    }
    return calls
  }
}
