// `scamp diff A B`: two profiles of two versions of a program, side by side.
import { compareProfiles, diffJson, drawDiff, drawError, readProfiles, ScampError, textAmong } from '../src/scamp.js'
import { writeOutput } from './files.js'
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
      throw new ScampError(`procedure ${procedure} is not there; there are ${all.map(({ name }) => name).join(', ')}`)
    }
    const text = format === 'json' ? diffJson(one, other, pairs) : drawDiff(one, other, pairs, width)
    if (output === undefined) process.stdout.write(text)
    else writeOutput(output, Buffer.from(text))
    return pairs.every(({ isSame }) => isSame) ? statuses.ok : statuses.different
  } catch (error) {
    if (!(error instanceof ScampError)) throw error
    process.stderr.write(`scamp: ${drawError(error)}\n`, 'latin1')
    return statuses.misuse
  }
}

function read(path: string) {
  const { profile, rejected } = readProfiles([path])
  if (rejected.length > 0) throw new ScampError(rejected.join('\nscamp: '))
  if (profile.files.length === 0) throw new ScampError(noProfile([path]))
  return { name: path, profile }
}
