// Which lines of a file are asked for: those of one procedure, or those between two.
import type { FileProfile, Profile } from '../5-profile/profile.js'
import { ScampError } from '../error.js'
import type { Selection } from './options.js'
import { printableName } from './table.js'

/** A range of lines, both included. */
export type Lines = readonly [first: number, last: number]

/**
 * The files that have something of what is asked for, each with the lines.
 *
 * throws  ScampError if no file has the procedure, or the lines
 */
export function selectLines(profile: Profile, { procedure, lines }: Selection): Map<FileProfile, Lines> {
  const selected = new Map<FileProfile, Lines>()
  for (const file of profile.files) {
    for (const [first, last] of procedure === undefined ? [everything] : linesOf(file, procedure)) {
      const part: Lines = lines ? [Math.max(first, lines[0]), Math.min(last, lines[1])] : [first, last]
      if (part[0] <= part[1]) selected.set(file, part)
    }
  }
  if (selected.size === 0 && procedure !== undefined) throw new ScampError(nothingOf(profile, procedure, lines))
  return selected
}

const everything: Lines = [1, Infinity]

/** Whether a line is in a range. */
export const isWithin = (line: number, [first, last]: Lines) => first <= line && line <= last

/** The lines from a procedure's heading to before the next one's. */
function linesOf({ sites }: FileProfile, procedure: string): Lines[] {
  const procedures = sites.filter((site) => site.kind === 'procedure')
  return procedures.flatMap((one, i): Lines[] =>
    one.name === procedure ? [[one.line, (procedures[i + 1]?.line ?? Infinity) - 1]] : [],
  )
}

function nothingOf({ files }: Profile, procedure: string, lines: Lines | undefined): string {
  const names = files.flatMap(({ sites }) => sites.flatMap((site) => (site.kind === 'procedure' ? [site.name] : [])))
  if (names.includes(procedure)) return `procedure ${procedure} has nothing in lines ${lines!.join(' to ')}`
  return `procedure ${printableName(procedure)} is not there; there are ${names.sort().join(', ')}`
}
