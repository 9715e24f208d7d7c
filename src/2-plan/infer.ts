// Which counts to measure and how the others follow. Control flows through a source like a current: what enters a
// point leaves it again. So the plan is a graph: a *vertex* is a stretch of program through which control passes
// without loss, an *edge* is something that can be counted, leading from one stretch to the next. The edges of a
// spanning tree follow from the rest; the rest, the *basis*, gets counters. Choosing the tree with the greatest
// weight leaves the cheapest basis.
//
// source: Knuth and Stevenson, "Optimal measurement points for program frequency counts", BIT 13 (1973);
//         Probert, "Optimal insertion of software probes in well-delimited programs", IEEE TSE 8 (1982)
import { assert } from '../error.js'
import { addTo, formulas } from './solve.js'

/** Vertex 0 is the outside: where calls come from and returns go to. Nothing is known of what passes through it. */
export const outside = 0

/**
 * Something to be counted: passages of control from one vertex to another.
 *
 * counter   which counter measures it; one not below the flow's number of counters was dropped; -1 if it follows from
 *           the flow
 */
export interface Edge {
  readonly from: number
  readonly to: number
  readonly counter: number
}

/**
 * A flow graph with its basis chosen: what is needed to turn counters into counts.
 *
 * counters    how many are kept
 * relations   what is known beyond the flow
 * dropped     the counters that need not be kept because of that: number counters + i is dropped[i]
 */
export interface Flow {
  readonly vertices: number
  readonly edges: readonly Edge[]
  readonly counters: number
  readonly relations: readonly Relation[]
  readonly dropped: readonly Dropped[]
  readonly advances: readonly Advance[]
}

/** A counter of passes through a loop that is raised before the first of them, by as many as there will be. */
export interface Advance {
  readonly counter: number
  /** Where control is during a pass: a run that is cut short there never made all of them. */
  readonly vertices: readonly number[]
  /** Where a frame stands that seems to be in a pass although none was counted. */
  readonly before?: number
}

/**
 * Two sums of edges that are equal: the calls of a procedure and the executions of its call sites, or the results that
 * it gave and those that its callers got.
 *
 * name   of the procedure that is called
 */
export interface Relation {
  readonly name?: string
  readonly calls: readonly number[]
  readonly sites: readonly number[]
}

/** A counter that follows from kept ones: a sum of them, and of what relations are short of when a run is cut off. */
export interface Dropped {
  readonly terms: readonly Term[]
  readonly relations: readonly { readonly relation: number; readonly factor: number }[]
}

/** One counter in a sum. */
export interface Term {
  readonly counter: number
  readonly factor: number
}

/**
 * An edge before the basis is chosen.
 *
 * weight       what measuring it would cost; Infinity: only if nothing else will do
 * measurable   whether there is a probe for it
 */
export interface Candidate {
  readonly from: number
  readonly to: number
  readonly weight: number
  readonly measurable: boolean
}

/** Sets of vertices that are one: union-find with path halving. */
export class Vertices {
  private readonly parents: number[] = [outside]

  /** A new vertex. */
  fresh(): number {
    return this.parents.push(this.parents.length) - 1
  }

  /** The vertex that stands for the one given and all that are one with it. The outside stands for itself. */
  find(vertex: number): number {
    const { parents } = this
    while (parents[vertex] !== vertex) {
      parents[vertex] = parents[parents[vertex]]
      vertex = parents[vertex]
    }
    return vertex
  }

  /** Makes two vertices one. Answers false if they were already. */
  unite(one: number, other: number): boolean {
    const [a, b] = [this.find(one), this.find(other)]
    // the outside, being 0, stays the one that stands for the others
    if (a < b) this.parents[b] = a
    else this.parents[a] = b
    return a !== b
  }

  get count(): number {
    return this.parents.length
  }
}

/**
 * Makes one vertex of those among which edges that no probe can measure go round in a circle: what each of them carries
 * cannot be known.
 */
export function contractCircles(vertices: Vertices, candidates: readonly Candidate[]): void {
  const hidden = candidates.filter(({ measurable }) => !measurable)
  const neighbours = new Map<number, number[]>()
  const link = (one: number, other: number) => {
    const list = neighbours.get(one)
    if (list) list.push(other)
    else neighbours.set(one, [other])
  }
  const forest = new Vertices()
  while (forest.count < vertices.count) forest.fresh()
  const closing: [number, number][] = []
  for (const { from, to } of hidden) {
    const [one, other] = [vertices.find(from), vertices.find(to)]
    if (one === other) continue
    if (!forest.unite(one, other)) {
      closing.push([one, other])
      continue
    }
    link(one, other)
    link(other, one)
  }
  if (closing.length === 0) return
  const parents = new Map<number, number>()
  const depths = new Map<number, number>()
  for (const root of neighbours.keys()) {
    if (depths.has(root)) continue
    depths.set(root, 0)
    const queue = [root]
    for (let vertex = queue.pop(); vertex !== undefined; vertex = queue.pop()) {
      for (const next of neighbours.get(vertex)!) {
        if (depths.has(next)) continue
        depths.set(next, depths.get(vertex)! + 1)
        parents.set(next, vertex)
        queue.push(next)
      }
    }
  }
  // the vertex nearest to the root of those made one
  const tops = new Map<number, number>()
  const top = (vertex: number): number => {
    let at = vertex
    for (let next = tops.get(at); next !== undefined; next = tops.get(at)) {
      // halve the way for those who come after
      const further = tops.get(next)
      if (further !== undefined) tops.set(at, further)
      at = next
    }
    return at
  }
  for (const [from, to] of closing) {
    let [one, other] = [top(from), top(to)]
    while (one !== other) {
      if (depths.get(one)! < depths.get(other)!) [one, other] = [other, one]
      const parent = top(parents.get(one)!)
      vertices.unite(one, parent)
      tops.set(one, parent)
      one = parent
    }
  }
}

