// The sample projects, whose Makefiles know nothing of scamp but the names of its wrappers; and the job for builds.
import { describe, expect, test } from '@jest/globals'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { command, inCopy, requireIcon, root, runScamp, scamp } from './programs.js'

const projects = join(root, 'samples/projects')
const wrapped = `SCAMP="${process.execPath}" "${scamp}"`

interface Parsed {
  readonly runs: number
  readonly files: readonly { readonly name: string }[]
}

describe.each([
  ['icon', 'ICONT=icont', ['tally.icn', 'words.icn', 'wordstat.icn'], 'words.icn:7', ['few', 'quotes']],
  ['algol68', 'A68G=a68g', ['rpn.a68', 'stack.a68'], 'rpn.a68:21', ['short', 'zero']],
])('samples/projects/%s', (name, plain, files, place, reachedBy) => {
  test('passes its tests under the plain tools', () => {
    requireIcon()
    inCopy(join(projects, name), (cwd) => {
      const { status, stdout, stderr } = command('make', ['-s', 'test', plain], { cwd })
      expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'all tests pass\n', stderr: '' })
      expect(existsSync(join(cwd, '.scamp'))).toBe(false)
    })
  })

  test('passes them under the wrappers, and then it is known what they did', () => {
    inCopy(join(projects, name), (cwd) => {
      const { status, stdout, stderr } = command('make', ['-s', 'coverage', wrapped], { cwd })
      expect(stderr).toBe('')
      expect(status).toBe(0)
      expect(stdout).toMatch(/^all tests pass\n/)
      expect(existsSync(join(cwd, 'coverage.html'))).toBe(true)
      const { files: profiled, runs } = JSON.parse(runScamp(['report', '-f', 'json'], { cwd }).stdout) as Parsed
      expect(runs).toBe(3)
      expect(profiled.map((file) => file.name).sort()).toEqual(files)
      const reached = runScamp(['tests', place], { cwd }).stdout.trimEnd().split('\n').slice(1)
      expect(reached.map((line) => line.split(' ')[0])).toEqual(reachedBy)
    })
  })
})

test('the commands of the job for GitHub Actions are those of scamp', () => {
  const job = readFileSync(join(projects, 'github-actions.yml'), 'utf8')
  const commands = [...job.matchAll(/^\s+scamp (.*)$/gm)].map(([, words]) => words.replace(/>>.*/, '').trim())
  expect(commands.length).toBe(5)
  inCopy(join(root, 'samples/icon'), (cwd) => {
    runScamp(['run', 'classify.icn'], { cwd })
    for (const words of commands) expect(runScamp(words.split(' '), { cwd })).toMatchObject({ status: 0, stderr: '' })
  })
})
