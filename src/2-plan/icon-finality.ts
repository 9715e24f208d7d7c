// Icon: which expressions nothing resumes once they have succeeded, nor calls any procedure of the user's before all
// that they belong to is over. At these a probe may leave a generator behind that is never resumed: it costs next to
// nothing, and takes room on the interpreter's stack only while no other procedure can run.
import { children, type Expression, type Node, type Procedure } from '../1-parse/icon/ast.js'
import { walk } from '../1-parse/walk.js'
import type { Operation, Outcomes } from './outcomes.js'

/** Keeps the expressions that are final, while control is followed from the outside to the inside. */
export class Finality {
  private readonly final = new Set<Expression | null>()
  private readonly quiet = new Map<Node, boolean>()

  constructor(private readonly outcomes: Outcomes) {}

  isFinal(node: Expression): boolean {
    return this.final.has(node)
  }

  /** Notes expressions that are bounded. */
  finish(...nodes: readonly (Expression | null)[]): void {
    for (const node of nodes) this.final.add(node)
  }

  /** What an expression gives its results to others for is as final as itself. */
  passOn(node: Expression, ...nodes: readonly (Expression | null)[]): void {
    if (this.final.has(node)) this.finish(...nodes)
  }

  /** Of an operation that cannot fail those operands are final behind which nothing can. */
  passToOperands(
    node: Expression,
    operands: readonly (Expression | null)[],
    kind: Operation,
    procedure: Procedure,
  ): void {
    if (!this.final.has(node) || (kind !== 'once' && kind !== 'undone') || this.calls(node)) return
    for (let i = operands.length - 1; i >= 0; i--) {
      this.final.add(operands[i])
      if (!this.isPlain(operands[i], procedure)) return
    }
  }

  /** Whether an expression has one result, and calls no procedure of the user's. */
  isPlain(node: Expression | null, procedure: Procedure): boolean {
    return node === null || (this.outcomes.isOnce(node, procedure) && this.isQuiet(node))
  }

  /** Whether nothing in it calls; what is found of its parts is kept. */
  private isQuiet(node: Node): boolean {
    let noise = 0
    const before: number[] = []
    walk<Node>(
      node,
      children,
      (one) => {
        const known = this.quiet.get(one)
        if (known === false) noise++
        if (known === undefined) before.push(noise)
        return known === undefined
      },
      (one) => {
        if (this.calls(one)) noise++
        this.quiet.set(one, before.pop() === noise)
      },
    )
    return noise === 0
  }

  /** Whether this node itself may make procedures of the user's run, or leave its own. */
  private calls(node: Node): boolean {
    switch (node.kind) {
      case 'Call':
        return node.callee.kind !== 'Identifier' || !this.outcomes.isBuiltin(node.callee.name)
      case 'Unary':
        return node.operator.startsWith('@')
      case 'Binary':
        return ['!', '@', '@:='].includes(node.operator)
      case 'ControlCall':
      case 'Suspend':
      case 'Return':
        return true
      default:
        return false
    }
  }
}
