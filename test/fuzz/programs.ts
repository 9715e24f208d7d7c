// Random Icon programs: texts that icont accepts, that always end, and that do the same on every run. What they are made
// of is in grammar.ts; here alternatives are chosen (by fast-check, so that a seed repeats them) and put into a frame.
import fc from 'fast-check'
import { rules, type Flag, type Rule } from './grammar.js'

type Flags = readonly Flag[]

interface Alternative {
  readonly weight: number
  readonly parts: readonly string[]
  /** parts[i], rules[i], parts[i + 1], … */
  readonly rules: readonly Rule[]
}

/** The alternatives of a rule in programs with certain flags. */
function alternatives(rule: Rule, flags: Flags): Alternative[] {
  return rules[rule]
    .trim()
    .split('\n')
    .flatMap((row) => {
      const match = /^ *(\d+)(?:\/(\w+))? (.*)$/.exec(row)
      if (!match) throw new Error(`grammar: ${rule} has a row without weight: ${row}`)
      const [, weight, flag, template] = match
      if (flag !== undefined && !flags.includes(flag as Flag)) return []
      const pieces = template.replaceAll('¶', '\n').split(/\$([a-z]+)/)
      const named = pieces.filter((_, i) => i % 2 === 1) as Rule[]
      const unknown = named.find((name) => !(name in rules))
      if (unknown !== undefined) throw new Error(`grammar: ${rule} mentions $${unknown}`)
      return [{ weight: Number(weight), parts: pieces.filter((_, i) => i % 2 === 0), rules: named }]
    })
}

/** Pieces as one text, in which a number does not swallow the dot of a field. */
const joined = (pieces: readonly string[]): string =>
  pieces.reduce((text, piece) => text + (/\d$/.test(text) && piece.startsWith('.') ? ' ' : '') + piece, '')

/** One arbitrary for each rule. Deeper than `depth`, only alternatives that mention no other rule are chosen. */
function arbitraries(flags: Flags, depth: number): Record<Rule, fc.Arbitrary<string>> {
  const nesting = { statements: fc.createDepthIdentifier(), expressions: fc.createDepthIdentifier() }
  return fc.letrec<Record<Rule, string>>((tie) => {
    const arbitrary = ({ parts, rules: named }: Alternative): fc.Arbitrary<string> =>
      named.length === 0
        ? fc.constant(parts[0])
        : fc
            .tuple(...named.map((name) => tie(name)))
            .map((texts) => joined(parts.flatMap((part, i) => [part, texts[i] ?? ''])))
    const weighted = (some: Alternative[]) => some.map((one) => ({ weight: one.weight, arbitrary: arbitrary(one) }))
    const chosen = (rule: Rule): fc.Arbitrary<string> => {
      const all = alternatives(rule, flags)
      const leaves = all.filter((one) => one.rules.length === 0)
      const others = all.filter((one) => one.rules.length > 0)
      const depthIdentifier = /^(statement|scan|loop|block)$/.test(rule) ? nesting.statements : nesting.expressions
      const constraints: fc.OneOfConstraints = { maxDepth: depth, depthIdentifier, depthSize: 'large' }
      if (leaves.length === 0) return fc.oneof(constraints, ...weighted(all))
      const leaf = fc.oneof(...weighted(leaves))
      if (others.length === 0) return leaf
      const weight = leaves.reduce((sum, one) => sum + one.weight, 0)
      return fc.oneof(constraints, { weight, arbitrary: leaf }, ...weighted(others))
    }
    return Object.fromEntries((Object.keys(rules) as Rule[]).map((rule) => [rule, chosen(rule)])) as Record<
      Rule,
      fc.Arbitrary<string>
    >
  })
}

/** What a program has: which features, and how deeply its expressions are nested. */
export interface Flavour {
  readonly flags: Flags
  readonly depth: number
}

const locals = 'i, j, s, t, c, r, L, M, T, X, p, e'

const start = (flags: Flags, level: number): string =>
  [
    `i := ${1 + level}; j := ${7 - level}; s := "${['hello', 'abcab', 'lob 12', 'x'][level]}"; t := "ab"; c := 'aeiou'; r := ${level}.5`,
    `L := [3, "a", 1${level === 0 ? ', [2, "b"]' : ''}]; M := [i, s]; p := ${level < 2 ? 'pt(1, "one")' : 'node(pt(2, 3), L)'}`,
    `T := table(${level === 1 ? '"none"' : ''}); T["k"] := 1; T[2] := "two"; X := set([1, "a", 2])`,
    ...(flags.includes('co') ? ['e := create 1 to 4'] : []),
  ].join('\n')

