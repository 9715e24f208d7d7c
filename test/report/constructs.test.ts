import { expect, test } from '@jest/globals'
import { constructs } from '../../src/6-report/constructs.js'
import { block, branch, file, profile } from './counts.js'
import { everything } from './profiles.js'

test('every table, inexact counts, several files and runs', () => {
  expect(constructs(everything)).toBe(``)
})

test('one run of one file has no more than its tables', () => {
  expect(constructs(profile([file('été.icn', [branch(2, 1, 3), block(1, 4)])]))).toBe(``)
})

test('no file, no report', () => {
  expect(constructs(profile([]))).toBe('')
})
