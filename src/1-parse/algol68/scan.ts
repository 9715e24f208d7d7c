// Algol 68's scanner: text → tokens. The grammar reads `kinds`, one character a token; everything else about a token
// is found by its index. Blanks mean nothing within identifiers and denotations; comments and pragmats are no tokens,
// but a file that a pragmat includes is read in front of the line that holds it, once.
//
// source: Revised Report §9.2 to §9.4, §10.3.4 for formats; Algol 68 Genie 3.1.2 where it differs
import type { Source } from '../../source.js'
import { wordsToScamp, type Remark } from '../remarks.js'
import { depthOf, settle, type Tag } from './settle.js'
import { boldWords, kinds as kindOf } from './tokens.js'

/** How bold words are told from identifiers: BOLD in capitals, or 'BOLD' in quotes; in capitals both are understood. */
export type Stropping = 'upper' | 'quote'

/**
 * Finds a file that a pragmat includes.
 *
 * name   as the pragmat spells it
 * from   of the file that holds the pragmat
 */
export type ReadIncluded = (name: string, from: Source) => Source | undefined

/** Something wrong that was met while scanning. */
export interface ScanProblem {
  readonly message: string
  readonly file: number
  readonly offset: number
}

/**
 * The tokens of one source and of the files it includes, the last being the end of the text.
 *
 * kinds     the token string (see tokens.ts)
 * file      the file each token stands in: 0 the source, others as they are included
 * from, to  where in that file's text, half-open
 * isFixed   for each file, whether it is read from where it is even if the source is run from a copy
 * remarks   comments that speak to scamp
 * problems  in the order in which they were met
 * depth     how deeply brackets and bold brackets nest at the deepest
 */
export interface Tokens {
  readonly kinds: string
  readonly file: Int32Array
  readonly from: Int32Array
  readonly to: Int32Array
  readonly files: readonly Source[]
  readonly isFixed: readonly boolean[]
  readonly problems: readonly ScanProblem[]
  readonly remarks: readonly Remark[]
  readonly depth: number
}

/** The text of a token as it stands in its file. */
export function tokenText(tokens: Tokens, token: number): string {
  return tokens.files[tokens.file[token]].text.slice(tokens.from[token], tokens.to[token])
}

/** What an identifier, a bold tag or an operator is called: its text without blanks, strops, and what joins lines. */
export function nameOf(tokens: Tokens, token: number): string {
  const text = tokenText(tokens, token)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code <= space || code === apostrophe) return text.replace(/[\s'\\]/g, '')
  }
  return text
}

/** Scans a source and what it includes. */
export function scan(source: Source, stropping: Stropping, readIncluded: ReadIncluded): Tokens {
  const scanner = new Scanner(stropping, readIncluded, source.text.length)
  scanner.scanFile(source)
  return scanner.finish()
}

const enum Class {
  other,
  blank,
  /** A letter of identifiers. */
  letter,
  /** A letter of bold words. */
  bold,
  digit,
  monad,
  nomad,
}

const classes = new Uint8Array(256)
for (const blank of ' \t\n\v\f\r') classes[blank.charCodeAt(0)] = Class.blank
for (let code = 0; code < 26; code++) {
  classes[65 + code] = Class.bold
  classes[97 + code] = Class.letter
}
for (let code = 48; code < 58; code++) classes[code] = Class.digit
for (const sign of '%^&+-~!?') classes[sign.charCodeAt(0)] = Class.monad
for (const sign of '></=*') classes[sign.charCodeAt(0)] = Class.nomad
// in quote stropping
const quotedClasses = classes.map((found) => (found === (Class.bold as number) ? Class.letter : found))

// a number: an integer, a real (`1.e2` and `.e2` too), or bits such as 2r101. Capital letters are no part of it where
// they are bold
const blanks = '[ \\t-\\r]*'
const digits = `[0-9](?:${blanks}[0-9])*`
const exponent = `${blanks}[e\\\\]${blanks}[+-]?${blanks}${digits}`
const afterPoint = `\\.(?:${blanks}${digits}(?:${exponent})?|${exponent})`
const bits = `${blanks}r${blanks}[0-9a-f](?:${blanks}[0-9a-f])*`
const numberPattern = `${afterPoint}|${digits}(?:${bits}|${blanks}${afterPoint}|${exponent})?`
const number = new RegExp(numberPattern, 'y')
const quotedNumber = new RegExp(numberPattern, 'iy')

const fraction = new RegExp(afterPoint, 'iy')
const identity = /:[/~^]?=:|::=/y

// joins two lines
const backslash = 92
const underscore = 95
const newline = 10
const space = 32
const apostrophe = 39
const colon = 58
const equals = 61

// kinds in front of which a semicolon is one too many
const closers = new Set(')]EFdYTLSNOU|eu$')

