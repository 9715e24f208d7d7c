// Icon's scanner: preprocessed text → tokens. The grammar reads `kinds`, one character a token; everything else
// about a token is found by its index. A newline becomes a semicolon token when the token before it may end an
// expression and the token after it may begin one (The Icon Programming Language, 3rd ed., §9.1).
import type { Source } from '../../source.js'
import { preprocess, type Inclusion, type Origin, type Problem, type ReadInclude } from './preprocess.js'
import { wordsToScamp, type Remark } from '../remarks.js'
import { kinds as kindOf, reservedWords, symbols } from './tokens.js'

/** Something wrong that was met while scanning, before token number `token`. */
export interface ScanProblem extends Problem {
  readonly token: number
}

/** A place in one of a program's files. */
export interface Place {
  readonly file: number
  readonly offset: number
}

/**
 * The tokens of one source, the last being the end of the text.
 *
 * kinds        the token string (see tokens.ts)
 * text         the preprocessed text
 * from, to     where each token stands in `text`; an inserted semicolon is empty
 * files        the source, then what it includes
 * origins      where runs of `text` came from; undefined when `text` is the source's own
 * renumbered   whether the text gives its lines other numbers
 * remarks      comments that speak to scamp
 * depth        how deeply brackets and control structures nest at the deepest
 */
export interface Tokens {
  readonly kinds: string
  readonly text: string
  readonly from: Int32Array
  readonly to: Int32Array
  readonly files: readonly Source[]
  readonly inclusions: readonly Inclusion[]
  readonly renumbered: boolean
  readonly origins: readonly Origin[] | undefined
  readonly problems: readonly ScanProblem[]
  readonly remarks: readonly Remark[]
  readonly depth: number
}

/**
 * Which files can be amended: the source, and those it includes once, from the current folder, by their own names. An
 * amended copy takes their place; nothing could take the place of others.
 */
export function amendableFiles({ files, inclusions }: Tokens): boolean[] {
  return files.map(({ name }, file) => {
    if (file === 0) return true
    const same = files.filter((other) => other.name === name)
    return (
      same.length === 1 &&
      inclusions.some((one) => one.file === file && one.asked === name && !/^\/|^\.\.\//.test(name))
    )
  })
}

/** The text of a token. */
export function tokenText(tokens: Tokens, token: number): string {
  return tokens.text.slice(tokens.from[token], tokens.to[token])
}

/** Where a token begins, in the file that holds it; for one that a definition brought in, the name's place. */
export function placeOf(tokens: Tokens, token: number): Place {
  return placeAt(tokens, tokens.from[token])
}

/**
 * Where text put directly before a token must go; undefined inside the replacement of a defined name, where
 * nothing can be put.
 */
export function placeBefore(tokens: Tokens, token: number): Place | undefined {
  const at = tokens.from[token]
  if (!tokens.origins) return { file: 0, offset: at }
  const origin = originAt(tokens.origins, at)
  if (origin.use === 0) return { file: origin.file, offset: origin.offset + at - origin.at }
  const before = token > 0 ? originAt(tokens.origins, tokens.to[token - 1] - 1) : undefined
  const sameUse = before && before.use > 0 && before.offset === origin.offset && before.file === origin.file
  return sameUse ? undefined : { file: origin.file, offset: origin.offset }
}

/** Where text put directly after a token must go; undefined inside the replacement of a defined name. */
export function placeAfter(tokens: Tokens, token: number): Place | undefined {
  const at = tokens.to[token]
  if (!tokens.origins) return { file: 0, offset: at }
  const origin = originAt(tokens.origins, at - 1)
  if (origin.use === 0) return { file: origin.file, offset: origin.offset + at - origin.at }
  const after = originAt(tokens.origins, tokens.from[token + 1])
  const sameUse = after.use > 0 && after.offset === origin.offset && after.file === origin.file
  return sameUse ? undefined : { file: origin.file, offset: origin.offset + origin.use }
}

function placeAt(tokens: Tokens, at: number): Place {
  if (!tokens.origins) return { file: 0, offset: at }
  const origin = originAt(tokens.origins, at)
  return { file: origin.file, offset: origin.use > 0 ? origin.offset : origin.offset + at - origin.at }
}

function originAt(origins: readonly Origin[], at: number): Origin {
  let low = 0
  let high = origins.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (origins[middle].at <= at) low = middle
    else high = middle - 1
  }
  return origins[low] ?? { at: 0, file: 0, offset: 0, use: 0 }
}

