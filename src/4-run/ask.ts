// Commands as the thread that runs the Icon program sees them: the thread that made this one starts them
// (commands.ts), and this one waits for its answers.
import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads'
import type { CommandAnswer, CommandRequest } from './commands.js'
import type { Commands } from './icon/machine.js'

/** Commands asked for through a port; the bell rings when an answer has been posted. */
export function commandsThrough(port: MessagePort, bell: Int32Array): Commands {
  let last = 0
  const say = (request: CommandRequest) => port.postMessage(request)
  const ask = (request: CommandRequest): CommandAnswer => {
    say(request)
    for (;;) {
      const rung = Atomics.load(bell, 0)
      const received = receiveMessageOnPort(port) as { message: CommandAnswer } | undefined
      if (received) return received.message
      // wakes now and then, so that it can be halted
      Atomics.wait(bell, 0, rung, 16)
    }
  }
  return {
    start: (command, folder, reads, writes) => {
      say({ kind: 'start', id: ++last, command, folder, reads, writes })
      return last
    },
    read: (id) => ask({ kind: 'read', id }).text,
    write: (id, text) => ask({ kind: 'write', id, text }).written === true,
    finish: (id) => ask({ kind: 'finish', id }).status ?? 0,
  }
}
