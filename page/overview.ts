// The overview: how much is covered in all, as figures, as a map of rectangles and as a table that can be sorted.
import type { Measure } from '../src/6-report/coverage.js'
import type { PageEntry } from '../src/6-report/page-data.js'
import { index } from './blocks.js'
import { abbreviate, extentOf, marks, percent, sizeOf, spell } from './counts.js'
import { button, element, having, placeButton } from './elements.js'
import { searches } from './searches.js'
import { divide, type Rectangle } from './treemap.js'

const mapHeight = 300

/** Makes the overview. `show` shows a line of a file. */
export function overview(show: (file: number, line: number) => void): HTMLElement {
  const open = (file: number) => show(file, 1)
  const page = element('main', 'overview', figures(), notes())
  if (index.files.length > 1) page.append(element('h2', '', 'Where'), map(open))
  page.append(element('h2', '', 'Files'), table(open))
  const vain = searches(show)
  if (vain) page.append(vain)
  return page
}

function figures(): HTMLElement {
  const { files, totals, hottest, runs } = index
  const { covered, total } = totals.item
  const [hot] = hottest
  const figure = (value: string, what: string, detail: string) =>
    element('div', 'figure', element('b', '', value), element('span', '', what), element('small', '', detail))
  return element(
    'section',
    'figures',
    figure(percent(covered, total), 'covered', `${spell(covered)} of ${spell(total)} items`),
    figure(spell(total - covered), 'never happened', covered === total ? 'nothing is missing' : 'press n for the next'),
    measureBars(),
    figure(
      hot ? `${abbreviate(hot[2])}×` : '–',
      'the hottest line',
      hot ? `${files[hot[0]].name}:${hot[1]}, press h` : 'nothing was executed',
    ),
    figure(
      spell(runs),
      runs === 1 ? 'run' : 'runs',
      `of ${spell(files.length)} ${files.length === 1 ? 'file' : 'files'}`,
    ),
  )
}

const measureNames: readonly (readonly [Measure, string])[] = [
  ['procedure', 'procedures called'],
  ['block', 'blocks passed'],
  ['branch', 'branches taken'],
  ['outcome', 'outcomes seen'],
  ['line', 'lines executed'],
]

/** What is covered of each kind of thing, as bars. */
function measureBars(): HTMLElement {
  const rows = measureNames.flatMap(([measure, name]) => {
    const { covered, total } = index.totals[measure]
    if (total === 0) return []
    return [
      element(
        'tr',
        extentOf(covered, total),
        element('td', '', name),
        element('td', '', bar(covered, total)),
        element('td', 'number', `${spell(covered)} / ${spell(total)}`),
      ),
    ]
  })
  return element('table', 'figure measures', ...rows)
}

function bar(covered: number, total: number): HTMLElement {
  const filled = element('i', '')
  filled.style.width = total === 0 ? '0' : `${(100 * covered) / total}%`
  return element('span', 'bar', filled)
}

function notes(): HTMLElement | null {
  if (index.notes.length === 0) return null
  return element('ul', 'notes', ...index.notes.map((note) => element('li', '', note)))
}

// ---- the map

interface Group {
  readonly name: string
  readonly files: readonly number[]
  readonly weight: number
}

const weightOf = (file: number) => Math.max(1, index.files[file].items)
const folderOf = (name: string) => name.slice(0, name.lastIndexOf('/') + 1)

/** The folder that all are in. */
function commonFolder([first, ...others]: readonly string[]): string {
  let shared = first
  for (const folder of others) {
    while (!folder.startsWith(shared)) shared = folderOf(shared.slice(0, -1))
  }
  return shared
}

/** The folders with their files, the largest first. */
function groups(): Group[] {
  const folders = new Map<string, number[]>()
  const shared = commonFolder(index.files.map(({ name }) => folderOf(name)))
  index.files.forEach(({ name }, file) => {
    const folder = folderOf(name).slice(shared.length)
    folders.set(folder, [...(folders.get(folder) ?? []), file])
  })
  return [...folders]
    .map(([name, files]) => ({
      name,
      files: files.sort((one, other) => weightOf(other) - weightOf(one)),
      weight: files.reduce((total, file) => total + weightOf(file), 0),
    }))
    .sort((one, other) => other.weight - one.weight)
}

function map(open: (file: number) => void): HTMLElement {
  const picture = having(element('div', 'map'), {
    role: 'img',
    'aria-label': 'A map of the files: the area is the number of items, the colour how many are covered',
  })
  const draw = () => {
    const whole = { x: 0, y: 0, width: picture.clientWidth, height: mapHeight }
    if (whole.width === 0) return
    const folders = groups()
    const places = divide(
      folders.map(({ weight }) => weight),
      whole,
    )
    const tiles = folders.flatMap((folder, i) => {
      const labelled = folders.length > 1 && places[i].width > 60 && places[i].height > 40
      const inner = labelled ? shrunk(places[i], 18) : places[i]
      const inside = divide(folder.files.map(weightOf), inner)
      const found = folder.files.map((file, k) => tile(file, inside[k], open))
      return labelled
        ? [put(element('div', 'folder', folder.name || './'), { ...places[i], height: 18 }), ...found]
        : found
    })
    picture.replaceChildren(...tiles)
  }
  new ResizeObserver(draw).observe(picture)
  const legend = element('p', 'legend', 'nothing covered ', element('i', 'scale'), ' all covered · area: items')
  return element('section', '', picture, legend)
}

