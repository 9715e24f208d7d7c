// A unified diff, such as `git diff` prints, → the lines that it adds.
import { ScampError } from '../error.js'

/**
 * What a diff adds to one file.
 *
 * name   of the new file, as the diff spells it, without `b/`
 * lines  the texts of the lines added, without newlines, by their numbers in the new file, from 1
 */
export interface Patch {
  readonly name: string
  readonly lines: ReadonlyMap<number, string>
}

/**
 * Reads a diff, its bytes as latin1. What it only removes, renames or calls binary adds nothing.
 *
 * throws  ScampError if it is none, is cut short, or is one of a merge against several parents
 */
export function readDiff(text: string): Patch[] {
  const lines = text.split('\n')
  if (lines[lines.length - 1] === '') lines.pop()
  const patches: Patch[] = []
  let added: Map<number, string> | undefined
  let isDiff = lines.every((line) => line.trim() === '')
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]
    if (line.startsWith('@@@'))
      throw new ScampError('a diff against several parents cannot be read; make one against one')
    if (/^diff --git |^Binary files /.test(line)) {
      isDiff = true
      added = undefined
    } else if (line.startsWith('+++ ') && lines[at - 1]?.startsWith('--- ')) {
      isDiff = true
      added = new Map()
      const name = nameIn(line.slice(4))
      if (name !== undefined) patches.push({ name, lines: added })
    } else if (line.startsWith('@@ ')) {
      const range = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line)
      if (!range || !added) throw new ScampError(`line ${at + 1} of the diff is not understood: ${line.slice(0, 60)}`)
      at = readHunk(lines, at + 1, added, Number(range[1] ?? 1), Number(range[2]), Number(range[3] ?? 1)) - 1
    }
  }
  if (!isDiff) throw new ScampError('this is no diff: make one with git diff')
  return patches
}

/** Reads a hunk of so many old and new lines, the first of them number `number`. Answers where it ends. */
function readHunk(
  lines: readonly string[],
  start: number,
  added: Map<number, string>,
  old: number,
  number: number,
  fresh: number,
): number {
  let at = start
  while (old > 0 || fresh > 0) {
    const line = lines[at++]
    if (line === undefined) throw new ScampError('the diff is cut short')
    switch (line[0]) {
      case '+':
        added.set(number++, line.slice(1))
        fresh--
        break
      case '-':
        old--
        break
      case '\\':
        break
      // some tools strip the blank of an empty line
      case ' ':
      case undefined:
        number++
        old--
        fresh--
        break
      default:
        throw new ScampError(`line ${at} of the diff is not understood: ${line.slice(0, 60)}`)
    }
  }
  return at
}

/** The name after `+++`; undefined if the file is gone. */
function nameIn(text: string): string | undefined {
  const spelled = text.startsWith('"')
    ? unquoted(text)
    : Buffer.from(text.replace(/[\t\r].*$/, ''), 'latin1').toString()
  return spelled === '/dev/null' ? undefined : spelled.replace(/^b\//, '')
}

const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' }

/** A name as git quotes it: in C's manner, other than ASCII as octal bytes. */
function unquoted(text: string): string {
  const inside = /^"((?:[^"\\]|\\.)*)"/.exec(text)?.[1] ?? text
  const bytes = inside.replace(/\\([0-7]{3}|.)/g, (_, code: string) => {
    return /^[0-7]{3}$/.test(code) ? String.fromCharCode(parseInt(code, 8)) : (escapes[code] ?? code)
  })
  return Buffer.from(bytes, 'latin1').toString()
}
