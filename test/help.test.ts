// Help, the manual page and completion, which come from one table of commands and options: judged by man and the shells.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root, runScamp } from './programs.js'

const cwd = mkdtempSync(join(tmpdir(), 'scamp-test-'))
const helpOf = (...command: string[]) => runScamp([...command, '--help'], { cwd }).stdout
const commands = [...helpOf().matchAll(/^ {2}([a-z]\w*) (?:\[|<|\s)/gm)]
  .map(([, name]) => name)
  .filter((name) => name !== 'help')

/** Runs a judge; a missing one is a failure. */
function judge(program: string, args: readonly string[]): string {
  const { error, status, stdout, stderr } = spawnSync(program, args, {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, MANWIDTH: '100' },
  })
  if (error) throw new Error(`${program} is needed to judge: apt-get install man-db zsh fish`)
  expect(stderr).toBe('')
  expect(status).toBe(0)
  return stdout
}

test('the commands are found in help', () => {
  for (const name of ['run', 'report', 'open', 'watch', 'merge', 'completion', 'man']) expect(commands).toContain(name)
})

test('every command but the wrappers shows an example of itself', () => {
  for (const name of commands.filter((one) => one !== 'icont' && one !== 'a68g')) {
    expect(helpOf(name)).toMatch(new RegExp(`\\nExamples:\\n {2}.*scamp ${name}`))
  }
})

test('the examples of run and report can be typed', () => {
  const examples = ['run', 'report', 'instrument'].flatMap((name) => [...helpOf(name).matchAll(/^ {2}scamp (.*)$/gm)])
  expect(examples.length).toBeGreaterThan(6)
  for (const [, line] of examples) {
    const { stderr } = runScamp(
      line
        .replace(/>.*|<.*/, '')
        .trim()
        .split(/\s+/),
      { cwd },
    )
    expect(stderr).not.toMatch(/^error:/)
  }
})

describe('the manual page', () => {
  test('is well-formed, and has every command and option', () => {
    const page = judge('man', ['-l', '--warnings=all', join(root, 'dist/scamp.1')])
    for (const name of commands) {
      expect(page).toContain(`scamp ${name}`)
      const options =
        name === 'icont' || name === 'a68g' ? [] : [...helpOf(name).matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)]
      for (const [, option] of options.filter(([, one]) => one !== '--help')) expect(page).toContain(option)
    }
    for (const name of ['SCAMP_OUT', 'SOURCE_DATE_EPOCH', 'EXIT STATUS', 'make ICONT="scamp icont"']) {
      expect(page).toContain(name)
    }
  })

  test('is what scamp man prints', () => {
    expect(runScamp(['man'], { cwd }).stdout).toBe(readFileSync(join(root, 'dist/scamp.1'), 'latin1'))
  })
})

describe('completion', () => {
  beforeAll(() => {
    for (const shell of ['bash', 'zsh', 'fish']) {
      writeFileSync(join(cwd, shell), runScamp(['completion', shell], { cwd }).stdout)
    }
    writeFileSync(join(cwd, 'queens.icn'), '')
  })

  const inBash = (...words: string[]) => {
    const script = `source ./bash; COMP_WORDS=(scamp "$@"); COMP_CWORD=$#; _scamp; echo "\${COMPREPLY[@]}"`
    return judge('bash', ['-c', script, 'bash', ...words])
      .trimEnd()
      .split(' ')
  }

  test('in bash', () => {
    expect(inBash('')).toEqual(expect.arrayContaining(commands))
    expect(inBash('re')).toEqual(['report'])
    expect(inBash('report', '--fo')).toEqual(['--format'])
    expect(inBash('report', '-f', 'lc')).toEqual(['lcov'])
    expect(inBash('run', '--engine', '')).toEqual(['embedded', 'iconx'])
    expect(inBash('run', 'que')).toEqual(['queens.icn'])
  })

  test('in zsh', () => {
    const script = 'autoload -U compinit; compinit -D -u; source ./zsh; echo $_comps[scamp]'
    expect(judge('zsh', ['-fc', script])).toBe('_scamp\n')
  })

  test('in fish', () => {
    const inFish = (line: string) =>
      judge('fish', ['--no-config', '-c', `source ./fish; complete -C "${line}"`])
        .trimEnd()
        .split('\n')
        .map((one) => one.split('\t')[0])
    expect(inFish('scamp re')).toEqual(['report'])
    expect(inFish('scamp report -f lc')).toEqual(['lcov'])
    expect(inFish('scamp run --eng')).toEqual(['--engine'])
  })

  test('there is none for other shells', () => {
    const { status, stderr } = runScamp(['completion', 'tcsh'], { cwd })
    expect(stderr).toBe('scamp: there is no completion for tcsh; there are bash, zsh, fish\n')
    expect(status).toBe(1)
  })
})
