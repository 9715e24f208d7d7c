// Algol 68: the parser finds the clauses that a68g finds; a program does under scamp what it does without; what is
// inferred is what a counter everywhere counts; a program that reports on itself says what scamp says.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseAlgol68 } from '../src/1-parse/algol68/parse.js'
import { drawError, instrument, ScampError } from '../src/scamp.js'
import {
  clausesByA68g,
  clausesOf,
  countsIn,
  inCopyOf,
  programsIn,
  requireA68g,
  runMonitored,
  runPlain,
  withInput,
  type JsonReport,
} from './algol68.js'
import { breaches } from './algol68-laws.js'
import { command, inFolder, root, runScamp } from './programs.js'

beforeAll(requireA68g)

const small = programsIn('test/algol68/small')
const samples = programsIn('samples/algol68')

const parse = (text: string, name = 'x.a68') =>
  parseAlgol68({ name, text, language: 'algol68' }, 'upper', () => undefined)

// what a68g says of a run-time error names the clause it happened in, which may be one of ours
const withoutClause = (output: string) => output.replace(/^(a68g: runtime error: .*?), in [^\n]*$/gm, '$1')

describe.each([...small, ...samples].map((path) => [basename(path, '.a68'), path]))('%s', (_, path) => {
  test('has the clauses that a68g finds', () => {
    const expected = clausesByA68g(path)
    if (!expected) return
    expect(clausesOf(parse(readFileSync(path, 'latin1')))).toEqual(expected)
  })

  test('does under scamp what it does without, is counted by the laws, and reports on itself alike', async () => {
    const plain = runPlain(path, [])
    const isWhole = plain.status === 0
    const said = runPlain(path, ['--check']).stdout
    const [basis, all] = [[], ['--monitor', 'actions', '--probes', 'all']].map((options) => {
      const { outcome, reports } = runMonitored(path, ...options)
      if (outcome.stderr.startsWith('scamp: a68g does not accept ')) {
        expect({ status: outcome.status, stdout: outcome.stdout }).toEqual({ status: 126, stdout: said })
        expect(plain.status).toBe(1)
        return undefined
      }
      expect({ ...outcome, stdout: withoutClause(outcome.stdout) }).toEqual({
        ...plain,
        stdout: withoutClause(plain.stdout),
      })
      expect(reports).toBeDefined()
      const json = JSON.parse(reports!('json')) as JsonReport
      expect(breaches(parse(readFileSync(path, 'latin1'), basename(path)), json, isWhole)).toEqual([])
      return { counts: countsIn(json), text: reports!('scamp') }
    })
    if (!basis || !all) return
    expect([...basis.counts.keys()]).toEqual([...all.counts.keys()].filter((key) => !key.includes(' action ')))
    // how deep the stack is depends on what is counted
    if (!plain.stdout.includes('stack overflow')) {
      for (const [key, { count, exact }] of basis.counts) {
        const truth = all.counts.get(key)!
        if (exact) expect(`${key} ${count}`).toBe(`${key} ${truth.count}`)
        else expect(count).toBeGreaterThanOrEqual(truth.exact ? truth.count : 0n)
      }
    }
    for (const [claim, what, count] of claimsIn(plain.stdout)) {
      const known = [...all.counts].find(([key]) => what.every((word) => ` ${key} `.includes(word)))
      expect(`${claim}: ${known?.[1].count}`).toBe(`${claim}: ${count}`)
    }
    if (!isWhole) return
    expect(await reportOnItself(path)).toBe(all.text)
    // once accepted, it stays: npm run accept
    const golden = goldenOf(path)
    if (process.env.ACCEPT && isRepeatable(path)) writeFileSync(golden, all.text)
    else if (isRepeatable(path)) expect(all.text).toBe(readFileSync(golden, 'utf8'))
  })
})

/** What a program says of its own counts: `count LINE KIND NAME COUNT`. */
const claimsIn = (output: string) =>
  [...output.matchAll(/^count (\d+) (\w+) (\w+) (\d+)$/gm)].map(([claim, line, kind, name, count]) => {
    return [claim, [`:${line}:`, ` ${kind} `, ` ${name} `], count] as const
  })

/** Where the report on a program is that was accepted. */
const goldenOf = (path: string) => {
  const folder = samples.includes(path) ? 'samples' : 'small'
  return join(root, 'test/algol68/reports', folder, `${basename(path, '.a68')}.txt`)
}

/** Whether a program counts the same each time it runs. */
const isRepeatable = (path: string) => !/\brandom\b/.test(readFileSync(path, 'latin1'))

