// Programs in the shape of the paper's Figs. 3 and 5 to 8: what the paper says of their counts, on both engines.
//
// source: Coutant, Griswold and Hanson, "Measuring the Performance and Behavior of Icon Programs", IEEE Transactions on
//         Software Engineering SE-9 (1983), sections IV and V
import { beforeAll, describe, expect, test } from '@jest/globals'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder, requireIcon, root, runScamp, type JsonReport, type JsonToken } from './programs.js'

beforeAll(requireIcon)

const read = (path: string) => readFileSync(join(root, path), 'latin1')

/** Counts of a program's tokens: `at('=')` the first one's, `at('=', 1)` the second's. */
function countsIn(path: string, engine: string) {
  const tokens = inFolder({ 'program.icn': read(path) }, (cwd) => {
    const words = ['run', '--engine', engine, '--monitor', 'tokens', '-f', 'json', '-o', 'report', 'program.icn']
    expect(runScamp(words, { cwd }).stderr).toBe('')
    return (JSON.parse(readFileSync(join(cwd, 'report'), 'utf8')) as JsonReport).files[0].tokens
  })
  const token = (text: string, nth = 0): JsonToken => tokens.filter((one) => one.text === text)[nth]
  return {
    at: (text: string, nth?: number) => Number(token(text, nth).count),
    ports: (text: string, nth?: number) => token(text, nth).ports!,
    all: () => tokens.reduce((sum, { count }) => sum + Number(count), 0),
  }
}

describe.each(['iconx', 'embedded'])('on %s', (engine) => {
  test('Fig. 3: each character that is tried is either there already or added', () => {
    const { at, ports } = countsIn('test/cases/figure_3_meander/input.icn', engine)
    // the loop ends once a call, when alpha[i] fails
    expect(at('[', 1)).toBe(at(':=', 3) + at('while'))
    expect(Number(ports('[', 1).failed.count)).toBe(at('while'))
    expect(at('find')).toBe(at('if'))
    expect(Number(ports('find').succeeded.count)).toBe(at('-:='))
    expect(at('-:=') + at('||:=')).toBe(at('if'))
  })

  test('Figs. 5 and 6: the same is found; what is looked at differs', () => {
    const one = countsIn('samples/icon/successors.icn', engine)
    const other = countsIn('samples/icon/successors2.icn', engine)
    expect(one.at('if')).toBe(one.at(':=', 4))
    // each pass tests once, and upto has nothing more to give at the end of each call
    expect(other.at('%')).toBe(other.at('if'))
    expect(other.at('upto')).toBe(other.at('if') + other.at('every', 1))
    expect(one.at('||:=')).toBe(other.at('||:='))
    expect(other.at('if')).toBeLessThan(one.at('if'))
    // "ran two to five times faster"
    expect(one.all() / other.all()).toBeGreaterThan(2)
  })

  test('Figs. 7 and 8: the position of every letter is compared with each of the values', () => {
    const one = countsIn('test/cases/figure_7_search/input.icn', engine)
    const other = countsIn('test/cases/figure_8_search/input.icn', engine)
    const [values, places] = [one.ports('to'), one.ports('find')]
    // "10 to 20" is started at each place, and gives all its eleven values
    expect(values.started.count).toBe(places.succeeded.count)
    expect(Number(values.succeeded.count)).toBe(11 * Number(values.started.count))
    expect(one.at('=')).toBe(Number(values.succeeded.count))
    expect(one.at('to')).toBe(12 * Number(values.started.count))
    expect(Number(one.ports('=').succeeded.count)).toBe(one.at('+:='))
    // all activations of find end in a result, but for the last of each line
    expect(one.at('find')).toBe(Number(places.succeeded.count) + one.at('every', 1))
    expect(other.at('+:=')).toBe(one.at('+:='))
    // places beyond 20 end the search
    expect(Number(other.ports('find').succeeded.count)).toBe(other.at('next') + other.at('break') + other.at('+:='))
    expect(one.all()).toBeGreaterThan(2 * other.all())
  })
})

