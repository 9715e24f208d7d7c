// Stage 6: profile → text for people or programs. A new report is a file of its own and a row of this table.
import type { Profile } from '../5-profile/profile.js'
import { ScampError } from '../error.js'
import { constructs } from './constructs.js'
import { cobertura } from './exchange/cobertura.js'
import { callgrind, collapsed } from './exchange/costs.js'
import { github } from './exchange/github.js'
import { istanbulJson, istanbulReport, type IstanbulReport } from './exchange/istanbul.js'
import { markdown } from './exchange/markdown.js'
import { json } from './json.js'
import { listing } from './listing.js'
import type { ReportOptions } from './options.js'
import { page } from './page.js'
import { searchReport } from './search.js'
import { summary } from './summary.js'
import { hotTokens, tokenList } from './tokens.js'
import { uncovered } from './uncovered.js'

/**
 * A kind of report.
 *
 * description  what it shows, in half a sentence
 * ofTokens     whether it needs tokens to have been monitored
 * isExchange   whether other tools read it; in such, files are called by their paths from the current folder
 * render       draws it, final newline included
 */
export interface Format {
  readonly description: string
  readonly ofTokens?: true
  readonly isExchange?: true
  readonly render: (profile: Profile, options: ReportOptions) => string
}

/** All formats, by the names users give. */
export const formats: Readonly<Record<string, Format>> = {
  scamp: { description: "SCAMP's report: a table for each kind of construct", render: constructs },
  summary: {
    description: 'per file and procedure, how much of it ran and the first site that never did',
    render: (profile, { columns }) => summary(profile, columns),
  },
  uncovered: {
    description: 'how much of each file is covered, and every place that is not, with the reason',
    render: uncovered,
  },
  listing: { description: 'the source, with the count of every token below it', ofTokens: true, render: listing },
  tokens: { description: 'every token with its number, place and count', ofTokens: true, render: tokenList },
  hot: {
    description: 'the tokens that were executed most often, and the lines they stand in',
    ofTokens: true,
    render: hotTokens,
  },
  search: {
    description: 'the generators, with what became of their results, the most useless first',
    ofTokens: true,
    render: searchReport,
  },
  html: {
    description: 'a page for people: one file, to be opened in a browser',
    render: page,
  },
  json: { description: 'all counts for other programs, schema scamp-report 1', render: json },
  markdown: { description: 'a table for the summary of a build or a comment', isExchange: true, render: markdown },
  lcov: exchange('for genhtml, editors and services', 'lcovonly'),
  cobertura: {
    description: "Cobertura's XML, for Jenkins, GitLab and Azure",
    isExchange: true,
    render: (profile, { milliseconds = 0 }) => cobertura(profile, milliseconds),
  },
  clover: exchange("Clover's XML, for Bamboo and others", 'clover'),
  istanbul: { description: "Istanbul's JSON, for nyc and its kin", isExchange: true, render: istanbulJson },
  teamcity: exchange('the totals as service messages of TeamCity', 'teamcity'),
  github: { description: 'warnings of GitHub Actions at lines of the source', isExchange: true, render: github },
  callgrind: {
    description: 'lines by cost, for callgrind_annotate and KCachegrind',
    isExchange: true,
    render: callgrind,
  },
  collapsed: { description: 'stacks by cost, for flame graphs and speedscope', isExchange: true, render: collapsed },
}

/** A format that one of Istanbul's reports spells. */
function exchange(description: string, name: IstanbulReport): Format {
  return {
    description,
    isExchange: true,
    render: (profile, { milliseconds = 0 }) => istanbulReport(profile, name, milliseconds),
  }
}

/** What reports are told unless something else is said: texts are not to be had. */
const usual: ReportOptions = { columns: 80, textOf: () => undefined, goalsOf: () => undefined }

/**
 * Draws a report.
 *
 * throws  ScampError that lists the formats, if there is none of this name
 */
export function report(profile: Profile, format: string, options: Partial<ReportOptions> = {}): string {
  if (!Object.hasOwn(formats, format)) {
    throw new ScampError(`unknown format "${format}"; there are ${Object.keys(formats).join(', ')}`)
  }
  return formats[format].render(profile, { ...usual, ...options })
}
