// Icon's tokens as tables (op.txt and tokens.txt of the Icon distribution state the same facts).
//
// Each token has a *kind*: one character of the token string that the grammar reads. Operators share kinds by
// where they may stand; which operator it is says the token's spelling, and how tightly it binds says `infix`.
//
//   a  prefix, and infix that binds tighter than `to`        u  prefix only
//   b  infix only, tighter than `to`                         =  infix only: assignments
//   ?  &  .  are kinds of their own (`&` also begins a keyword, `.` also selects a field)

/** Kind, then whether the token may begin (b) or end (e) an expression: what newline-semicolons rest on. */
interface Word {
  readonly kind: string
  readonly begins: boolean
  readonly ends: boolean
}

const word = (kind: string, flags = ''): Word => ({
  kind,
  begins: flags.includes('b'),
  ends: flags.includes('e'),
})

/** The reserved words. */
// prettier-ignore
export const reservedWords: ReadonlyMap<string, Word> = new Map([
  ['break',     word('B', 'be')],
  ['by',        word('Y')],
  ['case',      word('C', 'b')],
  ['create',    word('K', 'b')],
  ['default',   word('D', 'b')],
  ['do',        word('O')],
  ['else',      word('E')],
  ['end',       word('Z', 'b')],
  ['every',     word('V', 'b')],
  ['fail',      word('F', 'be')],
  ['global',    word('G')],
  ['if',        word('I', 'b')],
  ['initial',   word('J', 'b')],
  ['invocable', word('Q')],
  ['link',      word('L')],
  ['local',     word('l', 'b')],
  ['next',      word('N', 'be')],
  ['not',       word('u', 'b')],
  ['of',        word('o')],
  ['procedure', word('P')],
  ['record',    word('R')],
  ['repeat',    word('A', 'b')],
  ['return',    word('T', 'be')],
  ['static',    word('S', 'b')],
  ['suspend',   word('U', 'be')],
  ['then',      word('H')],
  ['to',        word('t')],
  ['until',     word('M', 'b')],
  ['while',     word('W', 'b')],
])

/** Kinds of the tokens that have no fixed spelling, and of the end of the text. */
export const kinds = {
  identifier: 'i',
  integer: 'n',
  real: 'r',
  string: 's',
  cset: 'c',
  end: '$',
} as const

/** How an infix operator binds: a higher precedence binds tighter. */
export interface Infix {
  readonly precedence: number
  readonly rightAssociative: boolean
}

const left = (precedence: number): Infix => ({ precedence, rightAssociative: false })
const right = (precedence: number): Infix => ({ precedence, rightAssociative: true })

// prettier-ignore
const infixRows: [Infix, string][] = [
  [left(1),   '&'],
  [left(2),   '?'],
  [right(3),  ':= :=: <- <-> &:= @:= ^:= ||:= --:= ===:= **:= |||:= -:= %:= ~===:= =:= >=:= >:= <=:= <:= ~=:= +:= ' +
              '?:= ==:= >>=:= >>:= <<=:= <<:= ~==:= /:= *:= ++:='],
  [right(5),  '|'],
  [left(6),   '< <= = >= > ~= << <<= == >>= >> ~== === ~==='],
  [left(7),   '|| |||'],
  [left(8),   '+ - ++ --'],
  [left(9),   '* / % **'],
  [right(10), '^'],
  [left(11),  '\\ @ !'],
]

/** Every infix operator but `to` (which binds between assignments and `|`, and which the grammar places). */
export const infix: ReadonlyMap<string, Infix> = new Map(
  infixRows.flatMap(([row, spellings]) => spellings.split(' ').map((spelling): [string, Infix] => [spelling, row])),
)

const prefixSpellings = '@ | || ||| . ! -- + * / ^ ** ~ - = ~= == ~== === ++ ? ~=== \\ &'.split(' ')

// prettier-ignore
const punctuation: [string, Word][] = [
  ['(',  word('(', 'b')],  [')',  word(')', 'e')],
  ['[',  word('[', 'b')],  [']',  word(']', 'e')],
  ['{',  word('{', 'b')],  ['}',  word('}', 'e')],
  ['$(', word('{', 'b')],  ['$)', word('}', 'e')],
  ['$<', word('[', 'b')],  ['$>', word(']', 'e')],
  [',',  word(',')],       [';',  word(';')],       [':',  word(':')],
  ['+:', word('p')],       ['-:', word('m')],
]

/** Operators and punctuation by spelling. */
export const symbols: ReadonlyMap<string, Word> = new Map([...operatorWords(), ...punctuation])

function operatorWords(): [string, Word][] {
  const spellings = new Set([...infix.keys(), ...prefixSpellings])
  return [...spellings].map((spelling) => {
    const prefix = prefixSpellings.includes(spelling)
    return [spelling, word(kindOf(spelling, prefix), prefix ? 'b' : '')]
  })
}

function kindOf(spelling: string, prefix: boolean): string {
  if (['&', '?', '.'].includes(spelling)) return spelling
  const binds = infix.get(spelling)
  if (!binds) return 'u'
  if (binds.precedence <= 3) return '='
  return prefix ? 'a' : 'b'
}

/** What a token of this kind is called in messages; kinds with one spelling are shown in quotes. */
export const kindNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries([...reservedWords].map(([spelling, { kind }]) => [kind, `"${spelling}"`])),
  ...Object.fromEntries(punctuation.map(([spelling, { kind }]) => [kind, `"${spelling}"`]).reverse()),
  i: 'an identifier',
  n: 'an integer',
  r: 'a real number',
  s: 'a string',
  c: 'a cset',
  u: 'an operator',
  a: 'an operator',
  b: 'an operator',
  '=': 'an operator',
  '?': 'an operator',
  '&': 'an operator',
  '.': 'an operator',
  ';': '";" or a new line',
  $: 'the end of the file',
}

/** Keywords icont 9.4.3 accepts after `&`. */
// prettier-ignore
export const keywords: ReadonlySet<string> = new Set((
  'allocated ascii clock col collections column control cset current date dateline digits dump e error errornumber ' +
  'errortext errorvalue errout eventcode eventsource eventvalue fail features file host input interval lcase ldrag ' +
  'letters level line lpress lrelease main mdrag meta mpress mrelease null output phi pi pos progname random rdrag ' +
  'regions resize row rpress rrelease shift source storage subject time trace ucase version window x y').split(' '))

/** What `$ifdef` finds defined before the program defines anything, in Debian's Icon 9.4.3; each stands for "1". */
// prettier-ignore
export const predefined: readonly string[] = [
  '_V9', '_UNIX', '_ASCII', '_CO_EXPRESSIONS', '_DYNAMIC_LOADING', '_KEYBOARD_FUNCTIONS', '_LARGE_INTEGERS', '_PIPES',
  '_SYSTEM_FUNCTION', '_GRAPHICS', '_X_WINDOW_SYSTEM',
]
