// What other formats call branches: the sides of a decision, and the success and failure of an operation.
import type { Item } from '../coverage.js'

/** The branches and outcomes among items, those of one decision together. */
export function decisionsIn(items: readonly Item[]): (readonly [Item, ...Item[]])[] {
  const decisions: [Item, ...Item[]][] = []
  for (const item of items) {
    if (item.kind !== 'branch' && item.kind !== 'outcome') continue
    const last = decisions.at(-1)
    const belongs = last && last[0].line === item.line && last[0].column === item.column && last[0].kind === item.kind
    if (belongs) last.push(item)
    else decisions.push([item])
  }
  return decisions
}
