// The prelude: what is linked behind the user's text, in the user's language, so that counters exist, start at zero
// and come to be known at the end. Nothing here runs before the first procedure of the text is called, and that call
// is invisible to the program: no &trace line, no allocation, no change of &line.
import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import type { IconTree } from '../1-parse/icon/parse.js'
import { children, type Expression, type Node, type Procedure } from '../1-parse/icon/ast.js'
import { walk } from '../1-parse/walk.js'
import { planVersion, type Plan, type Tally } from '../2-plan/plan.js'
import { spellSums, type NamedSum } from '../2-plan/solve.js'
import { hashOf } from '../source.js'
import type { Insertion } from './icon.js'

/**
 * What becomes of the counters.
 *
 * launched        scamp's launcher reads them, from the termination dump or from memory
 * kept            the engine keeps them: nothing is linked
 * self-contained  the program prints the SCAMP report itself when it ends
 */
export type Destination =
  | {
      readonly kind: 'launched'
      readonly programName: string | undefined
      /** Whether the plan is to travel in the text. */
      readonly embed: boolean
      /** Whether a trace may be on though the text does not speak of it. */
      readonly mayTrace: boolean
      /** Of Algol 68: the command line that the program is to see. */
      readonly words?: readonly string[]
    }
  | { readonly kind: 'kept' }
  | { readonly kind: 'self-contained' }

/** The names that scamp brings into one file: globals that begin with `prefix`. */
export interface Names {
  readonly prefix: string
  readonly counter: (number: number) => string
}

/** Chooses a prefix that occurs nowhere in the texts: in hardly any program is a second try needed. */
export function chooseNames(hash: string, texts: readonly string[]): Names {
  for (let attempt = 0; ; attempt++) {
    const prefix = `_${BigInt(`0x${hashOf(hash + attempt)}`)
      .toString(36)
      .slice(-4)}`
    if (texts.every((text) => !text.includes(prefix))) return { prefix, counter: (number) => `${prefix}_${number}` }
  }
}

/** What linking adds: insertions into the text, and the text behind it. */
export interface Linked {
  readonly insertions: readonly Insertion[]
  readonly text: string
}

/** Links the prelude to a planned tree. A file without procedures needs none. */
export function link(tree: IconTree, plan: Plan, names: Names, destination: Destination): Linked {
  const procedures = tree.program.declarations.filter((one): one is Procedure => one.kind === 'Procedure')
  if (procedures.length === 0 || destination.kind === 'kept') return { insertions: [], text: '' }
  const main = procedures.find(({ name }) => name.name === 'main')
  const guarded = destination.kind === 'self-contained' || destination.mayTrace || mentionsKeyword(tree, 'trace')
  const insertions = (main ? [main] : procedures).map((procedure) => startInsertion(procedure, names, guarded))
  const { prefix } = names
  const counters = Array.from({ length: plan.flow.counters }, (_, i) => names.counter(i))
  const globals = [`${prefix}_`, `${prefix}_t`, ...counters]
  const zero = zeroing(counters)
  if (destination.kind === 'launched') {
    const start = [...zero, ...launchedStart(tree, plan, names, destination)]
    if (mentionsKeyword(tree, 'dump')) {
      // the program may set &dump itself: note what it wanted when it ends, and have the dump all the same
      const wanted = `${prefix}_w`
      globals.push(wanted)
      const note = `(/${wanted}:=&dump)|1,&dump:=1`
      insertions.push(...endInsertions(main, procedures, `(${note})`, `((&level=1,${note})|1)`))
    }
    if (destination.embed) globals.push(launchedName)
    return { insertions, text: declarations(globals, [procedureText(`${prefix}_s()`, [...start, 'return 1'])]) }
  }
  const shared = sharedPrefix(tree)
  globals.push(`${prefix}_p`)
  const start = [...zero, `${prefix}_p:=${shared}last`, `${shared}last:=${prefix}_d`]
  const parts = [
    procedureText(`${prefix}_s()`, [...start, 'return 1']),
    procedureText(`${prefix}_d(r,f)`, rows(tree, plan, names)),
  ]
  if (main) {
    parts.push(reportPrelude(shared))
    const trace = `${shared}trace`
    const atEnd = overridden(tree) ? undefined : untraced(trace, `${shared}end()`)
    insertions.push(...endInsertions(main, procedures, atEnd, untraced(trace, `${shared}main()`)))
    parts.push(...overrides(tree, shared))
  } else globals.push(`${shared}last`)
  return { insertions, text: declarations(globals, parts) }
}

function declarations(globals: readonly string[], parts: readonly string[]): string {
  return `global ${globals.join(',')}\n${parts.join('')}`
}

function procedureText(head: string, statements: readonly string[]): string {
  return `procedure ${head}\n${statements.map((statement) => `${statement}\n`).join('')}end\n`
}

