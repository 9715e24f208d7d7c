// Syntax colours: they come from the scanners' tokens, and cover each text once, in order.
import { expect, test } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { coloursOf } from '../src/1-parse/colours.js'
import type { Language } from '../src/source.js'
import { library, requireIcon, root } from './programs.js'

/** The coloured runs of a text, each as `colour: text`. */
function spell(text: string, language: Language): string[] {
  return coloursOf({ name: 'x', text, language }).map(
    ({ start, end, colour }) => `${colour}: ${text.slice(start, end)}`,
  )
}

test('Icon', () => {
  const text = `$define TEN 10
$ifdef NEVER
   left_out("x")
$endif
procedure main()  # "no string"
   every write(&null | not TEN | 1.5 | 'a' | "b_
      c")
end
`
  expect(spell(text, 'icon')).toEqual([
    'directive: $define TEN 10',
    'directive: $ifdef NEVER',
    'left out: left_out("x")',
    'directive: $endif',
    'keyword: procedure',
    'comment: # "no string"',
    'keyword: every',
    'constant: &null',
    'keyword: not',
    'directive: TEN',
    'number: 1.5',
    "string: 'a'",
    'string: "b_\n      c"',
    'keyword: end',
  ])
})

test('Algol 68', () => {
  const text = `BEGIN CO a comment CO INT n = 12; PR echo "x" PR
  printf(($g(0)l$, n)) # another #; IF n OVER 2 = 6 AND TRUE THEN print("yes") FI
END`
  expect(spell(text, 'algol68')).toEqual([
    'keyword: BEGIN',
    'comment: CO a comment CO',
    'mode: INT',
    'number: 12',
    'directive: PR echo "x" PR',
    'string: $',
    'string: g',
    'number: 0',
    'string: l',
    'string: $',
    'comment: # another #',
    'keyword: IF',
    'operator: OVER',
    'number: 2',
    'number: 6',
    'operator: AND',
    'constant: TRUE',
    'keyword: THEN',
    'string: "yes"',
    'keyword: FI',
    'keyword: END',
  ])
})

test('a text that is no program has colours all the same', () => {
  expect(spell('procedure ` "open', 'icon')).toEqual(['keyword: procedure', 'string: "open'])
})

test('the runs of every text of the library are in order, apart and within it', () => {
  requireIcon()
  const folder = join(root, 'samples/algol68')
  const texts = [
    ...readdirSync(library)
      .filter((name) => name.endsWith('.icn'))
      .map((name) => [join(library, name), 'icon'] as const),
    ...readdirSync(folder)
      .filter((name) => name.endsWith('.a68'))
      .map((name) => [join(folder, name), 'algol68'] as const),
  ]
  expect(texts.length).toBeGreaterThan(300)
  for (const [name, language] of texts) {
    const text = readFileSync(name, 'latin1')
    let last = 0
    for (const { start, end } of coloursOf({ name, text, language })) {
      if (start < last || end <= start || end > text.length) throw new Error(`${name}: a run from ${start} to ${end}`)
      last = end
    }
  }
})
