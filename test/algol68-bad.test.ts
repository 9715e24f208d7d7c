// Algol 68 texts that are no programs: each ends in one clear message, and what a68g accepts is accepted.
import { beforeAll, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseAlgol68 } from '../src/1-parse/algol68/parse.js'
import type { Stropping } from '../src/1-parse/algol68/scan.js'
import { drawError, ScampError } from '../src/scamp.js'
import { programsIn, requireA68g } from './algol68.js'
import { command, inFolder, runScamp } from './programs.js'

beforeAll(requireA68g)

/** What is wrong with a text, its first line; undefined if nothing. Fails for anything that is no ScampError. */
function wrongWith(text: string, stropping: Stropping = 'upper'): string | undefined {
  try {
    parseAlgol68({ name: 'x.a68', text, language: 'algol68' }, stropping, () => undefined)
    return undefined
  } catch (error) {
    if (!(error instanceof ScampError)) throw error
    return drawError(error).split('\n', 1)[0]
  }
}

/** Which of these texts a68g accepts. */
function acceptedByA68g(texts: readonly string[]): boolean[] {
  return inFolder(Object.fromEntries(texts.map((text, i) => [`${i}.a68`, text])), (cwd) => {
    const loop = `for i in $(seq 0 ${texts.length - 1}); do a68g --check --nowarnings $i.a68 >/dev/null 2>&1; echo $?; done`
    const { stdout } = command('sh', ['-c', loop], { cwd })
    return stdout
      .trim()
      .split('\n')
      .map((status) => status === '0')
  })
}

// what is missing, or too much, in clauses of every kind; quote stropping is told by the apostrophes
const unbalanced = [
  'BEGIN print(1)',
  'print(1) END',
  'BEGIN print(1) OD',
  '(print(1)',
  'print(1))',
  '[1 : 3 INT a; SKIP',
  'a[1',
  ']',
  'IF TRUE THEN 1',
  'IF TRUE 1 FI',
  'IF TRUE THEN SKIP ELSE',
  'IF TRUE THEN SKIP ELIF FALSE FI',
  'SKIP FI',
  'THEN SKIP',
  'IF TRUE THEN SKIP ESAC',
  'CASE 1 IN 2',
  'CASE 1 OUT 2 ESAC',
  'CASE 1 IN 2, ESAC',
  'CASE 1 IN (INT: 3 ESAC',
  'ESAC',
  'CASE 1 IN SKIP FI',
  'CASE 1 IN 2 OUSE 3 ESAC',
  '(1 | 2',
  '(1 |: 2)',
  '(TRUE | 1 |: FALSE | 2',
  '(TRUE | 1 | 2 | 3)',
  'DO SKIP',
  'SKIP OD',
  'WHILE TRUE DO SKIP',
  'FOR i TO 3',
  'TO 3 DO SKIP FI',
  'FOR FROM 1 DO SKIP OD',
  'DO SKIP UNTIL OD',
  'PAR BEGIN SKIP',
  'PAR SKIP',
  'PROC f = (INT x INT: x; SKIP',
  'PROC = VOID: SKIP; SKIP',
  'STRUCT(INT a s; SKIP',
  'UNION(INT, REAL u; SKIP',
  'MODE = INT; SKIP',
  'PRIO + ; SKIP',
  'INT ; SKIP',
  'INT a = ; SKIP',
  'OP + = ; SKIP',
  '1 +',
  'x :=',
  'GOTO',
  'GO x',
  'SKIP EXIT',
  '.',
  ',',
  ':',
  '@',
  'OF',
  'REF',
  'LONG',
]
const unterminated: readonly [text: string, message: string][] = [
  ['SKIP # and so on', 'unterminated comment'],
  ['SKIP CO and so on COMMENT', 'unterminated comment'],
  ['COMMENT and so on CO SKIP', 'unterminated comment'],
  ["'SKIP' 'CO' and so on", 'unterminated comment'],
  ['PR quiet SKIP', 'unterminated pragmat'],
  ['PRAGMAT quiet PR SKIP', 'unterminated pragmat'],
  ["'PR' quiet 'SKIP'", 'unterminated pragmat'],
  ['PR include "x SKIP', 'unterminated string'],
  ['print("abc)', 'unterminated string'],
  ['print("ab\ncd")', 'unterminated string'],
  ['print("a""b)', 'unterminated string'],
  ['printf($g', 'unterminated format'],
  ['printf(($n(3g$, 1))', 'unterminated format'],
  ['printf($"g$)', 'unterminated string'],
  ['printf($f(abc$)', 'unterminated format'],
]
const strangely: readonly [text: string, message: string][] = [
  ["'BEGIN SKIP 'END'", 'a bold word needs an apostrophe on both sides'],
  ["'begin' SKIP 'end", 'a bold word needs an apostrophe on both sides'],
  ['begin print(1) end', 'expected'],
  ['if x then print(1) fi', 'expected'],
  ['Begin print(1) End', 'expected'],
  ['INT _a = 3; SKIP', 'invalid character'],
  ['{ print(1) }', 'invalid character'],
  ['print(1);\x1a', 'invalid character'],
  ['print(1) \xff', 'invalid character'],
]

