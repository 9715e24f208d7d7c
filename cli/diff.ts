// `scamp diff A B`: two profiles of two versions of a program, side by side.
import { writeFileSync } from 'node:fs'
import { compareProfiles, diffJson, drawDiff, drawError, readProfiles, ScampError, textAmong } from '../src/scamp.js'
import { noProfile } from './profiles.js'
import { statuses } from './options.js'

/** What can be asked. */
export interface DiffOptions {
  readonly format: 'text' | 'json'
  readonly output?: string
  readonly procedure?: string
  readonly width?: number
}

/** Prints what differs. Answers, as diff does, 0 if nothing does, 1 if something does, 2 if that cannot be told. */
export async function diff(a: string, b: string, options: DiffOptions): Promise<number> {
  const { format, output, procedure, width = process.stdout.isTTY ? process.stdout.columns : undefined } = options
  try {
    const [one, other] = [read(a), read(b)]
    const all = compareProfiles(one.profile, other.profile, textAmong([]))
    const pairs = all.filter(({ name }) => procedure === undefined || name === procedure)
    if (pairs.length === 0) {
      throw new ScampError(`there is no procedure ${procedure}; there are ${all.map(({ name }) => name).join(', ')}`)
    }
    const text = format === 'json' ? diffJson(one, other, pairs) : drawDiff(one, other, pairs, width)
    if (output === undefined) process.stdout.write(text)
    else writeFileSync(output, text)
    return pairs.every(({ isSame }) => isSame) ? statuses.ok : statuses.different
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (!(error instanceof ScampError) && code === undefined) throw error
    const message = error instanceof ScampError ? drawError(error) : `cannot write ${output}: ${code}`
    process.stderr.write(`scamp: ${message}\n`, 'latin1')
    return statuses.misuse
  }
}

function read(path: string) {
  const { profile, rejected } = readProfiles([path])
  if (rejected.length > 0) throw new ScampError(rejected.join('\nscamp: '))
  if (profile.files.length === 0) throw new ScampError(noProfile([path]))
  return { name: path, profile }
}
