// Stages 1 to 3 for a whole program: sources → programs. Programs that nest so deeply that the parser runs out of stack
// are done again in a worker thread with a large one.
import { existsSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { parse, type Reading } from './1-parse/parse.js'
import type { ReadIncluded, Stropping } from './1-parse/algol68/scan.js'
import { parseIcon, type IconTree } from './1-parse/icon/parse.js'
import type { ReadInclude } from './1-parse/icon/preprocess.js'
import { goalsOf, type Goal } from './2-plan/icon-goals.js'
import {
  passagesKey,
  placeProbes,
  type Monitor,
  type Passages,
  type Probing,
  type Surroundings,
} from './2-plan/plan.js'
import type { Destination } from './3-rewrite/link.js'
import { rewrite, type Program } from './3-rewrite/rewrite.js'
import { assert, ScampError, type Note } from './error.js'
import { hashOf, type Source, type Span } from './source.js'

/** Options of every kind of instrumenting. */
export interface Instrumenting {
  /** `all` puts a counter everywhere instead of inferring: slower, the same counts. */
  readonly probing: Probing
  /** SCAMP's constructs, or every token; only a program that scamp runs can have its tokens counted. */
  readonly monitor: Monitor
  /** Folders to search for included files, as LPATH. */
  readonly lpath: string
  /** Whether files of the library are the only ones that may be included. */
  readonly sandbox: boolean
  /** Of Algol 68 texts; undefined: by capitals. */
  readonly stropping?: Stropping
  /** What earlier runs tell of what is worth counting (readPassages). */
  readonly passages?: Passages
}

/**
 * What to prepare.
 *
 * sources      the files of one program
 * destinations for each, what becomes of its counters
 * isWhole      whether nothing but these sources makes up the program
 */
export interface Preparation extends Instrumenting {
  readonly sources: readonly Source[]
  readonly destinations: readonly Destination[]
  readonly isWhole: boolean
}

/** Where Debian's icon-ipl package keeps the Icon Program Library, the last place that icont searches. */
export const libraryFolder = '/usr/lib/icon-ipl'

// a megabyte of stack holds about 500 levels of nesting; the parser refuses more than 100,000
const stackMegabytes = 900

/** Parses, plans and rewrites. Throws ScampError at the first thing in a source that is wrong. */
export async function prepare(preparation: Preparation): Promise<Program[]> {
  try {
    return prepareHere(preparation)
  } catch (error) {
    if (error instanceof RangeError) return prepareInWorker(preparation)
    throw error
  }
}

function prepareHere(preparation: Preparation): Program[] {
  const {
    sources,
    destinations,
    probing,
    monitor,
    isWhole,
    lpath,
    sandbox,
    stropping = 'upper',
    passages,
  } = preparation
  const readInclude = sandbox ? readFromLibrary : includeReader(lpath)
  const reading: Reading = { readInclude, readIncluded, stropping }
  const trees = sources.map((source) => parse(source, reading))
  const iconTrees = trees.filter((tree) => tree.language === 'icon')
  return trees.map((tree, i) => {
    const others = iconTrees.filter((other) => other !== tree)
    const isLaunched = destinations[i].kind !== 'self-contained'
    const earlier = passages?.get(passagesKey(hashOf(sources[i].text), monitor))
    const surroundings: Surroundings = {
      ...surroundingsOf(others),
      isLaunched,
      isWhole: isWhole && others.length === 0,
      ...(earlier && { passages: earlier }),
    }
    const plan = placeProbes(tree, surroundings, probing, monitor)
    return rewrite(
      tree,
      plan,
      destinations[i],
      others.map(({ tokens }) => tokens.text),
    )
  })
}

/** What the generators of an Icon text serve; undefined if by itself it is no program, or nests too deeply for this. */
export function goalsIn(source: Source, lpath: string): Goal[] | undefined {
  try {
    return goalsOf(parseIcon(source, includeReader(lpath)))
  } catch (error) {
    if (error instanceof ScampError || error instanceof RangeError) return undefined
    throw error
  }
}

function surroundingsOf(others: readonly IconTree[]): Pick<Surroundings, 'foreignNames' | 'convertsErrors'> {
  const foreignNames = new Set<string>()
  for (const { program } of others) {
    for (const one of program.declarations) {
      if (one.kind === 'Procedure' || one.kind === 'Record') foreignNames.add(one.name.name)
      else if (one.kind === 'Global') for (const { name } of one.names) foreignNames.add(name)
    }
  }
  return { foreignNames, convertsErrors: others.some(({ tokens }) => /&\s*error\b/.test(tokens.text)) }
}

/** In a sandbox programs include files of the library only. */
function readFromLibrary(name: string): Source | undefined {
  const path = `${libraryFolder}/${name}`
  if (!/^[\w.-]+$/.test(name) || !existsSync(path)) return undefined
  return { name: path, text: readFileSync(path, 'latin1'), language: 'icon' }
}

/** Finds included files where icont does: the current folder, those of LPATH, the library. */
function includeReader(lpath: string): ReadInclude {
  const folders = ['', ...lpath.split(/[ :]+/).filter((folder) => folder !== ''), libraryFolder]
  return (name) => {
    // spelled as icont spells it
    const paths = name.startsWith('/') ? [name] : folders.map((folder) => (folder === '' ? name : `${folder}/${name}`))
    const path = paths.find((one) => existsSync(one))
    return path === undefined ? undefined : { name: path, text: readFileSync(path, 'latin1'), language: 'icon' }
  }
}

/** Finds what a pragmat includes as a68g does: beside the file that holds the pragmat. */
const readIncluded: ReadIncluded = (name, from) => {
  const path = name.startsWith('/') || from.name === '-' ? name : `${dirname(from.name)}/${name}`.replace(/^\.\//, '')
  return existsSync(path) ? { name: path, text: readFileSync(path, 'latin1'), language: 'algol68' } : undefined
}

type Answer =
  | { readonly programs: Program[] }
  | { readonly wrong: string; readonly source?: Source; readonly span?: Span; readonly notes: readonly Note[] }
  | { readonly failed: string }

function prepareInWorker(preparation: Preparation): Promise<Program[]> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL(import.meta.url), {
      workerData: { preparation },
      resourceLimits: { stackSizeMb: stackMegabytes },
    })
    worker.once('message', (answer: Answer) => {
      if ('programs' in answer) resolve(answer.programs)
      else if ('wrong' in answer) reject(new ScampError(answer.wrong, answer.source, answer.span, answer.notes))
      else reject(new Error(answer.failed))
    })
    worker.once('error', reject)
  })
}

function answer(preparation: Preparation): Answer {
  try {
    return { programs: prepareHere(preparation) }
  } catch (error) {
    if (error instanceof ScampError) {
      const { message, source, span, notes } = error
      return { wrong: message, notes, ...(source && { source }), ...(span && { span }) }
    }
    return { failed: (error as Error).message }
  }
}

if (!isMainThread && (workerData as { preparation?: Preparation } | null)?.preparation) {
  assert(parentPort, 'a worker without a port')
  parentPort.postMessage(answer((workerData as { preparation: Preparation }).preparation))
}
