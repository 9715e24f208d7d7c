// What the page for people (page/) is given: blocks of JSON in the page itself, one with what the overview needs and one
// for each file, so that opening a page of hundreds of files reads one block and opening a file another.
import type { Kind, Measure, Total } from './coverage.js'

/** A count as the page shows it: a number if it is exact and JavaScript can hold it, else digits, perhaps behind `≤` or `≥`. */
export type Shown = number | string

/**
 * The block `index`.
 *
 * contexts  what runs are called, such as the names of tests; none if they have no names
 * hottest   the lines executed most often in all files, hottest first
 * searches  the generators whose activations led nowhere most often in all files, the worst first
 */
export interface PageIndex {
  readonly runs: number
  readonly notes: readonly string[]
  readonly contexts: readonly string[]
  readonly totals: Readonly<Record<Measure, Total>>
  readonly files: readonly PageEntry[]
  readonly hottest: readonly (readonly [file: number, line: number, count: Shown])[]
  readonly searches: readonly PageSearch[]
}

/** What became of a generator's activations (search.ts), and the line it stands in. */
export type PageSearch = readonly [
  file: number,
  line: number,
  token: string,
  nowhere: Shown,
  used: Shown,
  results: Shown,
  source: string,
]

/**
 * What the overview shows of a file.
 *
 * covered, items  how many of the things that can happen did, and how many there are (coverage.ts)
 * missing         how many lines have something that did not
 * hottest         how often its hottest line was executed
 */
export interface PageEntry {
  readonly name: string
  readonly isLoaded: boolean
  readonly lines: number
  readonly covered: number
  readonly items: number
  readonly missing: number
  readonly hottest: Shown
  readonly procedures: readonly PageProcedure[]
}

/** A procedure; `last`: the line where it ends, null if the next one tells. */
export type PageProcedure = readonly [
  name: string,
  line: number,
  calls: Shown,
  covered: number,
  items: number,
  last: number | null,
]

/**
 * The block of a file.
 *
 * text        null if it is not to be had any more
 * colours     runs of the text: a length in base 36, then the letter of its colour (page-file.ts)
 * exclusions  what comments leave out of coverage: from line to line, with their reason
 * remarks     what is to be said of lines: that something is not counted, or was left out and ran all the same
 * contexts    for the contexts that reached anything in the file, the lines they reached, as differences
 */
export interface PageFile {
  readonly text: string | null
  readonly colours: string
  readonly lines: PageLines
  readonly decisions: readonly PageDecision[]
  readonly tokens: PageTokens
  readonly exclusions: readonly (readonly [first: number, last: number, reason: string])[]
  readonly remarks: readonly (readonly [line: number, what: string])[]
  readonly contexts: readonly (readonly [context: number, lines: readonly number[]])[]
}

/** The lines of which something is known, in arrays that run in parallel; `numbers` are differences from the one before. */
export interface PageLines {
  readonly numbers: readonly number[]
  readonly counts: readonly Shown[]
  /** `+` all covered, `~` some of it, `-` not executed, `x` left out */
  readonly states: string
}

/** A procedure, a block, a decision, an action: what can happen there, and what else is counted. */
export interface PageDecision {
  readonly line: number
  readonly kind: Kind
  readonly of: string
  readonly sides: readonly PageSide[]
}

/**
 * One count of a decision.
 *
 * state  `+` covered, `-` not, `x` left out, ` ` no aim of a test
 * why    if it is not covered, why; if it is left out, the reason
 */
export type PageSide = readonly [side: string, count: Shown, state: '+' | '-' | 'x' | ' ', why: string]

/**
 * The tokens of a file: the arrays run in parallel. `lines` are differences from the token before.
 *
 * ports    0 for what always has one result; else started, resumed, succeeded, failed
 * missing  of what can both succeed and fail, which of them never happened: 1 success, 2 failure, 3 both
 */
export interface PageTokens {
  readonly lines: readonly number[]
  readonly columns: readonly number[]
  readonly lengths: readonly number[]
  readonly counts: readonly Shown[]
  readonly ports: readonly (0 | readonly [Shown, Shown, Shown, Shown])[]
  readonly missing: readonly number[]
}
