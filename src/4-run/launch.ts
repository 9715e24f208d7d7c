// Runs an icode file on iconx and brings back its counters, however it ends: from the termination dump that iconx
// prints last thing at every end of its own, from its memory before a signal or a time limit ends it, else from the
// last checkpoint. The dump is cut off: the program's standard error stays its own.
import { readFileSync } from 'node:fs'
import { openIconxMemory, type IconxMemory } from './iconx-memory.js'
import { startProgram } from './native.js'
import { checkpointMilliseconds, type End, type Frame, type Launched, type Run, type Snapshot } from './run.js'

// how long the beginning of what may be a dump is kept waiting for the rest
const patienceMilliseconds = 30

// how often a program is stopped to find it outside of a call in the making
const attempts = 10

const dumpMark = '\nTermination dump:\n\nco-expression #'

/**
 * Starts a program.
 *
 * iconx         the interpreter
 * args          the icode file and the program's arguments
 * prefixes      of the names of the variables to bring back
 * dumpNotes     variables in which a program that sets &dump itself notes, where it ends, what it had set: unless one
 *               of them is 0, the dump is shown, without the variables brought back
 * countsTokens  whether its counters take so much of the stack that it needs a larger one
 * stdin         the descriptor of the program's standard input; this process's own if undefined
 * writeError    takes what the program writes to standard error
 * onCheckpoint  takes the counters once every checkpointMilliseconds
 */
export function launch(options: {
  readonly iconx: string
  readonly args: readonly string[]
  readonly prefixes: readonly string[]
  readonly dumpNotes: readonly string[]
  readonly countsTokens: boolean
  readonly stdin?: number
  readonly writeError: (chunk: string) => void
  readonly onCheckpoint?: (seen: Snapshot) => void
}): Launched {
  const { iconx, prefixes } = options
  const env = options.countsTokens ? { ...process.env, ...largerStacks() } : process.env
  const child = startProgram(iconx, options.args, options.stdin, env)
  const pid = child.pid ?? 0
  let memory: IconxMemory | undefined
  let latest: Snapshot | undefined
  let cut: Snapshot | undefined
  let stopped: NodeJS.Signals | 'timeout' | undefined

  const look = <T>(work: (memory: IconxMemory) => T): T | undefined => {
    try {
      memory ??= openIconxMemory(pid, iconx)
      return memory && work(memory)
    } catch {
      return undefined
    }
  }
  const signalGroup = (signal: NodeJS.Signals) => signalOne(-pid, signal)
  // stops the program for an instant, so that counters and frames belong together. It may be found in the midst of a
  // call, with a frame half made; then it gets a little further, and is stopped again
  const snapshot = (): Snapshot | undefined => {
    for (let attempt = 1; ; attempt++) {
      signalOne(pid, 'SIGSTOP')
      if (!waitUntilStopped(pid)) return undefined
      const counters = look((one) => one.readGlobals(prefixes))
      const frames = counters && look((one) => one.readFrames())
      if (!counters || frames || attempt === attempts) return counters && { counters, frames }
      signalOne(pid, 'SIGCONT')
    }
  }
  const checkpoints = setInterval(() => {
    // it is the user who has stopped it
    if (isStopped(pid)) return
    const seen = snapshot()
    signalOne(pid, 'SIGCONT')
    if (!seen || seen.counters.size === 0) return
    latest = seen
    options.onCheckpoint?.(seen)
  }, checkpointMilliseconds)

  const errors = new ErrorStream(options.writeError, prefixes)
  child.stderr!.setEncoding('latin1').on('data', (chunk: string) => errors.take(chunk))

  const done = new Promise<Run>((settle, fail) => {
    child.on('error', fail)
    child.on('close', (status, signal) => {
      clearInterval(checkpoints)
      memory?.close()
      const { dump, frames } = errors.finish(options.dumpNotes)
      const end: End =
        stopped === 'timeout'
          ? { kind: 'timeout' }
          : signal
            ? { kind: 'signal', signal }
            : { kind: 'exit', status: status ?? 0 }
      const fromDump = dump && valuesIn(dump, prefixes)
      if (fromDump) settle({ end, counters: fromDump, frames: frames ?? [], checkpoint: false })
      else if (cut) settle({ end, ...cut, checkpoint: false })
      else if (latest) settle({ end, ...latest, checkpoint: true })
      else settle({ end, counters: undefined, frames: undefined, checkpoint: false })
    })
  })

  return {
    done,
    pass: signalGroup,
    stop: (reason) => {
      if (stopped) return signalGroup('SIGKILL')
      stopped = reason
      signalGroup('SIGSTOP')
      cut = snapshot()
      signalGroup(reason === 'timeout' ? 'SIGKILL' : reason)
      signalGroup('SIGCONT')
    },
  }
}

