// The command line as users meet it: exit statuses (documented in cli/options.ts), messages, files written.
import { beforeAll, describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { findProfiles, readCounts, readPlan, writeCounts, writePlan, type Counts } from '../src/5-profile/file.js'
import { collect } from '../src/5-profile/merge.js'
import { mergeProfiles, readProfiles, ScampError } from '../src/scamp.js'
import { command, inFolder, requireIcon, runScamp, scamp, type Outcome } from './programs.js'

beforeAll(requireIcon)

const hello = 'procedure main()\n write("hello")\nend\n'

const counting = `procedure main(args)
   every tick(1 to ((args[1] | 3) \\ 1))
end
procedure tick(n)
   return n
end
`

interface JsonReport {
  readonly format: string
  readonly version: number
  readonly runs: number
  readonly notes: readonly string[]
  readonly files: readonly {
    readonly name: string
    readonly sites: readonly {
      readonly kind: string
      readonly name: string | null
      readonly counts: readonly { readonly name: string; readonly count: string; readonly exact: boolean }[]
    }[]
  }[]
}

/** How often all procedures of a name were called, by a report in JSON. */
function callsOf(json: string, name: string): string {
  const { files } = JSON.parse(json) as JsonReport
  const sites = files.flatMap((file) => file.sites).filter((one) => one.kind === 'procedure' && one.name === name)
  return String(sites.reduce((sum, { counts }) => sum + BigInt(counts.find((one) => one.name === 'calls')!.count), 0n))
}

/** Expects one message and nothing of our insides. */
function expectOneMessage({ stderr }: Outcome, message: RegExp): void {
  expect(stderr).toMatch(message)
  expect(stderr).not.toMatch(/^\s+at |Error:|internal error|node:|undefined/m)
  expect(stderr.match(/^(?:scamp|error): /gm)).toHaveLength(1)
  expect(stderr.endsWith('\n')).toBe(true)
}

/** Runs scamp and expects it to leave the folder as it was. */
function runInVain(args: readonly string[], cwd: string, env: Record<string, string> = {}): Outcome {
  const before = readdirSync(cwd).sort()
  const outcome = runScamp(args, { cwd, env })
  expect(readdirSync(cwd).sort()).toEqual(before)
  expect(outcome.signal).toBe(null)
  return outcome
}

describe('bad sources', () => {
  const programs: Record<string, string> = {
    'syntax.icn': 'procedure main()\n if x hi\nend\n',
    'binary.icn': '\x7fELF\0\0\x01',
    'text.txt': 'hello',
    'nolink.icn': 'link nosuch\nprocedure main()\n write(1)\nend\n',
    'twice.icn': 'procedure main()\nend\nprocedure main()\nend\n',
    'hello.icn': hello,
  }
  const inPrograms = (work: (cwd: string) => void) =>
    inFolder(programs, (cwd) => {
      mkdirSync(join(cwd, 'folder.icn'))
      mkdirSync(join(cwd, 'folder'))
      work(cwd)
    })

  // name, message, status of run, of instrument
  const bad: [string, RegExp, number, number][] = [
    ['syntax.icn', /^scamp: syntax\.icn:2:7: expected .*"then"/, 126, 1],
    ['twice.icn', /^scamp: twice\.icn:3:\d+: /, 126, 1],
    ['missing.icn', /^scamp: cannot read missing\.icn: no such file/, 127, 2],
    ['missing', /^scamp: cannot read missing: no such file/, 127, 2],
    ['folder.icn', /^scamp: cannot read folder\.icn: it is a folder/, 127, 2],
    ['folder', /^scamp: .*folder.*\n$/, 127, 2],
    ['text.txt', /^scamp: text\.txt: .*language/, 127, 2],
    ['binary.icn', /^scamp: binary\.icn is not a program text.*binary/, 126, 1],
  ]
  for (const [name, message, ofRun, ofInstrument] of bad) {
    test(name, () => {
      inPrograms((cwd) => {
        const run = runInVain(['run', name], cwd)
        expect(run).toMatchObject({ status: ofRun, stdout: '' })
        expectOneMessage(run, message)
        const instrument = runInVain(['instrument', name], cwd)
        expect(instrument).toMatchObject({ status: ofInstrument, stdout: '' })
        expectOneMessage(instrument, message)
        const toFolder = runInVain(['instrument', 'hello.icn', name, '-o', 'out'], cwd)
        expect(toFolder).toMatchObject({ status: ofInstrument, stdout: '' })
        expectOneMessage(toFolder, message)
      })
    })
  }

  test('the line and a caret under the place', () => {
    inPrograms((cwd) => {
      const { stderr } = runScamp(['run', 'syntax.icn'], { cwd })
      expect(stderr.split('\n').slice(1)).toEqual(['2 |  if x hi', '  |       ^', ''])
    })
  })

  test('an empty file', () => {
    inFolder({ 'empty.icn': '' }, (cwd) => {
      const run = runInVain(['run', 'empty.icn'], cwd)
      expect(run).toMatchObject({ status: 126, stdout: '' })
      expectOneMessage(run, /^scamp: empty\.icn has no procedure main/)
      expect(runScamp(['instrument', 'empty.icn'], { cwd })).toMatchObject({ status: 0, stderr: '' })
    })
  })

  test('a program that icont rejects only when it links', () => {
    inPrograms((cwd) => {
      const run = runInVain(['run', '--engine', 'iconx', 'nolink.icn'], cwd)
      expect(run).toMatchObject({ status: 126, stdout: '' })
      expectOneMessage(run, /icont cannot link.*\n.*cannot resolve reference to file 'nosuch\.u1'/)
      const embedded = runInVain(['run', 'nolink.icn'], cwd)
      expect(embedded).toMatchObject({ status: 127, stdout: '' })
      expectOneMessage(embedded, /^scamp: cannot find nosuch\.icn, which nolink\.icn links: .*apt-get install icon-ipl/)
    })
  })

  test('an unreadable file', () => {
    inFolder({ 'secret.icn': hello }, (cwd) => {
      chmodSync(join(cwd, 'secret.icn'), 0o000)
      chmodSync(cwd, 0o777)
      const asUser = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
      const options = { cwd, ...asUser, encoding: 'latin1' as const, input: '' }
      const { status, stdout, stderr } = spawnSync(process.execPath, [scamp, 'run', 'secret.icn'], options)
      expect({ status, stdout }).toEqual({ status: 127, stdout: '' })
      expectOneMessage({ status, signal: null, stdout, stderr }, /^scamp: cannot read secret\.icn: permission denied/)
    })
  })

  test('an included file that is not there is at its line', () => {
    inFolder({ 'a.icn': 'procedure main()\n$include "nosuch.icn"\nend\n' }, (cwd) => {
      const run = runInVain(['run', 'a.icn'], cwd)
      expect(run.status).toBe(126)
      expectOneMessage(run, /^scamp: a\.icn:2:\d+: .*nosuch\.icn/)
    })
  })

  test('nothing to run: only modules that are translated already', () => {
    inFolder({}, (cwd) => {
      const run = runInVain(['run', 'a.u1'], cwd)
      expect(run.status).toBe(125)
      expectOneMessage(run, /^scamp: name at least one source file/)
    })
  })
})

describe('bad use', () => {
  // words, message, status
  const bad: [string[], RegExp, number][] = [
    [['frobnicate'], /^error: unknown command 'frobnicate'/, 2],
    [['--frobnicate'], /^error: unknown option '--frobnicate'/, 2],
    [['run'], /^error: missing required argument 'file'/, 125],
    [['run', '--frobnicate', 'hello.icn'], /^error: unknown option '--frobnicate'/, 125],
    [
      ['run', '-f', 'bogus', 'hello.icn'],
      /bogus.*\bscamp, summary, uncovered, listing, tokens, hot, search, html, json/,
      125,
    ],
    [['run', '--engine', 'bogus', 'hello.icn'], /bogus.*\biconx/, 125],
    [['run', '--probes', 'bogus', 'hello.icn'], /bogus.*\bbasis, all/, 125],
    [['run', '--monitor', 'bogus', 'hello.icn'], /bogus.*\bconstructs/, 125],
    [['run', '--timeout', 'soon', 'hello.icn'], /soon.*seconds/, 125],
    [['run', '--timeout', '0', 'hello.icn'], /0.*seconds/, 125],
    [['run', '--memory', 'much', 'hello.icn'], /much.*megabytes/, 125],
    [
      ['run', '--engine', 'iconx', '--memory', '99', 'hello.icn'],
      /iconx has no memory limit; use --engine embedded/,
      125,
    ],
    [['run', '--engine', 'iconx', '--sandbox', 'hello.icn'], /iconx has no sandbox; use --engine embedded/, 125],
    [['run', '--engine', 'embedded', 'hello.icn', 'a.u1'], /embedded engine takes sources only, not a\.u1/, 125],
    [['instrument', '--frobnicate'], /^error: unknown option '--frobnicate'/, 2],
    [['instrument', 'hello.icn', 'hello.icn'], /^scamp: several files: say with -o which folder/, 1],
    [['report', '-f', 'bogus'], /bogus.*\bscamp, summary, uncovered, listing, tokens, hot, search, html, json/, 2],
    [['report'], /^scamp: there is no profile in \.scamp; make one with: scamp run/, 1],
    [['report', 'nosuch'], /^scamp: cannot read profile nosuch: no such file/, 1],
    [['report', '.'], /^scamp: there is no profile in \./, 1],
    [['merge'], /^error: /, 2],
    [['merge', '.'], /^error: required option '-o/, 2],
    [['merge', '.', '-o', 'sum'], /^scamp: there is no profile in \./, 1],
    [['merge', 'nosuch', '-o', 'sum'], /^scamp: cannot read profile nosuch/, 1],
  ]
  for (const [words, message, status] of bad) {
    test(['scamp', ...words].join(' '), () => {
      inFolder({ 'hello.icn': hello }, (cwd) => {
        const outcome = runInVain(words, cwd)
        expect(outcome).toMatchObject({ status, stdout: '' })
        expectOneMessage(outcome, message)
      })
    })
  }

  test('an unknown command or flag: the message lists what there is', () => {
    inFolder({ 'hello.icn': hello }, (cwd) => {
      const { stderr } = runInVain(['frobnicate'], cwd)
      for (const name of ['run', 'instrument', 'report', 'merge', 'icont']) expect(stderr).toContain(name)
      const flag = runInVain(['run', '--frobnicate', 'hello.icn'], cwd)
      for (const name of ['--format', '--output', '--timeout', '--iconx']) expect(flag.stderr).toContain(name)
    })
  })

  test('no arguments: the usage, and not a success', () => {
    inFolder({}, (cwd) => {
      const outcome = runInVain([], cwd)
      expect(outcome).toMatchObject({ status: 2, stdout: '' })
      expect(outcome.stderr).toMatch(/^Usage: scamp [^]*run [^]*instrument [^]*report [^]*merge [^]*icont /)
    })
  })

  test('--help and --version are successes, on standard output', () => {
    inFolder({}, (cwd) => {
      for (const words of [['--help'], ['run', '--help'], ['report', '--help'], ['--version'], ['help', 'merge']]) {
        const outcome = runInVain(words, cwd)
        expect(outcome).toMatchObject({ status: 0, stderr: '' })
        expect(outcome.stdout).not.toBe('')
      }
    })
  })
})

describe('what the environment lacks', () => {
  test('icont and iconx on PATH', () => {
    inFolder({ 'hello.icn': hello }, (cwd) => {
      const nowhere = runInVain(['run', '--engine', 'iconx', 'hello.icn'], cwd, { PATH: '/nonexistent' })
      expect(nowhere).toMatchObject({ status: 127, stdout: '' })
      expectOneMessage(nowhere, /^scamp: icont is not on the PATH; install it with: apt-get install icont iconx/)
    })
    inFolder({ 'hello.icn': hello, icont: '' }, (cwd) => {
      chmodSync(join(cwd, 'icont'), 0o755)
      const noIconx = runInVain(['run', 'hello.icn'], cwd, { PATH: cwd, SCAMP_ENGINE: 'iconx' })
      expect(noIconx).toMatchObject({ status: 127, stdout: '' })
      expectOneMessage(noIconx, /^scamp: iconx is not on the PATH; install it/)
    })
  })

  test('interpreters named by flag or environment', () => {
    inFolder({ 'hello.icn': hello }, (cwd) => {
      for (const name of ['icont', 'iconx']) {
        const flag = runInVain(['run', `--${name}`, '/nonexistent', 'hello.icn'], cwd)
        expect(flag).toMatchObject({ status: 127, stdout: '' })
        expectOneMessage(flag, /^scamp: there is no program \/nonexistent; install it/)
        const words = ['run', '--engine', 'iconx', 'hello.icn']
        const env = runInVain(words, cwd, { [`SCAMP_${name.toUpperCase()}`]: '/nonexistent' })
        expect(env).toMatchObject({ status: 127, stdout: '' })
      }
    })
  })

  test('an interpreter that is no interpreter', () => {
    inFolder({ 'hello.icn': hello, notes: 'not a program' }, (cwd) => {
      const outcome = runInVain(['run', '--iconx', './notes', 'hello.icn'], cwd)
      expect(outcome).toMatchObject({ status: 127, stdout: '' })
      expectOneMessage(outcome, /^scamp: /)
    })
  })

  test('the embedded engine needs neither', () => {
    inFolder({ 'hello.icn': hello }, (cwd) => {
      const outcome = runScamp(['run', '-o', 'r', 'hello.icn'], { cwd, env: { PATH: '/nonexistent' } })
      expect(outcome).toMatchObject({ status: 0, stdout: 'hello\n', stderr: '' })
    })
  })

  test('instrumenting needs neither', () => {
    inFolder({ 'hello.icn': hello }, (cwd) => {
      const outcome = runScamp(['instrument', 'hello.icn'], { cwd, env: { PATH: '/nonexistent' } })
      expect(outcome).toMatchObject({ status: 0, stderr: '' })
    })
  })

  test('a place to write: the run is over, its status is 125, one message says why', () => {
    inFolder({ 'hello.icn': hello, file: '' }, (cwd) => {
      const profile = runInVain(['run', 'hello.icn'], cwd, { SCAMP_OUT: 'file/x' })
      expect(profile).toMatchObject({ status: 125, stdout: 'hello\n' })
      // the report is there all the same
      expectOneMessage(profile, /^MONITORING [^]*\nscamp: cannot write file\/x/)
      const output = runInVain(['instrument', 'hello.icn', '-o', 'file/x'], cwd)
      expect(output).toMatchObject({ status: 1, stdout: '' })
      expectOneMessage(output, /^scamp: cannot write file\/x/)
      const report = runScamp(['run', '-o', 'file/x', 'hello.icn'], { cwd })
      expect(report).toMatchObject({ status: 125, stdout: 'hello\n' })
      expectOneMessage(report, /^scamp: cannot write file\/x/)
    })
  })
})

describe.each(['embedded', 'iconx'])('run, on %s', (engine) => {
  const talker = `procedure main(args)
   write(&progname)
   write(*args)
   every write(image(!args))
   while write(read())
   write(getenv("SCAMP_TEST") | "unset")
   write(open("here.txt") & "cwd")
   write(&errout, "to standard error")
   exit(7)
end
`
  test('what the program gets and gives is its own', () => {
    inFolder({ 'talker.icn': talker, 'here.txt': '' }, (cwd) => {
      const args = ['a', '--flag', '-f', 'with blanks', '', '--', '*', '$HOME']
      const env = { SCAMP_TEST: 'value' }
      const input = 'one\ntwo\nthree \xe9\n'
      expect(command('icont', ['-s', 'talker.icn'], { cwd }).status).toBe(0)
      const plain = command(join(cwd, 'talker'), args, { cwd, env, input: Buffer.from(input, 'latin1') })
      const outcome = runScamp(['run', '--engine', engine, '-o', 'report', 'talker.icn', '--', ...args], {
        cwd,
        env,
        input: Buffer.from(input, 'latin1'),
      })
      expect(outcome).toMatchObject({ status: 7, stderr: plain.stderr })
      expect(outcome.stdout.split('\n').slice(1)).toEqual(plain.stdout.split('\n').slice(1))
      expect(outcome.stdout.split('\n')[0]).toBe('talker')
      expect(outcome.stdout).toContain('\n8\n"a"\n"--flag"\n"-f"\n"with blanks"\n""\n"--"\n"*"\n"$HOME"\n')
      expect(readFileSync(join(cwd, 'report'), 'utf8')).toMatch(/^MONITORING INFORMATION FOR TEXT FILE talker\.icn/)
    })
  })

  test('the report is on standard error, after what the program wrote there, never on standard output', () => {
    inFolder({ 'talker.icn': talker, 'here.txt': '' }, (cwd) => {
      const outcome = runScamp(['run', '--engine', engine, 'talker.icn'], { cwd })
      expect(outcome.status).toBe(7)
      expect(outcome.stdout).not.toMatch(/MONITORING|PROCEDURES/)
      expect(outcome.stderr).toMatch(/^to standard error\nMONITORING INFORMATION/)
    })
  })

  test('a name without .icn, and a path', () => {
    inFolder({ 'hello.icn': hello }, (cwd) => {
      expect(runScamp(['run', '--engine', engine, '-o', 'r', 'hello'], { cwd })).toMatchObject({
        status: 0,
        stdout: 'hello\n',
      })
      mkdirSync(join(cwd, 'elsewhere'))
      const outcome = runScamp(['run', '--engine', engine, '-o', 'r', join(cwd, 'hello.icn')], {
        cwd: join(cwd, 'elsewhere'),
      })
      expect(outcome).toMatchObject({ status: 0, stdout: 'hello\n', stderr: '' })
      expect(readdirSync(join(cwd, 'elsewhere')).sort()).toEqual(['.scamp', 'r'])
    })
  })

  test('from standard input', () => {
    inFolder({}, (cwd) => {
      const outcome = runScamp(['run', '--engine', engine, '-f', 'json', '-'], { cwd, input: hello })
      expect(outcome).toMatchObject({ status: 0, stdout: 'hello\n' })
      expect(callsOf(outcome.stderr, 'main')).toBe('1')
    })
  })

  test('--format and --output', () => {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      const json = runScamp(['run', '--engine', engine, '--format', 'json', 'counting.icn'], { cwd })
      expect(json).toMatchObject({ status: 0, stdout: '' })
      expect(JSON.parse(json.stderr)).toMatchObject({ format: 'scamp-report', version: 1, runs: 1, notes: [] })
      expect(callsOf(json.stderr, 'tick')).toBe('3')
      const summary = runScamp(
        ['run', '--engine', engine, '--format=summary', '--output', 'deep/er/report', 'counting.icn'],
        { cwd },
      )
      expect(summary).toMatchObject({ status: 0, stdout: '', stderr: '' })
      expect(readFileSync(join(cwd, 'deep/er/report'), 'utf8')).toMatch(/^counting\.icn: \d+ of \d+ sites ran/)
    })
  })

  test('--plain leaves no profile', () => {
    inFolder({ 'talker.icn': talker, 'here.txt': '' }, (cwd) => {
      const outcome = runScamp(['run', '--engine', engine, '--plain', 'talker.icn', '--', 'x'], { cwd })
      expect(outcome).toMatchObject({ status: 7, stderr: 'to standard error\n' })
      expect(outcome.stdout).toContain('"x"')
      expect(readdirSync(cwd).sort()).toEqual(['here.txt', 'talker.icn'])
    })
  })

  test('every exit status', () => {
    inFolder({ 'exits.icn': 'procedure main(args)\n exit(args[1])\nend\n' }, (cwd) => {
      for (const status of [0, 1, 2, 77, 124, 125, 126, 127, 130, 255]) {
        expect(
          runScamp(['run', '--engine', engine, '-o', 'r', 'exits.icn', '--', String(status)], { cwd }).status,
        ).toBe(status)
      }
    })
  })

  test('several files, in their order', () => {
    const files = {
      'main.icn': 'procedure main()\n helper()\nend\n',
      'helper.icn': 'procedure helper()\n write("helps")\n return\nend\n',
    }
    inFolder(files, (cwd) => {
      const outcome = runScamp(['run', '--engine', engine, '-f', 'json', 'main.icn', 'helper.icn'], { cwd })
      expect(outcome).toMatchObject({ status: 0, stdout: 'helps\n' })
      expect((JSON.parse(outcome.stderr) as JsonReport).files.map(({ name }) => name)).toEqual([
        'main.icn',
        'helper.icn',
      ])
      expect(callsOf(outcome.stderr, 'helper')).toBe('1')
    })
  })

  test('SCAMP_OUT with %p, %h, %t and %%', () => {
    inFolder({ 'hello.icn': hello }, (cwd) => {
      const before = Date.now()
      const outcome = runScamp(['run', '--engine', engine, '-o', 'r', 'hello.icn'], {
        cwd,
        env: { SCAMP_OUT: 'out/%h+%p+%t+%%+%x' },
      })
      expect(outcome).toMatchObject({ status: 0, stdout: 'hello\n', stderr: '' })
      const [name, ...more] = readdirSync(join(cwd, 'out'))
      expect(more).toEqual([])
      const [host, pid, time, percent, other] = name.split('+')
      expect([host, percent, other]).toEqual([hostname(), '%', '%x'])
      expect(Number(pid)).toBeGreaterThan(1)
      expect(Number(time)).toBeGreaterThanOrEqual(before)
      expect(Number(time)).toBeLessThanOrEqual(Date.now())
      expect(runScamp(['report', join('out', name)], { cwd }).stdout).toContain('main')
      expect(readdirSync(cwd)).not.toContain('.scamp')
    })
  })
})

