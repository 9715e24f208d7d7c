// Inference: random flow graphs, random walks through them, and the counts of the edges that had no counter.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { ScampError } from '../src/error.js'
import { chooseBasis, outside, Vertices, type Candidate, type Flow } from '../src/2-plan/infer.js'
import { formulas, solve, type Pending } from '../src/2-plan/solve.js'

/**
 * A random graph. From every vertex the edge of the same number leads towards the root of its component (an earlier
 * vertex; the outside is a root); so every walk can be closed.
 *
 * names   two per vertex, to be united: i and vertices + i are one
 */
interface Graph {
  readonly vertices: number
  readonly roots: readonly number[]
  /** For each vertex its edge towards the root; -1 for a root. */
  readonly back: readonly number[]
  readonly candidates: readonly Candidate[]
}

const graphs: fc.Arbitrary<Graph> = fc.integer({ min: 1, max: 9 }).chain((vertices) => {
  const names = fc.nat({ max: 2 * vertices - 1 })
  const alias = (vertex: number) => fc.constantFrom(vertex, vertex + vertices)
  const towardsRoot = fc.tuple(
    ...Array.from({ length: vertices }, (_, vertex) =>
      fc.record({
        isRoot: vertex === outside ? fc.constant(true) : fc.integer({ min: 0, max: 5 }).map((n) => n === 0),
        from: alias(vertex),
        to: fc.nat({ max: Math.max(0, vertex - 1) }).chain(alias),
        // those edges are a forest, so any of them may lack a probe
        kind: fc.constantFrom('cheap', 'dear', 'last resort', 'none'),
        weight: fc.nat({ max: 5 }),
      }),
    ),
  )
  const others = fc.array(fc.record({ from: names, to: names, weight: fc.nat({ max: 5 }) }), { maxLength: 15 })
  return fc.tuple(towardsRoot, others).map(([leads, more]) => {
    const candidates: Candidate[] = []
    const back = leads.map(({ isRoot, from, to, kind, weight }) => {
      if (isRoot) return -1
      const heavy = kind === 'last resort' || kind === 'none'
      return candidates.push({ from, to, weight: heavy ? Infinity : weight, measurable: kind !== 'none' }) - 1
    })
    for (const { from, to, weight } of more) candidates.push({ from, to, weight, measurable: true })
    const roots = back.flatMap((edge, vertex) => (edge < 0 ? [vertex] : []))
    return { vertices, roots, back, candidates }
  })
})

/** The vertex that a name of a graph's candidate means. */
const vertexIn = ({ vertices }: Graph, name: number) => name % vertices

/** Turns the graph into a flow with its basis, or with a counter on every edge that can have one. */
function flowOf(graph: Graph, measureAll: boolean): { flow: Flow; vertexOf: (vertex: number) => number } {
  const vertices = new Vertices()
  while (vertices.count < 2 * graph.vertices) vertices.fresh()
  for (let vertex = 0; vertex < graph.vertices; vertex++) vertices.unite(vertex, vertex + graph.vertices)
  return chooseBasis(vertices, graph.candidates, measureAll)
}

/** Where a walk starts, how it decides at each vertex, and whether it is cut off at the end or goes home. */
interface Walk {
  readonly root: number
  readonly choices: readonly number[]
  readonly cutOff: boolean
}

const walks = (cutOff: fc.Arbitrary<boolean>): fc.Arbitrary<Walk[]> =>
  fc.array(fc.record({ root: fc.nat(), choices: fc.array(fc.nat(), { maxLength: 30 }), cutOff }), { maxLength: 8 })

/** Walks: how often each edge was passed, and at which vertices walks that were cut off stood. */
function passagesOf(graph: Graph, all: readonly Walk[]): { truth: bigint[]; stood: number[] } {
  const truth = graph.candidates.map(() => 0n)
  const stood: number[] = []
  for (const { root, choices, cutOff } of all) {
    // only what begins outside can be cut off: a frame is called from somewhere
    const start = cutOff ? outside : graph.roots[root % graph.roots.length]
    let at = start
    for (const choice of choices) {
      const ways = graph.candidates.flatMap(({ from }, edge) => (vertexIn(graph, from) === at ? [edge] : []))
      if (ways.length === 0) break
      const edge = ways[choice % ways.length]
      truth[edge]++
      at = vertexIn(graph, graph.candidates[edge].to)
    }
    if (cutOff) {
      if (at !== outside) stood.push(at)
      continue
    }
    while (graph.back[at] >= 0) {
      truth[graph.back[at]]++
      at = vertexIn(graph, graph.candidates[graph.back[at]].to)
    }
    // it came home to another root than it began at, so it is no closed walk: leave it out
    if (at !== start) {
      return passagesOf(
        graph,
        all.filter((one) => one.choices !== choices),
      )
    }
  }
  return { truth, stood }
}

