// What counts as executing each kind of token of Icon, and who says so. One table: `scamp tokens --help` prints it, and
// test/executing.test.ts runs its examples.
//
//   TR     Coutant and Griswold, "Instrumenting Icon for Performance Measurement", TR 79-9 (1979)
//   IEEE   Coutant, Griswold and Hanson, "Measuring the Performance and Behavior of Icon Programs", IEEE Transactions on
//          Software Engineering SE-9 (1983)
//   scamp  neither says; decided here, by what they say of the others

/**
 * A kind of tokens.
 *
 * kind      what they are called
 * executed  when such a token is executed, once each time
 * source    who says so
 * example   a statement
 * counts    those of its tokens in their order, each its text and how often it is executed
 */
export interface Executing {
  readonly kind: string
  readonly executed: string
  readonly source: string
  readonly example: string
  readonly counts: readonly (readonly [token: string, count: number])[]
}

/** When tokens of each kind are executed. */
export const executing: readonly Executing[] = [
  {
    kind: 'identifier',
    executed: 'its value, or its variable, is obtained',
    source: 'TR §2',
    example: 'every v := 1 to 2',
    counts: [
      ['every', 1],
      ['v', 1],
      [':=', 2],
      ['1', 1],
      ['to', 3],
      ['2', 1],
    ],
  },
  {
    kind: 'literal',
    executed: 'its value is obtained',
    source: 'TR §2, IEEE Fig. 1',
    example: '"a" == "b"',
    counts: [
      ['"a"', 1],
      ['==', 1],
      ['"b"', 1],
    ],
  },
  {
    kind: 'keyword (&pos)',
    executed: 'its value, or its variable, is obtained; one that generates: it is started or resumed',
    source: 'TR App. C',
    example: '&pos := 1',
    counts: [
      ['&', 1],
      [':=', 1],
      ['1', 1],
    ],
  },
  {
    kind: 'operator',
    executed:
      'it is carried out, its operands being there; one that generates (!x, i to j): also each time it is resumed',
    source: 'TR §2, IEEE Figs. 1 and 7',
    example: 'every !"ab" == (1 to 3)',
    counts: [
      ['every', 1],
      ['!', 3],
      ['"ab"', 1],
      ['==', 6],
      ['1', 2],
      ['to', 8],
      ['3', 2],
    ],
  },
  {
    kind: 'e1 & e2, e1 ? e2',
    executed: 'both have a result',
    source: 'scamp',
    example: 'every (1 to 3) & &fail',
    counts: [
      ['every', 1],
      ['1', 1],
      ['to', 4],
      ['3', 1],
      ['&', 0],
      ['&', 3],
    ],
  },
  {
    kind: '|e, not e',
    executed: 'the expression is begun, as of a control word',
    source: 'scamp',
    example: 'every (|1 \\ 3) & not 1',
    counts: [
      ['every', 1],
      ['|', 1],
      ['1', 3],
      ['3', 1],
      ['&', 0],
      ['not', 3],
      ['1', 3],
    ],
  },
  {
    kind: 'e1 | e2, e1 \\ e2',
    executed: 'never counted: what they do shows at their operands',
    source: 'scamp',
    example: 'every (1 | 2 | 3) \\ 2',
    counts: [
      ['every', 1],
      ['1', 1],
      ['2', 1],
      ['3', 0],
      ['2', 1],
    ],
  },
  {
    kind: 'call of a built-in function: its name',
    executed: 'it is called, its arguments being there, or resumed; the parenthesis is no token',
    source: 'TR §2, IEEE §IV.A and Fig. 1',
    example: 'every find("a", "banana")',
    counts: [
      ['every', 1],
      ['find', 4],
      ['"a"', 1],
      ['"banana"', 1],
    ],
  },
  {
    kind: 'call of anything else: its parenthesis',
    executed: 'it is called, its arguments being there, or resumed; what is called is a token of its own',
    source: 'TR §2, IEEE §IV.A and Fig. 2',
    example: 'every (proc("find"))("a", "banana")',
    counts: [
      ['every', 1],
      ['proc', 1],
      ['"find"', 1],
      ['(', 4],
      ['"a"', 1],
      ['"banana"', 1],
    ],
  },
  {
    kind: 'bracket of a subscript or a section, point of a field',
    executed: 'it is carried out',
    source: 'TR §2, IEEE §IV.A',
    example: 'every "abc"[1 to 4]',
    counts: [
      ['every', 1],
      ['"abc"', 1],
      ['[', 4],
      ['1', 1],
      ['to', 5],
      ['4', 1],
    ],
  },
  {
    kind: 'bracket of a list',
    executed: 'the list is made',
    source: 'scamp',
    example: 'every [1 to 2]',
    counts: [
      ['every', 1],
      ['[', 2],
      ['1', 1],
      ['to', 3],
      ['2', 1],
    ],
  },
  {
    kind: 'control word (if, case, while, every, return, create, …)',
    executed: 'the expression that begins with it is begun; a loop, once for all its passes',
    source: 'TR App. C, IEEE Figs. 1, 2 and 7',
    example: 'while 1 = 2',
    counts: [
      ['while', 1],
      ['1', 1],
      ['=', 1],
      ['2', 1],
    ],
  },
  {
    kind: 'then, else, do, of, default, by; closing brackets, braces, commas, semicolons, parentheses about expressions',
    executed: 'never: nothing is carried out because of them',
    source: 'TR §2',
    example: 'every { (1 to 3 by 2) } do { 0 }',
    counts: [
      ['every', 1],
      ['1', 1],
      ['to', 3],
      ['3', 1],
      ['2', 1],
      ['0', 2],
    ],
  },
]
