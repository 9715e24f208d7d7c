// Diffs: as git makes them, and what is none.
import { expect, test } from '@jest/globals'
import fc from 'fast-check'
import { spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readDiff } from '../../src/6-report/patch.js'
import { ScampError } from '../../src/scamp.js'
import { inFolder } from '../programs.js'

/** What git says of two texts of a file. */
function gitDiff(cwd: string, old: string, fresh: string, ...options: string[]): string {
  writeFileSync(join(cwd, 'old.icn'), old, 'latin1')
  writeFileSync(join(cwd, 'new.icn'), fresh, 'latin1')
  const words = ['diff', '--no-index', '--no-color', ...options, 'old.icn', 'new.icn']
  const { stdout, status } = spawnSync('git', words, { cwd, encoding: 'latin1' })
  expect([0, 1]).toContain(status)
  return stdout
}

const linesOf = (text: string) => (text === '' ? [] : text.replace(/\n$/, '').split('\n'))

test('what git calls added stands there in the new text, and the rest was there before', () => {
  const line = fc.constantFrom('a', 'b', '', ' ', '+', '-', '--- a', '+++ b', '@@ -1 +1 @@', '\\ x', 'é\r')
  const text = fc
    .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', '\n'))
    .map(([lines, end]) => lines.join('\n') + end)
  inFolder({}, (cwd) => {
    fc.assert(
      fc.property(text, text, fc.constantFrom(0, 1, 3), (old, fresh, context) => {
        const [patch] = readDiff(gitDiff(cwd, old, fresh, `--unified=${context}`))
        const added = patch?.lines ?? new Map<number, string>()
        const lines = linesOf(fresh)
        for (const [number, what] of added) expect(what).toBe(lines[number - 1])
        let before = linesOf(old)
        lines.forEach((one, i) => {
          if (added.has(i + 1)) return
          const at = before.indexOf(one)
          expect(at).toBeGreaterThanOrEqual(0)
          before = before.slice(at + 1)
        })
      }),
      { numRuns: 100 },
    )
  })
})

test('several files, with names of all kinds', () => {
  const diff = `diff --git a/a.icn b/a.icn
index 1..2 100644
--- a/a.icn
+++ b/a.icn
@@ -3 +3,2 @@ procedure main()
-x
+y
+z
diff --git "a/\\303\\251 \\"\\t.icn" "b/\\303\\251 \\"\\t.icn"
--- "a/\\303\\251 \\"\\t.icn"
+++ "b/\\303\\251 \\"\\t.icn"
@@ -0,0 +1 @@
+new
diff --git a/gone.icn b/gone.icn
deleted file mode 100644
--- a/gone.icn
+++ /dev/null
@@ -1 +0,0 @@
-x
diff --git a/x.png b/x.png
Binary files a/x.png and b/x.png differ
--- plain.icn\t2026-01-01
+++ plain.icn\t2026-01-02
@@ -1,2 +1,2 @@
 same
-old
+new
\\ No newline at end of file
`
  expect(readDiff(diff).map(({ name, lines }) => [name, [...lines]])).toEqual([
    [
      'a.icn',
      [
        [3, 'y'],
        [4, 'z'],
      ],
    ],
    ['é "\t.icn', [[1, 'new']]],
    ['plain.icn', [[2, 'new']]],
  ])
})

test('nothing has changed', () => {
  expect(readDiff('')).toEqual([])
  expect(readDiff('\n')).toEqual([])
})

test('what is no diff, or not a whole one', () => {
  const whole = '--- a/a.icn\n+++ b/a.icn\n@@ -1,2 +1,2 @@\n a\n-b\n+c\n'
  expect(readDiff(whole)).toHaveLength(1)
  const bad = [
    'procedure main()\nend\n',
    whole.slice(0, -3),
    whole.replace('@@ -1,2 +1,2 @@', '@@ from here on @@'),
    whole.replace('-b', '*b'),
    whole.replace('@@ -1,2 +1,2 @@', '@@@ -1,2 -1,2 +1,2 @@@'),
    '@@ -1 +1 @@\n-a\n+b\n',
  ]
  for (const diff of bad) expect(() => readDiff(diff)).toThrow(ScampError)
})

test('whatever it is given, it reads it or says why not', () => {
  const pieces = fc.constantFrom(
    '--- a',
    '+++ b',
    '@@ -1 +1 @@',
    '@@ -1,9 +1,9 @@',
    '+x',
    '-x',
    ' x',
    '',
    '"',
    'diff --git a b',
    '\\',
  )
  fc.assert(
    fc.property(fc.array(pieces), (lines) => {
      try {
        readDiff(lines.join('\n'))
      } catch (error) {
        expect(error).toBeInstanceOf(ScampError)
      }
    }),
    { numRuns: 500 },
  )
})
