// Profile files. A folder holds two kinds, and any number of programs may write to it at once without knowing of each
// other, since each file is written whole, under a name of its own:
//
//   ID.plan                   what does not change from run to run: sites and flow of one source, as JSON
//   HOST.PID.TIME.counts      what one run counted (several, after a merge)
//
// A counts file is a line of JSON (CountsHeader), then the counters of its sources one after the other (numbers.ts), then
// the first four bytes of the SHA-256 of all that precedes. Adding profiles is putting files into one folder.
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { Pending } from '../2-plan/solve.js'
import { planVersion, type Plan } from '../2-plan/plan.js'
import { ScampError } from '../error.js'
import type { End } from '../4-run/run.js'
import { hashOf } from '../source.js'
import { howManyNumbers, spellNumbers, Sums } from './numbers.js'

const countsVersion = 2

/** A plan as it is kept: what tallying needs of it. */
export interface KeptPlan {
  readonly format: 'scamp-plan'
  readonly version: number
  readonly id: string
  readonly name: string
  readonly hash: string
  readonly plan: Omit<Plan, 'probes'>
}

/**
 * Makes a plan fit to be kept. Its id names this very plan: the same text is planned otherwise when a counter is put
 * everywhere, or when more is known of the program it belongs to.
 */
export function keepPlan(name: string, hash: string, plan: Omit<Plan, 'probes'>): KeptPlan {
  const { language, files, renumbered, sites, tokens, flow, steps, unmonitored, leftOut } = plan
  const kept = { language, files, renumbered, sites, tokens, flow, steps, unmonitored, leftOut }
  return { format: 'scamp-plan', version: planVersion, id: planId(name, hash, kept), name, hash, plan: kept }
}

const planId = (name: string, hash: string, plan: KeptPlan['plan']) => hashOf(JSON.stringify([name, hash, plan]))

/** What one source counted. */
export interface SourceCounts {
  readonly id: string
  readonly counters: readonly bigint[]
  readonly pending: readonly Pending[]
}

/**
 * What a run counted, or several runs added up.
 *
 * context     what the user called these runs, such as a test's name; empty if they were given none
 * time        when it ended, in ISO 8601
 * end         how; of the last one
 * checkpoint  whether the counts are only those of the run's last checkpoint
 */
export interface Counts {
  readonly program: string
  readonly context: string
  readonly time: string
  readonly runs: number
  readonly end: End
  readonly checkpoint: boolean
  readonly sources: readonly SourceCounts[]
}

/** The first line of a counts file; of each source it has the number of counters only. */
export interface CountsHeader extends Omit<Counts, 'sources'> {
  readonly format: 'scamp-counts'
  readonly version: number
  readonly sources: readonly { readonly id: string; readonly counters: number; readonly pending: readonly Pending[] }[]
}

/** A counts file that was found whole. Its counters are still spelled, source after source. */
export interface SpelledCounts {
  readonly header: CountsHeader
  readonly numbers: Uint8Array
}

/** Fills in the patterns of SCAMP_OUT: %p the process number, %h the host, %t the time in milliseconds, %% a percent. */
export function fillPattern(pattern: string): string {
  const values: Record<string, string> = { p: String(process.pid), h: hostname(), t: String(Date.now()), '%': '%' }
  return pattern.replace(/%([pht%])/g, (_, letter: string) => values[letter])
}

/** A name for a new counts file that no other process chooses. */
export function countsFileName(): string {
  return `${hostname()}.${process.pid}.${process.hrtime.bigint()}.counts`
}

/** Writes a plan into a folder, unless it is there. */
export function writePlan(folder: string, plan: KeptPlan): void {
  const path = join(folder, `${plan.id}.plan`)
  try {
    if (statSync(path).size > 0) return
  } catch {
    // not there yet
  }
  writeWhole(path, Buffer.from(`${JSON.stringify(plan)}\n`))
}

/** Writes counts into a folder, under the name given. */
export function writeCounts(folder: string, name: string, counts: Counts): void {
  const { sources, ...rest } = counts
  const header: CountsHeader = {
    format: 'scamp-counts',
    version: countsVersion,
    ...rest,
    sources: sources.map(({ id, counters, pending }) => ({ id, counters: counters.length, pending })),
  }
  const numbers = spellNumbers(sources.flatMap(({ counters }) => counters))
  const body = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), numbers])
  writeWhole(join(folder, name), Buffer.concat([body, seal(body)]))
}

/** Removes a counts file, such as a checkpoint that the run outlived. */
export function removeCounts(folder: string, name: string): void {
  rmSync(join(folder, name), { force: true })
}

/** Makes a folder and those above it. (Node's own recursive mkdir never returns where nothing can be made.) */
export function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  try {
    mkdirSync(path)
  } catch (error) {
    // another process may have been faster
    if (!existsSync(path)) throw error
  }
}

/** Nobody ever sees a file half written: it gets its name when it is complete. */
function writeWhole(path: string, content: Buffer): void {
  const temporary = `${path}.${process.pid}.tmp`
  try {
    makeFolder(dirname(path))
    writeFileSync(temporary, content)
    renameSync(temporary, path)
  } catch (error) {
    throw new ScampError(`cannot write ${path}: ${reasonOf(error)}`)
  }
}

