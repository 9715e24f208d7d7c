// What there is to be instrumented: for each language, texts, and what else translates them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

const library = '/usr/lib/icon-ipl'
// icont itself rejects these
const wrong = ['lshade.icn', 'maccolor.icn']

const samples = new URL('../samples/algol68/', import.meta.url).pathname
// as many texts as make about two megabytes
const copies = 55

/**
 * The corpora of a language.
 *
 * folder   an empty folder, where texts that are made for this may be written
 * returns  for each corpus its name, its files, and the command that translates them all; null if there is none: a68g
 *          takes one file at a time, and has no memory for a large one
 */
export const corpora = {
  icon() {
    const files = readdirSync(library)
      .filter((file) => file.endsWith('.icn') && !wrong.includes(file))
      .map((file) => join(library, file))
    return [{ name: 'Icon Program Library', files, translator: ['icont', '-s', '-c', ...files] }]
  },

  /** The samples, programs of 50 to 120 lines, many times over: each a file, and all one text, each in brackets. */
  algol68(folder) {
    const paths = readdirSync(samples)
      .filter((name) => name.endsWith('.a68'))
      .map((name) => join(samples, name))
    const texts = paths.map((path) => ({ name: basename(path), text: readFileSync(path, 'latin1') }))
    const write = (name, text) => {
      writeFileSync(join(folder, name), text, 'latin1')
      return join(folder, name)
    }
    const numbers = Array.from({ length: copies }, (_, i) => i)
    const files = numbers.flatMap((i) => texts.map(({ name, text }) => write(`${i}-${name}`, text)))
    const whole = texts.map(({ text }) => `BEGIN ${text.replace(/^#!.*/, '')} END`).join(';\n')
    const large = write('large.a68', `${numbers.map(() => whole).join(';\n')}\n`)
    return [
      { name: 'samples, each a file', files, translator: null },
      { name: 'samples, all one text', files: [large], translator: null },
    ]
  },
}
