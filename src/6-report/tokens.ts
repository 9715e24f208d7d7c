// Profile → tokens in tables: all of them with their numbers, or those executed most often with the lines they stand in.
//
// source: Coutant, Griswold and Hanson, TR 79-9, §2: executable tokens are numbered from 1
import type { FileProfile, Profile, ProfiledToken } from '../5-profile/profile.js'
import type { ReportOptions, Selection } from './options.js'
import { isWithin, selectLines } from './selection.js'
import { cut, drawTable, printableName, spellCount, spellPlace, type Column } from './table.js'

const right = (heading: string): Column => ({ heading, align: 'right' })
const left = (heading: string): Column => ({ heading, align: 'left' })

/** Draws the token list, file by file, a blank line between; ends with a newline. */
export function tokenList(profile: Profile, options: Selection): string {
  const columns = [right('NUMBER'), right('LINE'), right('COLUMN'), right('COUNT'), left('TOKEN')]
  const parts = [...selectLines(profile, options)].map(([file, lines]) => {
    const rows = file.tokens.flatMap(({ line, column, count, text }, i) => {
      if (!isWithin(line, lines)) return []
      return [[String(i + 1), String(line), String(column), spellCount(count), printableName(text)]]
    })
    return [printableName(file.name), '', ...(file.tokens.length > 0 ? drawTable(columns, rows) : [unmonitored])]
  })
  return join(profile, parts)
}

const mostShown = 20

/** Draws the tokens executed most often in all files, each with its line; ends with a newline. */
export function hotTokens(profile: Profile, options: ReportOptions): string {
  const { hot = mostShown, columns: width, textOf } = options
  const all = [...selectLines(profile, options)].flatMap(([file, lines]) =>
    file.tokens.filter(({ line }) => isWithin(line, lines)).map((token): [FileProfile, ProfiledToken] => [file, token]),
  )
  if (profile.files.every(({ tokens }) => tokens.length === 0)) return join(profile, [[unmonitored]])
  all.sort(
    ([, one], [, other]) => Number(other.count.value > one.count.value) - Number(one.count.value > other.count.value),
  )
  const lines = new Map(profile.files.map((file) => [file, textOf(file)?.split('\n')]))
  const columns = [right('COUNT'), left('TOKEN'), left('PLACE'), left('SOURCE')]
  const rows = all.slice(0, hot).map(([file, { line, column, text, count }]) => {
    const source = lines.get(file)?.[line - 1] ?? ''
    return [
      spellCount(count),
      printableName(text),
      spellPlace(file.name, { line, column }),
      printableName(source.trim()),
    ]
  })
  return join(profile, [drawTable(columns, rows).map((line) => cut(line, width).trimEnd())])
}

export const unmonitored = 'tokens were not monitored: scamp run --monitor tokens'

/** The parts of a report one after the other, a blank line between, the profile's notes last. */
export function join({ notes }: Profile, parts: readonly (readonly string[])[]): string {
  const all = [...parts, ...notes.map((note) => [`NOTE: ${note}`])]
  return all.map((lines) => lines.map((line) => `${line}\n`).join('')).join('\n')
}
