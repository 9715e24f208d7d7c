// Insertions keep the original whole and in order, and nest as the constructs they belong to do.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { applyEdits, type Edit } from '../src/3-rewrite/edits.js'

/** An opener before `start` and a closer after `end`, as a probe around a construct has them. */
function around(name: string, start: number, end: number, order: number): Edit[] {
  return [
    { at: start, side: 'before', order, text: `<${name} ` },
    { at: end, side: 'after', order, text: ` ${name}>` },
  ]
}

describe('applyEdits', () => {
  test('no edits: the identical text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => applyEdits(text, []) === text))
  })

  test('spans that share their beginning or end nest, the outer one first in order', () => {
    const spans = [
      ['O', 0, 6],
      ['L', 0, 3],
      ['l', 0, 1],
      ['R', 3, 6],
      ['r', 5, 6],
    ] as const
    const edits = spans.flatMap(([name, start, end], order) => around(name, start, end, order))
    expect(applyEdits('abcdef', edits)).toBe('<O <L <l a l>bc L><R de<r f r> R> O>')
    expect(applyEdits('abcdef', edits.reverse())).toBe('<O <L <l a l>bc L><R de<r f r> R> O>')
  })

  test('neighbours: what closes stands before what opens', () => {
    expect(applyEdits('ab', [...around('x', 1, 2, 0), ...around('y', 0, 1, 1)])).toBe('<y a y><x b x>')
  })

  test('at one place and side: openers in their order, closers in the reverse', () => {
    const at = (side: 'after' | 'before') => [2, 0, 1].map((order) => ({ at: 1, side, order, text: String(order) }))
    expect(applyEdits('ab', at('before'))).toBe('a012b')
    expect(applyEdits('ab', at('after'))).toBe('a210b')
    expect(applyEdits('ab', [...at('before'), ...at('after')])).toBe('a210012b')
  })

  test('at both ends of the text, and in an empty one', () => {
    expect(applyEdits('ab', around('x', 0, 2, 0))).toBe('<x ab x>')
    expect(applyEdits('', [{ at: 0, side: 'before', order: 0, text: 'x' }])).toBe('x')
  })

  test('the edits given are not altered', () => {
    const edits = Object.freeze([...around('x', 1, 2, 0), ...around('y', 0, 1, 1)])
    applyEdits('ab', edits)
    expect(edits[0].text).toBe('<x ')
  })
})

// pieces are spelled with [ ], which the texts lack, so that they can be taken out again
const originals = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', ' ', '\xe9', '\0') })
const randomEdits = (text: string) =>
  fc.array(
    fc.record({
      at: fc.nat({ max: text.length }),
      side: fc.constantFrom('after' as const, 'before' as const),
      order: fc.nat({ max: 5 }),
      text: fc.stringMatching(/^[xyz\n]{0,4}$/).map((piece) => `[${piece}]`),
    }),
  )

test('random edits lose nothing and alter nothing: without the pieces, the original is back', () => {
  const withEdits = originals.chain((text) => fc.tuple(fc.constant(text), randomEdits(text)))
  fc.assert(
    fc.property(withEdits, ([text, edits]) => {
      const amended = applyEdits(text, edits)
      expect(amended.replace(/\[[^\]]*\]/g, '')).toBe(text)
      expect(amended.length).toBe(text.length + edits.reduce((sum, edit) => sum + edit.text.length, 0))
      // and each piece stands where it was to stand
      const places = [...amended.matchAll(/\[[^\]]*\]/g)].map((match) => ({
        at: amended.slice(0, match.index).replace(/\[[^\]]*\]/g, '').length,
        text: match[0],
      }))
      const key = (one: { at: number; text: string }) => `${one.at} ${one.text}`
      expect(places.map(key).sort()).toEqual(edits.map(key).sort())
    }),
  )
})

test('random trees of spans come out well nested', () => {
  // a tree of spans over a text: each node cuts its parent's span
  interface Span {
    start: number
    end: number
  }
  const cuts = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.nat()), { maxLength: 12 })
  fc.assert(
    fc.property(cuts, (choices) => {
      const spans: Span[] = [{ start: 0, end: 20 }]
      for (const [parent, from, length] of choices) {
        const { start, end } = spans[parent % spans.length]
        const first = start + (from % (end - start))
        const span = { start: first, end: first + 1 + (length % (end - first)) }
        const crossing = spans.some(
          (one) =>
            (one.start < span.start && span.start < one.end && one.end < span.end) ||
            (span.start < one.start && one.start < span.end && span.end < one.end),
        )
        if (!crossing) spans.push(span)
      }
      // parents before children, in the order of the text, as plans have their probes
      spans.sort((one, other) => one.start - other.start || other.end - one.end)
      const edits = spans.flatMap(({ start, end }, order) => around(String(order), start, end, order))
      const amended = applyEdits('.'.repeat(20), edits)
      const open: string[] = []
      for (const [, opener, closer] of amended.matchAll(/<(\d+) | (\d+)>/g)) {
        if (opener !== undefined) open.push(opener)
        else expect(open.pop()).toBe(closer)
      }
      expect(open).toEqual([])
      expect(amended.replace(/[^.]/g, '')).toBe('.'.repeat(20))
    }),
  )
})
