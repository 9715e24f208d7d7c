// Algol 68 programs in tests: where they are, how they run, and what a68g's own syntax tree says of their clauses.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { children, type Node, type Unit } from '../src/1-parse/algol68/ast.js'
import type { Algol68Tree } from '../src/1-parse/algol68/parse.js'
import { walk } from '../src/1-parse/walk.js'
import { studyNames } from '../src/2-plan/algol68-names.js'
import { readProfiles, report } from '../src/scamp.js'
import { lineStarts, positionIn } from '../src/source.js'
import { command, inFolder, root, scamp, type Outcome } from './programs.js'

/** What programs that read are given. */
const input = '3 4 -5 6 7\nabc\n12\n'

/** Fails the test, loudly, if a68g is not there. */
export function requireA68g(): void {
  if (spawnSync('sh', ['-c', 'command -v a68g']).status !== 0) {
    throw new Error('a68g is needed to judge: apt-get install algol68g')
  }
}

/** The paths of all Algol 68 programs of these folders. */
export function programsIn(...folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(join(root, folder))
      .filter((name) => name.endsWith('.a68'))
      .map((name) => join(root, folder, name)),
  )
}

/** A program's text, and a command run on a copy of it in a fresh folder. */
export function runPlain(path: string, options: readonly string[] = ['--nowarnings']): Outcome {
  return inCopyOf(path, (cwd, name) => withInput(['a68g', ...options, name], cwd))
}

/** What `scamp run` does with a program, and reports on it by their formats, if it was counted. */
export interface Monitored {
  readonly outcome: Outcome
  readonly reports: ((format: string) => string) | undefined
}

export function runMonitored(path: string, ...options: string[]): Monitored {
  return inCopyOf(path, (cwd, name) => {
    const outcome = withInput([process.execPath, scamp, 'run', '-o', '/dev/null', ...options, name], cwd)
    if (!existsSync(join(cwd, '.scamp'))) return { outcome, reports: undefined }
    const { profile } = readProfiles([join(cwd, '.scamp')])
    // from here the text is not to be found, of which there is a note
    return { outcome, reports: (format) => report({ ...profile, notes: [] }, format) }
  })
}

/** Runs a command with the input that is there for programs; it need not read it. */
export function withInput(words: readonly string[], cwd: string): Outcome {
  writeFileSync(join(cwd, 'stdin'), input)
  return command('sh', ['-c', 'exec "$@" < stdin', 'sh', ...words], { cwd })
}

export interface JsonReport {
  files: {
    name: string
    sites: {
      kind: string
      name: string | null
      line: number
      column: number
      counts: { name: string; count: string; exact: boolean }[]
    }[]
  }[]
}

/** Every count of a report, by the place and name of what it counts. */
export function countsIn(report: JsonReport): Map<string, { count: bigint; exact: boolean }> {
  const counts = new Map<string, { count: bigint; exact: boolean }>()
  for (const { name: file, sites } of report.files) {
    for (const { kind, line, column, counts: own } of sites) {
      for (const { name, count, exact } of own) {
        counts.set(`${file}:${line}:${column} ${kind} ${name}`, { count: BigInt(count), exact })
      }
    }
  }
  return counts
}

export function inCopyOf<T>(path: string, work: (cwd: string, name: string) => T): T {
  const name = basename(path)
  return inFolder({ [name]: readFileSync(path, 'latin1') }, (cwd) => work(cwd, name))
}

/** How many clauses of each kind begin on each line, by our tree: keys are `LINE KIND`. */
export function clausesOf(tree: Algol68Tree): Map<string, number> {
  const { program, tokens } = tree
  const { slices } = studyNames(tree)
  const counts = new Map<string, number>()
  const starts = lineStarts(tokens.files[0].text)
  const add = (kind: string, token: number) => {
    const key = `${positionIn(starts, tokens.from[token]).line} ${kind}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  const alternatives = new Set<Unit>()
  walk<Node>(program, children, (node) => {
    switch (node.kind) {
      case 'If':
      case 'Case': {
        const kind = node.kind === 'If' ? 'conditional-clause' : node.isConformity ? 'conformity-clause' : 'case-clause'
        if (!alternatives.has(node)) add(kind, node.first)
        if (!node.otherwise || node.otherwise.kind === 'Series') break
        alternatives.add(node.otherwise)
        add('alternative', node.otherwise.first)
        break
      }
      case 'Loop':
        add('loop-clause', node.first)
        if (node.condition) add('while-part', node.condition.first - 1)
        if (node.until) add('until-part', node.until.first - 1)
        break
      case 'Routine':
        add('routine-text', node.first)
        break
      case 'Closed':
        add('closed-clause', node.first)
        break
      case 'Collateral':
        add('collateral-clause', node.first)
        if (node.isParallel) add('parallel-clause', node.first)
        break
      case 'Format':
        add('format-text', node.first)
        break
      case 'Call':
        if (!slices(node)) add('call', node.first)
    }
  })
  return counts
}

// how a68g calls the nodes that are counted
const counted: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (
      'conditional-clause case-clause conformity-clause loop-clause while-part until-part routine-text closed-clause ' +
      'collateral-clause parallel-clause format-text call'
    )
      .split(' ')
      .map((name) => [name, name]),
  ),
  'elif-if-part': 'alternative',
  'else-open-part': 'alternative',
  'ouse-part': 'alternative',
}
const nodeRow = new RegExp(`^ +\\d+ \\d{6} p\\d\\d .*[ |](${Object.keys(counted).join('|')})(?:, [a-z].*)?$`)

/** The same by a68g's syntax tree; undefined if a68g rejects the program. */
export function clausesByA68g(path: string): Map<string, number> | undefined {
  return inCopyOf(path, (cwd, name) => {
    const { status } = command('a68g', ['--tree', '--check', '--nowarnings', name], { cwd })
    if (status !== 0) return undefined
    const listing = readFileSync(join(cwd, name.replace(/\.a68$/, '.l')), 'latin1')
    const counts = new Map<string, number>()
    let line = 0
    for (const row of listing.slice(listing.indexOf('Syntax tree listing')).split('\n')) {
      const source = /^(\d+) +/.exec(row)
      if (source) line = Number(source[1])
      const node = nodeRow.exec(row)
      if (!node) continue
      const key = `${line} ${counted[node[1]]}`
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    return counts
  })
}
