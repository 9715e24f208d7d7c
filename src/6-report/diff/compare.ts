// Two profiles of two versions of a program → what belongs together: procedures by their names, in them lines, in those
// constructs and tokens. Lines are told by their texts; where one of these is gone, by the tokens or constructs in them.
import {
  addCounts,
  type Count,
  type FileProfile,
  type Profile,
  type ProfiledSite,
  type ProfiledToken,
} from '../../5-profile/profile.js'
import { countsOf } from '../json.js'
import { lastShown } from '../listing.js'
import type { TextOf } from '../options.js'
import { align, alignAlike } from './align.js'

/** Something of the first version, and what belongs to it of the second; either may be missing. */
export interface Pair<T> {
  readonly a: T | undefined
  readonly b: T | undefined
}

/**
 * A line of a version.
 *
 * text  as it stands there; if that is gone, what its tokens tell of it
 */
export interface DiffLine {
  readonly line: number
  readonly text: string
  readonly tokens: readonly ProfiledToken[]
  readonly sites: readonly ProfiledSite[]
}

/** Two lines that belong together, with their tokens and constructs. */
export interface LinePair extends Pair<DiffLine> {
  readonly hasSameText: boolean
  readonly tokens: readonly Pair<ProfiledToken>[]
  readonly sites: readonly Pair<ProfiledSite>[]
}

/**
 * A procedure of a version; a whole file, if that knows no procedures.
 *
 * activations  of all its tokens
 */
export interface DiffPart {
  readonly name: string
  readonly file: FileProfile
  readonly line: number
  readonly calls: Count | undefined
  readonly activations: Count
  readonly isTextGone: boolean
  readonly lines: readonly DiffLine[]
}

/** Two procedures that belong together. `isSame`: neither their lines differ nor a count. */
export interface PartPair extends Pair<DiffPart> {
  readonly name: string
  readonly isSame: boolean
  readonly lines: readonly LinePair[]
}

/** Sets two profiles side by side, in the order of the first; what only the second has comes last. */
export function compareProfiles(a: Profile, b: Profile, findText: TextOf): PartPair[] {
  const [ones, others] = [partsOf(a, findText), partsOf(b, findText)]
  if (ones.length === 1 && others.length === 1) return [pairParts(ones[0], others[0])]
  const rest = new Set(others)
  const pairs = ones.map((one) => {
    const other = [...rest].find(({ name }) => name === one.name)
    if (other) rest.delete(other)
    return pairParts(one, other)
  })
  return [...pairs, ...[...rest].map((other) => pairParts(undefined, other))]
}

