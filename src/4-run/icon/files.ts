// Built-in functions on files and on the system: the only user of fs in the run-time library.
// Files are bytes, one per character. Output is gathered and written in large pieces.
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  opendirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { asInteger, asSmall, asString, needInteger, needString, raise } from './convert.js'
import { Exit, forbidden } from './errors.js'
import { machine } from './machine.js'
import { type Channel, IconFile, type Result, type Value } from './values.js'

const buffer = Buffer.alloc(65536)
const outputLimit = 32768

/** Of the next carriage return: not looked for. */
const unknown = -2

interface Options {
  readonly readable?: boolean
  readonly writable?: boolean
  readonly command?: number
  readonly text?: string
  readonly position?: number
  readonly raw?: boolean
}

function channel(fd: number, options: Options): Channel {
  const { readable = false, writable = false, command, text = '', position = -1, raw = false } = options
  const ended = fd < 0 && command === undefined
  return {
    fd,
    readable,
    writable,
    command,
    text,
    at: 0,
    carriage: unknown,
    raw,
    ended,
    out: '',
    limit: fd === 2 ? 0 : outputLimit,
    position,
  }
}

export const input = new IconFile('&input', channel(0, { readable: true }), '&input')
export const output = new IconFile('&output', channel(1, { writable: true }), '&output')
export const errout = new IconFile('&errout', channel(2, { writable: true }), '&errout')

const opened = new Set<IconFile>()

/** Makes the standard files as they are before a program starts. */
export function resetFiles(): void {
  opened.clear()
  input.channel = channel(0, { readable: true })
  output.channel = channel(1, { writable: true })
  errout.channel = channel(2, { writable: true })
}

/** Sees to it that what is written on a terminal is seen at once. */
export function writeOnTerminal(): void {
  output.channel!.limit = 0
}

/**
 * Takes a descriptor for standard input. What may keep us waiting is opened once more, for reading without waiting: a
 * thread that waits in the system could not be stopped.
 */
export function readFrom(fd: number): void {
  let own = fd
  const stat = fstatSync(fd)
  if (stat.isFIFO() || stat.isCharacterDevice()) {
    try {
      own = openSync(`/proc/self/fd/${fd}`, constants.O_RDONLY | constants.O_NONBLOCK)
    } catch {
      // then it must be waited for
    }
  }
  input.channel = channel(own, { readable: true })
}