class Scanner {
  private readonly kinds: string[] = []
  private file: Int32Array<ArrayBuffer>
  private from: Int32Array<ArrayBuffer>
  private to: Int32Array<ArrayBuffer>
  private readonly files: Source[] = []
  private readonly isFixed: boolean[] = []
  private readonly problems: ScanProblem[] = []
  private readonly remarks: Remark[] = []
  /** In the order of the text, until it is known which of them are operators. */
  private readonly tags: Tag[] = []

  /** Whether there are semicolons that a68g leaves out. */
  private hasSuperfluous = false

  // the file being scanned
  private number = 0
  private text = ''
  private at = 0
  /** How many tokens there were when the line began. */
  private lineToken = 0

  private readonly classes: Uint8Array

  /** size: of the text, in characters */
  constructor(
    private readonly stropping: Stropping,
    private readonly readIncluded: ReadIncluded,
    size: number,
  ) {
    this.classes = stropping === 'upper' ? classes : quotedClasses
    // a token takes about four characters with what stands before it
    const capacity = (size >> 2) + 64
    this.file = new Int32Array(capacity)
    this.from = new Int32Array(capacity)
    this.to = new Int32Array(capacity)
  }

  scanFile(source: Source, isFixed = false): void {
    const outer = [this.number, this.text, this.at, this.lineToken] as const
    this.number = this.files.push(source) - 1
    this.isFixed.push(isFixed)
    this.text = source.text
    this.at = 0
    this.lineToken = this.kinds.length
    // a script names its interpreter in the first line
    if (this.text.startsWith('#!')) this.at = this.endOfLine(0)
    while (this.skipBlanks()) this.token()
    if (this.number > 0) [this.number, this.text, this.at, this.lineToken] = outer
  }

  finish(): Tokens {
    this.add(kindOf.end, this.text.length, this.text.length)
    if (this.hasSuperfluous) this.dropSuperfluous()
    const { file, from, to, files, isFixed, problems, remarks } = this
    const kinds = settle(this.kinds, this.tags)
    return { kinds, file, from, to, files, isFixed, problems, remarks, depth: depthOf(kinds) }
  }

  /** Leaves out semicolons in front of what closes something, as a68g does. */
  private dropSuperfluous(): void {
    const { kinds, file, from, to, tags } = this
    const moved: Tag[] = []
    let kept = 0
    for (let token = 0; token < kinds.length; token++) {
      let next = token
      while (kinds[next] === ';') next++
      if (next > token && kept > 0 && closers.has(kinds[next])) token = next
      if (tags[moved.length]?.token === token) moved.push({ token: kept, spelling: tags[moved.length].spelling })
      kinds[kept] = kinds[token]
      file[kept] = file[token]
      from[kept] = from[token]
      to[kept++] = to[token]
    }
    kinds.length = kept
    tags.splice(0, tags.length, ...moved)
  }

  private add(kind: string, from: number, to: number): void {
    const token = this.kinds.push(kind) - 1
    if (token > 0 && this.kinds[token - 1] === ';' && closers.has(kind)) this.hasSuperfluous = true
    if (token === this.from.length) {
      this.file = grow(this.file)
      this.from = grow(this.from)
      this.to = grow(this.to)
    }
    this.file[token] = this.number
    this.from[token] = from
    this.to[token] = to
  }

  private problem(message: string, offset: number): void {
    this.problems.push({ message, file: this.number, offset })
  }

  private endOfLine(from: number): number {
    const end = this.text.indexOf('\n', from)
    return end < 0 ? this.text.length : end
  }

  /** Goes to the next character that is not blank. Answers whether there is one. */
  private skipBlanks(): boolean {
    const { text } = this
    for (;;) {
      const code = text.charCodeAt(this.at)
      if (code === newline) {
        this.at++
        this.lineToken = this.kinds.length
      } else if (classes[code] === Class.blank) this.at++
      else if (code === backslash && this.joinsLines(this.at)) this.at++
      else return this.at < text.length
    }
  }

  /** Whether a backslash joins its line to the next. */
  private joinsLines(at: number): boolean {
    return /^\\\r?\n/.test(this.text.slice(at, at + 3))
  }

  private classAt(at: number): Class {
    const code = this.text.charCodeAt(at)
    return code < 256 ? this.classes[code] : Class.other
  }

  // ---- tokens

  private token(): void {
    const start = this.at
    switch (this.classAt(start)) {
      case Class.letter:
        return this.identifier()
      case Class.bold:
        return this.capitals()
      case Class.digit:
        return this.number_()
      case Class.monad:
        if (this.text[start] === '!' && this.stropping === 'quote') return this.bar()
        return this.operator()
      case Class.nomad:
        return this.operator()
      default:
        return this.sign()
    }
  }

