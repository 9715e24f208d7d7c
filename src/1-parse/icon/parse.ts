// Icon: tokens → tree, and every reason icont has to reject a text. What is reported is what icont would report
// first: errors of the scanner and the grammar in the order of the text, and after each whole declaration the
// errors that show only then (check.ts).
import { parse as parseTokens, SyntaxError, type Expectation } from '../../../grammar/icon.js'
import { ScampError, type Note } from '../../error.js'
import type { Source, Span } from '../../source.js'
import type { Program } from './ast.js'
import { checkDeclarations } from './check.js'
import { climb } from './climb.js'
import type { ReadInclude } from './preprocess.js'
import { placeOf, scan, tokenText, type Tokens } from './scan.js'
import { kindNames } from './tokens.js'

/** An Icon source as a tree; the nodes' places are token numbers. */
export interface IconTree {
  readonly language: 'icon'
  readonly source: Source
  readonly tokens: Tokens
  readonly program: Program
}

/** Nesting deeper than this is refused: the parser's stack has an end (see deep.ts for how much it gets). */
export const deepestNesting = 100_000

/** Parses an Icon source. Throws ScampError where icont would first complain. */
export function parseIcon(source: Source, readInclude: ReadInclude): IconTree {
  const tokens = scan(source, readInclude)
  if (tokens.depth > deepestNesting) {
    throw new ScampError(`nesting deeper than ${deepestNesting} levels`, source)
  }
  const result = parseOrError(tokens)
  const complete = result instanceof ScampErrorAt ? undefined : result
  const program = complete ?? parseBefore(tokens, (result as ScampErrorAt).token)
  const errors: ScampErrorAt[] = result instanceof ScampErrorAt ? [result] : []
  const first = tokens.problems[0]
  if (first) errors.unshift(new ScampErrorAt(problemError(tokens, first), first.token))
  for (const problem of checkDeclarations(program, tokens)) {
    errors.push(new ScampErrorAt(errorAt(tokens, problem.token, problem.message, problem.notes), problem.noticed))
  }
  if (errors.length > 0) {
    throw errors.reduce((earliest, error) => (error.token < earliest.token ? error : earliest)).error
  }
  return { language: 'icon', source, tokens, program }
}

/** An error and the number of the token at which icont meets it. */
class ScampErrorAt {
  constructor(
    readonly error: ScampError,
    readonly token: number,
  ) {}
}

