// Turning counters into counts: the derived edges of a flow follow from the measured ones by conservation, the leaves of
// the spanning tree first. A run that was cut short leaves frames behind, and they are allowed for.
import { assert, ScampError } from '../error.js'
import type { Flow, Term } from './infer.js'

/** A count, and whether it is exact; if not, the true count is at most this, and at least `least`. */
export interface Count {
  readonly value: bigint
  readonly least: bigint
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
 * Solves for the counts that had no counter. Where pending frames cannot have stood as they are said to, they may have
 * stood anywhere, and the counts are not exact.
 *
 * counters   one per counter that was kept
 * pending    the frames that control was in when the run ended; none after a run that ended by itself
 * returns    one count per edge
 * throws     ScampError if a count comes out negative: the counters are not this flow's
 */
export function solve(flow: Flow, counters: readonly bigint[], pending: readonly Pending[]): Count[] {
  const counts = solveFor(flow, counters, pending)
  if (counts) return counts
  const vertices = Array.from({ length: flow.vertices }, (_, vertex) => vertex)
  const anywhere = pending.map((frames) => ({ ...frames, vertices }))
  const wide = pending.length > 0 ? solveFor(flow, counters, anywhere) : undefined
  if (!wide) throw new ScampError('the counters contradict each other: they do not belong to this text')
  return wide
}

/** Solves for counts; undefined if one comes out negative. */
function solveFor(flow: Flow, counters: readonly bigint[], pending: readonly Pending[]): Count[] | undefined {
  const order = treeOrder(flow)
  const values = linear(flow, order, counters, undefined, undefined)
  const leasts = [...values]
  const inexact = new Uint8Array(flow.edges.length)
  const nothing = counters.map(() => 0n)
  const begun = new Set<number>()
  for (const { vertices, times, unbegun } of pending) {
    // where no pass was counted none was begun
    const notBegun = flow.advances.filter(({ counter, before }) => before !== undefined && counters[counter] === 0n)
    const placed = vertices.map((vertex) => notBegun.find((one) => one.vertices.includes(vertex))?.before ?? vertex)
    const distinct = [...new Set(placed)]
    for (const { counter, vertices: within } of flow.advances) {
      if (counters[counter] > 0n && within.some((vertex) => distinct.includes(vertex))) begun.add(counter)
    }
    if (distinct.length * flow.edges.length > tooMany) {
      flow.edges.forEach(({ counter }, i) => {
        if (counter >= 0 && counter < flow.counters) return
        values[i] += BigInt(times)
        leasts[i] -= BigInt(times)
        inexact[i] = 1
      })
      continue
    }
    const changes = distinct.map((vertex) => linear(flow, order, nothing, vertex, unbegun))
    values.forEach((_, i) => {
      let most = changes[0][i]
      let least = most
      for (const change of changes) {
        if (change[i] === most) continue
        inexact[i] = 1
        if (change[i] > most) most = change[i]
        if (change[i] < least) least = change[i]
      }
      values[i] += most * BigInt(times)
      leasts[i] += least * BigInt(times)
    })
  }
  // passes that were counted and not made: none, or as many as were counted
  for (const counter of begun) {
    const one = counters.map((_, i) => (i === counter ? 1n : 0n))
    const made = linear(flow, order, one, undefined, undefined)
    made.forEach((factor, i) => {
      if (factor === 0n) return
      inexact[i] = 1
      if (factor < 0n) values[i] -= factor * counters[counter]
      else leasts[i] -= factor * counters[counter]
    })
  }
  if (values.some((value) => value < 0n)) return undefined
  return values.map((value, i) => {
    const least = leasts[i] < 0n ? 0n : leasts[i]
    return { value, least, exact: inexact[i] === 0 }
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
    let sum = name !== undefined && name === unbegun ? -1n : 0n
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

/**
 * For each edge, the sum of kept counters that gives its count when no frame is pending: what a counter measures goes
 * round in a circle, back by edges of the spanning tree.
 *
 * wanted    whether the sum of an edge is asked for; the others are empty
 * most      steps round circles: in code that nests deeply they may be as long as the nesting is deep
 * returns   the sums, terms in the order of their counters; undefined if it takes more steps
 */
export function formulas(
  { vertices, edges, counters, dropped }: Flow,
  wanted: (edge: number) => boolean = () => true,
  most = Infinity,
): Term[][] | undefined {
  const { parents, depths } = spanningTree(vertices, edges)
  const measured = (counter: number): readonly Term[] =>
    counter < counters ? [{ counter, factor: 1 }] : dropped[counter - counters].terms
  const sums: (Map<number, number> | undefined)[] = edges.map((_, edge) => (wanted(edge) ? new Map() : undefined))
  let spent = 0
  for (let i = 0; i < edges.length; i++) {
    const { from, to, counter } = edges[i]
    if (counter < 0) continue
    const terms = measured(counter)
    const pass = (edge: number, sign: number) => {
      const sum = sums[edge]
      if (sum) for (const { counter: one, factor } of terms) addTo(sum, one, sign * factor)
    }
    pass(i, 1)
    // from where the edge ends up the tree and down to where it begins
    for (let [up, down] = [to, from]; up !== down; spent++) {
      const climbs = depths[up] >= depths[down]
      const edge = parents[climbs ? up : down]
      // in trees of their own: what comes into one goes out again elsewhere
      if (edge < 0) break
      const { from: start, to: end } = edges[edge]
      if (climbs) {
        pass(edge, start === up ? 1 : -1)
        up = start === up ? end : start
      } else {
        pass(edge, end === down ? 1 : -1)
        down = start === down ? end : start
      }
    }
    if (spent > most) return undefined
  }
  return sums.map((sum) =>
    sum ? [...sum].sort(([one], [other]) => one - other).map(([counter, factor]) => ({ counter, factor })) : [],
  )
}

/** The tree that edges without counters make: for each vertex the edge towards the root, and the way to there. */
function spanningTree(vertices: number, edges: Flow['edges']): { parents: Int32Array; depths: Int32Array } {
  // the edges at vertex v are in ends, from offsets[v] up to offsets[v + 1]
  const offsets = new Int32Array(vertices + 2)
  for (const { from, to, counter } of edges) {
    if (counter >= 0) continue
    offsets[from + 2]++
    offsets[to + 2]++
  }
  for (let vertex = 2; vertex < offsets.length; vertex++) offsets[vertex] += offsets[vertex - 1]
  const ends = new Int32Array(offsets[vertices + 1])
  edges.forEach(({ from, to, counter }, edge) => {
    if (counter >= 0) return
    ends[offsets[from + 1]++] = edge
    ends[offsets[to + 1]++] = edge
  })
  const parents = new Int32Array(vertices).fill(-1)
  const depths = new Int32Array(vertices).fill(-1)
  const queue: number[] = []
  for (let root = 0; root < vertices; root++) {
    if (depths[root] >= 0) continue
    depths[root] = 0
    queue.push(root)
    for (let vertex = queue.pop(); vertex !== undefined; vertex = queue.pop()) {
      for (let i = offsets[vertex]; i < offsets[vertex + 1]; i++) {
        const { from, to } = edges[ends[i]]
        const next = from === vertex ? to : from
        if (depths[next] >= 0) continue
        depths[next] = depths[vertex] + 1
        parents[next] = ends[i]
        queue.push(next)
      }
    }
  }
  return { parents, depths }
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
  const nothing: NamedSum = new Map()
  const alone = (name: string): NamedSum => new Map<string, number>().set(name, 1)
  const sums = flow.edges.map(({ counter }) => (counter < 0 ? nothing : alone(counterName(counter))))
  const parts: { name: string; sum: NamedSum }[] = []
  const balance: (Map<string, number> | undefined)[] = []
  const accumulate = (vertex: number, sum: NamedSum, sign: number) => {
    const own = (balance[vertex] ??= new Map())
    for (const [name, factor] of sum) addTo(own, name, sign * factor)
  }
  flow.edges.forEach(({ from, to, counter }, i) => {
    if (counter < 0) return
    accumulate(to, sums[i], 1)
    accumulate(from, sums[i], -1)
  })
  for (const { vertex, edge } of treeOrder(flow)) {
    const { from, to } = flow.edges[edge]
    const sign = from === vertex ? 1 : -1
    const whole = new Map<string, number>()
    for (const [name, factor] of balance[vertex] ?? nothing) whole.set(name, sign * factor)
    let sum: NamedSum = whole
    if (sum.size > longest) {
      const name = partName(edge)
      parts.push({ name, sum })
      sum = alone(name)
    }
    sums[edge] = sum
    accumulate(from === vertex ? to : from, sum, sign)
  }
  return { sums, parts }
}

/** Adds to one entry of a sparse sum; what cancels out is no entry. */
export function addTo<Key>(sum: Map<Key, number>, key: Key, value: number): void {
  const total = (sum.get(key) ?? 0) + value
  if (total === 0) sum.delete(key)
  else sum.set(key, total)
}
