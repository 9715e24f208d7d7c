// Halts a worker thread wherever it is, in the midst of a loop even, to ask it things, such as where its Icon
// procedures stand. This is V8's debugger, attached only then: a program that is never halted pays
// nothing for it.
import { Session } from 'node:inspector'
import { setTimeout } from 'node:timers/promises'
import type { Worker } from 'node:worker_threads'

// a worker that waits in the system cannot be halted
const patienceMilliseconds = 500

interface Reply {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly callFrames: readonly { readonly callFrameId: string }[] }
  readonly result?: { readonly result?: { readonly value?: unknown } }
}

/** A worker that has been halted. */
export interface Halted {
  /** Calls a global function of the worker's that gives a string; undefined if there is none, or it waits. */
  readonly ask: (name: string) => Promise<string | undefined>
  /** Lets it go on, or, after worker.terminate(), end. */
  readonly release: () => void
}

/** Answers what halts a worker; that answers undefined if it cannot. */
export function haltOf(worker: Worker): () => Promise<Halted | undefined> {
  const waiting = new Map<number, (result: Reply['result']) => void>()
  let session: Session | undefined
  let sessionId = ''
  let asked = 0
  // what halts when nobody waits for it any more goes on
  const goOn = () => void ask('Debugger.resume')
  let onHalt: (callFrameId: string) => void = goOn

  const ask = (method: string, params: object = {}) =>
    new Promise<Reply['result']>((settle) => {
      const id = ++asked
      waiting.set(id, settle)
      session!.post('NodeWorker.sendMessageToWorker', { sessionId, message: JSON.stringify({ id, method, params }) })
    })
  const haltedIn = (callFrameId: string): Halted => ({
    ask: async (name) => {
      const expression = `globalThis.${name}?.()`
      const asked = ask('Debugger.evaluateOnCallFrame', { callFrameId, expression, returnByValue: true })
      const result = await Promise.race([asked, setTimeout(patienceMilliseconds, undefined, { ref: false })])
      const value = result?.result?.value
      return typeof value === 'string' ? value : undefined
    },
    release: goOn,
  })
  const halted = ([innermost]: readonly { readonly callFrameId: string }[]) => {
    if (innermost) return onHalt(innermost.callFrameId)
    // between two calls there is nothing to ask
    goOn()
    void ask('Debugger.pause')
  }
  const attach = () => {
    session = new Session()
    session.connect()
    session.on('NodeWorker.attachedToWorker', ({ params }) => {
      if (params.workerInfo.workerId !== String(worker.threadId)) return
      sessionId = params.sessionId
      void ask('Debugger.enable')
      void ask('Debugger.pause')
    })
    session.on('NodeWorker.receivedMessageFromWorker', ({ params: { message } }) => {
      const { id, method, params, result } = JSON.parse(message) as Reply
      if (id !== undefined) waiting.get(id)?.(result)
      if (method === 'Debugger.paused' && params) halted(params.callFrames)
    })
    session.post('NodeWorker.enable', { waitForDebuggerOnStart: false })
    // a process waits at its end for its threads: one that is halted would never end
    process.once('exit', goOn)
  }
  return () =>
    new Promise((resolve) => {
      const timer = globalThis.setTimeout(() => {
        onHalt = goOn
        resolve(undefined)
      }, patienceMilliseconds)
      onHalt = (callFrameId) => {
        clearTimeout(timer)
        onHalt = goOn
        resolve(haltedIn(callFrameId))
      }
      if (session) void ask('Debugger.pause')
      else attach()
    })
}
