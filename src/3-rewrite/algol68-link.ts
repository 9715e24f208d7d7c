// The prelude of Algol 68 programs: counters are declared in front of the first token, in the program's own outermost
// range, for a68g treats that one as global; what happens at the end stands on new lines behind the text, under the
// labels that the program jumps to but does not declare. So no line of the text moves, and no scope changes.
import { children, type Node } from '../1-parse/algol68/ast.js'
import type { Algol68Tree } from '../1-parse/algol68/parse.js'
import { nameOf } from '../1-parse/algol68/scan.js'
import { walk } from '../1-parse/walk.js'
import type { Plan } from '../2-plan/plan.js'
import { hashOf } from '../source.js'
import type { FileEdit, Spelling } from './algol68.js'
import type { Destination } from './link.js'
import { denotation, inQuotes, reportSeries, usedNames } from './algol68-report.js'

/** The names that scamp brings into a program: all begin with `prefix`, which occurs nowhere in it. */
export interface Algol68Names extends Spelling {
  readonly prefix: string
  readonly counter: (number: number) => string
  /** What a launched program writes when its own output ends. */
  readonly mark: string
}

/** Chooses names, and an assigning operator that the program does not declare. */
export function chooseAlgol68Names(tree: Algol68Tree, hash: string): Algol68Names {
  const isQuoted = tree.stropping === 'quote'
  for (let attempt = 0; ; attempt++) {
    const letters = BigInt(`0x${hashOf(hash + attempt)}`)
      .toString(26)
      .slice(-5)
      .replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
    const prefix = `z${letters}`
    if (isSpelledIn(tree, prefix)) continue
    const counter = (number: number) => (isQuoted ? `${prefix}c${number}`.toUpperCase() : `${prefix}c${number}`)
    const flag = (number: number) => (isQuoted ? `${prefix}l${number}`.toUpperCase() : `${prefix}l${number}`)
    const bold = (word: string) => (isQuoted ? `'${word}'` : word)
    const tick = tickSpelling(tree)
    return { prefix, counter, mark: `(${prefix})`, bold, flag, tick: (number) => tick(counter(number)) }
  }
}

/** A program may give + and its like another meaning for numbers, in terms of which a tick would run for ever. */
function tickSpelling(tree: Algol68Tree): (counter: string) => string {
  const declared = new Set<string>()
  for (const { what, name } of tree.definitions) if (what === 'OP') declared.add(name.name.toUpperCase())
  const plusab = tree.stropping === 'quote' ? `'PLUSAB'` : ' PLUSAB '
  // by a small margin the fastest in a loop's body
  if (!declared.has('+:=')) return (counter) => `${counter}+:=1`
  if (!declared.has('+')) return (counter) => `${counter}:=${counter}+1`
  if (!declared.has('PLUSAB')) return (counter) => `${counter}${plusab}1`
  return (counter) => `${counter}-:=-1`
}

/** What linking adds: edits within the text, the text behind it, and what it writes when the program's output ends. */
export interface Linked {
  readonly edits: readonly FileEdit[]
  readonly text: string
  readonly mark: string
}

