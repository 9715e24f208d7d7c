// Icon: the four ports of expressions, as vertices of the flow graph: an expression is entered by its start or by being
// resumed, and left by success or by failure. Here is what every operation has of them, and what is noted of tokens;
// icon-tokens.ts leads control from one to the other.
//
// source: O'Bagy and Griswold, "A Recursive Interpreter for the Icon Programming Language", PLDI 1987
import type { Expression, Node } from '../1-parse/icon/ast.js'
import { tokenText } from '../1-parse/icon/scan.js'
import { likelihood } from './icon-expectations.js'
import { operandsOf } from './icon-expressions.js'
import { Finality } from './icon-finality.js'
import { failureTolls, type Measure } from './icon-graph.js'
import { around, IconPlanner, type SitePlace } from './icon-planner.js'
import { contractCircles, outside } from './infer.js'
import { type Operation } from './outcomes.js'
import type { Planned, PortTallies, Site, Tally, TokenSite, Unmonitored } from './plan.js'

/** Where control is after an expression succeeded or failed, and where it goes to resume it. */
export interface Ports {
  readonly success: number
  readonly failure: number
  readonly resume: number
}

/** Draws the ports of operations, and notes which edges count tokens. */
export abstract class PortPlanner extends IconPlanner {
  private readonly counted: { readonly token: number; readonly count: Tally }[] = []
  private readonly ports = new Map<number, PortTallies>()
  /** By control word: how often it was executed. */
  protected readonly controls = new Map<number, number>()
  /** Expressions of which it matters whether they succeed, but not with what value. */
  protected readonly valueless = new Set<Expression | null>()
  protected readonly finality = new Finality(this.outcomes)
  private readonly sites: { readonly token: number; readonly tallies: readonly Tally[]; readonly site: Site }[] = []

  protected completeGraph(): void {
    contractCircles(this.graph.vertices, this.graph.edges)
  }

  /** The tokens and sites whose counts can be had, and the lines where some cannot. */
  protected monitored(): Pick<Planned, 'sites' | 'tokens' | 'unmonitored'> {
    const { edges, vertices } = this.graph
    const isKnown = (edge: number) => {
      const { measurable, from, to } = edges[edge]
      return measurable || vertices.find(from) !== vertices.find(to)
    }
    const byToken = <T extends { readonly token: number }>(list: T[]) =>
      list.sort((one, other) => one.token - other.token)
    const missing = new Map<string, Unmonitored>()
    const miss = ({ file, line }: { readonly file: number; readonly line: number }, what: string) => {
      missing.set(`${file} ${line} ${what}`, { file, line, what })
    }
    const tokens = byToken(this.counted).flatMap(({ token, count }): TokenSite[] => {
      const place = this.placeOf(token)
      const text = tokenText(this.tokens, token)
      const ports = this.ports.get(token)
      const areKnown = ports && [ports.started, ports.resumed, ports.succeeded, ports.failed].flat().every(isKnown)
      if (count.every(isKnown)) return [{ ...place, text, count, ports: areKnown ? ports : null }]
      miss(place, `token ${text}`)
      return []
    })
    const sites = byToken(this.sites).flatMap(({ site, tallies }): Site[] => {
      if (tallies.flat().every(isKnown)) return [site]
      miss(site, site.kind === 'do' ? site.loop : site.kind)
      return []
    })
    return { sites, tokens, unmonitored: [...missing.values()] }
  }

  protected fresh(weight: number): number {
    return this.graph.fresh(weight)
  }

  protected unite(one: number, other: number): void {
    this.graph.vertices.unite(one, other)
  }

  protected weight(vertex: number): number {
    return this.graph.weights[vertex]
  }

  /** An edge that a probe can measure, if there is a place for it; otherwise one that has to follow. */
  protected measured(from: number, to: number, measure: Measure | undefined, passages: number, factor = 1): number {
    if (!measure || !this.canPlace(measure)) return this.follows(from, to)
    return this.graph.measure(from, to, measure, passages, factor)
  }

