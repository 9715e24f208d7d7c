import { expect, test } from '@jest/globals'
import { constructs } from '../../src/6-report/constructs.js'
import { block, branch, file, profile } from './counts.js'
import { everything } from './profiles.js'

test('every table, inexact counts, several files and runs', () => {
  expect(constructs(everything)).toBe(`MONITORING INFORMATION FOR TEXT FILE queens.icn
***********************************************
RUNS: 3

BLOCKS

LINENO  PASSES
     4       3

PROCEDURES

LINENO  NAME                                         CALLS  RETURNS  SUSPENDS  RESUMPTIONS  FAILURES
     1  main                                             3        0         0            0         3
    12  place_a_queen_on_the_board                 ≤251583    33177     ≤1200         1180   ≤217206
    20  p                           1180591620717411303424        0         0            0         0

IF STATEMENTS

LINENO   TOTAL  TRUE (% OF TOTAL)  FALSE (% OF TOTAL)
     5       0               0(0)                0(0)
    13  251583        251327(>99)             256(<1)
    14    ≤256            ≤25(10)             231(90)

CASE STATEMENTS

LINENO    TOTAL  FORMAT IS CASENO:INVOCATIONS (% OF TOTAL)
    24      ≤17  1:1(6)      2:1(6)            3:0(0)        4:1(6)  5:1(6)
                 6:1(6)      7:≤12(71)         default:0(0)
    30  2000000  1:33177(2)  none:1966823(98)

DO STATEMENTS

LINENO  ELABORATIONS  KIND
     6            30  every
    15             0  while

NOTE: procedure in line 28 is not monitored

MONITORING INFORMATION FOR TEXT FILE lib/a?b.icn
************************************************
RUNS: 3

PROCEDURES

LINENO  NAME  CALLS  RETURNS  SUSPENDS  RESUMPTIONS  FAILURES
     2  idle      0        0         0            0         0

MONITORING INFORMATION FOR TEXT FILE empty.icn
**********************************************
RUNS: 3

no constructs

NOTE: one run of three was cut short by a signal
`)
})

test('one run of one file has no more than its tables', () => {
  expect(constructs(profile([file('été.icn', [branch(2, 1, 3), block(1, 4)])])))
    .toBe(`MONITORING INFORMATION FOR TEXT FILE été.icn
********************************************

BLOCKS

LINENO  PASSES
     1       4

IF STATEMENTS

LINENO  TOTAL  TRUE (% OF TOTAL)  FALSE (% OF TOTAL)
     2      4              1(25)               3(75)
`)
})

test('no file, no report', () => {
  expect(constructs(profile([]))).toBe('')
})
