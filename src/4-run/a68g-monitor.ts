// Runs a program on a68g under its monitor, which is entered before the program begins, after a run-time error, after
// an interrupt, and where the program calls for it at its end. What is said in it stays between a68g and us: the
// program's own output is passed on, the rest is taken out of it, and the monitor hears what we say and nothing else,
// since the program's input comes by another way.
import type { End } from './run.js'
import type { Messages } from './a68g-messages.js'
import { startConversation } from './native.js'

/**
 * What a run left.
 *
 * counters  their values; undefined if they could not be had
 * stack     all frames, innermost first, if the run was cut short; undefined as well if there is too much in them
 * place     the message that tells where it was cut short, in terms of the amended text
 */
export interface A68gRun {
  readonly end: End
  readonly counters: readonly bigint[] | undefined
  readonly stack: string | undefined
  readonly place: string | undefined
}

/** A run under way. */
export interface Monitored {
  readonly pid: number
  /** Interrupts the program, has its counters read, and ends it. */
  readonly stop: (reason: NodeJS.Signals | 'timeout') => void
  /** Passes a signal on to the program and the processes it started. */
  readonly pass: (signal: NodeJS.Signals) => void
  readonly done: Promise<A68gRun>
}

const prompt = '(a68g) '
// source lines, which the monitor shows, may hold the same text
const prompts = /(?<=^|\n)\(a68g\) /
const question = 'Terminate a68g (yes|no): '
const entered = /(?<=^|\n)Monitor entered after an error\n/
const begun = 'Continuing ...\n'
// of the frames of a deep recursion; the monitor lists no more than there are
const allFrames = 1_000_000
// a listing is too long if it has so many characters, or if it is indented so deeply
const longestListing = 8_000_000
const deepest = /\n {200,}[A-Z]/
const lookedThrough = 100_000

// how long what may be the beginning of a message is kept waiting for the rest; much longer if it shows a line of the
// amended text, which the program will hardly print
const patienceMilliseconds = 250
const longPatienceMilliseconds = 3000
const telling = 30
// how often a program that was interrupted is looked at, for it may be waiting for input
const wakingMilliseconds = 100
// how long the monitor may take to answer before the program is ended without it
const answerMilliseconds = 10_000

/** What the monitor is being asked: nothing while the program runs. */
type Asking = 'begin' | 'nothing' | 'consent' | 'counter' | 'counters' | 'frame' | 'stack' | 'ended'

/**
 * Starts a program.
 *
 * command   a68g and its arguments
 * mark      what the program writes when its own output ends; empty if it does not
 * counters  the names of the counters, as the monitor knows them
 * messages  translates what a68g says about the amended text
 * stdin     the descriptor of the program's standard input
 * folder    for what is needed while it runs
 * write     takes what the program writes to standard output
 * errors    for a program that a68g names on standard error before it runs it: what it writes there, of the amended
 *           text, and what takes the rest
 */
