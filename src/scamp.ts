// The pipeline, and scamp's public interface. Read this first: each stage is one call, each product plain data.
//
//   source ─1 parse→ tree ─2 plan→ plan ─3 rewrite→ program ─4 run→ run ─5 profile→ profile ─6 report→ text
import { basename, join } from 'node:path'
import type { TokenSite } from './2-plan/plan.js'
import type { EmbeddedPlan } from './3-rewrite/link.js'
import type { Program } from './3-rewrite/rewrite.js'
import { launchEmbedded } from './4-run/embedded.js'
import { countersOf, findInterpreter, linkIcode, pendingOf, translate, type ProgramText } from './4-run/iconx.js'
import { launch } from './4-run/launch.js'
import { inTemporaryFolder } from './4-run/native.js'
import type { Launched, Run, Snapshot } from './4-run/run.js'
import {
  countsFileName,
  hashOfFile,
  keepPlan,
  removeCounts,
  writeCounts,
  writePlan,
  type Counts,
} from './5-profile/file.js'
import { profileOf } from './5-profile/merge.js'
import type { Ran } from './algol68.js'
import { prepare, type Instrumenting } from './prepare.js'
import { ScampError } from './error.js'
import type { Source } from './source.js'

export { ScampError, drawError } from './error.js'
export type { Language, Source } from './source.js'
export type { Stropping } from './1-parse/algol68/scan.js'
export { sights, type Monitor, type Passages } from './2-plan/plan.js'
export { executing } from './2-plan/icon-executing.js'
export type { Program } from './3-rewrite/rewrite.js'
export type { Profile } from './5-profile/profile.js'
export type { Progress } from './5-profile/merge.js'
export type { End } from './4-run/run.js'
export type { Instrumenting } from './prepare.js'
export { report, formats } from './6-report/report.js'
export { compareProfiles, type PartPair } from './6-report/diff/compare.js'
export { drawDiff } from './6-report/diff/draw.js'
export { diffJson } from './6-report/diff/json.js'
export {
  changedFiles,
  goalsAmong,
  hasPassages,
  mergeProfiles,
  readContexts,
  readPassages,
  readProfiles,
  textAmong,
  unloadedFiles,
} from './profiles.js'
export { renamed } from './6-report/rename.js'
export type { ReportOptions } from './6-report/options.js'
export { reached, type Context } from './6-report/contexts.js'
export { Rejected, runAlgol68, runPlainAlgol68, type Ran, type RunningAlgol68 } from './algol68.js'
export { coverageOf, measures, type Coverage, type FileCoverage, type Measure } from './6-report/coverage.js'
export { judge, judgeAgainst, judgePatch, type Addition, type Required, type Thresholds } from './6-report/gate.js'
export { readDiff, type Patch } from './6-report/patch.js'
export { drawVerdict, measureNames, spellFindings } from './6-report/uncovered.js'

/** How programs are instrumented unless something else is said. */
export const usualInstrumenting: Instrumenting = {
  probing: 'basis',
  monitor: 'constructs',
  lpath: '',
  sandbox: false,
}

/**
 * Instruments the files of one program so that the program reports on itself.
 *
 * returns  the amended texts, in the order of the sources
 * throws   ScampError at the first thing in a source that is wrong
 */
export async function instrument(sources: readonly Source[], options: Partial<Instrumenting> = {}): Promise<Program[]> {
  // others may link it with more
  return prepare({
    ...usualInstrumenting,
    ...options,
    sources,
    isWhole: false,
    destinations: sources.map(() => ({ kind: 'self-contained' })),
  })
}

/**
 * Instruments files whose counts scamp's launcher will save; the plan travels inside the executable.
 *
 * isWhole   whether nothing else will be linked with them
 */
export async function instrumentForLauncher(
  sources: readonly Source[],
  isWhole: boolean,
  options: Instrumenting,
): Promise<Program[]> {
  const destination = { kind: 'launched', programName: undefined, embed: true, mayTrace: true } as const
  return prepare({ ...options, sources, isWhole, destinations: sources.map(() => destination) })
}

/**
 * Lists the tokens of an Icon source that are executed, in the order of the text.
 *
 * lpath   folders to search for included files, as LPATH
 * throws  ScampError at the first thing in the source that is wrong
 */
