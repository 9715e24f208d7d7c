// Programs with parallel clauses: their units take turns as a68g likes, and the counts are the same each time.
import { beforeAll, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { instrument } from '../src/scamp.js'
import { programsIn, requireA68g } from './algol68.js'
import { command, inFolder } from './programs.js'

beforeAll(requireA68g)

const programs = programsIn('test/algol68/small', 'samples/algol68').filter((path) =>
  /\bPAR\b/.test(readFileSync(path, 'latin1')),
)

test('there are programs', () => expect(programs.length).toBeGreaterThan(7))

test.each(programs.map((path) => [basename(path, '.a68'), path]))('%s ten times', async (_, path) => {
  const source = { name: basename(path), text: readFileSync(path, 'latin1'), language: 'algol68' } as const
  const [{ text }] = await instrument([source], { monitor: 'actions' })
  inFolder({ 'amended.a68': text }, (cwd) => {
    const runs = Array.from({ length: 10 }, (_run, i) => {
      const env = { SCAMP_REPORT: `report${i}` }
      const { status, stdout } = command('a68g', ['--nowarnings', 'amended.a68'], { cwd, env })
      return { status, stdout, report: readFileSync(join(cwd, `report${i}`), 'latin1') }
    })
    for (const run of runs) expect(run).toEqual(runs[0])
    expect(runs[0]).toMatchObject({ status: 0, report: expect.stringMatching(/\n +\d+ +PAR +1\n/) })
  })
})
