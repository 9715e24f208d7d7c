// Profile → annotations for GitHub Actions: a warning at each line with something that never happened.
import type { Profile } from '../../5-profile/profile.js'
import { coverageOf, explain, labelOf, type Item } from '../coverage.js'
import { printableName } from '../table.js'

// GitHub shows ten warnings of a step; a few more are of use in the log
const most = 50

/** Spells the annotations, a line each; the last tells how many there would have been. */
export function github(profile: Profile): string {
  const warnings = coverageOf(profile).files.flatMap(({ name, items }) => {
    const missing = items.filter(({ covered, excluded }) => !covered && excluded === null)
    const lines = new Map<number, Item[]>()
    for (const item of missing) lines.set(item.line, [...(lines.get(item.line) ?? []), item])
    return [...lines].map(([line, list]) => {
      const what = list.map((item) => `${labelOf(item)}: ${explain(item)}`).join('\n')
      const place = `file=${property(name)},line=${line},col=${list[0].column}`
      return `::warning ${place},title=${property('never happened')}::${message(what)}\n`
    })
  })
  const shown = warnings.slice(0, most)
  const left = warnings.length - shown.length
  if (left > 0) shown.push(`::notice title=scamp::${left} more lines have something that never happened\n`)
  return shown.join('')
}

const message = (text: string) => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')

const property = (text: string) => message(printableName(text)).replaceAll(':', '%3A').replaceAll(',', '%2C')