  /** An edge that no probe measures. */
  protected follows(from: number, to: number): number {
    return this.graph.follow(from, to)
  }

  protected count(token: number, ...edges: number[]): void {
    this.counted.push({ token, count: edges })
  }

  protected site(token: number, tallies: readonly Tally[], make: (at: SitePlace) => Site): void {
    this.sites.push({ token, tallies, site: make(this.placeOf(token)) })
  }

  /** Control goes from one vertex to whichever of several is to be resumed. */
  protected split(from: number, to: readonly number[]): void {
    const { vertices } = this.graph
    const distinct = [...new Set(to.map((vertex) => vertices.find(vertex)))]
    if (distinct.length === 1) this.unite(from, distinct[0])
    else for (const vertex of distinct) this.follows(from, vertex)
  }

  /** What gives its value on to an expression gives on whether anybody asks for it. */
  protected passOn(node: Expression, ...values: readonly (Expression | null)[]): void {
    if (this.valueless.has(node)) for (const value of values) this.valueless.add(value)
  }

  /** What has one result, and no token. */
  protected leaf(at: number): Ports {
    const over = this.fresh(this.weight(at))
    return { success: at, failure: over, resume: over }
  }

  /** What has one result, and is one token. */
  protected once(node: Expression, start: number): Ports {
    this.stand(node.first, start)
    const success = this.fresh(this.weight(start))
    this.count(node.first, this.measured(start, success, around(node), this.weight(start)))
    return this.leaf(success)
  }

  protected nowhere(): Ports {
    const over = this.fresh(0)
    return { success: this.fresh(0), failure: over, resume: over }
  }

  /** The control word that an expression begins with; answers where control is behind it. */
  protected control(node: Expression, start: number): number {
    this.stand(node.first, start)
    const at = this.fresh(this.weight(start))
    const edge = this.measured(start, at, around(node), this.weight(start))
    this.controls.set(node.first, edge)
    this.count(node.first, edge)
    return at
  }

  /**
   * An operation behind its operands.
   *
   * token     what is counted each time it is carried out, or resumed
   * before    how to count how often its operands are there
   */
  protected operation(
    node: Expression,
    token: number,
    operands: Ports,
    kind: Operation,
    before: Measure | undefined,
  ): Ports {
    const { success: at, resume: back, failure } = operands
    const weight = this.weight(at)
    const inside = this.fresh(weight)
    const carriedOut = this.measured(at, inside, before, weight)
    this.stand(token, inside)
    const leaves = this.outcomes.mayLeave(node, this.procedure)
    if (leaves) this.unite(inside, outside)
    if (kind === 'once') {
      this.count(token, carriedOut)
      return { success: this.done(node, inside), failure, resume: back }
    }
    if (kind === 'never') {
      this.count(token, carriedOut)
      this.unite(inside, back)
      this.ports.set(token, { started: [carriedOut], resumed: [], succeeded: [], failed: [carriedOut] })
      return { success: this.fresh(0), failure, resume: back }
    }
    let [success, succeeded, failures]: [number, number, number[]] = [inside, carriedOut, []]
    if (kind === 'undone') success = this.done(node, inside)
    else {
      success = this.fresh(weight * likelihood(node, kind === 'generator'))
      const { first, last } = node
      const measure: Measure = { shape: this.valueless.has(node) ? 'success' : 'result', first, last }
      succeeded = this.measured(inside, success, measure, this.weight(success))
      failures = [this.failed(node, kind, inside, back, carriedOut)]
    }
    if (kind === 'maybe') {
      this.count(token, carriedOut)
      this.ports.set(token, { started: [carriedOut], resumed: [], succeeded: [succeeded], failed: failures })
      return { success, failure, resume: back }
    }
    const resume = this.fresh(this.weight(success))
    const next = kind === 'generator' ? inside : back
    const resumed = this.measured(resume, next, resumption(node), this.weight(success), lastResort)
    this.count(token, carriedOut, resumed)
    // what is undone has no further result
    const failed = kind === 'generator' ? failures : [...failures, resumed]
    this.ports.set(token, { started: [carriedOut], resumed: [resumed], succeeded: [succeeded], failed })
    return { success, failure, resume }
  }

