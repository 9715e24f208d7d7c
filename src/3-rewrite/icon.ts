// Icon: probes → edits. Every form below was tried on the real iconx: it neither dereferences what it wraps nor
// stops it from being resumed, leaves nothing on the stack while the wrapped expression runs (`result` and `failure`
// excepted, which stand only where the expression is bounded), and moves no line.
import { placeAfter, placeBefore, type Tokens } from '../1-parse/icon/scan.js'
import type { Plan, Probe } from '../2-plan/plan.js'
import { assert } from '../error.js'
import type { Edit } from './edits.js'

/** Text around or beside tokens, before places are looked up. `rank` orders insertions about the same tokens. */
export interface Insertion {
  readonly first: number
  readonly last: number
  readonly rank: number
  readonly open: string
  readonly close: string
}

/** Spells a plan's probes; `counter` gives a counter's name. */
export function spellProbes(plan: Plan, counter: (number: number) => string): Insertion[] {
  return plan.probes.map((probe) => spell(probe, `${counter(probe.counter)}+:=1`))
}

function spell({ shape, first, last }: Probe, count: string): Insertion {
  switch (shape) {
    // e  →  (c+:=1&e)
    case 'around':
      return { first, last, rank: 5, open: `(${count}&`, close: ')' }
    // if c then e  →  if c then (e) else(c+:=1& &fail)
    // (the brackets keep the else from an if that e ends with)
    case 'else':
      return { first, last, rank: 1, open: '(', close: `) else(${count}& &fail)` }
    // every e  →  every (e) do c+:=1
    case 'do':
      return { first, last, rank: 1, open: '(', close: `) do ${count}` }
    // suspend  →  suspend &null do c+:=1
    case 'bare do':
      return { first, last, rank: 7, open: '', close: ` &null do ${count}` }
    // case e of { … }  →  case e of { … ;default:(c+:=1& &fail)}
    case 'default':
      return { first, last, rank: 1, open: `;default:(${count}& &fail)`, close: '' }
    // end  →  ;c+:=1;end
    case 'before end':
      return { first, last, rank: 1, open: `;${count};`, close: '' }
    // return e  →  return (1(e,c+:=1))
    case 'result':
      return { first, last, rank: 4, open: '(1(', close: `,${count}))` }
    // return e  →  return ((e)|(c+:=1& &fail))
    case 'failure':
      return { first, last, rank: 2, open: '((', close: `)|(${count}& &fail))` }
    // initial e  →  initial {c+:=1;e;c-:=1}
    case 'in initial':
      return { first, last, rank: 5, open: `{${count};`, close: `;${count.replace('+', '-')}}` }
  }
}

/** Finds where insertions go, parents before children. Insertions that share tokens nest by rank. */
export function placeInsertions(tokens: Tokens, insertions: readonly Insertion[]): Edit[] {
  const ordered = [...insertions].sort(
    (one, other) => one.first - other.first || other.last - one.last || one.rank - other.rank,
  )
  const edits: Edit[] = []
  ordered.forEach(({ first, last, open, close }, order) => {
    const before = placeBefore(tokens, first)
    const after = placeAfter(tokens, last)
    assert(before?.file === 0 && after?.file === 0, 'a probe was planned where nothing can be inserted')
    if (open) edits.push({ at: before.offset, side: 'before', order, text: open })
    if (close) edits.push({ at: after.offset, side: 'after', order, text: close })
  })
  return edits
}
