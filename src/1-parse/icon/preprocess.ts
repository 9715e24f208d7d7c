// Icon's preprocessor: source text → the text the scanner reads, with the origin of every part of it.
// It does what icont's does, line by line and blind to strings that continue over lines: $define $undef $ifdef
// $ifndef $else $endif $include $line $error and #line, and replaces defined names. A directive leaves an empty
// line. Sources without any of this, nearly all, pass through untouched.
// Where icont reads files, this asks its caller.
import type { Source } from '../../source.js'
import { predefined } from './tokens.js'

/** Finds the text that `$include` names; undefined if there is none. The answer's name is what icont would show. */
export type ReadInclude = (name: string) => Source | undefined

/** Something wrong in a source: offset in that source's text. */
export interface Problem {
  readonly message: string
  readonly file: number
  readonly offset: number
  /** Where in the preprocessed text this was met, to order it among other errors. */
  readonly at: number
}

/**
 * A run of preprocessed text: it came from `offset` in file `file`, character by character; or, when `use` is
 * set, it replaced the name that stands there, `use` characters long.
 */
export interface Origin {
  readonly at: number
  readonly file: number
  readonly offset: number
  readonly use: number
}

/**
 * Preprocessed text.
 *
 * files      the source itself, then the files it includes, in order of inclusion
 * origins    where each run of the text came from, in order; undefined when text is the source's own
 */
export interface Preprocessed {
  readonly text: string
  readonly files: readonly Source[]
  readonly inclusions: readonly Inclusion[]
  readonly origins: readonly Origin[] | undefined
  readonly problems: readonly Problem[]
  /** Whether the text gives its lines other numbers: by $line, #line. */
  readonly renumbered: boolean
}

/** One `$include`: what it brought in, and the name by which it asked for it. */
export interface Inclusion {
  readonly file: number
  readonly asked: string
}

interface OpenFile {
  readonly index: number
  readonly text: string
  next: number
  readonly ifDepth: number
  readonly name: string
}

