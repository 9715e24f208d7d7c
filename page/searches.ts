// The generators that searched in vain: of all files, the worst first.
import { index } from './blocks.js'
import { spell } from './counts.js'
import { button, element, placeButton } from './elements.js'

// how many are shown at first
const few = 10

const headings = [
  ['number', 'Nowhere', 'activations that gave no result, or one that was not part of what was found'],
  ['number', 'Used', 'results that were part of what was found'],
  ['number wide', 'Results', 'results that the generator gave'],
] as const

/** Makes the table of searches; null if there were none. `open` shows a line. */
export function searches(open: (file: number, line: number) => void): HTMLElement | null {
  if (index.searches.length === 0) return null
  const rows = index.searches.map(([file, line, token, nowhere, used, results, source], i) => {
    const made = element(
      'tr',
      '',
      ...[nowhere, used, results].map((count, k) => element('td', headings[k][0], spell(count))),
      element('td', 'name', element('code', '', token)),
      element(
        'td',
        'name',
        placeButton(`${index.files[file].name}:${line}`, () => open(file, line)),
      ),
      element('td', 'name wide', element('code', '', source)),
    )
    made.addEventListener('click', () => open(file, line))
    made.hidden = i >= few
    return made
  })
  const heads = headings.map(([className, heading, means]) => {
    const made = element('th', className, heading)
    made.title = means
    return made
  })
  const table = element(
    'table',
    'files searches',
    element(
      'thead',
      '',
      element(
        'tr',
        '',
        ...heads,
        ...['Generator', 'Place'].map((heading) => element('th', '', heading)),
        element('th', 'wide', 'Source'),
      ),
    ),
    element('tbody', '', ...rows),
  )
  const more = button('', `show ${rows.length - few} more`, () => {
    for (const row of rows) row.hidden = false
    more.remove()
  })
  return element(
    'section',
    '',
    element('h2', '', 'Searches that led nowhere'),
    element('p', 'legend', `${headings[0][2]}: press b for the worst`),
    table,
    rows.length > few ? more : null,
  )
}
