import { describe, expect, test } from '@jest/globals'
import { cut, drawTable, percent, printableName, spellCount, spellShare } from '../../src/6-report/table.js'
import { count } from './counts.js'

describe('percentages', () => {
  test.each([
    [0, 0, '0'],
    [0, 7, '0'],
    [7, 7, '100'],
    [1, 200, '1'],
    [1, 201, '<1'],
    [199, 200, '>99'],
    [994, 1000, '99'],
    [995, 1000, '>99'],
    [33177, 2000000, '2'],
    [251327, 251583, '>99'],
    [1, 3, '33'],
    [2, 3, '67'],
    [1, 2, '50'],
  ])('%d of %d is %s', (part, total, expected) => {
    expect(percent(BigInt(part), BigInt(total))).toBe(expected)
  })

  test('are right beyond 2^53', () => {
    expect(percent(10n ** 30n, 10n ** 30n + 1n)).toBe('>99')
    expect(percent(1n, 10n ** 30n)).toBe('<1')
    expect(percent(10n ** 30n, 2n * 10n ** 30n)).toBe('50')
  })
})

test('counts and shares', () => {
  expect(spellCount(count(2n ** 64n))).toBe('18446744073709551616')
  expect(spellCount(count([5]))).toBe('≤5')
  expect(spellShare(count(0), count(0))).toBe('0(0)')
  expect(spellShare(count([1]), count([4]))).toBe('≤1(25)')
})

test('names', () => {
  expect(printableName('a\nb\u001b[1m\u0085é.icn')).toBe('a?b?[1m?é.icn')
  expect(cut('abcdef', 6)).toBe('abcdef')
  expect(cut('abcdef', 5)).toBe('abcd…')
  expect(cut('abcdef', 1)).toBe('…')
})

describe('tables', () => {
  test('numbers right, names left, nothing behind', () => {
    const columns = [
      { heading: 'N', align: 'right' },
      { heading: 'NAME', align: 'left' },
      { heading: 'LONGER', align: 'right' },
    ] as const
    const rows = [
      ['1', 'a', '2'],
      ['1000', 'abcdef', '12345678'],
    ]
    expect(drawTable(columns, rows)).toEqual([
      '   N  NAME      LONGER',
      '   1  a              2',
      '1000  abcdef  12345678',
    ])
  })

  test('a left-aligned last heading stands over all further columns', () => {
    const columns = [
      { heading: 'N', align: 'right' },
      { heading: 'A LONG HEADING', align: 'left' },
    ] as const
    const rows = [
      ['1', 'a', 'b'],
      ['', 'abc'],
      ['2', 'a', 'b', 'c'],
    ]
    expect(drawTable(columns, rows)).toEqual(['N  A LONG HEADING', '1  a    b', '   abc', '2  a    b  c'])
  })
})