/** Lets a time pass in which this thread can be stopped. */
function pause(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

const longestPause = 16

/** A path as the system is to see it. */
const inFolder = (path: string): Buffer =>
  Buffer.from(path.startsWith('/') || path === '' ? path : `${machine.folder}/${path}`, 'latin1')

/** Stops what the sandbox forbids. */
function needFreedom(value: Value): void {
  if (machine.sandbox) raise(forbidden, value)
}

// ---- writing

/** The exit status of who writes to a pipe that nobody reads. */
const brokenPipe = 141

function writeBytes(c: Channel, bytes: Buffer): void {
  let done = 0
  while (done < bytes.length) {
    try {
      const n = writeSync(c.fd, bytes, done, bytes.length - done, c.position < 0 ? null : c.position)
      done += n
      if (c.position >= 0) c.position += n
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EAGAIN') continue
      if (code === 'EPIPE') throw new Exit(brokenPipe)
      raise(214)
    }
  }
}

/** Writes out what has been gathered. */
export function flushChannel(c: Channel): void {
  if (c.out === '') return
  const text = c.out
  c.out = ''
  beat = machine.beat[0]
  if (c.command === undefined) writeBytes(c, Buffer.from(text, 'latin1'))
  else if (!machine.commands!.write(c.command, text)) throw new Exit(brokenPipe)
}

/** Writes out everything, as at the end of the program. */
export function flushAll(): void {
  if (output.channel) flushChannel(output.channel)
  for (const file of opened) if (file.channel?.writable) flushChannel(file.channel)
}

/** Closes what is open, at the end of the program. */
export function closeAll(): void {
  flushAll()
  for (const file of opened) if (file.channel?.command !== undefined) closeFile(file)
}

function put(c: Channel, text: string): void {
  if (c.readable && c.text !== '') {
    // go back over what was read ahead
    if (c.position >= 0) c.position -= c.text.length - c.at
    c.text = ''
    c.at = 0
    c.carriage = unknown
  }
  if (c.fd === 2 && output.channel) flushChannel(output.channel)
  c.out += text
  if (c.out.length > c.limit || machine.beat[0] !== beat) flushChannel(c)
}

// output is written when there is enough of it, and when there has been none for a while
let beat = 0

/** Writes on &errout at once. */
export function complain(text: string): void {
  if (errout.channel) put(errout.channel, text)
}

function writable(file: IconFile, named: boolean): Channel {
  const c = file.channel
  if (!c || !c.writable) return named ? raise(213, file) : raise(213)
  return c
}

function writeAll(args: readonly Value[], newline: string, start: IconFile): Value {
  let c: Channel | undefined
  let last: Value = null
  for (let i = 0; i < args.length; i++) {
    const arg = args[i]
    last = arg
    if (arg instanceof IconFile) {
      if (i > 0) put((c ??= writable(start, false)), newline)
      c = writable(arg, true)
      continue
    }
    c ??= writable(start, false)
    const text = arg === null ? '' : asString(arg)
    if (text === undefined) return raise(109, arg)
    put(c, text)
  }
  c ??= writable(start, false)
  if (newline !== '') put(c, newline)
  return last
}

const writeEnd = '\n'

export function write(...args: Value[]): Value {
  if (args.length === 1) {
    const [arg] = args
    const c = output.channel
    if (typeof arg === 'string' && c) {
      c.out += arg + writeEnd
      if (c.out.length > c.limit || machine.beat[0] !== beat) flushChannel(c)
      return arg
    }
  }
  return writeAll(args, writeEnd, output)
}

export function writes(...args: Value[]): Value {
  return writeAll(args, '', output)
}

export function stop(...args: Value[]): Value {
  writeAll(args, writeEnd, errout)
  throw new Exit(1)
}

// ---- reading

/** Reads more text; answers false at the end. */
function more(c: Channel): boolean {
  if (c.ended) return false
  if (c.out !== '') flushChannel(c)
  if (c === input.channel && output.channel) flushChannel(output.channel)
  if (c.command !== undefined) {
    const text = machine.commands!.read(c.command)
    if (text === undefined) return false
    c.text = c.at < c.text.length ? c.text.slice(c.at) + text : text
    c.at = 0
    c.carriage = unknown
    return true
  }
  let n = 0
  let wait = 1
  for (;;) {
    try {
      n = readSync(c.fd, buffer, 0, buffer.length, c.position < 0 ? null : c.position)
      break
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'EOF') break
      if (code === 'EAGAIN') {
        pause(wait)
        wait = Math.min(2 * wait, longestPause)
        continue
      }
      if (code === 'EISDIR') break
      throw error
    }
  }
  if (n === 0) return false
  if (c.position >= 0) c.position += n
  c.text = c.at < c.text.length ? c.text.slice(c.at) + buffer.toString('latin1', 0, n) : buffer.toString('latin1', 0, n)
  c.at = 0
  c.carriage = unknown
  return true
}

function readable(file: IconFile): Channel {
  const c = file.channel
  if (!c || !c.readable) return raise(212, file)
  return c
}

/** The next line, without its end; undefined at the end of the file. */
export function readLine(file: IconFile): string | undefined {
  const c = readable(file)
  let from = c.at
  for (;;) {
    const end = c.text.indexOf('\n', from)
    if (!c.raw && c.carriage !== -1) {
      if (c.carriage < c.at) c.carriage = c.text.indexOf('\r', c.at)
      if (c.carriage >= 0 && (end < 0 || c.carriage < end)) return lineToCarriage(c)
    }
    if (end >= 0) {
      const line = c.text.slice(c.at, end)
      c.at = end + 1
      return line
    }
    from = c.text.length - c.at
    if (!more(c)) break
  }
  if (c.at >= c.text.length) return undefined
  const line = c.text.slice(c.at)
  c.at = c.text.length
  return line
}

