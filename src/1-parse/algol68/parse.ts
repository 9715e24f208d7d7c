// Algol 68: tokens → tree. Errors of the scanner and the grammar are reported in the order of the text; whether a
// program means anything (modes, declarations) is left to a68g.
import { parse as parseTokens, SyntaxError, type Expectation } from '../../../grammar/algol68.js'
import { ScampError, type Note } from '../../error.js'
import type { Source, Span } from '../../source.js'
import type { Definition, Program } from './ast.js'
import { nameOf, scan, tokenText, type ReadIncluded, type Stropping, type Tokens } from './scan.js'
import { kindNames } from './tokens.js'

/**
 * An Algol 68 source as a tree; the nodes' places are token numbers.
 *
 * definitions   those of modes and operators, wherever they stand, in the order of the text
 */
export interface Algol68Tree {
  readonly language: 'algol68'
  readonly source: Source
  readonly stropping: Stropping
  readonly tokens: Tokens
  readonly program: Program
  readonly definitions: readonly Definition[]
}

/** Nesting deeper than this is refused: the parser's stack has an end, and a68g's comes much earlier. */
export const deepestNesting = 20_000

/** Parses an Algol 68 source. Throws ScampError at the first thing that is wrong. */
export function parseAlgol68(source: Source, stropping: Stropping, readIncluded: ReadIncluded): Algol68Tree {
  // one with nothing but comments is a program
  if (source.text === '') throw new ScampError('the file is empty', source)
  const tokens = scan(source, stropping, readIncluded)
  const [problem] = tokens.problems
  if (problem) {
    const span = { start: problem.offset, end: problem.offset + 1 }
    throw new ScampError(problem.message, tokens.files[problem.file], span)
  }
  if (tokens.depth > deepestNesting) throw new ScampError(`nesting deeper than ${deepestNesting} levels`, source)
  return { language: 'algol68', source, stropping, tokens, ...parseProgram(tokens) }
}

function parseProgram(tokens: Tokens): Pick<Algol68Tree, 'program' | 'definitions'> {
  const name = (token: number) => nameOf(tokens, token)
  const read = (options: object) => {
    const definitions: Definition[] = []
    const program = parseTokens(tokens.kinds, { name, definitions, ...options })
    return { program, definitions: definitions.sort((one, other) => one.first - other.first) }
  }
  try {
    // without a word about what could have stood where; only a text that is wrong is read again, for that
    return read({ peg$silentFails: 1 })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  try {
    return read({})
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const token = Math.min(error.location.start.offset, tokens.kinds.length - 1)
    const expected = describe(error.expected ?? [])
    const found = describeFound(tokens, token)
    const message = expected === '' ? `unexpected ${found}` : `expected ${expected} before ${found}`
    const { source, span } = placeOf(tokens, token)
    throw new ScampError(message, source, span, opener(tokens, token))
  }
}

function describeFound(tokens: Tokens, token: number): string {
  if (tokens.kinds[token] === '$') return 'the end of the file'
  const text = tokenText(tokens, token).replace(/\s+/g, ' ')
  return text.length > 30 ? `${text.slice(0, 27)}…` : text.startsWith('"') ? text : `"${text}"`
}

/** What may stand at a place, in the user's words: the many kinds that begin a unit, or go on with it, as one. */
function describe(expected: readonly Expectation[]): string {
  const kinds = new Set<string>()
  for (const { type, text, ...rest } of expected as (Expectation & { parts?: string[] })[]) {
    for (const kind of type === 'class' ? (rest.parts ?? []) : [...(text ?? '')]) kinds.add(kind)
  }
  const names: string[] = []
  if (kinds.has('n') && kinds.has('i')) {
    for (const kind of 'inbIBCPGkRoMphlmAxVW({=[fry' + 'twD;') kinds.delete(kind)
    names.push('a unit')
  } else if (kinds.has('b') && kinds.has('=')) {
    for (const kind of 'b=ma&({[@') kinds.delete(kind)
  }
  for (const kind of kinds) names.push(kindNames[kind] ?? kind)
  const unique = [...new Set(names)]
  if (unique.length > 6) return ''
  return unique.length <= 1 ? (unique[0] ?? '') : `${unique.slice(0, -1).join(', ')} or ${unique[unique.length - 1]}`
}

const closers: Readonly<Record<string, string>> = {
  B: 'E',
  I: 'F',
  C: 'Y',
  D: 'd',
  '(': ')',
  '{': ')',
  '[': ']',
  k: 'q',
}

/** A note on the innermost bracket, bold ones included, that is open before a token. */
function opener(tokens: Tokens, token: number): Note[] {
  const open: number[] = []
  for (let i = 0; i < token; i++) {
    const kind = tokens.kinds[i]
    if (kind in closers) open.push(i)
    else if (open.length > 0 && closers[tokens.kinds[open[open.length - 1]]] === kind) open.pop()
  }
  const last = open.pop()
  if (last === undefined) return []
  return [{ message: `the "${tokenText(tokens, last)}" that is still open`, ...placeOf(tokens, last) }]
}

/** Where a token stands. The end of the text is shown after the last thing in it. */
function placeOf(tokens: Tokens, token: number): { source: Source; span: Span } {
  const source = tokens.files[tokens.file[token]]
  if (tokens.kinds[token] === '$') {
    const end = source.text.trimEnd().length
    return { source, span: { start: end, end } }
  }
  return { source, span: { start: tokens.from[token], end: tokens.to[token] } }
}
