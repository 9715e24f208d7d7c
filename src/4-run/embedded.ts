// The embedded engine, seen from outside: an Icon program runs in a worker thread of this process, which has a large
// stack and can be stopped. Its counters are in memory that both threads share: whatever the program does, and however
// it ends, they can be read here.
import { isatty } from 'node:tty'
import { Worker } from 'node:worker_threads'
import { ScampError, type Note } from '../error.js'
import type { Source, Span } from '../source.js'
import { startCommands, type CommandRequest } from './commands.js'
import { haltOf, type Halted } from './pause.js'
import { checkpointMilliseconds, type End, type Frame, type Launched, type Run, type Snapshot } from './run.js'

/**
 * What the worker is to run.
 *
 * name      for &progname
 * included  amended copies of included files, by the name they are included by
 * prefixes  of the names of counters, and which cell the first of them has
 * cells     the counters
 * bell      rings when an answer about a command has been posted
 * beat      changes every watchMilliseconds
 * stdin     the descriptor of the program's standard input
 * terminal  whether its standard output is one
 */
export interface Job {
  readonly sources: readonly Source[]
  readonly args: readonly string[]
  readonly name: string
  readonly included: readonly Source[]
  readonly prefixes: ReadonlyMap<string, number>
  readonly cells: Float64Array
  readonly bell: Int32Array
  readonly beat: Int32Array
  readonly stdin: number
  readonly terminal: boolean
  readonly sandbox: boolean
}

/** What the worker says. */
export type Notice =
  | { readonly kind: 'frames'; readonly frames: readonly Frame[] | undefined }
  | { readonly kind: 'no main' }
  | {
      readonly kind: 'wrong'
      readonly message: string
      readonly source: Source | undefined
      readonly span: Span | undefined
      readonly notes: readonly Note[]
    }
  | CommandRequest

/** Megabytes of stack, for some 700,000 calls that are not back yet. */
const stackMegabytes = 96
const youngMegabytes = 32
const defaultMemoryMegabytes = 4096

// the limit is found to be passed after this long; by then it may be passed by far, but not beyond what V8 allows
const watchMilliseconds = 50
const marginMegabytes = 1024

/**
 * The global functions of the worker that may be called when it is halted.
 *
 * frames     writes out what is to be written, and tells where its procedures stand, as JSON
 * exhausted  the same, after error 307
 * memory     collects garbage, and tells how many megabytes the rest takes
 */
export const questions = { frames: 'scampFrames', exhausted: 'scampExhausted', memory: 'scampMemory' } as const

/**
 * Starts a program.
 *
 * counters         for each source, what the names of its counters begin with, and how many there are
 * memoryMegabytes  how much its values may take; then it ends with error 307
 * sandbox          whether files, processes and the environment are kept from it
 * writeError       takes what is said about its end
 * onCheckpoint     takes the counters once every checkpointMilliseconds
 */
