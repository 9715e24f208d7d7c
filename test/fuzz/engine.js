// Runs programs on the embedded engine, one after the other in one thread: node engine.js NAME… runs NAME.icn of the
// current folder and leaves NAME.out, NAME.err and NAME.status there. Output goes where it does for users, to
// descriptors 1 and 2, which are opened anew for every program.
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { isMainThread, Worker } from 'node:worker_threads'

/** Opens a file as a descriptor that is in use: the lowest free number is taken. */
function reopen(fd, path, flags) {
  closeSync(fd)
  if (openSync(path, flags) !== fd) throw new Error(`descriptor ${fd} is not free`)
}

async function runAll(names) {
  const { parse } = await import('../../dist/src/1-parse/parse.js')
  const { compile } = await import('../../dist/src/4-run/icon/compile.js')
  const { runProgram } = await import('../../dist/src/4-run/icon/run.js')
  const setting = {
    args: [],
    trace: 0,
    host: hostname(),
    stdin: 0,
    terminal: false,
    counters: new Float64Array(),
    commands: undefined,
    beat: new Int32Array(1),
    folder: process.cwd(),
    sandbox: false,
  }
  for (const name of names) {
    reopen(0, 'input', 'r')
    reopen(1, `${name}.out`, 'w')
    reopen(2, `${name}.err`, 'w')
    const source = { name: `${name}.icn`, text: readFileSync(`${name}.icn`, 'latin1'), language: 'icon' }
    let status
    try {
      const trees = [parse(source, () => undefined)]
      status = runProgram(compile(trees, { trace: false, counters: new Map() }), { ...setting, name }).status
    } catch (error) {
      status = `internal error: ${error.stack}`
    }
    writeFileSync(`${name}.status`, String(status))
  }
}

if (isMainThread) {
  const worker = new Worker(new URL(import.meta.url), {
    argv: process.argv.slice(2),
    trackUnmanagedFds: false,
    resourceLimits: { stackSizeMb: 96, maxOldGenerationSizeMb: 1024 },
  })
  worker.on('error', (error) => {
    throw error
  })
} else {
  await runAll(process.argv.slice(2))
}