/** What all programs contain: fuel, bounds on values, and printing of structures. */
const frame = (flags: Flags): string => `
procedure tick()
   if (fuel -:= 1) < 0 then stop("out of fuel")
   return
end

procedure clip(x)
   tick()
   case type(x) of {
      "string": return x[1:41] | x
      "list": return x[1:13] | x
      "integer": if abs(x) > ${flags.includes('large') ? '10 ^ 60' : '1000000000000'} then return x % 1000007
      }
   return x
end

procedure deep(x, n)
   local s, k
   if n = 0 then return image(x)
   s := ""
   case type(x) of {
      "list" | "set" | "pt" | "node": every s ||:= deep(!x, n - 1) || ","
      "table": every k := key(x) do s ||:= image(k) || "->" || deep(x[k], n - 1) || ","
      default: return image(x)
      }
   return type(x) || "(" || s || ")"
end

procedure show(x)
   write(deep(x, 3))
   return
end
`

/** The programs of a flavour. */
export function programsOf({ flags, depth }: Flavour): fc.Arbitrary<string> {
  const outside = arbitraries(flags, depth)
  const inside = arbitraries([...flags, 'proc'], depth)
  const blocks = fc.array(outside.block, { minLength: 3, maxLength: 8 })
  const bodies = fc.tuple(inside.block, inside.block, inside.block)
  const results = fc.tuple(inside.any, inside.int, inside.str)
  const header = fc.constantFrom('', 'invocable all\n', 'invocable "f1", "f3"\n')
  return fc
    .tuple(header, blocks, bodies, results)
    .map(([invocable, main, [body1, body2, body3], [x1, x2, x3]]) =>
      [
        `${invocable}global gi, gs, gL, gT, fuel`,
        'record pt(x, y)',
        'record node(v, tail)',
        '',
        'procedure main(x, y)',
        `local ${locals}`,
        '/fuel := 200; tick()',
        'gi := 4; gs := "global"; gL := [1, 2, 3]; gT := table(0); x := 5; y := "why"',
        start(flags, 0),
        ...(flags.includes('error') ? ['&error := -1'] : []),
        ...(flags.includes('trace') ? ['&trace := 300'] : []),
        ...main,
        'end',
        '',
        'procedure f1(x, y)',
        `local ${locals}`,
        'tick()',
        start(flags, 1),
        body1,
        `return ${x1}`,
        'end',
        '',
        'procedure f2(x, y[])',
        `local ${locals}`,
        'tick()',
        start(flags, 2),
        body2,
        `suspend ${x2} | x`,
        'end',
        '',
        'procedure f3(s, x, y)',
        'local i, j, t, c, r, L, M, T, X, p, e',
        'static n',
        'initial n := 0',
        'n +:= 1; tick()',
        start(flags, 3).replace('s := "x"', '/s := "x"'),
        body3,
        `suspend ${x3}`,
        'end',
        frame(flags),
      ].join('\n'),
    )
}

/** Flavours with their weights: most programs have few features, so that plain code is compiled plainly. */
const flavours: readonly (readonly [number, Flavour])[] = [
  [6, { flags: [], depth: 4 }],
  [3, { flags: ['real', 'large'], depth: 4 }],
  [3, { flags: ['wild'], depth: 3 }],
  [5, { flags: ['error', 'wild', 'real'], depth: 4 }],
  [2, { flags: ['error', 'wild', 'large', 'co'], depth: 4 }],
  [4, { flags: ['co'], depth: 4 }],
  [1, { flags: ['co', 'stray', 'error'], depth: 4 }],
  [2, { flags: ['frames'], depth: 4 }],
  [2, { flags: ['trace'], depth: 4 }],
]

/** All programs. */
export const programs: fc.Arbitrary<string> = fc.oneof(
  ...flavours.map(([weight, flavour]) => ({ weight, arbitrary: programsOf(flavour) })),
)

/** The program of a seed. */
export function programOf(seed: number, from: fc.Arbitrary<string> = programs): string {
  return fc.sample(from, { seed, numRuns: 1 })[0]
}
