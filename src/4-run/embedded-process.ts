// The embedded engine in a process of its own, so that it is launched, watched and ended as iconx is. This file is also
// what that process runs: embedded-process.js JOB ARGS…, where JOB is a file made by embeddedCommand.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ScampError } from '../error.js'
import type { Source } from '../source.js'
import { runEmbedded } from './embedded.js'
import type { ProgramText } from './iconx.js'

interface Job {
  readonly sources: readonly Source[]
  /** Where amended copies of included files are. */
  readonly folder: string
}

const self = fileURLToPath(import.meta.url)

/** Writes a program's texts into a folder; answers what starts it. */
export function embeddedCommand(
  programs: readonly ProgramText[],
  linked: readonly string[],
  folder: string,
): [string, ...string[]] {
  if (linked.length > 0) throw new ScampError(`the embedded engine takes sources only, not ${linked.join(', ')}`)
  for (const { name, text } of programs.flatMap(({ included }) => included)) {
    if (isAbsolute(name)) continue
    mkdirSync(join(folder, dirname(name)), { recursive: true })
    writeFileSync(join(folder, name), text, 'latin1')
  }
  const sources = programs.map(({ source, text }) => ({ ...source, text }))
  const job: Job = { sources, folder }
  const path = join(folder, 'job.json')
  writeFileSync(path, JSON.stringify(job))
  return [process.execPath, self, path]
}

if (process.argv[1] === self) {
  const [, , path, ...args] = process.argv
  const { sources, folder } = JSON.parse(readFileSync(path, 'utf8')) as Job
  process.exitCode = await runEmbedded(sources, args, { includes: folder })
}
