// Profile → counts as costs, for tools that show where a program spends itself: callgrind's format (callgrind_annotate,
// KCachegrind) and collapsed stacks (flame graphs, speedscope). The cost of a line is how many tokens were executed in
// it, if tokens were monitored in all files, else how often it was executed. Who called whom is not known: a procedure's cost is
// its own.
import type { FileProfile, Profile } from '../../5-profile/profile.js'
import { coverageOf, type FileCoverage } from '../coverage.js'
import { enclosing, type Procedure } from '../enclosing.js'
import { printableName } from '../table.js'

/** The lines of a procedure, or of what stands in none, with their costs. */
interface Section {
  readonly file: string
  readonly procedure: string
  readonly costs: readonly (readonly [line: number, cost: bigint])[]
}

/** Spells the costs in callgrind's format, version 1. */
export function callgrind(profile: Profile): string {
  const event = isOfTokens(profile) ? 'Tokens' : 'Executions'
  const lines = ['# callgrind format', 'version: 1', 'creator: scamp', 'positions: line', `events: ${event}`]
  const sections = sectionsOf(profile)
  const total = sections.flatMap(({ costs }) => costs).reduce((sum, [, cost]) => sum + cost, 0n)
  lines.push(`summary: ${total}`)
  for (const { file, procedure, costs } of sections) {
    lines.push('', `fl=${file}`, `fn=${procedure}`, ...costs.map(([line, cost]) => `${line} ${cost}`))
  }
  return lines.map((line) => `${line}\n`).join('')
}

/** Spells the costs as collapsed stacks: file, procedure and line, then the cost. */
export function collapsed(profile: Profile): string {
  return sectionsOf(profile)
    .flatMap(({ file, procedure, costs }) =>
      costs
        .filter(([, cost]) => cost > 0n)
        .map(([line, cost]) => `${frame(file)};${frame(procedure)};line ${line} ${cost}\n`),
    )
    .join('')
}

const frame = (name: string) => name.replaceAll(';', ':')

const isOfTokens = ({ files }: Profile) => files.every(({ sites, tokens }) => sites.length === 0 || tokens.length > 0)

function sectionsOf(profile: Profile): Section[] {
  const { files } = coverageOf(profile)
  const ofTokens = isOfTokens(profile)
  return profile.files.flatMap((file, i) => {
    const sections = new Map<Procedure | null, Map<number, bigint>>()
    for (const { line, cost, within } of ofTokens ? tokenCosts(file) : lineCosts(files[i])) {
      const costs = sections.get(within) ?? new Map<number, bigint>()
      sections.set(within, costs)
      costs.set(line, (costs.get(line) ?? 0n) + cost)
    }
    return [...sections].map(([procedure, costs]) => {
      return { file: printableName(file.name), procedure: nameOf(procedure), costs: [...costs] }
    })
  })
}

/** What something in a line costs, and the procedure it stands in. */
interface Cost {
  readonly line: number
  readonly cost: bigint
  readonly within: Procedure | null
}

function tokenCosts({ sites, tokens }: FileProfile): Cost[] {
  const procedureAt = enclosing(sites)
  return tokens.map((token) => ({ line: token.line, cost: token.count.value, within: procedureAt(token) }))
}

const lineCosts = ({ lines }: FileCoverage): Cost[] =>
  lines.map(({ line, count, within }) => ({ line, cost: count.value, within }))

function nameOf(procedure: Procedure | null): string {
  if (!procedure) return '(no procedure)'
  const { name, line, column } = procedure
  return name === '' ? `(routine text ${line}:${column})` : printableName(name)
}
