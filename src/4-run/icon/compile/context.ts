// The text of the generated script as it grows, and what the compiler keeps while it compiles one procedure.
import { placeOf } from '../../../1-parse/icon/scan.js'
import type { IconTree } from '../../../1-parse/icon/parse.js'
import { lineStarts, positionIn, type Source } from '../../../source.js'
import type { Expression } from '../../../1-parse/icon/ast.js'
import type { ProcedureFacts, ProgramFacts } from './facts.js'
import type { Operation } from './operations.js'

/**
 * A piece of JavaScript that gives a value. `kind` says when it may be evaluated:
 *
 *   const    at any time
 *   local    a local variable of the procedure: read as late as possible, as Icon does
 *   global   another variable: the same, but calls may change it
 *   effect   once, in order
 */
export interface Code {
  readonly text: string
  readonly kind: 'const' | 'local' | 'global' | 'effect'
}

export const constant = (text: string): Code => ({ text, kind: 'const' })
export const effect = (text: string): Code => ({ text, kind: 'effect' })

/**
 * What is asked of an expression: only whether it succeeds; its value; the variable it is, or else its value; or what
 * a procedure gives back: a variable unless it is local.
 */
export type Want = 'none' | 'value' | 'ref' | 'result'

export const isRef = (want: Want): boolean => want === 'ref' || want === 'result'

/** A place to jump to: the end of a labelled block. `scans`: how many scanning expressions are open there. */
export interface Label {
  readonly name: string
  readonly scans: number
  used: boolean
}

/** A loop that `break` and `next` may leave. */
export interface Loop {
  readonly breaks: Label
  /** Where `next` goes; undefined in the control expression of `every`: there it resumes, as failure does. */
  readonly next: Label | undefined
  /** The variable that gets the value of `break e`, and where to go when e fails. */
  readonly result: string | undefined
  readonly want: Want
  readonly fail: Label | undefined
  /** What is done with each result of `break e`, when several are wanted. */
  readonly each: ((code: Code) => void) | undefined
  /** The loops around it. */
  readonly outer: Loop | undefined
}

/** `$line` or `#line`: what the lines after line `at` are to be called. */
interface LineDirective {
  readonly at: number
  readonly line: number
  readonly file: string | undefined
}

