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
import type { IconTree } from '../1-parse/icon/parse.js'
import { commandsThrough } from './ask.js'
import { questions, type Job, type Notice } from './embedded.js'
import { compile, hasMain } from './icon/compile.js'
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

/** In a sandbox, what may be asked of the library: no way leads out of its folder. */
const plainName = /^[\w.-]+$/

/** What the system gave as text, as the bytes that it is to an Icon program. */
const bytesOf = (text: string) => Buffer.from(text).toString('latin1')

/** Parses sources and, once each, those that they link. */
function linkAll(
  sources: readonly Source[],
  folders: readonly string[],
  sandbox: boolean,
  read: (source: Source) => IconTree,
): IconTree[] {
  const trees = sources.map(read)
  const known = new Set(sources.map(({ name }) => name))
  for (let i = 0; i < trees.length; i++) {
    for (const declaration of trees[i].program.declarations) {
      if (declaration.kind !== 'Link') continue
      for (const { name } of declaration.files) {
        const id = name.replace(/^"(.*)"$/, '$1').replace(/\.(icn|u1|u2)$/, '')
        const source = findLinked(id, folders, sandbox)
        if (!source) {
          throw new ScampError(
            `cannot find ${id}.icn, which ${trees[i].source.name} links: modules of the Icon Program Library come with ` +
              'apt-get install icon-ipl; the folders of others are named in IPATH',
          )
        }
        if (known.has(source.name)) continue
        known.add(source.name)
        trees.push(read(source))
      }
    }
  }
  return trees
}

const searchPath = (variable: string) => (process.env[variable] ?? '').split(/[ :]+/).filter((folder) => folder !== '')

function findLinked(id: string, folders: readonly string[], sandbox: boolean): Source | undefined {
  if (sandbox && !plainName.test(id)) return undefined
  for (const folder of folders) {
    const path = join(folder, `${id}.icn`)
    if (existsSync(path))
      return { name: `${id.replace(/^.*\//, '')}.icn`, text: readFileSync(path, 'latin1'), language: 'icon' }
  }
  return undefined
}

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
