// A file's block → its lines, each with its coloured text, its tokens and sites, and what became of it.
import type { PageDecision, PageFile, Shown } from '../src/6-report/page-data.js'
import type { Extent } from './counts.js'

/** A token with its counts; `start` and `end` are columns of the shown line, from 0. */
export interface ShownToken {
  readonly start: number
  readonly end: number
  readonly count: Shown
  readonly ports: 0 | readonly [Shown, Shown, Shown, Shown]
  readonly missing: number
}

/** A run of a line in one colour; the letters are those of the block. */
export interface ShownRun {
  readonly start: number
  readonly end: number
  readonly colour: string
}

/**
 * A line as it is shown, tabs expanded.
 *
 * extent    how much of it is covered; undefined if nothing is counted on it
 * count     how often it was executed; undefined likewise
 * excluded  the reason why a comment leaves it out of coverage
 */
export interface SourceLine {
  readonly number: number
  readonly text: string
  readonly runs: readonly ShownRun[]
  readonly tokens: readonly ShownToken[]
  readonly decisions: readonly PageDecision[]
  readonly remarks: readonly string[]
  readonly extent: Extent | undefined
  readonly count: Shown | undefined
  readonly excluded: string | undefined
  /** The numbers of the contexts that reached it. */
  readonly contexts: readonly number[]
}

const extents: Readonly<Record<string, Extent>> = { '+': 'all', '~': 'some', '-': 'none' }

const tabStop = 8

/** Lays out all lines. `atLeast`: how many there are to be where the text is missing. */
export function linesOf(file: PageFile, atLeast: number): SourceLine[] {
  const texts = file.text === null ? [] : file.text.replace(/\n$/, '').split('\n')
  while (texts.length < atLeast) texts.push('')
  const runs = runsByLine(file)
  const tokens = tokensByLine(file)
  const decisions = byLine(file.decisions, ({ line }) => line)
  const remarks = byLine(file.remarks, ([line]) => line)
  const known = new Map<number, { extent: Extent | undefined; count: Shown }>()
  let at = 0
  file.lines.numbers.forEach((more, i) => {
    at += more
    known.set(at, { extent: extents[file.lines.states[i]], count: file.lines.counts[i] })
  })
  const contexts = contextsByLine(file)
  return texts.map((raw, i) => {
    const number = i + 1
    const expanded = expandTabs(raw.replace(/\r$/, ''))
    const place = <T extends { readonly start: number; readonly end: number }>(one: T): T => {
      return { ...one, start: expanded.at(one.start), end: expanded.at(one.end) }
    }
    return {
      number,
      text: expanded.text,
      runs: (runs.get(number) ?? []).map(place),
      tokens: (tokens.get(number) ?? []).map(place),
      decisions: decisions.get(number) ?? [],
      remarks: (remarks.get(number) ?? []).map(([, what]) => what),
      extent: known.get(number)?.extent,
      count: known.get(number)?.count,
      excluded: file.exclusions.find(([first, last]) => first <= number && number <= last)?.[2],
      contexts: contexts.get(number) ?? [],
    }
  })
}

function byLine<T>(list: readonly T[], lineOf: (one: T) => number): Map<number, T[]> {
  const lines = new Map<number, T[]>()
  for (const one of list) {
    const line = lineOf(one)
    const known = lines.get(line)
    if (known) known.push(one)
    else lines.set(line, [one])
  }
  return lines
}

function contextsByLine({ contexts }: PageFile): Map<number, number[]> {
  const lines = new Map<number, number[]>()
  for (const [context, differences] of contexts) {
    let line = 0
    for (const more of differences) {
      line += more
      const known = lines.get(line)
      if (known) known.push(context)
      else lines.set(line, [context])
    }
  }
  return lines
}

function tokensByLine({ tokens }: PageFile): Map<number, ShownToken[]> {
  let line = 0
  const placed = tokens.lines.map((more, i) => {
    line += more
    const start = tokens.columns[i] - 1
    return {
      line,
      start,
      end: start + tokens.lengths[i],
      count: tokens.counts[i],
      ports: tokens.ports[i],
      missing: tokens.missing[i],
    }
  })
  return byLine(placed, (token) => token.line)
}

/** Cuts the file's coloured runs at the ends of lines. */
function runsByLine({ text, colours }: PageFile): Map<number, ShownRun[]> {
  const lines = new Map<number, ShownRun[]>()
  if (text === null) return lines
  let at = 0
  let line = 1
  let lineStart = 0
  for (const [, length, colour] of colours.matchAll(/([0-9a-z]+)([A-Z-])/g)) {
    const end = at + Number.parseInt(length, 36)
    while (at < end) {
      const newline = text.indexOf('\n', at)
      const breaks = newline >= 0 && newline < end
      const stop = breaks ? newline : end
      if (colour !== '-' && stop > at) {
        const runs = lines.get(line) ?? []
        lines.set(line, runs)
        runs.push({ start: at - lineStart, end: stop - lineStart, colour })
      }
      if (breaks) {
        line++
        lineStart = newline + 1
        at = lineStart
      } else at = stop
    }
  }
  return lines
}

/** Blanks in place of tabs, and a map from columns of the text to columns of what is shown. */
function expandTabs(raw: string): { readonly text: string; readonly at: (column: number) => number } {
  if (!raw.includes('\t')) return { text: raw, at: (column) => Math.min(column, raw.length) }
  const places: number[] = []
  let text = ''
  for (const character of raw) {
    for (let i = 0; i < character.length; i++) places.push(text.length + i)
    text += character === '\t' ? ' '.repeat(tabStop - (text.length % tabStop)) : character
  }
  places.push(text.length)
  return { text, at: (column) => places[Math.min(column, places.length - 1)] }
}
