// Looks into a running iconx without touching it: its global variables and where its procedures stand, read through
// /proc/PID/mem at the addresses that the interpreter's own symbol table gives. Linux only; elsewhere, and for an
// iconx without those symbols, there is simply nothing to see.
//
// The layouts are those of Icon 9.4 and 9.5 with 64-bit words (icode and descriptors: The Implementation of the Icon
// Programming Language, ch. 4 and 8; procedure frames ch. 9).
import { closeSync, openSync, readFileSync, readSync, realpathSync } from 'node:fs'
import type { Frame } from './run.js'

/** A look at a process. */
export interface IconxMemory {
  /** The values of the integer global variables whose names start with one of the prefixes. */
  readonly readGlobals: (prefixes: readonly string[]) => Map<string, bigint>
  /** Where control stands in each active procedure, the innermost first. */
  readonly readFrames: () => Frame[]
  readonly close: () => void
}

const wordSize = 8
const descriptorSize = 2 * wordSize
const integerDword = 0xa000000000000001n
// a procedure frame: nargs, pfp, efp, gfp, argp, ipc, …
const frameParent = 1 * wordSize
const frameArguments = 4 * wordSize
const frameIpc = 5 * wordSize
// a procedure block: title, size, entry, four numbers, name, …
const procedureName = 7 * wordSize

const neededSymbols = [
  'globals', 'eglobals', 'gnames', 'pfp', 'glbl_argp', 'ipc', 'code', 'ecode', 'ilines', 'elines', 'filenms', 'efilenms', 'strcons',
] as const // prettier-ignore

type SymbolName = (typeof neededSymbols)[number]

/** Opens a process that runs the interpreter given. Answers undefined if there is nothing to be seen. */
export function openIconxMemory(pid: number, iconx: string): IconxMemory | undefined {
  try {
    const path = realpathSync(iconx)
    const symbols = dynamicSymbols(readFileSync(path))
    if (neededSymbols.some((name) => !symbols.has(name))) return undefined
    const base = loadAddress(pid, path)
    if (base === undefined) return undefined
    return lookInto(openSync(`/proc/${pid}/mem`, 'r'), (name) => base + symbols.get(name)!)
  } catch {
    return undefined
  }
}

function lookInto(memory: number, address: (name: SymbolName) => bigint): IconxMemory {
  const read = (at: bigint, length: number): Buffer => {
    const buffer = Buffer.alloc(length)
    let done = 0
    while (done < length) {
      const count = readSync(memory, buffer, done, length - done, at + BigInt(done))
      if (count === 0) throw new Error('short read')
      done += count
    }
    return buffer
  }
  const word = (at: bigint) => read(at, wordSize).readBigUInt64LE()
  const variable = (name: SymbolName) => word(address(name))
  const text = (at: bigint) => {
    const chunk = readUpTo(memory, at, 512)
    const end = chunk.indexOf(0)
    return chunk.toString('latin1', 0, end < 0 ? chunk.length : end)
  }
  const table = (start: SymbolName, end: SymbolName) => {
    const from = variable(start)
    return read(from, Number(variable(end) - from))
  }
  let names: string[] | undefined

  const globalNames = (count: number): string[] => {
    const descriptors = read(variable('gnames'), count * descriptorSize)
    return Array.from({ length: count }, (_, i) => {
      const length = Number(descriptors.readBigUInt64LE(i * descriptorSize))
      return read(descriptors.readBigUInt64LE(i * descriptorSize + wordSize), length).toString('latin1')
    })
  }

  return {
    readGlobals: (prefixes) => {
      const values = new Map<string, bigint>()
      const block = table('globals', 'eglobals')
      const count = block.length / descriptorSize
      names ??= globalNames(count)
      for (let i = 0; i < count; i++) {
        if (block.readBigUInt64LE(i * descriptorSize) !== integerDword) continue
        if (!prefixes.some((prefix) => names![i].startsWith(prefix))) continue
        values.set(names[i], block.readBigInt64LE(i * descriptorSize + wordSize))
      }
      return values
    },
    readFrames: () => {
      const [code, codeEnd] = [variable('code'), variable('ecode')]
      const lines = table('ilines', 'elines')
      const files = table('filenms', 'efilenms')
      const strings = variable('strcons')
      const frames: Frame[] = []
      let ipc = variable('ipc')
      let args = variable('glbl_argp')
      let callee: string | undefined
      for (let frame = variable('pfp'); frame !== 0n; frame = word(frame + BigInt(frameParent))) {
        if (ipc > code && ipc <= codeEnd) {
          const offset = Number(ipc - code) - 1
          const row = lastRow(lines, offset)
          const file = lastRow(files, offset)
          if (row >= 0 && file >= 0) {
            const line = lines.readUInt32LE(row + wordSize) & 0xffff
            const name = text(strings + files.readBigUInt64LE(file + wordSize))
            frames.push({ file: name, line, ...(callee !== undefined && { callee }) })
          }
        }
        // the procedure of this frame is what the one that called it waits for
        const name = word(args + BigInt(wordSize)) + BigInt(procedureName)
        callee = read(word(name + BigInt(wordSize)), Number(word(name))).toString('latin1')
        args = word(frame + BigInt(frameArguments))
        ipc = word(frame + BigInt(frameIpc))
      }
      return frames
    },
    close: () => closeSync(memory),
  }
}

function readUpTo(memory: number, at: bigint, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  return buffer.subarray(0, readSync(memory, buffer, 0, length, at))
}

/** The last row of a table of (code offset, value) pairs that begins at or before an offset; -1 if none does. */
function lastRow(table: Buffer, offset: number): number {
  let low = -1
  let high = table.length / descriptorSize - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (Number(table.readBigUInt64LE(middle * descriptorSize)) <= offset) low = middle
    else high = middle - 1
  }
  return low < 0 ? -1 : low * descriptorSize
}

/** Where the program's file is mapped. */
function loadAddress(pid: number, path: string): bigint | undefined {
  for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
    const match = /^([0-9a-f]+)-\S+ \S+ 0+ \S+ \d+\s+(.*)$/.exec(line)
    if (match?.[2] === path) return BigInt(`0x${match[1]}`)
  }
  return undefined
}

const sectionDynsym = 11

/** The dynamic symbols of a 64-bit little-endian ELF file, by name. */
function dynamicSymbols(file: Buffer): Map<string, bigint> {
  const symbols = new Map<string, bigint>()
  if (file.toString('latin1', 0, 6) !== '\x7fELF\x02\x01') return symbols
  const sections = Number(file.readBigUInt64LE(40))
  const [size, count] = [file.readUInt16LE(58), file.readUInt16LE(60)]
  const section = (i: number) => {
    const at = sections + i * size
    return {
      type: file.readUInt32LE(at + 4),
      offset: Number(file.readBigUInt64LE(at + 24)),
      length: Number(file.readBigUInt64LE(at + 32)),
      link: file.readUInt32LE(at + 40),
    }
  }
  for (let i = 0; i < count; i++) {
    const { type, offset, length, link } = section(i)
    if (type !== sectionDynsym) continue
    const strings = section(link).offset
    for (let at = offset; at < offset + length; at += 24) {
      const name = strings + file.readUInt32LE(at)
      symbols.set(file.toString('latin1', name, file.indexOf(0, name)), file.readBigUInt64LE(at + 8))
    }
  }
  return symbols
}
