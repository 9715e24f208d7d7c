// What counts as covered: of made profiles, and of real runs on the engine.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { join } from 'node:path'
import { coverageOf, explain, labelOf, type FileCoverage, type Item } from '../../src/6-report/coverage.js'
import type { FileProfile, ProfiledToken } from '../../src/5-profile/profile.js'
import { readProfiles } from '../../src/scamp.js'
import { inFolder, runScamp } from '../programs.js'
import { block, branch, choice, count, file, loop, procedure, profile, type BriefCount } from './counts.js'

/** A token; with ports, if numbers of starts, resumptions, successes and failures are given. */
function token(line: number, column: number, text: string, times: BriefCount, ports?: BriefCount[]): ProfiledToken {
  const [started, resumed, succeeded, failed] = (ports ?? []).map(count)
  return { line, column, text, count: count(times), ports: ports ? { started, resumed, succeeded, failed } : null }
}

const spell = (item: Item) =>
  `${item.line}:${item.column} ${item.kind}: ${labelOf(item)} ${item.covered ? 'covered' : explain(item)}`

const only = (one: FileProfile): FileCoverage => coverageOf(profile([one])).files[0]

describe('items', () => {
  test('of every construct, in the order of the text', () => {
    const sites = [
      procedure(1, 'main', 1),
      block(2, 3),
      branch(3, 5, 0),
      choice(4, { 1: 2, default: 0 }),
      choice(5, { 1: 0, none: 1 }),
      loop(6, 0, 'every'),
      procedure(8, 'idle'),
      branch(9, 0, 0),
    ]
    expect(only(file('a.icn', sites)).items.map(spell)).toEqual([
      '1:1 procedure: procedure main covered',
      '2:3 block: block covered',
      '3:4 branch: if true covered',
      '3:4 branch: if false never, of 5',
      '4:6 branch: case 1 covered',
      '4:6 branch: case default never, of 2',
      '5:6 branch: case 1 never, of 1',
      '5:6 branch: case none covered',
      '6:5 branch: every body never a pass',
      '8:1 procedure: procedure idle never called',
      '9:4 branch: if true never reached: idle was never called',
      '9:4 branch: if false never reached: idle was never called',
    ])
  })

  test('of Algol 68: routine texts have no name; that no unit is chosen is an item, but not of conformity clauses', () => {
    const sites: FileProfile['sites'] = [
      { kind: 'routine', line: 1, column: 1, name: '', end: { line: 1, column: 9 }, calls: count(0) },
      { kind: 'loop', line: 2, column: 1, passes: count(2), tests: count(3), skips: null },
      choice(3, { 1: 1, skipped: 0 }),
      choice(4, { 1: 1, unmatched: 0 }),
      { kind: 'action', line: 5, column: 1, action: 'CALL', name: 'f', times: count(0), skipped: null },
      { kind: 'action', line: 5, column: 3, action: 'ANDF', name: '', times: count(0), skipped: count(2) },
      { kind: 'action', line: 6, column: 1, action: 'LABEL', name: 'again', times: count(0), skipped: null },
    ]
    expect(only(file('a.a68', sites)).items.map(spell)).toEqual([
      '1:1 procedure: routine text never called',
      '2:1 branch: loop body covered',
      '3:6 branch: case 1 covered',
      '3:6 branch: case none never, of 1',
      '4:6 branch: case 1 covered',
      '5:3 branch: ANDF right never, of 2',
      '5:3 branch: ANDF left covered',
      '6:1 block: label again never reached',
    ])
  })

  test('of Algol 68: routines stand within each other, and in the program', () => {
    const routine = (line: number, name: string, last: number, calls: number) => {
      return { kind: 'routine', line, column: 1, name, end: { line: last, column: 1 }, calls: count(calls) } as const
    }
    const sites = [
      routine(1, 'outer', 9, 1),
      branch(2, 0, 0),
      routine(3, '', 5, 0),
      branch(4, 0, 0),
      branch(6, 0, 0),
      branch(10, 0, 0),
    ]
    const { items } = only(file('a.a68', sites))
    expect(items.filter(({ side }) => side === 'true').map(({ within }) => within?.line)).toEqual([1, 3, 1, undefined])
    expect(items.filter(({ side }) => side === 'true').map(explain)).toEqual([
      'never reached',
      'never reached: the routine was never called',
      'never reached',
      'never reached',
    ])
  })

  test('of operations: success and failure, but not of control structures', () => {
    const tokens = [
      token(2, 4, 'if', 3, [3, 0, 1, 2]),
      token(2, 7, 'find', 3, [3, 2, 5, 0]),
      token(2, 9, 'x', 3),
      token(3, 4, '=', 0, [0, 0, 0, 0]),
    ]
    const one = only({ ...file('a.icn', [procedure(1, 'main', 1), branch(2, 3, 0)]), tokens })
    expect(one.items.map(spell)).toEqual([
      '1:1 procedure: procedure main covered',
      '2:4 branch: if true covered',
      '2:4 branch: if false never, of 3',
      '2:7 outcome: find success covered',
      '2:7 outcome: find failure never, of 5',
      '3:4 outcome: = success never reached',
      '3:4 outcome: = failure never reached',
    ])
    expect(one.totals).toEqual({
      procedure: { covered: 1, total: 1 },
      block: { covered: 0, total: 0 },
      branch: { covered: 1, total: 2 },
      outcome: { covered: 1, total: 4 },
      item: { covered: 3, total: 7 },
      line: { covered: 2, total: 3 },
    })
  })

  test('a count that may be 0 is not covered', () => {
    expect(only(file('a.icn', [branch(1, [1], [2])])).items.map(spell)).toEqual([
      '1:4 branch: if true not certain: a run was cut short there',
      '1:4 branch: if false covered',
    ])
  })

  test('a file that no run had', () => {
    const coverage = coverageOf({
      ...profile([file('a.icn', [block(1, 1)])]),
      unloaded: [file('b.icn', [block(1, 0)])],
    })
    expect(coverage.files.map(({ isLoaded }) => isLoaded)).toEqual([true, false])
    expect(explain(coverage.files[1].items[0])).toBe('never loaded: no run had this file')
    expect(coverage.totals.item).toEqual({ covered: 1, total: 2 })
  })

  test('what is left out is in no total', () => {
    const sites = [procedure(1, 'main', 1), branch(2, 1, 0), branch(3, 0, 0)]
    const exclusions = [
      { line: 2, first: 2, last: 2, part: 'false', reason: 'cannot be' },
      { line: 3, first: 3, last: 4, part: null, reason: 'for debugging' },
    ]
    const one = only({ ...file('a.icn', sites), exclusions })
    expect(one.items.map(({ excluded }) => excluded)).toEqual([
      null,
      null,
      'cannot be',
      'for debugging',
      'for debugging',
    ])
    expect(one.totals.item).toEqual({ covered: 2, total: 2 })
    expect(one.totals.line).toEqual({ covered: 2, total: 2 })
    expect(one.lines.map(({ line, excluded, items }) => [line, excluded, items.total])).toEqual([
      [1, null, 1],
      [2, null, 1],
      [3, 'for debugging', 0],
    ])
  })
})

