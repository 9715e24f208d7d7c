// Profile → what an earlier run tells the next plan: how often every edge of a source's flow was passed.
import { passagesKey, type Monitor, type Passages, type Plan } from '../2-plan/plan.js'
import { solve } from '../2-plan/solve.js'
import type { Collected } from './merge.js'

/** Finds how often each edge was passed in all runs; of a text planned in several ways, in those of the last one. */
export function passagesIn({ plans, counts }: Collected): Passages {
  const bySource = new Map(counts?.sources.map((source) => [source.id, source]))
  return new Map(
    plans.map(({ id, hash, plan }) => {
      const { counters, pending } = bySource.get(id)!
      return [passagesKey(hash, monitorOf(plan)), solve(plan.flow, counters, pending).map(({ value }) => Number(value))]
    }),
  )
}

/** What was monitored, as a plan shows it. */
function monitorOf({ sites, tokens }: Pick<Plan, 'sites' | 'tokens'>): Monitor {
  const seesSkips = sites.some((site) => 'skips' in site && site.skips !== null)
  if (tokens.length > 0) return seesSkips ? 'coverage' : 'tokens'
  return seesSkips ? 'branches' : 'constructs'
}
