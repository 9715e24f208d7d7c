import { describe, expect, test } from '@jest/globals'
import { summary } from '../../src/6-report/summary.js'
import { block, file, loop, procedure, profile } from './counts.js'
import { everything } from './profiles.js'

describe('summary', () => {
  test('at 80 columns', () => {
    expect(summary(everything, 80)).toBe(``)
  })

  test('at 40 columns', () => {
    expect(summary(everything, 40)).toBe(``)
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
    expect(summary(profile([file('one.icn', [procedure(1, 'main', 1), loop(2, 7, 'every')])]), 80)).toBe(``)
  })

  test('what comes before the first procedure', () => {
    expect(summary(profile([file('one.a68', [block(1, 1), loop(2, 0, 'for'), procedure(3, 'p', 0)])]), 80)).toBe(``)
  })
})