/** What the counters of a flow show when its edges were passed so often. */
function countersOf({ edges, counters }: Flow, truth: readonly bigint[]): bigint[] {
  const values = Array.from({ length: counters }, () => -1n)
  edges.forEach(({ counter }, edge) => {
    if (counter >= 0) values[counter] = truth[edge]
  })
  expect(values).not.toContain(-1n)
  return values
}

const valuesOf = (counts: readonly { value: bigint }[]) => counts.map(({ value }) => value)

const closedWalks = walks(fc.constant(false))
const anyWalks = walks(fc.boolean())

describe('a run that ended by itself', () => {
  test('the basis gives every count, exactly', () => {
    fc.assert(
      fc.property(graphs, closedWalks, (graph, all) => {
        const { truth } = passagesOf(graph, all)
        const { flow } = flowOf(graph, false)
        const counts = solve(flow, countersOf(flow, truth), [])
        expect(valuesOf(counts)).toEqual(truth)
        expect(counts.every(({ exact }) => exact)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('a counter everywhere gives the same', () => {
    fc.assert(
      fc.property(graphs, closedWalks, (graph, all) => {
        const { truth } = passagesOf(graph, all)
        const { flow } = flowOf(graph, true)
        expect(flow.edges.map(({ counter }) => counter >= 0)).toEqual(
          graph.candidates.map(({ measurable }) => measurable),
        )
        expect(valuesOf(solve(flow, countersOf(flow, truth), []))).toEqual(truth)
      }),
      { numRuns: 500 },
    )
  })

  test('the formulas say the same', () => {
    fc.assert(
      fc.property(graphs, closedWalks, fc.boolean(), (graph, all, measureAll) => {
        const { truth } = passagesOf(graph, all)
        const { flow } = flowOf(graph, measureAll)
        const counters = countersOf(flow, truth)
        const sums = formulas(flow)!.map((terms) =>
          terms.reduce((sum, { counter, factor }) => sum + BigInt(factor) * counters[counter], 0n),
        )
        expect(sums).toEqual(truth)
        // a measured edge is its own counter and nothing else
        formulas(flow)!.forEach((terms, edge) => {
          const { counter } = flow.edges[edge]
          if (counter >= 0) expect(terms).toEqual([{ counter, factor: 1 }])
        })
      }),
      { numRuns: 500 },
    )
  })

  test('counts beyond 2^53 and 2^64 come out exactly', () => {
    fc.assert(
      fc.property(graphs, closedWalks, fc.bigInt({ min: 0n, max: 1n << 90n }), (graph, all, factor) => {
        const truth = passagesOf(graph, all).truth.map((count) => count * factor)
        const { flow } = flowOf(graph, false)
        expect(valuesOf(solve(flow, countersOf(flow, truth), []))).toEqual(truth)
      }),
    )
  })

  test('counters of two runs added up give the counts added up', () => {
    fc.assert(
      fc.property(graphs, closedWalks, closedWalks, (graph, one, other) => {
        const { flow } = flowOf(graph, false)
        const [a, b] = [one, other].map((all) => passagesOf(graph, all).truth)
        const sum = a.map((count, i) => count + b[i])
        const counters = countersOf(flow, a).map((count, i) => count + countersOf(flow, b)[i])
        expect(valuesOf(solve(flow, counters, []))).toEqual(sum)
      }),
    )
  })
})

describe('the basis', () => {
  /** How many components a graph has, counted the plain way. */
  function componentsOf(graph: Graph): { used: number; components: number } {
    const used = new Set([outside])
    for (const { from, to } of graph.candidates) used.add(vertexIn(graph, from)).add(vertexIn(graph, to))
    const left = new Set(used)
    let components = 0
    while (left.size > 0) {
      components++
      const queue = [...left].slice(0, 1)
      for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
        if (!left.delete(at)) continue
        for (const candidate of graph.candidates) {
          const [from, to] = [vertexIn(graph, candidate.from), vertexIn(graph, candidate.to)]
          if (from === at) queue.push(to)
          if (to === at) queue.push(from)
        }
      }
    }
    return { used: used.size, components }
  }

  test('is of the least size: edges − vertices + components', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { used, components } = componentsOf(graph)
        expect(flowOf(graph, false).flow.counters).toBe(graph.candidates.length - used + components)
      }),
      { numRuns: 500 },
    )
  })

  test('is of the least weight: no counter could be moved to a cheaper edge', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { flow } = flowOf(graph, false)
        formulas(flow)!.forEach((terms, edge) => {
          if (flow.edges[edge].counter >= 0) return
          // a derived edge could take over from any counter its formula speaks of
          for (const { counter } of terms) {
            const measured = flow.edges.findIndex((one) => one.counter === counter)
            expect(graph.candidates[measured].weight).toBeLessThanOrEqual(graph.candidates[edge].weight)
          }
        })
      }),
      { numRuns: 500 },
    )
  })

  test('never has an edge without a probe, or one of last resort', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        flowOf(graph, false).flow.edges.forEach(({ counter }, edge) => {
          const { measurable, weight } = graph.candidates[edge]
          if (counter >= 0) expect(measurable && weight < Infinity).toBe(true)
        })
      }),
    )
  })

  test('counters are numbered without gaps, in the order of the edges', () => {
    fc.assert(
      fc.property(graphs, fc.boolean(), (graph, measureAll) => {
        const { flow } = flowOf(graph, measureAll)
        const numbers = flow.edges.map(({ counter }) => counter).filter((counter) => counter >= 0)
        expect(numbers).toEqual(Array.from({ length: flow.counters }, (_, i) => i))
      }),
    )
  })

  test('vertices that are one stay one, and the outside is vertex 0', () => {
    fc.assert(
      fc.property(graphs, (graph) => {
        const { flow, vertexOf } = flowOf(graph, false)
        expect(vertexOf(outside)).toBe(outside)
        graph.candidates.forEach(({ from, to }, edge) => {
          expect(flow.edges[edge].from).toBe(vertexOf(vertexIn(graph, from)))
          expect(flow.edges[edge].to).toBe(vertexOf(vertexIn(graph, to)))
        })
      }),
    )
  })

  test('a circle of edges none of which can be measured is an error of ours', () => {
    const vertices = new Vertices()
    const one = vertices.fresh()
    const unmeasurable = { weight: Infinity, measurable: false }
    const circle = [
      { from: outside, to: one, ...unmeasurable },
      { from: one, to: outside, ...unmeasurable },
    ]
    expect(() => chooseBasis(vertices, circle, false)).toThrow(/internal error/)
  })
})

