// What reports are told beside the profile.
import type { FileProfile, Goal } from '../5-profile/profile.js'
import type { Context } from './contexts.js'
import type { Watched } from './page.js'

/** Finds the text that a file's counts belong to; undefined if it is not to be had any more. */
export type TextOf = (file: FileProfile) => string | undefined

/** Finds what the generators in a file's text serve; undefined if its text is not to be had any more, or no program. */
export type GoalsOf = (file: FileProfile) => readonly Goal[] | undefined

/**
 * What reports are told. Formats look at what concerns them.
 *
 * columns    the width of the reader's screen in characters
 * procedure  the only procedure whose tokens are shown
 * lines      the only lines whose tokens are shown, the first and the last
 * width      where a listing's lines are folded; undefined: nowhere
 * ports      whether a listing shows the four ports of each token
 * hot        how many tokens are shown of those executed most often
 * milliseconds  since 1970: the time that formats mention which mention one; else 0
 * contexts   the same runs by what they are called, for the page
 * watched    for a page that is made again and again
 * colour     whether escape sequences may colour a listing by heat
 */
export interface ReportOptions {
  readonly columns: number
  readonly textOf: TextOf
  readonly goalsOf: GoalsOf
  readonly procedure?: string
  readonly lines?: readonly [first: number, last: number]
  readonly width?: number
  readonly ports?: boolean
  readonly hot?: number
  readonly milliseconds?: number
  readonly contexts?: Iterable<Context>
  readonly watched?: Watched
  readonly colour?: boolean
}

/** What of a profile's tokens is shown. */
export type Selection = Pick<ReportOptions, 'procedure' | 'lines'>
