// The page for people: starts here. What it shows is named in the address after the #: nothing for the overview, else
// FILE:LINE, so that places can be kept and sent, and the page finds back after it was made anew.
import { index } from './blocks.js'
import { button, element, having } from './elements.js'
import { hover } from './hover.js'
import { listen, type Key } from './keys.js'
import { overview } from './overview.js'
import { search } from './search.js'
import { sourceView, type SourceView } from './source.js'
import { restoreTheme, switchTheme } from './theme.js'
import { watch } from './watch.js'

let view: SourceView | undefined
let overviewPage: HTMLElement | undefined
let withCounts = false
/** How far the walks through the hottest lines and the worst searches have come. */
let hot = -1
let vain = -1

const stage = element('div', 'stage')

function showOverview(): void {
  view = undefined
  overviewPage ??= overview(show)
  stage.replaceChildren(overviewPage)
  place('')
}

function show(file: number, line: number): void {
  if (view?.file !== file) {
    const opened = sourceView(file, withCounts, (now) => place(`${index.files[file].name}:${now}`))
    view = opened
    stage.replaceChildren(opened.root)
    opened.root.querySelector<HTMLElement>('.scroller')?.focus({ preventScroll: true })
  }
  view.go(line)
}

/** Notes in the address where the reader is. */
function place(name: string): void {
  const address = name === '' ? '#' : `#${encodeURIComponent(name)}`
  if (location.hash !== address && !(address === '#' && location.hash === '')) history.replaceState(null, '', address)
}

/** Goes where the address says. */
function arrive(): void {
  const name = decodeURIComponent(location.hash.slice(1))
  const at = name.lastIndexOf(':')
  const file = index.files.findIndex((entry) => entry.name === (at < 0 ? name : name.slice(0, at)))
  if (file >= 0) show(file, at < 0 ? 1 : Number(name.slice(at + 1)) || 1)
  else if (index.files.length === 1 && name === '') show(0, 1)
  else showOverview()
}

/** Goes to the next or previous line with something that never happened, in this file or another. */
function goMissing(step: 1 | -1): void {
  const count = index.files.length
  const start = view ? view.file : step === 1 ? -1 : count
  const here = view?.nextMissing(view.line(), step)
  if (view && here !== undefined) return view.go(here)
  for (let i = 1; i <= count; i++) {
    const file = (((start + i * step) % count) + count) % count
    if (index.files[file].missing === 0) continue
    show(file, 1)
    const line = view!.nextMissing(step === 1 ? 0 : index.files[file].lines + 1, step)
    if (line !== undefined) return view!.go(line)
  }
}

function goHot(step: 1 | -1): void {
  if (index.hottest.length === 0) return
  hot = (hot + step + index.hottest.length) % index.hottest.length
  const [file, line] = index.hottest[hot]
  show(file, line)
}

function goSearch(step: 1 | -1): boolean {
  const { searches } = index
  if (searches.length === 0) return false
  vain = (vain + step + searches.length) % searches.length
  const [file, line] = searches[vain]
  show(file, line)
  return true
}

function goFile(step: 1 | -1): void {
  const count = index.files.length
  const file = view ? view.file + step : step === 1 ? 0 : count - 1
  show((file + count) % count, 1)
}

function toggleCounts(): void {
  withCounts = !withCounts
  view?.setCounts(withCounts)
  document.documentElement.classList.toggle('with-counts', withCounts)
}

/** Does something to the source that is shown; if none is, the key is not ours. */
function inSource(act: (source: SourceView) => void): boolean {
  if (view) act(view)
  return view !== undefined
}

const finder = search(show)
const keys: readonly Key[] = [
  { keys: ['n'], shown: 'n', what: 'next line with something that never happened', act: () => goMissing(1) },
  { keys: ['p', 'N'], shown: 'p', what: 'previous one', act: () => goMissing(-1) },
  { keys: ['h'], shown: 'h', what: 'hottest line, then the next hottest', act: () => goHot(1) },
  { keys: ['H'], shown: 'H', what: 'the hotter one again', act: () => goHot(-1) },
  {
    keys: ['b'],
    shown: 'b',
    what: 'generator that searched in vain most often, then the next (if tokens were monitored)',
    act: () => goSearch(1),
  },
  { keys: ['B'], shown: 'B', what: 'the worse one again', act: () => goSearch(-1) },
  {
    keys: ['j', 'ArrowDown'],
    shown: 'j  ↓',
    what: 'next line',
    act: () => inSource((source) => source.go(source.line() + 1)),
  },
  {
    keys: ['k', 'ArrowUp'],
    shown: 'k  ↑',
    what: 'previous line',
    act: () => inSource((source) => source.go(source.line() - 1)),
  },
  { keys: ['g', 'Home'], shown: 'g', what: 'first line', act: () => inSource((source) => source.go(1)) },
  { keys: ['G', 'End'], shown: 'G', what: 'last line', act: () => inSource((source) => source.go(Infinity)) },
  { keys: [']'], shown: ']', what: 'next file', act: () => goFile(1) },
  { keys: ['['], shown: '[', what: 'previous file', act: () => goFile(-1) },
  { keys: ['t'], shown: 't', what: 'counts under tokens', act: toggleCounts },
  { keys: ['/', 's'], shown: '/', what: 'search', act: () => finder.focus() },
  { keys: ['o', 'Escape'], shown: 'o', what: 'overview', act: showOverview },
  { keys: ['d'], shown: 'd', what: 'dark or light', act: switchTheme },
  { keys: ['?'], shown: '?', what: 'these keys', act: () => help.toggle() },
]
const help = listen(keys)

function tool(label: string, title: string, act: () => void): HTMLElement {
  return having(button('tool', label, act), { title, 'aria-label': title })
}

restoreTheme()
document.body.append(
  element(
    'header',
    '',
    having(button('home', 'scamp', showOverview), { title: 'overview (o)' }),
    finder.root,
    element(
      'div',
      'tools',
      tool('▼ missing', 'next line with something that never happened (n)', () => goMissing(1)),
      tool('▼ hot', 'hottest line, then the next hottest (h)', () => goHot(1)),
      tool('123', 'counts under tokens (t)', toggleCounts),
      tool('◑', 'dark or light (d)', switchTheme),
      tool('?', 'keys (?)', () => help.toggle()),
    ),
  ),
  stage,
  hover(stage),
  help.root,
)
window.addEventListener('hashchange', arrive)
window.addEventListener('beforeprint', () => view?.drawAll(true))
window.addEventListener('afterprint', () => view?.drawAll(false))
watch()
arrive()
