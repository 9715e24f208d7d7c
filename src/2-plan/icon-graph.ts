// The flow graph of an Icon source while it is drawn: vertices with the weights expected at them, edges with the probes
// that could measure them.
import type { Procedure } from '../1-parse/icon/ast.js'
import type { Amount } from './icon-ranges.js'
import { Vertices, type Candidate } from './infer.js'
import type { IconShape } from './plan.js'

/** Where control is: at a vertex, or nowhere, because it never gets here. */
export type At = number | null

/** A count that can be measured by a probe of this shape. */
export interface Measure {
  readonly shape: IconShape
  readonly first: number
  readonly last: number
  readonly amount?: Amount
}

/** An edge, in a procedure. */
export type Edge = Candidate & { readonly measure: Measure; readonly procedure: Procedure }

// what one more pass through each shape of probe costs, relative to the cheapest (ns over an empty loop)
const costs: Readonly<Record<IconShape, number>> = {
  around: 1,
  else: 1.05,
  'failing else': 1.1,
  after: 1,
  do: 1.1,
  'bare do': 1.1,
  default: 1,
  'failing default': 1.1,
  'before end': 1.1,
  result: 1.7,
  failure: 0.8,
  'in initial': 0,
  resumption: 1,
  'in advance': 3,
  pause: 0,
  local: 0,
}

/** What an edge has that no probe can measure. */
export const unmeasured = {
  weight: Infinity,
  measurable: false,
  measure: { shape: 'result', first: 0, last: 0 },
} as const

/** A graph to be drawn on. */
export class Graph {
  readonly vertices = new Vertices()
  /** How often control is expected at each vertex, when it was made. */
  readonly weights: number[] = [1]
  readonly edges: Edge[] = []
  /** The procedure whose edges are being drawn. */
  procedure!: Procedure

  /** A new vertex, at which control is expected this often for each call of the procedure. */
  fresh(weight: number): number {
    const vertex = this.vertices.fresh()
    this.weights[vertex] = weight
    return vertex
  }

  /** Adds an edge and answers its number. */
  add(edge: Omit<Edge, 'procedure'>): number {
    return this.edges.push({ ...edge, procedure: this.procedure }) - 1
  }

  /** Adds an edge that a probe can measure, and answers its number. */
  measure(from: number, to: number, measure: Measure, weight: number): number {
    return this.add({ from, to, weight: weight * costs[measure.shape], measurable: true, measure })
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
