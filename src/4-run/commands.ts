// The commands that an Icon program on the embedded engine starts, by system() or as pipes. Its own thread waits for
// them, so they are started and listened to from this one.
import type { ChildProcess } from 'node:child_process'
import { constants } from 'node:os'
import { signalTree, startShell } from './native.js'

/**
 * What the program's thread asks for. To each but `start` one answer comes.
 *
 * reads, writes   whether the program reads the command's output, or writes its input
 * finish          closes the pipes to it; the answer is how it ended
 */
export type CommandRequest =
  | {
      readonly kind: 'start'
      readonly id: number
      readonly command: string
      readonly folder: string
      readonly reads: boolean
      readonly writes: boolean
    }
  | { readonly kind: 'read'; readonly id: number }
  | { readonly kind: 'write'; readonly id: number; readonly text: string }
  | { readonly kind: 'finish'; readonly id: number }

/**
 * text     what a read gave; undefined at the end
 * written  whether what was written could be taken
 * status   how the command ended, as wait(2) tells: its exit status times 256, or the number of a signal
 */
export interface CommandAnswer {
  readonly text?: string
  readonly written?: boolean
  readonly status?: number
}

interface Running {
  readonly child: ChildProcess
  readonly ended: Promise<number>
}

/** Starts the service. Texts are bytes as latin1. */
export function startCommands(answer: (answer: CommandAnswer) => void): {
  readonly serve: (request: CommandRequest) => void
  readonly signal: (signal: NodeJS.Signals) => void
} {
  const running = new Map<number, Running>()
  const serve = async (request: CommandRequest): Promise<CommandAnswer | undefined> => {
    if (request.kind === 'start') {
      const { id, command, folder, reads, writes } = request
      const child = startShell(command, folder, reads, writes)
      const ended = new Promise<number>((settle) => {
        child.on('error', () => settle(127 << 8))
        child.on('exit', (status, signal) => settle(signal ? constants.signals[signal] : (status ?? 0) << 8))
      })
      void ended.then(() => child.stdin?.destroy())
      child.stdin?.on('error', () => undefined)
      // or else what has not been read when it ends would be thrown away
      child.stdout?.on('readable', () => undefined)
      running.set(id, { child, ended })
      return undefined
    }
    const { child, ended } = running.get(request.id)!
    if (request.kind === 'read') {
      const chunk = await nextChunk(child)
      return chunk === undefined ? {} : { text: chunk.toString('latin1') }
    }
    if (request.kind === 'write') return { written: await write(child, request.text) }
    child.stdin?.end()
    const drained = drain(child)
    const status = await ended
    running.delete(request.id)
    await drained
    return { status }
  }
  return {
    serve: (request) => {
      void serve(request).then((one) => one && answer(one))
    },
    signal: (signal) => {
      for (const { child } of running.values()) signalTree(child.pid, signal)
    },
  }
}

/** The next piece of a command's output; undefined at its end. */
function nextChunk({ stdout }: ChildProcess): Promise<Buffer | undefined> {
  return new Promise((resolve) => {
    if (!stdout || stdout.destroyed) return resolve(undefined)
    const look = () => {
      const chunk = stdout.read() as Buffer | null
      if (chunk === null && !stdout.readableEnded) return
      stdout.off('readable', look).off('end', look).off('close', look)
      resolve(chunk ?? undefined)
    }
    stdout.on('readable', look).on('end', look).on('close', look)
    look()
  })
}

/**
 * Takes the rest of a command's output and throws it away. Who writes more than a pipe would hold learns, as from a pipe
 * that is closed, that nobody reads it.
 */
async function drain(child: ChildProcess): Promise<void> {
  let rest = pipeCapacity
  for (let chunk = await nextChunk(child); chunk !== undefined && rest > 0; chunk = await nextChunk(child)) {
    rest -= chunk.length
  }
  if (rest <= 0) signalTree(child.pid, 'SIGPIPE')
  child.stdout?.destroy()
}

const pipeCapacity = 65536

/** Hands text to a command's input; answers false if it takes no more. */
function write({ stdin }: ChildProcess, text: string): Promise<boolean> {
  return new Promise((resolve) => {
    if (!stdin || stdin.destroyed) return resolve(false)
    stdin.write(Buffer.from(text, 'latin1'), (error) => resolve(!error))
  })
}
