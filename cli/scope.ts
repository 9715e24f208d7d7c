// Which files coverage is about: those of the profile, and those that belong to the program although no run had them, but
// none that is excluded.
import { existsSync, realpathSync } from 'node:fs'
import { createRequire } from 'node:module'
import { relative, resolve } from 'node:path'
import {
  ScampError,
  unloadedFiles,
  type Instrumenting,
  type Language,
  type Monitor,
  type Profile,
  type Source,
} from '../src/scamp.js'
import type { Config } from './config.js'

// loaded only where there are patterns
const load = createRequire(import.meta.url)

/** What decides which files coverage is about. */
export type Scope = Pick<Config, 'base' | 'include' | 'exclude'>

/** A file as the file system knows it, by whatever name. */
export const placeOf = (name: string) => (existsSync(name) ? realpathSync(name) : resolve(name))

/** Whether a file's name, seen from the folder that patterns are relative to, matches one of them. */
export function matchesAny(name: string, patterns: readonly string[], base: string): boolean {
  const picomatch = load('picomatch') as typeof import('picomatch')
  return picomatch([...patterns], { dot: true })(relative(base, placeOf(name)))
}

function filesMatching(patterns: readonly string[], base: string): string[] {
  const { globSync } = load('tinyglobby') as typeof import('tinyglobby')
  const found = globSync([...patterns], { cwd: base, absolute: true }).sort()
  if (found.length === 0) throw new ScampError(`no file matches ${patterns.join(', ')}`)
  return found
}

/**
 * Makes a profile one of the files that coverage is about.
 *
 * also        files besides those that are included by patterns
 * readSource  reads a file
 * throws      ScampError if a pattern of included files matches none, or all are excluded
 */
export async function inScope(
  profile: Profile,
  scope: Scope,
  also: readonly string[],
  instrumenting: Instrumenting,
  readSource: (name: string) => Source,
): Promise<Profile> {
  const { base, include, exclude } = scope
  const isKept = (name: string) => exclude.length === 0 || !matchesAny(name, exclude, base)
  const known = new Set(profile.files.map(({ name }) => placeOf(name)))
  const included = include.length === 0 ? [] : filesMatching(include, base)
  const missing = [...included, ...also.map(placeOf)].filter((path, i, all) => {
    return isKept(path) && !known.has(realpathSync(path)) && all.indexOf(path) === i
  })
  const sources = missing.map((path) => readSource(relative(process.cwd(), path)))
  const monitors = { icon: monitorOf(profile, 'icon'), algol68: monitorOf(profile, 'algol68') }
  const files = profile.files.filter(({ name }) => isKept(name))
  if (files.length + sources.length === 0) throw new ScampError(`nothing is left without ${exclude.join(', ')}`)
  return { ...profile, files, unloaded: await unloadedFiles(sources, instrumenting, monitors) }
}

/** What was monitored in the files of a language, as their counts show it. */
function monitorOf({ files }: Profile, language: Language): Monitor {
  const own = files.filter((file) => file.language === language)
  const sites = own.flatMap((file) => file.sites)
  const hasSkips = sites.some((site) => 'skips' in site && site.skips !== null)
  const hasTokens = own.some(({ tokens }) => tokens.length > 0)
  if (hasTokens) return hasSkips ? 'coverage' : 'tokens'
  if (hasSkips) return 'branches'
  return sites.some(({ kind }) => kind === 'action') ? 'actions' : 'constructs'
}
