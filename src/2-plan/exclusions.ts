// Comments that leave something out of coverage, with a reason:
//
//   scamp: ignore: REASON            what begins in the comment's line; if it stands alone in it, in the next line of code
//   scamp: ignore SIDE: REASON       the same, but only one side, with all lines of it: then, else, none, default, out, body,
//                                    skip (no pass), right (of ANDF), success, failure, or an arm's number
//   scamp: ignore procedure: REASON  the procedure or routine it stands in, or else the one that begins in the next line of
//                                    code
//   scamp: ignore start: REASON      all from here to the comment `scamp: ignore end`
//   scamp: ignore file: REASON       the file
//
// A comment that gives no reason, or that cannot be understood, leaves nothing out, and is complained of.
import { children as childrenInAlgol68, type Node as Algol68Node } from '../1-parse/algol68/ast.js'
import { children as childrenInIcon, type Node as IconNode } from '../1-parse/icon/ast.js'
import { placeOf } from '../1-parse/icon/scan.js'
import type { Tree } from '../1-parse/parse.js'
import type { Remark } from '../1-parse/remarks.js'
import { walk } from '../1-parse/walk.js'
import { lineStarts, positionIn } from '../source.js'

/**
 * What a comment leaves out of coverage: everything that begins in some lines, or one side of what is decided in them.
 *
 * file         which of the source's files
 * line         of the comment
 * first, last  the lines that it speaks of
 * part         `true`, `false`, `none`, `success`, …: the side; null: all
 * reason       in the author's words
 */
export interface Exclusion {
  readonly file: number
  readonly line: number
  readonly first: number
  readonly last: number
  readonly part: string | null
  readonly reason: string
}

/** What is wrong with a comment that speaks to scamp. */
export interface Complaint {
  readonly file: number
  readonly line: number
  readonly what: string
}

/** What the comments of a source leave out. */
export interface Exclusions {
  readonly exclusions: readonly Exclusion[]
  readonly complaints: readonly Complaint[]
}

/** Reads the comments of a source that speak to scamp. */
export function exclusionsOf(tree: Tree): Exclusions {
  const { remarks, files } = tree.tokens
  if (remarks.length === 0) return { exclusions: [], complaints: [] }
  const starts = files.map(({ text }) => lineStarts(text))
  const lineAt = (file: number, offset: number) => positionIn(starts[file], offset).line
  const reader = new Reader(codeIn(tree, lineAt))
  for (const remark of remarks) reader.read(remark, lineAt(remark.file, remark.offset))
  return reader.finish()
}

/** Where a tree has code: in each file the lines with tokens, in their order; its procedures; the sides of decisions. */
interface Code {
  readonly lines: readonly (readonly number[])[]
  readonly procedures: readonly Lines[]
  readonly parts: readonly (Lines & { readonly side: string; readonly decided: number })[]
}

interface Lines {
  readonly file: number
  readonly first: number
  readonly last: number
}

// the sides of decisions, as people may call them
const sides: ReadonlyMap<string, string> = new Map([
  ['then', 'true'],
  ['else', 'false'],
  ...['true', 'false', 'none', 'default', 'out', 'body', 'skip', 'right', 'success', 'failure'].map(
    (one) => [one, one] as const,
  ),
])

const example = 'as in "scamp: ignore: REASON"'

class Reader {
  private readonly exclusions: Exclusion[] = []
  private readonly complaints: Complaint[] = []
  private open: { readonly file: number; readonly line: number; readonly reason: string } | undefined

  constructor(private readonly code: Code) {}

  read({ file, words }: Remark, line: number): void {
    const complain = (what: string) => this.complaints.push({ file, line, what })
    const match = /^ignore\b\s*([\w-]*)\s*(?::\s*(.*))?$/s.exec(words)
    if (!match) return void complain(`"scamp: ${shown(words)}" is not understood; say "ignore", ${example}`)
    const [, what, given] = match
    const reason = (given ?? '').replace(/\s+/g, ' ').trim()
    if (what === 'end') return this.end(file, line, complain)
    if (reason === '') {
      return void complain(`"scamp: ${shown(words)}" gives no reason, so nothing is left out; give one, ${example}`)
    }
    const add = (first: number, last: number, part: string | null = null) =>
      void this.exclusions.push({ file, line, first, last, part, reason })
    switch (what) {
      case 'file':
        return add(1, Math.max(line, ...this.code.lines[file].slice(-1)))
      case 'start':
        if (this.open) return void complain(`"ignore start" within the one of line ${this.open.line}`)
        this.open = { file, line, reason }
        return
      case 'procedure': {
        const lines = this.procedureAt(file, line)
        return lines ? add(lines.first, lines.last) : void complain('there is no procedure to be ignored here')
      }
      default: {
        const part = what === '' ? null : /^\d+$/.test(what) ? what : sides.get(what)
        if (part === undefined) {
          const known = ['procedure', 'start', 'end', 'file', ...sides.keys()].join(', ')
          return void complain(`"ignore ${what}" is not understood; there are ${known}, and numbers of arms`)
        }
        const found = this.codeFrom(file, line)
        if (found === undefined) return void complain('there is nothing to be ignored here')
        add(found, found, part)
        for (const { first, last } of this.code.parts.filter(
          (one) => one.file === file && one.decided === found && one.side === part,
        )) {
          // what follows it may begin in its last line
          const rest = { first: Math.max(first, found + 1), last }
          if (rest.first <= rest.last) add(rest.first, rest.last)
        }
      }
    }
  }