const shrunk = ({ x, y, width, height }: Rectangle, top: number): Rectangle => {
  return { x, y: y + top, width, height: height - top }
}

function put<E extends HTMLElement>(made: E, { x, y, width, height }: Rectangle): E {
  Object.assign(made.style, { left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` })
  return made
}

function tile(file: number, place: Rectangle, open: (file: number) => void): HTMLElement {
  const { name, covered, items } = index.files[file]
  const share = items === 0 ? 1 : covered / items
  const made = put(element('div', `tile share-${stepOf(share)}`), place)
  made.title = `${name}\n${covered} of ${items} items covered`
  made.addEventListener('click', () => open(file))
  if (place.width > 46 && place.height > 18) made.append(element('span', '', name.slice(folderOf(name).length)))
  if (place.width > 46 && place.height > 34) made.append(element('small', '', percent(covered, items)))
  return made
}

/** The colour of a share, from 0 to 8; the ends only if exact. */
function stepOf(share: number): number {
  if (share === 0 || share === 1) return share * 8
  return Math.min(7, Math.max(1, Math.round(share * 8)))
}

// ---- the table

interface Column {
  readonly heading: string
  readonly className: string
  /** What is sorted by. */
  readonly key: (entry: PageEntry) => number | string
}

const columns: readonly Column[] = [
  { heading: 'File', className: 'name', key: ({ name }) => name },
  { heading: 'Covered', className: 'share', key: ({ covered, items }) => (items === 0 ? 1 : covered / items) },
  { heading: 'Items', className: 'number', key: ({ items }) => items },
  { heading: 'Missing', className: 'number', key: ({ covered, items }) => items - covered },
  { heading: 'Procedures', className: 'number wide', key: ({ procedures }) => procedures.length },
  { heading: 'Lines', className: 'number wide', key: ({ lines }) => lines },
  { heading: 'Hottest line', className: 'number wide', key: ({ hottest }) => sizeOf(hottest) },
]

function table(open: (file: number) => void): HTMLElement {
  const body = element('tbody', '')
  const rows = index.files.map((entry, file) => row(entry, () => open(file)))
  let sorted = -1
  let falling = false
  const headings = columns.map(({ heading, className }, i) =>
    element(
      'th',
      className,
      button('sort', heading, () => sortBy(i)),
    ),
  )
  const sortBy = (column: number) => {
    // names rise at first, numbers fall, but shares rise: the worst comes first
    falling = column === sorted ? !falling : column > 1
    sorted = column
    const { key } = columns[column]
    const order = index.files.map((entry, file) => [key(entry), file] as const)
    order.sort(([one, i], [other, k]) => (one < other ? -1 : one > other ? 1 : i - k) * (falling ? -1 : 1))
    body.replaceChildren(...order.map(([, file]) => rows[file]))
    headings.forEach((heading, i) => {
      if (i === column) heading.setAttribute('aria-sort', falling ? 'descending' : 'ascending')
      else heading.removeAttribute('aria-sort')
    })
  }
  body.append(...rows)
  const filter = having(element('input', 'filter'), {
    type: 'search',
    placeholder: 'filter by name',
    'aria-label': 'filter files by name',
  })
  filter.addEventListener('input', () => {
    const wanted = filter.value.toLowerCase()
    rows.forEach((one, file) => (one.hidden = !index.files[file].name.toLowerCase().includes(wanted)))
  })
  return element(
    'section',
    '',
    index.files.length > 8 ? filter : null,
    element('table', 'files', element('thead', '', element('tr', '', ...headings)), body),
  )
}

function row(entry: PageEntry, open: () => void): HTMLTableRowElement {
  const { name, covered, items, procedures, lines, hottest, isLoaded } = entry
  const extent = extentOf(covered, items)
  const called = procedures.filter(([, , calls]) => sizeOf(calls) > 0).length
  const made = element(
    'tr',
    extent,
    element(
      'td',
      'name',
      element('i', 'mark', marks[extent]),
      placeButton(name, open),
      isLoaded ? null : element('small', '', ' no run had it'),
    ),
    element('td', 'share', bar(covered, items), element('span', '', percent(covered, items))),
    element('td', 'number', spell(items)),
    element('td', 'number missing', items === covered ? '' : spell(items - covered)),
    element('td', 'number wide', `${called} / ${procedures.length}`),
    element('td', 'number wide', spell(lines)),
    element('td', 'number wide', abbreviate(hottest)),
  )
  made.addEventListener('click', open)
  return made
}
