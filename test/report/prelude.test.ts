// A program that prints its own report prints what scamp prints: prelude/report.icn against 6-report/constructs.ts.
import { describe, expect, test } from '@jest/globals'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FileProfile, ProfiledSite, ProfiledToken } from '../../src/5-profile/profile.js'
import { constructs } from '../../src/6-report/constructs.js'
import { block, branch, choice, count, file, loop, procedure, profile } from './counts.js'

const files: FileProfile[] = [
  file('all.icn', [
    procedure(1, 'main', 1, 0, 0, 0, 1),
    block(3, 5),
    branch(13, 0, 0),
    branch(14, 1, 0),
    branch(24, 33177, 1966823),
    branch(35, 251327, 256),
    branch(36, 1, 250),
    branch(37, 2n ** 80n, 1),
    branch(38, 1, 199),
    branch(39, 1, 200),
    choice(40, { 1: 0, 2: 0, none: 0 }),
    choice(41, { 1: 1, 2: 3, 3: 4, 4: 7, 5: 1, 6: 3, 7: 3, 8: 10n ** 20n, 9: 5, 10: 4, 11: 3, default: 1 }),
    choice(42, { 1: 1, 2: 1, 3: 1, 4: 1, default: 1 }),
    loop(50, 10, 'while'),
    loop(51, 10n ** 30n, 'suspend'),
    procedure(1000000, 'a_long_name', 10n ** 25n, 2, 3, 2, 4),
  ]),
  file('empty.icn', []),
  file('été/loops.icn', [loop(7, 0, 'every')]),
  file('cases.icn', [choice(3, { default: 10n ** 9n })]),
  file('ifs.icn', [branch(3, 1, 1)]),
  file('blocks.icn', [block(1, 2n ** 63n)]),
  {
    ...file('tokens.icn', [block(3, 1)]),
    tokens: [token(1, 4, 'every', 12), token(1000, 10, '" NAME \\""', 10n ** 20n)],
  },
]

function token(line: number, column: number, text: string, times: number | bigint): ProfiledToken {
  return { line, column, text, count: count(times), ports: null }
}

/** The call by which a file's procedure hands over a token. */
const tokenRow = ({ line, column, text, count: { value } }: ProfiledToken) =>
  `r(6,${line},${column},${value},"${text.replace(/[\\"]/g, '\\$&')}")`

/** The call by which a file's procedure hands over a site; `r` and `f` are its parameters. */
function row(site: ProfiledSite): string {
  const { line } = site
  switch (site.kind) {
    case 'block':
      return `r(1,${line},${site.passes.value})`
    case 'procedure': {
      const counts = [site.calls, site.returns, site.suspends, site.resumptions, site.failures]
      return `r(2,${line},"${site.name}",${counts.map(({ value }) => value).join(',')})`
    }
    case 'if':
      return `r(3,${line},${site.true.value},${site.false.value})`
    case 'case':
      return `r(4,${line},${site.arms.map(({ name, count }) => `"${name}",${count.value}`).join(',')})`
    case 'do':
      return `r(5,${line},${site.passes.value},"${site.loop}")`
    default:
      throw new Error(`${site.kind}: no site of Icon's`)
  }
}

/** A program that registers the files, does what `main` says, and has the stripped prelude linked behind. */
function programText(registered: readonly FileProfile[], declarations: string, main: string): string {
  const parts = registered.map(({ name, sites, tokens }, i) => {
    const before = i > 0 ? `hand${i - 1}(r,f)\n` : ''
    const bytes = Buffer.from(name, 'utf8').toString('latin1')
    return `procedure hand${i}(r,f)\n${before}${[...sites.map(row), ...tokens.map(tokenRow)].join('\n')}\nf("${bytes}")\nend\n`
  })
  const start = `_t_last := hand${registered.length - 1}`
  return `${declarations}\nprocedure main()\n${start}\n${main}\nend\n${parts.join('')}${strippedPrelude()}`
}

function strippedPrelude(): string {
  const lines = readFileSync(new URL('../../prelude/report.icn', import.meta.url), 'latin1').split('\n')
  const stripped = lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('#'))
  return `${stripped.join('\n').replaceAll('scamp_', '_t_')}\n`
}

interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
  readonly saved: string | undefined
}

/** Translates and runs a program; `saved` is what it left in report.txt. */
function run(text: string, environment: Readonly<Record<string, string>> = {}): Outcome {
  const folder = mkdtempSync(join(tmpdir(), 'scamp-report-'))
  try {
    writeFileSync(join(folder, 'program.icn'), text, 'latin1')
    const translated = spawnSync('icont', ['-s', 'program.icn'], { cwd: folder, encoding: 'utf8' })
    if (translated.error) throw new Error(`this test needs icont and iconx on PATH: ${translated.error.message}`)
    expect(translated.stderr).toBe('')
    const env = { ...process.env, SCAMP_REPORT: '', ...environment }
    const { status, stdout, stderr } = spawnSync('./program', [], { cwd: folder, encoding: 'utf8', env })
    let saved: string | undefined
    try {
      saved = readFileSync(join(folder, 'report.txt'), 'utf8')
    } catch {
      saved = undefined
    }
    return { status, stdout, stderr, saved }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const expected = constructs(profile(files))

describe('a program that reports about itself', () => {
  const text = programText(files, '', '_t_main()\n_t_main()\nwrite("end")')

  test('prints to standard error, once, what scamp prints', () => {
    expect(run(text)).toEqual({ status: 0, stdout: 'end\n', stderr: expected, saved: undefined })
  })

  test('prints to the file that SCAMP_REPORT names', () => {
    const outcome = run(text, { SCAMP_REPORT: 'report.txt' })
    expect(outcome).toEqual({ status: 0, stdout: 'end\n', stderr: '', saved: expected })
  })

  test('prints to standard error if it cannot open that file', () => {
    expect(run(text, { SCAMP_REPORT: 'no/such/folder' }).stderr).toBe(expected)
  })

  test('each table alone', () => {
    for (const only of files) {
      for (const kind of ['block', 'procedure', 'if', 'case', 'do']) {
        const part = [
          file(
            only.name,
            only.sites.filter((site) => site.kind === kind),
          ),
        ]
        if (only !== files[0] && part[0].sites.length === 0) continue
        expect(run(programText(part, '', '_t_end()')).stderr).toBe(constructs(profile(part)))
      }
    }
  })

  test('ends only with the outermost main', () => {
    const inner = '/n := 0\nif (n +:= 1) < 3 then main()\nwrite(&errout, n)\n_t_main()'
    expect(run(programText(files, 'global n', inner)).stderr).toBe(`3\n3\n3\n${expected}`)
  })

  test('whatever the names of built-in functions mean by then', () => {
    const declarations =
      'global i, s, t, w, table, write, put, left\nrecord repl(a, b)\nprocedure right()\nend\nprocedure getenv()\nend\n' +
      'procedure open()\nend\nprocedure flush()\nend'
    const main = 'every write | put | left | table | i | s | t | w := 1\n_t_main()'
    expect(run(programText(files, declarations, main)).stderr).toBe(expected)
  })

  test('leaves the keywords as they were', () => {
    const main = `&random := 5; &error := 7
      "abcdef" ? { move(2); _t_end(); proc("write", 0)(&subject, &pos, &random, &error, &trace) }
      &errornumber & write("error")`
    expect(run(programText(files, '', main)).stdout).toBe('abcdef3570\n')
  })

  test('works in a co-expression, and where recursion is deep', () => {
    const declarations = 'procedure down(n)\nif n = 0 then { _t_end(); exit(3) }\ndown(n - 1)\nend'
    for (const main of ['@create down(110)', 'down(600)']) {
      const { status, stderr } = run(programText(files, declarations, main))
      expect({ status, stderr }).toEqual({ status: 3, stderr: expected })
    }
  })

  test('makes no error of its own where nothing can be written', () => {
    const { status, stdout } = run(programText(files, '', 'close(&errout)\n_t_main()\nwrite("end")'))
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'end\n' })
  })
})

test('the prelude is small', () => {
  expect(strippedPrelude().length).toBeLessThan(2000)
})
