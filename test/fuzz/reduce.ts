// Makes a program smaller while something remains true of it: expressions give way to their parts, statements,
// procedures and declarations go.
import { children, type Node } from '../../src/1-parse/icon/ast.js'
import { parseIcon, type IconTree } from '../../src/1-parse/icon/parse.js'
import { walk } from '../../src/1-parse/walk.js'

/** Tells of which texts something is true. */
export type Test = (texts: readonly string[]) => Promise<readonly boolean[]>

/** Texts that are tested at once. */
const together = 60

/** The smallest text found in so many seconds for which the test is true; it must be true for the first. */
export async function reduce(text: string, test: Test, seconds = 30): Promise<string> {
  const end = Date.now() + seconds * 1000
  return reduceTree(await reduceLines(text, test, end), test, end)
}

/** Takes out runs of lines, long ones first: all that can go one by one if they can go together, or else the first. */
async function reduceLines(text: string, test: Test, end: number): Promise<string> {
  let lines = text.split('\n')
  for (let size = lines.length >> 1; size > 0 && Date.now() < end;) {
    const runs = lines.map((_, i) => i).filter((i) => i % size === 0)
    const without = (gone: readonly number[]) => lines.filter((_, i) => !gone.includes(i - (i % size))).join('\n')
    const possible = runs.filter((run) => accepted(without([run])))
    const results = await test(possible.map((run) => without([run])))
    const spare = possible.filter((_, i) => results[i])
    const all = without(spare)
    if (spare.length > 1 && !(accepted(all) && (await test([all]))[0])) spare.length = 1
    lines = without(spare).split('\n')
    if (spare.length !== 1 || size > 8) size >>= 1
  }
  return lines.join('\n')
}

/** Replaces expressions by their parts or by constants, or takes them out. */
async function reduceTree(text: string, test: Test, end: number): Promise<string> {
  for (let smaller: string | undefined = text; smaller !== undefined;) {
    text = smaller
    smaller = undefined
    const all = candidates(text)
    for (let from = 0; from < all.length && smaller === undefined && Date.now() < end; from += together) {
      const some = all.slice(from, from + together)
      const results = await test(some)
      smaller = some[results.indexOf(true)]
    }
  }
  return text
}

/** Smaller programs, the smallest first. */
function candidates(text: string): string[] {
  const tree: IconTree = parseIcon({ name: 'reduced.icn', text, language: 'icon' }, () => undefined)
  const { from, to } = tree.tokens
  const found = new Set<string>()
  walk<Node>(tree.program, children, (node) => {
    if (node.kind === 'Program') return
    const [start, end] = [from[node.first], to[node.last]]
    const replace = (by: string) => {
      const smaller = text.slice(0, start) + by + text.slice(end)
      if (smaller.length < text.length) found.add(smaller)
    }
    replace('')
    if (node.kind === 'Clause') return
    for (const name of children[node.kind]) {
      const child = (node as unknown as Record<string, Node | readonly (Node | null)[] | null>)[name]
      for (const part of Array.isArray(child) ? (child as (Node | null)[]) : [child as Node | null]) {
        if (part) replace(text.slice(from[part.first], to[part.last]))
      }
    }
    if (children[node.kind].length > 0 && node.kind !== 'Procedure') for (const by of ['1', '&null', '"a"']) replace(by)
  })
  // lines of declarations, which the tree has no nodes for
  text.split('\n').forEach((_, i, lines) => found.add(lines.filter((_line, j) => j !== i).join('\n')))
  return [...found].filter((smaller) => accepted(smaller)).sort((one, other) => one.length - other.length)
}

function accepted(text: string): boolean {
  try {
    parseIcon({ name: 'reduced.icn', text, language: 'icon' }, () => undefined)
    return true
  } catch {
    return false
  }
}
