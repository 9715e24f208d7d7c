// Icon programs on the plain icont and iconx: translate, link, and turn what a run left into counts.
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { basename, dirname, isAbsolute, join, resolve } from 'node:path'
import type { Pending } from '../2-plan/solve.js'
import { planVersion, unknownCallee, type Plan, type Step } from '../2-plan/plan.js'
import { embeddedMark, launchedName, type EmbeddedPlan } from '../3-rewrite/link.js'
import type { Program } from '../3-rewrite/rewrite.js'
import { ScampError } from '../error.js'
import { findProgram, runToEnd } from './native.js'
import type { Frame } from './run.js'

/** Finds icont or iconx, by the user's choice or on PATH. Throws ScampError that says how to get it. */
export function findInterpreter(name: 'icont' | 'iconx', chosen: string | undefined): string {
  const found = findProgram(chosen ?? name)
  if (found) return found
  const where = chosen === undefined ? `${name} is not on the PATH` : `there is no program ${chosen}`
  throw new ScampError(
    `${where}; install it with: apt-get install icont iconx (or name it with --${name} PATH, or use --engine embedded)`,
  )
}

/** What of a program an engine needs. */
export type ProgramText = Pick<Program, 'source' | 'text' | 'included' | 'prefix'>

/** What icont made from one program: the name of its ucode file, and what it said. */
export interface Translated {
  readonly u1: string
  readonly messages: string
}

/**
 * Translates one program to ucode, in a temporary folder. Messages and line tables name the file as the user did.
 *
 * flags   for icont, such as -u
 * throws  ScampError with icont's own words if it rejects the text
 */
export function translate(program: ProgramText, icont: string, folder: string, flags: readonly string[]): Translated {
  const { source } = program
  mkdirSync(folder, { recursive: true })
  const base = source.name === '-' || source.name === 'stdin' ? 'stdin.icn' : basename(source.name)
  const shown = source.name === '-' ? 'stdin' : source.name
  // the line after `$line 0` is line 1
  writeFileSync(join(folder, base), `$line 0 "${shown.replace(/["\\]/g, '\\$&')}"\n${program.text}`, 'latin1')
  for (const { name, text } of program.included) {
    if (isAbsolute(name)) continue
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    writeFileSync(join(folder, name), text, 'latin1')
  }
  const { status, stderr } = runToEnd(icont, [...flags, '-c', base], { cwd: folder, env: searchEnvironment(folder) })
  const shownName = base === 'stdin.icn' ? stderr.replace(/^stdin\.icn:$/m, 'stdin:') : stderr
  const messages = shownName.replace(new RegExp(`^  ${program.prefix}\\w*\\n`, 'gm'), '')
  if (status !== 0) throw new ScampError(`icont does not accept ${source.name}:\n${messages.trimEnd()}`)
  return { u1: `${base.replace(/\.icn$/, '')}.u1`, messages }
}

/** Lets icont, run in another folder, find included and linked files as it would from here. */
function searchEnvironment(folder: string): NodeJS.ProcessEnv {
  const here = join(folder, '.here')
  if (!existsSync(here)) symlinkSync(process.cwd(), here)
  const search = (path: string | undefined) => {
    const folders = (path ?? '').split(/[ :]+/).filter((one) => one !== '')
    return [here, ...folders.map((one) => resolve(one))].join(':')
  }
  return { ...process.env, LPATH: search(process.env.LPATH), IPATH: search(process.env.IPATH) }
}

/**
 * Links ucode files to an icode file. Those of `folder`'s own are found there, others and what they link where icont
 * looks for them.
 *
 * folder  holds nothing else that matters
 * names   of ucode files, as icont takes them
 */
export function linkIcode(
  icont: string,
  folder: string,
  names: readonly string[],
  output: string,
  flags: readonly string[],
): string {
  const env = searchEnvironment(folder)
  const { status, stderr } = runToEnd(icont, [...flags, '-o', resolve(output), ...names], { cwd: folder, env })
  if (status !== 0) throw new ScampError(`icont cannot link the program:\n${stderr.trimEnd()}${linkCure(stderr)}`)
  return stderr
}

/** What to do about a module that icont does not find. */
function linkCure(stderr: string): string {
  const name = /cannot resolve reference to file '(.*)\.u1'/.exec(stderr)?.[1]
  if (name === undefined) return ''
  return existsSync(`${name}.icn`)
    ? `\nnote: translate it first (icont -c ${name}.icn), or name ${name}.icn here as well`
    : `\nnote: modules of the Icon Program Library are in Debian's package icon-ipl; others are sought in IPATH`
}

/** Makes the ucode that tells instrumented modules that they are linked for the launcher. Answers its name. */
export function launchedModule(icont: string, folder: string): string {
  const name = 'scamp_launched'
  writeFileSync(join(folder, `${name}.icn`), `procedure ${launchedName}()\nend\n`)
  const { status, stderr } = runToEnd(icont, ['-s', '-c', `${name}.icn`], { cwd: folder })
  if (status !== 0) throw new ScampError(`icont does not work: ${stderr.trimEnd()}`)
  return `${name}.u1`
}

/**
 * Puts another header before an icode file: a shell script that runs it under scamp's launcher. Where the launcher
 * is gone, and where ICONX names an interpreter that cannot be run, the program still runs, without counting.
 */