  finish(): Exclusions {
    const { exclusions, complaints, open } = this
    if (open) complaints.push({ file: open.file, line: open.line, what: '"ignore start" without an "ignore end"' })
    return { exclusions, complaints }
  }

  private end(file: number, line: number, complain: (what: string) => void): void {
    const { open } = this
    if (!open || open.file !== file) return complain('"ignore end" without an "ignore start"')
    this.open = undefined
    this.exclusions.push({ file, line: open.line, first: open.line, last: line, part: null, reason: open.reason })
  }

  /** The first line from this one on that has code. */
  private codeFrom(file: number, line: number): number | undefined {
    return this.code.lines[file].find((one) => one >= line)
  }

  /** The innermost procedure about a line, or else the first that begins in the next line of code. */
  private procedureAt(file: number, line: number): Lines | undefined {
    const own = this.code.procedures.filter((one) => one.file === file)
    const around = own.filter(({ first, last }) => first <= line && line <= last)
    if (around.length > 0) return around.reduce((one, other) => (other.first >= one.first ? other : one))
    const next = this.codeFrom(file, line)
    return own.find(({ first }) => first === next)
  }
}

const shown = (words: string) => (words.length > 40 ? `${words.slice(0, 39)}…` : words)

function codeIn(tree: Tree, lineAt: (file: number, offset: number) => number): Code {
  const lines = tree.tokens.files.map(() => new Set<number>())
  const lineOf = (token: number) => {
    const { file, offset } =
      tree.language === 'icon'
        ? placeOf(tree.tokens, token)
        : { file: tree.tokens.file[token], offset: tree.tokens.from[token] }
    return { file, line: lineAt(file, offset) }
  }
  for (let token = 0; token + 1 < tree.tokens.kinds.length; token++) {
    const { file, line } = lineOf(token)
    lines[file].add(line)
  }
  const linesOf = ({ first, last }: Range) => {
    const { file, line } = lineOf(first)
    return { file, first: line, last: lineOf(last).line }
  }
  const procedures: Lines[] = []
  const parts: Code['parts'][number][] = []
  const enter = (node: IconNode | Algol68Node) => {
    if (node.kind === 'Procedure' || node.kind === 'Routine') procedures.push(linesOf(node))
    const { file, line: decided } = lineOf(node.first)
    const own = partsOf(node).map(([side, part]) => ({ side, decided, ...linesOf(part) }))
    own.forEach((part, i) => {
      const next = own[i + 1]
      const last = next?.first === part.last ? part.last - 1 : part.last
      if (part.file === file) parts.push({ ...part, last })
    })
  }
  if (tree.language === 'icon') walk<IconNode>(tree.program, childrenInIcon, enter)
  else walk<Algol68Node>(tree.program, childrenInAlgol68, enter)
  return { lines: lines.map((set) => [...set].sort((one, other) => one - other)), procedures, parts }
}

/** A node's place: tokens. */
interface Range {
  readonly first: number
  readonly last: number
}

/** The sides of a decision that have a text, in the order of the text. */
function partsOf(node: IconNode | Algol68Node): (readonly [string, Range])[] {
  switch (node.kind) {
    case 'If':
      return [['true', node.then], ...(node.otherwise ? [['false', node.otherwise] as const] : [])]
    case 'While':
    case 'Until':
    case 'Every':
    case 'Suspend':
    case 'Repeat':
    case 'Loop':
      return node.body ? [['body', node.body]] : []
    case 'Case': {
      if ('arms' in node) {
        const arms = node.arms.map((arm, i) => [String(i + 1), arm] as const)
        return [...arms, ...(node.otherwise ? [['out', node.otherwise] as const] : [])]
      }
      let number = 0
      return node.clauses.map(({ selector, body }) => [selector ? String(++number) : 'default', body])
    }
    default:
      return []
  }
}
