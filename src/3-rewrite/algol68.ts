// Algol 68: probes → edits. A tick is a unit of its own: an assignation to a counter, put before the units and
// declarations that it counts, which a68g takes in any order. So a clause keeps its value, its mode and its scopes.
import type { Tokens } from '../1-parse/algol68/scan.js'
import type { Algol68Shape, Probe } from '../2-plan/plan.js'
import type { Edit } from './edits.js'

/** An edit in one of a source's files. */
export interface FileEdit extends Edit {
  readonly file: number
}

/** How words and counters are spelled in a program. */
export interface Spelling {
  /** A bold word, by the program's stropping. */
  readonly bold: (word: string) => string
  /** The assignation that counts. */
  readonly tick: (counter: number) => string
  /** The variable that tells whether the loop whose skips a counter counts has yet to make a pass. */
  readonly flag: (counter: number) => string
}

/** Text to insert before `first`, after `first` and after `last`. */
interface Insertion {
  readonly before?: string
  readonly after?: string
  readonly close?: string
}

const spellings: Readonly<Record<Algol68Shape, (tick: string, bold: Spelling['bold'], flag: string) => Insertion>> = {
  // s  →  T; s
  before: (tick) => ({ before: `${tick};` }),
  // THEN s  →  THEN T; s     BEGIN s  →  BEGIN T; s     ( s  →  ( T; s     the same for whatever begins a series
  after: (tick) => ({ after: ` ${tick};` }),
  // DO UNTIL s OD  →  DO T;SKIP UNTIL s OD     the same for a program of nothing
  alone: (tick, bold) => ({ before: `${tick};${bold('SKIP')} ` }),
  // u  →  (T;u)
  unit: (tick) => ({ before: `(${tick};`, close: ')' }),
  // IF c THEN s FI  →  IF c THEN s ELSE T;SKIP FI
  'no else': (tick, bold) => ({ close: ` ${bold('ELSE')} ${tick};${bold('SKIP')} ` }),
  // CASE e IN u, u ESAC  →  CASE e IN u, u OUT T;SKIP ESAC
  'no out': (tick, bold) => ({ close: ` ${bold('OUT')} ${tick};${bold('SKIP')} ` }),
  // (c | s)  →  (c | s|T;SKIP)
  'no bar': (tick, bold) => ({ close: `|${tick};${bold('SKIP')} ` }),
  // WHILE c DO s OD  →  (BOOL f:=TRUE;WHILE c DO f:=FALSE; s OD;IF f THEN T;SKIP FI)
  skip: (tick, bold, flag) => ({
    before: `(${bold('BOOL')} ${flag}:=${bold('TRUE')};`,
    close: `;${bold('IF')} ${flag} ${bold('THEN')} ${tick};${bold('SKIP')} ${bold('FI')})`,
  }),
}

/** Spells and places probes, parents before children. */
export function placeProbes(tokens: Tokens, probes: readonly Probe[], spelling: Spelling): FileEdit[] {
  const ordered = [...probes].sort((one, other) => one.first - other.first || other.last - one.last)
  const edits: FileEdit[] = []
  ordered.forEach(({ shape, counter, first, last, notes }, order) => {
    const flag = spelling.flag(counter)
    const action = notes ? `${flag}:=${spelling.bold('FALSE')}` : spelling.tick(counter)
    const text = spellings[shape as Algol68Shape](action, spelling.bold, flag)
    const file = tokens.file[first]
    if (text.before) edits.push({ file, at: tokens.from[first], side: 'before', order, text: text.before })
    if (text.after) edits.push({ file, at: tokens.to[first], side: 'after', order, text: text.after })
    if (text.close) edits.push({ file, at: tokens.to[last], side: 'after', order, text: text.close })
  })
  return edits
}
