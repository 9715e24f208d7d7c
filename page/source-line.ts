// One line of a source as an element: its mark, number and heat, its text in colours, the counts of its decisions at
// its end, and on demand those of its tokens under them.
import type { PageDecision, PageSide, Shown } from '../src/6-report/page-data.js'
import { index } from './blocks.js'
import { abbreviate, heatOf, marks, sizeOf, spell, times } from './counts.js'
import { element } from './elements.js'
import type { ShownRun, ShownToken, SourceLine } from './lines.js'

/** Heights in pixels, the same in looks/4-source.css: of a line of text, and of a line of counts under it. */
export const lineHeight = 21
export const countsHeight = 15

// what a case with many arms shows of them
const mostChips = 14

/** What hovering over an element tells. */
const explanations = new WeakMap<Element, () => Node>()

/** What there is to tell about an element or what it stands in. */
export function explanationOf(target: Element): { readonly about: Element; readonly show: () => Node } | undefined {
  for (let about: Element | null = target; about; about = about.parentElement) {
    const show = explanations.get(about)
    if (show) return { about, show }
  }
  return undefined
}

/**
 * Where the counts under a line stand: lists of tokens, one for each line of counts; within one no two touch.
 *
 * source   Coutant, Griswold and Hanson, TR 79-9, Figs. 1 to 8
 */
export function countRows(tokens: readonly ShownToken[]): (readonly ShownToken[])[] {
  const rows: ShownToken[][] = []
  const ends: number[] = []
  for (const token of tokens) {
    let row = ends.findIndex((end) => end < token.start)
    if (row < 0) row = rows.push([]) - 1
    rows[row].push(token)
    ends[row] = token.start + spell(token.count).length
  }
  return rows
}

/** How high a line is. */
export function heightOf(line: SourceLine, withCounts: boolean): number {
  return lineHeight + (withCounts ? countRows(line.tokens).length * countsHeight : 0)
}

/**
 * Draws a line.
 *
 * hottest   the largest count of the file, which heat is relative to
 * why       tells why something on this line was never reached; undefined if there is no telling
 */
export function drawLine(line: SourceLine, hottest: Shown, withCounts: boolean, why: string | undefined): HTMLElement {
  const { extent, count, number, excluded } = line
  const gutter = element(
    'span',
    'gutter',
    element('i', 'mark', extent ? marks[extent] : excluded === undefined ? '' : '–'),
    element('span', 'line-number', String(number)),
    element(
      'span',
      `heat heat-${count === undefined ? 'none' : heatOf(count, hottest)}`,
      count === undefined ? '' : abbreviate(count),
    ),
  )
  if (line.contexts.length > 0) explanations.set(gutter, () => explainContexts(line))
  const code = element('span', 'code', ...drawText(line, why), ...line.decisions.map(drawDecision))
  for (const remark of line.remarks) code.append(chip('remark', remark, () => [remark]))
  if (excluded !== undefined && line.text.trim() !== '') {
    code.append(chip('excluded', 'left out', () => [`left out of coverage: ${excluded}`]))
  }
  const made = element('div', `line ${excluded === undefined ? (extent ?? '') : 'excluded'}`, gutter, code)
  made.dataset.line = String(number)
  made.style.height = `${heightOf(line, withCounts)}px`
  if (withCounts) {
    for (const row of countRows(line.tokens)) code.append(drawCounts(row, hottest))
  }
  return made
}

// of many contexts, the first
const mostContexts = 20

/** Which runs reached a line, by what they are called. */
function explainContexts({ number, contexts }: SourceLine): Node {
  const names = contexts
    .slice(0, mostContexts)
    .map((context) => element('li', '', index.contexts[context] || '(no context)'))
  const left = contexts.length - names.length
  if (left > 0) names.push(element('li', '', `and ${left} more`))
  return element('div', '', element('p', '', `line ${number} was reached by`), element('ul', '', ...names))
}

/** The text, cut where a colour or a token begins or ends. */
function drawText({ text, runs, tokens, excluded }: SourceLine, why: string | undefined): Node[] {
  const drawn: Node[] = []
  let at = 0
  for (const token of tokens) {
    if (token.start < at || token.end <= token.start) continue
    drawn.push(...coloured(text, at, token.start, runs))
    const size = sizeOf(token.count)
    const state = excluded !== undefined ? '' : size === 0 ? 'never' : token.missing > 0 ? 'one-sided' : ''
    const made = element('span', `token ${state}`, ...coloured(text, token.start, token.end, runs))
    explanations.set(made, () => explainToken(text.slice(token.start, token.end), token, why))
    drawn.push(made)
    at = token.end
  }
  drawn.push(...coloured(text, at, text.length, runs))
  return drawn
}

