// The change whose coverage is asked for: a diff that is given, or that git makes, and the program files it adds lines to.
import { existsSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { reasonOf } from '../src/5-profile/file.js'
import { runToEnd } from '../src/4-run/native.js'
import { readDiff, ScampError, type Addition, type FileCoverage, type Patch } from '../src/scamp.js'
import type { CheckOptions } from './options.js'
import { placeOf } from './scope.js'

/** What a change adds to a program file; `path` is where the file is. */
export interface FoundPatch extends Patch {
  readonly path: string
}

/**
 * Finds the change that is asked for; undefined if none is.
 *
 * endings  of program files; changes to others do not matter
 */
export function patchesAsked({ base, diff }: CheckOptions, endings: readonly string[]): FoundPatch[] | undefined {
  if (base !== undefined && diff !== undefined) throw new ScampError('say --base or --diff, not both')
  if (base === undefined && diff === undefined) return undefined
  const top = git(['rev-parse', '--show-toplevel'])
  if (base !== undefined && top === undefined) throw new ScampError('--base needs git, and a repository of git')
  const folders = [...(base === undefined ? [process.cwd()] : []), ...(top === undefined ? [] : [top.trimEnd()])]
  const patches = readDiff(base === undefined ? readText(diff!) : diffFrom(base))
  return patches
    .filter(({ name, lines }) => lines.size > 0 && endings.includes(extname(name)))
    .map((patch) => ({ ...patch, path: find(patch.name, folders) }))
}

/** What a change adds to the files of a program: line by line the text that is there now. */
export function additions(patches: readonly FoundPatch[], files: readonly FileCoverage[]): Addition[] {
  const byPlace = new Map(files.map((file) => [placeOf(file.name), file]))
  return patches.flatMap(({ name, path, lines }) => {
    const file = byPlace.get(placeOf(path))
    // an excluded one
    if (!file) return []
    const texts = readFileSync(path, 'latin1').split('\n')
    for (const [number, text] of lines) {
      if (texts[number - 1] === text) continue
      throw new ScampError(`the diff is not of ${name} as it is now: line ${number} differs; make it anew`)
    }
    return [{ file, lines: new Set(lines.keys()) }]
  })
}

function readText(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'latin1')
  } catch (error) {
    throw new ScampError(`cannot read ${path}: ${reasonOf(error)}`)
  }
}

/** What has changed since a revision, to the files as they are now. */
function diffFrom(base: string): string {
  const options = ['--no-color', '--no-ext-diff', '--no-relative', '--unified=0', '--src-prefix=a/', '--dst-prefix=b/']
  const text = base.startsWith('-') ? undefined : git(['diff', ...options, base, '--'])
  if (text === undefined) throw new ScampError(`git cannot compare with ${base}: is that a revision?`)
  return text
}

/** Runs git here. Answers what it prints; undefined if it fails or is not there. */
function git(words: readonly string[]): string | undefined {
  const { status, stdout } = runToEnd('git', words, { cwd: process.cwd() })
  return status === 0 ? stdout : undefined
}

/** Where a file is that a diff names: such names are relative to the current folder, or to the top of a repository. */
function find(name: string, folders: readonly string[]): string {
  const path = folders.map((folder) => join(folder, name)).find((one) => existsSync(one))
  if (path === undefined) throw new ScampError(`the diff is about ${name}, which is not in ${folders.join(' or ')}`)
  return path
}
