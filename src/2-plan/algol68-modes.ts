// Algol 68: as much of the modes of a program as can be told without working them out: whether something declared may be a
// procedure, or hold one, and whether brackets behind it call it or take a slice of it.
import type { Definition, Unit } from '../1-parse/algol68/ast.js'
import { nameOf, type Tokens } from '../1-parse/algol68/scan.js'

/** What is done to a value by brackets behind it. */
export type Application = 'call' | 'slice' | 'unknown'

/** What modes tell. Modes are known by where they are written: by their first token, or their first and last. */
export interface Modes {
  /** Whether what is declared within a range of tokens may be a procedure, or hold one. */
  readonly mayBeProcedure: (first: number, last: number) => boolean
  /**
   * What round brackets behind a unit do.
   *
   * declarerOf  where the mode of an identifier is written, if it is known
   */
  readonly applied: (unit: Unit, declarerOf: DeclarerOf) => Application
  /** Whether a mode is that of a procedure without parameters, which is called where its value is not wanted. */
  readonly isParameterless: (declarer: number) => boolean
}

export type DeclarerOf = (node: Extract<Unit, { kind: 'Identifier' }>) => number | undefined

// how many modes may stand for each other, one behind the other; more stand for themselves
const longestChain = 100

/** Collects what the modes that a program defines tell. `definitions`: those of modes. */
export function studyModes(tokens: Tokens, definitions: readonly Definition[]): Modes {
  const { kinds } = tokens
  const procedureTags = new Set<string>()

  function mayBeProcedure(first: number, last: number): boolean {
    for (let token = first; token <= last; token++) {
      const kind = kinds[token]
      if (kind === 'R') return true
      if (kind === 'm' && procedureTags.size > 0 && procedureTags.has(nameOf(tokens, token))) return true
    }
    return false
  }

  for (let size = -1; size !== procedureTags.size;) {
    size = procedureTags.size
    for (const { name, first, last } of definitions) if (mayBeProcedure(first + 2, last)) procedureTags.add(name.name)
  }

  const meanings = new Map<string, number[]>()
  for (const { name, first } of definitions) meanings.set(name.name, [...(meanings.get(name.name) ?? []), first + 2])

  /** The mode written at a token without names of names, flexibility and its own names; undefined if it has several. */
  function resolve(declarer: number, left = longestChain): number | undefined {
    let token = declarer
    while ('Axhl'.includes(kinds[token])) token++
    if (kinds[token] !== 'm') return token
    const [meaning, ...others] = meanings.get(nameOf(tokens, token)) ?? []
    if (meaning === undefined) return token
    return others.length > 0 || left === 0 ? undefined : resolve(meaning, left - 1)
  }

  function appliedTo(declarer: number | undefined): Application {
    const token = declarer === undefined ? undefined : resolve(declarer)
    if (token === undefined) return 'unknown'
    if ('[{('.includes(kinds[token])) return 'slice'
    if (kinds[token] === 'm' && nameOf(tokens, token).toUpperCase() === 'STRING') return 'slice'
    return kinds[token] === 'R' ? 'call' : 'unknown'
  }

  const isParameterless = (declarer: number) => {
    const token = resolve(declarer)
    return token !== undefined && kinds[token] === 'R' && !'({'.includes(kinds[token + 1])
  }

  /** Where the bracket that opens at a token closes. */
  function closing(open: number): number {
    let depth = 0
    for (let token = open; token < kinds.length; token++) {
      if ('([{'.includes(kinds[token])) depth++
      else if (')]'.includes(kinds[token]) && --depth === 0) return token
    }
    return kinds.length
  }

  /** The modes of all fields of this name, in whatever structure. */
  const fields = new Map<string, number[]>()
  let areFieldsKnown = false
  function findFields(): void {
    if (areFieldsKnown) return
    areFieldsKnown = true
    for (let at = kinds.indexOf('W'); at >= 0; at = kinds.indexOf('W', at + 1)) {
      const end = closing(at + 1)
      let declarer = at + 2
      for (let token = at + 2; token < end; token++) {
        if ('([{'.includes(kinds[token])) token = closing(token)
        else if (kinds[token] === 'i' && ',)'.includes(kinds[token + 1])) {
          const name = nameOf(tokens, token)
          fields.set(name, [...(fields.get(name) ?? []), declarer])
          if (kinds[token + 1] === ',' && kinds[token + 2] !== 'i') declarer = token + 2
        }
      }
    }
  }

  /** Where the mode of a unit's value is written, if that is known and certain. */
  function declarersOf(unit: Unit, declarerOf: DeclarerOf): readonly (number | undefined)[] {
    switch (unit.kind) {
      case 'Identifier':
        return [declarerOf(unit)]
      case 'Closed': {
        const [phrase, ...others] = unit.series.phrases
        const isUnit = others.length === 0 && phrase.kind !== 'Label' && phrase.kind !== 'Exit'
        return isUnit ? declarersOf(phrase, declarerOf) : [undefined]
      }
      case 'Formula': {
        const [field] = unit.operands
        if (field.kind !== 'Identifier' || unit.operators.some(({ name }) => name.toUpperCase() !== 'OF'))
          return [undefined]
        findFields()
        return fields.get(field.name) ?? [undefined]
      }
      case 'Cast':
        return [unit.declarer.first]
      case 'Slice': {
        // what a trimmer leaves is still a row
        if (kinds.slice(unit.primary.last + 1, unit.last).includes(':')) return [undefined]
        return declarersOf(unit.primary, declarerOf).map((declarer) => {
          const token = declarer === undefined ? undefined : resolve(declarer)
          return token !== undefined && '[{('.includes(kinds[token]) ? closing(token) + 1 : undefined
        })
      }
      default:
        return [undefined]
    }
  }

  function applied(unit: Unit, declarerOf: DeclarerOf): Application {
    if (unit.kind === 'Denotation') return 'slice'
    const [one, ...others] = declarersOf(unit, declarerOf).map(appliedTo)
    return others.every((other) => other === one) ? one : 'unknown'
  }

  return { mayBeProcedure, applied, isParameterless }
}