function coloured(text: string, start: number, end: number, runs: readonly ShownRun[]): (Node | string)[] & Node[] {
  const pieces: (Node | string)[] = []
  let at = start
  for (const run of runs) {
    if (run.end <= at || run.start >= end) continue
    const from = Math.max(run.start, at)
    const to = Math.min(run.end, end)
    if (from > at) pieces.push(document.createTextNode(text.slice(at, from)))
    pieces.push(element('span', `colour-${run.colour}`, text.slice(from, to)))
    at = to
  }
  if (at < end) pieces.push(document.createTextNode(text.slice(at, end)))
  return pieces as Node[]
}

function explainToken(text: string, { count, ports, missing }: ShownToken, why: string | undefined): Node {
  const box = element(
    'div',
    '',
    element('code', '', text),
    element('p', '', count === 0 ? 'never executed' : `executed ${times(count)}`),
  )
  if (count === 0 && why) box.append(element('p', 'why', why))
  if (ports === 0) return box
  const [started, resumed, succeeded, failed] = ports
  const cell = (what: string, value: Shown, isMissing = false) =>
    element('div', isMissing ? 'zero' : '', element('span', '', what), element('b', '', spell(value)))
  box.append(
    element(
      'div',
      'ports',
      cell('started', started),
      cell('resumed', resumed),
      cell('succeeded', succeeded, (missing & 1) > 0),
      cell('failed', failed, (missing & 2) > 0),
    ),
  )
  if (missing === 1) box.append(element('p', 'why', 'It ran, but never succeeded.'))
  if (missing === 2) box.append(element('p', 'why', 'It never failed.'))
  return box
}

// ---- counts of what can happen, at the end of the line

function drawDecision(decision: PageDecision): HTMLElement {
  const { kind, of, sides } = decision
  // of many, the first, and all that are not covered
  const shown = sides.length <= mostChips ? sides : sides.filter(([, , state], i) => i < mostChips || state === '-')
  const chips = shown.slice(0, 3 * mostChips).map((side) => drawSide(decision, side))
  const left = sides.length - chips.length
  if (left > 0) {
    const all = () => sides.map(([side, count]) => `${side}: ${spell(count)}`)
    chips.push(chip('more', `${left} more`, all))
  }
  return element('span', 'decision', kind === 'procedure' ? null : element('small', '', of), ...chips)
}

const stateClasses = { '+': '', '-': 'never', x: 'excluded', ' ': 'plain' }

function drawSide({ kind, of, sides }: PageDecision, [side, count, state, why]: PageSide): HTMLElement {
  const never = sizeOf(count) === 0
  // numbers of arms are not to be read with the counts
  const word = side === 'body' ? '' : /^\d/.test(side) ? `${side}:` : side
  const label = [word, never && state === '-' ? 'never' : spell(count)].filter((part) => part !== '').join(' ')
  return chip(stateClasses[state], label, () => {
    const subject = kind === 'procedure' ? [of, side] : [of, word]
    const lines = [`${subject.filter((part) => part !== '').join(' ')}: ${times(count)}`]
    const total = sides.reduce((sum, [, one]) => sum + sizeOf(one), 0)
    const isShare = kind === 'branch' && sides.length > 1 && !never
    if (isShare) lines.push(`${((100 * sizeOf(count)) / total).toFixed(1)} % of ${spell(total)}`)
    if (state === 'x') lines.push(`left out: ${why}`)
    else if (why !== '') lines.push(why)
    return lines
  })
}

function chip(className: string, label: string, explain: () => readonly string[]): HTMLElement {
  const made = element('span', `chip ${className}`, label)
  explanations.set(made, () => element('div', '', ...explain().map((line) => element('p', '', line))))
  return made
}

function drawCounts(row: readonly ShownToken[], hottest: Shown): HTMLElement {
  const made = element('span', 'counts')
  let at = 0
  for (const { start, count } of row) {
    const digits = spell(count)
    made.append(' '.repeat(start - at), element('b', `heat-${heatOf(count, hottest)}`, digits))
    at = start + digits.length
  }
  return made
}
