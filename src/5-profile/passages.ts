// Profile → what an earlier run tells the next plan: how often every edge of a source's flow was passed.
import { passagesKey, type Passages } from '../2-plan/plan.js'
import { solve } from '../2-plan/solve.js'
import type { Collected } from './merge.js'

/** Finds how often each edge was passed in all runs; of a text planned in several ways, in those of the last one. */
export function passagesIn({ plans, counts }: Collected): Passages {
  const bySource = new Map(counts?.sources.map((source) => [source.id, source]))
  return new Map(
    plans.map(({ id, hash, plan }) => {
      const { counters, pending } = bySource.get(id)!
      const monitor = plan.tokens.length > 0 ? 'tokens' : 'constructs'
      return [passagesKey(hash, monitor), solve(plan.flow, counters, pending).map(({ value }) => Number(value))]
    }),
  )
}