// sizes of iconx's stacks in words, if the environment names no others
const stacks = { MSTKSIZE: 10_000, COEXPSIZE: 2_000 }

// how much more stack expressions take at most that are counted at every token
const stackFactor = 1.5

/** Stacks as large as they must be for recursion to get as deep as in the plain program. */
export function largerStacks(): NodeJS.ProcessEnv {
  const sizes = Object.entries(stacks).map(([name, usual]) => {
    const given = Number(process.env[name])
    return [name, String(Math.ceil((given > 0 ? given : usual) * stackFactor))]
  })
  return Object.fromEntries(sizes) as NodeJS.ProcessEnv
}

function signalOne(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // it is gone already
  }
}

/** Waits, a second at the most, until a process that was told to stop has done so. */
function waitUntilStopped(pid: number): boolean {
  const deadline = process.hrtime.bigint() + 1_000_000_000n
  while (process.hrtime.bigint() < deadline) if (isStopped(pid)) return true
  return false
}

function isStopped(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    return stat[stat.lastIndexOf(')') + 2] === 'T'
  } catch {
    return false
  }
}

/**
 * A program's standard error on its way to the user. It is held up only where the dump, or a line about a variable of
 * ours in the listing that display() prints, may have begun; those lines are left out.
 */
class ErrorStream {
  private held = ''
  private timer: NodeJS.Timeout | undefined
  // what was passed on since the last run-time error was announced, and a little before
  private tail = ''
  private readonly marks: readonly string[]
  private readonly ours: RegExp | undefined

  constructor(
    private readonly write: (chunk: string) => void,
    prefixes: readonly string[],
  ) {
    const names = [...prefixes, '_scamp']
    this.marks = [dumpMark, ...names.map((prefix) => `\n   ${prefix}_`)]
    if (prefixes.length > 0) this.ours = new RegExp(`\\n {3}(?:${names.join('|')})_\\w* = [^\\n]*(?=\\n)`, 'g')
  }

  take(chunk: string): void {
    clearTimeout(this.timer)
    this.held += chunk
    // a plain program's dump is its own
    if (!this.ours) return this.pass(this.held.length)
    const begun = this.held.indexOf(dumpMark)
    if (begun >= 0) {
      const rest = this.held.slice(begun)
      this.held = this.held.slice(0, begun)
      this.hideOurs()
      this.pass(this.held.length)
      this.held = rest
      return
    }
    this.hideOurs()
    const keep = Math.max(this.unfinishedLine(), ...this.marks.map((one) => overlap(this.held, one)))
    this.pass(this.held.length - keep)
    if (keep > 0) this.timer = setTimeout(() => this.pass(this.held.length), patienceMilliseconds)
  }

