// Icon: probes → edits. Every form below was tried on the real iconx: it neither dereferences what it wraps nor
// stops it from being resumed, leaves nothing on the stack while the wrapped expression runs (`result` and `failure`
// excepted, which stand only where the expression is bounded), and moves no line.
import { placeAfter, placeBefore, type Tokens } from '../1-parse/icon/scan.js'
import type { IconShape, Plan, Probe } from '../2-plan/plan.js'
import { assert } from '../error.js'
import type { Edit } from './edits.js'
import { spellAmount, spellNone } from './icon-amounts.js'

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
  return plan.probes.map((probe) => spell(probe.shape as IconShape, probe, counter(probe.counter)))
}

function spell(shape: IconShape, { first, last, amount, notes }: Probe, counter: string): Insertion {
  const limit = `${counter}l`
  // what a local variable of the counter's holds depends on the shape: a range's last number, or whether there was a pass
  const count = notes ? `${limit}:=1` : `${counter}+:=${amount ? spellAmount(amount, limit) : '1'}`
  switch (shape) {
    // e  →  (c+:=1&e)
    case 'around':
      return { first, last, rank: 5, open: `(${count}&`, close: ')' }
    // if c then e  →  if c then (e) else(c+:=1)
    // (the brackets keep the else from an if that e ends with; those about the counter keep it from what follows)
    case 'else':
      return { first, last, rank: 1, open: '(', close: `) else(${count})` }
    // if c then e  →  if c then (e) else(c+:=1& &fail)
    case 'failing else':
      return { first, last, rank: 1, open: '(', close: `) else(${count}& &fail)` }
    // every e  →  every (e)&c+:=1
    case 'after':
      return { first, last, rank: 1, open: '(', close: `)&${count}` }
    // until e  →  until (e) do c+:=1
    case 'do':
      return { first, last, rank: 1, open: '(', close: `) do ${count}` }
    // suspend  →  suspend &null do c+:=1
    case 'bare do':
      return { first, last, rank: 7, open: '', close: ` &null do ${count}` }
    // case e of { … }  →  case e of { … ;default:c+:=1}
    case 'default':
      return { first, last, rank: 1, open: `;default:${count}`, close: '' }
    // case e of { … }  →  case e of { … ;default:(c+:=1& &fail)}
    case 'failing default':
      return { first, last, rank: 1, open: `;default:(${count}& &fail)`, close: '' }
    // end  →  ;c+:=1;end
    case 'before end':
      return { first, last, rank: 1, open: `;${count};`, close: '' }
    // return e  →  return (1(e,c+:=1))
    case 'result':
      return { first, last, rank: 4, open: '(1(', close: `,${count}))` }
    // if e then …  →  if ((e)&c+:=1) then …
    // (nobody asks for the value)
    case 'success':
      return { first, last, rank: 4, open: '((', close: `)&${count})` }
    // return e  →  return ((e)|(c+:=1& &fail))
    case 'failure':
      return { first, last, rank: 2, open: '((', close: `)|(${count}& &fail))` }
    // x[i] := y  →  (((x[i])|(c+:=1& &fail))\1) := y
    // (where control comes back to it: it is not to fail once more)
    case 'lone failure':
      return { first, last, rank: 2, open: '(((', close: `)|(${count}& &fail))\\1)` }
    // e  →  (1(e,1|(c+:=1& &fail))): what is behind e is resumed first
    case 'resumption':
      return { first, last, rank: 4, open: '(1(', close: `,1|(${count}& &fail)))` }
    // every v := a to b  →  every v := a to {c+:=0<b-a+1;b}
    // (the last operand is where the others are known)
    case 'in advance':
      return { first, last, rank: 6, open: `{${count};`, close: '}' }
    // every v := a to b do suspend e  →  every v := a to {c+:=0<(l:=integer(b))-a+1;b} do
    //                                       suspend 1(e,(c-:=l-v)|(c+:=l-v& &fail))
    case 'pause': {
      const rest = `${limit}-${amount?.kind === 'range' ? amount.variable : '0'}`
      return { first, last, rank: 3, open: '1(', close: `,(${counter}-:=${rest})|(${counter}+:=${rest}& &fail))` }
    }
    // while e do f  →  {l:=&null;while e do (l:=1&f);/l&c+:=1}
    case 'skip':
      return { first, last, rank: 1, open: `{${limit}:=&null;`, close: `;/${limit}&${count}}` }
    // while e do f  →  ((l:=&null&while e do (l:=1&f))|(/l&c+:=1& &fail))
    case 'failing skip':
      return { first, last, rank: 1, open: `((${limit}:=&null&`, close: `)|(/${limit}&${count}& &fail))` }
    // every v := a to b  →  every v := a to {0>=b-a+1&c+:=1;b}
    case 'none in advance':
      return { first, last, rank: 6, open: `{${spellNone(amount!)}&${counter}+:=1;`, close: '}' }
    case 'local':
      return { first, last: Infinity, rank: -1, open: `local ${limit};`, close: '' }
    // initial e  →  initial {c+:=1;e;c-:=1}
    case 'in initial':
      return { first, last, rank: 5, open: `{${count};`, close: `;${count.replace('+', '-')}}` }
  }
}

/** An edit in one of a source's files. */
export interface FileEdit extends Edit {
  readonly file: number
}

/** Finds where insertions go, parents before children. Insertions that share tokens nest by rank. */
export function placeInsertions(tokens: Tokens, insertions: readonly Insertion[]): FileEdit[] {
  const ordered = [...insertions].sort(
    (one, other) => one.first - other.first || other.last - one.last || one.rank - other.rank,
  )
  const edits: FileEdit[] = []
  let semicolonFor = -1
  ordered.forEach(({ first, last, open, close }, order) => {
    if (open) {
      const place = openingPlace(tokens, first, open)
      const semicolon = place.afterStatement && semicolonFor !== first
      if (semicolon) semicolonFor = first
      edits.push({ file: place.file, at: place.at, side: 'before', order, text: semicolon ? `;${open}` : open })
    }
    if (close) {
      const after = placeAfter(tokens, last)
      assert(after, 'a probe was planned where nothing can be inserted')
      edits.push({ file: after.file, at: after.offset, side: 'after', order, text: close })
    }
  })
  return edits
}

// tokens that an expression may follow on the next line, without a semicolon between
const leadIn = new Set('OHE{(:,&=')

/**
 * Where what opens a probe goes. Before the first token; but if that token begins a line, behind the token before it,
 * so that the probe adds no line to those that iconx remembers: `f ! L` reports an error at the line of whatever was
 * carried out last, and so does a trace at resumptions. Behind a statement it takes a semicolon along, in place of the
 * one that the end of the line stood for.
 */
function openingPlace(
  tokens: Tokens,
  first: number,
  open: string,
): { file: number; at: number; afterStatement: boolean } {
  const before = placeBefore(tokens, first)
  assert(before, 'a probe was planned where nothing can be inserted')
  const here = { file: before.file, at: before.offset, afterStatement: false }
  if (first < 2 || open.startsWith(';')) return here
  const afterStatement = tokens.kinds[first - 1] === ';' && tokens.to[first - 1] === tokens.from[first - 1]
  const previous = afterStatement ? first - 2 : first - 1
  if (!afterStatement && !leadIn.has(tokens.kinds[previous])) return here
  if (!tokens.text.slice(tokens.to[previous], tokens.from[first]).includes('\n')) return here
  const behind = placeAfter(tokens, previous)
  return behind?.file === before.file ? { file: behind.file, at: behind.offset, afterStatement } : here
}
