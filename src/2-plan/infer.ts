// Which counts to measure and how the others follow. Control flows through a source like a current: what enters a
// point leaves it again. So the plan is a graph: a *vertex* is a stretch of program through which control passes
// without loss, an *edge* is something that can be counted, leading from one stretch to the next. The edges of a
// spanning tree follow from the rest; the rest, the *basis*, gets counters. Choosing the tree with the greatest
// weight leaves the cheapest basis.
//
// source: Knuth and Stevenson, "Optimal measurement points for program frequency counts", BIT 13 (1973);
//         Probert, "Optimal insertion of software probes in well-delimited programs", IEEE TSE 8 (1982)
import { assert, ScampError } from '../error.js'

/** Vertex 0 is the outside: where calls come from and returns go to. Nothing is known of what passes through it. */
export const outside = 0

/**
 * Something to be counted: passages of control from one vertex to another.
 *
 * counter   which counter measures it; -1 if it follows from others
 */
export interface Edge {
  readonly from: number
  readonly to: number
  readonly counter: number
}

/** A flow graph with its basis chosen: what is needed to turn counters into counts. */
export interface Flow {
  readonly vertices: number
  readonly edges: readonly Edge[]
  readonly counters: number
}

/**
 * An edge before the basis is chosen.
 *
 * weight       what measuring it would cost; Infinity: only if every edge is to be measured
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
 * Chooses the basis: every edge outside a spanning tree of greatest weight gets a counter.
 *
 * measureAll   give every edge that can be measured a counter instead: the truth to test inference by
 * returns      the flow, its edges being the candidates in their order; and which of its vertices each vertex became
 */
export function chooseBasis(
  vertices: Vertices,
  candidates: readonly Candidate[],
  measureAll: boolean,
): { flow: Flow; vertexOf: (vertex: number) => number } {
  const numbers = new Map<number, number>([[outside, outside]])
  const vertexOf = (vertex: number) => {
    const root = vertices.find(vertex)
    let known = numbers.get(root)
    if (known === undefined) numbers.set(root, (known = numbers.size))
    return known
  }
  const ends = candidates.map(({ from, to }) => ({ from: vertexOf(from), to: vertexOf(to) }))
  const tree = new Vertices()
  while (tree.count < numbers.size) tree.fresh()
  const heaviestFirst = candidates
    .map((_, i) => i)
    .sort((a, b) => compareWeights(candidates[b], candidates[a]) || a - b)
  const measured = new Uint8Array(candidates.length)
  for (const i of heaviestFirst) {
    const { weight, measurable } = candidates[i]
    if (measureAll && measurable) measured[i] = 1
    else if (!tree.unite(ends[i].from, ends[i].to)) {
      assert(measurable && weight < Infinity, 'a count that cannot be measured does not follow from others')
      measured[i] = 1
    }
  }
  let counters = 0
  const edges = ends.map((end, i) => ({ ...end, counter: measured[i] ? counters++ : -1 }))
  return { flow: { vertices: vertices.count, edges, counters }, vertexOf }
}

const compareWeights = (one: Candidate, other: Candidate) =>
  one.weight === other.weight ? 0 : one.weight - other.weight

/** A count, and whether it is exact; if not, the true count is at most this. */
export interface Count {
  readonly value: bigint
  readonly exact: boolean
}

/**
 * Frames of procedures that control never left, because the run was cut short: one of `vertices` holds one more
 * passage in than out. If there are several, which of them is not known.
 */
export interface Pending {
  readonly vertices: readonly number[]
  /** How many such frames there were, over all runs. */
  readonly times: number
}

/**
 * Solves for the counts that had no counter.
 *
 * counters   one per basis edge
 * pending    the frames that control was in when the run ended; none after a run that ended by itself
 * returns    one count per edge
 * throws     ScampError if a count comes out negative: the counters are not this flow's
 */
