// Counts of tokens: those of the papers, those that a counter everywhere gives, and what a program does not notice.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  countTrace,
  inFolder,
  requireIcon,
  runInstrumented,
  runPlain,
  runScamp,
  testPrograms,
  type JsonReport,
  type TestProgram,
} from './programs.js'
import { breaches, differences } from './token-laws.js'

beforeAll(requireIcon)

/** Runs a program of one file and answers its tokens, as text and count, in the order of the text. */
function tokensOf(text: string, engine: string): [string, number][] {
  return inFolder({ 'program.icn': text }, (cwd) => {
    const words = ['run', '--engine', engine, '--monitor', 'tokens', '--format', 'json', '-o', 'report', 'program.icn']
    expect(runScamp(words, { cwd }).stderr).toBe('')
    const report = JSON.parse(readFileSync(join(cwd, 'report'), 'utf8')) as JsonReport
    return report.files[0].tokens.map(({ text: spelled, count }) => [spelled, Number(count)])
  })
}

describe.each(['iconx', 'embedded'])('figures of the paper, on %s', (engine) => {
  test("Fig. 2: Ackermann's function of 3 and 5", () => {
    const tokens = tokensOf(
      `procedure acker(m, n)
  if m = 0 then return n + 1
  if n = 0 then return acker(m - 1, 1)
  return acker(m - 1, acker(m, n - 1))
end
procedure main()
  acker(3, 5)
end
`,
      engine,
    )
    const counts = (text: string) => tokens.filter(([spelled]) => spelled === text).map(([, count]) => count)
    expect(tokens).toHaveLength(35)
    expect(counts('if')).toEqual([42438, 21342])
    expect(counts('return')).toEqual([21096, 247, 21095])
    expect(counts('(')).toEqual([247, 21095, 21095, 1])
    expect(counts('=')).toEqual([42438, 21342])
    expect(counts('+')).toEqual([21096])
  })

  test('Fig. 1: a generator is counted at its starts and at its resumptions', () => {
    const tokens = tokensOf(
      `procedure main()
  lines := 0
  while (lines +:= 1) <= 100 do {
    line := repl("ab", if lines % 2 = 0 then 67 else 68)
    every i := find("ab", line) do positions := i
    }
end
`,
      engine,
    )
    const every = tokens.slice(tokens.findIndex(([text]) => text === 'every'))
    expect(every).toEqual([
      ['every', 100],
      ['i', 100],
      [':=', 6750],
      ['find', 6850],
      ['"ab"', 100],
      ['line', 100],
      ['positions', 6750],
      [':=', 6750],
      ['i', 6750],
    ])
  })

  test('operations that fail, and what is resumed because of them', () => {
    const tokens = tokensOf(
      `procedure main()
  every (1 to 3) > 2
  "abc" ? { tab(2) & &fail }
  x := 1 | 2 \\ 1
  case x of { 2: x; 1: -x; default: x }
  return \\y
end
`,
      engine,
    )
    expect(tokens).toEqual([
      ['every', 1],
      ['1', 1],
      ['to', 4],
      ['3', 1],
      ['>', 3],
      ['2', 3],
      ['"abc"', 1],
      ['?', 0],
      ['tab', 2],
      ['2', 1],
      ['&', 0],
      ['&', 1],
      ['x', 1],
      [':=', 1],
      ['1', 1],
      ['2', 0],
      ['1', 0],
      ['case', 1],
      ['x', 1],
      ['2', 1],
      ['x', 0],
      ['1', 1],
      ['-', 1],
      ['x', 1],
      ['x', 0],
      ['return', 1],
      ['\\', 1],
      ['y', 1],
    ])
  })
})

// display() shows the counters; a counter everywhere takes more stack; there is no main; `f ! L` reports its error at
// the line of what was carried out before it
const skipped = /^(display_dump|err301|err117|err126_apply)/

describe('every program', () => {
  let traces = 0
  for (const program of testPrograms()) {
    if (skipped.test(program.name)) continue
    test(program.name, () => {
      const { outcome, report } = runInstrumented(program, {}, ['--monitor', 'tokens'])
      expect(outcome).toEqual(runPlain(program))
      const { report: all } = runInstrumented(program, {}, ['--monitor', 'tokens', '--probes', 'all'])
      expect(differences(report!, all!)).toEqual([])
      const text = program.files.map((file) => readFileSync(join(program.folder, file), 'latin1')).join('')
      expect(breaches(report!, outcome.status === 0 && !/\b(?:exit|stop)\b/.test(text))).toEqual([])
      // those that set &trace themselves have lines of their own
      if (!/&\s*trace/.test(text)) traces += compareWithTrace(report!, program)
    })
  }
  test('there were traces to compare with', () => expect(traces).toBeGreaterThan(2000))
})

