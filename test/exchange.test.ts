// What scamp writes for other tools, judged by those tools where there are any: genhtml, xmllint, Istanbul's reader,
// callgrind_annotate.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import coverage, { type CoverageMapData } from 'istanbul-lib-coverage'
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { command, root, runScamp, type Outcome } from './programs.js'

// a file name with all that a format might trip over
const odd = `a&b<c>"d'e,f;g|h i.icn`
const odder = `procedure main()
   kind(1 to 3)
   # scamp: ignore nothing
   every kind(1 to 40)
end

procedure kind(n)
   case n of {
      1: return "one"
      2: return "two"
      }
   if n > 100 then return "many"
end
`
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'scamp-test-'))
  cpSync(join(root, 'samples/icon/classify.icn'), join(folder, 'classify.icn'))
  writeFileSync(join(folder, odd), odder)
  writeFileSync(
    join(folder, 'ends.a68'),
    'BEGIN\n  PROC p = VOID: SKIP;\n  IF 1 = 2 THEN p FI;\n  OP SQ = (INT i) INT: i * i;\n  print(SQ 2)\nEND\n',
  )
  for (const file of ['classify.icn', odd, 'ends.a68']) {
    const monitor = file === odd ? ['--monitor', 'tokens'] : []
    const { status, stderr } = runScamp(['run', ...monitor, '-f', 'json', '-o', '/dev/null', file], { cwd: folder })
    if (status !== 0) throw new Error(stderr)
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The profile in a format. */
function exported(format: string, ...options: string[]): string {
  const { status, stdout, stderr } = reporting(['-f', format, ...options])
  if (status !== 0) throw new Error(stderr)
  return stdout
}

function reporting(
  options: readonly string[],
  env: Record<string, string> = { SOURCE_DATE_EPOCH: '1000000000' },
): Outcome {
  return runScamp(['report', ...options], { cwd: folder, env })
}

function write(name: string, text: string): string {
  writeFileSync(join(folder, name), text, 'latin1')
  return name
}

/** Runs a judge; a missing one is a failure. */
function judge(name: string, ...args: string[]): Outcome {
  try {
    return command(name, args, { cwd: folder })
  } catch {
    throw new Error(`${name} is needed to judge: apt-get install lcov libxml2-utils valgrind`)
  }
}

test('lcov: genhtml makes its pages of it, and finds the same', () => {
  write('lcov.info', exported('lcov'))
  const { status, stdout, stderr } = judge('genhtml', '--branch-coverage', '-o', 'pages', 'lcov.info')
  expect(stderr).toBe('')
  expect(status).toBe(0)
  expect(stdout).toMatch(/lines\.*: 95\.2% \(20 of 21 lines\)/)
  expect(stdout).toMatch(/functions\.*: 83\.3% \(5 of 6 functions\)/)
  const pages = readdirSync(join(folder, 'pages'), { recursive: true, encoding: 'utf8' })
  expect(pages.some((name) => name.endsWith('classify.icn.gcov.html'))).toBe(true)
})

describe('Cobertura', () => {
  const at = (path: string) => judge('xmllint', '--xpath', `string(${path})`, 'cobertura.xml').stdout.trimEnd()

  test('fits its DTD', () => {
    write('cobertura.xml', exported('cobertura'))
    const { status, stderr } = judge(
      'xmllint',
      '--noout',
      '--nonet',
      '--dtdvalid',
      join(root, 'test/cobertura.dtd'),
      'cobertura.xml',
    )
    // that there is no network is not amiss
    expect(stderr).not.toMatch(/validity|parser error|does not/i)
    expect(status).toBe(0)
  })

  test('tells lines, branches and procedures', () => {
    expect(at('/coverage/@timestamp')).toBe('1000000000000')
    const line = '//class[@name="classify.icn"]/lines/line[@number="10"]'
    expect(at(`${line}/@hits`)).toBe('9')
    expect(at(`${line}/@condition-coverage`)).toBe('50% (1/2)')
    expect(at('//class[@name="classify.icn"]/methods/method[2]/@name')).toBe('kind')
    // called nowhere, and the lines behind it are the program's
    expect(at('//method[@name="p"]/@line-rate')).toBe('0')
    expect(at('count(//class)')).toBe('3')
    expect(judge('xmllint', '--xpath', '//class/@filename', 'cobertura.xml').stdout).toContain('a&amp;b&lt;c&gt;')
  })
})

test('Clover: is XML, and tells the same', () => {
  write('clover.xml', exported('clover'))
  expect(judge('xmllint', '--noout', '--nonet', 'clover.xml').status).toBe(0)
  const at = (path: string) => judge('xmllint', '--xpath', `string(${path})`, 'clover.xml').stdout.trimEnd()
  expect(at('/coverage/@generated')).toBe('1000000000000')
  expect(at('//file[@path="classify.icn"]/line[@num="10"]/@truecount')).toBe('1')
  expect(at('//project/metrics/@methods')).toBe('6')
})

test("Istanbul's reader reads its JSON, and can add it up", () => {
  const map = coverage.createCoverageMap(JSON.parse(exported('istanbul')) as CoverageMapData)
  map.merge(JSON.parse(exported('istanbul')) as CoverageMapData)
  expect(map.files().sort()).toEqual([odd, 'classify.icn', 'ends.a68'].sort())
  const file = map.fileCoverageFor('classify.icn')
  expect(file.getLineCoverage()[16]).toBe(200)
  expect(file.toSummary().toJSON()).toMatchObject({
    functions: { total: 2, covered: 2 },
    branches: { total: 16, covered: 14 },
    lines: { total: 9, covered: 9 },
  })
  const names = Object.values(map.fileCoverageFor('ends.a68').fnMap).map(({ name }) => name)
  expect(names).toEqual(['p', 'SQ'])
})

test('TeamCity: totals as service messages', () => {
  const text = exported('teamcity')
  const values = Object.fromEntries(
    [...text.matchAll(/key='CodeCoverageAbs(\w+)' value='(\d+)'/g)].map(([, key, value]) => [key, Number(value)]),
  )
  expect(values).toMatchObject({ MCovered: 5, MTotal: 6 })
  expect(values.LCovered).toBeLessThan(values.LTotal)
})

test('callgrind: callgrind_annotate reads it', () => {
  write('callgrind.out', exported('callgrind'))
  const { status, stdout } = judge('callgrind_annotate', '--auto=no', 'callgrind.out')
  expect(status).toBe(0)
  expect(stdout).toMatch(/Events recorded:\s+Executions/)
  expect(stdout).toMatch(new RegExp(`${odd.replace(/[|]/g, '\\$&')}:kind`))
})

test('collapsed stacks: a line each, their costs the same as those of callgrind', () => {
  const lines = exported('collapsed').trimEnd().split('\n')
  for (const line of lines) expect(line).toMatch(/^[^;]+;[^;]+;line \d+ \d+$/)
  const total = lines.reduce((sum, line) => sum + Number(/\d+$/.exec(line)![0]), 0)
  expect(exported('callgrind')).toContain(`\nsummary: ${total}\n`)
})

test('GitHub: a warning at each line that lacks something', () => {
  const lines = exported('github').trimEnd().split('\n')
  expect(lines).toContain('::warning file=classify.icn,line=10,col=29,title=never happened::if true: never, of 9')
  for (const line of lines) expect(line).toMatch(/^::warning file=[^,]+,line=\d+,col=\d+,title=never happened::.+$/)
  expect(lines.find((line) => line.includes('ends.a68'))).toContain('procedure p: never called')
})

test('markdown: a table, and what never happened', () => {
  const text = exported('markdown')
  expect(text).toMatch(/^\*\*\d+% covered\*\*: \d+ of \d+ items\n/)
  expect(text).toContain('| `classify.icn` | 100% (2/2) | 88% (14/16) | \xe2\x80\x93 | 100% (9/9) | 89% (17/19) |')
  expect(text).toContain('- `classify.icn:7` `case none`: never, of 25\n')
  for (const row of text.split('\n').filter((line) => line.startsWith('|'))) {
    expect(row.replace(/\\\|/g, '').split('|').length).toBe(8)
  }
})

describe('every format', () => {
  const formats = [
    'lcov',
    'cobertura',
    'clover',
    'istanbul',
    'markdown',
    'github',
    'teamcity',
    'callgrind',
    'collapsed',
    'html',
    'json',
  ]

  test('says the same again', () => {
    for (const format of formats) expect(exported(format)).toBe(exported(format))
  })

  test('calls files by their paths from the root, or as mappings say', () => {
    for (const format of formats.filter((one) => one !== 'teamcity' && one !== 'html')) {
      const text = exported(format, '--map', 'classify.icn=/elsewhere/of "mine"/x.icn', '--map', `${folder}=`)
      expect(text).toContain('elsewhere')
      expect(text).not.toContain('classify.icn')
      expect(text).not.toContain(folder)
    }
    const below = exported('lcov', '--source-root', join(folder, '..'))
    expect(below).toMatch(/^SF:scamp-test-\w+\/classify\.icn$/m)
    expect(exported('lcov', '--source-root', '/nowhere')).toMatch(/^SF:classify\.icn$/m)
  })

  test('refuses what cannot be meant', () => {
    expect(exported('lcov', '--map', 'classify.icn=/elsewhere/x.icn')).toContain('\nSF:/elsewhere/x.icn\n')
    expect(reporting(['-f', 'lcov', '--map', 'nonsense']).stderr).toBe('scamp: a mapping is FROM=TO, not nonsense\n')
    const both = reporting(['-f', 'lcov', '--map', 'classify.icn=ends.a68'])
    expect(both.stderr).toMatch(/^scamp: both \S+ and \S+ would be called ends\.a68\n$/)
    expect(both.status).toBe(1)
    const epoch = reporting(['-f', 'clover'], { SOURCE_DATE_EPOCH: 'yesterday' })
    expect(epoch.stderr).toBe('scamp: SOURCE_DATE_EPOCH is to be a number of seconds, not yesterday\n')
  })
})