export function solve(flow: Flow, counters: readonly bigint[], pending: readonly Pending[]): Count[] {
  const order = treeOrder(flow)
  const values = flow.edges.map(({ counter }) => (counter < 0 ? 0n : counters[counter]))
  // what a vertex has received less what it has passed on and what stays in it, counting only edges known so far
  const balance = new Array<bigint>(flow.vertices).fill(0n)
  flow.edges.forEach(({ from, to, counter }, i) => {
    if (counter < 0) return
    balance[to] += values[i]
    balance[from] -= values[i]
  })
  const ambiguous: { vertices: ReadonlySet<number>; times: bigint }[] = []
  for (const { vertices, times } of pending) {
    const distinct = new Set(vertices)
    if (distinct.size === 1) balance[vertices[0]] -= BigInt(times)
    else if (distinct.size > 1) ambiguous.push({ vertices: distinct, times: BigInt(times) })
  }
  for (const { vertex, edge } of order) {
    const { from, to } = flow.edges[edge]
    values[edge] = from === vertex ? balance[vertex] : -balance[vertex]
    balance[from === vertex ? to : from] += balance[vertex]
  }
  const inexact = new Uint8Array(flow.edges.length)
  for (const frames of ambiguous) allowFor(frames, flow, order, values, inexact)
  return values.map((value, i) => {
    if (value < 0n && !inexact[i]) {
      throw new ScampError('the counters contradict each other: they do not belong to this text')
    }
    return { value: value < 0n ? 0n : value, exact: inexact[i] === 0 }
  })
}

interface TreeStep {
  readonly vertex: number
  readonly edge: number
}

/** The derived edges, leaves first: each with its vertex away from the root, whose other edges are known by then. */
function treeOrder(flow: Flow): TreeStep[] {
  const neighbours: { edge: number; vertex: number }[][] = Array.from({ length: flow.vertices }, () => [])
  flow.edges.forEach(({ from, to, counter }, edge) => {
    if (counter >= 0) return
    neighbours[from].push({ edge, vertex: to })
    neighbours[to].push({ edge, vertex: from })
  })
  const seen = new Uint8Array(flow.vertices)
  const order: TreeStep[] = []
  for (let root = 0; root < flow.vertices; root++) {
    if (seen[root]) continue
    seen[root] = 1
    const queue = [root]
    for (let vertex = queue.pop(); vertex !== undefined; vertex = queue.pop()) {
      for (const next of neighbours[vertex]) {
        if (seen[next.vertex]) continue
        seen[next.vertex] = 1
        order.push({ vertex: next.vertex, edge: next.edge })
        queue.push(next.vertex)
      }
    }
  }
  return order.reverse()
}

/**
 * Allows for one frame that stands at one of several vertices. Where all of them lie on one side of a derived edge,
 * the frame changes its count by a certain one; where some do, the count becomes an upper bound.
 */
function allowFor(
  { vertices, times }: { readonly vertices: ReadonlySet<number>; readonly times: bigint },
  flow: Flow,
  order: readonly TreeStep[],
  values: bigint[],
  inexact: Uint8Array,
): void {
  const below = new Uint32Array(flow.vertices)
  for (const vertex of vertices) below[vertex] = 1
  for (const { vertex, edge } of order) {
    const { from, to } = flow.edges[edge]
    const certain = below[vertex] === vertices.size
    if (below[vertex] > 0) {
      if (!certain) inexact[edge] = 1
      if (to === vertex) values[edge] += times
      else if (certain) values[edge] -= times
    }
    below[from === vertex ? to : from] += below[vertex]
  }
}

/** One counter in a sum. */
export interface Term {
  readonly counter: number
  readonly sign: 1 | -1
}

/** For each edge, the sum of counters that gives its count when no frame is pending. */
export function formulas(flow: Flow): Term[][] {
  const sums: Map<number, number>[] = flow.edges.map(({ counter }) => new Map(counter < 0 ? [] : [[counter, 1]]))
  const balance: Map<number, number>[] = Array.from({ length: flow.vertices }, () => new Map())
  flow.edges.forEach(({ from, to, counter }, i) => {
    if (counter < 0) return
    accumulate(balance[to], sums[i], 1)
    accumulate(balance[from], sums[i], -1)
  })
  for (const { vertex, edge } of treeOrder(flow)) {
    const { from, to } = flow.edges[edge]
    accumulate(sums[edge], balance[vertex], from === vertex ? 1 : -1)
    accumulate(balance[from === vertex ? to : from], balance[vertex], 1)
  }
  return sums.map((sum) =>
    [...sum].sort(([one], [other]) => one - other).map(([counter, sign]) => ({ counter, sign: sign as 1 | -1 })),
  )
}

function accumulate(sum: Map<number, number>, terms: ReadonlyMap<number, number>, sign: number): void {
  for (const [counter, factor] of terms) {
    const total = (sum.get(counter) ?? 0) + sign * factor
    if (total === 0) sum.delete(counter)
    else sum.set(counter, total)
  }
}