describe('a run that was cut short', () => {
  const setups = graphs.chain((graph) =>
    fc.record({
      graph: fc.constant(graph),
      all: anyWalks,
      measureAll: fc.boolean(),
      // for each frame, vertices it might as well have stood at
      doubts: fc.array(fc.uniqueArray(fc.nat({ max: graph.vertices - 1 }), { maxLength: 4 }), {
        minLength: 8,
        maxLength: 8,
      }),
      split: fc.boolean(),
    }),
  )

  test('frames whose place is certain: every count is exact', () => {
    fc.assert(
      fc.property(setups, ({ graph, all, measureAll, split }) => {
        const { truth, stood } = passagesOf(graph, all)
        const { flow, vertexOf } = flowOf(graph, measureAll)
        const each = stood.map((at): Pending => ({ vertices: [vertexOf(at)], times: 1 }))
        const counts = solve(flow, countersOf(flow, truth), split ? each : merged(each))
        expect(valuesOf(counts)).toEqual(truth)
        expect(counts.every(({ exact }) => exact)).toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  test('frames whose place is in doubt: exact where it says so, elsewhere at least the truth', () => {
    fc.assert(
      fc.property(setups, ({ graph, all, measureAll, doubts, split }) => {
        const { truth, stood } = passagesOf(graph, all)
        const { flow, vertexOf } = flowOf(graph, measureAll)
        const each = stood.map((at, i): Pending => {
          const vertices = [...new Set([at, ...doubts[i]].map(vertexOf))].filter((vertex) => vertex < flow.vertices)
          return { vertices: vertices.sort((a, b) => a - b), times: 1 }
        })
        const counts = solve(flow, countersOf(flow, truth), split ? each : merged(each))
        counts.forEach(({ value, least, exact }, edge) => {
          if (exact) expect([value, least]).toEqual([truth[edge], truth[edge]])
          else expect(value).toBeGreaterThanOrEqual(truth[edge])
          expect(least).toBeLessThanOrEqual(truth[edge])
          if (flow.edges[edge].counter >= 0) expect(exact).toBe(true)
        })
      }),
      { numRuns: 1000 },
    )
  })

  test('bounds are off by no more than the frames in doubt', () => {
    fc.assert(
      fc.property(setups, ({ graph, all, doubts }) => {
        const { truth, stood } = passagesOf(graph, all)
        const { flow, vertexOf } = flowOf(graph, false)
        const pending = stood.map((at, i) => ({
          vertices: [...new Set([at, ...doubts[i]].map(vertexOf))].filter((vertex) => vertex < flow.vertices),
          times: 1,
        }))
        solve(flow, countersOf(flow, truth), pending).forEach(({ value, least }, edge) => {
          expect(value - truth[edge]).toBeLessThanOrEqual(BigInt(stood.length))
          expect(truth[edge] - least).toBeLessThanOrEqual(BigInt(stood.length))
        })
      }),
      { numRuns: 500 },
    )
  })

  test('all on one side of an edge: exact, although which vertex it is is not known', () => {
    // outside -a-> 1 -b-> 2 -c-> outside, and 2 -d-> 1; measured: a and d, say
    const vertices = new Vertices()
    const [one, two] = [vertices.fresh(), vertices.fresh()]
    const { flow } = chooseBasis(
      vertices,
      [
        { from: outside, to: one, weight: 1, measurable: true },
        { from: one, to: two, weight: 9, measurable: true },
        { from: two, to: outside, weight: 9, measurable: true },
        { from: two, to: one, weight: 1, measurable: true },
      ],
      false,
    )
    expect(flow.edges.map(({ counter }) => counter)).toEqual([0, -1, -1, 1])
    const counts = solve(flow, [5n, 7n], [{ vertices: [1, 2], times: 1 }])
    // five in, one still within: four out, wherever it stands; and it has passed from 1 to 2 eleven times or twelve
    expect(counts).toEqual([
      { value: 5n, least: 5n, exact: true },
      { value: 12n, least: 11n, exact: false },
      { value: 4n, least: 4n, exact: true },
      { value: 7n, least: 7n, exact: true },
    ])
  })

  /** Frames that may stand at the same vertices, as merging profiles puts them together. */
  function merged(each: readonly Pending[]): Pending[] {
    const times = new Map<string, Pending>()
    for (const { vertices } of each) {
      const key = vertices.join()
      times.set(key, { vertices, times: (times.get(key)?.times ?? 0) + 1 })
    }
    return [...times.values()]
  }
})

describe('counters that are not this flow’s', () => {
  test('a count below nothing is an error', () => {
    const vertices = new Vertices()
    const one = vertices.fresh()
    const { flow } = chooseBasis(
      vertices,
      [
        { from: outside, to: one, weight: 1, measurable: true },
        { from: one, to: outside, weight: 1, measurable: true },
        { from: one, to: outside, weight: 9, measurable: true },
      ],
      false,
    )
    expect(flow.counters).toBe(2)
    const measured = flow.edges.map(({ counter }) => counter)
    const counters = (first: bigint, second: bigint) =>
      measured.flatMap((counter, edge) => (counter < 0 ? [] : [edge === 0 ? first : second]))
    expect(() => solve(flow, counters(1n, 2n), [])).toThrow(ScampError)
    expect(() => solve(flow, counters(1n, 2n), [])).toThrow(/contradict/)
    // unless frames excuse it, that stood elsewhere than they seemed to
    const excused = solve(flow, counters(2n, 2n), [{ vertices: [1], times: 1 }])
    expect(excused.filter((_, i) => flow.edges[i].counter < 0).every(({ exact }) => !exact)).toBe(true)
    expect(() => solve(flow, counters(1n, 3n), [{ vertices: [1], times: 1 }])).toThrow(ScampError)
  })

  test('whatever the counters are: an error, or counts of which none is negative and flow in is flow out', () => {
    fc.assert(
      fc.property(
        graphs,
        fc.array(fc.bigInt({ min: 0n, max: 20n }), { minLength: 30, maxLength: 30 }),
        (graph, any) => {
          const { flow } = flowOf(graph, false)
          let values: bigint[]
          try {
            values = valuesOf(solve(flow, any.slice(0, flow.counters), []))
          } catch (error) {
            expect(error).toBeInstanceOf(ScampError)
            return
          }
          expect(values.every((value) => value >= 0n)).toBe(true)
          const balance = Array.from({ length: flow.vertices }, () => 0n)
          flow.edges.forEach(({ from, to }, edge) => {
            balance[from] -= values[edge]
            balance[to] += values[edge]
          })
          expect(balance.every((one) => one === 0n)).toBe(true)
        },
      ),
      { numRuns: 500 },
    )
  })
})
