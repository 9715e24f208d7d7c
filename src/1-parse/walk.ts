// The one traversal. It keeps its own stack: trees of long programs are deeper than JavaScript's.

/** Any tree node: what walk needs of it. */
export interface AnyNode {
  readonly kind: string
}

/**
 * Visits a node and everything below it, in the order of the text.
 *
 * table   for each kind, the names of its children (ast.ts)
 * enter   called before a node's children; answering false leaves them out
 * leave   called after them
 */
export function walk<N extends AnyNode>(
  root: N,
  table: Readonly<Record<string, readonly string[]>>,
  enter: (node: N) => boolean | void,
  leave?: (node: N) => void,
): void {
  const stack: N[] = [root]
  // whether the element of the stack at the same place is to be left rather than entered
  const leaving: boolean[] = [false]
  while (stack.length > 0) {
    const node = stack.pop()!
    if (leaving.pop()) {
      leave!(node)
      continue
    }
    if (enter(node) === false) continue
    if (leave) {
      stack.push(node)
      leaving.push(true)
    }
    const names = table[node.kind]
    for (let i = names.length - 1; i >= 0; i--) {
      const child = (node as unknown as Record<string, N | null | readonly (N | null)[]>)[names[i]]
      if (child === null) continue
      if (Array.isArray(child)) {
        for (let j = child.length - 1; j >= 0; j--) {
          if (child[j] === null) continue
          stack.push(child[j] as N)
          leaving.push(false)
        }
      } else {
        stack.push(child as N)
        leaving.push(false)
      }
    }
  }
}
