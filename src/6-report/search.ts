// Profile → what each generator did in the searches of goal-directed evaluation: how many results it had, how many of
// them were part of what the search found, and how many of its activations were not. Those that led nowhere most often
// come first: a search done in an inappropriate way, or in vain.
//
// source: Coutant, Griswold and Hanson, "Measuring the Performance and Behavior of Icon Programs", IEEE Transactions on
//         Software Engineering SE-9 (1983), section V.D, Figs. 7 and 8
import { addCounts, type Count, type FileProfile, type Profile, type ProfiledToken } from '../5-profile/profile.js'
import type { GoalsOf, ReportOptions } from './options.js'
import { isWithin, selectLines } from './selection.js'
import { cut, drawTable, printableName, spellCount, spellPlace, type Column } from './table.js'
import { join, unmonitored } from './tokens.js'

/**
 * What became of a generator's activations.
 *
 * used     results that were part of what was found; not exact if several results of generators behind it may have been
 *          found with one of its own
 * nowhere  activations, starts and resumptions, that gave no such result
 */
export interface Search {
  readonly token: ProfiledToken
  readonly results: Count
  readonly used: Count
  readonly nowhere: Count
}

const right = (heading: string): Column => ({ heading, align: 'right' })
const left = (heading: string): Column => ({ heading, align: 'left' })

const columns = [...['NOWHERE', 'RESULTS', 'USED'].map(right), ...['TOKEN', 'PLACE', 'SOURCE'].map(left)]

/** Draws the generators that were resumed, the most useless first; ends with a newline. */
export function searchReport(profile: Profile, options: ReportOptions): string {
  const { columns: width, textOf, goalsOf } = options
  if (profile.files.every(({ tokens }) => tokens.length === 0)) return join(profile, [[unmonitored]])
  const found = [...selectLines(profile, options)].flatMap(([file, lines]) =>
    searchesIn(file, goalsOf)
      .filter(({ token }) => isWithin(token.line, lines))
      .map((search) => ({ file, search })),
  )
  if (found.length === 0) return join(profile, [['no generator was resumed']])
  found.sort(({ search: one }, { search: other }) => compare(other.nowhere.least, one.nowhere.least))
  const texts = new Map(profile.files.map((file) => [file, textOf(file)?.split('\n')]))
  const rows = found.map(({ file, search: { token, results, used, nowhere } }) => [
    spellLeast(nowhere),
    ...[results, used].map(spellCount),
    printableName(token.text),
    spellPlace(file.name, token),
    printableName((texts.get(file)?.[token.line - 1] ?? '').trim()),
  ])
  return join(profile, [
    drawTable(columns, rows).map((line) => cut(line, width).trimEnd()),
    ['NOWHERE: activations that gave no result, or one that was not part of what was found'],
  ])
}

/** Orders counts, the smaller first. */
export const compare = (one: bigint, other: bigint) => Number(one > other) - Number(other > one)

/** Spells what is known to be so much at least. */
export const spellLeast = ({ least, exact }: Count) => `${exact ? '' : '≥'}${least}`

/** The searches of a file: of each generator that was resumed, in the order of the text. */
export function searchesIn(file: FileProfile, goalsOf: GoalsOf): Search[] {
  const goals = goalsOf(file) ?? []
  const tokens = new Map(file.tokens.map((token) => [`${token.line}:${token.column}`, token]))
  const tokenAt = (places: readonly { readonly line: number; readonly column: number }[]) =>
    places.map(({ line, column }) => tokens.get(`${line}:${column}`)).find((token) => token !== undefined)
  const used = new Map<ProfiledToken, Count>()
  for (const { results, chain } of goals) {
    const found = totalOf(results.map(tokenAt))
    if (!found) continue
    let isLast = true
    for (const { places, isChosen } of [...chain].reverse()) {
      const token = tokenAt(places)
      if (token && wasResumed(token)) used.set(token, isLast && !isChosen ? found : shareOf(found, token))
      // a choice between expressions, or a generator: what stands before it may serve for several results
      if (places.length === 0 || (token && wasResumed(token))) isLast = false
    }
  }
  return file.tokens.filter(wasResumed).map((token) => {
    const results = token.ports!.succeeded
    const part = used.get(token) ?? { value: results.value, least: 0n, exact: false }
    return { token, results, used: part, nowhere: difference(addCounts([results, token.ports!.failed]), part) }
  })
}

const wasResumed = ({ ports }: ProfiledToken) => ports !== null && ports.resumed.value > 0n

/** The results of tokens added up: what is no operation has one whenever it is executed. */
function totalOf(tokens: readonly (ProfiledToken | undefined)[]): Count | undefined {
  const counts = tokens.map((token) => token && (token.ports?.succeeded ?? token.count))
  return counts.every((count) => count !== undefined) ? addCounts(counts) : undefined
}

/** How many of a generator's results were part of so many that were found: not more than either; one, if any. */
function shareOf(found: Count, { ports }: ProfiledToken): Count {
  const { value } = ports!.succeeded
  const most = value < found.value ? value : found.value
  const least = found.least > 0n ? 1n : 0n
  return { value: most, least, exact: most === least }
}

function difference(one: Count, other: Count): Count {
  const atLeast = (value: bigint) => (value > 0n ? value : 0n)
  return {
    value: atLeast(one.value - other.least),
    least: atLeast(one.least - other.value),
    exact: one.exact && other.exact,
  }
}
