// The listing: where counts stand below their tokens.
import { expect, test } from '@jest/globals'
import type { FileProfile, ProfiledToken } from '../../src/5-profile/profile.js'
import { listing } from '../../src/6-report/listing.js'
import { hotTokens, tokenList } from '../../src/6-report/tokens.js'
import { count as countOf, file } from './counts.js'

/** Tokens of a text, given as line, column and count; a negative count is not exact. */
function tokens(...counts: [line: number, column: number, count: number][]): ProfiledToken[] {
  return counts.map(([line, column, count]) => {
    return { line, column, text: '?', count: countOf(count < 0 ? [-count] : count), ports: null }
  })
}

const draw = (text: string | undefined, counted: ProfiledToken[]) => {
  const one: FileProfile = { ...file('a.icn', []), tokens: counted }
  return listing({ files: [one], unloaded: [], runs: 1, notes: [] }, () => text)
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

test('the token list numbers the tokens of each file from 1', () => {
  const one: FileProfile = { ...file('a.icn', []), tokens: tokens([1, 1, 100], [3, 8, -7]) }
  expect(tokenList({ files: [one], unloaded: [], runs: 1, notes: ['a note'] })).toBe(`a.icn

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
  expect(hotTokens({ files: [one], unloaded: [], runs: 1, notes: [] }, 60, () => 'x := a + b\n')).toBe(
    `              COUNT  TOKEN  PLACE      SOURCE
1152921504606846976  ?      a.icn:1:1  x := a + b
                  9  ?      a.icn:1:6  x := a + b
                  5  ?      a.icn:1:1  x := a + b
`,
  )
  expect(
    hotTokens({ files: [one], unloaded: [], runs: 1, notes: [] }, 30, () => 'x := a + b\n').split('\n')[1],
  ).toHaveLength(30)
})