/**
 * Chooses the basis: every edge outside a spanning tree of greatest weight gets a counter, less those that relations
 * make superfluous, the costliest first.
 *
 * measureAll   give every edge that can be measured a counter instead: the truth to test inference by
 * importance   what a counter on an edge costs, compared to those in other procedures
 * returns      the flow, its edges being the candidates in their order; and which of its vertices each vertex became
 */
export function chooseBasis(
  vertices: Vertices,
  candidates: readonly Candidate[],
  measureAll: boolean,
  relations: readonly Relation[] = [],
  importance: (edge: number) => number = (edge) => candidates[edge].weight,
): { flow: Flow; vertexOf: (vertex: number) => number } {
  const numbers = new Int32Array(vertices.count)
  let count = 0
  for (let vertex = outside; vertex < vertices.count; vertex++) {
    if (vertices.find(vertex) === vertex) numbers[vertex] = count++
  }
  const vertexOf = (vertex: number) => numbers[vertices.find(vertex)]
  const ends = candidates.map(({ from, to }) => ({ from: vertexOf(from), to: vertexOf(to) }))
  const tree = new Vertices()
  while (tree.count < count) tree.fresh()
  const measured = new Uint8Array(candidates.length)
  for (const i of heaviestFirst(candidates)) {
    const { measurable } = candidates[i]
    if (measureAll && measurable) measured[i] = 1
    else if (!tree.unite(ends[i].from, ends[i].to)) {
      // an idle edge: it leads nowhere and nobody asks for it
      if (!measurable && ends[i].from === ends[i].to) continue
      assert(measurable, 'a count that cannot be measured does not follow from others')
      measured[i] = 1
    }
  }
  let counters = 0
  const edges = ends.map((end, i) => ({ ...end, counter: measured[i] ? counters++ : -1 }))
  const flow = { vertices: count, edges, counters, relations: [], dropped: [], advances: [] }
  if (measureAll || relations.length === 0) return { flow, vertexOf }
  const costs: number[] = []
  edges.forEach(({ counter }, i) => {
    if (counter >= 0) costs[counter] = importance(i)
  })
  return { flow: dropCounters(flow, relations, costs), vertexOf }
}

/** The numbers of candidates by falling weight, those of equal weight in their order. Few weights differ. */
function heaviestFirst(candidates: readonly Candidate[]): number[] {
  const equals = new Map<number, number[]>()
  candidates.forEach(({ weight }, i) => {
    const others = equals.get(weight)
    if (others) others.push(i)
    else equals.set(weight, [i])
  })
  return [...equals.keys()].sort((one, other) => other - one).flatMap((weight) => equals.get(weight)!)
}

/** A relation on its way to give a counter: the sum of terms is a sum of what relations are short of. */
interface Row {
  readonly terms: Map<number, number>
  readonly relations: Map<number, number>
}

/** Drops one counter for each relation that is not implied by others (Gaussian elimination, pivots of 1 or -1). */
function dropCounters(flow: Flow, relations: readonly Relation[], costs: readonly number[]): Flow {
  const related = new Set(relations.flatMap(({ calls, sites }) => [...calls, ...sites]))
  const sums = formulas(flow, (edge) => related.has(edge), tooLong)
  if (!sums) return flow
  const pivots = new Map<number, Row>()
  relations.forEach(({ calls, sites }, relation) => {
    const row: Row = { terms: new Map(), relations: new Map([[relation, 1]]) }
    for (const edge of calls) for (const { counter, factor } of sums[edge]) addTo(row.terms, counter, factor)
    for (const edge of sites) for (const { counter, factor } of sums[edge]) addTo(row.terms, counter, -factor)
    for (const [counter, pivot] of pivots) eliminate(row, counter, pivot)
    let chosen = -1
    for (const [counter, factor] of row.terms) {
      if (Math.abs(factor) === 1 && (chosen < 0 || costs[counter] > costs[chosen])) chosen = counter
    }
    if (chosen < 0) return
    for (const other of pivots.values()) eliminate(other, chosen, row)
    pivots.set(chosen, row)
  })
  const kept = Array.from({ length: flow.counters }, (_, i) => i).filter((counter) => !pivots.has(counter))
  const numbers = new Map([...kept, ...pivots.keys()].map((counter, i) => [counter, i]))
  const dropped = [...pivots].map(([counter, row]): Dropped => {
    const own = row.terms.get(counter)!
    const terms = [...row.terms].filter(([other]) => other !== counter)
    return {
      terms: terms.map(([other, factor]) => ({ counter: numbers.get(other)!, factor: -factor * own })),
      relations: [...row.relations].map(([relation, factor]) => ({ relation, factor: factor * own })),
    }
  })
  const edges = flow.edges.map((edge) => (edge.counter < 0 ? edge : { ...edge, counter: numbers.get(edge.counter)! }))
  return { ...flow, edges, counters: kept.length, relations, dropped }
}

/** Takes a counter out of a row by means of the row that gives it. */
function eliminate(row: Row, counter: number, pivot: Row): void {
  const factor = row.terms.get(counter)
  if (factor === undefined) return
  const times = -factor * pivot.terms.get(counter)!
  for (const [other, more] of pivot.terms) addTo(row.terms, other, times * more)
  for (const [relation, more] of pivot.relations) addTo(row.relations, relation, times * more)
}

// steps that finding formulas may take before relations are given up as not worth it
const tooLong = 1_000_000
