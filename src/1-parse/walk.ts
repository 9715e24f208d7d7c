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
  const stack: (N | { leaving: N })[] = [root]
  for (let top = stack.pop(); top; top = stack.pop()) {
    if ('leaving' in top) {
      leave?.(top.leaving)
      continue
    }
    const node: N = top
    if (enter(node) === false) continue
    if (leave) stack.push({ leaving: node })
    pushChildren(node, table[node.kind], stack)
  }
}

/** Puts a node's children on the stack, the last one first. */
function pushChildren<N extends AnyNode>(node: N, names: readonly string[], stack: unknown[]): void {
  for (let i = names.length - 1; i >= 0; i--) {
    const child = (node as unknown as Record<string, N | null | readonly (N | null)[]>)[names[i]]
    if (child === null) continue
    if (!Array.isArray(child)) stack.push(child)
    else for (let j = child.length - 1; j >= 0; j--) if (child[j]) stack.push(child[j])
  }
}
