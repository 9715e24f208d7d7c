// Profile → JSON, for other programs. One object, spelled over several lines; the schema:
//
//   format   "scamp-report"
//   version  1; raised when a field changes its meaning or goes, not when one is added
//   runs     how many runs the counts add up, a number
//   notes    what a reader must know to trust the counts, an array of strings
//   files    in the order in which the program named them, each
//     name         the text file, as the user named it
//     hash         of its text
//     sites        in the order of the text, each
//       kind         "block", "procedure", "if", "case" or "do"; of Algol 68 "routine", "loop" and, with
//                    --monitor actions, "action"
//       name         a procedure's name, a routine's, empty if it has none; an Icon loop's keyword; what an action does and
//                    to what, such as "ASST x"; else null
//       line, column numbers, from 1
//       counts       in the report's order, each
//         name         block and do: "passes"; procedure: "calls", "returns", "suspends", "resumptions", "failures";
//                      if: "true", "false"; case: "1", "2", … for its arms, then "default", "none", "out", "skipped"
//                      or "unmatched";
//                      routine: "calls"; loop: "passes", and "tests" if it has a WHILE or UNTIL; action: "times",
//                      and, of a right side that may not be needed, "skipped";
//                      do and loop: "skips", how often there was no pass, if that was monitored and is possible
//         count        a string of decimal digits, for it may exceed 2^53
//         exact        a boolean; if false, the true count is at most this
//     tokens       in the order of the text; none unless tokens were monitored; each
//       line, column numbers, from 1
//       text         as it is spelled
//       count        how often it was executed, a generator started or resumed; a string of decimal digits
//       exact        a boolean; if false, the true count is at most this
//       ports        null for what has one result whenever it is started; otherwise "started", "resumed", "succeeded",
//                    "failed", each { count, exact }: of an operation its own, of a control structure those of it all
//       search       of a generator that was resumed; otherwise null: "used", results that were part of what was found,
//                    and "nowhere", activations that gave none, each { count, exact }; of nowhere, if not exact, the true
//                    count is at least this
//     unmonitored  what has no counts, each { line, what }
import type { Count, FileProfile, Profile, ProfiledPorts, ProfiledSite } from '../5-profile/profile.js'
import type { GoalsOf, ReportOptions } from './options.js'
import { searchesIn } from './search.js'

/** Spells a profile as JSON, by the schema above; ends with a newline. */
export function json(profile: Profile, { goalsOf }: Pick<ReportOptions, 'goalsOf'>): string {
  const report = {
    format: 'scamp-report',
    version: 1,
    runs: profile.runs,
    notes: profile.notes,
    files: profile.files.map((file) => ({
      name: file.name,
      hash: file.hash,
      sites: file.sites.map((site) => ({
        kind: site.kind,
        name: nameOf(site),
        line: site.line,
        column: site.column,
        counts: countsOf(site).map(({ name, count }) => ({ name, ...spellCount(count) })),
      })),
      tokens: spellTokens(file, goalsOf),
      unmonitored: file.unmonitored.map(({ line, what }) => ({ line, what })),
    })),
  }
  return `${JSON.stringify(report, null, 1)}\n`
}

function spellTokens(file: FileProfile, goalsOf: GoalsOf) {
  const searches = new Map(searchesIn(file, goalsOf).map((search) => [search.token, search]))
  return file.tokens.map((token) => {
    const { line, column, text, count, ports } = token
    const search = searches.get(token)
    return {
      line,
      column,
      text,
      ...spellCount(count),
      ports: spellPorts(ports),
      search: search ? { used: spellCount(search.used), nowhere: spellLeast(search.nowhere) } : null,
    }
  })
}

const spellLeast = ({ least, exact }: Count) => ({ count: String(least), exact })

/** A count as it stands in JSON. */
export const spellCount = ({ value, exact }: Count) => ({ count: String(value), exact })

/** The ports of a token as they stand in JSON. */
export const spellPorts = (ports: ProfiledPorts | null) =>
  ports && {
    started: spellCount(ports.started),
    resumed: spellCount(ports.resumed),
    succeeded: spellCount(ports.succeeded),
    failed: spellCount(ports.failed),
  }

/** The counts of a site, each under its name. */
export function countsOf(site: ProfiledSite): readonly { readonly name: string; readonly count: Count }[] {
  switch (site.kind) {
    case 'block':
      return [{ name: 'passes', count: site.passes }]
    case 'procedure':
      return (['calls', 'returns', 'suspends', 'resumptions', 'failures'] as const).map((name) => ({
        name,
        count: site[name],
      }))
    case 'if':
      return (['true', 'false'] as const).map((name) => ({ name, count: site[name] }))
    case 'case':
      return site.arms
    case 'routine':
      return [{ name: 'calls', count: site.calls }]
    case 'action':
      return [{ name: 'times', count: site.times }, ...(site.skipped ? [{ name: 'skipped', count: site.skipped }] : [])]
    case 'do':
    case 'loop': {
      const tests = site.kind === 'loop' ? site.tests : null
      const counts = [['passes', site.passes] as const, ['tests', tests] as const, ['skips', site.skips] as const]
      return counts.flatMap(([name, count]) => (count ? [{ name, count }] : []))
    }
  }
}

function nameOf(site: ProfiledSite): string | null {
  if (site.kind === 'procedure' || site.kind === 'routine') return site.name
  if (site.kind === 'action') return `${site.action} ${site.name}`.trimEnd()
  return site.kind === 'do' ? site.loop : null
}
