// A report as the command line asks for it: of which format, under which names, for how wide a screen.
import { relative, resolve } from 'node:path'
import {
  formats,
  goalsAmong,
  renamed,
  report,
  ScampError,
  textAmong,
  type Context,
  type Profile,
  type ReportOptions,
  type Source,
} from '../src/scamp.js'
import { formatOf, listingOptions, type ListingOptions } from './listing.js'

/** What can be asked. */
export interface Reporting extends ListingOptions {
  readonly output?: string
  readonly sourceRoot?: string
  readonly map?: readonly string[]
}

/** What some reports are given besides. */
type Extras = Pick<ReportOptions, 'contexts' | 'watched'>

/**
 * Draws a report.
 *
 * sources  texts that were read already
 * stream   where it goes, unless it goes to a file
 */
export function draw(
  profile: Profile,
  asked: Reporting,
  sources: readonly Source[],
  stream: NodeJS.WriteStream,
  extras: Extras = {},
): string {
  const { sourceRoot, map = [], output } = asked
  const format = formatOf(asked)
  const isExchange = Object.hasOwn(formats, format) && formats[format].isExchange
  const wants = sourceRoot !== undefined || map.length > 0 || isExchange
  const nameOf = wants ? namer(sourceRoot ?? '.', map) : (name: string) => name
  const shown = renamed(profile, textAmong(sources), nameOf)
  return report(shown.profile, format, {
    columns: columns(),
    textOf: shown.textOf,
    goalsOf: goalsAmong(shown.textOf, process.env.LPATH ?? ''),
    milliseconds: now(),
    ...listingOptions(asked, output === undefined ? stream : undefined),
    ...extras,
    ...(extras.contexts && { contexts: renamedContexts(extras.contexts, nameOf) }),
  })
}

function* renamedContexts(contexts: Iterable<Context>, nameOf: (name: string) => string): Generator<Context> {
  for (const { context, profile } of contexts) {
    yield { context, profile: renamed(profile, () => undefined, nameOf).profile }
  }
}

/** The width of the screen, in characters; where there is none, what COLUMNS says. */
export const columns = () => process.stdout.columns ?? process.stderr.columns ?? (Number(process.env.COLUMNS) || 80)

/** What reports give as their time: that of SOURCE_DATE_EPOCH, in seconds, if it is set, so that they can be made again. */
function now(): number {
  const epoch = process.env.SOURCE_DATE_EPOCH
  if (epoch === undefined || epoch === '') return Date.now()
  if (!/^\d{1,12}$/.test(epoch)) throw new ScampError(`SOURCE_DATE_EPOCH is to be a number of seconds, not ${epoch}`)
  return Number(epoch) * 1000
}

/**
 * How files are called: by the first mapping FROM=TO whose FROM their names begin with; else from the root on, if they
 * are below it.
 */
function namer(root: string, map: readonly string[]): (name: string) => string {
  const mappings = map.map((mapping) => {
    const equals = mapping.indexOf('=')
    if (equals < 1) throw new ScampError(`a mapping is FROM=TO, not ${mapping}`)
    return [
      mapping.slice(0, equals).replace(/(?<=.)\/$/, ''),
      mapping.slice(equals + 1).replace(/(?<=.)\/$/, ''),
    ] as const
  })
  return (name) => {
    for (const [from, to] of mappings) {
      if (name === from) return to
      const rest =
        from === '/' && name.startsWith('/') ? name : name.startsWith(`${from}/`) ? name.slice(from.length) : ''
      if (rest !== '') return to === '' ? rest.slice(1) : to === '/' ? rest : to + rest
    }
    if (name === '-') return name
    const below = relative(resolve(root), resolve(name))
    return below === '' || below.startsWith('..') ? name : below
  }
}
