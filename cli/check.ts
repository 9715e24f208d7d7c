// `scamp check`: are the requirements on coverage met? Answers 0 if they are, 1 if not, 2 if that could not be judged.
import { existsSync } from 'node:fs'
import { relative } from 'node:path'
import {
  changedFiles,
  coverageOf,
  drawError,
  drawVerdict,
  judge,
  judgeAgainst,
  judgePatch,
  readProfiles,
  ScampError,
  spellFindings,
  type Instrumenting,
  type Profile,
  type Required,
  type Source,
  type Thresholds,
} from '../src/scamp.js'
import { readConfig } from './config.js'
import { statuses, type CheckOptions, type Requirement } from './options.js'
import { additions, patchesAsked } from './patches.js'
import { noProfile, profilesOr } from './profiles.js'
import { withProgress } from './progress.js'
import { inScope, matchesAny } from './scope.js'

/** What reading a program takes. */
interface Reading {
  readonly instrumenting: Instrumenting
  readonly readSource: (name: string) => Source
  /** The endings of files that are programs. */
  readonly endings: readonly string[]
}

/** Judges the coverage of profiles and prints the verdict. */
export async function check(profiles: readonly string[], options: CheckOptions, reading: Reading): Promise<number> {
  try {
    return await judged(profiles, options, reading)
  } catch (error) {
    if (!(error instanceof ScampError)) throw error
    process.stderr.write(`scamp: ${drawError(error)}\n`)
    return statuses.misuse
  }
}

async function judged(given: readonly string[], options: CheckOptions, reading: Reading): Promise<number> {
  const config = await readConfig()
  const scope = {
    base: config.base,
    include: options.include ?? config.include,
    exclude: options.exclude ?? config.exclude,
  }
  const paths = profilesOr(given, config.out)
  const { profile, rejected } = read(paths)
  const [changed] = changedFiles(profile)
  if (changed) throw new ScampError(`${changed.name} has changed since it was profiled: run it again`)
  const gone = profile.files.filter(({ name }) => name !== '-' && !existsSync(name)).map(({ name }) => name)
  if (gone.length > 0) {
    const names = `${gone.slice(0, 3).join(', ')}${gone.length > 3 ? ' and others' : ''}`
    process.stderr.write(`scamp: note: ${names}: not there any more, but counted; see --exclude\n`)
  }
  const patches = patchesAsked(options, reading.endings)
  const touched = (patches ?? []).map(({ path }) => path)
  const whole = await inScope(profile, scope, touched, reading.instrumenting, reading.readSource)
  const coverage = coverageOf(whole)
  const required = join(config.required, options)
  const judgements = judge(coverage, required, (name, pattern) => matchesAny(name, [pattern], scope.base))
  const baseline = options.baseline ?? config.baseline
  if (baseline !== undefined) {
    // what it did not have it does not judge
    const before = await inScope(
      read([baseline]).profile,
      { ...scope, include: [] },
      [],
      reading.instrumenting,
      reading.readSource,
    )
    judgements.push(...judgeAgainst(coverageOf(before), coverage))
  }
  if (options.patch?.some(({ pattern }) => pattern !== undefined)) {
    throw new ScampError('--patch is about the change as a whole: give it no pattern')
  }
  if (patches) {
    const thresholds = options.patch ? thresholdsIn(options.patch) : (config.patch ?? { item: 100, line: 100 })
    judgements.push(...judgePatch(additions(patches, coverage.files), thresholds))
  }
  if (judgements.length === 0 && !patches) {
    throw new ScampError('nothing is required; say what, as in: scamp check --require branches=80')
  }
  for (const message of rejected) process.stderr.write(`scamp: ${message}\n`)
  const faults = coverage.files.flatMap(spellFindings)
  process.stdout.write(
    drawVerdict(
      judgements,
      faults,
      `scamp report -f uncovered ${paths.map((path) => relative('', path) || '.').join(' ')}`,
    ),
  )
  const isMet = judgements.every((one) => one.isMet) && faults.length === 0
  return isMet && rejected.length === 0 ? statuses.ok : statuses.below
}

/** Reads profiles; there are some. */
function read(paths: readonly string[]): { profile: Profile; rejected: readonly string[] } {
  const found = withProgress('reading profiles', (progress) => readProfiles(paths, progress))
  if (found.profile.files.length === 0) throw new ScampError(noProfile(paths))
  return found
}

/** What is configured, and what the command line requires besides, or instead in the same measure. */
function join(configured: Required, { require: overall = [], each = [] }: CheckOptions): Required {
  const own = (list: readonly Requirement[], pattern?: string) =>
    thresholdsIn(list.filter((one) => one.pattern === pattern))
  const patterns = new Set([...overall, ...each].flatMap(({ pattern }) => pattern ?? []))
  return {
    overall: { ...configured.overall, ...own(overall) },
    each: { ...configured.each, ...own(each) },
    patterns: [
      ...configured.patterns,
      ...[...patterns].map((pattern) => ({ pattern, overall: own(overall, pattern), each: own(each, pattern) })),
    ],
  }
}

/** Requirements by their measures; one without a measure is about items and lines. */
function thresholdsIn(list: readonly Requirement[]): Thresholds {
  return Object.fromEntries(list.flatMap(({ measures, threshold }) => measures.map((measure) => [measure, threshold])))
}