test.each(unbalanced)('%s', (text) => {
  expect(wrongWith(text)).toMatch(/^x\.a68:1:\d+: (?:expected|unexpected) /)
})

test.each([...unterminated, ...strangely])('%j', (text, message) => {
  const wrong = wrongWith(text, text.startsWith("'") ? 'quote' : 'upper')
  expect(wrong?.replace(/^x\.a68:\d+:\d+: /, '').slice(0, message.length)).toBe(message)
})

test('a68g accepts none of them', () => {
  const texts = [...unbalanced, ...[...unterminated, ...strangely].map(([text]) => text)]
  const accepted = acceptedByA68g(texts)
  expect(texts.filter((_, i) => accepted[i])).toEqual([])
})

test('semicolons alone, a name for an interpreter alone, and nothing else', () => {
  const texts = [';', ';;\n', '(;)', '#!/usr/bin/a68g', '#!/usr/bin/a68g\n', '# so #', '\n']
  expect(texts.map((text) => wrongWith(text) === undefined)).toEqual(acceptedByA68g(texts))
  inFolder({ 'x.a68': '#!/usr/bin/a68g' }, (cwd) => {
    const { status, stdout, stderr } = runScamp(['run', 'x.a68'], { cwd })
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' })
    expect(stderr).toMatch(/no constructs\n$/)
  })
})

// programs as they are when the end of the file is lost, or something in the middle
test('what a cut leaves of a program is refused in a message, unless a68g might accept it', () => {
  const paths = programsIn('samples/algol68', 'test/algol68/small')
  const upToSemicolons = paths.map((path, i) => {
    const text = readFileSync(path, 'latin1')
    for (let at = 0; at < text.length; at += Math.max(1, text.length >> 4)) {
      // fails for anything that is no ScampError
      wrongWith(text.slice(0, at))
      wrongWith(text.slice(0, at) + text.slice(at + 1 + (i % 20)))
    }
    return text.slice(0, text.lastIndexOf(';'))
  })
  // scamp knows no modes: what is a program to it may be none to a68g, but never the other way round
  const some = upToSemicolons.filter((text, i) => text !== '' && i % 3 === 0)
  const accepted = acceptedByA68g(some)
  expect(some.filter((text, i) => accepted[i] && wrongWith(text) !== undefined)).toEqual([])
  expect(accepted.filter(Boolean).length).toBeGreaterThan(5)
})

// what run and instrument answer
test.each([
  ['x.a68', 126, 1],
  ['gzip.a68', 126, 1],
  ['empty.a68', 126, 1],
  ['missing.a68', 127, 2],
  ['.', 127, 2],
])('what is no text: %s', (name, whenRun, whenInstrumented) => {
  const binary = Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)).join('')
  inFolder({ 'x.a68': binary, 'empty.a68': '', 'gzip.a68': '\x1f\x8b\x08\x00\x00' }, (cwd) => {
    for (const [words, expected] of [
      [['run'], whenRun],
      [['instrument', '-o', 'out'], whenInstrumented],
    ] as const) {
      const { status, stderr } = runScamp([...words, '--language', 'algol68', name], { cwd })
      expect(stderr).toMatch(/^scamp: [^\n]+\n$/)
      expect(status).toBe(expected)
    }
  })
})

test('files that include what is not there, themselves and each other', () => {
  const files = {
    'missing.a68': 'PR include "none.a68" PR print("x")',
    'itself.a68': 'PR include "itself.a68" PR\nprint("x")',
    'one.a68': 'PR include "two.a68" PR\nprint("one")',
    'two.a68': 'PR include "one.a68" PR\nprint("two");',
    'empty.a68': 'PR include "" PR print("x")',
    'folder.a68': 'PR include "." PR print("x")',
  }
  inFolder(files, (cwd) => {
    for (const name of Object.keys(files)) {
      const plain = command('a68g', [name], { cwd })
      const { status, stdout, stderr } = runScamp(['run', '-o', 'report', name], { cwd })
      expect({ name, stdout }).toEqual({ name, stdout: plain.stdout })
      expect(status).toBe(plain.status === 0 ? 0 : 126)
      if (status !== 0) expect(stderr).toMatch(/^scamp: /)
      const amended = runScamp(['instrument', '-o', join(cwd, 'out'), name], { cwd })
      expect(amended.stderr).not.toMatch(/^\s+at |internal error/m)
    }
  })
})