/** The line that a carriage return ends, which a newline may follow. */
function lineToCarriage(c: Channel): string {
  const line = c.text.slice(c.at, c.carriage)
  c.at = c.carriage + 1
  if (c.at >= c.text.length) more(c)
  if (c.text[c.at] === '\n') c.at++
  return line
}

export function read(file: Value): Result {
  if (file === null) return readLine(input)
  if (!(file instanceof IconFile)) return raise(105, file)
  return readLine(file)
}

export function reads(file: Value, count: Value): Result {
  if (file !== null && !(file instanceof IconFile)) return raise(105, file)
  const n = count === null ? 1 : needInteger(count)
  const c = readable(file ?? input)
  if (n <= 0) return raise(205, asInteger(count))
  // of a folder the beginning of one name
  if (c.fd < 0 && c.command === undefined) return readLine(file ?? input)?.slice(0, n)
  while (c.text.length - c.at < n && more(c));
  if (c.at >= c.text.length) return undefined
  const text = c.text.slice(c.at, c.at + n)
  c.at += text.length
  return text
}

// ---- opening and closing

interface Mode {
  read: boolean
  write: boolean
  append: boolean
  create: boolean
  pipe: boolean
  raw: boolean
}

function modeOf(text: Value): Mode {
  const mode = { read: false, write: false, append: false, create: false, pipe: false, raw: false }
  const letters = text === null ? 'r' : needString(text)
  for (const letter of letters) {
    switch (letter.toLowerCase()) {
      case 'a':
        mode.write = mode.append = true
        break
      case 'b':
        mode.read = mode.write = true
        break
      case 'c':
        mode.create = mode.write = true
        break
      case 'r':
        mode.read = true
        break
      case 'w':
        mode.write = true
        break
      case 'p':
        mode.pipe = true
        break
      case 'u':
        mode.raw = true
        break
      case 's':
      case 't':
        break
      case 'g':
      case 'x':
        return raise(121)
      default:
        return raise(209, letters)
    }
  }
  if (!mode.read && !mode.write) mode.read = true
  return mode
}

export function open(name: Value = null, how: Value = null): Result {
  const path = needString(name)
  const mode = modeOf(how)
  needFreedom(name)
  if (path.includes('\0')) return undefined
  const file = mode.pipe ? openPipe(path, mode, asString(how)!) : openFile(path, mode)
  if (file) opened.add(file)
  return file
}

function openPipe(command: string, mode: Mode, letters: string): IconFile | undefined {
  if (mode.read && mode.write) return raise(209, letters)
  flushAll()
  const started = machine.commands!.start(command, machine.folder, !mode.write, mode.write)
  return new IconFile(
    command,
    channel(-1, { readable: !mode.write, writable: mode.write, command: started, raw: mode.raw }),
  )
}

function openFile(path: string, mode: Mode): IconFile | undefined {
  const how = mode.create ? 'w' : mode.append ? 'a' : mode.read ? 'r' : 'w'
  const flags = how + (mode.read && mode.write ? '+' : '')
  try {
    const bytes = inFolder(path)
    if (flags === 'r' && statSync(bytes).isDirectory()) {
      const text = ['.', '..', ...readdirSync(bytes)].map((entry) => `${entry}\n`).join('')
      return new IconFile(path, channel(-1, { readable: true, text }))
    }
    const fd = openSync(bytes, flags)
    const position = fstatSync(fd).isFile() && how !== 'a' ? 0 : -1
    return new IconFile(path, channel(fd, { readable: mode.read, writable: mode.write, position, raw: mode.raw }))
  } catch {
    return undefined
  }
}

/** What of the status of a command an exit status is. */
const exitStatus = (status: number): number => (status >> 8) & 255

export function closeFile(file: IconFile): number {
  const c = file.channel
  if (!c) return 0
  file.channel = undefined
  opened.delete(file)
  // a command that ends may write, too
  if (c.command !== undefined && output.channel) flushChannel(output.channel)
  flushChannel(c)
  if (c.command !== undefined) return exitStatus(machine.commands!.finish(c.command))
  if (c.fd > 2) closeSync(c.fd)
  return 0
}

