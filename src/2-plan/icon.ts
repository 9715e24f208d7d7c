// Icon: which nodes are sites, and how control flows through them. The flow is followed through *bounded*
// expressions, where an expression, once it has succeeded or failed, is done with: statements, conditions, loop
// bodies. Within goal-directed evaluation, where an expression may start any number of times, a construct is an
// excursion: what enters it comes back, but how often it is entered does not follow from anything.
//
// source: Brailsford et al. §6 for the constructs; Icon's procedure events for a procedure's five counts.
import type { IconTree } from '../1-parse/icon/parse.js'
import type { Call, Case, Compound, Expression, If, Loop, Node, Return } from '../1-parse/icon/ast.js'
import { assert } from '../error.js'
import { foresee, type Foreseen } from './icon-ranges.js'
import { outside } from './infer.js'
import { type At, type Measure } from './icon-graph.js'
import { loopWeight, trueShare } from './icon-expectations.js'
import { applies, leavesProcedure, operandsOf, operationToken } from './icon-expressions.js'
import { around as aroundAll, IconPlanner, passMeasure, type SitePlace } from './icon-planner.js'
import { studyOutcomes } from './outcomes.js'
import type { CaseSite, Planned, Probing, Sight, Site, Surroundings, Tally, Unmonitored } from './plan.js'

/** Where `break` and `next` lead in the innermost loop. */
interface LoopExits {
  readonly break: number
  readonly next: number
}

/** Plans an Icon source. */
export function planIcon(tree: IconTree, surroundings: Surroundings, probing: Probing, { skips }: Sight): Planned {
  const outcomes = studyOutcomes(tree.program, surroundings)
  return new ConstructPlanner(tree, outcomes, surroundings.isLaunched, skips).plan(probing, surroundings.passages)
}

class ConstructPlanner extends IconPlanner {
  private readonly sites: { readonly token: number; readonly site: Site }[] = []
  private readonly unmonitored: Unmonitored[] = []

  protected completeGraph(): void {
    // edges that no probe can measure were drawn only where their counts follow
  }

  protected monitored(): Pick<Planned, 'sites' | 'tokens' | 'unmonitored'> {
    const sites = this.sites.sort((one, other) => one.token - other.token).map(({ site }) => site)
    return { sites, tokens: [], unmonitored: this.unmonitored }
  }

  /** Adds an edge if its probe has a place; answers its number, or -1 after making the two vertices one. */
  private edge(from: number, to: number, measure: Measure, weight = this.graph.weights[from]): number {
    if (!this.canPlace(measure)) {
      this.graph.vertices.unite(from, to)
      return -1
    }
    return this.graph.measure(from, to, measure, weight)
  }

  /** Adds a site, unless one of its counts could not be had. */
  private site(token: number, what: string, edges: readonly number[], make: (at: SitePlace) => Site): void {
    const at = this.placeOf(token)
    if (edges.includes(-1)) this.unmonitored.push({ file: at.file, line: at.line, what })
    else this.sites.push({ token, site: make(at) })
  }

  // ---- procedures

  protected planProcedure(): void {
    const { procedure } = this
    const { body, initial, last } = procedure
    this.leaveUnasked(initial, ...body)
    const entry = this.graph.fresh(1)
    this.stand(procedure.first, entry)
    const call = this.edge(
      outside,
      entry,
      body.length > 0 ? around(body[0]) : { shape: 'before end', first: last, last },
    )
    this.calls.entered(procedure, call)
    if (initial) {
      this.excursion(initial, entry, [])
      const mayNotComplete = this.graph.vertices.find(entry) === outside || leavesProcedure(initial)
      if (mayNotComplete && call >= 0) {
        this.extras.push({ shape: 'in initial', first: initial.first, last: initial.last, counter: call })
      }
    }
    const end = this.sequence(body, entry, [])
    if (end !== null) {
      const measure: Measure = { shape: 'before end', first: last, last }
      this.counts.failures.push(this.edge(end, outside, measure))
    }
    const { returns, suspends, resumptions, failures } = this.counts
    this.calls.gave(procedure, [...returns, ...suspends])
    const { name } = procedure.name
    this.site(
      procedure.first,
      `procedure ${name}`,
      [call, ...returns, ...suspends, ...resumptions, ...failures],
      (at) => {
        return { kind: 'procedure', ...at, name, calls: [call], returns, suspends, resumptions, failures }
      },
    )
  }

