// Random Algol 68 programs: texts that a68g accepts, that end soon, and that do the same on every run, some of them by a
// jump or an error. One row per alternative of a rule, `weight template`; in a template $name stands for any alternative
// of that rule. Every routine, jump and unbounded loop takes fuel.

const rules: Readonly<Record<string, string>> = {
  number: '5 0|5 1|5 2|3 3|2 7|1 12',
  variable: '4 i|4 j|3 k|2 a[2]',
  int: `8 $number|8 $variable|3 ($int + $int)|2 ($int - $int)|2 ($int * $int) MOD 9|2 ABS ($bool)|2 ($int OVER 2)
    2 f($int)|2 g($int, $int)|1 h|2 TWICE ($int)|2 IF $bool THEN $int ELSE $int FI|2 ($bool ~ $int ~ $int)
    1 ($bool ~ $int ~: $bool ~ $int ~ $int)|2 CASE $int IN $int, $int OUT $int ESAC|1 ($int ~ $int, $int, $int ~ $int)
    1 ($variable := $int)|1 BEGIN $statement; $int END|2 (u ~ (INT w): w + $int, (BOOL b): ABS b ~ $int)|1 a[$index]`,
  index: '6 1|6 2|4 3|1 $int',
  bool: `2 TRUE|2 FALSE|6 $int > $int|3 ODD ($int)|2 ($bool ANDF $bool)|2 ($bool ORF $bool)|1 ($bool THEF $bool)
    1 ($bool ELSF $bool)|1 NOT ($bool)|1 ($bool AND $bool)|1 q($int)`,
  statement: `9 $variable := $int|3 $variable +:= $int|3 print(($int, newline))|3 IF $bool THEN $series FI
    3 IF $bool THEN $series ELSE $series FI|1 IF $bool THEN $series ELIF $bool THEN $series ELSE $series FI
    2 ($bool ~ $series ~ $series)|2 ($bool ~ $series)|2 CASE $int IN $statement, $statement OUT $series ESAC
    1 CASE $int IN $statement, $statement ESAC|1 CASE $int IN $statement, SKIP OUSE $int IN $statement, $statement ESAC
    3 $loop|3 BEGIN $series END|1 ($series; SKIP)|2 s|2 t($int)|1 act|1 act := $action|1 VOID($int)|1 u := $united
    1 (u ~ (INT w): $variable := w, (BOOL): $statement)|1 SKIP|1 PAR (i := $number, a[2] := $number)|1 $jump|1 $block
    1 ASSERT ($bool OR fuel > 0)|1 printf(($dformat$, $int))`,
  loop: `4 TO $few DO $series OD|3 FOR n TO $few DO $variable := n; $series OD|2 FOR n FROM $few BY -1 TO 1 DO $series OD
    2 WHILE burn ANDF $bool DO $series OD|2 DO $series UNTIL $bool ORF NOT burn OD|1 FOR n TO $few WHILE $bool DO $series OD
    1 TO $int MOD 4 DO $series OD`,
  few: '2 0|4 1|4 2|3 3',
  plain: '8 $statement|5 $statement; $statement|2 $statement; $statement; $statement',
  series: '9 $plain|1 INT k := $int; $plain',
  block: `1 BEGIN INT left := 2; again: $plain; IF (left -:= 1) > 0 THEN again FI; $statement END
    1 BEGIN $plain; IF $bool THEN out FI; $plain; out: $plain END
    1 BEGIN $plain; IF $bool THEN GOTO out FI; $plain EXIT out: $plain END
    1 BEGIN FOR n TO 3 DO $plain; IF $bool THEN out FI OD; $plain EXIT out: SKIP END`,
  jump: '2 IF $bool ANDF NOT burn THEN last FI|1 IF $int > 6 THEN stop FI|1 IF $int > 7 THEN last FI',
  action: '3 VOID: ($statement)|2 s|1 ($bool ~ VOID: SKIP ~ s)|1 (last)|1 ($bool ~ stop ~ s)',
  united: '2 $int|2 $bool|1 ($bool ~ $int ~ $bool)',
}

interface Alternative {
  readonly weight: number
  readonly parts: readonly string[]
  readonly names: readonly string[]
}

const alternatives = new Map(
  Object.entries(rules).map(([name, text]) => [
    name,
    text.split(/[|\n]/).map((row): Alternative => {
      const [, weight, template] = /^ *(\d+) (.*)$/.exec(row)!
      const format = template.replace('$dformat$', '\0')
      const pieces = format.replaceAll('~', '|').split(/\$([a-z]+)/)
      const parts = pieces
        .filter((_, i) => i % 2 === 0)
        .map((part) =>
          part.replace('\0', '$ g(0) l $').replace(/; |(?= (?:THEN|ELSE|ELIF|IN|OUT|OUSE|DO|OR) )/g, '$&\n'),
        )
      return { weight: Number(weight), parts, names: pieces.filter((_, i) => i % 2 === 1) }
    }),
  ]),
)

/** Numbers from 0 to 1 that a seed repeats (Marsaglia's xorshift). */
function numbersOf(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state = (state ^ (state << 5)) >>> 0
    return state / 2 ** 32
  }
}

const deepest = 7

/** The program of a seed. */
export function algol68ProgramOf(seed: number): string {
  const next = numbersOf(seed)
  for (let i = 0; i < 8; i++) next()
  const choose = (rule: string, depth: number): string => {
    const all = alternatives.get(rule)!
    const leaves = all.filter(({ names }) => names.length === 0)
    const some = depth >= deepest && leaves.length > 0 ? leaves : all
    let left = next() * some.reduce((sum, { weight }) => sum + weight, 0)
    const chosen = some.find(({ weight }) => (left -= weight) < 0) ?? some[0]
    return chosen.parts.reduce(
      (text, part, i) => text + part + (i < chosen.names.length ? choose(chosen.names[i], depth + 1) : ''),
      '',
    )
  }
  const $ = (rule: string) => choose(rule, 0)
  return `INT fuel := 60, i := 1, j := 2, k := 0; [3] INT a := (1, 2, 3); UNION(INT, BOOL) u := 1;
PROC burn = BOOL: (fuel -:= 1; fuel > 0);
PROC f = (INT n) INT: IF burn THEN ${$('int')} + n ELSE n FI;
PROC g = (INT n, m) INT: (INT k := n; IF burn THEN ${$('statement')} FI; k + m);
PROC h = INT: (burn | ${$('int')} | 0);
PROC q = (INT n) BOOL: burn ANDF ${$('bool')};
OP TWICE = (INT n) INT: (IF burn THEN ${$('statement')} FI; 2 * n MOD 11);
PROC s = VOID: IF burn THEN ${$('series')} FI;
PROC t = (INT n) VOID: BEGIN INT i := n; IF burn THEN ${$('series')} FI END;
PROC VOID act := VOID: (${$('statement')});
${Array.from({ length: 5 }, () => $('statement')).join(';\n')};
last: print((i, j, k, fuel, newline))
`
}