test('lines: of constructs, those whose executions are known; of tokens, the most executed', () => {
  const sites = [procedure(1, 'main', 1), loop(2, 0, 'every'), branch(3, 4, 2), choice(4, { 1: 1, none: 2 })]
  expect(only(file('a.icn', sites)).lines.map(({ line, count: { value } }) => [line, Number(value)])).toEqual([
    [1, 1],
    [3, 6],
    [4, 3],
  ])
  const tokens = [token(2, 5, 'every', 1, [1, 0, 0, 1]), token(2, 11, 'to', 9), token(5, 1, 'x', 0)]
  const counted = only({ ...file('a.icn', sites), tokens }).lines
  expect(counted.map(({ line, count: { value } }) => [line, Number(value)])).toEqual([
    [1, 1],
    [2, 9],
    [3, 6],
    [4, 3],
    [5, 0],
  ])
  expect(counted.find(({ line }) => line === 2)).toMatchObject({ covered: true, items: { covered: 0, total: 1 } })
})

test('totals are the items counted one by one, and add up over files', () => {
  const counts = fc.integer({ min: 0, max: 2 })
  const site = fc.oneof(
    fc.tuple(fc.nat(20), counts, counts).map(([line, yes, no]) => branch(line, yes, no)),
    fc.tuple(fc.nat(20), counts).map(([line, passes]) => block(line, passes)),
    fc.tuple(fc.nat(20), counts).map(([line, calls]) => procedure(line, 'p', calls)),
  )
  fc.assert(
    fc.property(fc.array(fc.array(site)), (lists) => {
      const { files, totals } = coverageOf(profile(lists.map((sites, i) => file(`${i}.icn`, sites))))
      const items = files.flatMap((one) => one.items)
      expect(totals.item).toEqual({ covered: items.filter(({ covered }) => covered).length, total: items.length })
      for (const kind of ['procedure', 'block', 'branch'] as const) {
        expect(totals[kind].total).toBe(items.filter((item) => item.kind === kind).length)
      }
      expect(totals.line.total).toBe(files.reduce((sum, { lines }) => sum + lines.length, 0))
    }),
  )
})

test('of a program whose tokens were monitored', () => {
  const text = `procedure main()
   every i := 1 to 3 do
      if i > 5 then write("never")
   while find("x", "abc") do write("nor this")
   return
end
procedure idle()
end
`
  inFolder({ 'a.icn': text }, (cwd) => {
    expect(runScamp(['run', '--monitor', 'tokens', '-o', 'report', 'a.icn'], { cwd }).status).toBe(0)
    const { items, lines } = coverageOf(readProfiles([join(cwd, '.scamp')]).profile).files[0]
    expect(
      items.map((item) => `${item.line} ${labelOf(item)}: ${item.covered ? item.count.value : explain(item)}`),
    ).toEqual([
      '1 procedure main: 1',
      '2 every body: 3',
      '2 to success: 3',
      '2 to failure: 1',
      '3 if true: never, of 3',
      '3 if false: 3',
      '3 > success: never, of 3',
      '3 > failure: 3',
      '4 while body: never, of 1',
      '4 find success: never, of 1',
      '4 find failure: 1',
      '7 procedure idle: never called',
    ])
    expect(lines.map(({ line, count: { value } }) => [line, Number(value)])).toEqual([
      [1, 1],
      [2, 4],
      [3, 3],
      [4, 1],
      [5, 1],
      [7, 0],
    ])
  })
})
