// Sites and profiles for the tests of reports, written briefly.
import type { ReportOptions } from '../../src/6-report/options.js'
import type { Count, FileProfile, Profile, ProfiledSite } from '../../src/5-profile/profile.js'

/** A count: exact, unless it is given as [value], which may be one less. */
export type BriefCount = number | bigint | [number | bigint]

export function count(brief: BriefCount): Count {
  if (Array.isArray(brief)) return { value: BigInt(brief[0]), least: BigInt(brief[0]) - 1n, exact: false }
  return { value: BigInt(brief), least: BigInt(brief), exact: true }
}

export function block(line: number, passes: BriefCount): ProfiledSite {
  return { kind: 'block', line, column: 3, passes: count(passes) }
}

export function procedure(line: number, name: string, ...counts: BriefCount[]): ProfiledSite {
  const [calls, returns, suspends, resumptions, failures] = [0, 1, 2, 3, 4].map((i) => count(counts[i] ?? 0))
  return { kind: 'procedure', line, column: 1, name, calls, returns, suspends, resumptions, failures }
}

export function branch(line: number, yes: BriefCount, no: BriefCount): ProfiledSite {
  return { kind: 'if', line, column: 4, hasElse: true, true: count(yes), false: count(no) }
}

export function choice(line: number, arms: Readonly<Record<string, BriefCount>>): ProfiledSite {
  return {
    kind: 'case',
    line,
    column: 6,
    arms: Object.entries(arms).map(([name, brief]) => ({ name, count: count(brief) })),
  }
}

export function loop(line: number, passes: BriefCount, keyword: string): ProfiledSite {
  return { kind: 'do', line, column: 5, loop: keyword, passes: count(passes), skips: null }
}

export function file(name: string, sites: readonly ProfiledSite[], unmonitored: FileProfile['unmonitored'] = []) {
  return {
    name,
    language: 'icon' as const,
    hash: '0123abcd',
    sites,
    tokens: [],
    unmonitored,
    exclusions: [],
    complaints: [],
  }
}

export function profile(files: readonly FileProfile[], runs = 1, notes: readonly string[] = []): Profile {
  return { files, unloaded: [], runs, notes }
}

/** What a report is told: of a text for every file, or of none. */
export function options(text?: string, more: Partial<ReportOptions> = {}): ReportOptions {
  return { columns: 80, textOf: () => text, goalsOf: () => undefined, ...more }
}