describe('scamp diff', () => {
  const versions = {
    'a.icn': read('samples/icon/successors.icn'),
    'b.icn': read('samples/icon/successors2.icn'),
  }
  const inBoth = <T>(work: (cwd: string) => T, ...options: string[]) =>
    inFolder(versions, (cwd) => {
      for (const name of ['a', 'b']) runScamp(['run', ...options, `${name}.icn`], { cwd, env: { SCAMP_OUT: name } })
      return work(cwd)
    })

  test('Figs. 5 and 6 side by side', () => {
    inBoth(
      (cwd) => {
        const { status, stdout } = runScamp(['diff', 'a', 'b'], { cwd })
        expect(status).toBe(1)
        const golden = join(root, 'test/figures.5-6.txt')
        if (process.env.ACCEPT) writeFileSync(golden, stdout)
        expect(stdout).toBe(readFileSync(golden, 'utf8'))
        expect(runScamp(['diff', 'a', 'a'], { cwd })).toMatchObject({ status: 0, stdout: '', stderr: '' })
      },
      '--monitor',
      'tokens',
    )
  })

  test('JSON has what belongs together, and what does not', () => {
    inBoth(
      (cwd) => {
        const { stdout } = runScamp(['diff', '-f', 'json', '--procedure', 'successors', 'a', 'b'], { cwd })
        const { parts } = JSON.parse(stdout)
        expect(parts).toHaveLength(1)
        const line = parts[0].lines.find(({ a }: { a: { text: string } }) => /if/.test(a.text))
        expect(line.same).toBe(false)
        const find = (text: string) => line.tokens.find((one: { text: string }) => one.text === text)
        expect(find('if')).toMatchObject({ a: { count: '30' }, b: { count: '8' } })
        expect(find('upto')).toMatchObject({ a: { count: '30' }, b: null })
        expect(find('%')).toMatchObject({ a: null, b: { count: '8' } })
        expect(find('||:=')).toMatchObject({ a: { count: '5' }, b: { count: '5' } })
        expect(line.constructs).toEqual([
          {
            kind: 'if',
            a: [
              { name: 'true', count: '5', exact: true },
              { name: 'false', count: '25', exact: true },
            ],
            b: [
              { name: 'true', count: '5', exact: true },
              { name: 'false', count: '3', exact: true },
            ],
          },
        ])
      },
      '--monitor',
      'tokens',
    )
  })

  test('constructs are set side by side where tokens were not monitored', () => {
    inBoth((cwd) => {
      const { stdout } = runScamp(['diff', 'a', 'b'], { cwd })
      expect(stdout).toMatch(/if: true 5, false 25 +if: true 5, false 3\n/)
      expect(stdout).toMatch(/^successors +2 +2$/m)
      expect(stdout).not.toMatch(/main/)
    })
  })

  test('a text that is gone is told by its tokens, and that is said', () => {
    inBoth(
      (cwd) => {
        writeFileSync(join(cwd, 'a.icn'), '# another\n')
        const { status, stdout } = runScamp(['diff', 'a', 'b'], { cwd })
        expect(status).toBe(1)
        expect(stdout).toMatch(/^NOTE: A: the text of a\.icn is gone/m)
        expect(stdout).toMatch(/every i := 1 to \*arcs {4}2 +\| 13 +every i := upto\(n, arcs\) do\n/)
        expect(stdout).not.toMatch(/main/)
      },
      '--monitor',
      'tokens',
    )
  })

  test('what cannot be compared is trouble', () => {
    inFolder({}, (cwd) => {
      expect(runScamp(['diff', 'a', 'b'], { cwd })).toEqual({
        status: 2,
        signal: null,
        stdout: '',
        stderr: 'scamp: cannot read profile a: no such file or folder\n',
      })
    })
    inBoth((cwd) => {
      expect(runScamp(['diff', '--procedure', 'nothing', 'a', 'b'], { cwd })).toMatchObject({
        status: 2,
        stderr: 'scamp: procedure nothing is not there; there are main, successors\n',
      })
    })
  })
})

test('what README shows of tokens is what scamp prints', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const section = readme.slice(readme.indexOf('## Tokens'), readme.indexOf('## Coverage'))
  const shown = [...section.matchAll(/^```\n\$ scamp (.*) >\/dev\/null\n([^]*?)^```/gm)]
  expect(shown).toHaveLength(3)
  inFolder({}, (SCAMP_OUT) => {
    for (const [, words, report] of shown) {
      const { stderr } = runScamp(words.split(' '), { cwd: root, env: { SCAMP_OUT } })
      expect(Buffer.from(stderr, 'latin1').toString('utf8')).toBe(report)
    }
  })
})
