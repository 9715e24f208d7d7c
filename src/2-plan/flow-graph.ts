// The flow graph of a source while it is drawn: vertices with the weights expected at them, edges with the probes that
// could measure them.
import { Vertices, type Candidate } from './infer.js'
import type { Probe } from './plan.js'

/** Where control is: at a vertex, or nowhere, because it never gets here. */
export type At = number | null

/** A count that can be measured by a probe of this shape. */
export type Measure<Shape extends Probe['shape']> = Omit<Probe, 'shape' | 'counter'> & { readonly shape: Shape }

/** An edge, its probe, if there is one, and the routine it is drawn in. */
export interface DrawnEdge<Shape extends Probe['shape'], Owner> extends Candidate {
  readonly measure: Measure<Shape> | null
  /** Of measuring it, for each passage. */
  readonly cost: number
  /** What measuring it costs, as well, for each passage of another edge. */
  readonly toll: Toll | null
  readonly owner: Owner
}

/** A probe stands where control passes this edge, and costs something even if it does not count that. */
export interface Toll {
  readonly edge: number
  readonly cost: number
}

// what loops within loops within loops come to, short of infinity, which is what cannot be measured
const heaviest = 1e60

/** A graph to be drawn on. An owner is what a language calls and counts the calls of. */
export class FlowGraph<Shape extends Probe['shape'], Owner> {
  readonly vertices = new Vertices()
  /** How often control is expected at each vertex, when it was made. */
  readonly weights: number[] = [1]
  readonly edges: DrawnEdge<Shape, Owner>[] = []

  /**
   * costs   what one more pass through each shape of probe costs, relative to the cheapest
   * owner   whose edges are being drawn
   */
  constructor(
    private readonly costs: Readonly<Record<Shape, number>>,
    public owner: Owner,
  ) {}

  /** A new vertex, at which control is expected this often for each call of the owner. */
  fresh(weight: number): number {
    const vertex = this.vertices.fresh()
    this.weights[vertex] = Math.min(weight, heaviest)
    return vertex
  }

  /**
   * Adds an edge that a probe can measure, and answers its number.
   *
   * passages   how often control is expected to pass
   * factor     how much more its probe costs than others of its shape
   * toll       what it costs where it does not count
   */
  measure(
    from: number,
    to: number,
    measure: Measure<Shape>,
    passages: number,
    factor = 1,
    toll: Toll | null = null,
  ): number {
    const cost = this.costs[measure.shape] * factor
    const { owner } = this
    const weight = passages * cost + (toll ? this.weights[this.edges[toll.edge].to] * toll.cost : 0)
    return this.edges.push({ from, to, weight, measurable: true, measure, cost, toll, owner }) - 1
  }

  /** What measuring an edge costs where it does not count is found out after it was drawn. */
  charge(edge: number, toll: Toll): void {
    const drawn = this.edges[edge]
    const weight = drawn.weight + this.weights[this.edges[toll.edge].from] * toll.cost
    this.edges[edge] = { ...drawn, toll, weight }
  }

  /** Adds an edge that no probe can measure, and answers its number. */
  follow(from: number, to: number): number {
    const { owner } = this
    return (
      this.edges.push({ from, to, weight: Infinity, measurable: false, measure: null, cost: 0, toll: null, owner }) - 1
    )
  }

  /** Makes the two places where control may be one. */
  join(one: At, other: At): At {
    if (one === null || other === null) return one ?? other
    const weight = this.weights[one] + this.weights[other]
    this.vertices.unite(one, other)
    const both = this.fresh(weight)
    this.vertices.unite(one, both)
    return both
  }
}
