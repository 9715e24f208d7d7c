// Counters as bytes, and their sums.
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { howManyNumbers, spellNumbers, Sums } from '../src/5-profile/numbers.js'

const edges = [0n, 127n, 128n, 2n ** 49n - 1n, 2n ** 49n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 64n, 3n ** 200n]
const numbers = fc.oneof(
  fc.bigInt({ min: 0n, max: 300n }),
  fc.bigInt({ min: 0n, max: 2n ** 80n }),
  fc.constantFrom(...edges),
)

test('sums are exact, whatever the size', () => {
  const lists = fc.integer({ min: 1, max: 5 }).chain((length) => {
    return fc.array(fc.array(numbers, { minLength: length, maxLength: length }), { minLength: 1 })
  })
  fc.assert(
    fc.property(lists, (rows) => {
      const sums = new Sums(rows[0].length)
      for (const row of rows) {
        const bytes = spellNumbers(row)
        expect(sums.add(bytes, 0)).toBe(bytes.length)
      }
      const truth = rows[0].map((_, i) => rows.reduce((sum, row) => sum + row[i], 0n))
      expect(sums.values()).toEqual(truth)
    }),
    { numRuns: 500 },
  )
})

test('a number stands where the one before ends', () => {
  fc.assert(
    fc.property(fc.array(numbers), fc.array(numbers, { minLength: 1 }), (before, own) => {
      const [skipped, bytes] = [spellNumbers(before), spellNumbers(own)]
      const sums = new Sums(own.length)
      expect(sums.add(Buffer.concat([skipped, bytes]), skipped.length)).toBe(skipped.length + bytes.length)
      expect(sums.values()).toEqual(own)
    }),
  )
})

test('bytes tell how many numbers they are; none are if the last is cut off', () => {
  fc.assert(
    fc.property(fc.array(numbers), (own) => {
      const bytes = spellNumbers(own)
      expect(howManyNumbers(bytes)).toBe(own.length)
      if (bytes.length > 1 && bytes[bytes.length - 2] >= 128) {
        expect(howManyNumbers(bytes.subarray(0, -1))).toBe(undefined)
      }
    }),
  )
})
