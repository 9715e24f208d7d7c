// The embedded engine: runs Icon programs in a worker thread, which has a large stack and can be stopped. This file
// is also what the worker loads: there it finds the sources that are linked, compiles, and runs.
import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { drawError, ScampError } from '../error.js'
import type { Source } from '../source.js'
import type { IconTree } from '../1-parse/icon/parse.js'

/**
 * How a program is run.
 *
 * stack, memory   limits in megabytes
 * timeout         milliseconds; 0 for none
 */
export interface Limits {
  readonly stack?: number
  readonly memory?: number
  readonly timeout?: number
  /** Where to look for included files first. */
  readonly includes?: string
}

interface Job {
  readonly scampIcon: true
  readonly sources: readonly Source[]
  readonly args: readonly string[]
  readonly name: string
  readonly includes: string
}

/** Runs a program from its sources; answers its exit status, 124 when it ran out of time. */
export function runEmbedded(sources: readonly Source[], args: readonly string[], limits: Limits = {}): Promise<number> {
  const { stack = 96, memory = 4096, timeout = 0, includes = '' } = limits
  const job: Job = { scampIcon: true, sources, args, name: sources[0].name.replace(/\.icn$/, ''), includes }
  const worker = new Worker(new URL(import.meta.url), {
    workerData: job,
    resourceLimits: { stackSizeMb: stack, maxOldGenerationSizeMb: memory, maxYoungGenerationSizeMb: 64 },
  })
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined
    let late = false
    if (timeout > 0) {
      timer = setTimeout(() => {
        late = true
        void worker.terminate()
      }, timeout)
    }
    worker.on('error', reject)
    worker.on('exit', (status) => {
      clearTimeout(timer)
      resolve(late ? 124 : status)
    })
  })
}

async function runJob(job: Job): Promise<void> {
  const { parse } = await import('../1-parse/parse.js')
  const { compile, hasMain } = await import('./icon/compile.js')
  const { runProgram } = await import('./icon/run.js')
  const { complain } = await import('./icon/files.js')
  try {
    const trees = linkAll(job.sources, (source) => parse(source, readInclude(source, job.includes)))
    if (!hasMain(trees)) {
      complain('\nRun-time error 117 in startup code\nmissing main procedure\n')
      process.exit(1)
    }
    const trace = Number.parseInt(process.env['TRACE'] ?? '', 10) || 0
    const status = runProgram(compile(trees, trace !== 0), { name: job.name, args: job.args, trace, host: hostname() })
    process.exit(status)
  } catch (error) {
    if (!(error instanceof ScampError)) throw error
    complain(`${drawError(error)}\n`)
    process.exit(1)
  }
}

/** Parses sources and, once each, those that they link. */
function linkAll(sources: readonly Source[], read: (source: Source) => IconTree): IconTree[] {
  const trees = sources.map(read)
  const known = new Set(sources.map(({ name }) => name))
  for (let i = 0; i < trees.length; i++) {
    for (const declaration of trees[i].program.declarations) {
      if (declaration.kind !== 'Link') continue
      for (const { name } of declaration.files) {
        const id = name.replace(/^"(.*)"$/, '$1').replace(/\.(icn|u1|u2)$/, '')
        const source = findLinked(id)
        if (!source) {
          throw new ScampError(
            `cannot find "${id}.icn", which ${trees[i].source.name} links; install icon-ipl, or name its folder in IPATH`,
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

function searchPath(variable: string): string[] {
  return (process.env[variable] ?? '').split(/[ :]+/).filter((folder) => folder !== '')
}

function findLinked(id: string): Source | undefined {
  for (const folder of ['', ...searchPath('IPATH'), ...searchPath('LPATH'), '/usr/lib/icon-ipl']) {
    const path = join(folder, `${id}.icn`)
    if (existsSync(path))
      return { name: `${id.replace(/^.*\//, '')}.icn`, text: readFileSync(path, 'latin1'), language: 'icon' }
  }
  return undefined
}

function readInclude(from: Source, includes: string): (name: string) => Source | undefined {
  const here = from.name.replace(/[^/]*$/, '')
  return (name) => {
    const amended = join(includes, name)
    if (includes !== '' && existsSync(amended)) return { name, text: readFileSync(amended, 'latin1'), language: 'icon' }
    for (const folder of [here, '', ...searchPath('LPATH'), '/usr/lib/icon-ipl']) {
      const path = join(folder, name)
      if (existsSync(path)) return { name: path, text: readFileSync(path, 'latin1'), language: 'icon' }
    }
    return undefined
  }
}

if (!isMainThread && (workerData as Job | null)?.scampIcon) await runJob(workerData as Job)
