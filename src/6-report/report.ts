// Stage 6: profile → text for people or programs. A new report is a file of its own and a row of this table.
import type { Profile } from '../5-profile/profile.js'
import { ScampError } from '../error.js'
import { constructs } from './constructs.js'
import { json } from './json.js'
import { listing, type TextOf } from './listing.js'
import { page } from './page.js'
import { summary } from './summary.js'
import { hotTokens, tokenList } from './tokens.js'

/**
 * What reports need beside the profile.
 *
 * columns  the width of the reader's screen in characters
 * textOf   finds the texts that were profiled
 */
export interface ReportOptions {
  readonly columns: number
  readonly textOf: TextOf
}

/** A kind of report: what it shows, in half a sentence, and the function that draws it, final newline included. */
export interface Format {
  readonly description: string
  readonly render: (profile: Profile, options: ReportOptions) => string
}

/** All formats, by the names users give. */
export const formats: Readonly<Record<string, Format>> = {
  scamp: { description: "SCAMP's report: a table for each kind of construct", render: constructs },
  summary: {
    description: 'per file and procedure, how much of it ran and the first site that never did',
    render: (profile, { columns }) => summary(profile, columns),
  },
  listing: {
    description: 'the source, with the count of every token below it (--monitor tokens)',
    render: (profile, { textOf }) => listing(profile, textOf),
  },
  tokens: { description: 'every token with its number, place and count', render: tokenList },
  hot: {
    description: 'the tokens that were executed most often, and the lines they stand in',
    render: (profile, { columns, textOf }) => hotTokens(profile, columns, textOf),
  },
  html: {
    description: 'a page for people: one file, to be opened in a browser',
    render: (profile, { textOf }) => page(profile, textOf),
  },
  json: { description: 'all counts for other programs, schema scamp-report 1', render: json },
}

/**
 * Draws a report.
 *
 * throws  ScampError that lists the formats, if there is none of this name
 */
export function report(profile: Profile, format: string, options: ReportOptions): string {
  if (!Object.hasOwn(formats, format)) {
    throw new ScampError(`unknown format "${format}"; there are ${Object.keys(formats).join(', ')}`)
  }
  return formats[format].render(profile, options)
}
