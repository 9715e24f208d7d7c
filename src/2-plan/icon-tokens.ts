// Icon: how often every token is executed. Control is followed through goal-directed evaluation: an expression is
// entered by its start or by being resumed, and left by success or by failure. Every one of these four ports is a vertex
// of the flow graph, and what leads from one to another is an edge; conservation does the rest.
//
// source: Coutant, Griswold, Hanson, TR 79-9, §2, for what executing a token is; O'Bagy and Griswold for the ports.
import type { IconTree } from '../1-parse/icon/parse.js'
import type {
  Binary,
  Call,
  Case,
  Compound,
  Expression,
  If,
  Loop,
  Return,
  Subscript,
  Unary,
} from '../1-parse/icon/ast.js'
import { foresee, type Foreseen } from './icon-ranges.js'
import { branchWeight, loopWeight, trueShare } from './icon-expectations.js'
import { operandsOf } from './icon-expressions.js'
import { type Measure } from './icon-graph.js'
import { around, passMeasure } from './icon-planner.js'
import { PortPlanner, result, type Ports } from './icon-ports.js'
import { outside } from './infer.js'
import { studyOutcomes } from './outcomes.js'
import type { CaseSite, Planned, Probing, Sight, Surroundings } from './plan.js'

/** A loop that control is in: where `next` leads, and what becomes of the expressions of its `break`s. */
interface OpenLoop {
  readonly next: number
  readonly success: number
  readonly failure: number
  readonly resumes: number[]
}

/** Plans the counting of an Icon source's tokens. */
export function planIconTokens(
  tree: IconTree,
  surroundings: Surroundings,
  probing: Probing,
  { skips }: Sight,
): Planned {
  const outcomes = studyOutcomes(tree.program, surroundings)
  return new TokenPlanner(tree, outcomes, surroundings.isLaunched, skips).plan(probing, surroundings.passages)
}

class TokenPlanner extends PortPlanner {
  // ---- procedures

  protected planProcedure(): void {
    const { procedure } = this
    const { body, initial, last } = procedure
    const entry = this.fresh(1)
    this.stand(procedure.first, entry)
    const end: Measure = { shape: 'before end', first: last, last }
    const call = this.measured(outside, entry, body.length > 0 ? around(body[0]) : end, 1)
    this.calls.entered(procedure, call)
    if (initial) {
      this.valueless.add(initial)
      this.finality.finish(initial)
      const { success, failure } = this.evaluate(initial, entry, [])
      this.unite(success, entry)
      this.unite(failure, entry)
      this.extras.push({ shape: 'in initial', first: initial.first, last: initial.last, counter: call })
    }
    let at = entry
    for (const statement of body) at = this.bounded(statement, at, [])
    this.counts.failures.push(this.measured(at, outside, end, this.weight(at)))
    const { returns, suspends, resumptions, failures } = this.counts
    this.calls.gave(procedure, [...returns, ...suspends])
    const { name } = procedure.name
    this.site(procedure.first, [[call], returns, suspends, resumptions, failures], (at) => {
      return { kind: 'procedure', ...at, name, calls: [call], returns, suspends, resumptions, failures }
    })
  }

  // ---- evaluation

  /** Evaluates an expression that is done with once it has succeeded or failed. Answers where control then is. */
  private bounded(node: Expression | null, start: number, loops: readonly OpenLoop[]): number {
    this.leaveUnasked(node)
    this.valueless.add(node)
    this.finality.finish(node)
    const { success, failure } = this.evaluate(node, start, loops)
    const after = this.fresh(this.weight(start))
    this.unite(success, after)
    this.unite(failure, after)
    return after
  }

  /** A pass through a loop's body. */
  private pass(node: Expression | null, start: number, loops: readonly OpenLoop[]): number {
    if (node?.kind !== 'Compound') return this.bounded(node, start, loops)
    this.leaveUnasked(node)
    let at = start
    for (const one of node.expressions) at = this.bounded(one, at, loops)
    return at
  }

