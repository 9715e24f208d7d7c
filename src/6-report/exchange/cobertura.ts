// Profile → Cobertura's XML, as its DTD of version 4 has it. (Istanbul's report leaves out attributes which that requires,
// and does not tell decisions apart.) Folders are packages, files classes, procedures methods.
import type { Profile } from '../../5-profile/profile.js'
import { addTotals, coverageOf, type FileCoverage, type Item, type LineCoverage, type Totals } from '../coverage.js'
import { decisionsIn } from './decisions.js'
import { escapeXml } from './xml.js'

const doctype = '<!DOCTYPE coverage SYSTEM "http://cobertura.sourceforge.net/xml/coverage-04.dtd">'

/** Spells coverage as Cobertura does. `milliseconds`: the time it mentions, since 1970. */
export function cobertura(profile: Profile, milliseconds: number): string {
  const { files, totals } = coverageOf(profile)
  const packages = new Map<string, FileCoverage[]>()
  for (const file of files) {
    const folder = file.name.slice(0, Math.max(0, file.name.lastIndexOf('/')))
    packages.set(folder, [...(packages.get(folder) ?? []), file])
  }
  const branches = branchesOf(totals)
  const attributes = {
    'lines-valid': totals.line.total,
    'lines-covered': totals.line.covered,
    'branches-valid': branches.total,
    'branches-covered': branches.covered,
    ...rates(totals),
    version: 'scamp',
    timestamp: milliseconds,
  }
  const body = element('coverage', attributes, [
    element('sources', {}, ['<source>.</source>']),
    element(
      'packages',
      {},
      [...packages].map(([folder, list]) => {
        const name = folder === '' ? '.' : folder.replace(/^\//, '').replaceAll('/', '.')
        const all = addTotals(list.map((file) => file.totals))
        return element('package', { name, ...rates(all) }, [element('classes', {}, list.map(classOf))])
      }),
    ),
  ])
  return `<?xml version="1.0"?>\n${doctype}\n${body}\n`
}

function classOf(file: FileCoverage): string {
  const items = file.items.filter(({ excluded }) => excluded === null)
  const lines = file.lines.filter(({ excluded }) => excluded === null)
  const decisions = decisionsIn(items)
  const lineOf = (line: LineCoverage) => spellLine(line, decisions)
  const procedures = items.filter(({ kind }) => kind === 'procedure')
  const methods = procedures.map((procedure) => {
    const own = lines.filter(({ within }) => within === procedure.within)
    const covered = own.filter((line) => line.covered).length
    const sides = decisions.flat().filter(({ within }) => within === procedure.within)
    const attributes = {
      name: procedure.of === '' ? `routine text ${procedure.line}:${procedure.column}` : procedure.of,
      signature: '',
      'line-rate': rate({ covered, total: own.length }),
      'branch-rate': rate({ covered: sides.filter((side) => side.covered).length, total: sides.length }),
      complexity: 0,
    }
    return element('method', attributes, [element('lines', {}, own.map(lineOf))])
  })
  const name = file.name.slice(file.name.lastIndexOf('/') + 1)
  return element('class', { name, filename: file.name, ...rates(file.totals) }, [
    element('methods', {}, methods),
    element('lines', {}, lines.map(lineOf)),
  ])
}

function spellLine({ line, count, covered }: LineCoverage, decisions: readonly (readonly Item[])[]): string {
  const here = decisions.filter(([item]) => item.line === line)
  const hits = covered ? String(count.value) : '0'
  if (here.length === 0) return element('line', { number: line, hits, branch: 'false' }, [])
  const taken = here.flat().filter((side) => side.covered).length
  const all = here.flat().length
  const conditions = here.map((sides, number) => {
    const share = sides.filter((side) => side.covered).length / sides.length
    const type = sides.length > 2 ? 'switch' : 'jump'
    return element('condition', { number, type, coverage: `${Math.floor(100 * share)}%` }, [])
  })
  const share = `${Math.floor((100 * taken) / all)}% (${taken}/${all})`
  return element('line', { number: line, hits, branch: 'true', 'condition-coverage': share }, [
    element('conditions', {}, conditions),
  ])
}

/** Branches, and operations that may succeed and fail, are branches to Cobertura. */
const branchesOf = ({ branch, outcome }: Totals) => ({
  covered: branch.covered + outcome.covered,
  total: branch.total + outcome.total,
})

const rates = (totals: Totals) => ({
  'line-rate': rate(totals.line),
  'branch-rate': rate(branchesOf(totals)),
  complexity: 0,
})

/** A share from 0 to 1; rounded down, so that 1 means all. */
function rate({ covered, total }: { readonly covered: number; readonly total: number }): string {
  return total === 0 ? '1' : String(Math.floor((10_000 * covered) / total) / 10_000)
}

function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  content: readonly string[],
): string {
  const spelled = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(String(value))}"`)
  const start = `<${name}${spelled.join('')}`
  if (content.length === 0) return `${start}/>`
  return `${start}>\n${content.join('\n').replace(/^/gm, ' ')}\n</${name}>`
}
