// The configuration: a key `scamp` in package.json, or a file .scamprc, .scamprc.json, scamp.config.json, .js, .mjs or .cjs,
// the nearest one from the current folder upwards. What the command line or an environment variable says goes before it.
// The library that checks it is loaded only where there is one: it takes longer than a small program runs.
import type { Loader } from 'lilconfig'
import { createRequire } from 'node:module'
import { dirname, resolve } from 'node:path'
import { monitors } from './monitoring.js'
import { measureNames, ScampError, type Monitor, type Required, type Thresholds } from '../src/scamp.js'

const load = createRequire(import.meta.url)

/**
 * What is configured.
 *
 * base      the folder that patterns are relative to
 * out       where profiles go, as SCAMP_OUT
 * include   patterns of the files that belong to the program, whether a run has them or not
 * exclude   patterns of the files that are left out of coverage
 * baseline  profiles whose coverage must not be lost
 * patch     what is required of what a change adds
 */
export interface Config {
  readonly base: string
  readonly out?: string | undefined
  readonly context?: string | undefined
  readonly monitor?: Monitor | undefined
  readonly engine?: 'embedded' | 'iconx' | undefined
  readonly include: readonly string[]
  readonly exclude: readonly string[]
  readonly baseline?: string | undefined
  readonly patch?: Thresholds | undefined
  readonly required: Required
}

const places = [
  'package.json',
  '.scamprc',
  '.scamprc.json',
  'scamp.config.json',
  'scamp.config.js',
  'scamp.config.mjs',
  'scamp.config.cjs',
]

/** Finds and checks the configuration. Throws ScampError, which names the file, if something in it is wrong. */
export async function readConfig(): Promise<Config> {
  const { lilconfig, defaultLoaders } = load('lilconfig') as typeof import('lilconfig')
  const loaders = Object.entries(defaultLoaders).map(([ending, read]) => {
    const named: Loader = async (path, content) => {
      try {
        return (await read(path, content)) as unknown
      } catch (error) {
        // of programs, what is said of loading them in several ways helps nobody
        const why = ending.endsWith('js') ? `\`node ${path}\` tells why` : (error as Error).message
        throw new ScampError(`${path} cannot be read: ${why}`)
      }
    }
    return [ending, named]
  })
  const found = await lilconfig('scamp', { searchPlaces: places, loaders: Object.fromEntries(loaders) }).search()
  if (!found || found.isEmpty) return { base: process.cwd(), include: [], exclude: [], required: nothing }
  return checked(found.config, found.filepath)
}

const nothing: Required = { overall: {}, each: {}, patterns: [] }

function checked(given: unknown, path: string): Config {
  const { z } = load('zod') as typeof import('zod')
  const threshold = z.number().max(100).refine(isThreshold, 'give a percentage, or minus how many may be missed')
  const measured = Object.fromEntries(Object.values(measureNames).map((name) => [name, threshold.optional()]))
  const some = z.strictObject(measured)
  const withEach = z.strictObject({ ...measured, each: some.optional() })
  const patterns = z.union([z.string().min(1), z.array(z.string().min(1))])
  const schema = z.strictObject({
    out: z.string().min(1).optional(),
    context: z.string().max(200).optional(),
    monitor: z.enum(monitors).optional(),
    engine: z.enum(['embedded', 'iconx']).optional(),
    include: patterns.optional(),
    exclude: patterns.optional(),
    baseline: z.string().min(1).optional(),
    patch: z.union([threshold, some]).optional(),
    thresholds: withEach.extend({ patterns: z.record(z.string().min(1), withEach).optional() }).optional(),
  })
  const result = schema.safeParse(given)
  if (!result.success) {
    const notes = result.error.issues.map(({ path: keys, message }) => {
      return { message: `${keys.length > 0 ? `${keys.join('.')}: ` : ''}${message}` }
    })
    throw new ScampError(`something is wrong in ${path}`, undefined, undefined, notes)
  }
  const { out, context, monitor, engine, include, exclude, baseline, patch, thresholds } = result.data
  const base = dirname(path)
  return {
    base,
    out: out && resolve(base, out),
    context,
    monitor,
    engine,
    include: [include ?? []].flat(),
    exclude: [exclude ?? []].flat(),
    baseline: baseline && resolve(base, baseline),
    patch: typeof patch === 'number' ? { item: patch, line: patch } : patch && byMeasure(patch),
    required: {
      overall: byMeasure(thresholds ?? {}),
      each: byMeasure(thresholds?.each ?? {}),
      patterns: Object.entries(thresholds?.patterns ?? {}).map(([pattern, { each, ...overall }]) => {
        return { pattern, overall: byMeasure(overall), each: byMeasure(each ?? {}) }
      }),
    },
  }
}

/** Whether a number can be required: a percentage, or minus so many; -0 may mean either. */
export const isThreshold = (value: number) =>
  value <= 100 && (value >= 0 || Number.isSafeInteger(value)) && !Object.is(value, -0)

/** Thresholds under the names that people use → under those of the measures. */
function byMeasure(named: Readonly<Record<string, unknown>>): Thresholds {
  const entries = Object.entries(measureNames).flatMap(([measure, name]) => {
    return typeof named[name] === 'number' ? [[measure, named[name]] as const] : []
  })
  return Object.fromEntries(entries)
}