function lineDirectives(text: string): LineDirective[] {
  if (!/^(#|[ \t]*\$[ \t]*)line /m.test(text)) return []
  return text.split('\n').flatMap((line, i) => {
    const match = /^(?:#|\s*\$\s*)line\s+(\d+)(?:\s+(?:"([^"]*)"|(\w+)))?/.exec(line)
    return match ? [{ at: i + 1, line: Number(match[1]), file: match[2] ?? match[3] }] : []
  })
}

/** Parts of the script that all procedures share. */
export class Script {
  readonly constants: string[] = []
  private readonly constantNames = new Map<string, string>()
  readonly library = new Set<string>()
  readonly wrappers = new Map<string, string>()
  readonly files: string[] = []
  private readonly starts = new Map<object, number[][]>()
  private readonly renamed = new Map<Source, LineDirective[]>()
  private count = 0

  constructor(readonly facts: ProgramFacts) {}

  /** A name of the run-time library. */
  use(name: string): string {
    this.library.add(name)
    return name
  }

  fresh(prefix: string): string {
    return `${prefix}${++this.count}`
  }

  /** A constant at the top of the script. */
  constant(text: string, shared = true): string {
    const known = shared ? this.constantNames.get(text) : undefined
    if (known) return known
    const name = this.fresh('k')
    this.constants.push(`const ${name} = ${text};`)
    this.constantNames.set(text, name)
    return name
  }

  /** File and line of a token. */
  place(tree: IconTree, token: number): { file: string; line: number } {
    const { file, offset } = placeOf(tree.tokens, token)
    let starts = this.starts.get(tree.tokens)
    if (!starts) this.starts.set(tree.tokens, (starts = []))
    const source = tree.tokens.files[file]
    starts[file] ??= lineStarts(source.text)
    const { line } = positionIn(starts[file], offset)
    let renamed = this.renamed.get(source)
    if (!renamed) this.renamed.set(source, (renamed = lineDirectives(source.text)))
    const before = renamed.filter((directive) => directive.at < line).reverse()
    if (before.length === 0) return { file: source.name, line }
    const [found] = before
    const name = before.find((directive) => directive.file !== undefined)?.file
    return { file: name ?? source.name, line: found.line + line - found.at }
  }

  /** A mark, to be put before what may raise an error: removed at the end, and remembered where it was. */
  mark(tree: IconTree, token: number, variables = ''): string {
    const { file, line } = this.place(tree, token)
    let index = this.files.indexOf(file)
    if (index < 0) index = this.files.push(file) - 1
    return `\x01${index}:${line}:${variables}\x02`
  }
}

/** What a name means. A counter is a cell that is only added to. */
export interface Variable {
  readonly kind: 'counter' | 'local' | 'static' | 'global' | 'procedure' | 'record' | 'function'
  readonly js: string
}

/** The state of compiling one procedure, or one co-expression of it. */
export class Context {
  out: string[] = []
  scans: { subject: string; pos: string }[] = []
  loop: Loop | undefined
  /** Locals not declared, met so far. */
  readonly undeclared = new Set<string>()
  /** Expressions that have been looked at, as operations. */
  readonly operations = new Map<Expression, Operation | undefined>()
  /** The same where variables are wanted. */
  readonly variableOperations = new Map<Expression, Operation | undefined>()
  /** Inside `create`, where `return` has no meaning. */
  inCreate = false
  /** The token marked last. */
  lastToken = 0
  /** The subscript compiled last, and what its operands are called: messages show the variable that it is. */
  lastElement: { readonly node: Expression; readonly operands: readonly string[] } | undefined
  /** The token noted last, for traces. */
  noted = 0

  constructor(
    readonly script: Script,
    readonly tree: IconTree,
    readonly procedure: ProcedureFacts,
    readonly variables: Map<string, Variable>,
    /** Compiled as a generator that may yield transfers between co-expressions. */
    public co: boolean,
  ) {}

  get facts(): ProgramFacts {
    return this.script.facts
  }

  line(text: string): void {
    this.out.push(text)
  }

  use(name: string): string {
    return this.script.use(name)
  }

  fresh(prefix = 't'): string {
    return this.script.fresh(prefix)
  }

  label(prefix = 'f'): Label {
    return { name: this.fresh(prefix), scans: this.scans.length, used: false }
  }

  /** What is emitted meanwhile, as text. */
  capture(emit: () => void): string {
    const before = this.out
    this.out = []
    emit()
    const text = this.out.join('\n')
    this.out = before
    return text
  }

  /** Emits a block that jumps to the label leave. */
  block(label: Label, emit: () => void): void {
    const text = this.capture(emit)
    if (label.used) this.line(`${label.name}: {\n${text}\n}`)
    else if (text !== '') this.line(text)
  }

  /** The statements that jump to a label, restoring the subjects of the scans they leave. */
  jump(label: Label): string {
    label.used = true
    return `${this.leaveScans(label.scans)}break ${label.name};`
  }

  /** Restores the subject as it was when only so many scans were open. */
  leaveScans(scans: number): string {
    if (this.scans.length <= scans) return ''
    const { subject, pos } = this.scans[scans]
    return `${this.use('S')}.subject = ${subject}; S.pos = ${pos}; `
  }

  /** A call of a library function, with the place of the token it stands for. */
  call(name: string, token: number, ...args: string[]): string {
    return `${this.mark(token)}${this.use(name)}(${args.join(', ')})`
  }

  /** The same; `variables` tells messages which operands are variables. */
  callOn(variables: string, name: string, token: number, ...args: string[]): string {
    return `${this.mark(token, variables)}${this.use(name)}(${args.join(', ')})`
  }

  mark(token: number, variables = ''): string {
    this.lastToken = token
    this.note(token)
    return this.script.mark(this.tree, token, variables)
  }

  /** In traced programs: emits that what comes now stands at the place of a token. */
  note(token: number | undefined): void {
    if (!this.facts.usesTrace || token === undefined) return
    this.noted = token
    const { file, line } = this.place(token)
    this.line(`${this.use('S')}.line = ${line}; S.file = ${JSON.stringify(file)};`)
  }

  /** In traced programs: emits that an expression has failed as a whole; what is resumed next has no place. */
  noteFailure(): void {
    if (this.facts.usesTrace) this.line(`${this.use('S')}.line = 0;`)
  }

  /** The code's value in a constant, so that it may be used often and late. */
  settle(code: Code): Code {
    if (code.kind === 'const') return code
    const name = this.fresh()
    this.line(`const ${name} = ${code.text};`)
    return constant(name)
  }

  /** Emits code that yields failure as undefined; on failure, jumps. */
  check(text: string, fail: Label, want: Want): Code {
    const { noted } = this
    if (want === 'none' && !this.facts.usesTrace) {
      this.line(`if (${text} === undefined) { ${this.jump(fail)} }`)
      return constant('null')
    }
    const name = this.fresh()
    this.line(`const ${name} = ${text};`)
    this.note(noted)
    this.line(`if (${name} === undefined) { ${this.jump(fail)} }`)
    return constant(name)
  }

  /** Code that fails only when an error is turned into failure. */
  compute(text: string, fail: Label, want: Want): Code {
    return this.facts.converts ? this.check(text, fail, want) : effect(text)
  }

  place(token: number): { file: string; line: number } {
    return this.script.place(this.tree, token)
  }
}
