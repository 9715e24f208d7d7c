// How the compiler sees operators: spelling → the library function that does the work.

/** Binary operators that always produce a value from two values. */
// prettier-ignore
export const computing: Readonly<Record<string, string>> = {
  '+': 'add', '-': 'sub', '*': 'mul', '/': 'div', '%': 'rem', '^': 'pow', '||': 'cat', '|||': 'lconcat',
  '++': 'union', '--': 'diff', '**': 'inter',
}

/** Comparisons: the test, and what makes the result of the right operand (nothing when it is the operand itself). */
// prettier-ignore
export const comparing: Readonly<Record<string, readonly [test: string, result: string]>> = {
  '<': ['lt', 'numAs'], '<=': ['le', 'numAs'], '=': ['eq', 'numAs'], '>=': ['ge', 'numAs'], '>': ['gt', 'numAs'], '~=': ['ne', 'numAs'],
  '<<': ['slt', 'str'], '<<=': ['sle', 'str'], '==': ['seq', 'str'], '>>=': ['sge', 'str'], '>>': ['sgt', 'str'], '~==': ['sne', 'str'],
  '===': ['eqv', ''], '~===': ['nev', ''],
}

/** Unary operators that produce a value from a value; the flag: may fail. */
// prettier-ignore
export const unary: Readonly<Record<string, readonly [name: string, canFail: boolean]>> = {
  '+': ['num', false], '-': ['neg', false], '*': ['size', false], '~': ['compl', false], '^': ['refresh', false],
  '=': ['tabMatch', true], '?': ['choose', true],
}

export const isAssignment = (operator: string): boolean =>
  operator.endsWith(':=') || operator === ':=:' || operator === '<-' || operator === '<->'

/** The operator of an augmented assignment: `+` of `+:=`. */
export const augmented = (operator: string): string => operator.slice(0, -2)
