// Every folder of test/cases is a case: input.icn and what the stages make of it. A new case needs no code: make the
// folder, put in input.icn and empty files of the names below for the products worth judging, and `npm run accept`.
//
//   tree.txt    stage 1, the tree as S-expressions        output.icn  stage 3, the amended text without the prelude
//   plan.txt    stage 2, how each count is found          report.txt  stages 4 to 6 on iconx: SCAMP's report
//   error.txt   what is wrong with the input              summary.txt the same, format summary
//   stdout.txt  what the plain program prints, by iconx      listing.txt search.txt, ports.txt  reports on tokens
import { describe, expect, test } from '@jest/globals'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { children, type Node } from '../src/1-parse/icon/ast.js'
import { parseIcon } from '../src/1-parse/icon/parse.js'
import { formulas } from '../src/2-plan/solve.js'
import { placeProbes, type Plan, type Tally } from '../src/2-plan/plan.js'
import { rewrite } from '../src/3-rewrite/rewrite.js'
import { drawError, ScampError, type Source } from '../src/scamp.js'
import { command, inFolder, root, runScamp } from './programs.js'

const folder = join(root, 'test/cases')
const alone = { foreignNames: new Set<string>(), convertsErrors: false, isLaunched: false, isWhole: true }

const read = (source: Source) => {
  const tree = parseIcon(source, (name) => {
    const path = join(folder, name)
    return existsSync(path) ? { name, text: readFileSync(path, 'latin1'), language: 'icon' } : undefined
  })
  return { tree, plan: placeProbes(tree, alone, 'basis', 'constructs') }
}

const products: Record<string, (source: Source) => string> = {
  'tree.txt': (source) => `${drawTree(read(source).tree.program)}\n`,
  'plan.txt': (source) => drawPlan(read(source).plan),
  'output.icn': (source) => {
    const { tree, plan } = read(source)
    const destination = { kind: 'launched', programName: undefined, embed: false, mayTrace: true } as const
    const { text, prefix } = rewrite(tree, plan, destination)
    return text.slice(0, text.lastIndexOf(`global ${prefix}_,`)).replaceAll(prefix, '_c')
  },
  'error.txt': (source) => {
    try {
      read(source)
    } catch (error) {
      if (error instanceof ScampError) return `${drawError(error)}\n`
      throw error
    }
    return 'no error\n'
  },
  'report.txt': (source) => reportOf(source, '--format', 'scamp'),
  'summary.txt': (source) => reportOf(source, '--format', 'summary'),
  'listing.txt': (source) => reportOf(source, '--format', 'listing'),
  'ports.txt': (source) => reportOf(source, '--ports'),
  'search.txt': (source) => reportOf(source, '--format', 'search'),
  'stdout.txt': (source) =>
    inFolder({ 'input.icn': source.text }, (cwd) => {
      command('icont', ['-s', 'input.icn'], { cwd })
      return command('./input', [], { cwd }).stdout
    }),
}

function reportOf(source: Source, ...options: string[]): string {
  return inFolder({ 'input.icn': source.text }, (cwd) => {
    runScamp(['run', ...options, '-o', 'report', 'input.icn'], { cwd })
    return readFileSync(join(cwd, 'report'), 'utf8')
  })
}

function drawTree(node: Node, indent = ''): string {
  const facts = Object.entries(node)
    .filter(
      ([key, value]) =>
        !['kind', 'first', 'last', 'operatorToken', 'bodyToken'].includes(key) && typeof value !== 'object',
    )
    .map(([, value]) => ` ${String(value)}`)
  const names = 'name' in node && typeof node.name === 'object' ? ` ${node.name.name}` : ''
  const lines = [`${indent}(${node.kind}${names}${facts.join('')}`]
  for (const name of children[node.kind]) {
    const child = (node as unknown as Record<string, Node | null | (Node | null)[]>)[name]
    for (const one of Array.isArray(child) ? child : [child]) {
      lines.push(one ? drawTree(one, `${indent}  `) : `${indent}  -`)
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
    const what = site.kind === 'procedure' ? `procedure ${site.name}` : site.kind === 'do' ? site.loop : site.kind
    return [`${site.line}:${site.column} ${what}`, ...counts].join('\n')
  })
  return `${lines.join('\n')}\ncounters: ${flow.counters}\n`
}

describe('cases', () => {
  for (const name of readdirSync(folder).sort()) {
    if (!existsSync(join(folder, name, 'input.icn'))) continue
    const source: Source = {
      name: 'input.icn',
      text: readFileSync(join(folder, name, 'input.icn'), 'latin1'),
      language: 'icon',
    }
    for (const file of readdirSync(join(folder, name)).sort()) {
      if (!(file in products)) continue
      test(`${name} ${file}`, () => {
        const path = join(folder, name, file)
        const actual = products[file](source)
        if (process.env.ACCEPT) writeFileSync(path, actual, file.endsWith('.icn') ? 'latin1' : 'utf8')
        // if this is as it should be: npm run accept
        else expect(actual).toBe(readFileSync(path, file.endsWith('.icn') ? 'latin1' : 'utf8'))
      })
    }
  }
})
