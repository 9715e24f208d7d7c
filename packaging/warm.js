// Puts beside a program what V8 made of its text while the program did something: starting, Node then neither parses that
// text nor compiles what is used of it. Another V8 than the one that built it does both, as ever.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { Script } from 'node:vm'

const samples = ['classify', 'queens', 'words'].map((name) =>
  fileURLToPath(new URL(`../samples/icon/${name}.icn`, import.meta.url)),
)

/**
 * Turns a program of one file into a script, with V8's cache for it, and a module that starts it.
 *
 * path   of the program: PATH.js becomes the module, beside PATH.script and PATH.cache
 * use    has the program do something: called with a function that runs it, given `require` and `process`
 */
export async function warm(path, use) {
  const program = readFileSync(path, 'utf8')
  const [start] = /^(?:#!.*\n)?/.exec(program)
  const body = program
    .slice(start.length)
    .replace(imports, required)
    .replace(exports, '')
    .replaceAll('import.meta.url', 'place')
    .replace(/[^ -~\s]/g, escaped)
  const text = `(async function (require, process, place) {\n${body}})`
  const name = path.replace(/\.js$/, '')
  const script = new Script(text, { filename: `${name}.script` })
  const place = pathToFileURL(path).href
  await use((require, process) => script.runInThisContext()(require, process, place), createRequire(place))
  writeFileSync(`${name}.script`, text)
  writeFileSync(`${name}.cache`, script.createCachedData())
  writeFileSync(path, start + starter(basename(name)))
}

// what the bundler leaves of imports and exports: those of packages, and those that nobody here needs
const imports = /^import (?:(?:\{([^}]*)\}|\* as (\w+)) from )?'([^']+)';\n/gm
const exports = /^export \{[^}]*\};\n/gm

/** import { a as b } from 'c'  →  const { a: b } = require('c') */
function required(_, names, whole, module) {
  if (whole !== undefined) return `const ${whole} = require('${module}');\n`
  return names === undefined ? '' : `const {${names.replaceAll(' as ', ': ')}} = require('${module}');\n`
}

/** V8 keeps a text of plain ASCII in half the room, and finds it sooner. */
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const starter = (name) => `import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Script } from 'node:vm'

const read = (name) => readFileSync(new URL(name, import.meta.url))
const text = read('./${name}.script').toString('latin1')
const script = new Script(text, { filename: '${name}', cachedData: read('./${name}.cache') })
await script.runInThisContext()(createRequire(import.meta.url), process, import.meta.url)
`

/** Has the command line instrument a sample. */
export async function useCommandLine(run, require) {
  const folder = mkdtempSync(join(tmpdir(), 'scamp-warm-'))
  try {
    const words = ['instrument', '-o', join(folder, 'sample.icn'), samples[0]]
    const standing = Object.create(process, {
      argv: { value: [...process.argv.slice(0, 2), ...words] },
      exitCode: { value: 0, writable: true },
    })
    await run(require, standing)
    if (standing.exitCode !== 0) throw new Error(`the command line ended with status ${standing.exitCode}`)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Has the engine compile the samples, as a thread would; nothing of them runs but a procedure main that does nothing. */
export async function useEngine(run, require) {
  const sources = samples.map((path) => {
    const text = readFileSync(path, 'latin1').replace(/\bprocedure main\b/, `procedure ${basename(path, '.icn')}_main`)
    return { name: basename(path), text, language: 'icon' }
  })
  const main = { name: 'main.icn', text: 'invocable all\nprocedure main()\nend\n', language: 'icon' }
  const job = {
    sources: [main, ...sources],
    args: [],
    name: 'main',
    included: [],
    prefixes: new Map(),
    cells: new Float64Array(),
    bell: new Int32Array(1),
    stdin: 0,
    sandbox: false,
  }
  const say = (notice) => {
    if (notice.kind === 'wrong') throw new Error(notice.message)
  }
  const exit = (status) => {
    if (status !== 0) throw new Error(`the engine ended with status ${status}`)
  }
  const standIns = {
    'node:worker_threads': { parentPort: { postMessage: say }, workerData: { job } },
    // flags of V8 that the engine sets would make the cache one for other flags
    'node:v8': { ...require('node:v8'), setFlagsFromString: () => {} },
  }
  await run((name) => standIns[name] ?? require(name), Object.create(process, { exit: { value: exit } }))
}
