// The pipeline for Algol 68 on a68g: one program, which is one file and what its pragmats include.
import { basename, extname } from 'node:path'
import { checkSource, findA68g, layOut, pendingOf } from './4-run/a68g.js'
import { launchMonitored, type A68gRun, type Monitored } from './4-run/a68g-monitor.js'
import { inTemporaryFolder, runThrough } from './4-run/native.js'
import type { End } from './4-run/run.js'
import { countsFileName, hashOfFile, keepPlan, writeCounts, writePlan, type Counts } from './5-profile/file.js'
import { profileOf } from './5-profile/merge.js'
import type { Profile } from './5-profile/profile.js'
import { prepare, type Instrumenting } from './prepare.js'
import { ScampError } from './error.js'
import type { Source } from './source.js'

/** What a run gave: how it ended, its profile, unless its counts were lost, and why that could not be saved, if so. */
export interface Ran {
  readonly run: { readonly end: End }
  readonly profile: Profile | undefined
  readonly unsaved: ScampError | undefined
}

/** How to run an Algol 68 program. */
export interface RunningAlgol68 {
  /** By the user's choice; undefined: on the PATH. */
  readonly a68g: string | undefined
  /** Options for a68g, and those for its check of the user's text only. */
  readonly flags: readonly string[]
  readonly checkFlags: readonly string[]
  /** The command line that the program is to see, a68g itself first. */
  readonly words: readonly string[]
  readonly folder: string
  readonly context: string
  readonly timeoutSeconds: number | undefined
  readonly write: (chunk: string) => void
  readonly writeError: (chunk: string) => void
  readonly onStart: (monitored: Monitored) => void
}

/** a68g does not accept a source; what it says about that has been written. */
export class Rejected extends ScampError {
  constructor({ name }: Source, messages: string) {
    super(`a68g does not accept ${name}${messages.trim() === '' ? '' : `:\n${messages.trimEnd()}`}`)
  }
}

/**
 * Instruments an Algol 68 program, runs it, and saves what it counted.
 *
 * throws   Rejected; other ScampErrors, before anything has been written, if scamp cannot read what a68g accepts, or a68g
 *          cannot be had
 */
export async function runAlgol68(source: Source, instrumenting: Instrumenting, running: RunningAlgol68): Promise<Ran> {
  const a68g = findA68g(running.a68g)
  const { flags, folder, context } = running
  const words = running.words.map((word) => Buffer.from(word).toString('latin1'))
  return inTemporaryFolder(async (place) => {
    const checked = checkSource(a68g, source, [...flags, ...running.checkFlags], place)
    if (checked.status !== 0) {
      running.write(checked.stdout)
      throw new Rejected(source, checked.stderr)
    }
    const destinations = [{ kind: 'launched', programName: undefined, embed: false, mayTrace: false, words }] as const
    const [program] = await prepare({ ...instrumenting, sources: [source], isWhole: true, destinations })
    running.writeError(checked.stderr)
    running.write(checked.stdout)
    const { path, messages } = layOut(program, place, checked.stdout)
    const { plan, prefix } = program
    const monitored = launchMonitored({
      command: [a68g, ...flags, '--nowarnings', '--debug', path],
      mark: program.mark,
      counters: Array.from({ length: plan.flow.counters }, (_, i) => `${prefix}c${i}`),
      messages,
      stdin: 0,
      folder: place,
      write: running.write,
      // PR regression PR
      errors: checked.stderr.startsWith('[') ? { heading: `[${path}]\n`, write: running.writeError } : undefined,
    })
    running.onStart(monitored)
    const run = await untilDone(monitored, running.timeoutSeconds)
    const { counters } = run
    if (!counters) return { run, profile: undefined, unsaved: undefined }
    const kept = keepPlan(source.name, program.hash, plan)
    const counts: Counts = {
      program: basename(source.name === '-' ? 'stdin' : source.name, extname(source.name)),
      context,
      time: new Date().toISOString(),
      runs: 1,
      end: run.end,
      checkpoint: false,
      sources: [{ id: kept.id, counters, pending: pendingOf(plan, run, messages) }],
    }
    const unsaved = failure(() => {
      writePlan(folder, kept)
      writeCounts(folder, countsFileName(), counts)
    })
    return { run, profile: profileOf({ plans: [kept], counts, rejected: [] }, hashOfFile), unsaved }
  })
}

/** Runs a68g as it is, in this process's place, with these words behind its name. Answers its exit status. */
export const runPlainAlgol68 = (a68g: string | undefined, words: readonly string[]): number =>
  runThrough(findA68g(a68g), words)

async function untilDone(monitored: Monitored, timeoutSeconds: number | undefined): Promise<A68gRun> {
  const timer = timeoutSeconds && setTimeout(() => monitored.stop('timeout'), timeoutSeconds * 1000)
  try {
    return await monitored.done
  } finally {
    if (timer) clearTimeout(timer)
  }
}

/** Does something that a full disk and the like may prevent. Answers what was in the way. */
function failure(work: () => void): ScampError | undefined {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof ScampError) return error
    throw error
  }
}