/** Links the prelude to a planned tree. A text without a program needs none. */
export function linkAlgol68(tree: Algol68Tree, plan: Plan, names: Algol68Names, destination: Destination): Linked {
  const { tokens, program } = tree
  const { series, refinements } = program
  const { bold, counter, prefix } = names
  const declarations = Array.from({ length: plan.flow.counters }, (_, i) => `${counter(i)}:=0`).join(',')
  const first = plan.probes.length > 0 ? firstAmendable(tree, plan) : 0
  const isLaunched = destination.kind === 'launched'
  const mark = isLaunched && canMark(tree) ? names.mark : ''
  const own = isLaunched
    ? ownInput(tree, names) + (destination.words ? ownWords(tree, names, destination.words) : '')
    : ''
  const before = tokens.files[tokens.file[first]].text.slice(0, tokens.from[first])
  // nothing of a first line that names an interpreter is read; and the end of a pragmat or comment may stand directly
  // before the first token: PR quiet PRprint(x)
  const gap = /^#!.*$/.test(before) ? '\n' : /\S$/.test(before) ? ' ' : ''
  const forks = isLaunched ? forksIn(tree) : []
  const text = `${gap}${bold('INT')} ${declarations};${own}${forks.length > 0 ? forking(tree, names).declaration : ''}`
  const edits: FileEdit[] = [{ file: tokens.file[first], at: tokens.from[first], side: 'before', order: -1, text }]
  for (const token of forks) {
    const { before, after } = forking(tree, names)
    const file = tokens.file[token]
    edits.push({ file, at: tokens.from[token], side: 'before', order: token, text: before })
    edits.push({ file, at: tokens.to[token], side: 'after', order: token, text: after })
  }
  const ending = isLaunched
    ? (forks.length > 0 ? forking(tree, names).ending : '') + launchedEnding(tree, names, mark)
    : `${bold('BEGIN')}\n${reportSeries(tree, plan, names)}${bold('END')}`
  const exits = series.phrases.filter(({ kind }) => kind === 'Exit')
  const finish = `${prefix}e`
  for (const exit of exits) {
    // u EXIT  →  u;finish EXIT
    const token = exit.first - 1
    edits.push({ file: tokens.file[token], at: tokens.to[token], side: 'after', order: -1, text: `;${finish}` })
  }
  if (destination.kind === 'self-contained' && usedNames.some((name) => declares(tree, name))) {
    // s  →  BEGIN s END: the report needs these names for itself
    const { file, from, to } = tokens
    edits.push({ file: file[first], at: from[first], side: 'before', order: 0, text: `${bold('BEGIN')} ` })
    edits.push({ file: file[series.last], at: to[series.last], side: 'after', order: -3, text: ` ${bold('END')}` })
  }
  const labels = [...(exits.length > 0 ? [finish] : []), ...missingLabels(tree)].map((label) => `${label}:`).join('')
  if (refinements.length === 0) return { edits, text: `;${labels}${ending}\n`, mark }
  // s. r: t.  →  s;end. r: t. end: ….
  const at = { file: tokens.file[series.last], at: tokens.to[series.last] }
  edits.push({ ...at, side: 'after', order: -2, text: `;${labels}${prefix}r` })
  return { edits, text: `${prefix}r: ${ending}.\n`, mark }
}

/** The first token that stands where something can be inserted. */
function firstAmendable({ tokens }: Algol68Tree, plan: Plan): number {
  const amended = new Set(plan.probes.map(({ first }) => tokens.file[first]))
  let token = 0
  while (!amended.has(tokens.file[token])) token++
  return token
}

/** Labels of the standard prelude that the program mentions, and does not declare itself. */
function missingLabels(tree: Algol68Tree): string[] {
  return ['stop', 'abort', 'halt'].filter((name) => occurrences(tree, name).length > 0 && !declares(tree, name))
}

/** Whether the letters of a name follow each other somewhere in a program, perhaps with blanks between. */
function isSpelledIn({ tokens, stropping }: Algol68Tree, name: string): boolean {
  return tokens.files.some((file) => {
    const text = stropping === 'quote' ? file.text.toLowerCase() : file.text
    for (let start = text.indexOf(name[0]); start >= 0; start = text.indexOf(name[0], start + 1)) {
      let found = 1
      for (let at = start + 1; found < name.length; at++) {
        if (text[at] === name[found]) found++
        else if (!/\s/.test(text[at] ?? '.')) break
      }
      if (found === name.length) return true
    }
    return false
  })
}

/** The tokens that an identifier is. */
function occurrences(tree: Algol68Tree, name: string): number[] {
  const { tokens } = tree
  if (!isSpelledIn(tree, name)) return []
  const found: number[] = []
  for (let token = tokens.kinds.indexOf('i'); token >= 0; token = tokens.kinds.indexOf('i', token + 1)) {
    if (nameOf(tokens, token).toLowerCase() === name) found.push(token)
  }
  return found
}

// what takes standard output as its first argument, and leaves it as it is
const writers = new Set(['put', 'putf', 'putbin', 'newline', 'newpage', 'space', 'backspace'])

/** What a launched program writes its mark with; undefined if it does not. */
const markWriter = (tree: Algol68Tree) => ['print', 'write'].find((name) => !declares(tree, name))

// what enters the monitor
const traps = ['break', 'debug', 'monitor']

/**
 * Whether a program may write a mark: not if it may do more with its standard output than to write to it, nor if it calls
 * for the monitor itself. Without a mark, newlines are kept till it is known whether the monitor begins with them.
 */