export function close(file: Value): Value {
  if (!(file instanceof IconFile)) return raise(105, file)
  const pipe = file.channel?.command !== undefined
  const status = closeFile(file)
  return pipe ? status : file
}

export function flush(file: Value): Value {
  if (!(file instanceof IconFile)) return raise(105, file)
  if (file.channel) flushChannel(file.channel)
  return file
}

export function seek(file: Value, to: Value): Result {
  if (!(file instanceof IconFile)) return raise(105, file)
  // iconx calls this error 0
  const position = to === null ? 1 : (asSmall(to) ?? raise(0))
  const c = file.channel
  if (!c || c.fd < 0) return undefined
  flushChannel(c)
  const stat = fstatSync(c.fd)
  if (!stat.isFile()) return undefined
  const target = position > 0 ? position - 1 : stat.size + position
  if (target < 0) return undefined
  c.position = target
  c.text = ''
  c.at = 0
  c.carriage = unknown
  c.ended = false
  return file
}

/** Where the system is in a regular file, of which it alone keeps count; undefined for pipes and terminals. */
function systemPosition(fd: number): number | undefined {
  if (fd < 0 || !fstatSync(fd).isFile()) return undefined
  const info = `/proc/self/fdinfo/${fd}`
  const [, position] = (existsSync(info) && /^pos:\s*(\d+)/m.exec(readFileSync(info, 'latin1'))) || []
  return position === undefined ? undefined : Number(position)
}

export function where(file: Value): Result {
  if (!(file instanceof IconFile)) return raise(105, file)
  const c = file.channel
  if (!c) return undefined
  if (c.position < 0 && c.fd > 2 && c.writable) return fstatSync(c.fd).size + c.out.length + 1
  const position = c.position < 0 ? systemPosition(c.fd) : c.position
  if (position === undefined) return undefined
  return position + c.out.length - (c.text.length - c.at) + 1
}

// ---- the system

const attempt = (action: () => void): Result => {
  try {
    action()
    return null
  } catch {
    return undefined
  }
}

export function remove(name: Value): Result {
  const path = needString(name)
  needFreedom(name)
  return attempt(() => unlinkSync(inFolder(path)))
}

export function rename(from: Value, to: Value): Result {
  const [one, other] = [needString(from), needString(to)]
  needFreedom(from)
  return attempt(() => renameSync(inFolder(one), inFolder(other)))
}

export function chdir(name: Value): Result {
  const path = needString(name)
  needFreedom(name)
  return attempt(() => {
    const folder = realpathSync(inFolder(path), 'latin1')
    opendirSync(Buffer.from(folder, 'latin1')).closeSync()
    machine.folder = folder
  })
}

export function system(command: Value): Result {
  const text = needString(command)
  needFreedom(command)
  flushAll()
  const { commands } = machine
  return commands!.finish(commands!.start(text, machine.folder, false, false))
}

export function getenv(name: Value): Result {
  const id = needString(name)
  needFreedom(name)
  const text = process.env[Buffer.from(id, 'latin1').toString()]
  return text === undefined ? undefined : Buffer.from(text).toString('latin1')
}

export function exit(status: Value): never {
  throw new Exit(status === null ? 0 : needInteger(status) & 255)
}

export function delay(ms: Value): Value {
  if (output.channel) flushChannel(output.channel)
  const end = performance.now() + needInteger(ms)
  for (let left = end - performance.now(); left > 0; left = end - performance.now()) pause(Math.min(left, longestPause))
  return null
}

export function getch(): Result {
  return reads(input, 1)
}

export function kbhit(): Result {
  return undefined
}

/** Milliseconds of CPU time the program has used. */
export function time(): number {
  const { user } = process.cpuUsage()
  return Math.max(0, Math.trunc(user / 1000) - machine.started)
}

/** What display and tracing write on a file. */
export function writeText(file: IconFile, text: string): void {
  put(writable(file, true), text)
}
