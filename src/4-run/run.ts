// What all engines share: how a run ended, what it left, and what can be done with one under way.

/** How a run ended. */
export type End =
  | { readonly kind: 'exit'; readonly status: number }
  | { readonly kind: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'timeout' }

/**
 * Where control stands in one procedure: a line of a file, as iconx itself would name them.
 *
 * callee      what was called there and has not returned
 * operation   the operation being carried out, as a traceback shows it with its operands
 * unbegun     the callee overflowed the stack before it got to its text
 * times       how many such frames there are, if not one
 */
export interface Frame {
  readonly file: string
  readonly line: number
  readonly callee?: string
  readonly operation?: string
  readonly unbegun?: boolean
  readonly times?: number
}

/** What a look at a program shows. */
export interface Snapshot {
  readonly counters: ReadonlyMap<string, bigint>
  /** Undefined if they could not be made out. */
  readonly frames: readonly Frame[] | undefined
}

/**
 * What a run left.
 *
 * counters    values of the counters by name; undefined if they are lost
 * frames      where each active procedure stood when the run was cut short; none if it ended by itself; undefined if
 *             that is not known
 * checkpoint  whether the counters are only those of the last checkpoint
 */
export interface Run {
  readonly end: End
  readonly counters: ReadonlyMap<string, bigint> | undefined
  readonly frames: readonly Frame[] | undefined
  readonly checkpoint: boolean
}

/** A run under way. */
export interface Launched {
  /** Reads the counters, then ends the program with the signal (SIGKILL for a time limit). */
  readonly stop: (reason: NodeJS.Signals | 'timeout') => void
  /** Passes a signal on to the processes that are not this one: the program's, and those it started. */
  readonly pass: (signal: NodeJS.Signals) => void
  readonly done: Promise<Run>
}

/** Counters are checkpointed this often: what a run that is killed outright may lose. */
export const checkpointMilliseconds = 1000
