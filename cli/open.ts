// `scamp open`: makes the page of profiles and shows it in the browser.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { draw, type Reporting } from './reporting.js'
import { statuses } from './options.js'
import { readConfig } from './config.js'
import { noProfile, profileFolder, profilesOr } from './profiles.js'
import { writeOutput } from './files.js'
import { readContexts, readProfiles, ScampError } from '../src/scamp.js'

/** What can be asked of `scamp open`. */
export interface OpenOptions extends Omit<Reporting, 'format'> {
  readonly output?: string
}

/** Makes the page and opens it. Answers the exit status. */
export async function open(profiles: readonly string[], options: OpenOptions): Promise<number> {
  const { out } = await readConfig()
  const paths = profilesOr(profiles, out)
  const { profile, rejected } = readProfiles(paths)
  for (const message of rejected) process.stderr.write(`scamp: ${message}\n`)
  if (profile.files.length === 0) throw new ScampError(noProfile(paths))
  const path = options.output ?? join(profileFolder(out), 'page.html')
  const { contexts } = readContexts(paths)
  writeOutput(path, Buffer.from(draw(profile, { ...options, format: 'html' }, [], process.stdout, { contexts })))
  process.stdout.write(`${path}\n`)
  await show(path)
  return rejected.length > 0 ? statuses.below : statuses.ok
}

/**
 * Has the browser open a page: that of BROWSER, or the one the system has for pages.
 *
 * throws  ScampError if there is none
 */
export async function show(path: string): Promise<void> {
  const opener = process.env.BROWSER || (process.platform === 'darwin' ? 'open' : 'xdg-open')
  const child = spawn(opener, [pathToFileURL(path).href], { detached: true, stdio: 'ignore' })
  const failed = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(true))
    child.once('spawn', () => resolve(false))
  })
  if (failed) throw new ScampError(`${opener} cannot be started: open ${path} yourself, or name a browser in BROWSER`)
  child.unref()
}