export async function executableTokens(source: Source, lpath: string): Promise<readonly TokenSite[]> {
  if (source.language !== 'icon') throw new ScampError('tokens are counted in Icon programs, not in Algol 68 yet')
  const options = { probing: 'basis', monitor: 'tokens', lpath, sandbox: false } as const
  const [{ plan }] = await instrumentForLauncher([source], false, options)
  return plan.tokens.filter(({ file }) => file === 0)
}

/** How to run a program. */
export interface Running {
  readonly engine: 'iconx' | 'embedded'
  readonly args: readonly string[]
  readonly icont: string | undefined
  readonly iconx: string | undefined
  /** Where profiles go. */
  readonly folder: string
  /** What this run is called, such as a test's name; empty if it has no name. */
  readonly context: string
  readonly timeoutSeconds: number | undefined
  /** How much a program's values may take, and whether files, processes and the environment are kept from it. */
  readonly memoryMegabytes: number | undefined
  readonly sandbox: boolean
  /** The descriptor of the program's standard input; undefined: this process's own. */
  readonly stdin?: number
  readonly writeError: (chunk: string) => void
  /** Told when the program has started, so that signals can be passed on to it. */
  readonly onStart: (launched: Launched) => void
}

/** How programs are run unless something else is said: their standard error is that of nobody. */
export const usualRunning: Running = {
  engine: 'embedded',
  args: [],
  icont: undefined,
  iconx: undefined,
  folder: '.scamp',
  context: '',
  timeoutSeconds: undefined,
  memoryMegabytes: undefined,
  sandbox: false,
  writeError: () => undefined,
  onStart: () => undefined,
}

/**
 * Instruments an Icon program, runs it, and saves what it counted. The program's standard output is this process's.
 *
 * linked   ucode files to link besides (iconx only)
 * throws   ScampError if a source is wrong, or icont or iconx cannot be had
 */
export async function run(
  sources: readonly Source[],
  linked: readonly string[] = [],
  instrumenting: Partial<Instrumenting> = {},
  how: Partial<Running> = {},
): Promise<Ran> {
  const running = { ...usualRunning, ...how }
  const programName = nameOf(sources)
  const destination =
    running.engine === 'embedded'
      ? ({ kind: 'kept' } as const)
      : ({ kind: 'launched', programName, embed: false, mayTrace: true } as const)
  const start = starter(running)
  const isWhole = linked.length === 0
  const destinations = sources.map(() => destination)
  const programs = await prepare({ ...usualInstrumenting, ...instrumenting, sources, isWhole, destinations })
  const plans = programs.map(({ source, hash, prefix, asksDump, plan }) => {
    return { name: source.name, hash, prefix, asksDump, plan }
  })
  return start(programs, linked, programName, (launchIt) => launchAndSave(launchIt, programName, plans, running))
}

/** Runs sources as they are. */
export async function runPlain(
  sources: readonly Source[],
  linked: readonly string[] = [],
  how: Partial<Running> = {},
): Promise<Run> {
  const running = { ...usualRunning, ...how }
  const start = starter(running)
  const plain = sources.map((source) => ({ source, text: source.text, included: [], prefix: '_scamp' }))
  return start(plain, linked, nameOf(sources), (launchIt) => startAndWait(launchIt, [], running, undefined))
}

/** What `&progname` is to be: as for an executable made by icont from these files. */
function nameOf([{ name }]: readonly Source[]): string {
  return basename(name === '-' ? 'stdin' : name).replace(/\.(?:icn|a68)$/, '')
}

/** Starts a program that an engine has been given. `plans`: of its counters; none: it has none. */
export type Launching = (
  plans: readonly EmbeddedPlan[],
  onCheckpoint: ((seen: Snapshot) => void) | undefined,
) => Launched

/** Gives program texts to an engine; `work` may then start the program. */
type Starter = <T>(
  programs: readonly ProgramText[],
  linked: readonly string[],
  name: string,
  work: (launchIt: Launching) => Promise<T>,
) => Promise<T>

