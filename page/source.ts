// A source: its lines, of which only those on the screen exist as elements; an outline of its procedures; and a strip of
// the whole file at the edge.
import type { PageProcedure } from '../src/6-report/page-data.js'
import { index, openFile } from './blocks.js'
import { extentOf, marks, percent, sizeOf, times, type Extent } from './counts.js'
import { button, element, having } from './elements.js'
import type { SourceLine } from './lines.js'
import { drawLine, heightOf, lineHeight } from './source-line.js'
import { strip } from './strip.js'

// lines drawn above and below the screen, so that scrolling meets no gap
const margin = 40

/** A source that is shown. Lines are numbered from 1. */
export interface SourceView {
  readonly root: HTMLElement
  readonly file: number
  readonly line: () => number
  readonly go: (line: number) => void
  /** The next stop after `from` (before, if `step` is -1): where something is not covered, or many lines begin not to be. */
  readonly nextMissing: (from: number, step: 1 | -1) => number | undefined
  readonly setCounts: (on: boolean) => void
  /** Draws all lines, for the printer, or only those on the screen again. */
  readonly drawAll: (all: boolean) => void
}

/** Shows a file. `moved` is told when another line becomes the current one. */
export function sourceView(number: number, counts: boolean, moved: (line: number) => void): SourceView {
  const file = openFile(number)
  const { lines } = file
  const entry = index.files[number]
  const stops = stopsIn(lines)
  let withCounts = counts
  let current = 1
  let tops: Float64Array = layOut(lines, withCounts)
  let isWhole = false
  /** The context whose lines are shown; -1: all. */
  let context = -1

  const shown = element('div', 'window')
  const total = element('div', 'lines', shown)
  const scroller = element('div', 'scroller', total)
  scroller.tabIndex = 0
  const longest = lines.reduce((most, { text }) => Math.max(most, text.length), 0)
  total.style.minWidth = `${longest + 60}ch`

  const whyNever = (line: number): string | undefined => {
    const around = ([, from, , , , to]: PageProcedure) => from <= line && (to === null || line <= to)
    const [name, , calls] = [...entry.procedures].reverse().find(around) ?? []
    if (name === undefined || calls === undefined) return undefined
    return sizeOf(calls) === 0 ? `${name || 'Its procedure'} was never called.` : undefined
  }
  const draw = (line: SourceLine) => {
    const made = drawLine(line, entry.hottest, withCounts, whyNever(line.number))
    if (line.number === current) made.classList.add('current')
    if (context >= 0 && !line.contexts.includes(context)) made.classList.add('unreached')
    return made
  }
  let first = -1
  let last = -1
  const refresh = (force = false) => {
    if (isWhole) return
    const top = scroller.scrollTop
    const from = Math.max(0, lineAt(tops, top) - margin)
    const to = Math.min(lines.length, lineAt(tops, top + scroller.clientHeight) + margin)
    if (!force && from >= first && to <= last && first >= 0 && visible()) return
    first = Math.max(0, from - margin)
    last = Math.min(lines.length, to + margin)
    shown.style.transform = `translateY(${tops[first]}px)`
    shown.replaceChildren(...lines.slice(first, last).map(draw))
  }
  const visible = () => shown.childElementCount > 0
  const edge = strip(lines, tops, entry.hottest, (top) => (scroller.scrollTop = top - scroller.clientHeight / 2))
  scroller.addEventListener('scroll', () => {
    refresh()
    edge.moveTo(scroller.scrollTop, scroller.clientHeight)
  })
  new ResizeObserver(() => {
    refresh(true)
    edge.resize(scroller.clientHeight)
    edge.moveTo(scroller.scrollTop, scroller.clientHeight)
  }).observe(scroller)

  const relay = () => {
    tops = layOut(lines, withCounts)
    total.style.height = `${tops[lines.length]}px`
  }
  relay()

  const choose = (line: number) => {
    current = Math.min(Math.max(1, line), lines.length)
    for (const old of shown.querySelectorAll('.current')) old.classList.remove('current')
    shown.querySelector(`[data-line="${current}"]`)?.classList.add('current')
    moved(current)
  }
  const go = (line: number) => {
    choose(line)
    const top = tops[current - 1]
    const bottom = tops[current]
    const { scrollTop, clientHeight } = scroller
    if (top < scrollTop + 3 * lineHeight || bottom > scrollTop + clientHeight - 3 * lineHeight) {
      scroller.scrollTop = top - clientHeight / 3
    }
    refresh(true)
    edge.moveTo(scroller.scrollTop, clientHeight)
  }
  shown.addEventListener('click', ({ target }) => {
    const line = (target as Element).closest<HTMLElement>('.line')?.dataset.line
    if (line !== undefined) choose(Number(line))
  })

  const { name, covered, items } = entry
  const extent = extentOf(covered, items)
  const head = element(
    'div',
    'source-head',
    element('h1', '', name),
    element('span', `extent ${extent}`, `${marks[extent]} ${percent(covered, items)}`),
    element('span', '', `${covered} of ${items} items covered, hottest line executed ${times(entry.hottest)}`),
  )
  if (!file.hasText)
    head.append(element('p', 'notes', 'This text is not there any more, or has changed since it was profiled.'))
  head.append(
    contextPicker((chosen) => {
      context = chosen
      refresh(true)
    }),
  )
  const root = element('main', 'source', head, element('div', 'panes', outline(number, go), scroller, edge.root))
  return {
    root,
    file: number,
    line: () => current,
    go,
    nextMissing: (from, step) => {
      const ahead = stops.filter((line) => (step === 1 ? line > from : line < from))
      return step === 1 ? ahead[0] : ahead.at(-1)
    },
    setCounts: (on) => {
      withCounts = on
      const kept = tops[current - 1] - scroller.scrollTop
      relay()
      scroller.scrollTop = tops[current - 1] - kept
      refresh(true)
      edge.lay(tops)
      edge.moveTo(scroller.scrollTop, scroller.clientHeight)
    },
    drawAll: (all) => {
      isWhole = all
      if (!all) return refresh(true)
      shown.style.transform = 'none'
      shown.replaceChildren(...lines.map(draw))
    },
  }
}

