// Deep nesting: in linear time, or a clear error; never a stack overflow. Through the command line, since what is too
// deep for the stack is done again in a worker thread, which must be compiled JavaScript.
import { describe, expect, test } from '@jest/globals'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { prepare } from '../src/prepare.js'
import { inFolder, runScamp, type Outcome } from './programs.js'

const repeated = (text: string, depth: number) => text.repeat(depth)

/** Kinds of nesting: an expression so and so deep. */
const nested: Record<string, (depth: number) => string> = {
  parentheses: (depth) => `write(${repeated('(', depth)}x${repeated(')', depth)})`,
  braces: (depth) => `${repeated('{', depth)}write(x)${repeated('}', depth)}`,
  calls: (depth) => `write(${repeated('f(', depth)}x${repeated(')', depth)})`,
  subscripts: (depth) => `a${repeated('[a', depth)}${repeated(']', depth)}`,
  'list literals': (depth) => `a := ${repeated('[', depth)}x${repeated(']', depth)}`,
  scanning: (depth) => `x ? ${repeated('(x ? ', depth)}x${repeated(')', depth)}`,
  'else if': (depth) => `if x = 0 then f(0)${repeated('\n else if x = 2 then f(1)', depth)}\n else f(2)`,
  'if in if': (depth) => `${repeated('if x = 1 then ', depth)}write(x)`,
  'case in case': (depth) => `${repeated('case x of { 1: ', depth)}write(x)${repeated('}', depth)}`,
  loops: (depth) => `${repeated('while x = 1 do ', depth)}break`,
}

/** What is long rather than deep: there is no limit to it. */
const long: Record<string, (length: number) => string> = {
  'unary operators': (length) => `write(${repeated('-', length)}x)`,
  'binary operators': (length) => `x := x${repeated(' || x', length)}`,
  alternation: (length) => `every x := 1${repeated(' | 1', length)}`,
  assignments: (length) => `${repeated('a := ', length)}x`,
  statements: (length) => repeated('x := 2\n', length),
}

const program = (body: string) =>
  `procedure main()\n local x, a\n x := 1\n${body}\nend\nprocedure f(x)\n return x\nend\n`

/** Instruments a text; answers how that went, how long it took in milliseconds, and how long the result is. */
function instrumented(text: string): Outcome & { milliseconds: number; length: number } {
  return inFolder({ 'deep.icn': text }, (folder) => {
    const before = performance.now()
    const outcome = runScamp(['instrument', '-o', 'amended.icn', 'deep.icn'], { cwd: folder })
    const milliseconds = performance.now() - before
    const path = join(folder, 'amended.icn')
    return { ...outcome, milliseconds, length: outcome.status === 0 ? statSync(path).size : 0 }
  })
}

// the prelude is of one size; of what grows with the text, scamp may at most double it… here a generous multiple
const mostTimesLonger = 12
const preludeLength = 5000

for (const [kinds, name, depth] of [
  [nested, 'nested', 10_000],
  [long, 'in a row', 20_000],
] as const) {
  describe(`${depth} ${name}`, () => {
    for (const [kind, spell] of Object.entries(kinds)) {
      test(kind, () => {
        const small = instrumented(program(spell(depth / 10)))
        expect(small).toMatchObject({ status: 0, signal: null, stderr: '' })
        const text = program(spell(depth))
        const large = instrumented(text)
        expect(large).toMatchObject({ status: 0, signal: null, stderr: '' })
        // ten times as much: linear is ten times as long, and starting node takes a part of that
        expect(large.milliseconds).toBeLessThan(25 * Math.max(small.milliseconds, 100))
        expect(large.length).toBeLessThan(mostTimesLonger * text.length + preludeLength)
      })
    }
  })
}

describe('200000 nested', () => {
  for (const [kind, spell] of Object.entries(nested)) {
    test(`${kind}: a clear error`, () => {
      const { status, signal, stdout, stderr } = instrumented(program(spell(200_000)))
      expect({ status, signal, stdout }).toEqual({ status: 1, signal: null, stdout: '' })
      expect(stderr).toMatch(/^scamp: deep\.icn(?::\d+:\d+)?: nesting deeper than \d+ levels/)
      expect(stderr).not.toMatch(/^\s+at |Error:|internal error|RangeError|call stack/m)
    })
  }
  for (const [kind, spell] of Object.entries(long)) {
    test(`${kind}, in a row: done, or a clear error`, () => {
      const { status, signal, stderr } = instrumented(program(spell(200_000)))
      expect(signal).toBe(null)
      if (status !== 0) expect(stderr).toMatch(/^scamp: deep\.icn(?::\d+:\d+)?: nesting deeper than \d+ levels/)
      expect(stderr).not.toMatch(/^\s+at |Error:|internal error|RangeError|call stack/m)
    })
  }
})

test('400 loops in each other: no internal error', () => {
  const { status, stderr } = instrumented(program(nested.loops(400)))
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('what is wrong deep within is still said at its place, without our insides', () => {
  const { status, stderr } = instrumented(program(`write(${repeated('(', 5000)}x +${repeated(')', 5000)})`))
  expect(status).toBe(1)
  expect(stderr).toMatch(/^scamp: deep\.icn:4:5010: expected /)
  expect(stderr).not.toMatch(/^\s+at |Error:/m)
})

// what is expected to run 8 to the power of 400 times is not infinitely dear, as what no probe can measure is
test.each([
  ['icon', program(`${repeated('every x := 1 to 2 do ', 400)}f(x)`)],
  ['algol68', `PROC f = VOID: SKIP; ${repeated('TO 2 DO ', 400)}f${repeated(' OD', 400)}`],
] as const)('a call within 400 loops, in %s', async (language, text) => {
  const [{ plan }] = await prepare({
    sources: [{ name: 'deep', text, language }],
    destinations: [{ kind: 'launched', programName: 'deep', embed: false, mayTrace: false }],
    probing: 'basis',
    monitor: 'constructs',
    isWhole: true,
    lpath: '',
    sandbox: false,
  })
  expect(plan.flow.relations).toHaveLength(1)
})