  private evaluate(node: Expression | null, start: number, loops: readonly OpenLoop[]): Ports {
    if (node === null) return this.leaf(start)
    switch (node.kind) {
      case 'Identifier':
      case 'Integer':
      case 'Real':
      case 'String':
      case 'Cset':
        return this.once(node, start)
      case 'Keyword': {
        const kind = this.outcomes.operation(node, this.procedure)
        return kind === 'once'
          ? this.once(node, start)
          : this.operation(node, node.first, this.leaf(start), kind, around(node))
      }
      case 'Paren':
        for (const one of node.expressions.slice(0, -1)) this.valueless.add(one)
        this.passOn(node, node.expressions[node.expressions.length - 1])
        this.finality.passToOperands(node, node.expressions, 'once', this.procedure)
        return this.operands(node.expressions, start, loops)
      case 'Compound': {
        const inside = this.fresh(this.weight(start))
        const edge = this.measured(start, inside, around(node), this.weight(start))
        this.site(node.first, [[edge]], (place) => ({ kind: 'block', ...place, passes: [edge] }))
        return this.compound(node, inside, loops)
      }
      case 'If':
        return this.structure(node, this.ifThen(node, start, loops))
      case 'Case':
        return this.structure(node, this.selection(node, start, loops))
      case 'While':
      case 'Until':
        return this.structure(node, this.whileDo(node, start, loops))
      case 'Every':
        return this.structure(node, this.every(node, start, loops))
      case 'Suspend':
        return this.structure(node, this.suspend(node, start, loops))
      case 'Repeat': {
        const loop = this.open(start)
        const at = this.control(node, start)
        const head = this.fresh(this.weight(start) * loopWeight)
        this.unite(at, head)
        this.unite(loop.next, head)
        const body = this.fresh(this.weight(head))
        const pass = this.measured(head, body, around(node.body), this.weight(head))
        this.loopSite(node, 'repeat', pass, null)
        this.unite(this.pass(node.body, body, [...loops, loop]), head)
        return this.structure(node, this.close(loop))
      }
      case 'Return':
        return this.returns(node, start, loops)
      case 'Fail': {
        const at = this.control(node, start)
        this.counts.failures.push(this.follows(at, outside))
        return this.nowhere()
      }
      case 'Break': {
        const at = this.control(node, start)
        const loop = loops[loops.length - 1]
        const { success, failure, resume } = this.evaluate(node.value, at, loops.slice(0, -1))
        this.unite(success, loop.success)
        this.unite(failure, loop.failure)
        loop.resumes.push(resume)
        return this.nowhere()
      }
      case 'Next':
        this.unite(this.control(node, start), loops[loops.length - 1].next)
        return this.nowhere()
      case 'Create': {
        const at = this.control(node, start)
        this.coexpression(node.expression)
        return this.leaf(at)
      }
      case 'ControlCall': {
        const callee = this.evaluate(node.callee, start, loops)
        for (const arg of node.args) this.coexpression(arg)
        return this.operation(node, node.callee.last + 1, callee, 'generator', result(node.callee))
      }
      case 'Unary':
        return this.unary(node, start, loops)
      case 'Binary':
        return this.binary(node, start, loops)
      case 'Call':
        return this.call(node, start, loops)
      case 'To': {
        const ports = this.operands(operandsOf(node), start, loops)
        return this.operation(node, node.from.last + 1, ports, 'generator', result(node.by ?? node.to))
      }
      case 'Subscript':
        return this.subscript(node, start, loops)
      case 'List':
      case 'Section':
      case 'Field': {
        const nodes = operandsOf(node)
        const kind = this.outcomes.operation(node, this.procedure)
        this.finality.passToOperands(node, nodes, kind, this.procedure)
        const ports = this.operands(nodes, start, loops)
        const token = node.kind === 'List' ? node.first : operandEnd(node)
        const last = nodes[nodes.length - 1]
        return this.operation(node, token, ports, kind, last ? result(last) : undefined)
      }
    }
  }

