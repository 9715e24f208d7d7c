// What holds of the counts of an Algol 68 program, whatever it is: told from its tree alone, clause by clause, by other
// means than those that scamp counts and infers with.
import { children, type Call, type Node, type Routine, type Series, type Unit } from '../src/1-parse/algol68/ast.js'
import type { Algol68Tree } from '../src/1-parse/algol68/parse.js'
import { walk } from '../src/1-parse/walk.js'
import { lineStarts, positionIn } from '../src/source.js'
import type { JsonReport } from './algol68.js'

interface Count {
  readonly count: bigint
  readonly exact: boolean
}

/**
 * What in a report contradicts the laws:
 *
 *   - what stands in a series or unit begins at most as often as that does, and as often if control never leaves it: IF,
 *     CASE, ANDF and its like by the sum of their ways, blocks, calls, assignations, units of PAR
 *   - a loop's body begins once more after each test of WHILE but the last, and before each of UNTIL; with numbers for its
 *     limits, as often as they say
 *   - a routine that is only ever called by its name begins as often as it is called
 *
 * isWhole  whether the program came to its end without an error
 */
export function breaches(tree: Algol68Tree, report: JsonReport, isWhole: boolean): string[] {
  const laws = new Laws(tree, report, isWhole)
  laws.check()
  return laws.breaches
}

class Laws {
  readonly breaches: string[] = []
  private readonly sites = new Map<string, ReadonlyMap<string, Count>>()
  private readonly starts: readonly (readonly number[])[]
  /** Whether control always comes to the end of what it comes into. */
  private readonly isStraight: boolean

  constructor(
    private readonly tree: Algol68Tree,
    report: JsonReport,
    isWhole: boolean,
  ) {
    for (const { name: file, sites } of report.files) {
      for (const { kind, name, line, column, counts } of sites) {
        const key = `${file}:${line}:${column} ${kind === 'action' ? name!.split(' ')[0] : kind}`
        this.sites.set(
          key,
          new Map(counts.map(({ name: what, count, exact }) => [what, { count: BigInt(count), exact }])),
        )
      }
    }
    this.starts = tree.tokens.files.map(({ text }) => lineStarts(text))
    let jumps = false
    walk<Node>(tree.program, children, (node) => {
      jumps ||= node.kind === 'Jump' || node.kind === 'Label'
      jumps ||= node.kind === 'Identifier' && ['stop', 'abort', 'halt'].includes(node.name)
    })
    this.isStraight = isWhole && !jumps
  }

  check(): void {
    const { series, refinements } = this.tree.program
    this.series(series, { count: 1n, exact: true })
    for (const refinement of refinements) this.series(refinement.series, undefined)
    this.checkCalls()
  }

  // ---- sites

  private place(token: number): string {
    const { file, from, files } = this.tree.tokens
    const { line, column } = positionIn(this.starts[file[token]], from[token])
    return `${files[file[token]].name}:${line}:${column}`
  }

  /** A count of the site at a token; undefined if that is not monitored. */
  private count(token: number, kind: string, name: string): Count | undefined {
    return this.sites.get(`${this.place(token)} ${kind}`)?.get(name)
  }

  /** The sum of all counts of a site. */
  private total(token: number, kind: string): Count | undefined {
    const counts = this.sites.get(`${this.place(token)} ${kind}`)
    return counts && [...counts.values()].reduce(add)
  }

  private holds(isRight: boolean, token: number, law: string, one: Count, other: Count): void {
    if (!isRight) this.breaches.push(`${this.place(token)} ${law}: ${one.count} and ${other.count}`)
  }

  /** One count is at most another, and the same if control goes straight on. */
  private follows(token: number, law: string, one: Count | undefined, other: Count | undefined): void {
    if (!one || !other || !one.exact) return
    this.holds(one.count <= other.count, token, law, one, other)
    if (this.isStraight && other.exact) this.holds(one.count === other.count, token, law, one, other)
  }

  // ---- clauses

