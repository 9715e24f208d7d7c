// Runs that have names, and merging: which test reached a line, what may be added up and what may not.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder, requireIcon, runScamp, type Outcome } from './programs.js'

beforeAll(requireIcon)

const program = `procedure main(args)
   if args[1] == "a" then
      write("A")
   else if args[1] == "b" then
      write("B")
end
`

/** A folder in which the program was run as test a, as test b and without a name. */
function withRuns(work: (cwd: string, scamp: (...words: string[]) => Outcome) => void): void {
  inFolder({ 'p.icn': program }, (cwd) => {
    const scamp = (...words: string[]) => runScamp(words, { cwd })
    scamp('run', '--context', 'test a', '--monitor', 'tokens', '-o', 'r', 'p.icn', '--', 'a')
    runScamp(['run', '--monitor', 'tokens', '-o', 'r', 'p.icn', '--', 'b'], { cwd, env: { SCAMP_CONTEXT: 'test b' } })
    scamp('run', '-o', 'r', 'p.icn')
    work(cwd, scamp)
  })
}

const reachedA = `CONTEXT  TIMES  WHAT HAPPENED
test a       1
`
const reachedFirst = `CONTEXT       TIMES  WHAT HAPPENED
(no context)      1  if false
test a            1  if true, [ success, == success
test b            1  if false, [ success, == failure
`

describe('which test reached a line', () => {
  test('of the folder, and of what it is merged into', () => {
    withRuns((cwd, scamp) => {
      expect(scamp('tests', 'p.icn:3')).toMatchObject({ status: 0, stdout: reachedA, stderr: '' })
      expect(scamp('tests', 'p.icn:2')).toMatchObject({ status: 0, stdout: reachedFirst })
      // twice, so that sums are merged as well
      scamp('run', '--context', 'test a', '--monitor', 'tokens', '-o', 'r', 'p.icn', '--', 'a')
      scamp('merge', '-o', 'sum', '.scamp')
      scamp('merge', '-o', 'sums', 'sum')
      expect(readdirSync(join(cwd, 'sums')).filter((name) => name.endsWith('.counts'))).toHaveLength(3)
      expect(scamp('tests', 'p.icn:3', 'sums').stdout).toBe(reachedA.replace('1', '2'))
      const runs = (JSON.parse(scamp('report', '-f', 'json', 'sums').stdout) as { runs: number }).runs
      expect(runs).toBe(4)
      expect(scamp('merge', '-o', 'sums', 'sum').stderr).toBe(
        'scamp: note: there were profiles in sums before; they count as well\n',
      )
    })
  })

  test('an executable made by scamp icont says what SCAMP_CONTEXT says', () => {
    inFolder({ 'p.icn': program }, (cwd) => {
      runScamp(['icont', '-s', 'p.icn'], { cwd })
      runScamp(['icont', '-s', 'p.icn', '-x', 'b'], { cwd, env: { SCAMP_CONTEXT: 'by make' } })
      expect(runScamp(['tests', 'p.icn:4'], { cwd }).stdout).toMatch(/^by make +1 +if true$/m)
    })
  })

  test('none did; nothing is counted there; no such file; no such place; no profile', () => {
    withRuns((cwd, scamp) => {
      rmSync(join(cwd, '.scamp'), { recursive: true })
      expect(scamp('tests', 'p.icn:3')).toMatchObject({ status: 1 })
      scamp('run', '--monitor', 'tokens', '-o', 'r', 'p.icn')
      const messages: [string, number, string][] = [
        ['p.icn:3', 1, 'scamp: no run reached p.icn:3\n'],
        ['p.icn:6', 1, 'scamp: nothing is counted in p.icn:6; counted nearby: 5; with --monitor tokens, every line'],
        ['q.icn:3', 1, 'scamp: no profile has q.icn; there are p.icn\n'],
        ['p.icn', 2, 'scamp: say which line of which file, as in queens.icn:12, not p.icn\n'],
        ['p.icn:0', 2, 'scamp: say which line'],
      ]
      for (const [place, status, message] of messages) {
        const outcome = scamp('tests', place)
        expect([outcome.status, outcome.stdout]).toEqual([status, ''])
        expect(outcome.stderr.startsWith(message)).toBe(true)
      }
    })
  })

  test('a name that cannot be printed, or never ends, is refused', () => {
    inFolder({ 'p.icn': program }, (cwd) => {
      for (const name of ['a\nb', '\x1b[2J', 'x'.repeat(201)]) {
        expect(runScamp(['run', '--context', name, 'p.icn'], { cwd })).toMatchObject({ status: 125, stdout: '' })
      }
      expect(readdirSync(cwd)).toEqual(['p.icn'])
      expect(runScamp(['run', '--context', '', 'p.icn'], { cwd }).status).toBe(0)
    })
  })
})

