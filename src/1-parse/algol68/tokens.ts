// Algol 68's tokens as tables, whatever the stropping. Each token has a *kind*: one character of the token string that
// the grammar reads. Modes and operators are declared by programs, so which bold tags are operators shows only when
// the whole text is known (scan.ts).
//
// source: Revised Report on the Algorithmic Language ALGOL 68, §9; Algol 68 Genie 3.1.2 for what it adds

/** Bold words that are no tags. Words of one kind may stand at the same places. */
// prettier-ignore
const words: readonly [kind: string, spellings: string][] = [
  ['B', 'BEGIN'],    ['E', 'END'],
  ['I', 'IF'],       ['T', 'THEN'],    ['L', 'ELIF'],   ['S', 'ELSE'],   ['F', 'FI'],
  ['C', 'CASE'],     ['N', 'IN'],      ['U', 'OUSE'],   ['O', 'OUT'],    ['Y', 'ESAC'],
  ['f', 'FOR'],      ['r', 'FROM'],    ['y', 'BY'],     ['t', 'TO DOWNTO'],
  ['w', 'WHILE'],    ['D', 'DO'],      ['u', 'UNTIL'],  ['d', 'OD'],
  ['P', 'PAR'],      ['X', 'EXIT'],    ['G', 'GOTO'],   ['g', 'GO'],
  ['M', 'MODE'],     ['p', 'PRIO'],    ['o', 'OP'],     ['R', 'PROC'],
  ['V', 'UNION'],    ['W', 'STRUCT'],  ['A', 'REF'],    ['x', 'FLEX'],
  ['h', 'HEAP LOC NEW'],               ['l', 'LONG SHORT'],
  ['&', 'ANDF ORF THEF ELSF ANDTH OREL'],
  ['@', 'AT'],
  ['n', 'TRUE FALSE EMPTY NIL SKIP'],
  // ASSERT takes an enclosed clause, as an operator might
  ['b', 'OF IS ISNT ASSERT DIAG TRNSP ROW COL'],
]

/** The kinds of bold words that are no tags, by their spelling in capitals. */
export const boldWords: ReadonlyMap<string, string> = new Map(
  words.flatMap(([kind, spellings]) => spellings.split(' ').map((spelling): [string, string] => [spelling, kind])),
)

/** Bold tags that are operators before a program declares any. */
export const standardOperators: ReadonlySet<string> = new Set(
  (
    'ABS AND ARG BIN CLEAR CONJ DET DIVAB DOWN ELEM ELEMS ENTIER EQ GE GT I IM INV LE LENG LEVEL LT LWB MINUSAB MOD ' +
    'MODAB NE NOT ODD OR OVER OVERAB PLUSAB PLUSTO RE REPR ROL ROR ROUND SET SHL SHORTEN SHR SIGN TIMESAB TRACE UP ' +
    'UPB XOR'
  ).split(' '),
)

/** Kinds of the tokens that have no fixed spelling, and of the end of the text. */
export const kinds = {
  identifier: 'i',
  denotation: 'n',
  mode: 'm',
  operator: 'b',
  equals: '=',
  becomes: 'a',
  formatBegin: 'k',
  formatEnd: 'q',
  point: '.',
  end: '$',
} as const

/** What a token of this kind is called in messages; kinds with one spelling are shown in quotes. */
export const kindNames: Readonly<Record<string, string>> = {
  ...Object.fromEntries(words.map(([kind, spellings]) => [kind, `"${spellings.split(' ')[0]}"`])),
  ...Object.fromEntries([...'()[],;:|@=.'].map((kind) => [kind, `"${kind}"`])),
  '{': '"("',
  i: 'an identifier',
  n: 'a denotation',
  m: 'a mode',
  b: 'an operator',
  '&': 'an operator',
  a: '":="',
  e: '"|:"',
  k: 'a format',
  q: '"$"',
  $: 'the end of the file',
}
