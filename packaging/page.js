// Puts the page's program and its looks into one file each: a page holds them whole, and says by their hashes that nothing
// else may run or be looked at.
import { bundle } from '@swc/core'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const modules = fileURLToPath(new URL('../dist/page/', import.meta.url))
const source = fileURLToPath(new URL('../page/', import.meta.url))

const output = await bundle({
  entry: { page: join(modules, 'main.js') },
  output: { path: dirname(modules), name: 'page' },
  module: {},
  mode: 'production',
  options: {
    minify: true,
    jsc: { target: 'es2022', parser: { syntax: 'ecmascript' }, minify: { compress: true, mangle: true } },
  },
})
for (const file of readdirSync(modules)) rmSync(join(modules, file))
// the end of a script element must not stand in it
const code = Object.values(output)[0].code.replaceAll('</', '<\\/')
// in the order of their numbers; comments and blanks are for those who write them
const looks = readdirSync(join(source, 'looks'))
  .sort()
  .map((name) => readFileSync(join(source, 'looks', name), 'utf8'))
  .join('')
  .replace(/\/\*[^]*?\*\//g, '')
  .replace(/\s+/g, ' ')
// in page/ too, for those who run scamp from its sources
for (const folder of [source, modules]) {
  writeFileSync(join(folder, 'page.js'), code)
  writeFileSync(join(folder, 'page.css'), looks)
}