export function launchMonitored(options: {
  readonly command: readonly string[]
  readonly mark: string
  readonly counters: readonly string[]
  readonly messages: Messages
  readonly stdin: number
  readonly folder: string
  readonly write: (chunk: string) => void
  readonly errors: { readonly heading: string; readonly write: (chunk: string) => void } | undefined
}): Monitored {
  const { mark, messages, write, errors } = options
  const { child, output, wake } = startConversation(
    options.command,
    options.stdin,
    options.folder,
    errors !== undefined,
  )
  const pid = child.pid ?? 0
  let asking: Asking = 'begin'
  let isOver = false
  let held = ''
  let counters: readonly bigint[] | undefined
  let stack: string | undefined
  let place: string | undefined
  let stopped: NodeJS.Signals | 'timeout' | undefined
  let failed = false
  let endsLine = true
  let patience: NodeJS.Timeout | undefined
  let deadline: NodeJS.Timeout | undefined

  const say = (line: string) => child.stdin!.write(`${line}\n`)
  const kill = () => signalGroup(pid, 'SIGKILL')
  const pass = (length: number) => {
    if (length > 0) {
      write(held.slice(0, length))
      endsLine = held[length - 1] === '\n'
    }
    held = held.slice(length)
  }
  const expectAnswer = () => {
    clearTimeout(deadline)
    deadline = setTimeout(kill, answerMilliseconds)
  }
  const isCut = () => failed || stopped !== undefined
  const ask = (next: Asking, ...commands: readonly string[]) => {
    asking = next
    for (const one of commands) say(one)
    expectAnswer()
  }
  const askCounter = () => ask('counter', `x ${options.counters[0] ?? '0'}`)
  const leaveMonitor = () => {
    asking = 'ended'
    held = ''
    if (!isCut()) {
      say('continue')
      return
    }
    // in a parallel clause it is entered again
    for (let i = 0; i < 3; i++) {
      say('quit')
      say('y')
    }
  }

  /** The counters are known, or cannot be. */
  const finish = (values: readonly (bigint | undefined)[]) => {
    const known = values.filter((value) => value !== undefined)
    counters = known.length === options.counters.length ? known : undefined
    held = ''
    if (isCut()) ask('stack', `stack ${allFrames}`)
    else leaveMonitor()
  }

  /**
   * Whether a listing goes on. It shows what names refer to, and what that refers to: it may be without end. Then the
   * program is ended; as a rule that is in the outermost frame, the last.
   */
  const isListing = (): boolean => {
    if (held.endsWith(`\n${prompt}`)) return false
    expectAnswer()
    if (held.length < longestListing && !deepest.test(held.slice(-lookedThrough))) return true
    if (asking === 'stack' && /^Stack frame 2 /m.test(held)) stack = held
    asking = 'ended'
    kill()
    return true
  }

  /** Looks through what has come; answers whether there is reason to look again. */
  const look = (): boolean => {
    switch (asking) {
      case 'begin': {
        const start = held.indexOf(begun)
        if (start >= 0) {
          held = held.slice(start + begun.length)
          asking = 'nothing'
          return true
        }
        if (!isOver && held.endsWith(prompt)) {
          isOver = true
          say('elems 1')
          say('continue')
        }
        return false
      }
      case 'nothing':
        return running()
      case 'consent':
        if (!held.includes(question)) return false
        place ??= held.slice(0, held.indexOf(question))
        held = held.slice(held.indexOf(question) + question.length)
        say('n')
        askCounter()
        return true
      case 'counter': {
        // what is said on entering, and the answer, each end in a prompt
        const answers = held.split(prompts)
        if (answers.length < 3) return false
        held = ''
        const value = valueIn(answers[1])
        // where the stack has overflown nothing can be evaluated, but things can be listed
        if (value === undefined) ask('frame', 'frame 2')
        else if (options.counters.length > 1) {
          counters = [value]
          ask('counters', ...options.counters.slice(1).map((name) => `x ${name}`))
        } else finish(options.counters.map(() => value))
        return false
      }
      case 'counters': {
        const answers = held.split(prompts)
        if (answers.length < options.counters.length) return false
        finish([...counters!, ...answers.slice(0, -1).map(valueIn)])
        return false
      }
      case 'frame': {
        if (isListing()) return false
        const values = valuesIn(held)
        finish(options.counters.map((name) => values.get(name)))
        return false
      }
      case 'stack': {
        if (isListing()) return false
        stack = held.slice(0, -prompt.length)
        leaveMonitor()
        return false
      }
      case 'ended':
        held = ''
        return false
    }
  }

  /** Passes on what the program writes, as far as it is certain that the program writes it. */
  const running = (): boolean => {
    const end = mark === '' ? -1 : held.indexOf(mark)
    if (end >= 0) {
      pass(end)
      held = held.slice(mark.length)
      asking = 'consent'
      expectAnswer()
      return true
    }
    const error = held.search(entered)
    if (error >= 0) {
      failed = true
      const start = messageStart(held.slice(0, error), messages)
      pass(start)
      place = held.slice(0, error - start)
      // what it was woken with may have been an error
      if (!stopped) write(messages.translate(place))
      held = held.slice(place.length)
      askCounter()
      return true
    }
    const start = held.endsWith(`\n${question}`) ? interruptStart(held.slice(0, -question.length)) : held.length
    const shown = messages.beginsWith(held.slice(start))
    if (shown !== undefined || (stopped && start < held.length)) {
      pass(start)
      if (stopped || shown === 'behind') {
        asking = 'consent'
        return true
      }
      // the program itself calls for the monitor: nobody is there to talk to it
      held = ''
      asking = 'begin'
      say('n')
      say('continue')
      return false
    }
    // what comes now may be the interrupted line, and nothing tells before the question is put
    if (stopped) return false
    const message = messageStart(held, messages)
    // without a mark the monitor may begin here, after two newlines of its own
    const from = mark === '' ? message - /\n{0,2}$/.exec(held.slice(0, message))![0].length : message
    const keep = Math.max(overlap(held, mark), held.length - from)
    pass(held.length - keep)
    return false
  }

  const take = (chunk: string) => {
    clearTimeout(patience)
    held += chunk
    while (look());
    if (asking === 'nothing' && held.length > 0) {
      const wait = held.length > telling ? longPatienceMilliseconds : patienceMilliseconds
      patience = setTimeout(() => asking === 'nothing' && !stopped && pass(held.length), wait)
    }
  }

  output.setEncoding('latin1').on('data', take)
  if (errors) child.stderr!.setEncoding('latin1').on('data', withoutHeading(errors.heading, errors.write))
  child.stdin!.on('error', () => undefined)

  const done = new Promise<A68gRun>((settle, fail) => {
    child.on('error', fail)
    const ended = new Promise<[number | null, NodeJS.Signals | null]>((tell) => {
      child.on('exit', (status, signal) => tell([status, signal]))
    })
    output.on('close', async () => {
      const [status, signal] = await ended
      clearTimeout(patience)
      clearTimeout(deadline)
      if (asking === 'begin' || asking === 'nothing') write(messages.translate(held))
      // of such a program a68g ends the last line
      if (errors && !isCut() && !endsLine) write('\n')
      const end: End =
        stopped === 'timeout'
          ? { kind: 'timeout' }
          : stopped
            ? { kind: 'signal', signal: stopped }
            : failed
              ? { kind: 'exit', status: 1 }
              : signal && counters === undefined
                ? { kind: 'signal', signal }
                : { kind: 'exit', status: status ?? 0 }
      settle({ end, counters, stack: isCut() ? stack : undefined, place: isCut() ? place : undefined })
    })
  })

  return {
    pid,
    done,
    pass: (signal) => signalGroup(pid, signal),
    stop: (reason) => {
      if (stopped) return kill()
      stopped = reason
      if (asking === 'begin') return kill()
      // at its end, or after an error, it is in the monitor already
      if (asking !== 'nothing') return
      signalGroup(pid, 'SIGINT')
      deadline = setTimeout(kill, answerMilliseconds)
      const waking = setInterval(() => (asking === 'nothing' ? wake() : clearInterval(waking)), wakingMilliseconds)
      child.on('exit', () => clearInterval(waking))
    },
  }
}