const enum Class {
  other,
  blank,
  letter,
  digit,
}

const classes = new Uint8Array(256)
for (const blank of ' \t\n\v\f\r') classes[blank.charCodeAt(0)] = Class.blank
for (let code = 0; code < 26; code++) classes[65 + code] = classes[97 + code] = Class.letter
classes['_'.charCodeAt(0)] = Class.letter
for (let code = 48; code < 58; code++) classes[code] = Class.digit

const newline = 10
const hash = 35
const dot = 46
const doubleQuote = 34
const singleQuote = 39

interface Symbol {
  readonly spelling: string
  readonly kind: string
  readonly begins: boolean
  readonly ends: boolean
}

/** For each first character, the symbols that begin with it, the longest first. */
const symbolsByFirst: Symbol[][] = []
for (const [spelling, word] of symbols) {
  const row = (symbolsByFirst[spelling.charCodeAt(0)] ??= [])
  row.push({ spelling, ...word })
  row.sort((one, other) => other.spelling.length - one.spelling.length)
}

// what a kind of token does to the depth of nesting
const opensBracket = 1
const opensConstruct = 2
const endsStatement = 3
const closesBracket = 4
const nesting = new Uint8Array(128)
for (const kind of '([{') nesting[kind.charCodeAt(0)] = opensBracket
for (const kind of 'IVWMACKJUTB') nesting[kind.charCodeAt(0)] = opensConstruct
for (const kind of ')]}Z') nesting[kind.charCodeAt(0)] = closesBracket
nesting[';'.charCodeAt(0)] = endsStatement

/** Scans a source. Never throws: what is wrong is in `problems`, in the order icont would meet it. */
export function scan(source: Source, readInclude: ReadInclude): Tokens {
  const { text, files, inclusions, origins, renumbered, problems: earlier } = preprocess(source, readInclude)
  const capacity = text.length + 2
  let from = new Int32Array(Math.min(capacity, 1024))
  let to = new Int32Array(from.length)
  let count = 0
  const kindCodes: string[] = []
  const problems: ScanProblem[] = []
  const remarks: Remark[] = []
  let nextRemark = text.indexOf('scamp:')
  let pending = 0

  let at = 0
  let lastEnds = false
  let lastEnd = 0
  const length = text.length

  const add = (kind: string, start: number, end: number) => {
    if (count === from.length) {
      from = grow(from)
      to = grow(to)
    }
    from[count] = start
    to[count] = end
    count++
    kindCodes.push(kind)
  }
  const problem = (message: string, offset: number) => {
    const place = placeAt({ origins } as Tokens, offset)
    problems.push({ message, file: place.file, offset: place.offset, at: offset, token: count })
  }

  for (;;) {
    let sawNewline = false
    for (;;) {
      const code = text.charCodeAt(at)
      if (code === newline) {
        sawNewline = true
        at++
      } else if (classes[code] === Class.blank) at++
      else if (code === hash) {
        const newlineAt = text.indexOf('\n', at)
        const end = newlineAt < 0 ? length : newlineAt
        if (nextRemark >= 0 && nextRemark < end) {
          const words = wordsToScamp(text.slice(at + 1, end))
          if (words !== undefined) remarks.push({ ...placeAt({ origins } as Tokens, at), words })
          nextRemark = text.indexOf('scamp:', end)
        }
        at = end
      } else break
    }
    while (pending < earlier.length && earlier[pending].at <= at) {
      problems.push({ ...earlier[pending++], token: count })
    }
    if (at >= length) break

    const start = at
    const code = text.charCodeAt(at)
    let kind: string
    let begins = true
    let ends = true
    switch (code < 256 ? classes[code] : Class.other) {
      case Class.letter: {
        do at++
        while (classes[text.charCodeAt(at)] >= Class.letter)
        const word = code >= 97 ? reservedWords.get(text.slice(start, at)) : undefined
        if (word) ({ kind, begins, ends } = word)
        else kind = kindOf.identifier
        break
      }
      case Class.digit:
        ;[kind, at] = number(text, at, problem)
        break
      default:
        if (code === doubleQuote || code === singleQuote) {
          at = quoted(text, at, code, problem)
          kind = code === doubleQuote ? kindOf.string : kindOf.cset
        } else if (code === dot && classes[text.charCodeAt(at + 1)] === Class.digit) {
          ;[kind, at] = number(text, at, problem)
        } else {
          const symbol = symbolAt(text, at)
          if (!symbol) {
            problem('invalid character', at)
            at++
            continue
          }
          ;({ kind, begins, ends } = symbol)
          at += symbol.spelling.length
        }
    }
    if (sawNewline && lastEnds && begins) add(';', lastEnd, lastEnd)
    add(kind, start, at)
    lastEnds = ends
    lastEnd = at
  }
  add(kindOf.end, length, length)
  const kinds = kindCodes.join('')
  return { kinds, text, from, to, files, inclusions, renumbered, origins, problems, remarks, depth: depthOf(kinds) }
}