/** Counters start at zero, many in a statement: icont's parser has a limit on how deeply assignments nest. */
function zeroing(counters: readonly string[]): string[] {
  const statements: string[] = []
  for (let i = 0; i < counters.length; i += 40) statements.push(`${counters.slice(i, i + 40).join(':=')}:=0`)
  return statements
}

/** A call that &trace does not see: it is switched off before the call and restored after it. */
const untraced = (variable: string, call: string) => `(${variable}:=&trace,&trace:=0,${call},&trace:=${variable})`

// procedure p()  e  →  procedure p()  initial {/on:=(…start…)};e
function startInsertion({ initial, bodyToken }: Procedure, { prefix }: Names, guarded: boolean): Insertion {
  const call = `${prefix}_s()`
  const start = `/${prefix}_:=${guarded ? untraced(`${prefix}_t`, call) : call}`
  if (initial) return { first: initial.first, last: initial.last, rank: 0, open: `{${start};`, close: '}' }
  return { first: bodyToken, last: Infinity, rank: 0, open: `initial ${start};`, close: '' }
}

/** A procedure that is there in programs linked for the launcher, and in no others. */
export const launchedName = '_scamp_launched'

/** An executable may be linked by icont itself, or its launcher be gone: then nobody would take the dump away. */
const dumpIfLaunched = `\\${launchedName}&("getenv"("SCAMP_PLAIN")|(&dump:=1))`

/** What a launched program does first: see that it leaves a termination dump, and what it is to be called. */
function launchedStart(
  tree: IconTree,
  plan: Plan,
  names: Names,
  destination: Destination & { kind: 'launched' },
): string[] {
  const statements: string[] = []
  if (!mentionsKeyword(tree, 'dump')) statements.push(destination.embed ? dumpIfLaunched : '&dump:=1')
  if (destination.programName !== undefined) statements.push(`&progname:=${iconString(destination.programName)}`)
  if (destination.embed) statements.push(iconString(packPlan(tree, plan, names)))
  return statements
}

/** A plan as it travels inside an icode file, for the launcher to find. */
export interface EmbeddedPlan {
  readonly name: string
  readonly hash: string
  readonly prefix: string
  readonly asksDump: boolean
  readonly plan: Omit<Plan, 'probes'>
}

/** What an embedded plan begins with; then the version, a colon, its length, a colon, and deflated JSON in base 64. */
export const embeddedMark = 'SCAMP-PLAN-'

function packPlan(tree: IconTree, plan: Plan, { prefix }: Names): string {
  const { source } = tree
  const { probes: _, ...kept } = plan
  const whole: EmbeddedPlan = {
    name: source.name,
    hash: hashOf(source.text),
    prefix,
    asksDump: mentionsKeyword(tree, 'dump'),
    plan: kept,
  }
  const packed = deflateSync(Buffer.from(JSON.stringify(whole), 'utf8'), { level: 1 }).toString('base64')
  return `${embeddedMark}${planVersion}:${packed.length}:${packed}`
}

