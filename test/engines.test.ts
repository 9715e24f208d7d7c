// The same program text on both engines: same behaviour, and the same counts. And plain programs, one for every function,
// operator, error and construct, behave on the embedded engine as on iconx, which writes the expectation; all of them with
// one start of each.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { runBoth, type Ending } from './fuzz/judge.js'
import { inCopy, inFolder, requireIcon, root, runPlain, runScamp, testPrograms } from './programs.js'

beforeAll(requireIcon)

// where the engines differ, and why
const differing: Record<string, string> = {
  err204_growth: 'real overflow is error 204, as in Icon 9.5',
  err301_depth: 'the embedded stack is a thousand times deeper',
  err301_generator: 'the embedded stack is a thousand times deeper',
}

interface Report {
  files: { sites: { counts: { exact: boolean }[] }[] }[]
}

describe('instrumented programs', () => {
  for (const program of testPrograms()) {
    if (program.name in differing) continue
    test(program.name, () => {
      const { folder, files, args, env, input } = program
      const plain = runPlain(program)
      const reports = ['iconx', 'embedded'].map((engine) =>
        inFolder({}, (profiles) =>
          inCopy(folder, (cwd) => {
            const output = join(profiles, 'report.json')
            const words = ['run', '--engine', engine, '-f', 'json', '-o', output, ...files, '--', ...args]
            const outcome = runScamp(words, { cwd, env: { ...env, SCAMP_OUT: profiles }, input })
            if (engine === 'embedded') expect(outcome).toEqual(plain)
            return existsSync(output) ? (JSON.parse(readFileSync(output, 'utf8')) as Report) : undefined
          }),
        ),
      )
      expect(reports[1]).toEqual(reports[0])
    })
  }
})

describe('plain programs', () => {
  const folder = join(root, 'test/engine')
  const read = (file: string) =>
    existsSync(join(folder, file)) ? readFileSync(join(folder, file), 'latin1') : undefined
  const programs = readdirSync(folder)
    .filter((file) => file.endsWith('.icn'))
    .map((file) => basename(file, '.icn'))
    .map((name) => ({ name, text: read(`${name}.icn`)!, input: read(`${name}.in`) ?? '' }))
  let endings: { iconx: Ending; embedded: Ending }[]
  beforeAll(async () => {
    endings = await runBoth(programs, ['one', 'two'], 20)
  })
  programs.forEach(({ name }, i) => {
    test(name, () => {
      const { iconx, embedded } = endings[i]
      // where Icon 9.5 mended what iconx does, its output stands beside the program
      const mended = read(`${name}.out`)
      const expected = mended === undefined ? iconx : { status: '0', stdout: mended, stderr: '' }
      expect(embedded).toEqual(expected)
      if (mended !== undefined) expect(iconx).not.toEqual(expected)
    })
  })
})