  // ---- following control

  /** Follows control through expressions one after another, each bounded; code that cannot be reached counts too. */
  private sequence(nodes: readonly (Expression | null)[], start: number, loops: LoopExits[]): At {
    let at: At = start
    for (const node of nodes) at = this.through(node, at ?? this.graph.fresh(0), loops)
    return at
  }

  /** Follows control into an expression that starts any number of times while control is at a vertex. */
  private excursion(node: Expression | null, at: number, loops: LoopExits[]): void {
    const start = this.graph.fresh(this.graph.weights[at])
    const end = this.through(node, start, loops)
    this.graph.vertices.unite(start, at)
    if (end !== null) this.graph.vertices.unite(end, at)
  }

  /**
   * Follows control through an expression that starts whenever control gets to `at`, and is done with once it has
   * succeeded or failed. Answers where control then is.
   */
  private through(node: Expression | null, at: number, loops: LoopExits[]): At {
    if (node === null) return at
    this.stand(node.first, at)
    switch (node.kind) {
      case 'Identifier':
      case 'Integer':
      case 'Real':
      case 'String':
      case 'Cset':
      case 'Keyword':
        return at
      case 'Compound':
        return this.throughBlock(node, at, loops)
      case 'If':
        return this.throughIf(node, at, loops)
      case 'Case':
        return this.throughCase(node, at, loops)
      case 'While':
      case 'Until':
      case 'Every':
        return this.throughLoop(node, at, loops)
      case 'Suspend':
        return this.throughSuspend(node, at, loops)
      case 'Repeat': {
        this.leaveUnasked(node.body)
        const pass = this.graph.fresh(this.graph.weights[at] * loopWeight)
        const edge = this.edge(at, pass, around(node.body), this.graph.weights[pass])
        this.loopSite(node, 'repeat', edge, null)
        this.graph.join(at, this.body(node.body, pass, [...loops, { break: at, next: at }]))
        return at
      }
      case 'Return':
        this.throughReturn(node, at, loops)
        return null
      case 'Fail':
        this.counts.failures.push(this.edge(at, outside, around(node)))
        return null
      case 'Break': {
        const end = this.through(node.value, at, loops.slice(0, -1))
        if (end !== null) this.graph.vertices.unite(end, loops[loops.length - 1].break)
        return null
      }
      case 'Next':
        this.graph.vertices.unite(at, loops[loops.length - 1].next)
        return null
      case 'Create':
        this.excursion(node.expression, outside, [])
        return at
      case 'Paren':
        if (this.unasked.has(node) && node.expressions.length === 1) this.leaveUnasked(node.expressions[0])
        return this.operands(node, node.expressions, at, loops)
      case 'Call':
        return this.throughCall(node, at, loops)
      case 'ControlCall':
        for (const arg of node.args) this.excursion(arg, outside, [])
        return this.operands(node, [node.callee], at, loops)
      case 'Unary':
        // |e starts its operand again and again
        if (node.operator.startsWith('|')) {
          this.excursion(node.operand, at, loops)
          return at
        }
        return this.operands(node, [node.operand], at, loops)
      case 'Binary':
        if (node.operator === '|') {
          const after = this.through(node.left, at, loops)
          this.excursion(node.right, after ?? this.graph.fresh(0), loops)
          return after
        }
        return this.operands(node, operandsOf(node), at, loops)
      default:
        return this.operands(node, operandsOf(node), at, loops)
    }
  }

