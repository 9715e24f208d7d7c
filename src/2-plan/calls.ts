// What is known of the routines of a program beyond the flow within each: a routine called by name is called as often as
// its call sites are executed.
import type { FlowGraph } from './flow-graph.js'
import { contractCircles, Vertices, type Relation } from './infer.js'
import type { Probe } from './plan.js'

/** Collects calls while the graph is drawn. */
export class Calls<Shape extends Probe['shape'], Owner> {
  /** For routines called by name: the edges that stand for executions of their call sites. */
  protected readonly callSites = new Map<Owner, number[]>()
  protected readonly entries = new Map<Owner, number>()

  constructor(protected readonly graph: FlowGraph<Shape, Owner>) {}

  /** Notes the edge by which a routine is entered. */
  entered(routine: Owner, edge: number): void {
    this.entries.set(routine, edge)
  }

  /** Notes an edge that stands for the calls at one place. */
  calledAt(routine: Owner, edge: number): void {
    const sites = this.callSites.get(routine)
    if (sites) sites.push(edge)
    else this.callSites.set(routine, [edge])
  }

  /** How often each routine is expected to be called, by what is expected at its call sites. */
  expected(): Map<Owner, number> {
    const { edges, weights } = this.graph
    const calls = new Map<Owner, number>()
    for (const routine of this.entries.keys()) calls.set(routine, this.callSites.has(routine) ? 0 : 1)
    // calls of calls of calls; what calls itself grows at each round, as it should
    for (let round = 0; round < 4; round++) {
      for (const [routine, sites] of this.callSites) {
        let sum = 0
        for (const site of sites) sum += (calls.get(edges[site].owner) ?? 1) * weights[edges[site].from]
        calls.set(routine, sum)
      }
    }
    return calls
  }

  /**
   * What is known beyond the flow, if the call sites of a routine follow from the flow; else they are made no edges at all.
   *
   * names   the routines that are called by their names and in no other way
   */
  callRelations(names: ReadonlyMap<Owner, string>): Relation[] {
    const related = this.settle(new Set(names.keys()))
    return [...names].flatMap(([routine, name]) => {
      const call = this.entries.get(routine) ?? -1
      return call < 0 || !related.has(routine)
        ? []
        : [{ name, calls: [call], sites: this.callSites.get(routine) ?? [] }]
    })
  }

  /**
   * Sees to it that what no probe measures follows: where such edges go round in a circle, what they lead between becomes
   * one vertex; if call sites do, all those of the routine. Answers the routines whose call sites are still edges.
   */
  private settle(related: Set<Owner>): Set<Owner> {
    const { edges, vertices } = this.graph
    const unite = (routine: Owner) => {
      for (const site of this.callSites.get(routine)!) vertices.unite(edges[site].from, edges[site].to)
    }
    for (const routine of this.callSites.keys()) if (!related.has(routine)) unite(routine)
    const sites = new Set([...this.callSites.values()].flat())
    const ways = edges.filter(({ measurable }, edge) => !measurable && !sites.has(edge))
    for (let changed = true; changed;) {
      changed = false
      contractCircles(vertices, ways)
      const forest = new Vertices()
      while (forest.count < vertices.count) forest.fresh()
      const closesCircle = ({ from, to }: (typeof edges)[number]) =>
        !forest.unite(vertices.find(from), vertices.find(to))
      ways.forEach(closesCircle)
      for (const [routine, own] of this.callSites) {
        if (!related.has(routine)) continue
        const closing = own.filter((site) => !edges[site].measurable && closesCircle(edges[site]))
        if (closing.length === 0) continue
        related.delete(routine)
        unite(routine)
        changed = true
      }
    }
    return related
  }
}
