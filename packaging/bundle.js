// Puts each program of dist/ into one file with the modules it imports: Node takes longer to find and load seventy modules
// than to do all that a small program asks for. The modules stay where they are, for those who import them.
import { bundle } from '@swc/core'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { useCommandLine, useEngine, warm } from './warm.js'

const dist = fileURLToPath(new URL('../dist/', import.meta.url))
const [commandLine, engine] = ['cli/scamp.js', 'src/4-run/embedded-worker.js']
const programs = [commandLine, 'cli/launch.js', engine]
const packages = Object.keys(JSON.parse(readFileSync(join(dist, '../package.json'), 'utf8')).dependencies)

// what stands for a module's own place while the bundler, which knows better, is at work
const placed = /globalThis\.placeOf\(((?:"[^"]*")|(?:'[^']*'))\)/g

const folder = mkdtempSync(join(tmpdir(), 'scamp-bundle-'))
try {
  for (const program of programs) writeFileSync(join(dist, program), await bundled(program))
} finally {
  rmSync(folder, { recursive: true })
}
await warm(join(dist, commandLine), useCommandLine)
await warm(join(dist, engine), useEngine)

async function bundled(program) {
  const modules = join(folder, program.replace(/\W/g, '-'))
  cpSync(dist, modules, { recursive: true })
  for (const file of readdirSync(modules, { recursive: true, encoding: 'utf8' })) {
    if (file.endsWith('.js')) keepPlace(join(modules, file), relative(dirname(program), file))
  }
  const output = await bundle({
    entry: { program: join(modules, program) },
    output: { path: modules, name: 'program' },
    module: {},
    target: 'node',
    mode: 'production',
    externalModules: [...packages, ...builtinModules.flatMap((name) => [name, `node:${name}`])],
    options: { minify: false, jsc: { target: 'es2022', parser: { syntax: 'ecmascript' } } },
  })
  const [start] = /^(#!.*\n)?/.exec(readFileSync(join(modules, program), 'utf8'))
  const code = Object.values(output)[0].code.replaceAll(placed, 'new URL($1, import.meta.url)')
  return code.startsWith('#!') ? code : start + code
}

/** A module's own place is what it was, though its text is now elsewhere. */
function keepPlace(file, path) {
  const text = readFileSync(file, 'utf8')
  if (!text.includes('import.meta.url')) return
  const place = JSON.stringify(path.startsWith('.') ? path : `./${path}`)
  writeFileSync(file, text.replaceAll('import.meta.url', `globalThis.placeOf(${place})`))
}
