// Algol 68: counts survive every end of a program, and nothing of how that is done shows.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAlgol68 } from '../src/1-parse/algol68/parse.js'
import { readProfiles, report } from '../src/scamp.js'
import { requireA68g, type JsonReport } from './algol68.js'
import { breaches } from './algol68-laws.js'
import { command, inFolder, runScamp, scamp } from './programs.js'

beforeAll(requireA68g)

/** What in the profile of x.a68, which was cut short, contradicts the laws. */
function breachesOf(cwd: string): string[] {
  const text = readFileSync(join(cwd, 'x.a68'), 'latin1')
  const tree = parseAlgol68({ name: 'x.a68', text, language: 'algol68' }, 'upper', () => undefined)
  const { profile } = readProfiles([join(cwd, '.scamp')])
  return breaches(tree, JSON.parse(report(profile, 'json')) as JsonReport, false)
}

describe('while it computes', () => {
  const endless =
    'INT n := 0; PROC step = (INT k) INT: (ODD k | 1 | 2); print("begun"); ' +
    'DO n := n MOD 7 + step(n); IF n > 3 THEN VOID(step(step(n))) ELSE TO 2 DO n := (n | 2, 1 | n) OD FI OD'
  const calls = (report: string) => Number(/step +≤?(\d+)/.exec(report)?.[1])

  test('a time limit', () => {
    inFolder({ 'x.a68': endless }, (cwd) => {
      const { status, stdout, stderr } = runScamp(['run', '--monitor', 'actions', '--timeout', '2', 'x.a68'], { cwd })
      expect(status).toBe(124)
      expect(stdout).toBe('begun')
      expect(calls(stderr)).toBeGreaterThan(1000)
      expect(breachesOf(cwd)).toEqual([])
    })
  })

  test.each(['INT', 'TERM'])('SIG%s', (signal) => {
    inFolder({ 'x.a68': endless }, (cwd) => {
      const script = `"$@" & pid=$!; sleep 2; kill -${signal} $pid; wait $pid; echo " status $?"`
      const words = ['-c', script, 'bash', process.execPath, scamp]
      const { stdout, stderr } = command('bash', ['-m', ...words, 'run', '--monitor', 'actions', 'x.a68'], { cwd })
      expect(stdout).toBe(`begun status ${signal === 'INT' ? 130 : 143}\n`)
      expect(calls(stderr)).toBeGreaterThan(1000)
      expect(breachesOf(cwd)).toEqual([])
    })
  })
})

describe('while it waits for input', () => {
  const waiting = `PROC f = (INT n) INT: (n > 2 | 1 | 2);
    FOR i TO 5 DO VOID(f(i)) OD; print(("ready", newline)); MODE x; read(x); print("read"); VOID(f(1))`
  // input that nobody writes to, and that does not end
  const held = 'mkfifo held; exec 5<>held;'
  const kinds = { 'a pipe': `${held} "$@" <&5`, 'a terminal': `${held} script -qec "$*" /dev/null <&5` }
  const cases = Object.entries(kinds).flatMap(([kind, script]) => ['COMPL', 'BOOL'].map((mode) => [kind, mode, script]))

  test.each(cases)('on %s, for %s', (_, mode, script) => {
    inFolder({ 'x.a68': waiting.replace('MODE', mode) }, (cwd) => {
      const words = ['timeout', '20', process.execPath, scamp, 'run', '--timeout', '1', '-o', 'report', 'x.a68']
      const { status, stdout } = command('bash', ['-c', script, 'bash', ...words], { cwd })
      expect({ status, stdout: stdout.replace('\r', '') }).toEqual({ status: 124, stdout: 'ready\n' })
      expect(readFileSync(join(cwd, 'report'), 'latin1')).toMatch(/\n +1 +f +5\n/)
    })
  })
})

test('input from a file that is read in part, and from a pipe', () => {
  inFolder({ 'x.a68': 'STRING s; read((s, newline)); print((s, newline))', data: 'one\ntwo\n' }, (cwd) => {
    const words = `"${process.execPath}" "${scamp}" run -o report x.a68`
    expect(command('bash', ['-c', `(read line; ${words}) < data`], { cwd }).stdout).toBe('two\n')
    expect(command('bash', ['-c', `cat data | ${words}`], { cwd }).stdout).toBe('one\n')
    expect(command('bash', ['-c', `${words} < data`], { cwd }).stdout).toBe('one\n')
  })
})
