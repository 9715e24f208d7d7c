// Which lines and tokens of two versions belong together.
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { align, alignAlike } from '../../src/6-report/diff/align.js'

const sequence = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 12 })

/** The length of a longest common subsequence, by its definition. */
function longest(one: readonly string[], other: readonly string[]): number {
  if (one.length === 0 || other.length === 0) return 0
  const [head, ...tail] = one
  const at = other.indexOf(head)
  const without = longest(tail, other)
  return at < 0 ? without : Math.max(without, 1 + longest(tail, other.slice(at + 1)))
}

test('what is aligned is a longest common subsequence, and everything is there once, in order', () => {
  fc.assert(
    fc.property(sequence, sequence, (one, other) => {
      const aligned = align(one, other)
      expect(aligned.flatMap(([i]) => i ?? [])).toEqual(one.map((_, i) => i))
      expect(aligned.flatMap(([, j]) => j ?? [])).toEqual(other.map((_, j) => j))
      const common = aligned.filter(([i, j]) => i !== undefined && j !== undefined)
      for (const [i, j] of common) expect(one[i!]).toBe(other[j!])
      expect(common).toHaveLength(longest(one, other))
    }),
  )
})

test('long sequences with little in common take no time', () => {
  const [one, other] = ['a', 'b'].map((letter) => Array.from({ length: 5000 }, (_, i) => `${letter}${i % 9}`))
  expect(
    align(['same', ...one, 'end'], ['same', ...other, 'end']).filter(([i, j]) => i !== undefined && j !== undefined),
  ).toEqual([
    [0, 0],
    [5001, 5001],
  ])
})

test('what is alike belongs together, whatever is new between', () => {
  const likeness = (a: string, b: string) => (a[0] === b[0] ? 1 : 0)
  expect(alignAlike(['x1', 'y1'], ['z', 'x2', 'y2'], likeness)).toEqual([
    [undefined, 0],
    [0, 1],
    [1, 2],
  ])
  expect(alignAlike([], ['z'], likeness)).toEqual([[undefined, 0]])
})
