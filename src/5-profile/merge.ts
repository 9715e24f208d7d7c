// Adds runs up, file by file, so that memory holds one sum per source and one run at a time.
import type { Pending } from '../2-plan/solve.js'
import { drawError, ScampError } from '../error.js'
import { readCounts, readPlan, type Counts, type KeptPlan, type SourceCounts } from './file.js'
import {
  addSites,
  addTokens,
  tally,
  type FileProfile,
  type Profile,
  type ProfiledSite,
  type ProfiledToken,
} from './profile.js'

/**
 * What is in a set of profile files.
 *
 * plans     those of the sources that the counts speak of
 * counts    all runs added up; undefined if there are none
 * rejected  what could not be used, a sentence each
 */
export interface Collected {
  readonly plans: readonly KeptPlan[]
  readonly counts: Counts | undefined
  readonly rejected: readonly string[]
}

/** Reads and adds profile files. A bad one is named and left out; the others still add up. */
export function collect(planPaths: readonly string[], countPaths: readonly string[]): Collected {
  const rejected: string[] = []
  const known = new Map<string, KeptPlan>()
  const attempt = (work: () => void) => {
    try {
      work()
    } catch (error) {
      if (!(error instanceof ScampError)) throw error
      rejected.push(drawError(error))
    }
  }
  for (const path of planPaths) {
    attempt(() => {
      const plan = readPlan(path)
      known.set(plan.id, plan)
    })
  }
  const sums = new Map<string, Sum>()
  let total: Omit<Counts, 'sources'> | undefined
  for (const path of countPaths) {
    attempt(() => {
      const { sources, ...run } = readCounts(path)
      const lacking = sources.find(({ id }) => !known.has(id))
      if (lacking) throw new ScampError(`${path} cannot be used: the plan ${lacking.id}.plan is not beside it`)
      for (const { id, counters } of sources) {
        if (counters.length !== known.get(id)!.plan.flow.counters) {
          throw new ScampError(`${path} does not fit the plan of ${known.get(id)!.name}`)
        }
      }
      for (const source of sources) add(sums, source)
      total = total ? joined(total, run) : run
    })
  }
  const sources = [...sums].map(([id, { counters, pending }]) => ({ id, counters, pending: [...pending.values()] }))
  const plans = sources.map(({ id }) => known.get(id)!)
  return { plans, counts: total && { ...total, sources }, rejected }
}

interface Sum {
  readonly counters: bigint[]
  readonly pending: Map<string, Pending>
}

function add(sums: Map<string, Sum>, { id, counters, pending }: SourceCounts): void {
  let sum = sums.get(id)
  if (!sum) sums.set(id, (sum = { counters: counters.map(() => 0n), pending: new Map() }))
  for (let i = 0; i < counters.length; i++) sum.counters[i] += counters[i]
  for (const frames of pending) {
    const key = [...frames.vertices, frames.unbegun].join()
    const times = (sum.pending.get(key)?.times ?? 0) + frames.times
    sum.pending.set(key, { ...frames, times })
  }
}

function joined(one: Omit<Counts, 'sources'>, other: Omit<Counts, 'sources'>): Omit<Counts, 'sources'> {
  const later = other.time > one.time ? other : one
  return { ...later, runs: one.runs + other.runs, checkpoint: one.checkpoint || other.checkpoint }
}

/**
 * Makes the profile of collected runs.
 *
 * currentHash  the hash of the text that a source's name now stands for; undefined if it cannot be read. Counts of
 *              another version of the text are left out, with a note, if there are some of the current one.
 */
export function profileOf(collected: Collected, currentHash: (name: string) => string | undefined): Profile {
  const { plans, counts } = collected
  const notes: string[] = []
  const versions = new Map<string, Version[]>()
  for (const { id, plan } of plans) {
    const { counters, pending } = counts!.sources.find((source) => source.id === id)!
    const tallied = tally(plan, counters, pending)
    plan.files.forEach(({ name, hash }, file) => {
      const unmonitored = plan.unmonitored.filter((one) => one.file === file)
      // what an include brings in is seldom worth a table: definitions
      const { sites, tokens } = tallied[file]
      if (file > 0 && sites.length + tokens.length === 0) {
        if (unmonitored.length > 0) notes.push(`${name}, which ${plan.files[0].name} includes, is not monitored`)
        return
      }
      const list = versions.get(name) ?? []
      versions.set(name, list)
      const same = list.find((one) => one.hash === hash)
      if (same) {
        same.sites.push(sites)
        same.tokens.push(tokens)
      } else list.push({ hash, language: plan.language, sites: [sites], tokens: [tokens], unmonitored })
    })
  }
  const files: FileProfile[] = []
  for (const [name, list] of versions) {
    const now = currentHash(name)
    const current = list.find(({ hash }) => hash === now)
    const { hash, language, sites, tokens, unmonitored } = current ?? list[list.length - 1]
    if (list.length > 1) notes.push(`${name}: runs of other versions of this text are left out`)
    if (!current && now !== undefined) notes.push(`${name} has changed since it was profiled`)
    files.push({
      name,
      language,
      hash,
      sites: sites.length === 1 ? sites[0] : addSites(sites),
      tokens: tokens.length === 1 ? tokens[0] : addTokens(tokens),
      unmonitored,
      exclusions: [],
    })
  }
  if (counts?.checkpoint) {
    notes.push('a run was killed: its counts are those of its last checkpoint, at most a second before the end')
  }
  return { files, unloaded: [], runs: counts?.runs ?? 0, notes }
}

/** What was counted of one text of a file; a list of sites for each plan of it. */
interface Version {
  readonly hash: string
  readonly language: FileProfile['language']
  readonly sites: (readonly ProfiledSite[])[]
  readonly tokens: (readonly ProfiledToken[])[]
  readonly unmonitored: FileProfile['unmonitored']
}
