// Files under other names: as another machine, or a service that shows reports, knows them.
import type { FileProfile, Profile } from '../5-profile/profile.js'
import { ScampError } from '../error.js'
import type { TextOf } from './options.js'

/**
 * A profile whose files are called otherwise, and how to find their texts.
 *
 * throws  ScampError if two files would get one name
 */
export function renamed(
  profile: Profile,
  textOf: TextOf,
  nameOf: (name: string) => string,
): { readonly profile: Profile; readonly textOf: TextOf } {
  const originals = new Map<FileProfile, FileProfile>()
  const taken = new Map<string, string>()
  const rename = (file: FileProfile): FileProfile => {
    const name = nameOf(file.name)
    const other = taken.get(name)
    if (other !== undefined) throw new ScampError(`both ${other} and ${file.name} would be called ${name}`)
    taken.set(name, file.name)
    const made = { ...file, name }
    originals.set(made, file)
    return made
  }
  return {
    profile: { ...profile, files: profile.files.map(rename), unloaded: profile.unloaded.map(rename) },
    textOf: (file) => textOf(originals.get(file) ?? file),
  }
}
