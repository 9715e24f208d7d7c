// Every procedure file of the Icon Program Library compiles on the embedded engine: with all that it links, and with
// all of its procedures in use. What icont rejects (two files of Debian's) need not.
import { beforeAll, expect, test } from '@jest/globals'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileFunction } from 'node:vm'
import { parseIcon, type IconTree } from '../src/1-parse/icon/parse.js'
import { compile } from '../src/4-run/icon/compile.js'
import { command, inFolder, library, requireIcon } from './programs.js'

beforeAll(requireIcon)

const read = (name: string) => readFileSync(join(library, name), 'latin1')

function treeOf(name: string, text: string): IconTree {
  return parseIcon({ name, text, language: 'icon' }, (included) =>
    existsSync(join(library, included)) ? { name: included, text: read(included), language: 'icon' } : undefined,
  )
}

/** A file's tree and those of the files that it links. */
function linked(main: IconTree): IconTree[] {
  const trees = [main]
  const known = new Set<string>([main.source.name])
  for (let i = 0; i < trees.length; i++) {
    for (const declaration of trees[i].program.declarations) {
      if (declaration.kind !== 'Link') continue
      for (const { name } of declaration.files) {
        const file = `${name.replace(/^"(.*)"$/, '$1').replace(/\.(icn|u1|u2)$/, '')}.icn`
        if (known.has(file) || !existsSync(join(library, file))) continue
        known.add(file)
        trees.push(treeOf(file, read(file)))
      }
    }
  }
  return trees
}

test('all files compile', () => {
  const names = readdirSync(library).filter((name) => name.endsWith('.icn'))
  expect(names.length).toBeGreaterThan(300)
  const failures: string[] = []
  for (const name of names) {
    const text = read(name)
    // all procedures count as used; a file without main gets one
    const whole = `${text}\ninvocable all\n${/^procedure\s+main\b/m.test(text) ? '' : 'procedure main()\nend\n'}`
    try {
      compileFunction(compile(linked(treeOf(name, whole)), { trace: false, counters: new Map() }).script, ['RT'])
    } catch (error) {
      const judged = inFolder({ [name]: text }, (cwd) => command('icont', ['-s', '-c', name], { cwd }))
      if (judged.status === 0) failures.push(`${name}: ${String(error)}`)
    }
  }
  expect(failures).toEqual([])
})
