// The Icon Program Library at work: its programs, and calls of its procedures, do on the embedded engine what they do on
// iconx. A thirtieth of the calls in every run; with SCAMP_LIBRARY=1 all of them, some minutes long.
import { beforeAll, expect, test } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beyondCompare, difference, runBoth, type Judged } from './fuzz/judge.js'
import { libraryCalls } from './fuzz/library.js'
import { library, requireIcon } from './programs.js'

beforeAll(requireIcon)

/** What the programs of the library read; they are the files with a main procedure. */
const inputs: Record<string, string> = {
  dijkstra: '',
  ichartp: 'the man sees the dog\nthe dog\n',
}

/** Programs that cannot run alone, and why. */
const parts: Record<string, string> = {
  emptygen: 'calls Mp(), which the meta-translator makes',
  eventgen: 'calls Mp(), which the meta-translator makes',
  gen: 'calls program(), which the meta-translator makes',
  identgen: 'calls Mp(), which the meta-translator makes',
  recog: 'calls goal(), which pargen makes',
  sandgen: 'calls Mp(), which the meta-translator makes',
  tokgen: 'calls Mp(), which the meta-translator makes',
}

/** What brings in a main procedure that a file has for its own test. */
const tested = '$define TEST\n'

/** Calls that differ, and why. */
const differing: readonly [RegExp, string][] = [
  [/^binary_unpack_extended_float/, 'real overflow is error 204, as in Icon 9.5'],
  [/^(evallist|exprfile)_/, 'asks for a name that no file has yet'],
]

test('programs', async () => {
  const programs = readdirSync(library)
    .filter((file) => file.endsWith('.icn'))
    .map((file) => ({ name: file.replace('.icn', ''), text: tested + readFileSync(join(library, file), 'latin1') }))
    .filter(({ text }) => /^procedure\s+main\b/m.test(text))
  expect(programs.map(({ name }) => name)).toEqual([...Object.keys(inputs), ...Object.keys(parts)].sort())
  // parts are run too: they end with the same error
  await compare(programs.map(({ name, text }) => ({ name, text, input: inputs[name] ?? '' })))
}, 60_000)

test('calls of procedures', async () => {
  const calls = libraryCalls(3).filter(({ name }) => !differing.some(([pattern]) => pattern.test(name)))
  expect(calls.length).toBeGreaterThan(3000)
  await compare(process.env['SCAMP_LIBRARY'] ? calls : calls.filter((_, i) => i % 30 === 0))
}, 3_600_000)

/** Runs programs on both engines, and fails when some of them differ. */
async function compare(programs: readonly Judged[]): Promise<void> {
  const differences: string[] = []
  for (let from = 0; from < programs.length; from += 100) {
    const some = programs.slice(from, from + 100)
    const endings = await runBoth(some, [], 0.7, true)
    endings.forEach((ending, i) => {
      // functions that draw are not there
      if (beyondCompare(ending.iconx) || ending.embedded.stderr.includes('\nRun-time error 121\n')) return
      const text = difference(ending)
      if (text !== '') differences.push(`${some[i].name}:\n${some[i].text.slice(0, 200)}\n${text}`)
    })
  }
  expect(differences).toEqual([])
}
