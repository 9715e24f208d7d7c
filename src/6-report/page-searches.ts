// A profile's files → the generators of all of them that searched in vain most often, for the overview of the page.
import type { FileProfile } from '../5-profile/profile.js'
import type { GoalsOf } from './options.js'
import type { PageSearch } from './page-data.js'
import { decode, shown } from './page-file.js'
import { compare, searchesIn, spellLeast, type Search } from './search.js'
import { cut } from './table.js'

// how many generators the page names, and how much of a line it shows beside one, in characters
const most = 200
const longest = 120

/** Finds the searches that led nowhere most often, the worst first. `files`: in the order of the page's index. */
export function worstSearches(
  files: readonly { readonly file: FileProfile; readonly text: string | undefined }[],
  goalsOf: GoalsOf,
): PageSearch[] {
  const found = files.flatMap(({ file }, number) => {
    // looking for goals parses the text once more
    if (file.tokens.every(({ ports }) => !ports || ports.resumed.value === 0n)) return []
    return searchesIn(file, goalsOf).map((search) => ({ number, search }))
  })
  found.sort(({ search: one }, { search: other }) => compare(other.nowhere.least, one.nowhere.least))
  const texts = new Map<number, readonly string[]>()
  const lineOf = (number: number, { token }: Search) => {
    const { text } = files[number]
    if (text === undefined) return ''
    const lines = texts.get(number) ?? decode(text).text.split('\n')
    texts.set(number, lines)
    return cut((lines[token.line - 1] ?? '').trim(), longest)
  }
  return found.slice(0, most).map(({ number, search }) => {
    const { token, results, used, nowhere } = search
    const least = nowhere.exact ? shown(nowhere) : spellLeast(nowhere)
    return [number, token.line, token.text, least, shown(used), shown(results), lineOf(number, search)] as const
  })
}
