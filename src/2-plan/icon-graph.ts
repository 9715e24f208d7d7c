// The flow graph of an Icon source.
import type { Procedure } from '../1-parse/icon/ast.js'
import { FlowGraph, type At, type Measure as MeasureOf } from './flow-graph.js'
import type { IconShape } from './plan.js'

export type { At }
export type Measure = MeasureOf<IconShape>

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
  success: 1.05,
  failure: 0.8,
  'lone failure': 1,
  'in initial': 0,
  resumption: 1,
  'in advance': 3,
  pause: 0,
  local: 0,
  skip: 0,
  'failing skip': 0,
  'none in advance': 0,
}

/** What a probe that counts failures costs where there is none. */
export const failureTolls = { failure: 0.4, 'lone failure': 0.75 }

/** A graph to be drawn on, one procedure after the other. */
export class Graph extends FlowGraph<IconShape, Procedure | null> {
  constructor() {
    super(costs, null)
  }
}