  private series({ phrases }: Series, entered: Count | undefined): void {
    let begun = entered
    for (const phrase of phrases) {
      // control may come to a label any number of times
      if (phrase.kind === 'Label') begun = undefined
      else if (phrase.kind !== 'Exit') this.unit(phrase, begun)
    }
  }

  private units(nodes: readonly (Unit | null)[], entered: Count | undefined): void {
    for (const node of nodes) if (node) this.unit(node, entered)
  }

  private unit(node: Unit, entered: Count | undefined): void {
    switch (node.kind) {
      case 'If':
      case 'Case':
        return this.choice(node, entered)
      case 'Loop': {
        this.units([node.from, node.by, node.to], entered)
        const passes = this.count(node.first, 'loop', 'passes')
        const tests = this.count(node.first, 'loop', 'tests')
        if (node.condition) this.series(node.condition, tests)
        this.series(node.body, passes)
        if (node.until) this.series(node.until, node.condition ? undefined : tests)
        if (node.condition && node.until === null) this.whileLoop(node.first, passes, tests, entered, node.to !== null)
        if (node.until && node.condition === null) this.follows(node.first, 'UNTIL', tests, passes)
        const times = this.passesOf(node)
        if (times !== undefined && entered) {
          this.follows(node.first, 'FOR', passes, { count: times * entered.count, exact: entered.exact })
        }
        return
      }
      case 'Routine':
        return this.routine(node, node.first)
      case 'Declaration':
        for (const part of node.parts) {
          if (part.kind === 'Declarer' || part.what === 'MODE' || !part.value) continue
          if (part.value.kind === 'Routine') this.routine(part.value, part.name.token)
          else this.unit(part.value, entered)
        }
        return
      case 'Closed':
        this.follows(node.first, 'block', this.count(node.first, 'block', 'passes'), entered)
        return this.series(node.series, entered)
      case 'Collateral':
        if (node.isParallel) this.follows(node.first, 'PAR', this.count(node.first, 'PAR', 'times'), entered)
        return this.units(node.units, entered)
      case 'Conditional': {
        const operator = node.right.first - 1
        const word = this.word(operator)
        this.unit(node.left, entered)
        this.follows(operator, word, this.total(operator, word), entered)
        return this.unit(node.right, this.count(operator, word, 'times'))
      }
      case 'Assignation':
        this.follows(node.source.first - 1, 'ASST', this.count(node.source.first - 1, 'ASST', 'times'), entered)
        return this.units([node.target, node.source], entered)
      case 'Call': {
        const token = tokenOf(node)
        this.follows(token, 'CALL', this.count(token, 'CALL', 'times'), entered)
        return this.units([node.callee, ...node.args], entered)
      }
      case 'Formula':
        return this.units(node.operands, entered)
      case 'Slice':
        return this.units([node.primary, ...node.subscripts], entered)
      case 'Cast':
        return this.unit(node.clause, entered)
      case 'Format':
        // how often a format is used does not show
        return this.units(node.clauses, undefined)
      default:
        return
    }
  }

  private choice(node: Extract<Unit, { kind: 'If' | 'Case' }>, entered: Count | undefined): void {
    const kind = node.kind === 'If' ? 'if' : 'case'
    this.follows(node.first, kind, this.total(node.first, kind), entered)
    const way = (name: string) => this.count(node.first, kind, name)
    const { otherwise } = node
    if (node.kind === 'If') {
      this.series(node.condition, entered)
      this.series(node.then, way('true'))
    } else {
      this.series(node.chooser, entered)
      node.arms.forEach(({ unit }, i) => this.unit(unit, way(String(i + 1))))
    }
    if (otherwise?.kind === 'Series') this.series(otherwise, way(node.kind === 'If' ? 'false' : 'out'))
    else if (otherwise) this.unit(otherwise, way(node.kind === 'If' ? 'false' : 'out'))
  }

