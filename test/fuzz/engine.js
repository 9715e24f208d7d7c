// Runs programs, linked with the Icon Program Library if they ask for it, on the embedded engine, one after the other in
// one thread: node engine.js ARGS NAME… runs NAME/NAME.icn in folder NAME with the arguments ARGS, a JSON array, and input
// NAME.in; it leaves NAME.out, NAME.err and NAME.status in the current folder. If there is a NAME.counted, a JSON array of
// the names that counters begin with and how many there are of each, it also leaves NAME.counts: the counters, and where
// the program was cut off. Output goes where it does for users, to descriptors 1 and 2, which are opened anew for every
// program.
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { startCommands } from '../../dist/src/4-run/commands.js'

/** Opens a file as a descriptor that is in use: the lowest free number is taken. */
function reopen(fd, path, flags) {
  closeSync(fd)
  if (openSync(path, flags) !== fd) throw new Error(`descriptor ${fd} is not free`)
}

const library = '/usr/lib/icon-ipl'

/** What a source includes from the library. */
function readInclude(name) {
  const path = join(library, name)
  return existsSync(path) ? { name: path, text: readFileSync(path, 'latin1'), language: 'icon' } : undefined
}

async function runAll({ args, names, bell }) {
  const { parseIcon } = await import('../../dist/src/1-parse/icon/parse.js')
  const { compile } = await import('../../dist/src/4-run/icon/compile.js')
  const { linkAll } = await import('../../dist/src/4-run/icon/link.js')
  const { runProgram } = await import('../../dist/src/4-run/icon/run.js')
  const { commandsThrough } = await import('../../dist/src/4-run/ask.js')
  const setting = {
    args,
    trace: 0,
    host: hostname(),
    stdin: 0,
    terminal: false,
    commands: commandsThrough(parentPort, bell),
    beat: new Int32Array(1),
    sandbox: false,
  }
  for (const name of names) {
    reopen(0, `${name}.in`, 'r')
    reopen(1, `${name}.out`, 'w')
    reopen(2, `${name}.err`, 'w')
    const source = { name: `${name}.icn`, text: readFileSync(join(name, `${name}.icn`), 'latin1'), language: 'icon' }
    const counted = existsSync(`${name}.counted`) ? JSON.parse(readFileSync(`${name}.counted`, 'utf8')) : []
    let cells = 0
    const firsts = new Map(counted.map(({ prefix, count }) => [prefix, (cells += count) - count]))
    const counters = new Float64Array(cells)
    let status
    try {
      const trees = linkAll([source], [library], false, (one) => parseIcon(one, readInclude))
      const folder = join(process.cwd(), name)
      const compiled = compile(trees, { trace: false, counters: firsts })
      const ended = runProgram(compiled, { ...setting, counters, name, folder })
      status = ended.status
      if (cells > 0) writeFileSync(`${name}.counts`, JSON.stringify({ counters: [...counters], frames: ended.frames }))
    } catch (error) {
      status = `internal error: ${error.stack}`
    }
    writeFileSync(`${name}.status`, String(status))
  }
}

if (isMainThread) {
  const [args, ...names] = process.argv.slice(2)
  const bell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const worker = new Worker(new URL(import.meta.url), {
    workerData: { args: JSON.parse(args), names, bell },
    trackUnmanagedFds: false,
    resourceLimits: { stackSizeMb: 96, maxOldGenerationSizeMb: 1024 },
  })
  const commands = startCommands((answer) => {
    worker.postMessage(answer)
    Atomics.add(bell, 0, 1)
    Atomics.notify(bell, 0)
  })
  worker.on('message', commands.serve)
  worker.on('error', (error) => {
    throw error
  })
} else {
  await runAll(workerData)
}