/** The report that a program prints if it is instrumented to do so. */
async function reportOnItself(path: string): Promise<string> {
  const source = { name: basename(path), text: readFileSync(path, 'latin1'), language: 'algol68' } as const
  const [{ text }] = await instrument([source], { monitor: 'actions' })
  return inFolder({ 'amended.a68': text }, (cwd) => {
    withInput(['env', 'SCAMP_REPORT=report', 'a68g', '--nowarnings', 'amended.a68'], cwd)
    return readFileSync(join(cwd, 'report'), 'latin1')
  })
}

describe('what is no program', () => {
  test.each([
    ['an IF without FI', 'INT a = 1; IF a = 1 THEN SKIP', 'x.a68:1:30: expected'],
    ['a bracket too many', 'print((1)));', 'x.a68:1:11: expected'],
    ['a comment without end', 'SKIP; # and so on', 'x.a68:1:7: unterminated comment'],
    ['a bold comment without end', 'SKIP; COMMENT and so on', 'x.a68:1:7: unterminated comment'],
    ['a string without end', 'print("abc)', 'x.a68:1:7: unterminated string'],
    ['a format without end', 'printf($g(', 'x.a68:1:10: unterminated format'],
    ['a character that is none', 'INT a = 3 ` 4', 'x.a68:1:11: invalid character'],
    ['a bold word in half quotes', "'INT a = 3", 'x.a68:1:1: a bold word needs an apostrophe on both sides'],
    ['nothing', '', 'x.a68: the file is empty'],
  ])('%s', (_, text, message) => {
    let error: unknown
    try {
      parse(text)
    } catch (caught) {
      error = caught
    }
    expect(error).toBeInstanceOf(ScampError)
    expect(drawError(error as ScampError).slice(0, message.length)).toBe(message)
  })

  test.each([
    ['(', ')', 10_000],
    ['BEGIN ', ' END', 10_000],
    ['(TRUE | ', ')', 5000],
    ['IF TRUE THEN ', ' FI', 5000],
    ['[', ']INT a', 3000],
  ])('nesting of %s is read in time, or refused', (open, close, depth) => {
    const text = open.repeat(depth) + '1' + close.repeat(depth)
    inFolder({ 'deep.a68': text }, (cwd) => {
      const start = Date.now()
      const { status, stderr } = runScamp(['instrument', '-o', 'out.a68', 'deep.a68'], { cwd })
      expect(Date.now() - start).toBeLessThan(30_000)
      expect(stderr).not.toMatch(/internal error|^\s+at /m)
      expect(status === 0 || stderr.startsWith('scamp: ')).toBe(true)
    })
  })
})

test('without a68g, one line says how to get it', () => {
  inFolder({ 'x.a68': 'SKIP' }, (cwd) => {
    const { status, stderr } = runScamp(['run', '--a68g', './none', 'x.a68'], { cwd })
    expect(status).toBe(127)
    expect(stderr).toMatch(/^scamp: there is no program \.\/none; install it with: apt-get install algol68g .*\n$/)
  })
})

test('a program sees its own command line', () => {
  const text = 'FOR i FROM 2 TO argc DO print((argv(i), newline)) OD; print((argv(argc + 1), program idf, newline))'
  inFolder({ 'x.alg': text }, (cwd) => {
    const words = ['x.alg', '--', 'a"b', 'ü x', '-x']
    const { stdout } = runScamp(['run', '-o', 'report', ...words], { cwd })
    expect(stdout).toBe(command('a68g', words, { cwd }).stdout)
    expect(stdout).toMatch(/^x\.alg\n--\na"b\n/)
  })
})

test('a program that calls for the monitor itself runs on', () => {
  inFolder({ 'x.a68': 'print("a"); break; print(("b", newline)); debug; print("c")' }, (cwd) => {
    const { status, stdout, stderr } = runScamp(['run', 'x.a68'], { cwd })
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'ab\nc' })
    expect(stderr).toMatch(/^MONITORING/)
  })
})

