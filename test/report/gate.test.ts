// Requirements on coverage: the arithmetic, and which files and places a judgement is about.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { coverageOf } from '../../src/6-report/coverage.js'
import { judge, judgeAgainst, judgePatch, lacking, meets, type Required } from '../../src/6-report/gate.js'
import { drawVerdict, uncovered } from '../../src/6-report/uncovered.js'
import { ScampError } from '../../src/scamp.js'
import { block, branch, file, procedure, profile } from './counts.js'

const nothing: Required = { overall: {}, each: {}, patterns: [] }
const startsWith = (name: string, pattern: string) => name.startsWith(pattern)

describe('thresholds', () => {
  test('integers decide', () => {
    const cases: [covered: number, total: number, threshold: number, isMet: boolean][] = [
      [99_999, 100_000, 100, false],
      [100_000, 100_000, 100, true],
      [2, 3, 66.666666, true],
      [2, 3, 66.666667, false],
      [0, 0, 100, true],
      [0, 5, 0, true],
      [7, 10, -3, true],
      [6, 10, -3, false],
      [7, 8, 87.5, true],
      [87, 100, 87.1, false],
      [29, 100, 29, true],
    ]
    for (const [covered, total, threshold, isMet] of cases) {
      expect([covered, total, threshold, meets({ covered, total }, threshold)]).toEqual([
        covered,
        total,
        threshold,
        isMet,
      ])
    }
  })

  test('what is lacking is the least that meets the threshold', () => {
    const totals = fc.nat(300).chain((total) => fc.record({ total: fc.constant(total), covered: fc.nat(total) }))
    const thresholds = fc.oneof(
      fc.integer({ min: -50, max: 100 }),
      fc.integer({ min: 0, max: 1000 }).map((tenths) => tenths / 10),
    )
    fc.assert(
      fc.property(totals, thresholds, ({ covered, total }, threshold) => {
        if (meets({ covered, total }, threshold)) return
        const more = lacking({ covered, total }, threshold)
        expect(more).toBeGreaterThan(0)
        expect(meets({ covered: covered + more, total }, threshold)).toBe(true)
        expect(meets({ covered: covered + more - 1, total }, threshold)).toBe(false)
      }),
    )
  })
})

describe('judging', () => {
  const coverage = coverageOf(
    profile([
      file('lib/a.icn', [procedure(1, 'a', 1), branch(2, 3, 0)]),
      file('lib/b.icn', [procedure(1, 'b', 0), branch(2, 0, 0)]),
      file('main.icn', [procedure(1, 'main', 1), branch(2, 3, 1), block(5, 1)]),
    ]),
  )
  const brief = (required: Partial<Required>) =>
    judge(coverage, { ...nothing, ...required }, startsWith).map(({ scope, measure, total, isMet }) => {
      return `${scope} ${measure} ${total.covered}/${total.total} ${isMet}`
    })

  test('patterns leave the total whole', () => {
    expect(
      brief({
        overall: { branch: 50 },
        each: { procedure: 100 },
        patterns: [{ pattern: 'lib/', overall: { branch: -3, item: 30 }, each: { branch: 50 } }],
      }),
    ).toEqual([
      'all files branch 3/6 true',
      'lib/a.icn procedure 1/1 true',
      'lib/b.icn procedure 0/1 false',
      'main.icn procedure 1/1 true',
      'lib/ branch 1/4 true',
      'lib/ item 2/6 true',
      'lib/a.icn branch 1/2 true',
      'lib/b.icn branch 0/2 false',
    ])
  })

  test('a pattern that no file matches is an error, outcomes that are not monitored do not pass', () => {
    expect(() => brief({ patterns: [{ pattern: 'src/', overall: { item: 1 }, each: {} }] })).toThrow(ScampError)
    expect(brief({ overall: { outcome: 1 } })).toEqual(['all files outcome 0/0 false'])
    expect(brief({ overall: { outcome: 0 } })).toEqual(['all files outcome 0/0 true'])
  })

  test('of a baseline', () => {
    const now = (...sites: Parameters<typeof file>[1]) => coverageOf(profile([file('a.icn', sites)]))
    const before = now(branch(1, 1, 1), branch(2, 1, 1), branch(3, 1, 0))
    const judged = (one: ReturnType<typeof now>) =>
      judgeAgainst(before, one)
        .filter(({ measure }) => measure === 'branch')
        .map(({ isMet, missed }) => [isMet, missed.map(({ line, item }) => `${line} ${item!.side}`)])
    expect(judged(before)).toEqual([[true, []]])
    expect(judged(now(branch(1, 1, 1), branch(2, 0, 1), branch(3, 1, 0)))).toEqual([[false, ['2 true']]])
    // a smaller share, but no more missed: tested code went away
    expect(judged(now(branch(3, 1, 0)))).toEqual([[true, []]])
    // more missed, but a greater share
    expect(judged(now(...Array.from({ length: 20 }, (_, i) => branch(i + 1, 1, i < 18 ? 1 : 0))))).toEqual([[true, []]])
  })

  test('of a change: what begins in its lines', () => {
    const additions = [{ file: coverage.files[0], lines: new Set([2, 3]) }]
    const brief = judgePatch(additions, { branch: 100, line: 100, block: 100 })
    expect(brief.map(({ measure, total, isMet }) => [measure, total, isMet])).toEqual([
      ['branch', { covered: 1, total: 2 }, false],
      ['line', { covered: 1, total: 1 }, true],
    ])
  })

  test('the verdict names the places, and what would show all of them', () => {
    const judgements = judge(coverage, { ...nothing, overall: { branch: 90, block: 100, line: -1 } }, startsWith)
    expect(drawVerdict(judgements, ['a.icn:3: a fault'], 'scamp report'))
      .toBe(`FAIL all files: 3 of 6 branches (50%), at least 90% required: 3 more
     lib/a.icn:2:4: if false: never, of 3
     lib/b.icn:2:4: if true: never reached: b was never called
     lib/b.icn:2:4: if false: never reached: b was never called
FAIL all files: 5 of 7 lines (71%), at most 1 missed required: 1 more
     lib/b.icn:1: line never executed
     lib/b.icn:2: line never executed
FAIL a.icn:3: a fault
ok   all files: 1 of 1 blocks (100%), at least 100%
see all that is not covered: scamp report
`)
  })

  test('the report of what is not covered', () => {
    const one = profile([file('a\tb.icn', [procedure(1, 'a', 1), branch(2, 3, 0)]), file('b.icn', [block(1, 1)])], 1, [
      'a note',
    ])
    expect(uncovered({ ...one, unloaded: [file('c.icn', [block(1, 0)])] }))
      .toBe(`FILE                  PROCEDURES    BLOCKS  BRANCHES     ITEMS     LINES
a?b.icn                 1/1 100%         -   1/2 50%   2/3 67%  2/2 100%
b.icn                          -  1/1 100%         -  1/1 100%  1/1 100%
c.icn (never loaded)           -    0/1 0%         -    0/1 0%    0/1 0%
TOTAL                   1/1 100%   1/2 50%   1/2 50%   3/5 60%   3/4 75%

a?b.icn:2:4: if false: never, of 3
c.icn:1:3: block: never loaded: no run had this file

NOTE: a note
`)
  })
})
