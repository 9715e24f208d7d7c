// What the thread of the embedded engine runs: it finds the sources that are linked, compiles, and runs.
import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parentPort, workerData } from 'node:worker_threads'
import { assert, ScampError } from '../error.js'
import type { Source } from '../source.js'
import { parseIcon } from '../1-parse/icon/parse.js'
import { commandsThrough } from './ask.js'
import { questions, type Job, type Notice } from './embedded.js'
import { compile, hasMain } from './icon/compile.js'
import { linkAll, plainName } from './icon/link.js'
import { complain, flushAll } from './icon/files.js'
import { runProgram } from './icon/run.js'
import { framesOf, reportExhaustion } from './icon/tracing.js'

/** Where Debian's icon-ipl package keeps the Icon Program Library. */
const libraryFolder = '/usr/lib/icon-ipl'

const say = (notice: Notice) => parentPort!.postMessage(notice)

function runJob(job: Job): number {
  const { sources, sandbox } = job
  const folders = sandbox ? [libraryFolder] : ['', ...searchPath('IPATH'), ...searchPath('LPATH'), libraryFolder]
  const readInclude = includeReader(job)
  const trees = linkAll(sources, folders, sandbox, (source) => parseIcon(source, readInclude(source)))
  if (!hasMain(trees)) {
    complain('\nRun-time error 117 in startup code\nmissing main procedure\n')
    say({ kind: 'no main' })
    return 1
  }
  const trace = Number.parseInt(process.env['TRACE'] ?? '', 10) || 0
  const compiled = compile(trees, { trace: trace !== 0, counters: job.prefixes })
  Object.assign(globalThis, {
    [questions.frames]: () => {
      const frames = framesOf(compiled.findPlace)
      flushAll()
      return JSON.stringify(frames)
    },
    [questions.memory]: () => {
      setFlagsFromString('--expose-gc')
      runInNewContext('gc()')
      return String(getHeapStatistics().used_heap_size / 2 ** 20)
    },
    [questions.exhausted]: () => {
      const frames = framesOf(compiled.findPlace)
      flushAll()
      reportExhaustion(frames)
      return JSON.stringify(frames)
    },
  })
  const { status, frames } = runProgram(compiled, {
    name: bytesOf(job.name),
    args: job.args.map(bytesOf),
    trace,
    host: sandbox ? 'localhost' : bytesOf(hostname()),
    stdin: job.stdin,
    terminal: job.terminal,
    counters: job.cells,
    beat: job.beat,
    commands: sandbox ? undefined : commandsThrough(parentPort!, job.bell),
    folder: bytesOf(process.cwd()),
    sandbox,
  })
  say({ kind: 'frames', frames })
  return status
}

/** What the system gave as text, as the bytes that it is to an Icon program. */
const bytesOf = (text: string) => Buffer.from(text).toString('latin1')

const searchPath = (variable: string) => (process.env[variable] ?? '').split(/[ :]+/).filter((folder) => folder !== '')

function includeReader({ included, sandbox }: Job): (from: Source) => (name: string) => Source | undefined {
  return (from) => {
    const here = from.name.replace(/[^/]*$/, '')
    const folders = sandbox ? [libraryFolder] : [here, '', ...searchPath('LPATH'), libraryFolder]
    return (name) => {
      const amended = included.find((one) => one.name === name)
      if (amended) return amended
      if (sandbox && !plainName.test(name)) return undefined
      for (const folder of folders) {
        const path = join(folder, name)
        if (existsSync(path)) return { name: path, text: readFileSync(path, 'latin1'), language: 'icon' }
      }
      return undefined
    }
  }
}

const { job } = workerData as { job: Job }
assert(parentPort, 'a worker without a port')
try {
  process.exit(runJob(job))
} catch (error) {
  if (!(error instanceof ScampError)) throw error
  const { message, source, span, notes } = error
  say({ kind: 'wrong', message, source, span, notes })
}
