// Every folder of test/cases is a case: input.icn or input.a68 and what the stages make of it. A new case needs no code:
// make the folder, put in the input and empty files of the names below for the products worth judging, and `npm run accept`.
//
//   tree.txt    stage 1, the tree as S-expressions        output.icn, output.a68  stage 3, the amended text without the prelude
//   plan.txt    stage 2, how each count is found          report.txt  stages 4 to 6: SCAMP's report, of Algol 68 with actions
//   error.txt   what is wrong with the input              summary.txt the same, format summary
//   stdout.txt  what the plain program prints, by icont and iconx, or by a68g
//   listing.txt, search.txt, ports.txt  reports on tokens
import { describe, expect, test } from '@jest/globals'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { children as algol68Children } from '../src/1-parse/algol68/ast.js'
import { children as iconChildren } from '../src/1-parse/icon/ast.js'
import { parse } from '../src/1-parse/parse.js'
import { formulas } from '../src/2-plan/solve.js'
import { placeProbes, type Plan, type Site, type Tally } from '../src/2-plan/plan.js'
import { rewrite } from '../src/3-rewrite/rewrite.js'
import { drawError, ScampError, type Source } from '../src/scamp.js'
import { command, inFolder, root, runScamp } from './programs.js'

const folder = join(root, 'test/cases')
const alone = { foreignNames: new Set<string>(), convertsErrors: false, isLaunched: false, isWhole: true }
const monitors = { icon: 'constructs', algol68: 'actions' } as const

const read = (source: Source) => {
  const readIncluded = (name: string): Source | undefined => {
    const path = join(folder, name)
    return existsSync(path) ? { name, text: readFileSync(path, 'latin1'), language: source.language } : undefined
  }
  const tree = parse(source, { readInclude: readIncluded, readIncluded: () => undefined, stropping: 'upper' })
  return { tree, plan: placeProbes(tree, alone, 'basis', monitors[source.language]) }
}

/** The amended text and the names in it, which get a short prefix. */
function amend(source: Source, prefixShown: string): string {
  const { tree, plan } = read(source)
  const destination = { kind: 'launched', programName: undefined, embed: false, mayTrace: true } as const
  const { text, prefix } = rewrite(tree, plan, destination)
  return text.replaceAll(prefix, prefixShown)
}

const children = { icon: iconChildren, algol68: algol68Children }

const isText = (file: string) => /\.(?:icn|a68)$/.test(file)

const products: Record<string, (source: Source) => string> = {
  'tree.txt': (source) => `${drawTree(read(source).tree.program, children[source.language])}\n`,
  'plan.txt': (source) => drawPlan(read(source).plan),
  'output.icn': (source) => {
    const text = amend(source, '_c')
    return text.slice(0, text.lastIndexOf('global _c_,'))
  },
  'output.a68': (source) => amend(source, 'z'),
  'error.txt': (source) => {
    try {
      read(source)
    } catch (error) {
      if (error instanceof ScampError) return `${drawError(error)}\n`
      throw error
    }
    return 'no error\n'
  },
  'report.txt': (source) => reportOf(source, '--format', 'scamp', '--monitor', monitors[source.language]),
  'summary.txt': (source) => reportOf(source, '--format', 'summary'),
  'listing.txt': (source) => reportOf(source, '--format', 'listing'),
  'ports.txt': (source) => reportOf(source, '--ports'),
  'search.txt': (source) => reportOf(source, '--format', 'search'),
  'stdout.txt': (source) =>
    inFolder({ [source.name]: source.text }, (cwd) => {
      if (source.language === 'algol68') return command('a68g', ['--nowarnings', source.name], { cwd }).stdout
      command('icont', ['-s', 'input.icn'], { cwd })
      return command('./input', [], { cwd }).stdout
    }),
}

function reportOf(source: Source, ...options: string[]): string {
  return inFolder({ [source.name]: source.text }, (cwd) => {
    runScamp(['run', ...options, '-o', 'report', source.name], { cwd })
    return readFileSync(join(cwd, 'report'), 'utf8')
  })
}

/** What all nodes have, in both languages. */
interface Node {
  readonly kind: string
  readonly name?: string | Name | null
  readonly operators?: readonly Name[]
  readonly parameters?: readonly Name[] | object
}
interface Name {
  readonly name: string
}

function drawTree(node: Node, children: Readonly<Record<string, readonly string[]>>, indent = ''): string {
  const facts = Object.entries(node)
    .filter(
      ([key, value]) =>
        !['kind', 'first', 'last', 'operatorToken', 'bodyToken', 'doToken'].includes(key) && typeof value !== 'object',
    )
    .map(([, value]) => ` ${String(value)}`)
  const { name, operators = [], parameters } = node
  const ownNames = Array.isArray(parameters) && node.kind === 'Routine' ? (parameters as Name[]) : []
  const all = [...(typeof name === 'object' && name ? [name] : []), ...operators, ...ownNames]
  const names = all.map((one) => ` ${one.name}`).join('')
  const lines = [`${indent}(${node.kind}${names}${facts.join('')}`]
  for (const key of children[node.kind]) {
    const child = (node as unknown as Record<string, Node | null | (Node | null)[]>)[key]
    for (const one of Array.isArray(child) ? child : [child]) {
      lines.push(one ? drawTree(one, children, `${indent}  `) : `${indent}  -`)
    }
  }
  return `${lines.join('\n')})`
}

function drawPlan({ sites, flow }: Plan): string {
  const sums = formulas(flow)!.map((terms) =>
    terms.map(({ counter, factor }) => {
      return `${factor < 0 ? '-' : '+'} ${Math.abs(factor) === 1 ? '' : `${Math.abs(factor)} `}c${counter}`
    }),
  )
  const total = (tally: Tally) =>
    tally
      .flatMap((edge) => sums[edge])
      .join(' ')
      .replace(/^\+ /, '') || '0'
  const lines = sites.map((site) => {
    const tallies = Object.entries(site).filter(
      (entry): entry is [string, Tally] => Array.isArray(entry[1]) && entry[0] !== 'arms',
    )
    const arms = site.kind === 'case' ? site.arms.map(({ name, count }): [string, Tally] => [name, count]) : []
    const counts = [...tallies, ...arms].map(([name, tally]) => `  ${name} = ${total(tally)}`)
    const what = whatIs(site)
    return [`${site.line}:${site.column} ${what}`, ...counts].join('\n')
  })
  return `${lines.join('\n')}\ncounters: ${flow.counters}\n`
}

function whatIs(site: Site): string {
  if (site.kind === 'action') return `${site.action} ${site.name}`.trimEnd()
  if (site.kind === 'do') return site.loop
  return site.kind === 'procedure' || site.kind === 'routine' ? `${site.kind} ${site.name}`.trimEnd() : site.kind
}

describe('cases', () => {
  for (const name of readdirSync(folder).sort()) {
    const input = ['input.icn', 'input.a68'].find((one) => existsSync(join(folder, name, one)))
    if (input === undefined) continue
    const text = readFileSync(join(folder, name, input), 'latin1')
    const source: Source = { name: input, text, language: input === 'input.icn' ? 'icon' : 'algol68' }
    for (const file of readdirSync(join(folder, name)).sort()) {
      if (!(file in products)) continue
      test(`${name} ${file}`, () => {
        const path = join(folder, name, file)
        const actual = products[file](source)
        if (process.env.ACCEPT) writeFileSync(path, actual, isText(file) ? 'latin1' : 'utf8')
        // if this is as it should be: npm run accept
        else expect(actual).toBe(readFileSync(path, isText(file) ? 'latin1' : 'utf8'))
      })
    }
  }
})
