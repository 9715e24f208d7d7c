// Which procedure a place stands in. Icon's procedures follow each other; Algol 68's routines stand within each other, and
// in between is the program itself.
import type { ProfiledProcedure, ProfiledRoutine, ProfiledSite } from '../5-profile/profile.js'

/** What is called as a whole. */
export type Procedure = ProfiledProcedure | ProfiledRoutine

/** A place in a file; both from 1. */
interface Place {
  readonly line: number
  readonly column: number
}

/**
 * Makes a function that tells the innermost procedure that a place stands in, itself if it begins there; null if in none.
 * It must be asked for places in the order of the text.
 *
 * sites  of one file, in the order of the text
 */
export function enclosing(sites: readonly ProfiledSite[]): (place: Place) => Procedure | null {
  const procedures = sites.filter((site): site is Procedure => site.kind === 'procedure' || site.kind === 'routine')
  const open: Procedure[] = []
  let next = 0
  return (place) => {
    while (next < procedures.length && !isBehind(procedures[next], place)) {
      const procedure = procedures[next++]
      if (procedure.kind === 'procedure') open.length = 0
      open.push(procedure)
    }
    while (open.length > 0 && hasEnded(open[open.length - 1], place)) open.pop()
    return open.at(-1) ?? null
  }
}

const isBehind = (one: Place, other: Place) =>
  one.line > other.line || (one.line === other.line && one.column > other.column)

const hasEnded = (procedure: Procedure, place: Place) => procedure.kind === 'routine' && isBehind(place, procedure.end)
