// scamp check as a build uses it: its exit status, what it prints, and its configuration.
import { describe, expect, test } from '@jest/globals'
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, inFolder, runScamp, type Outcome } from './programs.js'

const program = `procedure main(args)
   if args[1] == "a" then
      write("A")
   else if args[1] == "b" then
      write("B")
end
`
// nobody links it
const other = 'procedure idle()\n   if 1 = 1 then return\nend\n'

type Scamp = (...words: string[]) => Outcome

/** A folder in which the program was run with the argument `a`. */
function withRun(work: (cwd: string, scamp: Scamp) => void): void {
  inFolder({ 'p.icn': program }, (cwd) => {
    mkdirSync(join(cwd, 'lib'))
    writeFileSync(join(cwd, 'lib/other.icn'), other)
    const scamp: Scamp = (...words) => runScamp(words, { cwd })
    scamp('run', '-o', 'r', 'p.icn', '--', 'a')
    work(cwd, scamp)
  })
}

/** What a verdict says, a line each, without what was passed. */
const failures = ({ stdout }: Outcome) => stdout.split('\n').filter((line) => !/^ok|^$/.test(line))

describe('requirements', () => {
  test('met and not met', () => {
    withRun((_, scamp) => {
      expect(scamp('check', '--require', 'branches=25')).toEqual({
        status: 0,
        signal: null,
        stdout: 'ok   all files: 1 of 4 branches (25%), at least 25%\n',
        stderr: '',
      })
      const unmet = scamp('check', '--require', 'branches=25.1', '--require', 'procedures=100%', '.scamp')
      expect(unmet).toMatchObject({ status: 1, stderr: '' })
      expect(unmet.stdout).toBe(`FAIL all files: 1 of 4 branches (25%), at least 25.1% required: 1 more
     p.icn:2:4: if false: never, of 1
     p.icn:4:9: if true: never reached
     p.icn:4:9: if false: never reached
ok   all files: 1 of 1 procedures (100%), at least 100%
see all that is not covered: scamp report -f uncovered .scamp
`)
      expect(scamp('report', '-f', 'uncovered').stdout).toContain('p.icn:4:9: if true: never reached\n')
      expect(scamp('check', '--require', '-3').status).toBe(0)
      expect(scamp('check', '--each', 'p*:branches=-2').status).toBe(1)
    })
  })

  test('files that no run had count, if they are included; those excluded never do', () => {
    withRun((_, scamp) => {
      const included = scamp('check', '--include', '**/*.icn', '--require', 'procedures=100')
      expect(failures(included)).toEqual([
        'FAIL all files: 1 of 2 procedures (50%), at least 100% required: 1 more',
        '     lib/other.icn:1:1: procedure idle: never loaded: no run had this file',
        'see all that is not covered: scamp report -f uncovered .scamp',
      ])
      const words = ['--include', '**/*.icn', '--exclude', 'lib/**', '--require', 'procedures=100']
      expect(scamp('check', ...words).status).toBe(0)
    })
  })

  test('a comment that leaves out what runs, or that gives no reason, is a failure', () => {
    inFolder({ 'p.icn': program.replace('"a" then', '"a" then # scamp: ignore then: never') }, (cwd) => {
      runScamp(['run', '-o', 'r', 'p.icn', '--', 'a'], { cwd })
      const outcome = runScamp(['check', '--require', '0'], { cwd })
      expect(outcome.status).toBe(1)
      expect(failures(outcome)).toEqual(['FAIL p.icn:2: left out ("never"), but it ran: 2:4 if true, 1'])
    })
  })

  test('what cannot be judged', () => {
    withRun((cwd, scamp) => {
      const bad: [string[], RegExp][] = [
        [[], /^scamp: nothing is required; say what, as in: scamp check --require branches=80\n$/],
        [['--require', 'lib/**:items=1'], /^scamp: something is required of lib\/\*\*, but no file matches that\n$/],
        [['--require', 'branch=1'], /give \[PATTERN:\]MEASURE=N: a measure \(procedures, blocks, branches/],
        [['--require', '101'], /MEASURE=N/],
        [['--require', '-1.5'], /MEASURE=N/],
        [['--require', '1', '--include', 'src/**'], /^scamp: no file matches src\/\*\*\n$/],
        [['--require', '1', '--exclude', '**'], /^scamp: nothing is left without \*\*\n$/],
        [['--require', '1', 'nowhere'], /^scamp: cannot read profile nowhere: no such file or folder\n$/],
        [['--require', '1', '--baseline', 'nowhere'], /^scamp: cannot read profile nowhere/],
        [['--diff', 'nowhere'], /^scamp: cannot read nowhere: no such file or folder\n$/],
        [['--diff', 'p.icn'], /^scamp: this is no diff: make one with git diff\n$/],
        [['--diff', 'x', '--base', 'y'], /^scamp: say --base or --diff, not both\n$/],
        [['--base', 'HEAD'], /^scamp: --base needs git, and a repository of git\n$/],
      ]
      for (const [words, message] of bad) {
        const { status, stdout, stderr } = scamp('check', ...words)
        expect([words, status, stdout]).toEqual([words, 2, ''])
        expect(stderr).toMatch(message)
      }
      writeFileSync(join(cwd, 'p.icn'), `${program}\n`)
      expect(scamp('check', '--require', '1')).toMatchObject({
        status: 2,
        stderr: 'scamp: p.icn has changed since it was profiled: run it again\n',
      })
      rmSync(join(cwd, '.scamp'), { recursive: true })
      expect(scamp('check', '--require', '1')).toMatchObject({ status: 2, stdout: '' })
    })
  })

  test('a profile that is cut short does not pass for none', () => {
    withRun((cwd, scamp) => {
      writeFileSync(join(cwd, '.scamp/cut.counts'), '{"format"')
      expect(scamp('check', '--require', '1')).toMatchObject({ status: 1 })
    })
  })
})

test('no drop against a baseline', () => {
  withRun((cwd, scamp) => {
    scamp('run', '-o', 'r', 'p.icn', '--', 'b')
    renameSync(join(cwd, '.scamp'), join(cwd, 'before'))
    scamp('run', '-o', 'r', 'p.icn', '--', 'b')
    const dropped = scamp('check', '--baseline', 'before')
    expect(dropped.status).toBe(1)
    expect(failures(dropped)).toEqual([
      'FAIL the baseline: 2 of 4 branches (50%); before it was 3 of 4',
      '     p.icn:2:4: if true: never, of 1',
      'see all that is not covered: scamp report -f uncovered .scamp',
    ])
    scamp('run', '-o', 'r', 'p.icn', '--', 'a')
    expect(scamp('check', '--baseline', 'before')).toMatchObject({ status: 0 })
  })
})

describe('a change', () => {
  /** A repository of git with the program in a folder `src`, then with a line more, and a run of that. */
  function withChange(work: (cwd: string, scamp: (words: string[], input?: string) => Outcome) => void): void {
    inFolder({}, (top) => {
      const cwd = join(top, 'src')
      mkdirSync(cwd)
      const git = (...words: string[]) => {
        const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.org']
        expect(command('git', [...identity, ...words], { cwd })).toMatchObject({ status: 0 })
      }
      writeFileSync(join(cwd, 'p.icn'), program)
      git('init', '-q')
      git('add', '.')
      git('commit', '-q', '-m', 'one')
      writeFileSync(join(cwd, 'p.icn'), program.replace('end\n', '   if *args > 1 then write("more")\nend\n'))
      runScamp(['run', '-o', 'r', 'p.icn', '--', 'a'], { cwd })
      work(cwd, (words, input) => runScamp(words, { cwd, ...(input !== undefined && { input }) }))
    })
  }

  test('since a revision, or by a diff', () => {
    withChange((cwd, scamp) => {
      const judged = scamp(['check', '--base', 'HEAD'])
      expect(judged.status).toBe(1)
      expect(judged.stdout).toBe(`FAIL the change: 1 of 2 items (50%), at least 100% required: 1 more
     p.icn:6:4: if true: never, of 1
ok   the change: 1 of 1 lines (100%), at least 100%
see all that is not covered: scamp report -f uncovered .scamp
`)
      expect(scamp(['check', '--base', 'HEAD', '--patch', 'branches=-1'])).toMatchObject({ status: 0 })
      const diff = command('git', ['diff'], { cwd }).stdout
      expect(scamp(['check', '--diff', '-'], diff).stdout).toBe(judged.stdout)
      writeFileSync(join(cwd, 'the.diff'), diff)
      expect(scamp(['check', '--diff', 'the.diff', '--patch', '50'])).toMatchObject({ status: 0 })
      expect(scamp(['check', '--diff', '-'], '')).toMatchObject({ status: 0, stdout: '' })
    })
  })

  test('a file that no run had is changed, and missed', () => {
    withChange((cwd, scamp) => {
      writeFileSync(join(cwd, 'other.icn'), other)
      command('git', ['add', '-N', '.'], { cwd })
      const judged = scamp(['check', '--base', 'HEAD', '--patch', 'procedures=100'])
      expect(failures(judged)).toContain('     other.icn:1:1: procedure idle: never loaded: no run had this file')
      expect(scamp(['check', '--base', 'HEAD', '--patch', 'procedures=100', '--exclude', 'other.icn']).status).toBe(0)
    })
  })

  test('what cannot be judged', () => {
    withChange((_, scamp) => {
      const diff = '--- a/p.icn\n+++ b/p.icn\n@@ -0,0 +1 @@\n+something else\n'
      const bad: [string[], string, RegExp][] = [
        [['--base', 'nowhere'], '', /^scamp: git cannot compare with nowhere: is that a revision\?\n$/],
        [['--base=--output=x'], '', /^scamp: git cannot compare with --output=x/],
        [['--diff', '-'], diff, /^scamp: the diff is not of p\.icn as it is now: line 1 differs; make it anew\n$/],
        [['--diff', '-'], diff.replaceAll('p.icn', 'q.icn'), /^scamp: the diff is about q\.icn, which is not in /],
        [['--diff', '-', '--patch', 'src/**:1'], '', /^scamp: --patch is about the change as a whole/],
      ]
      for (const [words, input, message] of bad) {
        const { status, stdout, stderr } = scamp(['check', ...words], input)
        expect([words, status, stdout]).toEqual([words, 2, ''])
        expect(stderr).toMatch(message)
      }
    })
  })
})

describe('configuration', () => {
  test('thresholds, patterns, the folder of profiles, the context and what is monitored', () => {
    const config = {
      out: 'profiles',
      context: 'configured',
      monitor: 'tokens',
      include: 'lib/*.icn',
      thresholds: { outcomes: 20, each: { items: -9 }, patterns: { 'lib/**': { procedures: 0 } } },
    }
    withRun((cwd, scamp) => {
      writeFileSync(join(cwd, 'package.json'), JSON.stringify({ name: 'x', scamp: config }))
      scamp('run', '-o', 'r', 'p.icn', '--', 'a')
      const { status, stdout } = scamp('check')
      expect(stdout).toBe(`ok   all files: 2 of 10 outcomes (20%), at least 20%
ok   p.icn: 4 of 13 items (31%), at most 9 missed
ok   lib/other.icn: 0 of 5 items (0%), at most 9 missed
ok   lib/**: 0 of 1 procedures (0%), at least 0%
`)
      expect(status).toBe(0)
      expect(scamp('tests', 'p.icn:3').stdout).toMatch(/^configured +1/m)
      // the command line goes before it, and so does the environment
      expect(scamp('check', '--require', 'outcomes=40').status).toBe(1)
      expect(runScamp(['check', '--require', 'outcomes=0'], { cwd, env: { SCAMP_OUT: '.scamp' } }).stdout).toContain(
        'p.icn',
      )
      scamp('run', '--context', 'said', '-o', 'r', 'p.icn', '--', 'a')
      expect(scamp('tests', 'p.icn:3').stdout).toMatch(/^said +1/m)
      // patterns are relative to the file, wherever scamp is called
      expect(runScamp(['check', '../profiles'], { cwd: join(cwd, 'lib') }).stdout).toContain(
        'ok   other.icn: 0 of 5 items',
      )
    })
  })

  test('as a module', () => {
    withRun((cwd, scamp) => {
      writeFileSync(join(cwd, 'scamp.config.mjs'), 'export default { thresholds: { items: -1 } }\n')
      expect(scamp('check').status).toBe(1)
    })
  })

  test('what is wrong in it is told, by its file, before anything is run', () => {
    withRun((cwd, scamp) => {
      const bad: [string, RegExp][] = [
        [
          '{"thresholds":{"branchs":1}}',
          /^scamp: something is wrong in \S+scamp\.config\.json\nnote: thresholds: .*"branchs"/,
        ],
        [
          '{"thresholds":{"each":{"items":-1.5}}}',
          /note: thresholds\.each\.items: give a percentage, or minus how many/,
        ],
        ['{"thresholds":{"items":101}}', /note: thresholds\.items: /],
        ['{"include":3,"colour":true}', /note: include: .*\n(?:.*\n)*.*"colour"/],
        ['[]', /something is wrong in/],
        ['{', /^scamp: .*scamp.config.json cannot be read: /],
      ]
      for (const [text, message] of bad) {
        writeFileSync(join(cwd, 'scamp.config.json'), text)
        const { status, stdout, stderr } = scamp('check', '--require', '1')
        expect([text, status, stdout]).toEqual([text, 2, ''])
        expect(stderr).toMatch(message)
        expect(scamp('run', 'p.icn')).toMatchObject({ status: 125, stdout: '' })
      }
    })
  })
})