  /** Operands one after the other, each resumed when the next has failed. */
  private operands(nodes: readonly (Expression | null)[], start: number, loops: readonly OpenLoop[]): Ports {
    let ports = this.leaf(start)
    nodes.forEach((node, i) => {
      const next = this.evaluate(node, ports.success, loops)
      if (i > 0) this.unite(next.failure, ports.resume)
      ports = { ...next, failure: i > 0 ? ports.failure : next.failure }
    })
    return ports
  }

  /** x[i, j] is x[i][j]: j is evaluated only if there is an x[i]. What is counted is the last of them. */
  private subscript(node: Subscript, start: number, loops: readonly OpenLoop[]): Ports {
    const kind = this.outcomes.operation(node, this.procedure)
    this.finality.passToOperands(node, operandsOf(node), kind, this.procedure)
    let ports = this.evaluate(node.operand, start, loops)
    node.subscripts.forEach((one, i) => {
      if (i > 0 && kind !== 'once') {
        const found = this.fresh(this.weight(ports.success))
        this.measured(ports.success, found, one ? around(one) : undefined, this.weight(found))
        this.follows(ports.success, ports.resume)
        ports = { ...ports, success: found }
      }
      const index = this.evaluate(one, ports.success, loops)
      this.unite(index.failure, ports.resume)
      ports = { ...index, failure: ports.failure }
    })
    const last = node.subscripts[node.subscripts.length - 1]
    return this.operation(node, operandEnd(node), ports, kind, last ? result(last) : undefined)
  }

  private compound(node: Compound, start: number, loops: readonly OpenLoop[]): Ports {
    const nodes = node.expressions
    this.leaveBracesUnasked(node)
    this.passOn(node, nodes[nodes.length - 1])
    this.finality.passOn(node, nodes[nodes.length - 1] ?? null)
    let at = start
    for (const node of nodes.slice(0, -1)) at = this.bounded(node, at, loops)
    return this.evaluate(nodes[nodes.length - 1] ?? null, at, loops)
  }

  private ifThen(node: If, start: number, loops: readonly OpenLoop[]): Ports {
    const isUnasked = this.unasked.has(node)
    if (isUnasked) this.leaveUnasked(node.then, node.otherwise)
    this.valueless.add(node.condition)
    this.finality.finish(node.condition)
    this.passOn(node, node.then, node.otherwise)
    this.finality.passOn(node, node.then, node.otherwise)
    const condition = this.evaluate(node.condition, this.control(node, start), loops)
    const share = trueShare(node)
    const yes = this.fresh(this.weight(start) * share)
    const no = this.fresh(this.weight(start) * (1 - share))
    const isTrue = this.measured(condition.success, yes, around(node.then), this.weight(yes))
    const { first, last } = node.then
    const missing: Measure = { shape: isUnasked ? 'else' : 'failing else', first, last }
    const elsePlace = node.otherwise ? around(node.otherwise) : missing
    const isFalse = this.measured(condition.failure, no, elsePlace, this.weight(no))
    this.site(node.first, [[isTrue, isFalse]], (place) => ({
      kind: 'if',
      ...place,
      hasElse: node.otherwise !== null,
      true: [isTrue],
      false: [isFalse],
    }))
    const whenTrue = this.part(node.then, yes, loops)
    if (node.otherwise) return this.either(whenTrue, this.part(node.otherwise, no, loops), start)
    // an else left out has no result
    const failure = this.fresh(this.weight(start))
    this.unite(no, failure)
    this.unite(whenTrue.failure, failure)
    return { ...whenTrue, failure }
  }

  /** A part of what is counted already: its braces are no block of their own. */
  private part(node: Expression, start: number, loops: readonly OpenLoop[]): Ports {
    return node.kind === 'Compound' ? this.compound(node, start, loops) : this.evaluate(node, start, loops)
  }