describe('instrument', () => {
  /** Translates a text and runs it. */
  function reporting(cwd: string, name: string, env: Record<string, string> = {}): Outcome {
    expect(command('icont', ['-s', name], { cwd })).toMatchObject({ status: 0, stderr: '' })
    return command(join(cwd, name.replace('.icn', '')), [], { cwd, env })
  }

  test('to standard output: a program that reports on standard error', () => {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      const { status, stdout, stderr } = runScamp(['instrument', 'counting.icn'], { cwd })
      expect([status, stderr]).toEqual([0, ''])
      writeFileSync(join(cwd, 'amended.icn'), stdout, 'latin1')
      const outcome = reporting(cwd, 'amended.icn')
      expect(outcome).toMatchObject({ status: 0, stdout: '' })
      expect(outcome.stderr).toMatch(/^MONITORING INFORMATION FOR TEXT FILE counting\.icn/)
      expect(outcome.stderr).toMatch(/^ +4 +tick +3 +3 +0 +0 +0$/m)
    })
  })

  test('to a file; the report to the file that SCAMP_REPORT names', () => {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      expect(runScamp(['instrument', 'counting.icn', '-o', 'sub/amended.icn'], { cwd })).toEqual({
        status: 0,
        signal: null,
        stdout: '',
        stderr: '',
      })
      copyFileSync(join(cwd, 'sub/amended.icn'), join(cwd, 'amended.icn'))
      const outcome = reporting(cwd, 'amended.icn', { SCAMP_REPORT: 'report.txt' })
      expect(outcome).toMatchObject({ status: 0, stdout: '', stderr: '' })
      expect(readFileSync(join(cwd, 'report.txt'), 'latin1')).toMatch(/^ +4 +tick +3 +3 +0 +0 +0$/m)
    })
  })

  test('several to a folder, which is made', () => {
    const files = {
      'main.icn': 'procedure main()\n helper()\nend\n',
      'helper.icn': 'procedure helper()\n write("helps")\n return\nend\n',
    }
    inFolder(files, (cwd) => {
      const args = ['instrument', 'main.icn', 'helper.icn', '-o', 'amended']
      expect(runScamp(args, { cwd })).toMatchObject({ status: 0, stdout: '', stderr: '' })
      const folder = join(cwd, 'amended')
      expect(readdirSync(folder).sort()).toEqual(['helper.icn', 'main.icn'])
      expect(command('icont', ['-s', 'main.icn', 'helper.icn'], { cwd: folder })).toMatchObject({ status: 0 })
      const { stdout, stderr } = command(join(folder, 'main'), [], { cwd: folder })
      expect(stdout).toBe('helps\n')
      expect(stderr.match(/^MONITORING .*/gm)).toEqual([
        'MONITORING INFORMATION FOR TEXT FILE main.icn',
        'MONITORING INFORMATION FOR TEXT FILE helper.icn',
      ])
    })
  })

  test('files of one name in different folders do not overwrite each other', () => {
    inFolder({}, (cwd) => {
      for (const folder of ['a', 'b']) {
        mkdirSync(join(cwd, folder))
        writeFileSync(join(cwd, folder, 'same.icn'), `procedure ${folder}()\nend\n`)
      }
      const outcome = runScamp(['instrument', 'a/same.icn', 'b/same.icn', '-o', 'out'], { cwd })
      if (outcome.status === 0) {
        const texts = readdirSync(join(cwd, 'out'), { recursive: true, encoding: 'utf8' })
        expect(texts.filter((name) => name.endsWith('same.icn'))).toHaveLength(2)
      } else expectOneMessage(outcome, /^scamp: .*same\.icn/)
    })
  })

  test('a source is never overwritten', () => {
    inFolder({ 'hello.icn': hello }, (cwd) => {
      for (const output of ['hello.icn', '.', './hello.icn']) {
        const outcome = runScamp(['instrument', 'hello.icn', '-o', output], { cwd })
        expect(readFileSync(join(cwd, 'hello.icn'), 'latin1')).toBe(hello)
        expectOneMessage(outcome, /^scamp: .*hello\.icn/)
      }
    })
  })

  test('from standard input, with and without saying so', () => {
    inFolder({}, (cwd) => {
      for (const words of [['instrument'], ['instrument', '-']]) {
        const { status, stdout, stderr } = runScamp(words, { cwd, input: hello })
        expect([status, stderr]).toEqual([0, ''])
        writeFileSync(join(cwd, 'amended.icn'), stdout, 'latin1')
        expect(reporting(cwd, 'amended.icn')).toMatchObject({ status: 0, stdout: 'hello\n' })
      }
    })
  })

  test('bytes above 126 and carriage returns come through unaltered', () => {
    const text = 'procedure main()\r\n write("\xe9\xff")\r\nend\r\n'
    inFolder({ 'bytes.icn': text }, (cwd) => {
      const { stdout } = runScamp(['instrument', 'bytes.icn'], { cwd })
      expect(stdout).toContain(' write("\xe9\xff")')
      expect(stdout.split('\r\n').length).toBeGreaterThanOrEqual(4)
    })
  })

  test('--probes all reports the same', () => {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      const reports = ['basis', 'all'].map((probes) => {
        expect(runScamp(['instrument', '--probes', probes, 'counting.icn', '-o', 'a.icn'], { cwd }).status).toBe(0)
        return reporting(cwd, 'a.icn').stderr
      })
      expect(reports[1]).toBe(reports[0])
    })
  })
})