export function setLauncher(icode: string, node: string, launcher: string, iconx: string): void {
  const bytes = readFileSync(icode)
  const mark = '[executable Icon binary follows]\n'
  const end = bytes.indexOf('\n\f\n\0', bytes.indexOf(mark))
  const script = [
    '#!/bin/sh',
    `SCAMP_NODE=${shellQuoted(node)}`,
    `SCAMP_LAUNCHER=${shellQuoted(launcher)}`,
    `IXBIN=${shellQuoted(iconx)}`,
    '[ -x "$SCAMP_NODE" ] && [ -f "$SCAMP_LAUNCHER" ] && exec "$SCAMP_NODE" "$SCAMP_LAUNCHER" "$IXBIN" "$0" ${1+"$@"}',
    'echo "scamp: the launcher is gone; running without saving counts" >&2',
    'SCAMP_PLAIN=1; export SCAMP_PLAIN',
    '[ -n "$ICONX" ] && exec "$ICONX" "$0" ${1+"$@"}',
    '[ -x "$IXBIN" ] && exec "$IXBIN" "$0" ${1+"$@"}',
    'exec iconx "$0" ${1+"$@"}',
    mark,
  ].join('\n')
  const unpadded = script.length + 4
  const header = `${script.slice(0, -1)}\n${' '.repeat((8 - (unpadded % 8)) % 8)}\n\f\n\0`
  writeFileSync(icode, Buffer.concat([Buffer.from(header, 'latin1'), bytes.subarray(end + 4)]))
  chmodSync(icode, 0o755)
}

const shellQuoted = (text: string) => `'${text.replace(/'/g, `'\\''`)}'`

/** The counters of one program among a run's variables: all zero if none of its procedures was ever called. */
export function countersOf(plan: Omit<Plan, 'probes'>, prefix: string, values: ReadonlyMap<string, bigint>): bigint[] {
  return Array.from({ length: plan.flow.counters }, (_, i) => values.get(`${prefix}_${i}`) ?? 0n)
}

/** Which vertices of a plan the frames of a run that was cut short stand at; all, if the frames are not known. */
export function pendingOf(plan: Omit<Plan, 'probes'>, frames: readonly Frame[] | undefined): Pending[] {
  if (!frames || (plan.renumbered && frames.length > 0)) {
    const vertices = Array.from({ length: plan.flow.vertices }, (_, vertex) => vertex)
    return [{ vertices, times: frames?.length ?? 1 }]
  }
  const pending = new Map<string, Pending>()
  for (const frame of frames) {
    const vertices = [...new Set(stepsAt(plan, frame).map(({ vertex }) => vertex))].sort((a, b) => a - b)
    if (vertices.length === 0) continue
    const unbegun = frame.unbegun ? frame.callee : undefined
    const key = [...vertices, unbegun].join()
    const times = (pending.get(key)?.times ?? 0) + (frame.times ?? 1)
    pending.set(key, { vertices, times, ...(unbegun !== undefined && { unbegun }) })
  }
  return [...pending.values()]
}

/** What a traceback may call an operator: an augmented assignment computes, then assigns. */
const operationsOf = (operator: string) => (/.:=$/.test(operator) ? [operator.slice(0, -2), ' := '] : [operator])

// operators that call a procedure
const transfers: ReadonlySet<string | undefined> = new Set(['!', '@'])

/**
 * The steps that a frame may stand at. One that calls something or carries out an operation stands at such a step of
 * its line. One that a look into memory found between operations, perhaps within a probe, may be anywhere in its
 * procedure, for all that its line tells.
 */
function stepsAt(plan: Omit<Plan, 'probes'>, frame: Frame): readonly Step[] {
  const { line, callee, operation } = frame
  const file = plan.files.findIndex(({ name }) => name === frame.file)
  const steps = plan.steps.filter((step) => step.file === file)
  const sites = plan.sites.filter((site) => site.file === file)
  const matches = ({ call, operator }: Step) => {
    if (callee !== undefined) return call === callee || call === unknownCallee || transfers.has(operator)
    if (operator !== undefined) return operationsOf(operator).some((one) => operation?.includes(one))
    return call === unknownCallee
  }
  const onLine = steps.filter((step) => step.line === line)
  const fitting = onLine.filter(matches)
  // the step of ?:= is where scanning begins; what it scanned is assigned somewhere behind that
  const mayAssignScanned = operation !== undefined && fitting.some(({ operator }) => operator === '?:=')
  if ((callee === undefined && operation === undefined) || mayAssignScanned) {
    const heads = sites.filter(({ kind }) => kind === 'procedure').map((site) => site.line)
    const from = Math.max(...heads.filter((head) => head <= line))
    const to = Math.min(...heads.filter((head) => head > line))
    return steps.filter((step) => step.line >= from && step.line <= to)
  }
  return fitting.length > 0 ? fitting : onLine
}

/**
 * The plans of the instrumented files that an icode file was linked from.
 *
 * throws  ScampError if another version of scamp made them, or they are damaged
 */
export function embeddedPlans(icode: string): EmbeddedPlan[] {
  const text = readFileSync(icode, 'latin1')
  return [...text.matchAll(new RegExp(`${embeddedMark}(\\d+):(\\d+):`, 'g'))].map(
    ({ 0: mark, 1: version, 2: length, index }) => {
      if (Number(version) !== planVersion) throw new ScampError(`${icode} was made by another version of scamp`)
      const start = index + mark.length
      try {
        const packed = Buffer.from(text.slice(start, start + Number(length)), 'base64')
        return JSON.parse(inflateSync(packed).toString('utf8')) as EmbeddedPlan
      } catch {
        throw new ScampError(`${icode} is damaged`)
      }
    },
  )
}