  /** The tests beyond the passes are those that ended the loop, unless TO did. */
  private whileLoop(
    token: number,
    passes: Count | undefined,
    tests: Count | undefined,
    entered: Count | undefined,
    hasEnd: boolean,
  ): void {
    if (!passes || !tests) return
    if (passes.exact) this.holds(passes.count <= tests.count, token, 'WHILE passes', passes, tests)
    if (!entered || !passes.exact || !tests.exact) return
    const ends = { count: tests.count - passes.count, exact: true }
    if (!hasEnd) this.follows(token, 'WHILE', ends, entered)
    else this.holds(ends.count <= entered.count, token, 'WHILE', ends, entered)
  }

  /** How often a loop with numbers for limits passes each time. */
  private passesOf(node: Extract<Unit, { kind: 'Loop' }>): bigint | undefined {
    if (node.by || node.condition || node.until || !node.to || this.word(node.to.first - 1) !== 'TO') return undefined
    const from = node.from ? this.number(node.from) : 1n
    const to = this.number(node.to)
    return from === undefined || to === undefined ? undefined : to < from ? 0n : to - from + 1n
  }

  private number({ kind, first }: Unit): bigint | undefined {
    const text = kind === 'Denotation' ? this.word(first).replace(/\s/g, '') : ''
    return /^\d+$/.test(text) ? BigInt(text) : undefined
  }

  private word(token: number): string {
    const { file, from, to, files } = this.tree.tokens
    return files[file[token]].text.slice(from[token], to[token]).replaceAll("'", '').toUpperCase()
  }

  // ---- routines

  private routine(node: Routine, token: number): void {
    const calls = this.count(token, 'routine', 'calls')
    const { unit } = node
    // a body that is a closed clause is no block
    if (unit.kind === 'Closed') this.series(unit.series, calls)
    else this.unit(unit, calls)
  }

  private checkCalls(): void {
    const declared = new Map<string, number>()
    const procedures = new Map<string, { readonly token: number; readonly parameters: number }>()
    const mentions = new Map<string, number>()
    const calls = new Map<string, Call[]>()
    const raise = (counts: Map<string, number>, name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
    // in the outermost range, so that the name means nothing else anywhere
    for (const phrase of this.tree.program.series.phrases) {
      for (const part of phrase.kind === 'Declaration' ? phrase.parts : []) {
        if (part.kind === 'Declarer' || part.what !== 'PROC' || !part.isIdentity) continue
        if (part.value?.kind !== 'Routine') continue
        procedures.set(part.name.name, { token: part.name.token, parameters: part.value.parameters.length })
      }
    }
    walk<Node>(this.tree.program, children, (node) => {
      if (node.kind === 'Definition') raise(declared, node.name.name)
      else if (node.kind === 'Routine') for (const { name } of node.parameters) raise(declared, name)
      else if (node.kind === 'Loop' || node.kind === 'Arm') {
        if (node.name) raise(declared, node.name.name)
      } else if (node.kind === 'Identifier') raise(mentions, node.name)
      else if (node.kind === 'Call' && node.callee.kind === 'Identifier') {
        calls.set(node.callee.name, [...(calls.get(node.callee.name) ?? []), node])
      }
    })
    for (const [name, { token, parameters }] of procedures) {
      const own = calls.get(name) ?? []
      const isWhole = own.every(({ args }) => args.length === parameters)
      if (parameters === 0 || declared.get(name) !== 1 || mentions.get(name) !== own.length || !isWhole) continue
      const counts = own.map((call) => this.count(tokenOf(call), 'CALL', 'times'))
      if (counts.length === 0 || counts.includes(undefined)) continue
      this.follows(token, `calls of ${name}`, this.count(token, 'routine', 'calls'), (counts as Count[]).reduce(add))
    }
  }
}

/** Where a call is said to be. */
const tokenOf = ({ callee }: Call) => (callee.kind === 'Identifier' ? callee.first : callee.last + 1)

const add = (one: Count, other: Count): Count => ({
  count: one.count + other.count,
  exact: one.exact && other.exact,
})
