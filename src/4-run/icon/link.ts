// What `link` declarations ask for: sources, found in folders.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IconTree } from '../../1-parse/icon/parse.js'
import { ScampError } from '../../error.js'
import type { Source } from '../../source.js'

/** In a sandbox, what may be asked of the library: no way leads out of its folder. */
export const plainName = /^[\w.-]+$/

/**
 * Parses sources and, once each, those that they link.
 *
 * folders   where linked sources are sought, in this order
 * sandbox   whether only plain names may be linked
 */
export function linkAll(
  sources: readonly Source[],
  folders: readonly string[],
  sandbox: boolean,
  read: (source: Source) => IconTree,
): IconTree[] {
  const trees = sources.map(read)
  const known = new Set(sources.map(({ name }) => name))
  for (let i = 0; i < trees.length; i++) {
    for (const declaration of trees[i].program.declarations) {
      if (declaration.kind !== 'Link') continue
      for (const { name } of declaration.files) {
        const id = name.replace(/^"(.*)"$/, '$1').replace(/\.(icn|u1|u2)$/, '')
        const source = findLinked(id, folders, sandbox)
        if (!source) {
          throw new ScampError(
            `cannot find ${id}.icn, which ${trees[i].source.name} links: modules of the Icon Program Library come with ` +
              'apt-get install icon-ipl; the folders of others are named in IPATH',
          )
        }
        if (known.has(source.name)) continue
        known.add(source.name)
        trees.push(read(source))
      }
    }
  }
  return trees
}

function findLinked(id: string, folders: readonly string[], sandbox: boolean): Source | undefined {
  if (sandbox && !plainName.test(id)) return undefined
  for (const folder of folders) {
    const path = join(folder, `${id}.icn`)
    if (existsSync(path))
      return { name: `${id.replace(/^.*\//, '')}.icn`, text: readFileSync(path, 'latin1'), language: 'icon' }
  }
  return undefined
}
