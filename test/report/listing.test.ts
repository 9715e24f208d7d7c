// The listing: where counts stand below their tokens.
import { expect, test } from '@jest/globals'
import type { FileProfile, ProfiledToken } from '../../src/5-profile/profile.js'
import type { ReportOptions } from '../../src/6-report/options.js'
import { listing } from '../../src/6-report/listing.js'
import { hotTokens, tokenList } from '../../src/6-report/tokens.js'
import { count as countOf, file, options, procedure } from './counts.js'

/** Tokens of a text, given as line, column and count; a negative count is not exact. */
function tokens(...counts: [line: number, column: number, count: number][]): ProfiledToken[] {
  return counts.map(([line, column, count]) => {
    return { line, column, text: '?', count: countOf(count < 0 ? [-count] : count), ports: null }
  })
}

const draw = (text: string | undefined, counted: ProfiledToken[], more: Partial<ReportOptions> = {}) => {
  const one: FileProfile = { ...file('a.icn', [procedure(2, 'p'), procedure(5, 'q')]), tokens: counted }
  return listing({ files: [one], unloaded: [], runs: 1, notes: [] }, options(text, more))
}

test('the leftmost digit stands under the first character, on the first line with room', () => {
  const text = 'x := a + 10\ny\n'
  expect(draw(text, tokens([1, 1, 100], [1, 3, 2000], [1, 6, 1], [1, 8, 1], [1, 10, 1], [2, 1, -5]))).toBe(`a.icn

1  x := a + 10
   100  1 1 1
     2000
2  y
   ≤5
`)
})

test('tabs are honoured, and nothing in a text moves the cursor', () => {
  expect(draw('\tx\ta\x1b[2J\n', tokens([1, 2, 7], [1, 4, 8]))).toBe(`a.icn

1          x       a?[2J
           7       8
`)
})

test('without tokens, or without the text, it says what is the matter', () => {
  expect(draw('x\n', [])).toMatch(/--monitor tokens/)
  expect(draw(undefined, tokens([1, 1, 1]))).toMatch(/not there any more, or has changed/)
})

test('lines of which something was never executed are marked', () => {
  expect(draw('x y\nz\n', tokens([1, 1, 0], [1, 3, 2], [2, 1, 3]))).toBe(`a.icn

1! x y
   0 2
2  z
   3
`)
})

const twoProcedures = '# first\nprocedure p()\n  x\nend\nprocedure q()\n  y\nend\n# of q\n'

test('only a procedure is shown, up to its end, or only some lines', () => {
  const counted = tokens([3, 3, 1], [6, 3, 2])
  const ofQ = 'a.icn\n\n5  procedure q()\n6    y\n     2\n7  end\n'
  expect(draw(twoProcedures, counted, { procedure: 'q' })).toBe(ofQ)
  expect(draw(twoProcedures, counted, { lines: [5, 7] })).toBe(ofQ)
  expect(draw(twoProcedures, counted, { procedure: 'p', lines: [3, 9] })).toBe('a.icn\n\n3    x\n     1\n4  end\n')
  expect(() => draw(twoProcedures, counted, { procedure: 'r' })).toThrow('procedure r is not there; there are p, q')
  expect(() => draw(twoProcedures, counted, { procedure: 'p', lines: [6, 7] })).toThrow('nothing in lines 6 to 7')
})

test('lines are folded where tokens and their counts still fit', () => {
  const counted = tokens([1, 1, 1], [1, 7, 1], [1, 9, 123456], [1, 14, 1], [1, 16, 7])
  const named = ['alpha', '+', 'beta', '+', 'gamma'].map((text, i) => ({ ...counted[i], text }))
  expect(draw('alpha + beta + gamma\n', named, { width: 14 })).toBe(`a.icn

1  alpha +
   1     1
   beta +
   123456
        1
   gamma
   7
`)
  expect(
    draw(`"${'x'.repeat(30)}"\n`, tokens([1, 1, 4]), { width: 23 })
      .split('\n')
      .slice(2, 5),
  ).toEqual([`1  "${'x'.repeat(19)}`, '   4', `   ${'x'.repeat(11)}"`])
})

test('the four ports are rows of their own, without those that nothing came through', () => {
  const [plain, generator] = tokens([1, 1, 3], [1, 3, 10])
  const ports = { started: countOf(3), resumed: countOf(7), succeeded: countOf([8]), failed: countOf(0) }
  expect(draw('1 to\n', [plain, { ...generator, ports }], { ports: true })).toBe(`a.icn

       1  1 to
  started 3 3
  resumed   7
succeeded   ≤8
`)
})

test('heat goes from what never ran to what ran most, in colours', () => {
  const drawn = draw('a b c d\n', tokens([1, 1, 0], [1, 3, 1], [1, 5, 100], [1, 7, 10000]), { colour: true })
  const never = (text: string) => `\x1b[7m${text}\x1b[0m`
  const warm = (text: string) => `\x1b[33m${text}\x1b[0m`
  const hot = (text: string) => `\x1b[31;1m${text}\x1b[0m`
  expect(drawn.split('\n').slice(2)).toEqual([
    `1! ${never('?')} b ${warm('c')} ${hot('d')}`.replace('?', 'a'),
    `   ${never('0')} 1 ${warm('100')}`,
    `         ${hot('10000')}`,
    '',
  ])
})

test('the token list numbers the tokens of each file from 1', () => {
  const one: FileProfile = { ...file('a.icn', []), tokens: tokens([1, 1, 100], [3, 8, -7]) }
  expect(tokenList({ files: [one], unloaded: [], runs: 1, notes: ['a note'] }, options())).toBe(`a.icn

NUMBER  LINE  COLUMN  COUNT  TOKEN
     1     1       1    100  ?
     2     3       8     ≤7  ?

NOTE: a note
`)
})

test('the hottest tokens come first, beyond 2^53 too, cut to the width', () => {
  const counted = tokens([1, 1, 5], [1, 6, 9])
  const huge = { ...counted[0], count: countOf(2n ** 60n) }
  const one: FileProfile = { ...file('a.icn', []), tokens: [...counted, huge] }
  expect(hotTokens({ files: [one], unloaded: [], runs: 1, notes: [] }, options('x := a + b\n', { columns: 60 }))).toBe(
    `              COUNT  TOKEN  PLACE      SOURCE
1152921504606846976  ?      a.icn:1:1  x := a + b
                  9  ?      a.icn:1:6  x := a + b
                  5  ?      a.icn:1:1  x := a + b
`,
  )
  expect(
    hotTokens({ files: [one], unloaded: [], runs: 1, notes: [] }, options('x := a + b\n', { columns: 30 })).split(
      '\n',
    )[1],
  ).toHaveLength(30)
})
