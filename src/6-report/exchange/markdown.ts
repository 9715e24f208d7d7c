// Profile → a table in markdown, for the summary of a build or a comment on a change: what is covered of each file, and
// the first lines where something is not.
import type { Profile } from '../../5-profile/profile.js'
import { coverageOf, explain, labelOf, type FileCoverage, type Item, type Total } from '../coverage.js'
import { percent, printableName } from '../table.js'

// comments are limited to 65,536 characters
const mostFiles = 200
const mostPlaces = 50

/** Draws the table; files that lack most come first, those that lack nothing are only counted. */
export function markdown(profile: Profile): string {
  const { files, totals } = coverageOf(profile)
  const incomplete = files
    .filter(({ totals: { item } }) => item.covered < item.total)
    .sort((one, other) => lackOf(other) - lackOf(one))
  const complete = files.length - incomplete.length
  const lines = [`**${share(totals.item)} covered**: ${totals.item.covered} of ${totals.item.total} items`, '']
  lines.push('| file | procedures | branches | outcomes | lines | all |', '| --- | ---: | ---: | ---: | ---: | ---: |')
  const row = (name: string, of: FileCoverage['totals']) =>
    `| ${name} | ${spell(of.procedure)} | ${spell(of.branch)} | ${spell(of.outcome)} | ${spell(of.line)} | ${spell(of.item)} |`
  for (const file of incomplete.slice(0, mostFiles)) lines.push(row(literal(file.name), file.totals))
  if (incomplete.length > mostFiles) lines.push(`| … and ${incomplete.length - mostFiles} more | | | | | |`)
  if (complete > 0)
    lines.push(`| ${complete} ${complete === 1 ? 'file' : 'files'} with nothing missing | | | | | 100% |`)
  if (files.length > 1) lines.push(row('**total**', totals))
  const missing = incomplete.flatMap((file) => file.items.filter(isMissing).map((item) => ({ file, item })))
  if (missing.length > 0) {
    lines.push('', '<details><summary>What never happened</summary>', '')
    for (const { file, item } of missing.slice(0, mostPlaces)) {
      lines.push(`- ${literal(`${file.name}:${item.line}`)} ${literal(labelOf(item))}: ${literalText(explain(item))}`)
    }
    if (missing.length > mostPlaces) lines.push(`- … and ${missing.length - mostPlaces} more`)
    lines.push('', '</details>')
  }
  for (const note of profile.notes) lines.push('', `> ${literalText(note)}`)
  return lines.map((line) => `${line}\n`).join('')
}

const isMissing = ({ covered, excluded }: Item) => !covered && excluded === null
const lackOf = ({ totals: { item } }: FileCoverage) => item.total - item.covered
const share = ({ covered, total }: Total) => (total === 0 ? '–' : `${percent(BigInt(covered), BigInt(total))}%`)
const spell = (total: Total) => (total.total === 0 ? '–' : `${share(total)} (${total.covered}/${total.total})`)

/** Text in code's type, in which nothing means anything; in a table `|` still must not stand bare. */
function literal(text: string): string {
  const shown = printableName(text)
  const fence = '`'.repeat(1 + Math.max(0, ...[...shown.matchAll(/`+/g)].map(([ticks]) => ticks.length)))
  const pad = shown.startsWith('`') || shown.endsWith('`') ? ' ' : ''
  return `${fence}${pad}${shown.replaceAll('|', '\\|')}${pad}${fence}`
}

/** Text in which no character has a meaning. */
const literalText = (text: string) => printableName(text).replace(/[\\`*_{}[\]<>()#+!|~&]/g, '\\$&')
