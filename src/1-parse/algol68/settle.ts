// What shows only when the whole text is known: which bold tags are operators, what `~` stands for, which round
// brackets stand before a declarer, and how deeply the text nests.
import { kinds as kindOf, standardOperators } from './tokens.js'

/** A bold tag, until it is known whether it is a mode or an operator. */
export interface Tag {
  readonly token: number
  readonly spelling: string
}

const enum Role {
  none,
  /** Brackets, bold ones too. */
  opens,
  closes,
  /** What else begins a new series. */
  separates,
  /** MODE, OP and PRIO. */
  declares,
  tag,
  tilde,
}

const roles = new Uint8Array(128)
for (const [role, kinds] of [
  [Role.opens, 'BICD([{k'],
  [Role.closes, 'EFYd)]q'],
  [Role.separates, ';TLSNUO|ewu'],
  [Role.declares, 'Mop'],
  [Role.tag, kindOf.mode],
  [Role.tilde, '~'],
] as const) {
  for (const kind of kinds) roles[kind.charCodeAt(0)] = role
}

// kinds at which an operand may begin; `~` in front of anything else is SKIP
const beginsOperand = new Set('BICfryDwPGoRVWAxhlmnikb=([~')

/**
 * Settles the kinds of tokens that depend on what comes later. A bold tag before `=` is what MODE, OP or PRIO declares,
 * whichever stood last in front of it within the same brackets; what nothing declares is taken for a mode.
 *
 * kinds   of all tokens; tags are modes here
 * tags    in the order of the text
 * returns the token string
 */
export function settle(kinds: string[], tags: readonly Tag[]): string {
  const operators = new Set(standardOperators)
  const declaring: string[] = ['']
  let next = 0
  for (let token = 0; token < kinds.length; token++) {
    const kind = kinds[token]
    const level = declaring.length - 1
    switch (roles[kind.charCodeAt(0)] as Role) {
      case Role.none:
        break
      case Role.opens:
        declaring.push('')
        break
      case Role.closes:
        if (level > 0) declaring.pop()
        break
      case Role.separates:
        declaring[level] = ''
        break
      case Role.declares:
        declaring[level] = kind
        break
      case Role.tag: {
        const { spelling } = tags[next++]
        if (declaring[level] === '' || kinds[token + 1] !== kindOf.equals) break
        if (declaring[level] === 'M') operators.delete(spelling)
        else operators.add(spelling)
        break
      }
      case Role.tilde:
        kinds[token] = beginsOperand.has(kinds[token + 1]) ? kindOf.operator : kindOf.denotation
    }
  }
  for (const { token, spelling } of tags) if (operators.has(spelling)) kinds[token] = kindOf.operator
  settleBrackets(kinds)
  return kinds.join('')
}

// what a declarer begins with, brackets apart
const beginsDeclarer = new Uint8Array(128)
for (const kind of 'mlAxRVW') beginsDeclarer[kind.charCodeAt(0)] = 1

/** Tells round brackets in front of a declarer, which hold parameters or bounds, from those of clauses and calls. */
function settleBrackets(kinds: string[]): void {
  // for the brackets that close further on, whether they stand before a declarer
  const closed: boolean[] = []
  let isDeclarer = false
  for (let token = kinds.length - 1; token >= 0; token--) {
    const kind = kinds[token]
    if (kind === '(' || kind === '[') {
      isDeclarer = closed.pop() ?? false
      if (isDeclarer && kind === '(') kinds[token] = '{'
      continue
    }
    if (kind === ')' || kind === ']') closed.push(isDeclarer)
    isDeclarer = beginsDeclarer[kind.charCodeAt(0)] === 1
  }
}

// what makes the grammar go one level deeper without a bracket, till the series goes on
const nests = new Uint8Array(128)
for (const kind of 'LUeaRAxl:P') nests[kind.charCodeAt(0)] = 1
const semicolon = 59

/** How deeply a text nests at the deepest: an upper bound. */
export function depthOf(kinds: string): number {
  const base: number[] = []
  let depth = 0
  let deepest = 0
  for (let token = 0; token < kinds.length; token++) {
    const kind = kinds.charCodeAt(token)
    if (roles[kind] === Role.opens) base.push(depth++)
    else if (roles[kind] === Role.closes) depth = base.pop() ?? 0
    else if (kind === semicolon) depth = base.length > 0 ? base[base.length - 1] + 1 : 0
    else if (nests[kind]) depth++
    if (depth > deepest) deepest = depth
  }
  return deepest
}
