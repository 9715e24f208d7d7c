// Counts survive every end of a run: its own, an error, a signal, a time limit, and being killed outright.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { command, inFolder, requireIcon, runScamp, scamp } from './programs.js'
import { readProfiles } from '../src/scamp.js'

beforeAll(requireIcon)

/** The counts of a profile folder's one procedure site of this name: calls, returns, suspends, resumptions, failures. */
function procedureCounts(folder: string, name: string): string[] {
  const { profile, rejected } = readProfiles([folder])
  expect(rejected).toEqual([])
  const site = profile.files.flatMap(({ sites }) => sites).find((one) => one.kind === 'procedure' && one.name === name)
  if (site?.kind !== 'procedure') throw new Error(`no procedure ${name}`)
  const { calls, returns, suspends, resumptions, failures } = site
  return [calls, returns, suspends, resumptions, failures].map(({ value, exact }) => `${exact ? '' : '≤'}${value}`)
}

// work() returns every time but the last, in which the run ends
const three = (end: string) => `procedure work(n)
   local x
   x := n * 2
   if n = 3 then last()
   return x
end
procedure last()
   ${end}
end
procedure main()
   every work(1 to 5)
end
`

const ends: [string, string, number][] = [
  ['exit', 'exit(7)', 7],
  ['stop', 'stop("over")', 1],
  ['a run-time error', 'return 1 + "x"', 1],
  ['runerr', 'runerr(500)', 1],
  ['a stack overflow', 'return last()', 1],
  ['exit in a co-expression', '@create exit(3)', 3],
  ['an error in a co-expression', '@create (1 + "x")', 1],
]

const engines = ['embedded', 'iconx']

describe.each(engines)('a program that ends itself, on %s', (engine) => {
  for (const [name, end, status] of ends) {
    test(name, () => {
      inFolder({ 'three.icn': three(end) }, (cwd) => {
        const outcome = runScamp(['run', '--engine', engine, 'three.icn'], { cwd })
        expect(outcome.status).toBe(status)
        expect(procedureCounts(join(cwd, '.scamp'), 'work')).toEqual(['3', '2', '0', '0', '0'])
        expect(procedureCounts(join(cwd, '.scamp'), 'main')).toEqual(['1', '0', '0', '0', '0'])
      })
    })
  }

  // such loops count their passes before the first
  const loops: [string, string, string][] = [
    ['a body', 'every i := 1 to 9 do if L[i] > 5 then k +:= 1', '≤9'],
    ['a body, behind a loop that went through', 'every i := 1 to 3 do k +:= 1\n L[3] + "x"', '3'],
    ['a bound that is no number', 'every i := 1 to "x" do k +:= 1', '0'],
    ['a bound that is too large', 'every i := 1 to 2 ^ 70 do k +:= 1', '0'],
    ['a large bound in a variable', 'big := 2 ^ 70; every i := 1 to big do k +:= 1', `≤${2n ** 70n}`],
    ['steps of no size', 'none := 0; every i := 1 to 3 by none do k +:= 1', '0'],
    ['a string that is null', 'every c := !s do k +:= 1; s := "x"', '0'],
  ]
  for (const [name, end, passes] of loops) {
    test(`an error in a loop that counts in advance: ${name}`, () => {
      const text = `procedure main()\n local k, L, s, big, none\n k := 0; L := [1, 7, 2, "x"]\n ${end}\nend\n`
      inFolder({ 'loop.icn': text }, (cwd) => {
        expect(runScamp(['run', '--engine', engine, 'loop.icn'], { cwd }).status).toBe(1)
        const sites = readProfiles([join(cwd, '.scamp')]).profile.files[0].sites
        const loop = sites.find((site) => site.kind === 'do')
        expect(loop).toMatchObject({
          passes: { value: BigInt(passes.replace('≤', '')), exact: !passes.startsWith('≤') },
        })
        expect(procedureCounts(join(cwd, '.scamp'), 'main')).toEqual(['1', '0', '0', '0', '0'])
      })
    })
  }

  test('memory exhausted (error 306 or 307)', () => {
    const text = `procedure main()\n local s\n s := "x"\n repeat s ||:= grow(s)\nend\nprocedure grow(s)\n return s || s\nend\n`
    inFolder({ 'grow.icn': text }, (cwd) => {
      const outcome = command(
        'sh',
        ['-c', `ulimit -v 4000000; exec node --max-old-space-size=500 ${scamp} run --engine ${engine} grow.icn`],
        { cwd },
      )
      expect(outcome.stderr).toMatch(/Run-time error 30[67]/)
      expect(outcome.status).toBe(1)
      expect(Number(procedureCounts(join(cwd, '.scamp'), 'grow')[0].replace('≤', ''))).toBeGreaterThan(5)
    })
  })

  test('standard error closed', () => {
    inFolder({ 'closes.icn': 'procedure main()\n close(&errout)\n write("on")\nend\n' }, (cwd) => {
      expect(runScamp(['run', '--engine', engine, '-o', 'report', 'closes.icn'], { cwd })).toMatchObject({
        status: 0,
        stdout: 'on\n',
      })
    })
  })

  test('a program that uses &dump itself', () => {
    const text = 'procedure main()\n write(&dump)\n &dump := 0\n f()\n exit(2)\nend\nprocedure f()\n return\nend\n'
    inFolder({ 'dumps.icn': text }, (cwd) => {
      const outcome = runScamp(['run', '--engine', engine, '-o', 'report', 'dumps.icn'], { cwd })
      expect(outcome).toMatchObject({ status: 2, stdout: '0\n', stderr: '' })
      expect(procedureCounts(join(cwd, '.scamp'), 'f')).toEqual(['1', '1', '0', '0', '0'])
    })
  })
})

