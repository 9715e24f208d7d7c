// `scamp a68g`: what a68g answers, word for word, and a profile besides.
import { beforeAll, expect, test } from '@jest/globals'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { requireA68g } from './algol68.js'
import { command, inFolder, runScamp } from './programs.js'

beforeAll(requireA68g)

const files = {
  'x.a68':
    'PROC f = (INT n) INT: (n > 3 | 1 | 2);\nprint((argc, program idf)); TO 2 DO print((argv(argc), f(4), newline)) OD\n',
  'error.a68': 'INT z = 0;\nprint((1 OVER z))\n',
  'wrong.a68': 'INT z := ;\n',
  'quoted.a68': "'INT' N = 3;\nPRINT(N)\n",
  'warned.a68': 'INT unused = 3;\nprint("a")\n',
  'braces.a68': '{ print("a") }\n',
  'assert.a68': 'INT k = 3; ASSERT(k = 4); print("passed")\n',
}

test.each([
  ['a program', 'x.a68', true],
  ['a program without its ending', 'x', true],
  ['options in front and behind', '--precision 60 x.a68 --timelimit=5', true],
  ['arguments', 'x.a68 -- 1 two', true],
  ['a script', '--script x.a68 -1 two', true],
  ['a shortened option', '--quotestrop quoted', true],
  ['a warning', 'warned.a68', true],
  ['no warning', '--nowarn warned.a68', true],
  ['assertions off', '--noassertions assert.a68', true],
  ['a run-time error', 'error.a68', true],
  ['a text that is wrong', 'wrong.a68', false],
  ['checking', '--check x.a68', false],
  ['checking taken back', '--check x.a68 --run', true],
  ['a unit', '-p 3+4', false],
  ['no file', '', false],
  ['a file that is not there', 'none.a68', false],
  ['two files', 'x.a68 error.a68', false],
  ['an option that is none', '--none x.a68', false],
])('%s', (_, line, isCounted) => {
  const words = line.split(' ').filter((word) => word !== '')
  inFolder(files, (cwd) => {
    const plain = command('a68g', words, { cwd })
    expect(runScamp(['a68g', ...words], { cwd })).toEqual(plain)
    expect(existsSync(join(cwd, '.scamp'))).toBe(isCounted)
  })
})

test('what cannot be monitored runs as it is, with a note', () => {
  inFolder(files, (cwd) => {
    const plain = command('a68g', ['--brackets', 'braces.a68'], { cwd })
    const { stderr, ...rest } = runScamp(['a68g', '--brackets', 'braces.a68'], { cwd })
    expect({ ...rest, stderr: '' }).toEqual(plain)
    expect(stderr).toBe('scamp: note: braces.a68 is not monitored, because of --brackets\n')
  })
})

test('the listing is that of the text as the user wrote it', () => {
  inFolder(files, (cwd) => {
    runScamp(['a68g', '--tree', 'x.a68'], { cwd })
    const shown = readFileSync(join(cwd, 'x.l'), 'latin1')
      .split('\n')
      .filter((row) => /^\d+ +\S/.test(row))
    const lines = files['x.a68'].trimEnd().split('\n')
    for (const row of shown) expect(lines).toContain(row.replace(/^\d+ +/, '').trimEnd())
  })
})

test('profiles go where SCAMP_OUT says, and add up', () => {
  inFolder(files, (cwd) => {
    for (const program of ['x.a68', 'x.a68', 'error.a68'])
      runScamp(['a68g', program], { cwd, env: { SCAMP_OUT: 'out' } })
    const { stdout } = runScamp(['report', 'out'], { cwd })
    expect(stdout).toMatch(/RUNS: 3\n[^]*\n +1 +f +4\n[^]*\n +1 +4 +4\(100\) +0\(0\)\n/)
  })
})

test('without a68g, one line says how to get it', () => {
  inFolder(files, (cwd) => {
    for (const words of [['x.a68'], ['--version']]) {
      const { status, stderr } = runScamp(['a68g', ...words], { cwd, env: { SCAMP_A68G: './none' } })
      expect(status).toBe(127)
      expect(stderr).toMatch(/^scamp: there is no program \.\/none; install it with: apt-get install algol68g .*\n$/)
    }
  })
})