  /** Follows control through an operation: the first operand, and those after it as long as each yields one result. */
  private operands(node: Expression, nodes: readonly (Expression | null)[], start: number, loops: LoopExits[]): At {
    let at: At = start
    let certain = true
    // scanning begins between its operands: a subject that is no string may be turned into failure
    const mayNotBegin = this.outcomes.convertsErrors && node.kind === 'Binary' && /^\?(:=)?$/.test(node.operator)
    for (const operand of nodes) {
      if (at === null) {
        // never reached, but its sites are reported all the same
        this.excursion(operand, this.graph.fresh(0), loops)
        continue
      }
      if (certain) {
        at = this.through(operand, at, loops)
        certain = this.outcomes.isOnce(operand, this.procedure) && !mayNotBegin
      } else this.excursion(operand, at, loops)
      if (operand && at !== null) this.stand(operand.last + 1, at)
    }
    const token = operationToken(node)
    if (token !== undefined && at !== null) this.stand(token, at)
    if (at !== null && this.outcomes.mayLeave(node, this.procedure)) this.graph.vertices.unite(at, outside)
    return at
  }

  /** Follows control through a call; one by name is an edge of its own, if it is made whenever control gets here. */
  private throughCall(node: Call, start: number, loops: LoopExits[]): At {
    const name = node.callee.kind === 'Identifier' ? node.callee.name : ''
    const callee = this.outcomes.calledByName.get(name)
    if (!callee) return this.operands(node, operandsOf(node), start, loops)
    let at: At = start
    let certain = true
    const bracket = node.callee.last + 1
    this.stand(bracket + 1, start)
    for (const operand of node.args) {
      if (at === null || !certain) this.excursion(operand, at ?? this.graph.fresh(0), loops)
      else {
        at = this.through(operand, at, loops)
        certain = this.outcomes.isOnce(operand, this.procedure)
      }
    }
    if (at === null) return null
    certain &&= this.graph.vertices.find(at) !== outside
    const called = this.graph.fresh(this.graph.weights[at])
    this.stand(bracket, called)
    const site = this.graph.follow(at, called)
    if (!certain) this.graph.vertices.unite(at, called)
    const isStart = node.args.every((one) => this.outcomes.isOnce(one, this.procedure))
    this.calls.called(callee, site, isStart && this.canPlace(around(node)) ? around(node) : undefined)
    if (this.outcomes.mayLeave(node, this.procedure)) this.graph.vertices.unite(called, outside)
    return called
  }

  private throughBlock(node: Compound, at: number, loops: LoopExits[]): At {
    this.leaveBracesUnasked(node)
    const inside = this.graph.fresh(this.graph.weights[at])
    const edge = this.edge(at, inside, around(node))
    this.site(node.first, 'block', [edge], (place) => ({ kind: 'block', ...place, passes: [edge] }))
    return this.sequence(node.expressions, inside, loops)
  }

  /** Follows control through the body of something that is counted already: its braces are no block of their own. */
  private body(node: Expression, at: number, loops: LoopExits[]): At {
    if (node.kind !== 'Compound') return this.through(node, at, loops)
    this.leaveBracesUnasked(node)
    this.stand(node.first, at)
    return this.sequence(node.expressions, at, loops)
  }

  private throughIf(node: If, start: number, loops: LoopExits[]): At {
    if (this.unasked.has(node)) this.leaveUnasked(node.then, node.otherwise)
    const at = this.through(node.condition, start, loops) ?? this.graph.fresh(0)
    const share = trueShare(node)
    const yes = this.graph.fresh(this.graph.weights[at] * share)
    const no = this.graph.fresh(this.graph.weights[at] * (1 - share))
    const whenTrue = this.edge(at, yes, around(node.then), this.graph.weights[yes])
    const measure: Measure = node.otherwise
      ? around(node.otherwise)
      : { shape: this.unasked.has(node) ? 'else' : 'failing else', first: node.then.first, last: node.then.last }
    const whenFalse = this.edge(at, no, measure, this.graph.weights[no])
    this.calls.got(node.condition, whenTrue)
    this.site(node.first, 'if', [whenTrue, whenFalse], (place) => {
      return { kind: 'if', ...place, hasElse: node.otherwise !== null, true: [whenTrue], false: [whenFalse] }
    })
    const afterTrue = this.body(node.then, yes, loops)
    const afterFalse = node.otherwise ? this.body(node.otherwise, no, loops) : no
    return this.graph.join(afterTrue, afterFalse)
  }

