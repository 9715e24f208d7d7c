// Puts beside the embedded engine's program what V8 made of its text when it compiled something: loading it, Node neither
// parses that text nor compiles what is used of it at every start. Another V8 than the one that built it does both, as ever.
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Script } from 'node:vm'

const imports = /^import (?:\{([^}]*)\} from )?'(node:\w+)';\n/gm

const samples = ['classify', 'queens', 'words'].map((name) => {
  const text = readFileSync(new URL(`../samples/icon/${name}.icn`, import.meta.url), 'latin1')
  return {
    name: `${name}.icn`,
    text: `${text.replace(/\bprocedure main\b/, `procedure main_of_${name}`)}\n`,
    language: 'icon',
  }
})

/**
 * Turns a program of one file into a script, with V8's cache for it, and a module that starts it.
 *
 * path   of the program: PATH.js becomes the module, beside PATH.script and PATH.cache
 */
export function warm(path) {
  const script = path.replace(/js$/, 'script')
  const cache = path.replace(/js$/, 'cache')
  const body = readFileSync(path, 'utf8')
    .replace(imports, required)
    .replace(/[^ -~\s]/g, escaped)
  const text = `(function (require, process) {\n${body}})`
  const compiled = new Script(text, { filename: script })
  run(compiled)
  writeFileSync(script, text)
  writeFileSync(cache, compiled.createCachedData())
  writeFileSync(path, starter(script, cache))
}

/** import { a as b } from 'c'  →  const { a: b } = require('c') */
const required = (_, names, module) =>
  names === undefined ? '' : `const {${names.replaceAll(' as ', ': ')}} = require('${module}');\n`

/** V8 keeps a text of plain ASCII in half the room, and finds it sooner. */
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/** Has the engine compile the samples, as a thread would; nothing of them runs but a procedure main that does nothing. */
function run(compiled) {
  const main = { name: 'main.icn', text: 'invocable all\nprocedure main()\nend\n', language: 'icon' }
  const job = {
    sources: [main, ...samples],
    args: [],
    name: 'main',
    included: [],
    prefixes: new Map(),
    cells: new Float64Array(),
    bell: new Int32Array(1),
    stdin: 0,
    sandbox: false,
  }
  const require = createRequire(import.meta.url)
  const thread = { parentPort: { postMessage: say }, receiveMessageOnPort: () => undefined, workerData: { job } }
  // flags of V8 that the engine sets would make the cache another's
  const stands = { 'node:worker_threads': thread, 'node:v8': { ...require('node:v8'), setFlagsFromString: () => {} } }
  const exit = (status) => {
    if (status !== 0) throw new Error(`the engine ended with status ${status}`)
  }
  const standing = Object.create(process, { exit: { value: exit } })
  compiled.runInThisContext()((name) => stands[name] ?? require(name), standing)
}

function say(notice) {
  if (notice.kind === 'wrong') throw new Error(notice.message)
}

function starter(script, cache) {
  const name = (path) => JSON.stringify(`./${path.replace(/.*\//, '')}`)
  return `import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Script } from 'node:vm'

const read = (name) => readFileSync(new URL(name, import.meta.url))
const script = new Script(read(${name(script)}).toString('latin1'), { filename: 'scamp', cachedData: read(${name(cache)}) })
script.runInThisContext()(createRequire(import.meta.url), process)
`
}