function grow(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(array.length * 2)
  grown.set(array)
  return grown
}

function symbolAt(text: string, at: number): Symbol | undefined {
  const row = symbolsByFirst[text.charCodeAt(at)]
  if (!row) return undefined
  for (const symbol of row) if (text.startsWith(symbol.spelling, at)) return symbol
  return undefined
}

const isDigit = (code: number) => classes[code] === Class.digit
const isAlphanumeric = (code: number) => classes[code] >= Class.letter && code !== 95

/** Reads a numeric literal; answers its kind and where it ends. */
function number(text: string, start: number, problem: (message: string, at: number) => void): [string, number] {
  let at = start
  while (isDigit(text.charCodeAt(at))) at++
  const mark = text[at]
  if (at > start && (mark === 'r' || mark === 'R')) return radixInteger(text, start, at, problem)
  let real = false
  if (mark === '.') {
    real = true
    do at++
    while (isDigit(text.charCodeAt(at)))
  }
  if (text[at] === 'e' || text[at] === 'E') {
    real = true
    at++
    if (text[at] === '+' || text[at] === '-') at++
    if (isDigit(text.charCodeAt(at))) while (isDigit(text.charCodeAt(at))) at++
    else problem('invalid real literal', start)
  }
  return [real ? kindOf.real : kindOf.integer, at]
}

/** Reads on from the `r` of a literal such as 16rff. */
function radixInteger(
  text: string,
  start: number,
  mark: number,
  problem: (message: string, at: number) => void,
): [string, number] {
  const radix = Number(text.slice(start, mark))
  if (radix < 2 || radix > 36) problem('invalid radix for integer literal', start)
  let at = mark + 1
  if (!isAlphanumeric(text.charCodeAt(at)) || Number.parseInt(text[at], 36) >= radix) {
    problem('invalid integer literal', start)
    return [kindOf.integer, at]
  }
  let bad = false
  for (; isAlphanumeric(text.charCodeAt(at)); at++) bad ||= Number.parseInt(text[at], 36) >= radix
  if (bad) problem('invalid digit in integer literal', start)
  return [kindOf.integer, at]
}

/**
 * Reads a string or cset literal; answers where it ends. `_` as the last character of a line but blanks continues
 * it at the first character of the next line that is not blank. `\^` takes the next character, even a quote.
 */
function quoted(text: string, start: number, quote: number, problem: (message: string, at: number) => void): number {
  let at = start + 1
  let continues = false
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === quote) return at + 1
    if (code === newline || at >= text.length) {
      if (!continues || at >= text.length) break
      while (classes[text.charCodeAt(at)] === Class.blank) at++
      continues = false
      continue
    }
    if (text[at] === '_') continues = true
    else if (classes[code] !== Class.blank) continues = false
    at++
    if (text[at - 1] === '\\') {
      if (text[at] === '^') at++
      if (at < text.length) at++
    }
  }
  problem('unclosed quote', start)
  return at
}

/** How deeply the text nests at the deepest: an upper bound that ignores where control structures end early. */
function depthOf(tokenKinds: string): number {
  let deepest = 0
  const base: number[] = []
  let depth = 0
  for (let i = 0; i < tokenKinds.length; i++) {
    switch (nesting[tokenKinds.charCodeAt(i)]) {
      case opensBracket:
        base.push(depth++)
        break
      case opensConstruct:
        depth++
        break
      case endsStatement:
        depth = base.length > 0 ? base[base.length - 1] + 1 : 0
        break
      case closesBracket:
        depth = base.pop() ?? 0
        break
      default:
        continue
    }
    if (depth > deepest) deepest = depth
  }
  return deepest
}