describe('report and merge', () => {
  const runOnce = (cwd: string, ...args: string[]) =>
    expect(runScamp(['run', '-o', 'last', 'counting.icn', '--', ...args], { cwd })).toMatchObject({
      status: 0,
      stderr: '',
    })

  test('two runs add up, in the default folder and in the one SCAMP_OUT names', () => {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      runOnce(cwd, '4')
      runOnce(cwd, '10')
      const report = runScamp(['report', '-f', 'json'], { cwd })
      expect(report).toMatchObject({ status: 0, stderr: '' })
      expect(JSON.parse(report.stdout)).toMatchObject({ runs: 2, notes: [] })
      expect(callsOf(report.stdout, 'tick')).toBe('14')
      expect(callsOf(report.stdout, 'main')).toBe('2')
      const elsewhere = runScamp(['report', '-f', 'json'], { cwd: '/', env: { SCAMP_OUT: join(cwd, '.scamp') } })
      expect(callsOf(elsewhere.stdout, 'tick')).toBe('14')
      const toFile = runScamp(['report', '-o', 'r/summary', '--format', 'summary'], { cwd })
      expect(toFile).toMatchObject({ status: 0, stdout: '', stderr: '' })
      expect(readFileSync(join(cwd, 'r/summary'), 'utf8')).toMatch(/^counting\.icn: /)
    })
  })

  test('the report of a run is the report of its profile', () => {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      for (const format of ['scamp', 'json', 'summary']) {
        const { stderr } = runScamp(['run', '-f', format, 'counting.icn'], { cwd, env: { SCAMP_OUT: `p-${format}` } })
        expect(runScamp(['report', '-f', format, `p-${format}`], { cwd }).stdout).toBe(stderr)
      }
    })
  })

  test('merge adds up; its sum can be merged again', () => {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      for (const [out, count] of ['1', '20', '300'].entries()) {
        runScamp(['run', '-o', 'last', 'counting.icn', '--', count], { cwd, env: { SCAMP_OUT: `p${out}` } })
      }
      expect(runScamp(['merge', 'p0', 'p1', '-o', 'sum'], { cwd })).toMatchObject({ status: 0, stderr: '' })
      expect(readdirSync(join(cwd, 'sum')).filter((name) => name.endsWith('.counts'))).toHaveLength(1)
      const two = runScamp(['report', '-f', 'json', 'sum'], { cwd }).stdout
      expect(two).toBe(runScamp(['report', '-f', 'json', 'p0', 'p1'], { cwd }).stdout)
      expect(callsOf(two, 'tick')).toBe('21')
      expect(runScamp(['merge', 'sum', 'p2', '-o', 'all'], { cwd })).toMatchObject({ status: 0 })
      const three = runScamp(['report', '-f', 'json', 'all'], { cwd }).stdout
      expect(JSON.parse(three)).toMatchObject({ runs: 3 })
      expect(callsOf(three, 'tick')).toBe('321')
    })
  })

  test('a profile that is named twice counts once', () => {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      runOnce(cwd)
      const report = runScamp(['report', '-f', 'json', '.scamp', './.scamp'], { cwd })
      expect(callsOf(report.stdout, 'tick')).toBe('3')
    })
  })

  test('merging into a folder that is merged does not count its runs twice', () => {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      runOnce(cwd)
      const outcome = runScamp(['merge', '.scamp', '-o', '.scamp'], { cwd })
      if (outcome.status !== 0) expectOneMessage(outcome, /^scamp: /)
      expect(callsOf(runScamp(['report', '-f', 'json'], { cwd }).stdout, 'tick')).toBe('3')
    })
  })

  test('one counts file can be named', () => {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      runOnce(cwd, '4')
      runOnce(cwd, '10')
      const [first] = readdirSync(join(cwd, '.scamp')).filter((name) => name.endsWith('.counts'))
      const report = runScamp(['report', '-f', 'json', join('.scamp', first)], { cwd })
      expect(JSON.parse(report.stdout)).toMatchObject({ runs: 1 })
    })
  })

  test('a source that has changed is noted, and counts of its versions are not mixed', () => {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      runOnce(cwd)
      writeFileSync(join(cwd, 'counting.icn'), `\n${counting}`)
      const stale = runScamp(['report', '-f', 'json'], { cwd })
      expect((JSON.parse(stale.stdout) as JsonReport).notes).toEqual(['counting.icn has changed since it was profiled'])
      expect(runScamp(['report'], { cwd }).stdout).toMatch(/NOTE.*counting\.icn has changed/)
      runOnce(cwd, '10')
      const fresh = runScamp(['report', '-f', 'json'], { cwd })
      expect(callsOf(fresh.stdout, 'tick')).toBe('10')
      expect((JSON.parse(fresh.stdout) as JsonReport).notes.join()).toMatch(/other versions of this text are left out/)
    })
  })

  test('runs of the same text that counted in different ways add up', () => {
    const library = `procedure seek(n)
   if n > 1 then return find("a", "banana")
   return helper(n)
end
`
    const helper = 'procedure helper(n)\n return n\nend\n'
    const files = {
      'one.icn': `procedure main()\n every seek(1 to 3)\nend\n${helper}`,
      // here find may fail and suspend, for all that is known; and &error may turn errors into failure
      'two.icn': `procedure main()\n &error := 0\n every seek(1 to 3)\nend\nprocedure find(a, b)\n return a\nend\n${helper}`,
      'library.icn': library,
    }
    inFolder(files, (cwd) => {
      for (const words of [
        ['one.icn', 'library.icn'],
        ['--probes', 'all', 'one.icn', 'library.icn'],
        ['two.icn', 'library.icn'],
      ]) {
        expect(runScamp(['run', '-o', 'r', ...words], { cwd })).toMatchObject({ status: 0, stderr: '' })
      }
      const report = runScamp(['report', '-f', 'json'], { cwd })
      expect(report).toMatchObject({ status: 0, stderr: '' })
      expect(JSON.parse(report.stdout)).toMatchObject({ runs: 3, notes: [] })
      expect(callsOf(report.stdout, 'seek')).toBe('9')
      expect(callsOf(report.stdout, 'helper')).toBe('3')
      expect(runScamp(['merge', '.scamp', '-o', 'sum'], { cwd })).toMatchObject({ status: 0, stderr: '' })
      expect(callsOf(runScamp(['report', '-f', 'json', 'sum'], { cwd }).stdout, 'seek')).toBe('9')
    })
  })

  test('eight runs at once into one folder all count', () => {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      const one = (i: number) => `"${process.execPath}" "${scamp}" run -o r${i} counting.icn -- ${i}`
      const script = [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `${one(i)} || echo failed ${i} &`).join('\n')
      expect(command('sh', ['-c', `${script}\nwait`], { cwd })).toMatchObject({ stdout: '', stderr: '' })
      const names = readdirSync(join(cwd, '.scamp'))
      expect(names.filter((name) => name.endsWith('.counts'))).toHaveLength(8)
      expect(names.filter((name) => name.endsWith('.plan'))).toHaveLength(1)
      expect(names).toHaveLength(9)
      const report = runScamp(['report', '-f', 'json'], { cwd })
      expect(JSON.parse(report.stdout)).toMatchObject({ runs: 8, notes: [] })
      expect(callsOf(report.stdout, 'tick')).toBe('36')
    })
  })

  test('a closed pipe is no error', () => {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      runOnce(cwd)
      const piped = `"${process.execPath}" "${scamp}" report -f json | head -c 5; echo " $?"`
      expect(command('sh', ['-c', piped], { cwd })).toMatchObject({ stderr: '' })
    })
  })
})