  /**
   * Passes on what is left, less the dump unless the program wanted it. Answers the dump, and the frames of the traceback
   * before it.
   */
  finish(dumpNotes: readonly string[]): { dump: string | undefined; frames: Frame[] | undefined } {
    clearTimeout(this.timer)
    const mark = this.held.lastIndexOf(dumpMark)
    const dump = mark < 0 ? undefined : this.held.slice(mark)
    const showDump = dumpNotes.length > 0 && !dumpNotes.some((name) => dump?.includes(`\n   ${name} = 0\n`))
    if (dump !== undefined && !showDump) this.held = this.held.slice(0, mark)
    this.hideOurs()
    const shown = showDump && dump !== undefined ? this.held.lastIndexOf(dumpMark) : this.held.length
    this.pass(shown)
    const frames = tracebackFrames(this.tail)
    this.pass(this.held.length)
    return { dump, frames }
  }

  private hideOurs(): void {
    if (this.ours) this.held = this.held.replace(this.ours, '')
  }

  /** How much of what is held is the beginning of a line about a variable of ours. */
  private unfinishedLine(): number {
    const start = this.held.lastIndexOf('\n')
    if (start < 0) return 0
    const line = this.held.slice(start)
    return this.marks.slice(1).some((mark) => line.startsWith(mark)) ? line.length : 0
  }

  private pass(length: number): void {
    if (length === 0) return
    const chunk = this.held.slice(0, length)
    this.held = this.held.slice(length)
    this.write(chunk)
    this.tail += chunk
    const error = this.tail.lastIndexOf('\nRun-time error ')
    this.tail = error >= 0 ? this.tail.slice(error) : this.tail.slice(-32)
  }
}

/** The length of the longest end of the text that the mark begins with. */
function overlap(text: string, mark: string): number {
  for (let length = Math.min(text.length, mark.length - 1); length > 0; length--) {
    if (mark.startsWith(text.slice(-length))) return length
  }
  return 0
}

/** What iconx wrote to standard error: the program's own part of it, and what it tells of counters and of frames. */
export interface ReadErrors {
  readonly own: string
  readonly counters: ReadonlyMap<string, bigint> | undefined
  readonly frames: readonly Frame[]
}

/** Takes apart what an instrumented program wrote to standard error, once it has ended (see `launch`). */
export function readErrors(text: string, prefixes: readonly string[], dumpNotes: readonly string[]): ReadErrors {
  let own = ''
  const errors = new ErrorStream((chunk) => (own += chunk), prefixes)
  errors.take(text)
  const { dump, frames } = errors.finish(dumpNotes)
  return { own, counters: dump === undefined ? undefined : valuesIn(dump, prefixes), frames: frames ?? [] }
}

function valuesIn(dump: string, prefixes: readonly string[]): Map<string, bigint> {
  const values = new Map<string, bigint>()
  for (const [, name, value] of dump.matchAll(/^ {3}(\w+) = (-?\d+)$/gm)) {
    if (prefixes.some((prefix) => name.startsWith(prefix))) values.set(name, BigInt(value))
  }
  return values
}

/**
 * The places a traceback at the end of a text names; undefined if the text does not end in one. A stack overflow's
 * last procedure never got to its text, and its traceback says nothing of where in it control was.
 */
function tracebackFrames(text: string): Frame[] | undefined {
  const match = /^\nRun-time error [^]*?\nTraceback:\n([^]*)$/.exec(text)
  if (!match) return undefined
  // in a co-expression it begins with the call of the procedure that created it, which may have returned long ago
  const calls = /^main\(|^[^\n]* from line [^\n]*\n([^]*)$/.exec(match[1])?.[1] ?? match[1]
  const line = /^(?:(\w+)\([^\n]*\)|([^\n]*)) from line (\d+) in ([^\n]*)$/gm
  const frames = [...calls.matchAll(line)].map(([, callee, operation, number, file]): Frame => ({
    file,
    line: Number(number),
    ...(callee !== undefined && { callee }),
    ...(operation !== undefined && { operation }),
  }))
  const last = frames.pop()
  const overflow = text.startsWith('\nRun-time error 301\n')
  return last ? [...frames, overflow ? { ...last, unbegun: true } : last] : []
}
