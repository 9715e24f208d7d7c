// `scamp open`: makes the page of profiles and shows it in the browser.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { draw, type Reporting } from './reporting.js'
import { statuses } from './options.js'
import { readConfig, type Config } from './config.js'
import { noProfile, profileFolder, profilesOr } from './profiles.js'
import { writeOutput } from './files.js'
import { withProgress } from './progress.js'
import { readContexts, readProfiles, ScampError, type Profile } from '../src/scamp.js'

/** What can be asked of `scamp open`. */
export interface OpenOptions extends Omit<Reporting, 'format'> {
  readonly output?: string
}

/** Makes the page and opens it. `scoped`: a profile of the files that are to be shown. Answers the exit status. */
export async function open(
  profiles: readonly string[],
  options: OpenOptions,
  scoped: (profile: Profile, config: Config) => Promise<Profile>,
): Promise<number> {
  const config = await readConfig()
  const paths = profilesOr(profiles, config.out)
  const { profile, rejected } = withProgress('reading profiles', (progress) => readProfiles(paths, progress))
  for (const message of rejected) process.stderr.write(`scamp: ${message}\n`)
  if (profile.files.length === 0) throw new ScampError(noProfile(paths))
  const path = options.output ?? join(profileFolder(config.out), 'page.html')
  const { contexts } = readContexts(paths)
  const shown = await scoped(profile, config)
  writeOutput(path, Buffer.from(draw(shown, { ...options, format: 'html' }, [], process.stdout, { contexts })))
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