/** The engine that is asked for; it fails at once if it is not there. */
function starter(running: Running): Starter {
  if (running.engine === 'embedded') return embeddedStarter(running)
  const icont = findInterpreter('icont', running.icont)
  const iconx = findInterpreter('iconx', running.iconx)
  return (programs, linked, _, work) =>
    inTemporaryFolder((folder) => {
      const u1 = programs.map((program) => translate(program, icont, folder, ['-s']).u1)
      const icode = join(folder, 'icode')
      linkIcode(icont, folder, [...u1, ...linked], icode, ['-s'])
      return work(onIconx(iconx, icode, running))
    })
}

const embeddedStarter =
  ({ args, stdin, writeError, memoryMegabytes, sandbox }: Running): Starter =>
  (programs, linked, name, work) => {
    if (linked.length > 0) throw new ScampError(`the embedded engine takes sources only, not ${linked.join(', ')}`)
    return work((plans, onCheckpoint) =>
      launchEmbedded({
        sources: programs.map(({ source, text }) => ({ ...source, text })),
        included: programs.flatMap(({ included }) => included),
        counters: plans.map(({ prefix, plan }) => ({ prefix, count: plan.flow.counters })),
        args,
        name,
        memoryMegabytes,
        sandbox,
        writeError,
        ...(stdin !== undefined && { stdin }),
        ...(onCheckpoint && { onCheckpoint }),
      }),
    )
  }

/** What starts an icode file on iconx. */
export const onIconx =
  (iconx: string, icode: string, { args, stdin, writeError }: Running): Launching =>
  (plans, onCheckpoint) =>
    launch({
      iconx,
      args: [icode, ...args],
      prefixes: plans.map(({ prefix }) => prefix),
      dumpNotes: plans.filter(({ asksDump }) => asksDump).map(({ prefix }) => `${prefix}_w`),
      countsTokens: plans.some(({ plan }) => plan.tokens.length > 0),
      writeError,
      ...(stdin !== undefined && { stdin }),
      ...(onCheckpoint && { onCheckpoint }),
    })

/** Runs a program that was made for the launcher, and saves what it counted. */
export async function launchAndSave(
  launchIt: Launching,
  programName: string,
  plans: readonly EmbeddedPlan[],
  running: Running,
): Promise<Ran> {
  const { folder, context } = running
  const kept = plans.map(({ name, hash, plan }) => keepPlan(name, hash, plan))
  const file = countsFileName()
  const countsOf = (seen: Snapshot, run: Pick<Counts, 'end' | 'checkpoint'>): Counts => ({
    program: programName,
    context,
    time: new Date().toISOString(),
    runs: 1,
    ...run,
    sources: plans.map(({ prefix, plan }, i) => ({
      id: kept[i].id,
      counters: countersOf(plan, prefix, seen.counters),
      pending: pendingOf(plan, seen.frames),
    })),
  })
  const save = (counts: Counts) => {
    for (const plan of kept) writePlan(folder, plan)
    writeCounts(folder, file, counts)
  }
  let saved = false
  let unsaved: ScampError | undefined
  const trySave = (counts: Counts) => {
    try {
      save(counts)
      saved = true
    } catch (error) {
      if (!(error instanceof ScampError)) throw error
      unsaved = error
    }
  }
  const checkpoint = (seen: Snapshot) => {
    trySave(countsOf(seen, { end: { kind: 'signal', signal: 'SIGKILL' }, checkpoint: true }))
  }
  const finished = await startAndWait(launchIt, plans, running, checkpoint)
  const { counters, frames, end } = finished
  if (!counters) {
    if (saved) removeCounts(folder, file)
    return { run: finished, profile: undefined, unsaved }
  }
  const counts = countsOf({ counters, frames }, { end, checkpoint: finished.checkpoint })
  unsaved = undefined
  trySave(counts)
  return { run: finished, profile: profileOf({ plans: kept, counts, rejected: [] }, hashOfFile), unsaved }
}

async function startAndWait(
  launchIt: Launching,
  plans: readonly EmbeddedPlan[],
  running: Running,
  onCheckpoint: ((seen: Snapshot) => void) | undefined,
): Promise<Run> {
  const { timeoutSeconds } = running
  const launched = launchIt(plans, onCheckpoint)
  running.onStart(launched)
  const timer = timeoutSeconds && setTimeout(() => launched.stop('timeout'), timeoutSeconds * 1000)
  try {
    return await launched.done
  } finally {
    if (timer) clearTimeout(timer)
  }
}