/** The lines worth stopping at, looking for what is not covered: of lines in a row that were never executed, the first. */
function stopsIn(lines: readonly SourceLine[]): number[] {
  const stops: number[] = []
  let before: Extent | undefined
  for (const { number, extent, decisions } of lines) {
    if (extent === undefined) continue
    const begins = before !== 'none' || decisions.some(({ kind }) => kind === 'procedure')
    if (extent === 'some' || (extent === 'none' && begins)) stops.push(number)
    before = extent
  }
  return stops
}

/** Where each line begins, in pixels; and where the last one ends. */
function layOut(lines: readonly SourceLine[], withCounts: boolean): Float64Array {
  const tops = new Float64Array(lines.length + 1)
  lines.forEach((line, i) => (tops[i + 1] = tops[i] + heightOf(line, withCounts)))
  return tops
}

/** The index of the line that a height falls on. */
function lineAt(tops: Float64Array, height: number): number {
  let low = 0
  let high = tops.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if (tops[middle] <= height) low = middle
    else high = middle - 1
  }
  return low
}

/** Chooses whose lines are shown; hidden if runs are called nothing. */
function contextPicker(choose: (context: number) => void): HTMLElement {
  const option = (name: string, value: number) => having(element('option', '', name), { value: String(value) })
  const picker = having(
    element(
      'select',
      'contexts',
      option('all runs', -1),
      ...index.contexts.map((name, i) => option(name || '(no context)', i)),
    ),
    { 'aria-label': 'whose lines are shown' },
  )
  picker.hidden = index.contexts.length === 0
  picker.addEventListener('change', () => choose(Number(picker.value)))
  return picker
}

function outline(number: number, go: (line: number) => void): HTMLElement {
  const { procedures } = index.files[number]
  const list = procedures.map(([name, line, calls, covered, items]) => {
    const extent = extentOf(covered, items)
    const made = button('', '', () => go(line))
    made.title = `line ${line}, called ${times(calls)}, ${covered} of ${items} items covered`
    made.append(
      element('i', 'mark', marks[extent]),
      element('span', 'procedure', name || '(routine text)'),
      element('small', '', `${covered}/${items}`),
    )
    return element('li', extent, made)
  })
  const nav = element('nav', 'outline', element('h2', '', 'Procedures'), element('ul', '', ...list))
  nav.hidden = list.length === 0
  return nav
}