  /** Reads an identifier: letters and digits with blanks between. */
  private identifier(): void {
    const start = this.at
    let end = start + 1
    for (let at = end; ; at++) {
      const found = this.classAt(at)
      if (found === Class.letter || found === Class.digit) end = at + 1
      else if (found !== Class.blank) {
        const code = this.text.charCodeAt(at)
        if (code === underscore) end = at + 1
        else if (code !== backslash || !this.joinsLines(at)) break
      }
    }
    this.at = end
    this.add(kindOf.identifier, start, end)
  }

  private capitals(): void {
    const start = this.at
    let at = start + 1
    while (this.classAt(at) === Class.bold || this.text.charCodeAt(at) === underscore) at++
    this.at = at
    this.bold(this.text.slice(start, at), start)
  }

  private quoted(): void {
    const start = this.at
    const match = /^'\s*([A-Za-z][A-Za-z0-9_\s]*)'/.exec(this.text.slice(start, start + 200))
    if (!match) {
      this.problem('a bold word needs an apostrophe on both sides', start)
      this.at++
      return
    }
    this.at = start + match[0].length
    this.bold(match[1].replace(/\s/g, '').toUpperCase(), start)
  }

  private bold(spelling: string, start: number): void {
    const kind = boldWords.get(spelling)
    if (kind !== undefined) {
      // GO TO is one token
      const token = this.kinds.length - 1
      if (spelling === 'TO' && this.kinds[token] === 'g') {
        this.kinds[token] = 'G'
        this.to[token] = this.at
      } else this.add(kind, start, this.at)
    } else if (spelling === 'CO' || spelling === 'COMMENT') this.comment(spelling, start)
    else if (spelling === 'PR' || spelling === 'PRAGMAT') this.pragmat(spelling, start)
    else {
      this.tags.push({ token: this.kinds.length, spelling })
      this.add(kindOf.mode, start, this.at)
    }
  }

  private number_(): void {
    const start = this.at
    const pattern = this.stropping === 'upper' ? number : quotedNumber
    pattern.lastIndex = start
    pattern.test(this.text)
    this.at = pattern.lastIndex
    this.add(kindOf.denotation, start, this.at)
  }

  /** Reads an operator: a sign, then perhaps one of `></=*`, then perhaps `:=` or `=:`. */
  private operator(): void {
    const { text } = this
    const start = this.at++
    if (this.classAt(this.at) === Class.nomad && !this.endsInEqualsColon()) this.at++
    const next = text.charCodeAt(this.at)
    if (next === colon && text.startsWith(':=', this.at) && !text.startsWith(':=:', this.at)) this.at += 2
    else if (next === equals && this.endsInEqualsColon()) this.at += 2
    const single = this.at - start > 1 ? '' : text[start]
    this.add(single === '=' || single === '~' ? single : kindOf.operator, start, this.at)
  }

  private endsInEqualsColon(): boolean {
    return this.text.startsWith('=:', this.at) && this.text[this.at + 2] !== '='
  }

  private bar(): void {
    const start = this.at++
    if (this.text[this.at] === ':' && this.text[this.at + 1] !== '=') {
      this.at++
      this.add('e', start, this.at)
    } else this.add('|', start, this.at)
  }

  /** A token of so many characters. */
  private sized(kind: string, length: number): void {
    const start = this.at
    this.at += length
    this.add(kind, start, this.at)
  }

  private sign(): void {
    const { text } = this
    const start = this.at
    switch (text[start]) {
      case '(':
      case ')':
      case '[':
      case ']':
      case ',':
      case ';':
      case '@':
        return this.sized(text[start], 1)
      case '|':
        return this.bar()
      case ':': {
        identity.lastIndex = start
        if (identity.test(text)) return this.sized(kindOf.operator, identity.lastIndex - start)
        return text[start + 1] === '=' ? this.sized(kindOf.becomes, 2) : this.sized(':', 1)
      }
      case '.':
        if (text[start + 1] === '.') return this.sized(':', 2)
        fraction.lastIndex = start
        return fraction.test(text) ? this.number_() : this.sized(kindOf.point, 1)
      case '"':
        this.at = this.endOfString(start)
        return this.add(kindOf.denotation, start, this.at)
      case "'":
        return this.quoted()
      case '#':
        this.at++
        return this.comment('#', start)
      case '$':
        return this.format()
      default:
        this.problem('invalid character', start)
        this.at++
    }
  }