describe('profiles that cannot be used', () => {
  /** A folder with two good profiles (3 and 4 ticks) in p, and a function that puts another file beside them. */
  function withProfiles(work: (cwd: string, good: Buffer, plan: string) => void): void {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      for (const count of ['3', '4']) {
        runScamp(['run', '-o', 'r', 'counting.icn', '--', count], { cwd, env: { SCAMP_OUT: 'p' } })
      }
      const names = readdirSync(join(cwd, 'p'))
      const good = readFileSync(
        join(
          cwd,
          'p',
          names.find((name) => name.endsWith('.counts'))!,
        ),
      )
      work(
        cwd,
        good,
        join(
          cwd,
          'p',
          names.find((name) => name.endsWith('.plan'))!,
        ),
      )
    })
  }

  const headerEnd = (good: Buffer) => good.indexOf(10) + 1
  const bad: [string, (good: Buffer) => Buffer, RegExp][] = [
    ['truncated in its counters', (good) => good.subarray(0, good.length - 1), /cut short/],
    ['truncated in its header', (good) => good.subarray(0, 40), /cut short/],
    ['empty', () => Buffer.alloc(0), /cut short/],
    ['damaged', (good) => good.map((byte, i) => (i === headerEnd(good) ? byte ^ 1 : byte)) as Buffer, /damaged/],
    ['foreign', () => Buffer.from('once upon a time\nthere was a file'), /not a profile/],
    ['foreign JSON', () => Buffer.from('{"format":"lcov","version":1}\n'), /not a profile/],
    ['null', () => Buffer.from('null\n'), /not a profile/],
    [
      'of another version',
      (good) => Buffer.from(good.toString('latin1').replace('"version":2', '"version":3'), 'latin1'),
      /version 3.*reads version 2/,
    ],
  ]
  for (const [what, spoil, message] of bad) {
    test(`${what}: named and left out, the others add up`, () => {
      withProfiles((cwd, good) => {
        writeFileSync(join(cwd, 'p', 'bad.counts'), Buffer.from(spoil(Buffer.from(good))))
        const report = runScamp(['report', '-f', 'json', 'p'], { cwd })
        expect(report.status).toBe(1)
        expectOneMessage(report, message)
        expect(report.stderr).toContain('bad.counts')
        expect(callsOf(report.stdout, 'tick')).toBe('7')
        const merge = runScamp(['merge', 'p', '-o', 'sum'], { cwd })
        expect(merge.status).toBe(1)
        expectOneMessage(merge, message)
        expect(callsOf(runScamp(['report', '-f', 'json', 'sum'], { cwd }).stdout, 'tick')).toBe('7')
      })
    })
  }

  test('only bad ones: nothing is written', () => {
    inFolder({}, (cwd) => {
      mkdirSync(join(cwd, 'p'))
      writeFileSync(join(cwd, 'p', 'bad.counts'), 'nonsense')
      const merge = runScamp(['merge', 'p', '-o', 'sum'], { cwd })
      expect(merge.status).toBe(1)
      expect(merge.stderr).toMatch(/bad\.counts/)
      expect(existsSync(join(cwd, 'sum'))).toBe(false)
    })
  })

  test('without its plan: both are named', () => {
    withProfiles((cwd, _, plan) => {
      copyFileSync(plan, join(cwd, 'kept'))
      writeFileSync(plan, '{')
      const report = runScamp(['report', 'p'], { cwd })
      expect(report.status).toBe(1)
      expect(report.stdout).toBe('')
      expect(report.stderr).toMatch(/\.plan is not a profile of scamp/)
      expect(report.stderr).not.toMatch(/^\s+at |TypeError/m)
    })
  })

  test('every counts file that is cut short is refused', () => {
    withProfiles((cwd, good) => {
      const path = join(cwd, 'cut.counts')
      for (let length = 0; length < good.length; length++) {
        writeFileSync(path, good.subarray(0, length))
        expect(() => readCounts(path)).toThrow(ScampError)
      }
    })
  })

  test('every counts file with a wrong byte is refused', () => {
    withProfiles((cwd, good) => {
      const path = join(cwd, 'wrong.counts')
      fc.assert(
        fc.property(fc.nat({ max: good.length - 1 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
          const bytes = Buffer.from(good)
          bytes[at] ^= change
          writeFileSync(path, bytes)
          expect(() => readCounts(path)).toThrow(ScampError)
        }),
        { numRuns: 300 },
      )
    })
  })

  test('a plan that lacks a part is named, and is no accident', () => {
    withProfiles((cwd, _, plan) => {
      const whole = JSON.parse(readFileSync(plan, 'utf8')) as Record<string, unknown>
      for (const part of ['plan', 'name', 'hash', 'id']) {
        const { [part]: __, ...rest } = whole
        writeFileSync(plan, JSON.stringify(rest))
        const { rejected } = readProfiles([join(cwd, 'p')])
        expect(rejected.join('\n')).toMatch(/\.plan/)
      }
    })
  })

  test('a plan that is damaged never breaks off the report of the others', () => {
    withProfiles((cwd, _, plan) => {
      const good = readFileSync(plan)
      const breaks: string[] = []
      for (let at = 0; at < good.length; at += 7) {
        const bytes = Buffer.from(good)
        bytes[at] = bytes[at] === 0x37 ? 0x33 : 0x37
        writeFileSync(plan, bytes)
        try {
          readProfiles([join(cwd, 'p')])
        } catch (error) {
          if (!(error instanceof ScampError)) {
            breaks.push(
              `…${good.toString('utf8', at - 12, at)}[${good.toString('utf8', at, at + 1)} → 7]: ${String(error)}`,
            )
          }
        }
      }
      expect(breaks).toEqual([])
    })
  })
})