  /** Follows control through a case; to `results`, if given, where an arm has had its one result. */
  private throughCase(node: Case, start: number, loops: LoopExits[], results?: number): At {
    if (this.unasked.has(node)) this.leaveUnasked(...node.clauses.map(({ body }) => body))
    const at = this.through(node.control, start, loops) ?? this.graph.fresh(0)
    const armWeight = this.graph.weights[at] / (node.clauses.length + 1)
    const arms: CaseSite['arms'][number][] = []
    const edges: number[] = []
    let after: At = null
    let number = 0
    const arm = (name: string, to: number, measure: Measure) => {
      const edge = this.edge(at, to, measure, armWeight)
      edges.push(edge)
      arms.push({ name, count: [edge] })
    }
    for (const { selector, body } of node.clauses) {
      if (selector) this.excursion(selector, at, loops)
      const taken = this.graph.fresh(armWeight)
      arm(selector ? String(++number) : 'default', taken, around(body))
      const end = this.body(body, taken, loops)
      if (results === undefined) after = this.graph.join(after, end)
      else if (end !== null) this.graph.vertices.unite(end, results)
    }
    if (node.clauses.every(({ selector }) => selector !== null)) {
      const none = this.graph.fresh(armWeight)
      const shape = this.unasked.has(node) ? 'default' : 'failing default'
      arm('none', none, { shape, first: node.last, last: node.last })
      after = this.graph.join(after, none)
    }
    if (!this.outcomes.isOnce(node.control, this.procedure)) after = this.graph.join(after, at)
    this.site(node.first, 'case', edges, (place) => ({ kind: 'case', ...place, arms }))
    return after
  }

  private throughLoop(node: Loop, start: number, loops: LoopExits[]): number {
    this.leaveUnasked(node.body)
    const isEvery = node.kind === 'Every'
    const foreseen = this.foresees ? foresee(node, this.procedure, this.outcomes) : undefined
    if (foreseen && this.canPlace(around(foreseen.last))) return this.throughForeseen(node, foreseen, start, loops)
    const exits = { break: this.graph.fresh(0), next: this.graph.fresh(0) }
    const inside = [...loops, exits]
    // the control expression of other loops than every starts again at each pass
    const head = this.graph.fresh(this.graph.weights[start] * (isEvery ? 1 : 1 + loopWeight))
    this.graph.vertices.unite(start, head)
    // of a case whose arms all have one result it shows how many it has
    const arms = isEvery ? caseIn(node.control) : undefined
    const split = arms?.clauses.every(({ body }) => this.outcomes.isOnce(body, this.procedure))
    const pass = this.graph.fresh(this.graph.weights[start] * loopWeight)
    const results = split ? this.graph.fresh(this.graph.weights[pass]) : undefined
    const end = split ? this.throughCase(arms!, head, inside, results) : this.through(node.control, head, inside)
    const at = end ?? this.graph.fresh(0)
    const edge = this.edge(results ?? at, pass, passMeasure(node, around), this.graph.weights[pass])
    this.loopSite(node, node.kind.toLowerCase(), edge, this.skips(node, undefined))
    if (node.kind !== 'Until') this.calls.got(node.control, edge)
    const again = isEvery ? at : start
    this.graph.join(again, node.body ? this.body(node.body, pass, inside) : pass)
    this.graph.vertices.unite(exits.break, at)
    this.graph.vertices.unite(exits.next, again)
    const after = this.graph.fresh(this.graph.weights[start])
    this.graph.vertices.unite(at, after)
    return after
  }

  /** A loop whose passes are counted before the first; no pass leads anywhere but to the next. */
  private throughForeseen(node: Loop, foreseen: Foreseen, start: number, loops: LoopExits[]): number {
    const { amount, last, generates, suspends } = foreseen
    const at = this.through(node.control, start, loops)
    assert(at !== null, 'a range that is never gone through')
    const pass = this.graph.fresh(this.graph.weights[start] * loopWeight)
    const measure: Measure = { shape: 'in advance', first: last.first, last: last.last, amount }
    const edge = this.edge(at, pass, measure, this.graph.weights[start])
    this.loopSite(node, 'every', edge, this.skips(node, foreseen))
    if (suspends.length > 0 && edge >= 0) {
      const { bodyToken } = this.procedure
      this.extras.push({ shape: 'local', first: bodyToken, last: bodyToken, counter: edge })
      for (const { control } of suspends) {
        this.extras.push({ shape: 'pause', first: control!.first, last: control!.last, amount, counter: edge })
      }
    }
    // what the operator complains about, it complains about after the passes were counted
    this.stand(generates, pass)
    this.stand(generates + 1, start)
    const next = this.graph.fresh(this.graph.weights[pass])
    const end = node.body ? this.body(node.body, pass, [...loops, { break: at, next }]) : pass
    this.graph.vertices.unite(next, end ?? pass)
    this.foreseen.push({ edge, before: at, from: pass, to: this.graph.vertices.count })
    this.graph.follow(next, at)
    return at
  }