/** The operating system's words for why a file cannot be read or written. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException
  const reasons: Record<string, string> = {
    ENOENT: 'no such file or folder',
    EACCES: 'permission denied',
    EISDIR: 'it is a folder',
    ENOTDIR: 'a part of its path is no folder',
    ENOSPC: 'no space left',
    EROFS: 'the file system is read-only',
  }
  return reasons[code ?? ''] ?? message
}

/** The profile files under the paths given: folders are searched (not below), files taken as they are. */
export function findProfiles(paths: readonly string[]): { readonly plans: string[]; readonly counts: string[] } {
  const plans: string[] = []
  const counts: string[] = []
  for (const path of paths) {
    let names: string[]
    try {
      names = statSync(path).isDirectory()
        ? readdirSync(path)
            .sort()
            .map((name) => join(path, name))
        : [path]
    } catch (error) {
      throw new ScampError(`cannot read profile ${path}: ${reasonOf(error)}`)
    }
    if (names[0] === path) {
      counts.push(path)
      const beside = join(path, '..')
      plans.push(
        ...readdirSync(beside)
          .filter((name) => name.endsWith('.plan'))
          .map((name) => join(beside, name)),
      )
      continue
    }
    plans.push(...names.filter((name) => name.endsWith('.plan')))
    counts.push(...names.filter((name) => name.endsWith('.counts')))
  }
  return { plans: distinctFiles(plans), counts: distinctFiles(counts) }
}

/** Each file once, by whatever names it was found. */
function distinctFiles(paths: readonly string[]): string[] {
  const byPlace = new Map<string, string>()
  for (const path of paths) byPlace.set(existsSync(path) ? realpathSync(path) : path, path)
  return [...byPlace.values()]
}

/** Reads a plan. Throws ScampError if the file is none, damaged, or of a version this scamp does not know. */
export function readPlan(path: string): KeptPlan {
  const plan = parseJson(path, readBytes(path).toString('utf8')) as KeptPlan
  checkFormat(path, plan, 'scamp-plan', planVersion)
  if (plan.id !== planId(plan.name, plan.hash, plan.plan)) throw new ScampError(`${path} is damaged`)
  return plan
}

/** Reads counts. Throws ScampError if the file is none, cut short or damaged. */
export function readCounts(path: string): Counts {
  const { header, numbers } = readSpelled(path)
  const { format: _, version: __, sources, ...rest } = header
  let at = 0
  const read = sources.map(({ id, counters: count, pending }) => {
    const sums = new Sums(count)
    at = sums.add(numbers, at)
    return { id, counters: sums.values(), pending }
  })
  return { ...rest, sources: read }
}

/** Reads counts and leaves the counters as they are. Throws ScampError if the file is none, cut short or damaged. */
export function readSpelled(path: string): SpelledCounts {
  const bytes = readBytes(path)
  const end = bytes.indexOf(newline)
  if (end < 0) throw new ScampError(`${path} is not a complete profile: it is cut short or something else`)
  const header = parseHeader(path, bytes.toString('utf8', 0, end))
  const body = bytes.subarray(0, Math.max(bytes.length - 4, 0))
  if (!seal(body).equals(bytes.subarray(body.length))) {
    throw new ScampError(`${path} is not a complete profile: it is cut short or damaged`)
  }
  const numbers = body.subarray(end + 1)
  if (howManyNumbers(numbers) !== header.sources.reduce((sum, { counters }) => sum + counters, 0)) {
    throw new ScampError(`${path} has not as many counters as it says`)
  }
  return { header, numbers }
}

/** Reads the first line of a counts file only; whether the rest is whole is not known. Throws as readCounts does. */
export function readHeader(path: string): CountsHeader {
  const chunks: Buffer[] = []
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    for (;;) {
      const chunk = Buffer.alloc(4096)
      const length = readSync(file, chunk)
      const end = chunk.subarray(0, length).indexOf(newline)
      chunks.push(chunk.subarray(0, end < 0 ? length : end))
      if (end >= 0) break
      if (length === 0) throw new ScampError(`${path} is not a complete profile: it is cut short or something else`)
    }
  } catch (error) {
    if (error instanceof ScampError) throw error
    throw new ScampError(`cannot read profile ${path}: ${reasonOf(error)}`)
  } finally {
    if (file !== undefined) closeSync(file)
  }
  return parseHeader(path, Buffer.concat(chunks).toString('utf8'))
}

const newline = 10

function parseHeader(path: string, line: string): CountsHeader {
  const header = parseJson(path, line) as CountsHeader
  checkFormat(path, header, 'scamp-counts', countsVersion)
  return header
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path)
  } catch (error) {
    throw new ScampError(`cannot read profile ${path}: ${reasonOf(error)}`)
  }
}

function parseJson(path: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new ScampError(`${path} is not a profile of scamp`)
  }
}

function checkFormat(
  path: string,
  found: { format?: string; version?: number } | null,
  format: string,
  version: number,
): void {
  if (found?.format !== format) throw new ScampError(`${path} is not a profile of scamp`)
  if (found.version !== version) {
    throw new ScampError(`${basename(path)} has format version ${found.version}; this scamp reads version ${version}`)
  }
}

const seal = (body: Buffer) => createHash('sha256').update(body).digest().subarray(0, 4)

/** The hash of a file's text, as profiles know it; undefined if it cannot be read. */
export function hashOfFile(name: string): string | undefined {
  try {
    return hashOf(readFileSync(name, 'latin1'))
  } catch {
    return undefined
  }
}