  private selection(node: Case, start: number, loops: readonly OpenLoop[]): Ports {
    const isUnasked = this.unasked.has(node)
    if (isUnasked) this.leaveUnasked(...node.clauses.map(({ body }) => body))
    this.passOn(node, ...node.clauses.map(({ body }) => body))
    this.finality.finish(node.control)
    this.finality.passOn(node, ...node.clauses.map(({ body }) => body))
    const { success, failure } = this.evaluate(node.control, this.control(node, start), loops)
    const over = this.fresh(this.weight(start))
    const done = this.fresh(this.weight(start))
    this.unite(failure, over)
    const resumes: number[] = []
    const arms: CaseSite['arms'][number][] = []
    const arm = (name: string, body: Expression, from: number, weight: number) => {
      const taken = this.fresh(weight)
      arms.push({ name, count: [this.measured(from, taken, around(body), weight)] })
      const ports = this.part(body, taken, loops)
      this.unite(ports.success, done)
      this.unite(ports.failure, over)
      resumes.push(ports.resume)
    }
    let at = success
    for (const { selector, body } of node.clauses) {
      if (!selector) continue
      const ports = this.evaluate(selector, at, loops)
      this.follows(ports.success, ports.resume)
      arm(String(arms.length + 1), body, ports.success, this.weight(start) / (node.clauses.length + 1))
      at = this.fresh(this.weight(at))
      this.unite(at, ports.failure)
    }
    const other = node.clauses.find(({ selector }) => selector === null)
    const weight = this.weight(start) / (node.clauses.length + 1)
    if (other) arm('default', other.body, at, weight)
    else {
      const shape = isUnasked ? 'default' : 'failing default'
      const measure: Measure = { shape, first: node.last, last: node.last }
      arms.push({ name: 'none', count: [this.measured(at, over, measure, weight)] })
    }
    this.site(
      node.first,
      arms.map(({ count }) => count),
      (place) => ({ kind: 'case', ...place, arms }),
    )
    const resume = this.fresh(1)
    if (resumes.length > 0) this.split(resume, resumes)
    return { success: done, failure: over, resume }
  }

  // ---- loops

  private open(start: number): OpenLoop {
    return {
      next: this.fresh(this.weight(start)),
      success: this.fresh(0),
      failure: this.fresh(this.weight(start)),
      resumes: [],
    }
  }

  private close({ success, failure, resumes }: OpenLoop): Ports {
    const resume = this.fresh(0)
    if (resumes.length > 0) this.split(resume, resumes)
    return { success, failure, resume }
  }

  private whileDo(node: Loop, start: number, loops: readonly OpenLoop[]): Ports {
    const loop = this.open(start)
    const inside = [...loops, loop]
    const head = this.fresh(this.weight(start) * (1 + loopWeight))
    this.unite(this.control(node, start), head)
    this.valueless.add(node.control)
    this.finality.finish(node.control)
    const condition = this.evaluate(node.control, head, inside)
    const [pass, over] =
      node.kind === 'While' ? [condition.success, condition.failure] : [condition.failure, condition.success]
    const body = this.fresh(Math.min(this.weight(start) * loopWeight, this.weight(pass)))
    const passes = this.measured(pass, body, passMeasure(node), this.weight(body))
    this.loopSite(node, node.kind.toLowerCase(), passes, this.skips(node, undefined))
    this.unite(over, loop.failure)
    this.unite(this.pass(node.body, body, inside), head)
    this.unite(loop.next, head)
    return this.close(loop)
  }

  private every(node: Loop, start: number, loops: readonly OpenLoop[]): Ports {
    const loop = this.open(start)
    const inside = [...loops, loop]
    const first = this.control(node, start)
    const from = this.graph.vertices.count
    this.valueless.add(node.control)
    const control = this.evaluate(node.control, first, inside)
    const body = this.fresh(this.weight(start) * loopWeight)
    const foreseen = this.foresees ? foresee(node, this.procedure, this.outcomes) : undefined
    const isForeseen = foreseen !== undefined && foreseen.suspends.length <= 1
    const { last, amount } = isForeseen ? foreseen : { last: undefined, amount: undefined }
    const measure: Measure = last
      ? { shape: 'in advance', first: last.first, last: last.last, amount }
      : passMeasure(node)
    const pass = this.measured(control.success, body, measure, this.weight(last ? start : body))
    this.loopSite(node, 'every', pass, this.skips(node, last && foreseen))
    const before = this.counts.suspends.length
    this.unite(this.pass(node.body, body, inside), control.resume)
    if (isForeseen) {
      this.foreseen.push({ edge: pass, starts: this.controls.get(node.first)!, from, to: this.graph.vertices.count })
      this.pauses(foreseen, pass, this.counts.suspends.slice(before))
    }
    this.unite(loop.next, control.resume)
    this.unite(control.failure, loop.failure)
    return this.close(loop)
  }