  /** Where a string ends that begins here. It may go on over a line that ends in a backslash. */
  private endOfString(start: number): number {
    const { text } = this
    for (let at = start + 1; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === 34) {
        if (text.charCodeAt(at + 1) !== 34) return at + 1
        at++
      } else if (code === newline && text[at - 1] !== '\\' && text.slice(at - 2, at) !== '\\\r') break
    }
    this.problem('unterminated string', start)
    return this.endOfLine(start)
  }

  // ---- what is between tokens

  /** Skips a comment. CO ends at the next CO, be it the end of a longer word. */
  private comment(mark: string, start: number): void {
    const end = this.endOfMarked(mark, this.at)
    if (end < 0) this.problem('unterminated comment', start)
    else {
      const length = this.stropping === 'quote' && mark !== '#' ? mark.length + 2 : mark.length
      const words = wordsToScamp(this.text.slice(this.at, end - length))
      if (words !== undefined) this.remarks.push({ file: this.number, offset: start, words })
    }
    this.skipTo(end < 0 ? this.text.length : end)
  }

  /** Where the text up to the next mark ends, mark included; -1 if there is none. Strings in pragmats are skipped. */
  private endOfMarked(mark: string, from: number, strings = false): number {
    const { text } = this
    const inQuotes = this.stropping === 'quote' && mark !== '#'
    const sought = inQuotes ? `'${mark}'` : mark
    for (let at = from; at < text.length; at++) {
      if (strings && text[at] === '"') {
        at = this.endOfString(at) - 1
        continue
      }
      if (!text.startsWith(sought, at)) continue
      const end = at + sought.length
      if (mark === '#' || inQuotes) return end
      if (this.classAt(end) !== Class.bold && text.charCodeAt(end) !== underscore) return end
    }
    return -1
  }

  private skipTo(end: number): void {
    if (this.text.lastIndexOf('\n', end - 1) >= this.at) this.lineToken = this.kinds.length
    this.at = end
  }

  private pragmat(mark: string, start: number): void {
    const end = this.endOfMarked(mark, this.at, true)
    if (end < 0) this.problem('unterminated pragmat', start)
    const body = this.text.slice(this.at, end < 0 ? this.text.length : end)
    this.skipTo(end < 0 ? this.text.length : end)
    for (const [, name] of body.matchAll(/\b(?:include|read)\s*"([^"\n]*)"/gi)) this.include(name)
  }

  /** Reads a file's tokens in front of the line that is being scanned. */
  private include(name: string): void {
    const included = this.readIncluded(name, this.files[this.number])
    if (!included || this.files.some((file) => file.name === included.name)) return
    const moved = this.kinds.splice(this.lineToken)
    const first = this.lineToken
    const places = moved.map((_, i) => [this.file[first + i], this.from[first + i], this.to[first + i]] as const)
    const tags = this.tags.filter(({ token }) => token >= first)
    this.tags.length -= tags.length
    this.scanFile(included, name.startsWith('/') || this.isFixed[this.number])
    this.lineToken = this.kinds.length
    const shift = this.lineToken - first
    moved.forEach((kind, i) => {
      const [file, from, to] = places[i]
      this.add(kind, from, to)
      this.file[this.kinds.length - 1] = file
    })
    for (const { token, spelling } of tags) this.tags.push({ token: token + shift, spelling })
  }

  // ---- formats

  /**
   * Reads a format text. Its items are no tokens; what is in the brackets of n(…), f(…), g(…) and h(…) is. Any other
   * bracket groups items.
   */
  private format(): void {
    const start = this.at++
    this.add(kindOf.formatBegin, start, this.at)
    let letter = ''
    while (this.skipBlanks()) {
      const at = this.at
      const character = this.text[at]
      if (character === '$') {
        this.at++
        return this.add(kindOf.formatEnd, at, this.at)
      }
      if (character === '"') this.at = this.endOfString(at)
      else if (character === '#') {
        this.at++
        this.comment('#', at)
      } else if (character === '(' && letter !== '' && 'nfgh'.includes(letter)) this.formatClause()
      else this.at++
      letter = character === '(' || character === '#' ? '' : character.toLowerCase()
      // comments within formats: CO … CO
      if (this.stropping === 'upper' && this.classAt(at) === Class.bold) {
        const word = /^(?:COMMENT|CO)\b/.exec(this.text.slice(at, at + 8))?.[0]
        if (word) {
          this.at = at + word.length
          this.comment(word, at)
        }
      }
    }
    this.problem('unterminated format', start)
  }

  /** Reads a clause in a format, up to the bracket that closes it. */
  private formatClause(): void {
    this.add('(', this.at, ++this.at)
    const open = this.kinds.length - 1
    for (let depth = 1; this.skipBlanks();) {
      const before = this.kinds.length
      this.token()
      for (let token = before; token < this.kinds.length; token++) {
        if (this.kinds[token] === '(') depth++
        else if (this.kinds[token] === ')') depth--
      }
      if (depth === 0) return
    }
    this.problem('unterminated format', this.from[open])
  }
}

function grow(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(array.length * 2)
  grown.set(array)
  return grown
}