function partsOf(profile: Profile, findText: TextOf): DiffPart[] {
  return profile.files.flatMap((file) => {
    const sources = findText(file)?.replace(/\n$/, '').split(/\r?\n/)
    const heads = file.sites.filter((site) => site.kind === 'procedure')
    const ranges = heads.map(({ name, line, calls }, i) => {
      return { name, line, calls, last: (heads[i + 1]?.line ?? Infinity) - 1 }
    })
    const whole = { name: file.name.replace(/.*\//, ''), line: 1, calls: undefined, last: Infinity }
    return (ranges.length > 0 ? ranges : [whole]).map(({ name, line, calls, last }): DiffPart => {
      const lines = linesOf(file, sources, line, last)
      const activations = addCounts(lines.flatMap(({ tokens }) => tokens.map(({ count }) => count)))
      return { name, file, line, calls, activations, isTextGone: sources === undefined, lines }
    })
  })
}

function linesOf(file: FileProfile, sources: readonly string[] | undefined, first: number, last: number): DiffLine[] {
  const lines = new Map<number, { tokens: ProfiledToken[]; sites: ProfiledSite[] }>()
  const at = (line: number) => {
    const known = lines.get(line) ?? { tokens: [], sites: [] }
    lines.set(line, known)
    return known
  }
  if (sources) for (let line = first; line <= lastShown(sources, [first, last]); line++) at(line)
  const isWithin = ({ line }: { readonly line: number }) => first <= line && line <= last
  for (const token of file.tokens.filter(isWithin)) at(token.line).tokens.push(token)
  for (const site of file.sites.filter(isWithin)) at(site.line).sites.push(site)
  return [...lines]
    .sort(([one], [other]) => one - other)
    .map(([line, { tokens, sites }]) => ({ line, text: sources?.[line - 1] ?? spelled(tokens), tokens, sites }))
}

/** What tokens tell of their line. */
const spelled = (tokens: readonly ProfiledToken[]) =>
  tokens.reduce((text, { column, text: own }) => text.padEnd(column - 1) + own, '')

function pairParts(a: DiffPart | undefined, b: DiffPart | undefined): PartPair {
  const signature = signatureFor([a, b].flatMap((part) => part ?? []))
  const [ones, others] = [a, b].map((part) => linesToCompare(part, a, b))
  const aligned = align(ones.map(signature), others.map(signature))
  const lines = joinChanged(aligned.map(([i, j]) => pairOf(ones, others, i, j))).map((pair): LinePair => {
    return {
      ...pair,
      hasSameText: pair.a !== undefined && pair.b !== undefined && signature(pair.a) === signature(pair.b),
      tokens: pairUp(pair.a?.tokens, pair.b?.tokens, ({ text }) => text),
      sites: pairUp(pair.a?.sites, pair.b?.sites, ({ kind }) => kind),
    }
  })
  const isSame = lines.every((line) => {
    return (
      line.hasSameText &&
      line.tokens.every((pair) => pair.a && pair.b && isEqual(pair.a.count, pair.b.count)) &&
      line.sites.every((pair) => pair.a && pair.b && haveSameCounts(pair.a, pair.b))
    )
  })
  return { name: (a ?? b)!.name, a, b, isSame, lines }
}

/** The lines of a part; if a text is gone, only those with something in them that was counted. */
function linesToCompare(part: DiffPart | undefined, ...parts: (DiffPart | undefined)[]): readonly DiffLine[] {
  const lines = part?.lines ?? []
  if (!parts.some((one) => one?.isTextGone)) return lines
  return lines.filter(({ tokens, sites }) => tokens.length + sites.length > 0)
}

/** What lines are told by: all that is known of both versions. */
function signatureFor(parts: readonly DiffPart[]): (line: DiffLine) => string {
  if (parts.every(({ isTextGone }) => !isTextGone)) return ({ text }) => text.trim().replace(/\s+/g, ' ')
  if (parts.every(({ file }) => file.tokens.length > 0)) return ({ tokens }) => tokens.map(({ text }) => text).join(' ')
  return ({ sites }) => sites.map(({ kind }) => kind).join(' ')
}

/** Of lines that stand where others stood, those that are alike belong together. */
function joinChanged(pairs: readonly Pair<DiffLine>[]): Pair<DiffLine>[] {
  const joined: Pair<DiffLine>[] = []
  let [gone, come]: DiffLine[][] = [[], []]
  const flush = () => {
    const few = gone.length * come.length <= mostAlike
    const aligned = few ? alignAlike(gone, come, likeness) : align(gone.map(textOf), come.map(textOf))
    joined.push(...aligned.map(([i, j]) => pairOf(gone, come, i, j)))
    gone = []
    come = []
  }
  for (const pair of pairs) {
    if (pair.a && pair.b) {
      flush()
      joined.push(pair)
    } else if (pair.a) gone.push(pair.a)
    else come.push(pair.b!)
  }
  flush()
  return joined
}

// times as many lines are not compared each with each
const mostAlike = 10_000

const textOf = ({ text }: DiffLine) => text

/** The share of words and signs that two lines have in common; 0 below a third. */
function likeness(one: DiffLine, other: DiffLine): number {
  const [ones, others] = [wordsOf(one), wordsOf(other)]
  const common = align(ones, others).filter(([i, j]) => i !== undefined && j !== undefined).length
  const share = (2 * common) / (ones.length + others.length)
  return share >= 1 / 3 ? share : 0
}

const wordsOf = ({ text }: DiffLine) => text.match(/\w+|[^\w\s]/g) ?? []

function pairUp<T>(ones: readonly T[] = [], others: readonly T[] = [], told: (one: T) => string): Pair<T>[] {
  return align(ones.map(told), others.map(told)).map(([i, j]) => pairOf(ones, others, i, j))
}

const pairOf = <T>(
  ones: readonly T[],
  others: readonly T[],
  i: number | undefined,
  j: number | undefined,
): Pair<T> => ({
  a: i === undefined ? undefined : ones[i],
  b: j === undefined ? undefined : others[j],
})

const isEqual = (one: Count, other: Count) => one.value === other.value && one.exact === other.exact

function haveSameCounts(one: ProfiledSite, other: ProfiledSite): boolean {
  const [ones, others] = [countsOf(one), countsOf(other)]
  return (
    ones.length === others.length &&
    ones.every(({ name, count }, i) => name === others[i].name && isEqual(count, others[i].count))
  )
}
