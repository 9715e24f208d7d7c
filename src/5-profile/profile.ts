// Stage 5: plan and runs → profile. The waist of scamp: what is left of it knows languages, what is right of it knows
// people. A profile is counts at places of texts; it needs no tree, no plan and no engine.
import type { Complaint, Exclusion } from '../2-plan/exclusions.js'
import type { Count, Pending } from '../2-plan/solve.js'
import { solve } from '../2-plan/solve.js'
import type { Plan, Site, Tally } from '../2-plan/plan.js'
import type { Language } from '../source.js'

export type { Exclusion } from '../2-plan/exclusions.js'
export type { Goal } from '../2-plan/icon-goals.js'
export type { Count } from '../2-plan/solve.js'

interface Place {
  /** Both from 1. */
  readonly line: number
  readonly column: number
}

/** A site with its counts. The fields are those of the plan's sites (2-plan/plan.ts), tallies replaced by counts. */
export type ProfiledSite =
  | ProfiledBlock
  | ProfiledProcedure
  | ProfiledRoutine
  | ProfiledIf
  | ProfiledCase
  | ProfiledLoop
  | ProfiledRepetition
  | ProfiledAction

export interface ProfiledBlock extends Place {
  readonly kind: 'block'
  readonly passes: Count
}
export interface ProfiledProcedure extends Place {
  readonly kind: 'procedure'
  readonly name: string
  readonly calls: Count
  readonly returns: Count
  readonly suspends: Count
  readonly resumptions: Count
  readonly failures: Count
}
export interface ProfiledRoutine extends Place {
  readonly kind: 'routine'
  readonly name: string
  /** Where its last token is. */
  readonly end: Place
  readonly calls: Count
}
export interface ProfiledIf extends Place {
  readonly kind: 'if'
  /** Whether an else is written. */
  readonly hasElse: boolean
  readonly true: Count
  readonly false: Count
}
export interface ProfiledCase extends Place {
  readonly kind: 'case'
  readonly arms: readonly { readonly name: string; readonly count: Count }[]
}
export interface ProfiledLoop extends Place {
  readonly kind: 'do'
  readonly loop: string
  readonly passes: Count
  readonly skips: Count | null
}
export interface ProfiledRepetition extends Place {
  readonly kind: 'loop'
  readonly passes: Count
  readonly tests: Count | null
  readonly skips: Count | null
}

export interface ProfiledAction extends Place {
  readonly kind: 'action'
  readonly action: string
  readonly name: string
  readonly times: Count
  /** Of a right side that may not be needed, how often it was not. */
  readonly skipped: Count | null
}

/** How often control came into an expression, and how often it left it, either way. */
export interface ProfiledPorts {
  readonly started: Count
  readonly resumed: Count
  readonly succeeded: Count
  readonly failed: Count
}

/**
 * A token with the number of times it was executed; a generator, started or resumed.
 *
 * ports  null for what has one result whenever it is started, and for what has none to be had
 */
export interface ProfiledToken extends Place {
  readonly text: string
  readonly count: Count
  readonly ports: ProfiledPorts | null
}

/**
 * The counts of one source.
 *
 * name   the text file, as the user named it
 * hash   of its text; counts belong to this text and no other
 * sites   in the order of the text
 * tokens  the same; none if tokens were not monitored
 */
export interface FileProfile {
  readonly name: string
  readonly language: Language
  readonly hash: string
  readonly sites: readonly ProfiledSite[]
  readonly tokens: readonly ProfiledToken[]
  readonly unmonitored: readonly { readonly line: number; readonly what: string }[]
  /** What comments leave out of coverage, and what is wrong with such comments. */
  readonly exclusions: readonly Omit<Exclusion, 'file'>[]
  readonly complaints: readonly Omit<Complaint, 'file'>[]
}

/**
 * All derived data of one or more runs.
 *
 * files     in the order in which the program named them
 * unloaded  files that belong to the program but that no run had; all their counts are 0
 * runs      how many runs the counts add up
 * notes     what a reader must know to trust the numbers, a sentence each
 */
export interface Profile {
  readonly files: readonly FileProfile[]
  readonly unloaded: readonly FileProfile[]
  readonly runs: number
  readonly notes: readonly string[]
}

/** Adds counts; a sum is exact if all its parts are. */
export function addCounts(counts: readonly Count[]): Count {
  let value = 0n
  let least = 0n
  let exact = true
  for (const count of counts) {
    value += count.value
    least += count.least
    exact &&= count.exact
  }
  return { value, least, exact }
}

/** Adds the counts of sites of one text, as different plans of it gave them. */
export function addSites(lists: readonly (readonly ProfiledSite[])[]): ProfiledSite[] {
  const sums = new Map<string, ProfiledSite>()
  for (const site of lists.flat()) {
    const key = `${site.kind === 'action' ? site.action : site.kind} ${site.line}:${site.column}`
    const known = sums.get(key)
    sums.set(key, known ? addSite(known, site) : site)
  }
  return [...sums.values()].sort((one, other) => one.line - other.line || one.column - other.column)
}