// a directive, a #line form, a predefined name, or a NUL (which ends a line early)
const needsWork = /^[ \t\f\v\r]*\$(?![!-/:-@[-`{-~])|^#line |\b_[A-Z]|\0/m
const directiveStart = /^[ \t\f\v\r]*\$(?![!-/:-@[-`{-~])/

/** Preprocesses a source. */
export function preprocess(source: Source, readInclude: ReadInclude): Preprocessed {
  if (!needsWork.test(source.text)) {
    return { text: source.text, files: [source], inclusions: [], origins: undefined, problems: [], renumbered: false }
  }
  return new Preprocessor(source, readInclude).result()
}

class Preprocessor {
  private readonly files: Source[] = []
  private readonly inclusions: Inclusion[] = []
  private readonly origins: Origin[] = []
  private readonly problems: Problem[] = []
  private readonly parts: string[] = []
  private length = 0
  private readonly open: OpenFile[] = []
  private ifDepth = 0
  private renumbered = false
  private readonly definitions = new Map<string, string>(predefined.map((name) => [name, '1']))

  constructor(
    source: Source,
    private readonly readInclude: ReadInclude,
  ) {
    this.push(source)
    while (this.open.length > 0) this.line()
  }

  result(): Preprocessed {
    const { files, inclusions, origins, problems, renumbered } = this
    return { text: this.parts.join(''), files, inclusions, origins, problems, renumbered }
  }

  private push(source: Source): void {
    this.files.push(source)
    this.open.push({
      index: this.files.length - 1,
      text: source.text,
      next: 0,
      ifDepth: this.ifDepth,
      name: source.name,
    })
  }

  private get current(): OpenFile {
    return this.open[this.open.length - 1]
  }

  private emit(text: string, offset: number, use = 0): void {
    if (text === '') return
    this.origins.push({ at: this.length, file: this.current.index, offset, use })
    this.parts.push(text)
    this.length += text.length
  }

  private report(message: string, offset: number): void {
    this.problems.push({ message, file: this.current.index, offset, at: this.length })
  }

  /** Takes the next line of the current file: its offset and its text without the newline; undefined at the end. */
  private takeLine(): { offset: number; text: string } | undefined {
    const file = this.current
    if (file.next >= file.text.length) return undefined
    const offset = file.next
    const newline = file.text.indexOf('\n', offset)
    const end = newline < 0 ? file.text.length : newline
    file.next = end + 1
    return { offset, text: file.text.slice(offset, end) }
  }

  private line(): void {
    const line = this.takeLine()
    if (!line) return this.endOfFile()
    const { offset, text } = line
    const directive = directiveStart.exec(text)
    if (directive) {
      const dollar = directive[0].length - 1
      this.directive(text, offset, dollar)
      return
    }
    if (text.startsWith('#line ')) {
      this.renumbered = true
      this.emit('\n', offset + text.length)
      return
    }
    const nul = text.indexOf('\0')
    if (nul < 0) {
      this.expand(text, offset, undefined, new Set())
      this.emit('\n', offset + text.length)
    } else this.expand(text.slice(0, nul), offset, undefined, new Set())
  }

  private endOfFile(): void {
    const file = this.current
    if (file.ifDepth !== this.ifDepth) {
      this.report('unterminated $if', file.text.replace(/\n$/, '').length)
      this.ifDepth = file.ifDepth
    }
    this.open.pop()
    if (this.open.length > 0) this.emit('\n', this.current.next - 1)
  }

  /** Emits text with defined names replaced. `use` is set inside a replacement: where the outermost name stands. */
  private expand(
    text: string,
    offset: number,
    use: { offset: number; length: number } | undefined,
    busy: Set<string>,
  ): void {
    const pattern =
      /[A-Za-z_]\w*|\d+(?:[rR][A-Za-z0-9]*|\.?\d*(?:[eE][+-]?\d*)?)|#.*$|"(?:[^"\\]|\\.)*(?:"|\\?$)|'(?:[^'\\]|\\.)*(?:'|\\?$)/gs
    let copied = 0
    const copyTo = (end: number) => {
      if (use) this.emit(text.slice(copied, end), use.offset, use.length)
      else this.emit(text.slice(copied, end), offset + copied)
    }
    for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
      const name = match[0]
      const definition = this.definitions.get(name)
      if (definition === undefined || busy.has(name)) continue
      copyTo(match.index)
      copied = match.index + name.length
      busy.add(name)
      this.expand(definition, 0, use ?? { offset: offset + match.index, length: name.length }, busy)
      busy.delete(name)
    }
    copyTo(text.length)
  }

  private directive(text: string, offset: number, dollar: number): void {
    const match = /^\s*(\w*)\s*/.exec(text.slice(dollar + 1))!
    const name = match[1]
    const from = dollar + 1 + match[0].length
    const rest = stripComment(text.slice(from))
    const at = offset + dollar
    const message = this.obey(name, rest, text.slice(from), at)
    if (message) this.report(message, at)
    if (name !== 'include' || this.current.next > offset + text.length) this.emit('\n', offset + text.length)
  }

  /** Carries out one directive; answers what is wrong with it, if anything. */
  private obey(name: string, rest: string, raw: string, at: number): string | undefined {
    switch (name) {
      case 'define':
        return this.define(raw)
      case 'undef':
        return this.undef(rest)
      case 'ifdef':
        return this.ifdef(rest, true)
      case 'ifndef':
        return this.ifdef(rest, false)
      case 'else':
      case 'endif':
        if (this.ifDepth <= this.current.ifDepth) return `unexpected $${name}`
        if (rest !== '') this.report('extraneous arguments on $else/$endif', at)
        if (name === 'else') this.skip(false)
        else this.ifDepth--
        return undefined
      case 'include':
        return this.include(rest, at)
      case 'line':
        this.renumbered = true
        if (!/^\d/.test(rest)) return '$line: no line number'
        return /^\d+\s*(?:"(?:[^"\\]|\\.)+"|\w+)?\s*$/.test(rest) ? undefined : '$line: invalid file name'
      case 'error':
        return `explicit $error: ${rest}`
      default:
        return `invalid preprocessing directive "${name}"`
    }
  }

  private define(raw: string): string | undefined {
    const match = /^([A-Za-z_]\w*)(\(?)/.exec(raw)
    if (!match) return '$define: missing name'
    if (match[2]) return '$define: "(" after name requires preceding space'
    const name = match[1]
    const value = definedValue(raw.slice(name.length).replace(/^\s*(?:#.*$)?/s, ''))
    if (value === undefined) return '$define: unterminated literal'
    const old = this.definitions.get(name)
    if (old !== undefined) return old === value ? undefined : `value redefined: ${name}`
    this.definitions.set(name, value)
    return undefined
  }

  private undef(rest: string): string | undefined {
    const match = /^([A-Za-z_]\w*)(.*)$/s.exec(rest)
    if (!match) return '$undef: missing name'
    if (match[2].trim() !== '') return '$undef: too many arguments'
    this.definitions.delete(match[1])
    return undefined
  }

  private ifdef(rest: string, wanted: boolean): string | undefined {
    this.ifDepth++
    const match = /^([A-Za-z_]\w*)(.*)$/s.exec(rest)
    if (!match) return '$ifdef/$ifndef: missing name'
    if (match[2].trim() !== '') return '$ifdef/$ifndef: too many arguments'
    if (this.definitions.has(match[1]) !== wanted) this.skip(true)
    return undefined
  }

  /** Skips to the matching `$endif`, or, if `toElse`, to an `$else` before it. */
  private skip(toElse: boolean): void {
    let depth = 0
    for (let line = this.takeLine(); line; line = this.takeLine()) {
      const directive = directiveStart.exec(line.text)
      if (!directive) continue
      const match = /^\s*(\w*)\s*(.*)$/s.exec(line.text.slice(directive[0].length))!
      const name = match[1]
      if (name.startsWith('if')) {
        depth++
        this.ifDepth++
      } else if (name === 'endif' || (name === 'else' && toElse && depth === 0)) {
        if (stripComment(match[2]) !== '') {
          this.report('extraneous arguments on $else/$endif', line.offset + directive[0].length - 1)
        }
        if (name === 'endif') this.ifDepth--
        if (depth-- === 0) return
      }
    }
  }

  private include(rest: string, at: number): string | undefined {
    const match = /^(?:"((?:[^"\\]|\\.)*)"|(\w*))\s*(.*)$/s.exec(rest)
    const name = match?.[1]?.replace(/\\(.)/g, '$1') ?? match?.[2] ?? ''
    if (!match || name === '') return '$include: invalid file name'
    if (match[3] !== '') return '$include: too many arguments'
    const found = this.readInclude(name)
    if (!found) return `cannot open "${name}"`
    if (this.open.some((file) => file.name === found.name)) return `circular include "${name}"`
    this.emit('\n', at)
    this.inclusions.push({ file: this.files.length, asked: name })
    this.push(found)
    return undefined
  }
}

/** The text without a trailing comment; a `#` inside a quoted file name is not one. */
function stripComment(text: string): string {
  const match = /^(?:"(?:[^"\\]|\\.)*"|[^"#])*/s.exec(text)!
  const end = text[match[0].length] === '"' ? text.length : match[0].length
  return text.slice(0, end).trimEnd()
}

/** A `$define`'s value: up to a comment, without trailing blanks; undefined if a quote in it is not closed. */
function definedValue(text: string): string | undefined {
  const match = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[^"'#])*/s.exec(text)!
  const next = text[match[0].length]
  if (next === '"' || next === "'") return undefined
  return match[0].trimEnd()
}
