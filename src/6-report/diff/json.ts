// Two profiles of two versions of a program → JSON, for other programs. One object, spelled over several lines; the schema:
//
//   format   "scamp-diff"
//   version  1; raised when a field changes its meaning or goes, not when one is added
//   a, b     the two versions: { name, runs, notes }
//   parts    procedures, or files that have none, in the order of a, then what only b has; each
//     name        of the procedure or the file
//     same        whether neither a line nor a count differs
//     a, b        null if it is not there; else { file, line, calls, activations, textGone }: calls and activations (of all
//                 tokens) are { count, exact }, calls null of a file
//     lines       in order, each
//       a, b        null if it is not there; else { line, text }
//       same        whether the texts are the same
//       constructs  each { kind, a, b }: null, or an array of { name, count, exact }
//       tokens      each { text, a, b }: null, or { column, count, exact, ports } as in scamp-report
import type { ProfiledSite, ProfiledToken } from '../../5-profile/profile.js'
import { countsOf, spellCount, spellPorts } from '../json.js'
import type { DiffLine, DiffPart, PartPair } from './compare.js'
import type { Named } from './draw.js'

/** Spells a comparison as JSON, by the schema above; ends with a newline. */
export function diffJson(a: Named, b: Named, pairs: readonly PartPair[]): string {
  const diff = { format: 'scamp-diff', version: 1, a: version(a), b: version(b), parts: pairs.map(spellPart) }
  return `${JSON.stringify(diff, null, 1)}\n`
}

const version = ({ name, profile: { runs, notes } }: Named) => ({ name, runs, notes })

const orNull = <T, R>(one: T | undefined, spell: (one: T) => R): R | null => (one === undefined ? null : spell(one))

const spellPart = ({ name, isSame, a, b, lines }: PartPair) => ({
  name,
  same: isSame,
  a: orNull(a, spellSide),
  b: orNull(b, spellSide),
  lines: lines.map((line) => ({
    a: orNull(line.a, spellLine),
    b: orNull(line.b, spellLine),
    same: line.hasSameText,
    constructs: line.sites.map((pair) => ({
      kind: (pair.a ?? pair.b)!.kind,
      a: orNull(pair.a, spellSite),
      b: orNull(pair.b, spellSite),
    })),
    tokens: line.tokens.map((pair) => ({
      text: (pair.a ?? pair.b)!.text,
      a: orNull(pair.a, spellToken),
      b: orNull(pair.b, spellToken),
    })),
  })),
})

const spellSide = ({ file, line, calls, activations, isTextGone }: DiffPart) => ({
  file: file.name,
  line,
  calls: orNull(calls, spellCount),
  activations: spellCount(activations),
  textGone: isTextGone,
})

const spellLine = ({ line, text }: DiffLine) => ({ line, text })

const spellSite = (site: ProfiledSite) => countsOf(site).map(({ name, count }) => ({ name, ...spellCount(count) }))

const spellToken = ({ column, count, ports }: ProfiledToken) => ({
  column,
  ...spellCount(count),
  ports: spellPorts(ports),
})
