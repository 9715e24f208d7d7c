// Profile → the source, with the count of every token below it: the leftmost digit stands under the token's first
// character; where there is no room, the next count goes to a line of its own.
//
// source: Coutant, Griswold and Hanson, TR 79-9, Figs. 1 to 8
import type { FileProfile, Profile, ProfiledToken } from '../5-profile/profile.js'
import { printableName, spellCount } from './table.js'

/** Finds the text that a file's counts belong to; undefined if it is not to be had any more. */
export type TextOf = (file: FileProfile) => string | undefined

const tabStop = 8

/** Draws the listings, file by file, a blank line between; ends with a newline. */
export function listing(profile: Profile, textOf: TextOf): string {
  const parts = profile.files.map((file) => drawFile(file, textOf(file)))
  parts.push(...profile.notes.map((note) => [`NOTE: ${note}`]))
  return parts.map((lines) => lines.map((line) => `${line}\n`).join('')).join('\n')
}

function drawFile(file: FileProfile, text: string | undefined): string[] {
  const title = printableName(file.name)
  if (file.tokens.length === 0) return [title, '', 'its tokens were not monitored: scamp run --monitor tokens']
  if (text === undefined) return [title, '', 'this text is not there any more, or has changed']
  const byLine = new Map<number, ProfiledToken[]>()
  for (const token of file.tokens) {
    const list = byLine.get(token.line)
    if (list) list.push(token)
    else byLine.set(token.line, [token])
  }
  const sources = text.replace(/\n$/, '').split('\n')
  const margin = String(sources.length).length
  const lines = [title, '']
  sources.forEach((source, i) => {
    const tokens = byLine.get(i + 1) ?? []
    lines.push(`${String(i + 1).padStart(margin)}  ${expandTabs(source.replace(/\r$/, ''))}`.trimEnd())
    for (const counts of placeCounts(source, tokens)) lines.push(`${' '.repeat(margin)}  ${counts}`)
  })
  return lines
}

/** The lines of counts below a line of source. */
function placeCounts(source: string, tokens: readonly ProfiledToken[]): string[] {
  const lines: string[] = []
  for (const { column, count } of tokens) {
    const at = expandTabs(source.slice(0, column - 1)).length
    // a blank between two counts
    let line = lines.findIndex((one) => one.length < at || at === 0)
    if (line < 0 || (at === 0 && lines[line] !== '')) line = lines.push('') - 1
    lines[line] = lines[line].padEnd(at) + spellCount(count)
  }
  return lines
}

/** Blanks in place of tabs, and of what would move a terminal's cursor. */
function expandTabs(text: string): string {
  let expanded = ''
  for (const character of text) {
    if (character === '\t') expanded += ' '.repeat(tabStop - (expanded.length % tabStop))
    else expanded += /\p{Cc}/u.test(character) ? '?' : character
  }
  return expanded
}
