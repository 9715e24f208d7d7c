// An instrumented program does what the plain one does: same output, same errors, same exit status. And the counts of
// its procedures are the numbers of lines that &trace prints.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import {
  command,
  inCopy,
  inFolder,
  requireIcon,
  runInstrumented,
  runPlain,
  runScamp,
  testPrograms,
  type JsonReport,
  type Outcome,
  type TestProgram,
  countTrace,
} from './programs.js'

beforeAll(requireIcon)

// What plain Icon lets a program see of names that are there: documented in ARCHITECTURE, Limitations.
const visible: Record<string, { launched?: (keyof Outcome)[]; alone?: (keyof Outcome)[] }> = {
  // display() to a file of the program's own lists the counters; alone, to &errout too, and so does &dump
  display_dump: { launched: ['stdout'], alone: ['stdout', 'stderr'] },
  err_trace_dump: { alone: ['stderr'] },
  // prints the image of exit, which a procedure stands in for
  end_exit_values: { alone: ['stdout'] },
}

function runAlone({ folder, files, args, env, input }: TestProgram): Outcome {
  return inCopy(folder, (cwd) => {
    const amended = runScamp(['instrument', '-o', 'amended/', ...files], { cwd })
    // it may say what it cannot monitor
    expect(amended.status).toBe(0)
    for (const file of files) renameSync(join(cwd, 'amended', file), join(cwd, file))
    rmSync(join(cwd, 'amended'), { recursive: true })
    const translated = command('icont', ['-s', '-o', 'input', ...files], { cwd })
    expect(translated).toMatchObject({ status: 0, stderr: '' })
    return inFolder({}, (elsewhere) =>
      command('./input', args, { cwd, env: { ...env, SCAMP_REPORT: join(elsewhere, 'report') }, input }),
    )
  })
}

const compared = (outcome: Outcome, except: readonly (keyof Outcome)[] = []) =>
  Object.fromEntries(Object.entries(outcome).filter(([key]) => !except.includes(key as keyof Outcome)))

describe('every program behaves the same', () => {
  for (const program of testPrograms()) {
    test(program.name, () => {
      const plain = runPlain(program)
      const { launched, alone } = visible[program.name] ?? {}
      const { outcome } = runInstrumented(program)
      expect(compared(outcome, launched)).toEqual(compared(plain, launched))
      expect(compared(runAlone(program), alone)).toEqual(compared(plain, alone))
    })
  }
})

describe('counts are those of a trace', () => {
  let compared = 0
  for (const program of testPrograms()) {
    const text = program.files.map((file) => readFileSync(join(program.folder, file), 'latin1')).join('')
    // those that set &trace themselves, and the one without a main
    if (/&\s*trace/.test(text) || program.name === 'err117_nomain') continue
    test(program.name, () => {
      const trace = countTrace(runPlain(program, { TRACE: '-1' }).stderr)
      const { report } = runInstrumented(program)
      const all = runInstrumented(program, {}, ['--probes', 'all']).report
      const totals = new Map<string, { count: bigint; exact: boolean }>()
      for (const site of report!.files.flatMap(({ sites }) => sites)) {
        if (site.kind !== 'procedure') continue
        for (const { name, count, exact } of site.counts) {
          const known = totals.get(`${site.name} ${name}`) ?? { count: 0n, exact: true }
          totals.set(`${site.name} ${name}`, { count: known.count + BigInt(count), exact: known.exact && exact })
        }
      }
      for (const [key, { count, exact }] of totals) {
        const expected = BigInt(trace.get(key) ?? 0)
        if (exact) expect([key, count]).toEqual([key, expected])
        else expect(count).toBeGreaterThanOrEqual(expected)
        compared++
      }
      // a counter everywhere gives what inference gives, wherever inference claims to be exact; but where the stack
      // overflows, the larger frames of a counter everywhere overflow it earlier
      if (program.name.startsWith('err301')) return
      const counts = (one: JsonReport) => one.files.flatMap(({ sites }) => sites.flatMap((site) => site.counts))
      const truths = counts(all!)
      counts(report!).forEach((inferred, i) => {
        if (inferred.exact && truths[i].exact) expect(inferred).toEqual(truths[i])
      })
    })
  }
  test('there was something to compare', () => expect(compared).toBeGreaterThan(3000))
})
