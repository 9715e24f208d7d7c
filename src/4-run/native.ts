// Temporary folders and child processes: the only file that starts any.
import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fstatSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import { isatty } from 'node:tty'

/** Makes a temporary folder, gives it to `work`, and removes it whatever happens. */
export async function inTemporaryFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'scamp-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Finds a program: a path as it is, a name on PATH. Answers an absolute path, or undefined. */
export function findProgram(name: string): string | undefined {
  const candidates = name.includes('/')
    ? [resolve(name)]
    : (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder || '.', name))
  return candidates.find((candidate) => {
    try {
      accessSync(candidate, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** What a helper program that was waited for gave back. The texts are bytes as latin1. */
export interface Finished {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs a helper program to its end, without input. */
export function runToEnd(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env?: NodeJS.ProcessEnv; readonly input?: 'inherit' },
): Finished {
  const { status, stdout, stderr } = spawnSync(program, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    encoding: 'latin1',
    stdio: [options.input ?? 'ignore', 'pipe', 'pipe'],
    maxBuffer: Infinity,
  })
  return { status, stdout, stderr }
}

/**
 * Runs a program in this process's place as far as can be: same input, output and error (or errors to the file named;
 * `-` is standard output). Answers its exit status.
 */
export function runThrough(program: string, args: readonly string[], errorFile?: string): number {
  const error = errorFile === undefined ? 'inherit' : errorFile === '-' ? 1 : openSync(errorFile, 'w')
  const { status, signal } = spawnSync(program, args, { stdio: ['inherit', 'inherit', error] })
  if (signal) process.kill(process.pid, signal)
  return status ?? 128
}

/** Whether standard output and standard error of this process go to one and the same file or pipe. */
function outputsAreOne(): boolean {
  try {
    const [out, err] = [fstatSync(1), fstatSync(2)]
    return out.dev === err.dev && out.ino === err.ino && !out.isCharacterDevice()
  } catch {
    return false
  }
}

/**
 * Starts the user's program. It has this process's standard input and output; its standard error comes through a
 * pipe, and so does its output if both go to one place, lest they change order. It is alone in a session of its own,
 * so that a signal meant for it reaches it through us, after its counters are read; and where setpriv is at hand it
 * cannot outlive us.
 */
export function startProgram(
  program: string,
  args: readonly string[],
  stdin: number | undefined,
  env: NodeJS.ProcessEnv,
): ChildProcess {
  const words = [program, ...args]
  if (outputsAreOne()) words.unshift('/bin/sh', '-c', 'exec "$@" >&2', 'sh')
  const [first, ...rest] = notOutliving(words)
  return spawn(first, rest, { stdio: [stdin ?? 'inherit', 'inherit', 'pipe'], detached: true, env })
}

/**
 * Starts a command for an Icon program, by the shell. It has this process's standard input and output, but for what the
 * program reads of its output or writes to its input.
 */
export function startShell(command: string, folder: string, reads: boolean, writes: boolean): ChildProcess {
  return spawn('/bin/sh', ['-c', Buffer.from(command, 'latin1').toString()], {
    // the name under which it complains
    argv0: 'sh',
    cwd: Buffer.from(folder, 'latin1').toString(),
    stdio: [writes ? 'pipe' : 'inherit', reads ? 'pipe' : 'inherit', 'inherit'],
  })
}

/** Sends a signal to a process and, on Linux, to those it has started, and they. */
export function signalTree(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  let children: string[] = []
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ')
  } catch {
    // it is gone already, or cannot be asked
  }
  try {
    process.kill(pid, signal)
  } catch {
    // it is gone already
  }
  for (const child of children) if (child !== '') signalTree(Number(child), signal)
}

const setpriv = '/usr/bin/setpriv'

/**
 * A program under way that we talk to: through its standard input, and this output.
 *
 * wake   ends its waiting for the input that is meant for it, if it waits, by giving it some
 */
export interface Conversation {
  readonly child: ChildProcess
  readonly output: Readable
  readonly wake: () => void
}

const bash = '/bin/bash'

// something of which a number, a text, or two numbers can be read
const anyInput = '0 0\n'

/**
 * Starts a program whose standard input is ours, to talk to it, while the input that is meant for it comes as descriptor
 * 3. Its output comes through a pipe (Node's own are sockets, slow with what is written piece by piece), and its standard
 * error too if both go to one place. It is given half as much stack again, for amended routines take more of it.
 *
 * stdin   the descriptor of what is to be descriptor 3. What cannot be opened a second time from where it stands, such
 *         as a socket or a file that is read in part, and terminals are passed through a pipe.
 * folder  where pipes can be made
 */
export function startConversation(
  command: readonly string[],
  stdin: number,
  folder: string,
  readsErrors: boolean,
): Conversation {
  const errors = outputsAreOne() ? '2>&1' : ''
  const stack = 's=$(ulimit -S -s); [ "$s" = unlimited ] || ulimit -S -s $((s * 3 / 2)) 2>/dev/null'
  const relay = join(folder, 'relay')
  const isRelayed = !isReopenable(stdin) && existsSync(bash)
  // a pipe without a name, for one with a name lets nobody in when its other end is closed
  const input = isRelayed ? `exec 3< <(trap "" INT; echo "$BASHPID" >'${relay}'; exec cat <&3)` : ':'
  const script = `${stack}; ${input}; exec "$@" ${errors}`
  const words = notOutliving([isRelayed ? bash : '/bin/sh', '-c', script, 'sh', ...command])
  const pipe = join(folder, 'output')
  spawnSync('mkfifo', ['-m', '600', pipe])
  // opened both ways, it lets itself be opened each way
  const both = openSync(pipe, 'r+')
  const [end, start] = [openSync(pipe, 'r'), openSync(pipe, 'w')]
  const child = spawn(words[0], words.slice(1), {
    stdio: ['pipe', start, readsErrors ? 'pipe' : 'inherit', stdin],
    detached: true,
  })
  const reader = spawn('cat', { stdio: [end, 'pipe', 'ignore'], detached: true })
  for (const descriptor of [both, end, start]) closeSync(descriptor)
  child.on('exit', () => existsSync(relay) && signalTree(Number(readFileSync(relay, 'latin1')), 'SIGKILL'))
  return { child, output: reader.stdout!, wake: () => child.pid !== undefined && feed(child.pid) }
}

/** The words of a command that ends when this process does, where setpriv is at hand. */
const notOutliving = (words: readonly string[]) =>
  existsSync(setpriv) ? [setpriv, '--pdeathsig', 'KILL', '--', ...words] : [...words]

/** Writes into the pipe that is descriptor 3 of a process, if that is one and the process sleeps. */
function feed(pid: number): void {
  try {
    const [, state] = /\) (\S)/.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? []
    const path = `/proc/${pid}/fd/3`
    if (state !== 'S' || !statSync(path).isFIFO()) return
    const start = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK)
    writeSync(start, anyInput)
    closeSync(start)
  } catch {
    // it is gone already, or its pipe is full
  }
}

/** Whether opening /dev/fd/N gives what reading descriptor N gives, and a program that waits for it can be woken. */
function isReopenable(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor)
    if (stat.isFile()) return /^pos:\s*0$/m.test(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1'))
    return stat.isFIFO() || (stat.isCharacterDevice() && !isatty(descriptor))
  } catch {
    return true
  }
}
