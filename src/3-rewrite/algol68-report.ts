// The report that a self-contained Algol 68 program prints when it ends: the prelude, and a call for each of its tables.
// It says what src/6-report/constructs.ts says, as far as the text of a program that ends by itself can tell.
import { readFileSync } from 'node:fs'
import type { Algol68Tree } from '../1-parse/algol68/parse.js'
import type { Plan, Site, Tally } from '../2-plan/plan.js'
import { spellSums, type NamedSum } from '../2-plan/solve.js'
import type { Algol68Names } from './algol68-link.js'

const armsPerLine = 5

/** Standard names that the prelude uses: it can do so only where the program does not give them another meaning. */
export const usedNames: readonly string[] = [
  'getenv',
  'open',
  'standoutchannel',
  'standerror',
  'whole',
  'put',
  'newline',
]

/** What prints the report: declarations and units for a series. */
export function reportSeries({ source, stropping }: Algol68Tree, plan: Plan, names: Algol68Names): string {
  const { prefix } = names
  // in small letters, whatever the stropping: that is changed at the end
  const counter = (number: number) => names.counter(number).toLowerCase()
  const { sums, parts } = spellSums(plan.flow, counter, (edge) => `${prefix}e${edge}`)
  const spelled = sums.map(spellSum)
  const total: Total = (...tallies) =>
    tallies
      .flat()
      .map((edge) => spelled[edge])
      .join('')
      .replace(/^\+/, '') || '0'
  const title = `MONITORING INFORMATION FOR TEXT FILE ${source.name}`
  const lines = [
    ...parts.map(({ name, sum }) => `INT ${name} = ${spellSum(sum).replace(/^\+/, '')};`),
    `put(${prefix}out, (${quoted(title)}, newline, ${quoted('*'.repeat(title.length))}, newline));`,
    ...tables.flatMap(({ kind, title: heading, letters, headings, rows }) => {
      const sites = plan.sites.filter((site) => site.kind === kind && site.file === 0)
      if (sites.length === 0) return []
      const cells = sites.flatMap((site) => rows(site, total, prefix))
      const used = cells.some((row) => row.length >= headings.length) ? headings : headings.slice(0, -1)
      const all = [used.map(quoted), ...cells].map((row) => `(${row.join(', ')})`)
      return [
        `${prefix}table(${quoted(heading)}, ${quoted(letters)}, (`,
        ...all.map((row, i) => row + (i + 1 < all.length ? ',' : '));')),
      ]
    }),
    ...(plan.sites.length === 0 ? [`put(${prefix}out, (newline, "no constructs", newline));`] : []),
    'SKIP',
  ]
  const text = `${prelude(prefix)}${lines.join('\n')}\n`
  return stropping === 'quote' ? inQuotes(text) : text
}

type Total = (...tallies: readonly Tally[]) => string

/** One table of the report; `letters`: how its columns are aligned; `rows` spells the rows of a site, each cell a STRING. */
interface ReportTable {
  readonly kind: Site['kind']
  readonly title: string
  readonly letters: string
  readonly headings: readonly string[]
  readonly rows: (site: Site, total: Total, prefix: string) => string[][]
}

function table<Kind extends Site['kind']>(
  kind: Kind,
  title: string,
  letters: string,
  headings: readonly string[],
  rows: (site: Extract<Site, { kind: Kind }>, total: Total, prefix: string) => string[][],
): ReportTable {
  return { kind, title, letters, headings: ['LINENO', ...headings], rows: rows as ReportTable['rows'] }
}

const tables: readonly ReportTable[] = [
  table('block', 'BLOCKS', 'rr', ['PASSES'], ({ line, passes }, total, prefix) => [
    [quoted(line), `${prefix}n(${total(passes)})`],
  ]),
  table('routine', 'PROCEDURES', 'rlr', ['NAME', 'CALLS'], ({ line, name, calls }, total, prefix) => [
    [quoted(line), quoted(name === '' ? '-' : name), `${prefix}n(${total(calls)})`],
  ]),
  table(
    'if',
    'IF STATEMENTS',
    'rrrr',
    ['TOTAL', 'TRUE (% OF TOTAL)', 'FALSE (% OF TOTAL)'],
    ({ line, true: yes, false: no }, total, prefix) => {
      const all = total(yes, no)
      const share = (tally: Tally) => `${prefix}share(${total(tally)}, ${all})`
      return [[quoted(line), `${prefix}n(${all})`, share(yes), share(no)]]
    },
  ),
  table(
    'case',
    'CASE STATEMENTS',
    'rrl',
    ['TOTAL', 'FORMAT IS CASENO:INVOCATIONS (% OF TOTAL)'],
    ({ line, arms }, total, prefix) => {
      const all = total(...arms.map(({ count }) => count))
      const items = arms.map(({ name, count }) => {
        const item = `${quoted(`${name}:`)} + ${prefix}share(${total(count)}, ${all})`
        // where there is no OUT, that no unit was chosen is worth a word only if it happened
        return name === 'skipped' || name === 'unmatched' ? `(${total(count)} > 0 | ${item} | "")` : item
      })
      const rows = [[quoted(line), `${prefix}n(${all})`, ...items.slice(0, armsPerLine)]]
      for (let i = armsPerLine; i < items.length; i += armsPerLine) {
        rows.push(['""', '""', ...items.slice(i, i + armsPerLine)])
      }
      return rows
    },
  ),
  table('loop', 'DO STATEMENTS', 'rrr', ['ELABORATIONS', 'TESTS'], ({ line, passes, tests }, total, prefix) => [
    [quoted(line), ...[passes, ...(tests ? [tests] : [])].map((tally) => `${prefix}n(${total(tally)})`)],
  ]),
  table('action', 'ACTIONS', 'rllr', ['KIND', 'NAME', 'TIMES'], ({ line, action, name, times }, total, prefix) => [
    [quoted(line), quoted(action), quoted(name), `${prefix}n(${total(times)})`],
  ]),
]

/** A STRING denotation. */
const quoted = (text: string | number) => `"${String(text).replaceAll('"', '""')}"`

/** A STRING of any characters. */
export const denotation = (text: string) =>
  quoted(text).replace(/[^\P{Cc}\x80-\x9f]/gu, (character) => `"+REPR${character.charCodeAt(0)}+"`)

function spellSum(sum: NamedSum): string {
  const terms = [...sum].map(([name, factor]) => {
    const sign = factor < 0 ? '-' : '+'
    return Math.abs(factor) === 1 ? `${sign}${name}` : `${sign}${Math.abs(factor)}*${name}`
  })
  return terms.join('') || '+0'
}

// the prelude without its comments, cut where the prefix goes
let stripped: readonly string[] | undefined

/** The prelude, under names that begin with the prefix. */
function prelude(prefix: string): string {
  stripped ??= readFileSync(new URL('../../prelude/report.a68', import.meta.url), 'latin1')
    .replace(/#[^#]*#/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .join('\n')
    .split(/\bscamp(?=[a-z])/)
  return `${stripped.join(prefix)}\n`
}

/** A text in quote stropping. */
export function inQuotes(text: string): string {
  return text.replace(/"[^"]*"|[A-Z]+|[a-z][a-z0-9]*/g, (part) => {
    if (part.startsWith('"')) return part
    return /^[A-Z]/.test(part) ? `'${part}'` : part.toUpperCase()
  })
}
