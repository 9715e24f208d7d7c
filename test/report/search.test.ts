// The search report: results, what was found with them, and activations that led nowhere.
import { expect, test } from '@jest/globals'
import type { FileProfile, Goal, ProfiledToken } from '../../src/5-profile/profile.js'
import { searchesIn, searchReport } from '../../src/6-report/search.js'
import { count, file, options } from './counts.js'

const at = (column: number) => ({ line: 1, column })

/** A token: what has no ports was executed `started` times. */
function token(column: number, text: string, started: number, ports?: [resumed: number, succeeded: number]) {
  const failed = ports && started + ports[0] - ports[1]
  return {
    ...at(column),
    text,
    count: count(started + (ports?.[0] ?? 0)),
    ports: ports
      ? { started: count(started), resumed: count(ports[0]), succeeded: count(ports[1]), failed: count(failed!) }
      : null,
  } satisfies ProfiledToken
}

// Fig. 7 of the paper: every find("t", line) = (10 to 20)
const find = token(1, 'find', 300, [422, 422])
const equal = token(17, '=', 4774, [0, 132])
const to = token(23, 'to', 422, [4642, 4642])
const figure: FileProfile = { ...file('a.icn', []), tokens: [find, equal, to] }
const link = (column: number, isChosen = false) => ({ places: [at(column)], isChosen })
const search: Goal = { results: [[at(17)]], chain: [link(1), link(23), link(17)] }

test('the last generator has a result for everything found; those before it, at most', () => {
  const [first, last] = searchesIn(figure, () => [search])
  expect(last).toMatchObject({ token: to, used: count(132), nowhere: count(422 + 4642 - 132) })
  expect(first.used).toEqual({ value: 132n, least: 1n, exact: false })
  expect(first.nowhere).toEqual({ value: 721n, least: 590n, exact: false })
})

test('what may have been chosen, or comes before a choice, has at most what was found', () => {
  const chosen: Goal = { results: [[at(17)]], chain: [link(23, true), link(17)] }
  expect(searchesIn(figure, () => [chosen])[1].used).toEqual({ value: 132n, least: 1n, exact: false })
  const before: Goal = { results: [[at(17)]], chain: [link(23), { places: [], isChosen: false }, link(17)] }
  expect(searchesIn(figure, () => [before])[1].used.exact).toBe(false)
})

test('without the text, nothing is known of what was used', () => {
  const [, last] = searchesIn(figure, () => undefined)
  expect(last.used).toEqual({ value: 4642n, least: 0n, exact: false })
})

test('the report has the most useless first', () => {
  const profile = { files: [figure], unloaded: [], runs: 1, notes: [] }
  const drawn = searchReport(
    profile,
    options('every find("t", line) = (10 to 20)\n', { columns: 100, goalsOf: () => [search] }),
  )
  expect(drawn).toBe(`NOWHERE  RESULTS  USED  TOKEN  PLACE       SOURCE
   4932     4642   132  to     a.icn:1:23  every find("t", line) = (10 to 20)
   ≥590      422  ≤132  find   a.icn:1:1   every find("t", line) = (10 to 20)

NOWHERE: activations that gave no result, or one that was not part of what was found
`)
  expect(searchReport({ ...profile, files: [{ ...figure, tokens: [equal] }] }, options())).toBe(
    'no generator was resumed\n',
  )
})

test('of a long name, the end is shown', () => {
  const profile = { files: [{ ...figure, name: 'a/long/way/to/the/program.icn' }], unloaded: [], runs: 1, notes: [] }
  expect(searchReport(profile, options())).toContain('  to     …/the/program.icn:1:23\n')
})
