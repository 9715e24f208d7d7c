// Algol 68 programs on the plain a68g: have it check the user's text, lay out the amended one, and turn what a run left
// into counts.
import { mkdirSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, resolve } from 'node:path'
import { unknownCallee, type Plan, type Step } from '../2-plan/plan.js'
import type { Pending } from '../2-plan/solve.js'
import type { Program } from '../3-rewrite/rewrite.js'
import { ScampError } from '../error.js'
import type { Source } from '../source.js'
import { Messages, type AmendedFile, type OriginalPlace } from './a68g-messages.js'
import type { A68gRun } from './a68g-monitor.js'
import { findProgram, runToEnd, type Finished } from './native.js'

/** Finds a68g, by the user's choice or on PATH. Throws ScampError that says how to get it. */
export function findA68g(chosen: string | undefined): string {
  const found = findProgram(chosen ?? 'a68g')
  if (found) return found
  const where = chosen === undefined ? 'a68g is not on the PATH' : `there is no program ${chosen}`
  throw new ScampError(`${where}; install it with: apt-get install algol68g (or name it with --a68g PATH)`)
}

/** Has a68g check a text. Its warnings and errors are on its standard output, in terms of the user's text. */
export function checkSource(a68g: string, source: Source, flags: readonly string[], folder: string): Finished {
  let name = source.name
  if (name === '-') {
    name = join(folder, 'stdin.a68')
    writeFileSync(name, source.text, 'latin1')
  }
  return runToEnd(a68g, [...flags, '--check', name], { cwd: process.cwd() })
}

/** An amended program on disk. */
export interface LaidOut {
  readonly path: string
  readonly messages: Messages
}

/**
 * Writes an amended program into a folder, its included files where its pragmats look for them: beside it, or outside of
 * the folder it is in, but never outside of `folder`.
 */
export function layOut({ source, amended }: Program, folder: string, warnings: string): LaidOut {
  const [, ...included] = amended.map((one) => one.source.name)
  // as deep as the deepest `../` in a pragmat
  const base = source.name === '-' ? '.' : dirname(source.name)
  const ups = included.map(
    (name) =>
      relative(base, name)
        .split('/')
        .filter((part) => part === '..').length,
  )
  const place = join(folder, ...Array.from({ length: Math.max(0, ...ups) }, () => 'd'), 'd')
  const files = amended.map((one, i): AmendedFile => {
    const { name } = one.source
    const inside = i === 0 ? basename(name === '-' ? 'stdin.a68' : name) : relative(base, name)
    const path = resolve(place, inside)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, one.text, 'latin1')
    return { ...one, path }
  })
  return { path: files[0].path, messages: new Messages(files, warnings) }
}

/**
 * Which vertices the frames of a run that was cut short stand at. a68g has a frame for each range that control is in. Of
 * a routine that has called another, the innermost range is known, and what was called; of the one that was cut short,
 * the very place.
 */
export function pendingOf(plan: Plan, run: A68gRun, messages: Messages): Pending[] {
  if (run.stack === undefined && run.place === undefined) return []
  const everywhere = Array.from({ length: plan.flow.vertices }, (_, vertex) => vertex)
  const place = run.place === undefined ? undefined : messages.place(run.place)
  const activations = run.stack === undefined ? [] : readStack(run.stack, messages)
  if (activations.length === 0 || !place) return [{ vertices: everywhere, times: 1 }]
  const stepsIn = stepsByRange(plan)
  const pending = new Map<string, Pending>()
  let callee: string | undefined
  let unbegun: string | undefined
  activations.forEach(({ innermost, routine }, i) => {
    const called = routine && spotOf(routine)
    // it was to begin, and had not counted its call
    if (i === 0 && spotOf(place) === called) {
      callee = unbegun = called
      return
    }
    const here = stepsIn(innermost)
    const steps = i === 0 ? stepsAt(here, place) : here.filter(({ call }) => call === unknownCallee || call === callee)
    const found = steps.length > 0 ? steps : here
    const vertices = found.length > 0 ? [...new Set(found.map(({ vertex }) => vertex))] : everywhere
    vertices.sort((a, b) => a - b)
    const key = [...vertices, unbegun].join()
    const times = (pending.get(key)?.times ?? 0) + 1
    pending.set(key, { vertices, times, ...(unbegun !== undefined && { unbegun }) })
    callee = called
    unbegun = undefined
  })
  return [...pending.values()]
}

const spotOf = ({ file, line, column }: OriginalPlace) => `${file}:${line}:${column}`

const isUpTo = ({ file, line, column = 1 }: Step, place: OriginalPlace) =>
  file === place.file && (line < place.line || (line === place.line && column <= place.column))

/**
 * The steps of the range that a frame stands for. A frame names the first token of its range: if that is a tick of
 * ours, the range is that of the first step behind it.
 */
function stepsByRange(plan: Plan): (place: OriginalPlace) => readonly Step[] {
  const byRange = new Map<string, Step[]>()
  for (const step of plan.steps) {
    const steps = byRange.get(step.range ?? '')
    if (steps) steps.push(step)
    else byRange.set(step.range ?? '', [step])
  }
  const known = new Map<string, readonly Step[]>()
  return (place) => {
    const spot = spotOf(place)
    const steps =
      (place.isInserted ? undefined : byRange.get(spot)) ??
      known.get(spot) ??
      byRange.get(
        plan.steps.find((step) => step.file === place.file && (!isUpTo(step, place) || spotOfStep(step) === spot))
          ?.range ?? '',
      ) ??
      []
    known.set(spot, steps)
    return steps
  }
}

const spotOfStep = ({ file, line, column = 1 }: Step) => `${file}:${line}:${column}`

/** The steps that control may be at when a range is cut short at a place: those there, else the last before it. */
function stepsAt(steps: readonly Step[], place: OriginalPlace): readonly Step[] {
  // in one of our insertions it may be on either side of a count
  if (place.isInserted) return steps
  const before = steps.filter((step) => isUpTo(step, place))
  const last = before[before.length - 1]
  return before.filter(({ line, column }) => line === last.line && column === last.column)
}

/** A routine under way, or the program itself: where its innermost range begins, and where it does. */
interface Activation {
  readonly innermost: OriginalPlace
  readonly routine: OriginalPlace | undefined
}

/** Reads a listing of the stack, innermost first. Each frame is headed by the line where its range begins. */
function readStack(listing: string, messages: Messages): Activation[] {
  const rows = listing.split('\n')
  const known = new Map<string, OriginalPlace | undefined>()
  const activations: Activation[] = []
  let innermost: OriginalPlace | undefined
  let source = 0
  rows.forEach((row, i) => {
    // tags and the facts of the frame before are not at the margin, or no numbers
    if (/^\d/.test(row)) source = i
    if (!row.startsWith('Stack frame ')) return
    const shown = rows.slice(source, i).join('\n')
    if (!known.has(shown)) known.set(shown, messages.place(shown))
    const place = known.get(shown)
    innermost ??= place
    if (rows[i + 2] !== 'Procedure frame=yes') return
    if (innermost) activations.push({ innermost, routine: place })
    innermost = undefined
  })
  if (innermost) activations.push({ innermost, routine: undefined })
  return activations
}
