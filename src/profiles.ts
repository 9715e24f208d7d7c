// What is done with profiles that were saved: they are read, added up, merged, and brought together with the texts they are
// of. scamp.ts gives all of it to the outside.
import { readFileSync } from 'node:fs'
import { passagesKey, type Monitor, type Passages } from './2-plan/plan.js'
import { findProfiles, hashOfFile, keepPlan, type Counts } from './5-profile/file.js'
import { collectByContext, mergeInto } from './5-profile/contexts.js'
import { collect, profileOf, type Progress } from './5-profile/merge.js'
import { passagesIn } from './5-profile/passages.js'
import type { FileProfile, Profile } from './5-profile/profile.js'
import type { Context } from './6-report/contexts.js'
import type { GoalsOf, TextOf } from './6-report/options.js'
import { goalsIn, prepare, type Instrumenting } from './prepare.js'
import { hashOf, type Source } from './source.js'

/**
 * Reads profiles and adds them up.
 *
 * paths     profile folders, or counts files in them
 * returns   the profile, and what could not be used, a sentence each
 */
export function readProfiles(
  paths: readonly string[],
  progress?: Progress,
): { profile: Profile; rejected: readonly string[] } {
  const { plans, counts } = findProfiles(paths)
  const collected = collect(plans, counts, progress)
  return { profile: profileOf(collected, hashOfFile), rejected: collected.rejected }
}

/**
 * Reads profiles as readProfiles does, but adds up those of each context by themselves. What could not be used is known
 * when all contexts were gone through.
 */
export function readContexts(paths: readonly string[]): {
  contexts: Iterable<Context>
  rejected: readonly string[]
} {
  const rejected: string[] = []
  const contexts = function* () {
    for (const [context, collected] of collectByContext(paths, rejected)) {
      yield { context, profile: profileOf(collected, hashOfFile) }
    }
  }
  return { contexts: contexts(), rejected }
}

/**
 * Reads profiles for what they tell of how often everything ran, so that what runs often need not be counted.
 *
 * paths   profile folders, or counts files in them
 */
export function readPassages(paths: readonly string[]): Passages {
  const { plans, counts } = findProfiles(paths)
  return passagesIn(collect(plans, counts))
}

/** Whether these tell anything of a source as it is. */
export function hasPassages(passages: Passages, { text }: Source, monitor: Monitor): boolean {
  return passages.has(passagesKey(hashOf(text), monitor))
}

/**
 * Makes profiles of sources that no run had: they have the same sites as if one had, and all counts are 0.
 *
 * monitors  what is monitored in each language
 * throws  ScampError at the first thing in a source that is wrong
 */
export async function unloadedFiles(
  sources: readonly Source[],
  instrumenting: Instrumenting,
  monitors: Readonly<Record<Source['language'], Monitor>>,
): Promise<readonly FileProfile[]> {
  const files: FileProfile[] = []
  for (const source of sources) {
    const isIcon = source.language === 'icon'
    const monitor = monitors[source.language]
    const launched = { kind: 'launched', programName: undefined, embed: false, mayTrace: false } as const
    const destinations = [isIcon ? ({ kind: 'kept' } as const) : launched]
    const [{ hash, plan }] = await prepare({
      ...instrumenting,
      monitor,
      sources: [source],
      isWhole: false,
      destinations,
    })
    const kept = keepPlan(source.name, hash, plan)
    const counters = Array.from({ length: plan.flow.counters }, () => 0n)
    const counts: Counts = {
      program: '',
      context: '',
      time: '',
      runs: 0,
      end: { kind: 'exit', status: 0 },
      checkpoint: false,
      sources: [{ id: kept.id, counters, pending: [] }],
    }
    files.push(...profileOf({ plans: [kept], counts, rejected: [] }, hashOfFile).files)
  }
  return files
}

/** The files of a profile whose texts have changed since. */
export function changedFiles({ files }: Profile): readonly FileProfile[] {
  return files.filter(({ name, hash }) => {
    const now = hashOfFile(name)
    return now !== undefined && now !== hash
  })
}

/** Adds profiles up and writes the sum into a folder. Answers what could not be used. */
export function mergeProfiles(
  paths: readonly string[],
  folder: string,
  progress?: Progress,
): { runs: number; rejected: readonly string[] } {
  return mergeInto(folder, paths, hashOfFile, progress)
}

/**
 * Finds the texts of profiled files, for reports that show them: among sources that were read already, or where a file's
 * name says, if it is still the text that was profiled.
 */
export function textAmong(sources: readonly Source[]): TextOf {
  return ({ name, hash }) => {
    const read = sources.find((source) => source.name === name)
    if (read) return read.text
    return hashOfFile(name) === hash ? readFileSync(name, 'latin1') : undefined
  }
}

/**
 * Finds what the generators in the texts of profiled files serve. Their texts are parsed again: profiles do not keep it.
 *
 * lpath  folders to search for included files, as LPATH
 */
export function goalsAmong(textOf: TextOf, lpath: string): GoalsOf {
  return (file) => {
    const text = file.language === 'icon' && file.tokens.length > 0 ? textOf(file) : undefined
    return text === undefined ? undefined : goalsIn({ name: file.name, text, language: 'icon' }, lpath)
  }
}
