// `scamp watch`: runs a program, or a command that runs instrumented ones, makes the page of it, and does both again
// whenever one of the texts changes; the page in the browser then shows itself anew.
import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { writeOutput } from './files.js'
import { show } from './open.js'
import { statuses } from './options.js'
import { readConfig } from './config.js'
import { profileFolder } from './profiles.js'
import { draw } from './reporting.js'
import { drawError, readContexts, readProfiles, ScampError } from '../src/scamp.js'

/** What can be asked of `scamp watch`. */
export interface WatchOptions {
  readonly output?: string
  readonly command?: string
  readonly browser: boolean
  readonly monitor?: string
}

// how often texts are looked at
const everyMilliseconds = 250

/** Watches until it is interrupted. `files`: of the program; `args`: its arguments. */
export async function watch(files: readonly string[], args: readonly string[], options: WatchOptions): Promise<number> {
  const { command } = options
  if ((command === undefined) === (files.length === 0)) {
    throw new ScampError('name the files of a program, or with --command what is to be done')
  }
  const path = options.output ?? join(profileFolder((await readConfig()).out), 'watch.html')
  const picture = path.replace(/(?:\.html?)?$/, '.svg')
  const folder = mkdtempSync(join(tmpdir(), 'scamp-watch-'))
  let child: ChildProcess | undefined
  let ends = false
  const end = () => {
    ends = true
    child?.kill('SIGTERM')
  }
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  try {
    // other than that of an earlier watch, so that its page notices
    for (let edition = 1 + (Date.now() % 1e6); !ends; edition++) {
      rmSync(folder, { recursive: true, force: true })
      child = start(files, args, options, folder)
      const names = new Set(files)
      const before = stateOf(names)
      const done = new Promise<void>((settle) => child!.once('close', () => settle()))
      const changed = await Promise.race([done.then(() => false), untilChanged(names, before, () => ends)])
      if (changed) child.kill('SIGTERM')
      await done
      if (ends || changed) continue
      const shown = makePage(folder, path, picture, edition, names)
      if (shown && options.browser) await show(path)
      if (shown) options = { ...options, browser: false }
      // what changed while the program ran is a change as well
      if (stateOf(new Set(files)) === before) await untilChanged(names, stateOf(names), () => ends)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return statuses.ok
}

/** Starts the program under scamp, or the command; profiles go into a folder of our own. */
function start(
  files: readonly string[],
  args: readonly string[],
  { command, monitor }: WatchOptions,
  folder: string,
): ChildProcess {
  const env = { ...process.env, SCAMP_OUT: folder }
  if (command !== undefined) return spawn(command, { shell: true, stdio: 'inherit', env })
  const words = [
    'run',
    ...(monitor === undefined ? [] : ['--monitor', monitor]),
    '--format',
    'json',
    '--output',
    '/dev/null',
    ...files,
    '--',
    ...args,
  ]
  return spawn(process.execPath, [process.argv[1], ...words], { stdio: 'inherit', env })
}

/** Makes the page of what was counted, and the picture that tells which edition it is. Notes the texts it shows. */
function makePage(folder: string, path: string, picture: string, edition: number, names: Set<string>): boolean {
  try {
    if (!existsSync(folder)) throw new ScampError('nothing was counted')
    const { profile } = readProfiles([folder])
    for (const { name } of profile.files) names.add(name)
    if (profile.files.length === 0) throw new ScampError('nothing was counted')
    const { contexts } = readContexts([folder])
    const watched = { edition, picture: basename(picture) }
    writeOutput(path, Buffer.from(draw(profile, { format: 'html' }, [], process.stdout, { contexts, watched })))
    writeOutput(picture, Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="${edition}" height="1"/>\n`))
    process.stderr.write(`scamp: ${path} is made; waiting for a change\n`)
    return true
  } catch (error) {
    if (!(error instanceof ScampError)) throw error
    process.stderr.write(`scamp: ${drawError(error)}; waiting for a change\n`)
    return false
  }
}

/** Waits until one of the files changes, or `ends` answers true. Answers whether one did. */
async function untilChanged(names: ReadonlySet<string>, before: string, ends: () => boolean): Promise<boolean> {
  while (!ends()) {
    await sleep(everyMilliseconds)
    if (stateOf(names) !== before) return true
  }
  return false
}

/** When the files were changed. */
function stateOf(names: ReadonlySet<string>): string {
  return [...names].map((name) => statSync(resolve(name), { throwIfNoEntry: false })?.mtimeMs ?? 0).join()
}
