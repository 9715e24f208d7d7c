// The Icon Program Library: 397 files of other people's Icon, as they stand in Debian's package.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { parseIcon } from '../src/1-parse/icon/parse.js'
import type { ReadInclude } from '../src/1-parse/icon/preprocess.js'
import { drawError, ScampError } from '../src/error.js'
import { instrument, instrumentForLauncher, type Source } from '../src/scamp.js'
import { positionOf } from '../src/source.js'
import { mutate, randomIntegers } from './mutate.js'
import { command, inFolder, library, requireIcon } from './programs.js'

beforeAll(requireIcon)

const files = () =>
  readdirSync(library)
    .filter((name) => name.endsWith('.icn'))
    .sort()
const read = (name: string) => readFileSync(join(library, name), 'latin1')

const readInclude: ReadInclude = (name) => {
  try {
    return { name, text: read(basename(name)), language: 'icon' }
  } catch {
    return undefined
  }
}

/** What icont says of a text: the line of its first complaint, 0 if it has none, -1 for the end of the file. */
function icontVerdict(folder: string, text: string): number {
  writeFileSync(join(folder, 'text.icn'), text, 'latin1')
  const { status, stderr } = command('icont', ['-s', '-c', 'text.icn'], { cwd: folder })
  if (status === 0) return 0
  const first = stderr.split('\n')[0]
  return /unexpected end of file/.test(first) ? -1 : Number(/Line (\d+)/.exec(first)?.[1])
}

/** What scamp says, in the same terms; and its message. */
function ourVerdict(text: string): { line: number; message: string } {
  try {
    parseIcon({ name: 'text.icn', text, language: 'icon' }, readInclude)
    return { line: 0, message: '' }
  } catch (error) {
    if (!(error instanceof ScampError) || !error.source || !error.span) throw error
    const atEnd = error.message.endsWith('before the end of the file')
    return { line: atEnd ? -1 : positionOf(error.source, error.span.start).line, message: drawError(error) }
  }
}

describe("icont's verdicts", () => {
  test('on every file of the library', () => {
    inFolder({}, (folder) => {
      expect(files().length).toBeGreaterThan(390)
      for (const name of files())
        expect([name, ourVerdict(read(name)).line]).toEqual([name, icontVerdict(folder, read(name))])
    })
  })

  // SCAMP_MUTANTS=20000 for a long search
  const mutants = Number(process.env.SCAMP_MUTANTS ?? 2400)
  test(`on ${mutants} mutants of them`, () => {
    const below = randomIntegers(20261120)
    const names = files()
    inFolder({}, (folder) => {
      let rejected = 0
      for (let i = 0; i < mutants; i++) {
        const name = names[below(names.length)]
        const { text, description } = mutate(read(name), below)
        const theirs = icontVerdict(folder, text)
        const ours = ourVerdict(text)
        if (theirs !== 0) rejected++
        // an end that comes too early has no line in icont's message
        if (theirs === -1 && ours.line !== 0) continue
        expect([i, name, description, ours.line, ours.message && '']).toEqual([
          i,
          name,
          description,
          theirs,
          ours.message && '',
        ])
      }
      expect(rejected).toBeGreaterThan(mutants / 4)
    })
  })
})

describe('every instrumented file is translated without a complaint', () => {
  // icont itself rejects these two
  const accepted = () => files().filter((name) => !['lshade.icn', 'maccolor.icn'].includes(name))
  const options = { probing: 'basis', monitor: 'constructs', lpath: library, sandbox: false } as const
  const forms = {
    launched: (source: Source) => instrumentForLauncher([source], true, options),
    'self-contained': (source: Source) => instrument([source], options),
  }

  for (const [form, make] of Object.entries(forms)) {
    test(form, async () => {
      let input = 0
      let output = 0
      for (const name of accepted()) {
        const [{ text }] = await make({ name, text: read(name), language: 'icon' })
        inFolder({ [name]: text }, (cwd) => {
          expect([name, command('icont', ['-s', '-c', name], { cwd })]).toEqual([
            name,
            { status: 0, signal: null, stdout: '', stderr: '' },
          ])
        })
        expect(text.split('\n').length).toBeGreaterThanOrEqual(read(name).split('\n').length)
        input += read(name).length
        output += text.length
      }
      if (form === 'self-contained') expect(output).toBeLessThanOrEqual(2 * input)
    })
  }
})
