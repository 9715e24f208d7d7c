// What the generators of an Icon program serve. Every expression whose results something asks for (a condition, the
// control expression of a loop, a statement, …) is a goal; within it, what fails has the operations before it resumed,
// the last one first. For reports on searches; planning does not need it.
import type { Expression } from '../1-parse/icon/ast.js'
import type { IconTree } from '../1-parse/icon/parse.js'
import { placeOf } from '../1-parse/icon/scan.js'
import { lineStarts, positionIn, type Position } from '../source.js'
import { operandsOf } from './icon-expressions.js'

/**
 * An operation, or a choice between expressions.
 *
 * places    of the token that it may be counted at: of a call, the bracket or what is called; none of a choice
 * isChosen  whether it stands in one of several expressions of which one is chosen: not every result comes from there
 */
export interface Link {
  readonly places: readonly Position[]
  readonly isChosen: boolean
}

/**
 * An expression whose results something asks for.
 *
 * results  where tokens tell how many it had: the sum of theirs, each of the first place that has a token
 * chain    its operations, in the order in which they are carried out
 */
export interface Goal {
  readonly results: readonly (readonly Position[])[]
  readonly chain: readonly Link[]
}

/** Finds the goals in the text of a tree itself; what it includes has goals of its own. */
export function goalsOf(tree: IconTree): Goal[] {
  const finder = new GoalFinder(tree)
  for (const one of tree.program.declarations) {
    if (one.kind !== 'Procedure') continue
    if (one.initial) finder.goal(one.initial)
    for (const statement of one.body) finder.goal(statement)
  }
  return finder.goals
}

class GoalFinder {
  readonly goals: Goal[] = []
  private readonly starts: readonly number[]

  constructor(private readonly tree: IconTree) {
    this.starts = lineStarts(tree.source.text)
  }

  /** Notes an expression that something asks for results. Of a choice, what may be chosen are goals of their own. */
  goal(node: Expression | null): void {
    if (node === null) return
    switch (node.kind) {
      case 'Paren':
        if (node.expressions.length === 1) return this.goal(node.expressions[0])
        break
      case 'Compound':
        for (const one of node.expressions) this.goal(one)
        return
      case 'If':
        this.goal(node.condition)
        this.goal(node.then)
        return this.goal(node.otherwise)
      case 'Case':
        this.goal(node.control)
        for (const { selector, body } of node.clauses) {
          this.goal(selector)
          this.goal(body)
        }
        return
      case 'Binary':
        if (node.operator !== '|') break
        this.goal(node.left)
        return this.goal(node.right)
    }
    const chain = this.chain(node, false)
    const results = this.resultsOf(node)
    if (chain.length > 0 && results) this.goals.push({ results, chain })
  }

  /** The operations of an expression in their order. What is evaluated for itself within is a goal of its own. */
  private chain(node: Expression | null, isChosen: boolean): Link[] {
    if (node === null) return []
    const within = (nodes: readonly (Expression | null)[]) => nodes.flatMap((one) => this.chain(one, isChosen))
    const link = (...tokens: number[]): Link => ({ places: this.placesOf(tokens), isChosen })
    const choice = (...nodes: (Expression | null)[]): Link[] => [
      ...nodes.flatMap((one) => this.chain(one, true)),
      { places: [], isChosen },
    ]
    switch (node.kind) {
      case 'Identifier':
      case 'Integer':
      case 'Real':
      case 'String':
      case 'Cset':
      case 'Fail':
      case 'Next':
        return []
      case 'Keyword':
        return [link(node.first)]
      case 'Paren':
        return within(node.expressions)
      case 'Compound':
        for (const one of node.expressions.slice(0, -1)) this.goal(one)
        return within(node.expressions.slice(-1))
      case 'If':
        this.goal(node.condition)
        return choice(node.then, node.otherwise)
      case 'Case':
        this.goal(node.control)
        for (const { selector } of node.clauses) this.goal(selector)
        return choice(...node.clauses.map(({ body }) => body))
      case 'While':
      case 'Until':
      case 'Every':
      case 'Suspend':
        this.goal(node.control)
        this.goal(node.body)
        return []
      case 'Repeat':
        this.goal(node.body)
        return []
      case 'Return':
      case 'Break':
        this.goal(node.value)
        return []
      case 'Create':
        this.goal(node.expression)
        return []
      case 'ControlCall':
        for (const one of node.args) this.goal(one)
        return [...within([node.callee]), link(node.callee.last + 1)]
      case 'Call':
        return [...within(operandsOf(node)), link(...callTokens(node))]
      case 'Unary':
        if (node.operator === 'not') {
          this.goal(node.operand)
          return []
        }
        // each result of |e is one of e
        if (node.operator.startsWith('|')) return [link(node.first), ...within([node.operand])]
        return [...within([node.operand]), link(node.first)]
      case 'Binary':
        if (node.operator === '|') return choice(node.left, node.right)
        return [...within(operandsOf(node)), link(node.operatorToken)]
      case 'To':
        return [...within(operandsOf(node)), link(node.from.last + 1)]
      case 'List':
        return [...within(operandsOf(node)), link(node.first)]
      case 'Subscript':
      case 'Section':
      case 'Field':
        return [...within(operandsOf(node)), link(node.operand.last + 1)]
    }
  }

  /** The tokens whose results add up to those of an expression; undefined if there are none. */
  private resultsOf(node: Expression | null): (readonly Position[])[] | undefined {
    if (node === null) return undefined
    const at = (...tokens: number[]) => [this.placesOf(tokens)]
    switch (node.kind) {
      case 'Paren':
      case 'Compound':
        return this.resultsOf(node.expressions[node.expressions.length - 1] ?? null)
      case 'Call':
        return at(...callTokens(node))
      case 'ControlCall':
        return at(node.callee.last + 1)
      case 'To':
        return at(node.from.last + 1)
      case 'Subscript':
      case 'Section':
      case 'Field':
        return at(node.operand.last + 1)
      case 'Binary': {
        if (node.operator === '\\') return this.resultsOf(node.left)
        if (node.operator !== '|') return at(node.operatorToken)
        const [left, right] = [this.resultsOf(node.left), this.resultsOf(node.right)]
        return left && right && [...left, ...right]
      }
      default:
        return at(node.first)
    }
  }

  /** Where tokens stand, of those that stand in the source itself. */
  private placesOf(tokens: readonly number[]): Position[] {
    return tokens.flatMap((token) => {
      const { file, offset } = placeOf(this.tree.tokens, token)
      return file === 0 ? [positionIn(this.starts, offset)] : []
    })
  }
}

/** Where a call is counted: at the bracket, or, of a built-in function, at what is called. */
const callTokens = ({ callee }: { readonly callee: Expression }) => [callee.last + 1, callee.first]
