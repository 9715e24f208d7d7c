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
}

/**
 * Two sums of edges that are equal: the calls of a procedure and the executions of its call sites.
 *
 * name   of the procedure
 */
export interface Relation {
  readonly name: string
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
  const heaviestFirst = candidates
    .map((_, i) => i)
    .sort((a, b) => compareWeights(candidates[b], candidates[a]) || a - b)
  const measured = new Uint8Array(candidates.length)
  for (const i of heaviestFirst) {
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
  const flow = { vertices: count, edges, counters, relations: [], dropped: [] }
  if (measureAll || relations.length === 0) return { flow, vertexOf }
  const costs: number[] = []
  edges.forEach(({ counter }, i) => {
    if (counter >= 0) costs[counter] = importance(i)
  })
  return { flow: dropCounters(flow, relations, costs), vertexOf }
}

const compareWeights = (one: Candidate, other: Candidate) =>
  one.weight === other.weight ? 0 : one.weight - other.weight

/** A relation on its way to give a counter: the sum of terms is a sum of what relations are short of. */
interface Row {
  readonly terms: Map<number, number>
  readonly relations: Map<number, number>
}

/** Drops one counter for each relation that is not implied by others (Gaussian elimination, pivots of 1 or -1). */
function dropCounters(flow: Flow, relations: readonly Relation[], costs: readonly number[]): Flow {
  const sums = formulas(flow, tooLong)
  if (!sums) return flow
  const pivots = new Map<number, Row>()
  relations.forEach(({ calls, sites }, relation) => {
    const row: Row = { terms: new Map(), relations: new Map([[relation, 1]]) }
    for (const edge of calls) for (const { counter, factor } of sums[edge]) add(row.terms, counter, factor)
    for (const edge of sites) for (const { counter, factor } of sums[edge]) add(row.terms, counter, -factor)
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
  for (const [other, more] of pivot.terms) add(row.terms, other, times * more)
  for (const [relation, more] of pivot.relations) add(row.relations, relation, times * more)
}

function add(sum: Map<number, number>, key: number, value: number): void {
  const total = (sum.get(key) ?? 0) + value
  if (total === 0) sum.delete(key)
  else sum.set(key, total)
}

/** A count, and whether it is exact; if not, the true count is at most this. */
export interface Count {
  readonly value: bigint
  readonly exact: boolean
}

/**
 * Frames of procedures that control never left, because the run was cut short: one of `vertices` holds one more
 * passage in than out. If there are several, which of them is not known.
 *
 * times    how many such frames there were, over all runs
 * unbegun  the procedure that was called from there, if that call never got so far as to count
 */
export interface Pending {
  readonly vertices: readonly number[]
  readonly times: number
  readonly unbegun?: string
}

/**
 * Solves for the counts that had no counter.
 *
 * counters   one per counter that was kept
 * pending    the frames that control was in when the run ended; none after a run that ended by itself
 * returns    one count per edge
 * throws     ScampError if a count comes out negative: the counters are not this flow's
 */
export function solve(flow: Flow, counters: readonly bigint[], pending: readonly Pending[]): Count[] {
  const order = treeOrder(flow)
  const values = linear(flow, order, counters, undefined, undefined)
  const inexact = new Uint8Array(flow.edges.length)
  const nothing = counters.map(() => 0n)
  for (const { vertices, times, unbegun } of pending) {
    const distinct = [...new Set(vertices)]
    if (distinct.length * flow.edges.length > tooMany) {
      flow.edges.forEach(({ counter }, i) => {
        if (counter >= 0 && counter < flow.counters) return
        values[i] += BigInt(times)
        inexact[i] = 1
      })
      continue
    }
    const changes = distinct.map((vertex) => linear(flow, order, nothing, vertex, unbegun))
    values.forEach((_, i) => {
      let most = changes[0][i]
      for (const change of changes) {
        if (change[i] === most) continue
        inexact[i] = 1
        if (change[i] > most) most = change[i]
      }
      values[i] += most * BigInt(times)
    })
  }
  return values.map((value, i) => {
    if (value < 0n && !inexact[i]) {
      throw new ScampError('the counters contradict each other: they do not belong to this text')
    }
    return { value: value < 0n ? 0n : value, exact: inexact[i] === 0 }
  })
}

// places times counts that are tried out, one by one, to see what a frame of unknown place changes
const tooMany = 20_000_000

/**
 * The counts as a linear function of the counters kept, of one frame that stands at a vertex, and of one call of a
 * procedure that never began.
 */
function linear(
  flow: Flow,
  order: readonly TreeStep[],
  kept: readonly bigint[],
  stands: number | undefined,
  unbegun: string | undefined,
): bigint[] {
  if (flow.dropped.length === 0) return spread(flow, order, kept, stands)
  const without = [...kept, ...flow.dropped.map(() => 0n)]
  const shifts = stands === undefined ? undefined : spread(flow, order, without.fill(0n), stands)
  const short = flow.relations.map(({ name, calls, sites }) => {
    let sum = name === unbegun ? -1n : 0n
    if (shifts) {
      for (const edge of calls) sum -= shifts[edge]
      for (const edge of sites) sum += shifts[edge]
    }
    return sum
  })
  const measured = [
    ...kept,
    ...flow.dropped.map(({ terms, relations }) => {
      let value = 0n
      for (const { counter, factor } of terms) value += BigInt(factor) * kept[counter]
      for (const { relation, factor } of relations) value += BigInt(factor) * short[relation]
      return value
    }),
  ]
  return spread(flow, order, measured, stands)
}

/** The counts of all edges from those of the measured ones, by conservation; a frame may stand at one vertex. */
function spread(
  flow: Flow,
  order: readonly TreeStep[],
  measured: readonly bigint[],
  stands: number | undefined,
): bigint[] {
  const values = flow.edges.map(({ counter }) => (counter < 0 ? 0n : measured[counter]))
  // what a vertex has received less what it has passed on and what stays in it, counting only edges known so far
  const balance = Array.from({ length: flow.vertices }, () => 0n)
  flow.edges.forEach(({ from, to, counter }, i) => {
    if (counter < 0) return
    balance[to] += values[i]
    balance[from] -= values[i]
  })
  if (stands !== undefined) balance[stands] -= 1n
  for (const { vertex, edge } of order) {
    const { from, to } = flow.edges[edge]
    values[edge] = from === vertex ? balance[vertex] : -balance[vertex]
    balance[from === vertex ? to : from] += balance[vertex]
  }
  return values
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

// terms that formulas may have together before relations are given up as too long to be worth it
const tooLong = 300_000

/**
 * For each edge, the sum of kept counters that gives its count when no frame is pending. Answers undefined if that takes
 * more terms than `most`: in code that nests deeply, sums may be as long as the nesting is deep.
 */
export function formulas(flow: Flow, most = Infinity): Term[][] | undefined {
  let spent = 0
  const measured = Array.from({ length: flow.counters + flow.dropped.length }, (_, i): Map<number, number> => {
    if (i < flow.counters) return new Map([[i, 1]])
    return new Map(flow.dropped[i - flow.counters].terms.map(({ counter, factor }) => [counter, factor]))
  })
  const sums = flow.edges.map(({ counter }) => (counter < 0 ? new Map<number, number>() : measured[counter]))
  const balance = Array.from({ length: flow.vertices }, () => new Map<number, number>())
  const accumulate = (sum: Map<number, number>, terms: ReadonlyMap<number, number>, sign: number) => {
    spent += terms.size
    for (const [counter, factor] of terms) add(sum, counter, sign * factor)
  }
  flow.edges.forEach(({ from, to, counter }, i) => {
    if (counter < 0) return
    accumulate(balance[to], sums[i], 1)
    accumulate(balance[from], sums[i], -1)
  })
  for (const { vertex, edge } of treeOrder(flow)) {
    if (spent > most) return undefined
    const { from, to } = flow.edges[edge]
    accumulate(sums[edge], balance[vertex], from === vertex ? 1 : -1)
    accumulate(balance[from === vertex ? to : from], balance[vertex], 1)
  }
  return sums.map((sum) =>
    [...sum].sort(([one], [other]) => one - other).map(([counter, factor]) => ({ counter, factor })),
  )
}

/** A sum of counters and of sums that have a name. */
export type NamedSum = ReadonlyMap<string, number>

/**
 * Spells every count as a short sum. Where one would be long, a part of it gets a name; the text of all sums together is
 * linear in the size of the flow. For flows without dropped counters.
 *
 * counterName, partName   spell the counter, or the part that edge number n stands for
 * returns                 the sums of the edges; and the parts, each after those it is made of
 */
export function spellSums(
  flow: Flow,
  counterName: (counter: number) => string,
  partName: (edge: number) => string,
): { sums: NamedSum[]; parts: { name: string; sum: NamedSum }[] } {
  assert(flow.dropped.length === 0, 'sums are spelled for flows whose counters are all kept')
  const longest = 6
  const sums: NamedSum[] = flow.edges.map(({ counter }) => new Map(counter < 0 ? [] : [[counterName(counter), 1]]))
  const parts: { name: string; sum: NamedSum }[] = []
  const balance = Array.from({ length: flow.vertices }, () => new Map<string, number>())
  const accumulate = (vertex: number, sum: NamedSum, sign: number) => {
    for (const [name, factor] of sum) {
      const total = (balance[vertex].get(name) ?? 0) + sign * factor
      if (total === 0) balance[vertex].delete(name)
      else balance[vertex].set(name, total)
    }
  }
  flow.edges.forEach(({ from, to, counter }, i) => {
    if (counter < 0) return
    accumulate(to, sums[i], 1)
    accumulate(from, sums[i], -1)
  })
  for (const { vertex, edge } of treeOrder(flow)) {
    const { from, to } = flow.edges[edge]
    const sign = from === vertex ? 1 : -1
    let sum: NamedSum = new Map([...balance[vertex]].map(([name, factor]) => [name, sign * factor]))
    if (sum.size > longest) {
      const name = partName(edge)
      parts.push({ name, sum })
      sum = new Map([[name, 1]])
    }
    sums[edge] = sum
    accumulate(from === vertex ? to : from, sum, sign)
  }
  return { sums, parts }
}
