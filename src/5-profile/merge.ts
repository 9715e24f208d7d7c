// Adds runs up, file by file, so that memory holds one sum per source and one run at a time.
import type { Pending } from '../2-plan/solve.js'
import { drawError, ScampError } from '../error.js'
import { readPlan, readSpelled, type Counts, type KeptPlan } from './file.js'
import { Sums } from './numbers.js'
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

/** Plans by their ids, and what could not be used, a sentence each. */
export interface Plans {
  readonly known: ReadonlyMap<string, KeptPlan>
  readonly rejected: readonly string[]
}

/** Told how many files are done, of how many; for what takes long. */
export type Progress = (done: number, all: number) => void

/** Reads and adds profile files. A bad one is named and left out; the others still add up. */
export function collect(planPaths: readonly string[], countPaths: readonly string[], progress?: Progress): Collected {
  const plans = readPlans(planPaths)
  const collected = addUp(plans.known, countPaths, progress)
  return { ...collected, rejected: [...plans.rejected, ...collected.rejected] }
}

/** Reads plans. A bad one is named and left out. */
export function readPlans(paths: readonly string[]): Plans {
  const known = new Map<string, KeptPlan>()
  const rejected: string[] = []
  for (const path of paths) {
    attempt(rejected, () => {
      const plan = readPlan(path)
      known.set(plan.id, plan)
    })
  }
  return { known, rejected }
}

/** Adds up counts whose plans are known. */
export function addUp(
  known: ReadonlyMap<string, KeptPlan>,
  countPaths: readonly string[],
  progress?: Progress,
): Collected {
  const rejected: string[] = []
  const sums = new Map<string, Sum>()
  let total: Omit<Counts, 'sources'> | undefined
  countPaths.forEach((path, i) => {
    attempt(rejected, () => {
      const { header, numbers } = readSpelled(path)
      const { format: _, version: __, sources, ...run } = header
      const lacking = sources.find(({ id }) => !known.has(id))
      if (lacking) throw new ScampError(`${path} cannot be used: there is no sound plan ${lacking.id}.plan beside it`)
      for (const { id, counters } of sources) {
        const { name, plan } = known.get(id)!
        if (counters !== plan.flow.counters) throw new ScampError(`${path} does not fit the plan of ${name}`)
      }
      let at = 0
      for (const { id, counters, pending } of sources) {
        let sum = sums.get(id)
        if (!sum) sums.set(id, (sum = { counters: new Sums(counters), pending: new Map() }))
        at = sum.counters.add(numbers, at)
        for (const frames of pending) addFrames(sum.pending, frames)
      }
      total = total ? joined(total, run) : run
    })
    progress?.(i + 1, countPaths.length)
  })
  const sources = [...sums].map(([id, { counters, pending }]) => {
    return { id, counters: counters.values(), pending: [...pending.values()] }
  })
  const plans = sources.map(({ id }) => known.get(id)!)
  return { plans, counts: total && { ...total, sources }, rejected }
}

/** Does something that a bad file may prevent; then what is in the way is added to a list. */
export function attempt(rejected: string[], work: () => void): void {
  try {
    work()
  } catch (error) {
    if (!(error instanceof ScampError)) throw error
    rejected.push(drawError(error))
  }
}

interface Sum {
  readonly counters: Sums
  readonly pending: Map<string, Pending>
}

function addFrames(sum: Map<string, Pending>, frames: Pending): void {
  const key = [...frames.vertices, frames.unbegun].join()
  const times = (sum.get(key)?.times ?? 0) + frames.times
  sum.set(key, { ...frames, times })
}

function joined(one: Omit<Counts, 'sources'>, other: Omit<Counts, 'sources'>): Omit<Counts, 'sources'> {
  const later = other.time > one.time ? other : one
  const context = one.context === other.context ? one.context : ''
  return { ...later, context, runs: one.runs + other.runs, checkpoint: one.checkpoint || other.checkpoint }
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
  const bySource = new Map(counts?.sources.map((source) => [source.id, source]))
  for (const { id, plan } of plans) {
    const { counters, pending } = bySource.get(id)!
    const tallied = tally(plan, counters, pending)
    plan.files.forEach(({ name, hash }, file) => {
      const own = <Placed extends { readonly file: number }>(list: readonly Placed[]) =>
        list.filter((one) => one.file === file)
      const unmonitored = own(plan.unmonitored)
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
      } else {
        const { exclusions, complaints } = plan.leftOut
        const leftOut = { exclusions: own(exclusions), complaints: own(complaints) }
        list.push({ hash, language: plan.language, sites: [sites], tokens: [tokens], unmonitored, leftOut })
      }
    })
  }
  const files: FileProfile[] = []
  for (const [name, list] of versions) {
    const now = currentHash(name)
    const current = list.find(({ hash }) => hash === now)
    const { hash, language, sites, tokens, unmonitored, leftOut } = current ?? list[list.length - 1]
    if (list.length > 1) notes.push(`${name}: runs of other versions of this text are left out`)
    if (!current && now !== undefined) notes.push(`${name} has changed since it was profiled`)
    const withActions = sites.filter((own) => own.some(({ kind }) => kind === 'action'))
    if (withActions.length % sites.length > 0) notes.push(`${name}: actions were counted in some of its runs only`)
    files.push({
      name,
      language,
      hash,
      sites: sites.length === 1 ? sites[0] : addSites(sites),
      tokens: tokens.length === 1 ? tokens[0] : addTokens(tokens),
      unmonitored,
      ...leftOut,
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
  readonly leftOut: Pick<FileProfile, 'exclusions' | 'complaints'>
}
