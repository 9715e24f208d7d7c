// The options that choose what of a program's tokens is shown: what they imply, colours, and bad use.
import { expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder, runScamp } from './programs.js'

const text = 'procedure main()\n   every write(p(1 to 3))\nend\nprocedure p(x)\n   return x + 1\nend\n'

/** Runs a command line in a folder with a program; `text` is the report. */
function asking(words: readonly string[], env: Record<string, string> = {}) {
  return inFolder({ 'a.icn': text }, (cwd) => {
    const first = runScamp(['run', ...words, 'a.icn'], { cwd, env })
    const later = runScamp(['report', ...words], { cwd, env })
    const utf8 = (bytes: string) => Buffer.from(bytes, 'latin1').toString('utf8')
    return { status: first.status, ran: utf8(first.stderr), reported: utf8(later.stdout), message: later.stderr }
  })
}

const listing = `a.icn

4  procedure p(x)
5     return x + 1
      3      3 3 3
6  end
`

test.each([
  [['--procedure', 'p'], listing],
  [['--lines', '4-6'], listing],
  [['--lines', '5', '--width', '20'], listing.replace(/4.*\n/, '').replace(/6.*\n/, '')],
  [
    ['--ports', '--lines', '2'],
    `a.icn

       2     every write(p(1 to 3))
  started    1     3     1 1 1  1
                          3
  resumed    0               3
succeeded    0               3
   failed    1               1
`,
  ],
])('%j implies the listing, and that tokens are monitored', (words, expected) => {
  const { status, ran, reported } = asking(words)
  expect(status).toBe(0)
  expect(ran).toBe(expected)
  expect(reported).toBe(expected)
})

test('--hot asks for so many of the most executed tokens', () => {
  expect(asking(['--hot', '1']).reported).toBe(
    'COUNT  TOKEN  PLACE       SOURCE\n    4  to     a.icn:2:20  every write(p(1 to 3))\n',
  )
  expect(asking(['--hot', '3', '--procedure', 'p']).reported.split('\n')).toHaveLength(5)
})

test('a search report of the same', () => {
  expect(asking(['-f', 'search']).ran).toMatch(/^ +1 +3 +3 +to +a\.icn:2:20 /m)
})

test('colours: FORCE_COLOR and NO_COLOR decide, and what is no terminal has none', () => {
  const words = ['-f', 'listing']
  const escape = '\x1b['
  expect(asking(words, { FORCE_COLOR: '1' }).ran).toContain(escape)
  expect(asking(words, { FORCE_COLOR: '1', NO_COLOR: '1' }).reported).toContain(escape)
  expect(asking(words, { FORCE_COLOR: '0' }).ran).not.toContain(escape)
  expect(asking(words).ran).not.toContain(escape)
  inFolder({ 'a.icn': text }, (cwd) => {
    runScamp(['run', ...words, '-o', 'report', 'a.icn'], { cwd, env: { FORCE_COLOR: '1' } })
    expect(readFileSync(join(cwd, 'report'), 'utf8')).not.toContain(escape)
  })
})

test.each([
  [['--lines', '6-4'], /give a line, or the first and the last/],
  [['--lines', 'x'], /give a line, or the first and the last/],
  [['--width', '3'], /at least 20/],
  [['--hot', '0'], /at least 1/],
  [['--procedure', 'q'], /^scamp: procedure q is not there; there are main, p\n$/],
  [['--procedure', 'p', '--lines', '1-3'], /^scamp: procedure p has nothing in lines 1 to 3\n$/],
])('%j is bad use', (words, message) => {
  const { status, ran, message: later } = asking(words)
  expect(status).toBe(125)
  expect(ran).toMatch(message)
  expect(later).not.toBe('')
})
