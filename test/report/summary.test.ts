import { describe, expect, test } from '@jest/globals'
import { summary } from '../../src/6-report/summary.js'
import { block, branch, file, loop, procedure, profile } from './counts.js'
import { everything } from './profiles.js'

describe('summary', () => {
  test('at 80 columns', () => {
    expect(summary(everything, 80)).toBe(`queens.icn: 17 of 22 sites ran (77%)
NAME                        LINE   RAN                   CALLS  NEVER RAN
main                           1   3/5                       3  5:4 if true
place_a_queen_on_the_board    12   5/6                 ≤251583  15:5 while body
p                             20  9/11  1180591620717411303424  24:6 case 3
NOTE: procedure in line 28 is not monitored

lib/a?b.icn: 0 of 1 sites ran (0%)
NAME  LINE  RAN  CALLS  NEVER RAN
idle     2  0/1      0  2:1 procedure

empty.icn: 0 of 0 sites ran

TOTAL: 17 of 23 sites ran (74%)

NOTE: one run of three was cut short by a signal
`)
  })

  test('at 40 columns', () => {
    const sites = [
      procedure(1, 'main', 1),
      procedure(12, 'place_a_queen_on_the_board', 2057),
      branch(13, 2057, 0),
      procedure(20, 'unused'),
    ]
    const notes = ['one run of three was cut short by a signal']
    const files = [file('samples/icon/eight_queens.icn', sites), file('b.icn', [])]
    expect(summary(profile(files, 3, notes), 40)).toBe(`…ight_queens.icn: 3 of 5 sites ran (60%)
NAME    LINE  RAN  CALLS  NEVER RAN
main       1  1/1      1
place…    12  2/3   2057  13:4 if false
unused    20  0/1      0  20:1 procedure

b.icn: 0 of 0 sites ran

TOTAL: 3 of 5 sites ran (60%)

NOTE: one run of three was cut short by
a signal
`)
  })

  test('is never wider than asked', () => {
    for (const columns of [120, 60, 30, 20, 10]) {
      const widths = summary(everything, columns)
        .split('\n')
        .map((line) => line.length)
      expect(Math.max(...widths)).toBeLessThanOrEqual(columns)
    }
  })

  test('one file, all of it run', () => {
    expect(summary(profile([file('one.icn', [procedure(1, 'main', 1), loop(2, 7, 'every')])]), 80))
      .toBe(`one.icn: 2 of 2 sites ran (100%)
NAME  LINE  RAN  CALLS  NEVER RAN
main     1  2/2      1
`)
  })

  test('what comes before the first procedure', () => {
    expect(summary(profile([file('one.a68', [block(1, 1), loop(2, 0, 'for'), procedure(3, 'p', 0)])]), 80))
      .toBe(`one.a68: 1 of 3 sites ran (33%)
NAME            LINE  RAN  CALLS  NEVER RAN
(no procedure)     1  1/2         2:5 for body
p                  3  0/1      0  3:1 procedure
`)
  })
})