export function launchEmbedded(options: {
  readonly sources: readonly Source[]
  readonly included: readonly Source[]
  readonly args: readonly string[]
  readonly name: string
  readonly counters: readonly { readonly prefix: string; readonly count: number }[]
  readonly memoryMegabytes: number | undefined
  readonly sandbox: boolean
  readonly stdin?: number
  readonly writeError: (chunk: string) => void
  readonly onCheckpoint?: (seen: Snapshot) => void
}): Launched {
  const { sources, included, args, name, counters, sandbox, stdin = 0 } = options
  const memoryMegabytes = options.memoryMegabytes ?? defaultMemoryMegabytes
  const prefixes = new Map<string, number>()
  let total = 0
  for (const { prefix, count } of counters) {
    prefixes.set(prefix, total)
    total += count
  }
  const cells = new Float64Array(new SharedArrayBuffer(total * Float64Array.BYTES_PER_ELEMENT))
  const bell = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const beat = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT))
  const job: Job = { sources, args, name, included, prefixes, cells, bell, beat, stdin, terminal: isatty(1), sandbox }
  const worker = new Worker(new URL('./embedded-worker.js', import.meta.url), {
    workerData: { job },
    resourceLimits: {
      stackSizeMb: stackMegabytes,
      maxOldGenerationSizeMb: memoryMegabytes + marginMegabytes,
      maxYoungGenerationSizeMb: youngMegabytes,
    },
  })
  const readCounters = () => {
    // at once: the program may be running on
    const now = cells.slice()
    const values = new Map<string, bigint>()
    for (const { prefix, count } of counters) {
      const first = prefixes.get(prefix)!
      for (let i = 0; i < count; i++) values.set(`${prefix}_${i}`, BigInt(now[first + i]))
    }
    return values
  }
  const commands = startCommands((answer) => {
    worker.postMessage(answer)
    Atomics.add(bell, 0, 1)
    Atomics.notify(bell, 0)
  })
  const halt = haltOf(worker)
  let stopped = false
  let settle: (end: End, frames: readonly Frame[] | undefined) => void = () => undefined
  const timers: NodeJS.Timeout[] = []
  const done = new Promise<Run>((resolve, reject) => {
    let frames: readonly Frame[] | undefined = []
    settle = (end, where) => {
      timers.forEach(clearInterval)
      commands.signal('SIGKILL')
      resolve({ end, counters: readCounters(), frames: where, checkpoint: false })
    }
    worker.on('message', (notice: Notice) => {
      if (notice.kind === 'frames') frames = notice.frames
      else if (notice.kind === 'no main')
        resolve({ end: { kind: 'exit', status: 1 }, counters: undefined, frames, checkpoint: false })
      else if (notice.kind !== 'wrong') commands.serve(notice)
      else reject(new ScampError(notice.message, notice.source, notice.span, notice.notes))
    })
    worker.on('error', (error: NodeJS.ErrnoException) => {
      timers.forEach(clearInterval)
      if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') return reject(error)
      options.writeError('\nRun-time error 307\ninadequate space in block region\n')
      settle({ kind: 'exit', status: 1 }, undefined)
    })
    worker.on('exit', (status) => {
      if (!stopped) settle({ kind: 'exit', status }, frames)
    })
  })
  /** Ends the program where it stands, and tells where that is. */
  const end = async (how: End, halted: Halted | undefined, question: string) => {
    const told = await halted?.ask(question)
    settle(how, halted && (told === undefined ? [] : (JSON.parse(told) as Frame[])))
    void worker.terminate()
    halted?.release()
  }
  const watch = async () => {
    Atomics.add(beat, 0, 1)
    if (stopped || process.memoryUsage.rss() / 2 ** 20 < suspicious) return
    suspicious = Infinity
    const halted = await halt()
    if (stopped || !halted) return
    if (Number(await halted.ask(questions.memory)) > memoryMegabytes) {
      stopped = true
      return end({ kind: 'exit', status: 1 }, halted, questions.exhausted)
    }
    suspicious = process.memoryUsage.rss() / 2 ** 20 + memoryMegabytes / 2
    halted.release()
  }
  let suspicious = process.memoryUsage.rss() / 2 ** 20 + youngMegabytes + memoryMegabytes
  timers.push(setInterval(() => void watch(), watchMilliseconds))
  timers.push(
    setInterval(() => {
      options.onCheckpoint?.({ counters: readCounters(), frames: undefined })
    }, checkpointMilliseconds),
  )
  return {
    done,
    pass: commands.signal,
    stop: (reason) => {
      const how: End = reason === 'timeout' ? { kind: 'timeout' } : { kind: 'signal', signal: reason }
      if (stopped) return settle(how, undefined)
      stopped = true
      if (reason !== 'timeout') commands.signal(reason)
      void halt().then((halted) => end(how, halted, questions.frames))
    },
  }
}