function canMark(tree: Algol68Tree): boolean {
  const { kinds } = tree.tokens
  const isWritten = (token: number) =>
    kinds[token - 1] === '(' && kinds[token - 2] === 'i' && writers.has(nameOf(tree.tokens, token - 2).toLowerCase())
  const calls = traps.some((name) => !declares(tree, name) && occurrences(tree, name).length > 0)
  return !calls && markWriter(tree) !== undefined && occurrences(tree, 'standout').every(isWritten)
}

/** A launched program shows where its output ends, if it has a mark, and calls for the monitor: there counters are read. */
function launchedEnding(tree: Algol68Tree, { bold }: Algol68Names, mark: string): string {
  const trap = traps.find((name) => !declares(tree, name))
  const word = (name: string) => (tree.stropping === 'quote' ? name.toUpperCase() : name)
  const marking = mark === '' ? '' : `${word(markWriter(tree)!)}("${mark}");`
  return `${marking}${trap === undefined ? '' : `${word(trap)};`}${bold('SKIP')}`
}

/** The tokens at which a launched program makes another process of itself; none if the names for that mean something else. */
function forksIn(tree: Algol68Tree): number[] {
  if (['fork', 'execve', 'waitpid'].some((name) => declares(tree, name))) return []
  const mentioned = occurrences(tree, 'fork')
  if (mentioned.length === 0) return []
  const used: number[] = []
  walk<Node>(tree.program, children, (node) => {
    if (node.kind === 'Identifier' && node.name.toLowerCase() === 'fork') used.push(node.first)
  })
  return used.length === mentioned.length ? used : []
}

/**
 * What a process that a launched program makes of itself must not do is talk to the monitor, which waits for the other
 * one: it ends in front of that, as another program, and what it writes comes before the other one's end.
 */
function forking(tree: Algol68Tree, { prefix }: Algol68Names) {
  const spell = (text: string) => (tree.stropping === 'quote' ? inQuotes(text) : text)
  // a68g does not survive waiting for what has been waited for
  const wait = occurrences(tree, 'waitpid').length > 0 ? '' : ` OUT IF ${prefix}f>0 THEN waitpid(${prefix}f) FI`
  return {
    declaration: spell(`INT ${prefix}f:=-1;`),
    // fork  →  (f:=fork)
    before: spell(`(${prefix}f:=`),
    after: ')',
    ending: spell(`CASE ${prefix}f+1 IN VOID(execve("/bin/true","true",""))${wait} ESAC;`),
  }
}

/** A launched program's standard input is the monitor's; its own comes as descriptor 3, opened for reading as that is. */
function ownInput(tree: Algol68Tree, { bold }: Algol68Names): string {
  if (['close', 'open', 'standin', 'standinchannel'].some((name) => declares(tree, name))) return ''
  const text = (name: string) => (tree.stropping === 'quote' ? name.toUpperCase() : name)
  const [close, open, file, channel] = ['close', 'open', 'standin', 'standinchannel'].map(text)
  // one that is only opened cannot be asked whether it is at its end
  const begin = declares(tree, 'get') ? '' : `${text('get')}(${file},());`
  return `${close}(${file});${bold('VOID')}(${open}(${file},"/dev/fd/3",${channel}));${begin}`
}

/** A launched program's command line is ours; where it asks for its own, it is told. */
function ownWords(tree: Algol68Tree, { prefix }: Algol68Names, words: readonly string[]): string {
  const { kinds } = tree.tokens
  const asked = new Set<string>()
  for (let token = 0; token < kinds.length; token++) {
    if (kinds[token] === 'i') asked.add(nameOf(tree.tokens, token).toLowerCase())
  }
  const answers: Readonly<Record<string, string>> = {
    argc: `INT argc=${words.length};`,
    argv: `PROC argv=(INT ${prefix}k)STRING:CASE ${prefix}k IN ${words.map(denotation).join(',')} OUT "" ESAC;`,
    programidf: `STRING programidf=${denotation(Buffer.from(tree.source.name).toString('latin1'))};`,
  }
  const text = Object.keys(answers)
    .filter((name) => asked.has(name) && !declares(tree, name))
    .map((name) => answers[name])
    .join('')
  return tree.stropping === 'quote' ? inQuotes(text) : text
}

/** Whether a program declares a name in its outermost range. */
function declares(tree: Algol68Tree, name: string): boolean {
  return tree.program.series.phrases.some((phrase) => {
    if (phrase.kind === 'Label') return phrase.name.name.toLowerCase() === name
    if (phrase.kind !== 'Declaration') return false
    return phrase.parts.some((part) => part.kind === 'Definition' && part.name.name.toLowerCase() === name)
  })
}