  /** Behind an operation that cannot fail: if nobody asks for its value, it is counted there for less than before it. */
  private done(node: Expression, at: number): number {
    const operands = operandsOf(node)
    if (!this.valueless.has(node) || this.outcomes.isOnce(operands[operands.length - 1] ?? null, this.procedure))
      return at
    const done = this.fresh(this.weight(at))
    this.measured(at, done, { shape: 'success', first: node.first, last: node.last }, this.weight(at))
    return done
  }

  /** The edges that count the results of the operation of a token; none if there is one each time that control comes back. */
  protected successes(token: number): Tally {
    return this.ports.get(token)?.succeeded ?? []
  }

  /** An operation's failures, which can be counted if its operands cannot fail: then they are all those of the expression. */
  private failed(node: Expression, kind: Operation, from: number, to: number, started: number): number {
    const { finality, procedure } = this
    const isFinal = finality.isFinal(node)
    const operands = operandsOf(node)
    const isCounted = isFinal
      ? operands.every((one) => this.outcomes.isOnce(one, procedure))
      : kind === 'maybe' && operands.every((one) => finality.isPlain(one, procedure))
    const shape = isFinal ? 'failure' : 'lone failure'
    const measure: Measure = { shape, first: node.first, last: node.last }
    if (!isCounted || failsOtherwise(node) || !this.canPlace(measure)) return this.follows(from, to)
    const share = Math.max(1 - likelihood(node, kind === 'generator'), rarely)
    const toll = { edge: started, cost: failureTolls[shape] }
    return this.graph.measure(from, to, measure, this.weight(from) * share, 1, toll)
  }

  /** A control structure that begins with a control word: what comes out of it, and goes back into it, is counted. */
  protected structure(node: Expression, { success, failure, resume }: Ports): Ports {
    const after = {
      success: this.fresh(this.weight(success)),
      failure: this.fresh(this.weight(failure)),
      resume: this.fresh(this.weight(resume)),
    }
    const succeeded = [this.follows(success, after.success)]
    const failed = [this.follows(failure, after.failure)]
    const resumed = [this.follows(after.resume, resume)]
    this.ports.set(node.first, { started: [this.controls.get(node.first)!], resumed, succeeded, failed })
    return after
  }

  protected loopSite(node: Expression, loop: string, pass: number, skips: Tally | null): void {
    this.site(node.first, [[pass]], (place) => ({ kind: 'do', ...place, loop, passes: [pass], skips }))
  }

  /** Two ways to a result. */
  protected either(one: Ports, other: Ports, start: number): Ports {
    const [success, failure, resume] = [this.fresh(this.weight(start)), this.fresh(this.weight(start)), this.fresh(1)]
    for (const ports of [one, other]) {
      this.unite(ports.success, success)
      this.unite(ports.failure, failure)
    }
    this.split(resume, [one.resume, other.resume])
    return { success, failure, resume }
  }
}

/** Whether an expression may fail before its operation is carried out, though its operands do not. */
function failsOtherwise(node: Expression): boolean {
  if (node.kind === 'Subscript') return node.subscripts.length > 1
  if (node.kind === 'Binary') return node.operator === '?' || node.operator === '?:='
  return node.kind === 'ControlCall'
}

// how often what has several results is expected to have none
const rarely = 0.1

// a probe that leaves a generator suspended, which the interpreter's stack pays for
const lastResort = 1000

export const result = ({ first, last }: Node): Measure => ({ shape: 'result', first, last })
const resumption = ({ first, last }: Node): Measure => ({ shape: 'resumption', first, last })
