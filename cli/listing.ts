// What the options of `run` and `report` say about showing a program's tokens.
import { formats, type ReportOptions } from '../src/scamp.js'

/** What the options say. */
export interface ListingOptions {
  readonly format?: string
  readonly procedure?: string
  readonly lines?: readonly [number, number]
  readonly width?: number
  readonly ports?: boolean
  readonly hot?: number
}

/** The format that is asked for, or implied. */
export function formatOf({ format, procedure, lines, width, ports, hot }: ListingOptions): string {
  if (format !== undefined) return format
  if (hot !== undefined) return 'hot'
  return procedure !== undefined || lines || width !== undefined || ports ? 'listing' : 'scamp'
}

/** What is to be monitored if that is not said: what the format needs. */
export const monitorFor = (options: ListingOptions): 'tokens' | 'constructs' =>
  formats[formatOf(options)].ofTokens ? 'tokens' : 'constructs'

/**
 * What a report is told about that.
 *
 * stream  where it goes; undefined: to a file
 */
export function listingOptions(
  { procedure, lines, width, ports, hot }: ListingOptions,
  stream: NodeJS.WriteStream | undefined,
): Omit<ReportOptions, 'columns' | 'textOf' | 'goalsOf'> {
  const folded = width ?? (stream?.isTTY ? stream.columns : undefined)
  return {
    colour: stream !== undefined && mayColour(stream.isTTY),
    ...(procedure !== undefined && { procedure }),
    ...(lines && { lines }),
    ...(folded !== undefined && { width: folded }),
    ...(ports && { ports }),
    ...(hot !== undefined && { hot }),
  }
}

/** Whether colours are wanted: FORCE_COLOR and NO_COLOR decide, then whether a terminal shows them. */
function mayColour(isTerminal: boolean): boolean {
  const { FORCE_COLOR, NO_COLOR, TERM } = process.env
  if (FORCE_COLOR !== undefined) return !['0', 'false'].includes(FORCE_COLOR)
  return !NO_COLOR && isTerminal && TERM !== 'dumb'
}