// Brailsford et al., Fig. 3: the same constructs on the same lines, and the counts that do not depend on chance
test('the report of Fig. 3', () => {
  const [path] = samples.filter((one) => basename(one) === 'noraprogd.a68')
  const report = inCopyOf(path, (cwd, name) => runScamp(['run', name], { cwd }).stderr)
  const columns = (...cells: string[]) => new RegExp(`\\n${cells.map((cell) => ` +${cell}`).join('')}\\n`)
  expect(report).toMatch(
    /^MONITORING INFORMATION FOR TEXT FILE noraprogd\.a68\n\*+\n\nBLOCKS\n\nLINENO {2}PASSES\n +5 +1\n/,
  )
  expect(report).toMatch(/\nLINENO {2}NAME +CALLS\n +7 +randomnumber +2000002\n +22 +atom +2000000\n/)
  expect(report).toMatch(/\nLINENO +TOTAL {2}TRUE \(% OF TOTAL\) {2}FALSE \(% OF TOTAL\)\n/)
  for (const line of [13, 15]) expect(report).toMatch(columns(`${line}`, '1', '0\\(0\\)', '1\\(100\\)'))
  expect(report).toMatch(columns('24', '2000000', '\\d+\\(2\\)', '\\d+\\(98\\)'))
  expect(report).toMatch(columns('33', '500000', '\\d+\\(50\\)', '\\d+\\(50\\)'))
  expect(report).toMatch(columns('30', '5', ...[1, 2, 3, 4, 5].map((arm) => `${arm}:1\\(20\\)`)))
  const loops = '10 30 10 900 19 10 28 5 30 500000 45 50 49 20 50 10'.split(' ')
  expect(report.slice(report.indexOf('DO STATEMENTS')).match(/\d+/g)).toEqual(loops)
})

test('included files are files of their own', () => {
  const files = {
    'x.a68': 'INT n := 3;\nPR include "lib.a68" PR\nprint((twice(n), newline));\nprint((twice(-n), newline))\n',
    'lib.a68': 'PROC twice = (INT k) INT:\n   IF k > 0 THEN 2 * k\n   ELSE 1 OVER (k + 3) FI;\n',
  }
  inFolder(files, (cwd) => {
    const { status, stdout, stderr } = runScamp(['run', 'x.a68'], { cwd })
    expect(status).toBe(1)
    expect(stdout).toMatch(/\n3 {5} {3}ELSE 1 OVER \(k \+ 3\) FI;\n {16}1 +\na68g: lib\.a68: runtime error: 1: .*\n$/)
    expect(stderr).toMatch(/TEXT FILE lib\.a68\n[^]*\n +1 +twice +2\n[^]*\n +2 +2 +1\(50\) +1\(50\)\n/)
  })
})

test('a program in quote stropping reports on itself as scamp does', () => {
  const text =
    "'INT' N := 0; 'TO' 3 'DO' 'IF' N > 1 'THEN' PRINT(N) 'FI'; N +:= 1 'OD'; 'PROC' NIX = 'VOID': 'SKIP'; NIX"
  inFolder({ 'x.a68': text }, (cwd) => {
    const stropping = ['--stropping', 'quote']
    expect(runScamp(['instrument', ...stropping, '-o', 'amended.a68', 'x.a68'], { cwd }).status).toBe(0)
    const alone = command('a68g', ['--quotestropping', '--nowarnings', 'amended.a68'], { cwd })
    const { status, stdout, stderr } = runScamp(['run', ...stropping, 'x.a68'], { cwd })
    expect({ status, stdout }).toEqual({ status: 0, stdout: `${' '.repeat(18)}+2` })
    expect(stderr).toMatch(/\n +1 +NIX +1\n/)
    expect({ stdout: alone.stdout, stderr: alone.stderr }).toEqual({ stdout, stderr })
  })
})

test('the laws notice any count that is off', () => {
  const text =
    'PROC f = (INT n) INT: (n > 2 | 1 | 2); INT k := 0;\n' +
    'TO 3 DO k := k + f(k); (k > 3 ANDF k < 9 | k := 4) OD;\n' +
    'WHILE k > 0 DO k := k - 1; CASE k IN SKIP, (k; SKIP) OUT SKIP ESAC OD; DO k := k + 1 UNTIL k = 2 OD; print(k)'
  inFolder({ 'x.a68': text }, (cwd) => {
    const { outcome, reports } = runMonitored(join(cwd, 'x.a68'), '--monitor', 'actions')
    expect(outcome.status).toBe(0)
    const right = reports!('json')
    expect(breaches(parse(text), JSON.parse(right) as JsonReport, true)).toEqual([])
    const { length } = [...right.matchAll(/"count": "\d+"/g)]
    expect(length).toBeGreaterThan(20)
    for (let wrong = 0; wrong < length; wrong++) {
      let i = 0
      const off = right.replace(/("count": ")(\d+)/g, (whole, start: string, count: string) =>
        i++ === wrong ? `${start}${BigInt(count) + 1n}` : whole,
      )
      expect(breaches(parse(text), JSON.parse(off) as JsonReport, true)).not.toEqual([])
    }
  })
})