/** Passes on all chunks of a text but the heading that it begins with. */
function withoutHeading(heading: string, write: (chunk: string) => void): (chunk: string) => void {
  let start = ''
  return (chunk) => {
    if (start.length < heading.length && heading.startsWith(start)) {
      start += chunk
      if (start.length < heading.length && heading.startsWith(start)) return
      write(start.startsWith(heading) ? start.slice(heading.length) : start)
    } else write(chunk)
  }
}

/** The value in an answer to `x NAME`. */
function valueIn(answer: string): bigint | undefined {
  const value = /^\(INT\) ([+-]\d+)$/m.exec(answer)?.[1]
  return value === undefined ? undefined : BigInt(value)
}

/** The values of integer variables in the listing of a frame, by their names. */
function valuesIn(frame: string): Map<string, bigint> {
  const values = new Map<string, bigint>()
  for (const [, address, value] of frame.matchAll(/^ +frame\((\d+)=[^)]*\) LOC INT ([+-]\d+)$/gm)) {
    values.set(address, BigInt(value))
  }
  const named = new Map<string, bigint>()
  for (const [, name, address] of frame.matchAll(/^ +frame\([^)]*\) REF INT "(\w+)" refers to frame\((\d+)\)$/gm)) {
    const value = values.get(address)
    if (value !== undefined) named.set(name.toLowerCase(), value)
  }
  return named
}

/** Where, at the end of a text, a message that shows source lines begins or may begin; the text's length if nowhere. */
function messageStart(text: string, messages: Messages): number {
  let start = text.length
  for (let at = text.length; at > 0;) {
    const line = text.lastIndexOf('\n', at - 1) + 1
    const row = text.slice(line, at)
    if (messages.mayShowSource(row)) start = line
    else if (!/^(?:[ 0-9A-Za-z*-]*|\.(?:\d.*)?|a68g:.*)$/.test(row)) break
    at = line - 1
  }
  return start
}

/** Where, at the end of a text, a68g shows the line that it was interrupted in: on a new line, after an empty one. */
function interruptStart(text: string): number {
  const match = /\n{0,2}(?:\.?\d+ [^\n]*\n(?: [^\n]*\n)?)+$/.exec(text)
  return match?.index ?? text.length
}

/** The length of the longest end of the text that the mark begins with. */
function overlap(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length--) {
    if (mark.startsWith(text.slice(-length))) return length
  }
  return 0
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // it is gone already
  }
}