/** An Icon string literal. */
export function iconString(text: string): string {
  const escaped = text.replace(/[\\"]/g, '\\$&').replace(/[^ -~]/g, (character) => {
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`
  })
  return `"${escaped}"`
}

/** Whether a source speaks of a keyword. */
export function mentionsKeyword(tree: IconTree, name: string): boolean {
  return new RegExp(`&\\s*${name}\\b`).test(tree.tokens.text)
}

// ---- self-contained programs

/** The prefix of what all files of a self-contained program share. */
function sharedPrefix({ tokens }: IconTree): string {
  for (let attempt = 0; ; attempt++) {
    const prefix = `_scamp${attempt || ''}_`
    if (!tokens.text.includes(prefix)) return prefix
  }
}

function reportPrelude(shared: string): string {
  const text = readFileSync(new URL('../../prelude/report.icn', import.meta.url), 'latin1')
  const lines = text.split('\n').map((line) => line.replace(/^\s*#.*|\s+$|^\s+/g, ''))
  return `${lines
    .filter((line) => line !== '')
    .join('\n')
    .replaceAll('scamp_', shared)}\n`
}

/** The rows of the report, as calls; each count spelled as the sum of counters that gives it. */
function rows(tree: IconTree, plan: Plan, names: Names): string[] {
  const { sums, parts } = spellSums(plan.flow, names.counter, (edge) => `e${edge}`)
  const spelled = sums.map(spellSum)
  const total = (tally: Tally) => {
    const sum = tally.map((edge) => spelled[edge]).join('')
    return sum.replace(/^\+/, '') || '0'
  }
  const statements = [`(\\${names.prefix}_p)(r,f)`, ...parts.map(({ name, sum }) => `${name}:=${spellSum(sum)}`)]
  for (const site of plan.sites) {
    const { line } = site
    switch (site.kind) {
      case 'block':
        statements.push(`r(1,${line},${total(site.passes)})`)
        break
      case 'procedure': {
        const counts = [site.calls, site.returns, site.suspends, site.resumptions, site.failures]
        statements.push(`r(2,${line},"${site.name}",${counts.map(total).join(',')})`)
        break
      }
      case 'if':
        statements.push(`r(3,${line},${total(site.true)},${total(site.false)})`)
        break
      case 'case':
        statements.push(`r(4,${line},${site.arms.map(({ name, count }) => `"${name}",${total(count)}`).join(',')})`)
        break
      case 'do':
        statements.push(`r(5,${line},${total(site.passes)},"${site.loop}")`)
    }
  }
  for (const { file, line, column, text, count } of plan.tokens) {
    if (file === 0)
      statements.push(`r(6,${line},${column},${total(count)},${iconString(text.replace(/\p{Cc}/gu, '?'))})`)
  }
  statements.push(`f(${iconString(tree.source.name)})`)
  return statements
}

function spellSum(sum: NamedSum): string {
  const terms = [...sum].map(([name, factor]) => {
    const sign = factor < 0 ? '-' : '+'
    return Math.abs(factor) === 1 ? `${sign}${name}` : `${sign}${Math.abs(factor)}*${name}`
  })
  return terms.join('') || '+0'
}

/**
 * Where a program ends, as far as its text shows: the ends of main, and calls of exit and stop.
 *
 * atEnd     what to do at calls of exit and stop; undefined: nothing
 * atMain    what to do where main ends, if it is the outermost
 */
function endInsertions(
  main: Procedure | undefined,
  procedures: readonly Procedure[],
  atEnd: string | undefined,
  atMain: string,
): Insertion[] {
  const insertions: Insertion[] = []
  if (main) {
    insertions.push({ first: main.last, last: main.last, rank: 6, open: `;${atMain};`, close: '' })
    walk<Node>(main, children, (node) => {
      const { first, last } = node
      if (node.kind === 'Fail' || (node.kind === 'Return' && node.value === null)) {
        insertions.push({ first, last, rank: 6, open: `(${atMain}&`, close: ')' })
      } else if (node.kind === 'Return' && node.value) {
        const close = `,${atMain}))|(${atMain}& &fail))`
        insertions.push({ first: node.value.first, last: node.value.last, rank: 3, open: '((1(', close })
      } else if (node.kind === 'Suspend' && node.control) {
        const close = `,${atMain}))`
        insertions.push({ first: node.control.first, last: node.control.last, rank: 3, open: '(1(', close })
      }
    })
  }
  if (atEnd === undefined) return insertions
  for (const procedure of procedures) {
    walk<Node>(procedure, children, (node) => {
      if (node.kind !== 'Call' || !isEnding(node.callee)) return
      const { first, last } = node
      const final = node.args[node.args.length - 1]
      if (final) insertions.push({ first: final.first, last: final.last, rank: 3, open: '1(', close: `,${atEnd})` })
      else insertions.push({ first, last, rank: 6, open: `(${atEnd}&`, close: ')' })
    })
  }
  return insertions
}

const isEnding = (node: Expression) => node.kind === 'Identifier' && (node.name === 'exit' || node.name === 'stop')

/** Whether exit or stop are used other than by calling them; then procedures of these names stand in for them. */
function overridden(tree: IconTree): boolean {
  if (!/\b(?:exit|stop)\b/.test(tree.tokens.text)) return false
  let calls = 0
  let uses = 0
  let strings = 0
  for (const declaration of tree.program.declarations) {
    walk<Node>(declaration, children, (node) => {
      if (node.kind === 'Identifier' && isEnding(node)) uses++
      else if (node.kind === 'Call' && isEnding(node.callee)) calls++
      else if (node.kind === 'String' && /^"(?:exit|stop)"$/.test(node.text)) strings++
    })
  }
  return uses > calls || strings > 0
}

function overrides(tree: IconTree, shared: string): string[] {
  if (!overridden(tree)) return []
  const taken = new Set(
    tree.program.declarations.flatMap((one) => {
      if (one.kind === 'Procedure' || one.kind === 'Record') return [one.name.name]
      return one.kind === 'Global' ? one.names.map(({ name }) => name) : []
    }),
  )
  const end = untraced(`${shared}trace`, `${shared}end()`)
  const parts: string[] = []
  const stand = (name: string) => [`local t`, `t:=&trace;&trace:=0;${end};&trace:=t`, `return proc("${name}",0)!a`]
  for (const name of ['exit', 'stop']) {
    if (!taken.has(name)) parts.push(procedureText(`${name}(a[])`, stand(name)), `invocable "${name}"\n`)
  }
  return parts
}