function parseOrError(tokens: Tokens): Program | ScampErrorAt {
  try {
    // without a word about what could have stood where; only a text that is wrong is read again, for that
    return parseTokens(tokens.kinds, { tokens, climb, peg$silentFails: 1 })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  try {
    return parseTokens(tokens.kinds, { tokens, climb })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    const token = Math.min(error.location.start.offset, tokens.kinds.length - 1)
    const expected = describe(error.expected ?? [])
    const found = describeFound(tokens, token)
    const noEnd = endsUnfinished(tokens, token)
    const message = noEnd
      ? `expected "end" before ${found}`
      : expected === ''
        ? `unexpected ${found}`
        : `expected ${expected} before ${found}`
    return new ScampErrorAt(errorAt(tokens, token, message, openers(tokens, token)), token)
  }
}

/** Parses the declarations that are complete before a token. */
function parseBefore(tokens: Tokens, token: number): Program {
  const start = Math.max(...[...'PGRLQ'].map((kind) => tokens.kinds.lastIndexOf(kind, token - 1)), 0)
  const whole = tokens.kinds.slice(0, start)
  try {
    return parseTokens(whole + '$', { tokens, climb })
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    return { kind: 'Program', first: 0, last: 0, declarations: [] }
  }
}

function describeFound(tokens: Tokens, token: number): string {
  if (tokens.kinds[token] === '$') return 'the end of the file'
  const text = tokenText(tokens, token)
  if (text === '') return 'the end of the line'
  return text.length > 30 ? `${text.slice(0, 27)}…` : /^["']/.test(text) ? text : `"${text}"`
}

/** What may stand at a place, in the user's words: names of token kinds, the many that begin an expression as one. */
function describe(expected: readonly Expectation[]): string {
  const kinds = new Set<string>()
  for (const { type, text, ...rest } of expected as (Expectation & { parts?: string[] })[]) {
    if (type === 'end') kinds.add('$')
    for (const kind of type === 'class' ? (rest.parts ?? []) : [...(text ?? '')]) kinds.add(kind)
  }
  const names: string[] = []
  if (kinds.has('W') && kinds.has('i')) {
    for (const kind of 'insrc([{IVWMAUTFBNCK&?.a' + 'u') kinds.delete(kind)
    names.push('an expression')
  } else if (kinds.has('b') && kinds.has('=')) {
    for (const kind of 'ab=?&.([{t') kinds.delete(kind)
    kinds.delete('Y')
    names.push('an operator')
  }
  if (kinds.has('P') && kinds.has('R')) {
    for (const kind of 'PGRLQ$') kinds.delete(kind)
    names.push('a declaration')
  }
  for (const kind of kinds) names.push(kindNames[kind] ?? kind)
  const unique = [...new Set(names)]
  if (unique.length > 6) return ''
  return unique.length <= 1 ? (unique[0] ?? '') : `${unique.slice(0, -1).join(', ')} or ${unique[unique.length - 1]}`
}

/** The brackets that are open before a token, and the procedure it stands in, or -1. */
function enclosing(tokens: Tokens, token: number): { brackets: number[]; procedure: number } {
  const matching: Record<string, string> = { ')': '(', ']': '[', '}': '{' }
  const brackets: number[] = []
  let procedure = -1
  for (let i = 0; i < token; i++) {
    const kind = tokens.kinds[i]
    if (kind === 'P') {
      procedure = i
      brackets.length = 0
    } else if (kind === 'Z') procedure = -1
    else if ('([{'.includes(kind)) brackets.push(i)
    else if (matching[kind] && tokens.kinds[brackets[brackets.length - 1]] === matching[kind]) brackets.pop()
  }
  return { brackets, procedure }
}

/** Whether a procedure has come to the next declaration, or the end of the file, without an `end`. */
function endsUnfinished(tokens: Tokens, token: number): boolean {
  const { brackets, procedure } = enclosing(tokens, token)
  return procedure >= 0 && brackets.length === 0 && 'PGRLQ$'.includes(tokens.kinds[token])
}

/** A note on where the bracket or procedure began that the error finds unfinished. */
function openers(tokens: Tokens, token: number): Note[] {
  const { brackets, procedure } = enclosing(tokens, token)
  const opener = brackets[brackets.length - 1]
  if (opener !== undefined) return [noteAt(tokens, `the "${tokenText(tokens, opener)}" that is still open`, opener)]
  return endsUnfinished(tokens, token) ? [noteAt(tokens, 'the procedure that has no "end"', procedure)] : []
}

function noteAt(tokens: Tokens, message: string, token: number): Note {
  const { source, span } = sourceSpan(tokens, token)
  return { message, source, span }
}

function errorAt(tokens: Tokens, token: number, message: string, notes: readonly Note[] = []): ScampError {
  const { source, span } = sourceSpan(tokens, token)
  return new ScampError(message, source, span, notes)
}

/** Where a token stands. The end of the text is shown after the last thing in it. */
function sourceSpan(tokens: Tokens, token: number): { source: Source; span: Span } {
  const { file, offset } = placeOf(tokens, token)
  const source = tokens.files[file]
  if (tokens.kinds[token] === '$') {
    const end = source.text.trimEnd().length
    return { source, span: { start: end, end } }
  }
  return { source, span: { start: offset, end: offset + tokens.to[token] - tokens.from[token] } }
}

function problemError(tokens: Tokens, problem: { message: string; file: number; offset: number }): ScampError {
  const span = { start: problem.offset, end: problem.offset + 1 }
  return new ScampError(problem.message, tokens.files[problem.file], span)
}