  private throughSuspend(node: Loop, start: number, loops: LoopExits[]): number {
    this.leaveUnasked(node.body)
    const once = this.outcomes.isOnce(node.control, this.procedure)
    const exits = { break: this.graph.fresh(0), next: this.graph.fresh(0) }
    const inside = [...loops, exits]
    const evaluated = this.graph.fresh(this.graph.weights[start])
    const at = this.through(node.control, evaluated, inside) ?? this.graph.fresh(0)
    const resumed = this.graph.fresh(this.graph.weights[start] * (once ? 1 : loopWeight))
    // one result: control leaves with it, and if it ever comes back, goes on behind
    const certain = once && this.graph.vertices.find(at) !== outside
    if (certain) this.edge(start, evaluated, around(node))
    else this.graph.vertices.unite(start, evaluated)
    this.counts.suspends.push(this.result(at, this.graph.weights[resumed], node.control, certain))
    const after = certain ? this.graph.fresh(this.graph.weights[resumed]) : at
    const edge = this.edge(outside, resumed, passMeasure(node, around), this.graph.weights[resumed])
    this.counts.resumptions.push(edge)
    if (node.body) this.loopSite(node, 'suspend', edge, null)
    this.graph.join(after, node.body ? this.body(node.body, resumed, inside) : resumed)
    this.graph.vertices.unite(exits.break, after)
    this.graph.vertices.unite(exits.next, after)
    return after
  }

  private throughReturn(node: Return, at: number, loops: LoopExits[]): void {
    const { value } = node
    const evaluated = this.graph.fresh(this.graph.weights[at])
    const end = this.through(value, evaluated, loops)
    if (end === null) {
      this.graph.vertices.unite(at, evaluated)
      return
    }
    const once = this.outcomes.isOnce(value, this.procedure)
    const certain = once && this.graph.vertices.find(end) !== outside
    if (certain) this.edge(at, evaluated, around(node))
    else this.graph.vertices.unite(at, evaluated)
    const result = this.result(end, this.graph.weights[end], value, certain)
    this.counts.returns.push(result)
    this.calls.got(value, result)
    if (value === null || once) return
    const measure: Measure = { shape: 'failure', first: value.first, last: value.last }
    this.counts.failures.push(this.edge(end, outside, measure))
  }

  /**
   * A result on its way out of the procedure. When it is certain to come, it follows from the start of its
   * `return` or `suspend`, which is cheaper to count.
   */
  private result(from: number, weight: number, value: Expression | null, certain: boolean): number {
    if (value === null) return this.graph.follow(from, outside)
    const measure: Measure = { shape: 'result', first: value.first, last: value.last }
    const edge = this.edge(from, outside, measure, weight)
    if (edge >= 0 && certain) this.graph.edges[edge] = { ...this.graph.edges[edge], weight: Infinity }
    return edge
  }

  private loopSite(node: Expression, loop: string, edge: number, skips: Tally | null): void {
    this.site(node.first, loop, [edge], (place) => ({ kind: 'do', ...place, loop, passes: [edge], skips }))
  }
}

/** The case that an expression is, but for parentheses. */
function caseIn(node: Expression | null): Case | undefined {
  if (node?.kind === 'Case') return node
  return node?.kind === 'Paren' && node.expressions.length === 1 ? caseIn(node.expressions[0]) : undefined
}

/**
 * Around an expression; of a `return` around its value, which is cheaper, unless that would show: `f ! L` reports
 * errors at the line of what was carried out before it.
 */
const around = (node: Node): Measure =>
  aroundAll(node.kind === 'Return' && node.value && !applies(node.value) ? node.value : node)