/** Adds the counts of tokens of one text, as different plans of it gave them. */
export function addTokens(lists: readonly (readonly ProfiledToken[])[]): ProfiledToken[] {
  const sums = new Map<string, ProfiledToken>()
  for (const token of lists.flat()) {
    const key = `${token.line}:${token.column}`
    const known = sums.get(key)
    sums.set(key, known ? addToken(known, token) : token)
  }
  return [...sums.values()].sort((one, other) => one.line - other.line || one.column - other.column)
}

function addToken(one: ProfiledToken, other: ProfiledToken): ProfiledToken {
  const count = addCounts([one.count, other.count])
  const ports = one.ports && other.ports && portsBy((port) => addCounts([one.ports![port], other.ports![port]]))
  return { ...one, count, ports }
}

const portsBy = (countOf: (port: keyof ProfiledPorts) => Count): ProfiledPorts => ({
  started: countOf('started'),
  resumed: countOf('resumed'),
  succeeded: countOf('succeeded'),
  failed: countOf('failed'),
})

/** Adds two counts of everything that is counted at one site; of what only one of them knows, there is that. */
function addSite(one: ProfiledSite, other: ProfiledSite): ProfiledSite {
  if (one.kind === 'case' && other.kind === 'case') {
    const arms = one.arms.map(({ name, count }, i) => ({ name, count: addCounts([count, other.arms[i].count]) }))
    return { ...one, arms }
  }
  const sum = Object.entries(one).map(([key, value]: [string, unknown]) => {
    const more = (other as unknown as Record<string, unknown>)[key]
    return [key, isCount(value) && isCount(more) ? addCounts([value, more]) : (value ?? more)]
  })
  return Object.fromEntries(sum) as ProfiledSite
}

const isCount = (value: unknown): value is Count => typeof value === 'object' && value !== null && 'exact' in value

/** What was counted in one file. */
export interface FileCounts {
  readonly sites: readonly ProfiledSite[]
  readonly tokens: readonly ProfiledToken[]
}

/**
 * Turns one run's counters into the counts of a source's sites and tokens.
 *
 * counters  one per basis edge of the plan
 * returns   for each of the plan's files
 * pending   the frames the run was cut off in; none after a run that ended by itself
 * throws    ScampError if the counters contradict each other
 */
export function tally(
  plan: Omit<Plan, 'probes'>,
  counters: readonly bigint[],
  pending: readonly Pending[],
): FileCounts[] {
  const counts = solve(plan.flow, counters, pending)
  const total = (edges: Tally) => addCounts(edges.map((edge) => counts[edge]))
  const files = plan.files.map(() => ({ sites: [] as ProfiledSite[], tokens: [] as ProfiledToken[] }))
  for (const site of plan.sites) files[site.file].sites.push(profiled(site, total))
  for (const { file, line, column, text, count, ports } of plan.tokens) {
    const profiledPorts = ports && portsBy((port) => total(ports[port]))
    files[file].tokens.push({ line, column, text, count: total(count), ports: profiledPorts })
  }
  return files
}

function profiled(site: Site, total: (edges: Tally) => Count): ProfiledSite {
  const { line, column } = site
  // plans of earlier versions have none
  const skipsOf = ({ skips }: { readonly skips?: Tally | null }) => (skips ? total(skips) : null)
  switch (site.kind) {
    case 'block':
      return { kind: 'block', line, column, passes: total(site.passes) }
    case 'procedure': {
      const { name, calls, returns, suspends, resumptions, failures } = site
      return {
        kind: 'procedure',
        line,
        column,
        name,
        calls: total(calls),
        returns: total(returns),
        suspends: total(suspends),
        resumptions: total(resumptions),
        failures: total(failures),
      }
    }
    case 'if':
      return { kind: 'if', line, column, hasElse: site.hasElse, true: total(site.true), false: total(site.false) }
    case 'case':
      return {
        kind: 'case',
        line,
        column,
        arms: site.arms.map(({ name, count }) => ({ name, count: total(count) })),
      }
    case 'do':
      return { kind: 'do', line, column, loop: site.loop, passes: total(site.passes), skips: skipsOf(site) }
    case 'routine':
      return { kind: 'routine', line, column, name: site.name, end: site.end, calls: total(site.calls) }
    case 'loop': {
      const tests = site.tests && total(site.tests)
      return { kind: 'loop', line, column, passes: total(site.passes), tests, skips: skipsOf(site) }
    }
    case 'action':
      return {
        kind: 'action',
        line,
        column,
        action: site.action,
        name: site.name,
        times: total(site.times),
        skipped: site.skipped && total(site.skipped),
      }
  }
}
