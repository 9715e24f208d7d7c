// The same program text on both engines: same behaviour, and the same counts. And plain programs, one for every function,
// operator, error and construct, behave on the embedded engine as on iconx, which writes the expectation.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { copyFileSync, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, inCopy, inFolder, requireIcon, root, runPlain, runScamp, testPrograms } from './programs.js'

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
  for (const name of readdirSync(folder).sort()) {
    if (!name.endsWith('.icn') || name.replace('.icn', '') in differing) continue
    test(name, () => {
      const outcomes = ['iconx', 'embedded'].map((engine) =>
        inFolder({}, (cwd) => {
          for (const other of readdirSync(folder))
            if (!other.endsWith('.js')) copyFileSync(join(folder, other), join(cwd, other))
          const input = existsSync(join(folder, name.replace(/icn$/, 'in')))
            ? readFileSync(join(folder, name.replace(/icn$/, 'in')))
            : ''
          if (engine === 'embedded')
            return runScamp(['run', '--plain', '--engine', engine, name, '--', 'one', 'two'], { cwd, input })
          const made = command('icont', ['-s', '-o', name.replace(/\.icn$/, ''), name], { cwd })
          if (made.status !== 0) return made
          return command(`./${name.replace(/\.icn$/, '')}`, ['one', 'two'], { cwd, input })
        }),
      )
      expect(outcomes[1]).toEqual(outcomes[0])
    })
  }
})