/** Expects the counts of procedures to be the numbers of lines of a trace. Answers how many there were. */
function compareWithTrace(report: JsonReport, program: TestProgram): number {
  const trace = countTrace(runPlain(program, { TRACE: '-1' }).stderr)
  const counts = report.files.flatMap(({ sites }) =>
    sites.flatMap((site) => {
      if (site.kind !== 'procedure') return []
      return site.counts.map(({ name, ...count }) => ({ ...count, key: `${site.name} ${name}` }))
    }),
  )
  const exact = counts.filter((one) => one.exact)
  expect(exact.map(({ key, count }) => [key, count])).toEqual(
    exact.map(({ key }) => [key, String(trace.get(key) ?? 0)]),
  )
  return exact.length
}

describe('where the counts come from', () => {
  const deep = (levels: number) => `procedure depth(n)
  local x
  if n = 0 then return 0
  x := 1 + integer(string(depth(n - 1)))
  return x
end
procedure main()
  write(depth(${levels}))
end
`
  const tableOf = (report: string) => report.slice(report.indexOf('TOKENS'))

  test('recursion gets as deep as in the plain program', () => {
    inFolder({ 'deep.icn': deep(300) }, (cwd) => {
      const words = ['run', '--engine', 'iconx', '--monitor', 'tokens', '--probes', 'all', '-o', 'report', 'deep.icn']
      expect(runScamp(words, { cwd })).toMatchObject({ status: 0, stdout: '300\n', stderr: '' })
    })
  })

  test('a program that reports its tokens itself, and an executable of scamp icont, count what run counts', () => {
    inFolder({ 'deep.icn': deep(100) }, (cwd) => {
      const run = (words: string[], env: Record<string, string> = {}) => runScamp(words, { cwd, env })
      run(['run', '--monitor', 'tokens', '-f', 'scamp', '-o', 'report', 'deep.icn'])
      const expected = tableOf(readFileSync(join(cwd, 'report'), 'utf8'))
      expect(expected).toContain('depth')
      expect(run(['instrument', '--monitor', 'tokens', '-o', 'own/deep.icn', 'deep.icn']).stderr).toContain('MSTKSIZE')
      const own = spawnSync('icont', ['-s', 'deep.icn', '-x'], { cwd: join(cwd, 'own'), encoding: 'utf8' })
      expect(own.stdout).toBe('100\n')
      expect(tableOf(own.stderr)).toBe(expected)
      expect(run(['icont', '-s', '-o', 'deep', 'deep.icn'], { SCAMP_MONITOR: 'tokens' }).stderr).toBe('')
      const env = { ...process.env, SCAMP_OUT: 'profile' }
      expect(spawnSync('./deep', [], { cwd, encoding: 'utf8', env }).stdout).toBe('100\n')
      expect(tableOf(run(['report', '-f', 'scamp', 'profile']).stdout)).toBe(expected)
      const wrong = run(['icont', '-s', '-o', 'deep', 'deep.icn'], { SCAMP_MONITOR: 'everything' })
      expect(wrong).toMatchObject({ status: 1, stdout: '' })
      expect(wrong.stderr).toMatch(/^scamp: SCAMP_MONITOR=everything: there are constructs, branches, tokens/)
    })
  })

  test('--weights moves counters and changes no count; a profile of another text is of no use', () => {
    inFolder({ 'deep.icn': deep(100), 'other.icn': 'procedure main()\n  write(1)\nend\n' }, (cwd) => {
      const run = (file: string, out: string, ...more: string[]) => {
        const words = ['run', '--monitor', 'tokens', '-f', 'scamp', '-o', `${out}.txt`, ...more, file]
        const { stderr } = runScamp(words, { cwd, env: { SCAMP_OUT: out } })
        return { stderr, report: readFileSync(join(cwd, `${out}.txt`), 'utf8') }
      }
      const first = run('deep.icn', 'first')
      expect(run('deep.icn', 'second', '--weights', 'first')).toEqual(first)
      const plans = ['first', 'second'].map((folder) =>
        readdirSync(join(cwd, folder)).find((name) => name.endsWith('.plan')),
      )
      expect(plans[0]).not.toBe(plans[1])
      expect(run('other.icn', 'third', '--weights', 'first').stderr).toMatch(
        /^scamp: note: first has no tokens of other\.icn/,
      )
    })
  })
})