  /** Where the body of a loop whose passes are counted in advance suspends, those still to come are taken back. */
  private pauses({ amount, suspends }: Foreseen, pass: number, suspensions: readonly number[]): void {
    const { bodyToken } = this.procedure
    for (const { control } of suspends) {
      this.extras.push({ shape: 'local', first: bodyToken, last: bodyToken, counter: pass })
      this.extras.push({ shape: 'pause', first: control!.first, last: control!.last, amount, counter: pass })
    }
    for (const edge of suspensions) this.graph.charge(pass, { edge, cost: pauseCost })
  }

  private suspend(node: Loop, start: number, loops: readonly OpenLoop[]): Ports {
    const loop = this.open(start)
    const inside = [...loops, loop]
    const control = this.evaluate(node.control, this.control(node, start), inside)
    const weight = this.weight(control.success)
    this.counts.suspends.push(
      this.measured(control.success, outside, node.control ? result(node.control) : around(node), weight),
    )
    const body = this.fresh(weight)
    const resumed = this.measured(outside, body, passMeasure(node), weight)
    this.counts.resumptions.push(resumed)
    if (node.body) this.loopSite(node, 'suspend', resumed, null)
    this.unite(this.pass(node.body, body, inside), control.resume)
    this.unite(loop.next, control.resume)
    this.unite(control.failure, loop.failure)
    return this.close(loop)
  }

  private returns(node: Return, start: number, loops: readonly OpenLoop[]): Ports {
    const { value } = node
    const at = this.control(node, start)
    this.finality.finish(value)
    const { success, failure } = this.evaluate(value, at, loops)
    this.counts.returns.push(this.measured(success, outside, value ? result(value) : undefined, this.weight(success)))
    if (value && !this.outcomes.isOnce(value, this.procedure)) {
      const measure: Measure = { shape: 'failure', first: value.first, last: value.last }
      this.counts.failures.push(this.measured(failure, outside, measure, this.weight(start)))
    }
    return this.nowhere()
  }

  /** What is evaluated only when somebody activates it, and may be left at any result. */
  private coexpression(node: Expression | null): void {
    if (node === null) return
    this.calls.switches = true
    const start = this.fresh(1)
    this.measured(outside, start, around(node), 1)
    const { success, failure, resume } = this.evaluate(node, start, [])
    this.unite(success, outside)
    this.unite(resume, outside)
    this.unite(failure, outside)
  }

  // ---- operators and calls

  private unary(node: Unary, start: number, loops: readonly OpenLoop[]): Ports {
    const { operator, operand } = node
    if (operator === 'not') {
      this.valueless.add(operand)
      this.finality.finish(operand)
      const { success, failure } = this.evaluate(operand, this.control(node, start), loops)
      const made = this.fresh(this.weight(start) * branchWeight)
      this.unite(made, failure)
      return this.structure(node, { success: made, failure: success, resume: success })
    }
    if (operator.startsWith('|')) {
      this.passOn(node, operand)
      const head = this.fresh(this.weight(start) * 2)
      this.follows(this.control(node, start), head)
      const again = this.evaluate(operand, head, loops)
      const failure = this.fresh(this.weight(start))
      this.follows(again.failure, head)
      this.follows(again.failure, failure)
      return this.structure(node, { ...again, failure })
    }
    const kind = this.outcomes.operation(node, this.procedure)
    this.finality.passToOperands(node, [operand], kind, this.procedure)
    const ports = this.evaluate(operand, start, loops)
    return this.operation(node, node.first, ports, kind, result(operand))
  }

