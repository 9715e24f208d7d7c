// Runs by their contexts: what the user calls them, such as the name of a test. A counts file is of one context; so
// merging leaves one for each, and which of them reached a place can still be told.
import { ScampError } from '../error.js'
import { countsFileName, findProfiles, readHeader, writeCounts, writePlan, type KeptPlan } from './file.js'
import { addUp, attempt, readPlans, type Collected, type Progress } from './merge.js'

/** The hash of the text that a source's name now stands for; undefined if it cannot be read. */
export type CurrentHash = (name: string) => string | undefined

/** Counts files by their contexts, in the order of their names; what cannot be read is in none. */
interface Grouped {
  readonly known: ReadonlyMap<string, KeptPlan>
  readonly groups: readonly (readonly [string, readonly CountsFile[]])[]
  readonly rejected: readonly string[]
}

interface CountsFile {
  readonly path: string
  readonly ids: readonly string[]
}

function groupByContext(paths: readonly string[]): Grouped {
  const { plans, counts } = findProfiles(paths)
  const { known, rejected: badPlans } = readPlans(plans)
  const rejected = [...badPlans]
  const groups = new Map<string, CountsFile[]>()
  for (const path of counts) {
    attempt(rejected, () => {
      const { context, sources } = readHeader(path)
      const file = { path, ids: sources.map(({ id }) => id) }
      const group = groups.get(context)
      if (group) group.push(file)
      else groups.set(context, [file])
    })
  }
  return { known, groups: [...groups].sort(([one], [other]) => (one < other ? -1 : 1)), rejected }
}

/** Adds up the runs of each context; their names, then the sums. What could not be used is added to a list. */
export function* collectByContext(
  paths: readonly string[],
  rejected: string[],
): Generator<readonly [string, Collected]> {
  const { known, groups, rejected: unread } = groupByContext(paths)
  rejected.push(...unread)
  for (const [context, files] of groups) {
    const collected = addUp(
      known,
      files.map(({ path }) => path),
    )
    rejected.push(...collected.rejected)
    if (collected.counts) yield [context, collected]
  }
}

/**
 * Adds up the runs of each context and writes the sums into a folder. Memory holds the sum of one context at a time.
 * Runs of a text that has changed since are left out, if there are some of the text as it is now.
 *
 * returns  how many runs were merged, and what was left out, a sentence each
 * throws   ScampError if there are runs of different texts of one file, and none of the text as it is now: their counts
 *          mean different things; then nothing is written
 */
export function mergeInto(
  folder: string,
  paths: readonly string[],
  currentHash: CurrentHash,
  progress?: Progress,
): { readonly runs: number; readonly rejected: readonly string[] } {
  const { known, groups, rejected: unread } = groupByContext(paths)
  const rejected = [...unread]
  const used = new Set(groups.flatMap(([, files]) => files.flatMap(({ ids }) => ids)))
  const stale = stalePlans(
    [...used].flatMap((id) => known.get(id) ?? []),
    currentHash,
  )
  const all = groups.reduce((sum, [, files]) => sum + files.length, 0)
  let done = 0
  let runs = 0
  for (const [, files] of groups) {
    const paths = files.flatMap(({ path, ids }) => {
      const old = ids.find((id) => stale.has(id))
      if (old === undefined) return [path]
      rejected.push(`${path} is left out: ${stale.get(old)} has changed since`)
      done++
      return []
    })
    const { plans, counts, rejected: bad } = addUp(known, paths, () => progress?.(++done, all))
    rejected.push(...bad)
    if (!counts) continue
    for (const plan of plans) writePlan(folder, plan)
    writeCounts(folder, countsFileName(), counts)
    runs += counts.runs
  }
  return { runs, rejected }
}

/** The plans of texts that are not the current ones of their files, where there are several: the names, by plan id. */
function stalePlans(plans: readonly KeptPlan[], currentHash: CurrentHash): Map<string, string> {
  const hashes = new Map<string, Set<string>>()
  for (const { plan } of plans) {
    for (const { name, hash } of plan.files) {
      const known = hashes.get(name)
      if (known) known.add(hash)
      else hashes.set(name, new Set([hash]))
    }
  }
  const current = new Map<string, string>()
  for (const [name, versions] of hashes) {
    if (versions.size === 1) continue
    const now = currentHash(name)
    if (now === undefined || !versions.has(now)) {
      throw new ScampError(
        `${name}: these are profiles of ${versions.size} different texts, and none of them is the file as it is now; merge those of each text apart`,
      )
    }
    current.set(name, now)
  }
  const stale = new Map<string, string>()
  for (const { id, plan } of plans) {
    const old = plan.files.find(({ name, hash }) => current.has(name) && current.get(name) !== hash)
    if (old) stale.set(id, old.name)
  }
  return stale
}