const endless = `procedure main()
   write("ready")
   flush(&output)
   every step(seq())
end
procedure step(n)
   if n % 2 = 0 then return even(n)
   suspend n
   fail
end
procedure even(n)
   return n
end
`

/** Starts a command in a folder with an endless program and answers its process, once the program runs. */
async function started(cwd: string, words: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(words[0], words.slice(1), {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const ended = new Promise<{ status: number | null; signal: string | null }>((settle) => {
    child.on('close', (status, signal) => settle({ status, signal }))
  })
  await new Promise((settle) => child.stdout.once('data', settle))
  return { child, ended }
}

const pidOf = (parent: number) => Number(readFileSync(`/proc/${parent}/task/${parent}/children`, 'utf8').trim())

/**
 * Checks an endless program's counts against each other: at one moment they differ by the frames under way.
 *
 * slack   how far they may differ besides: checkpoints of the embedded engine are taken while the program runs on
 */
function expectConsistent(folder: string, slack = 0n): void {
  // an upper bound may be one too many
  const number = (count: string) => BigInt(count.replace('≤', ''))
  const [calls, returns, suspends, resumptions] = procedureCounts(folder, 'step').map(number)
  const even = procedureCounts(folder, 'even').map(number)
  expect(calls).toBeGreaterThan(1000n)
  for (const difference of [calls - returns - suspends, suspends - resumptions, even[0] - returns]) {
    expect(difference).toBeGreaterThanOrEqual(-1n - slack)
    expect(difference).toBeLessThanOrEqual(2n + slack)
  }
}

async function inFolderAsync(files: Record<string, string>, work: (folder: string) => Promise<void>): Promise<void> {
  let done: Promise<void> = Promise.resolve()
  const { mkdtempSync, rmSync } = await import('node:fs')
  const { tmpdir } = await import('node:os')
  const folder = mkdtempSync(join(tmpdir(), 'scamp-test-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  try {
    done = work(folder)
    await done
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe.each(engines)('a program that is ended, on %s', (engine) => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    test(`by ${signal}`, async () => {
      await inFolderAsync({ 'endless.icn': endless }, async (cwd) => {
        const { child, ended } = await started(cwd, [process.execPath, scamp, 'run', '--engine', engine, 'endless.icn'])
        await sleep(300)
        child.kill(signal)
        expect(await ended).toEqual({ status: null, signal })
        expectConsistent(join(cwd, '.scamp'))
      })
    })
  }

  test('by a time limit', () => {
    inFolder({ 'endless.icn': endless }, (cwd) => {
      const before = Date.now()
      const outcome = runScamp(['run', '--engine', engine, '--timeout', '0.5', 'endless.icn'], { cwd })
      expect(outcome).toMatchObject({ status: 124, stdout: 'ready\n' })
      expect(Date.now() - before).toBeLessThan(5000)
      expectConsistent(join(cwd, '.scamp'))
    })
  })

  test('by SIGKILL: its last checkpoint is there', async () => {
    await inFolderAsync({ 'endless.icn': endless }, async (cwd) => {
      const { child, ended } = await started(cwd, [process.execPath, scamp, 'run', '--engine', engine, 'endless.icn'])
      await sleep(1700)
      process.kill(engine === 'iconx' ? pidOf(child.pid!) : child.pid!, 'SIGKILL')
      expect(await ended).toEqual({ status: null, signal: 'SIGKILL' })
      expectConsistent(join(cwd, '.scamp'), engine === 'embedded' ? 20n : 0n)
      expect(readProfiles([join(cwd, '.scamp')]).profile.notes.join()).toMatch(/last checkpoint/)
    })
  })

  test('by SIGKILL to scamp: the checkpoint is there, and the program does not run on', async () => {
    await inFolderAsync({ 'endless.icn': endless }, async (cwd) => {
      const { child, ended } = await started(cwd, [process.execPath, scamp, 'run', '--engine', engine, 'endless.icn'])
      await sleep(1700)
      const program = engine === 'iconx' ? pidOf(child.pid!) : child.pid!
      child.kill('SIGKILL')
      await ended
      await sleep(100)
      expect(
        existsSync(`/proc/${program}/exe`) && readFileSync(`/proc/${program}/stat`, 'latin1').includes(') R'),
      ).toBe(false)
      expectConsistent(join(cwd, '.scamp'), engine === 'embedded' ? 20n : 0n)
    })
  })
})

test('an instrumented executable, by SIGTERM', async () => {
  await inFolderAsync({ 'endless.icn': endless }, async (cwd) => {
    expect(runScamp(['icont', '-s', 'endless.icn'], { cwd })).toMatchObject({ status: 0, stderr: '' })
    const { child, ended } = await started(cwd, [join(cwd, 'endless')], { SCAMP_OUT: join(cwd, 'out-%p') })
    await sleep(300)
    child.kill('SIGTERM')
    expect(await ended).toEqual({ status: null, signal: 'SIGTERM' })
    const folder = readdirSync(cwd).find((name) => name.startsWith('out-'))!
    expectConsistent(join(cwd, folder))
  })
})