describe('counters of any size', () => {
  const big = [0n, 127n, 128n, 2n ** 53n + 1n, 2n ** 63n - 1n, 2n ** 64n, 3n ** 200n]
  const counts = (id: string, counters: readonly bigint[]): Counts => ({
    program: 'big',
    context: '',
    time: '2026-01-01T00:00:00.000Z',
    runs: 1,
    end: { kind: 'exit', status: 0 },
    checkpoint: false,
    sources: [{ id, counters, pending: [] }],
  })

  test('come back from a file exactly', () => {
    inFolder({}, (folder) => {
      fc.assert(
        fc.property(fc.array(fc.bigInt({ min: 0n, max: 1n << 200n })), (random) => {
          const counters = [...big, ...random]
          writeCounts(folder, 'one.counts', counts('x', counters))
          const read = readCounts(join(folder, 'one.counts'))
          expect(read).toEqual(counts('x', counters))
        }),
      )
      expect(readdirSync(folder)).toEqual(['one.counts'])
    })
  })

  test('add up exactly, through merging and the report', () => {
    inFolder({ 'counting.icn': counting }, (cwd) => {
      const folder = join(cwd, '.scamp')
      runScamp(['run', '-o', 'r', 'counting.icn'], { cwd })
      const { plans } = findProfiles([folder])
      const plan = readPlan(plans[0])
      // as many runs as it takes: every counter of the one real run, times a factor
      const real = collect(plans, findProfiles([folder]).counts).counts!.sources[0].counters
      const factor = 2n ** 60n + 1n
      for (const half of ['a', 'b']) {
        writePlan(join(cwd, half), plan)
        const counters = real.map((counter) => counter * factor)
        writeCounts(join(cwd, half), 'x.counts', counts(plan.id, counters))
      }
      expect(mergeProfiles([join(cwd, 'a'), join(cwd, 'b')], join(cwd, 'sum'))).toEqual({ runs: 2, rejected: [] })
      const report = runScamp(['report', '-f', 'json', 'sum'], { cwd }).stdout
      expect(callsOf(report, 'tick')).toBe(String(6n * factor))
      expect(callsOf(report, 'main')).toBe(String(2n * factor))
      expect(runScamp(['report', 'sum'], { cwd }).stdout).toContain(String(6n * factor))
    })
  })
})