describe('merging runs of different texts', () => {
  /** A folder with a run of the program, and one of another text of it, which the file now has. */
  function withTwoTexts(work: (cwd: string, scamp: (...words: string[]) => Outcome) => void): void {
    inFolder({ 'p.icn': program }, (cwd) => {
      const scamp = (...words: string[]) => runScamp(words, { cwd })
      scamp('run', '-o', 'r', 'p.icn')
      const [old] = readdirSync(join(cwd, '.scamp')).filter((name) => name.endsWith('.counts'))
      mkdirSync(join(cwd, 'kept'))
      copyFileSync(join(cwd, '.scamp', old), join(cwd, 'kept', 'old'))
      writeFileSync(join(cwd, 'p.icn'), program.replace('"A"', '"other"'))
      scamp('run', '-o', 'r', 'p.icn')
      work(cwd, scamp)
    })
  }

  test('those of the file as it is now are merged, the others named', () => {
    withTwoTexts((_, scamp) => {
      const { status, stderr } = scamp('merge', '-o', 'sum', '.scamp')
      expect(status).toBe(1)
      expect(stderr).toMatch(/^scamp: \.scamp\/\S+\.counts is left out: p\.icn has changed since\n$/)
      expect((JSON.parse(scamp('report', '-f', 'json', 'sum').stdout) as { runs: number }).runs).toBe(1)
    })
  })

  test('if none is of the file as it is now, nothing is merged', () => {
    withTwoTexts((cwd, scamp) => {
      writeFileSync(join(cwd, 'p.icn'), `${program}# a third text\n`)
      const { status, stderr } = scamp('merge', '-o', 'sum', '.scamp')
      expect(status).toBe(1)
      expect(stderr).toMatch(
        /^scamp: p\.icn: these are profiles of 2 different texts, .* merge those of each text apart\n$/,
      )
      expect(readdirSync(cwd)).not.toContain('sum')
    })
  })

  test('where the file is not at hand, runs of one text merge, and the report warns of a changed one', () => {
    inFolder({ 'p.icn': program }, (cwd) => {
      const scamp = (...words: string[]) => runScamp(words, { cwd })
      scamp('run', '-o', 'r', 'p.icn')
      rmSync(join(cwd, 'p.icn'))
      expect(scamp('merge', '-o', 'sum', '.scamp')).toMatchObject({ status: 0, stderr: '' })
      writeFileSync(join(cwd, 'p.icn'), `${program}\n`)
      expect(scamp('report', 'sum').stdout).toContain('NOTE: p.icn has changed since it was profiled')
    })
  })

  test('one that is cut short is named, the others of its context still merge', () => {
    withRuns((cwd, scamp) => {
      const [first] = readdirSync(join(cwd, '.scamp')).filter((name) => name.endsWith('.counts'))
      const whole = readFileSync(join(cwd, '.scamp', first))
      writeFileSync(join(cwd, '.scamp', 'cut.counts'), whole.subarray(0, -2))
      writeFileSync(join(cwd, '.scamp', 'half.counts'), whole.subarray(0, 20))
      const { status, stderr } = scamp('merge', '-o', 'sum', '.scamp')
      expect(status).toBe(1)
      expect(stderr.match(/^scamp: \.scamp\/(?:cut|half)\.counts is not a complete profile/gm)).toHaveLength(2)
      expect((JSON.parse(scamp('report', '-f', 'json', 'sum').stdout) as { runs: number }).runs).toBe(3)
    })
  })
})
