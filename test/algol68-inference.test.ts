// Inferred counts of random Algol 68 programs are those that a counter everywhere gives; both keep the laws, and the
// programs notice nothing. `ALGOL68_FUZZ=2000 npx jest test/algol68-inference` tries that many; FUZZ_SEED is the first seed.
import { beforeAll, expect, test } from '@jest/globals'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAlgol68 } from '../src/1-parse/algol68/parse.js'
import { report, runAlgol68, usualInstrumenting, type Instrumenting, type Source } from '../src/scamp.js'
import { countsIn, requireA68g, type JsonReport } from './algol68.js'
import { breaches } from './algol68-laws.js'
import { algol68ProgramOf } from './fuzz/algol68.js'
import { command } from './programs.js'

beforeAll(requireA68g)

const total = Number(process.env['ALGOL68_FUZZ'] || 40)
const first = Number(process.env['FUZZ_SEED'] || 1)

// how a68g shows the line of an error, and the clause that it is in, which may be one of ours
const withoutClause = (output: string) =>
  output.replace(/^\d+ {2,}[^]*?(?=^a68g: )/m, '').replace(/^(a68g: runtime error: .*?), in [^\n]*$/gm, '$1')

test(`${total} random programs from seed ${first} on`, async () => {
  const wrong: string[] = []
  for (let seed = first; seed < first + total; seed++) {
    const said = await judge(algol68ProgramOf(seed))
    if (said.length > 0) wrong.push(`seed ${seed}: ${said.slice(0, 5).join('\n')}`)
  }
  expect(wrong).toEqual([])
}, 36_000_000)

/** What is wrong with the counts of a program. */
function judge(text: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scamp-test-'))
  const source = { name: join(folder, 'x.a68'), text, language: 'algol68' } as const
  writeFileSync(source.name, text)
  return judgeSource(source, folder).finally(() => rmSync(folder, { recursive: true, force: true }))
}

async function judgeSource(source: Source, folder: string): Promise<string[]> {
  const plain = command('timeout', ['5', 'a68g', '--nowarnings', source.name], { cwd: folder })
  // one that calls itself too often
  if (plain.status === 124) return []
  const basis = await countsOf(source, folder, { monitor: 'constructs', probing: 'basis' })
  const actions = await countsOf(source, folder, { monitor: 'actions', probing: 'basis' })
  const all = await countsOf(source, folder, { monitor: 'actions', probing: 'all' })
  const tree = parseAlgol68(source, 'upper', () => undefined)
  const said = [basis, actions, all].flatMap(({ output, json }) => [
    ...(withoutClause(output) === withoutClause(plain.stdout) ? [] : [`not ${plain.stdout}\nbut ${output}`]),
    ...(json ? breaches(tree, json, plain.status === 0) : ['no counts']),
  ])
  // how deep the stack is depends on what is counted
  if (!all.json || plain.stdout.includes('stack overflow')) return said
  const truth = countsIn(all.json)
  for (const { json } of [basis, actions]) {
    for (const [key, { count, exact }] of json ? countsIn(json) : []) {
      const right = truth.get(key)!
      const isWrong = right.exact && (exact ? count !== right.count : count < right.count)
      if (isWrong) said.push(`${key}: ${exact ? '' : '≤'}${count}, not ${right.count}`)
    }
  }
  return said
}

/** What a program writes under scamp, and what that counts. */
async function countsOf(source: Source, folder: string, how: Pick<Instrumenting, 'monitor' | 'probing'>) {
  let output = ''
  const { profile } = await runAlgol68(
    source,
    { ...usualInstrumenting, ...how },
    {
      a68g: undefined,
      flags: ['--nowarnings'],
      checkFlags: [],
      words: ['a68g', source.name],
      folder: join(folder, 'profiles'),
      context: '',
      timeoutSeconds: 20,
      write: (chunk) => void (output += chunk),
      writeError: () => undefined,
      onStart: () => undefined,
    },
  )
  return { output, json: profile && (JSON.parse(report(profile, 'json')) as JsonReport) }
}