  private binary(node: Binary, start: number, loops: readonly OpenLoop[]): Ports {
    const { operator, operatorToken: token, left, right } = node
    if (operator === '|') {
      this.passOn(node, left, right)
      this.finality.passOn(node, left, right)
      const one = this.evaluate(left, start, loops)
      const second = this.fresh(this.weight(start) * branchWeight)
      this.measured(one.failure, second, around(right), this.weight(second))
      const other = this.evaluate(right, second, loops)
      const [success, resume] = [this.fresh(this.weight(start)), this.fresh(1)]
      this.unite(one.success, success)
      this.unite(other.success, success)
      this.split(resume, [one.resume, other.resume])
      return { success, failure: other.failure, resume }
    }
    if (operator === '\\') {
      this.passOn(node, left)
      const limit = this.evaluate(right, start, loops)
      this.stand(token, limit.success)
      const limited = this.fresh(this.weight(start))
      this.measured(limit.success, limited, around(left), this.weight(start))
      this.follows(limit.success, limit.resume)
      const { success, failure, resume } = this.evaluate(left, limited, loops)
      this.unite(failure, limit.resume)
      const back = this.fresh(1)
      this.split(back, [resume, limit.resume])
      return { success, failure: limit.failure, resume: back }
    }
    if (operator === '&') this.valueless.add(left)
    if (operator === '&' || operator === '?') this.passOn(node, right)
    const kind = operator === '&' ? 'once' : this.outcomes.operation(node, this.procedure)
    this.finality.passToOperands(node, [left, right], kind, this.procedure)
    if (operator === '?' || operator === '?:=') return this.scanning(node, start, loops)
    const ports = this.operands([left, right], start, loops)
    return this.operation(node, token, ports, kind, result(right))
  }

  /** Scanning begins between its operands: a subject that is no string is an error, which may be turned into failure. */
  private scanning(node: Binary, start: number, loops: readonly OpenLoop[]): Ports {
    const { operator, operatorToken: token, left, right } = node
    const subject = this.evaluate(left, start, loops)
    const at = subject.success
    const begun = this.fresh(this.weight(at))
    if (this.outcomes.convertsErrors) {
      this.measured(at, begun, around(right), this.weight(at))
      this.follows(at, subject.resume)
    } else this.unite(at, begun)
    const body = this.evaluate(right, begun, loops)
    this.unite(body.failure, subject.resume)
    const kind = operator === '?' ? 'once' : this.outcomes.operation(node, this.procedure)
    const ports = this.operation(node, token, { ...body, failure: subject.failure }, kind, result(right))
    this.stand(token, at)
    return ports
  }

  private call(node: Call, start: number, loops: readonly OpenLoop[]): Ports {
    const { callee, args } = node
    const bracket = callee.last + 1
    const name = callee.kind === 'Identifier' ? callee.name : ''
    const own = this.outcomes.calledByName.get(name)
    const last = args[args.length - 1]
    const before = last ? result(last) : undefined
    const kind = this.outcomes.operation(node, this.procedure)
    if (callee.kind === 'Identifier' && this.outcomes.isBuiltin(name)) {
      // a built-in function is an operation that is spelled as a name
      this.finality.passToOperands(node, args, kind, this.procedure)
      const ports = this.operands(args, start, loops)
      return this.operation(node, callee.first, ports, kind, before ?? around(callee))
    }
    const ports = this.operands([callee, ...args], start, loops)
    const edge = this.graph.edges.length
    const after = this.operation(node, bracket, ports, kind, before ?? result(callee))
    if (own) {
      this.calls.called(own, edge, undefined)
      const [answers] = this.successes(bracket)
      if (answers !== undefined) this.calls.answered(own, answers)
    }
    return after
  }
}

// to take back what was counted in advance, and to give it again
const pauseCost = 4

/** The token behind an operand that says what is done with it: `[`, `.`. */
const operandEnd = (node: Expression) => ('operand' in node ? node.operand.last + 1 : node.first)
