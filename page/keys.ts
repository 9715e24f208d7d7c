// What keys do, as a table: the help is drawn from it.
import { button, element } from './elements.js'

/** A key, or several that do the same; `shown` is how the help spells them. `act` may answer false: it did nothing. */
export interface Key {
  readonly keys: readonly string[]
  readonly shown: string
  readonly what: string
  readonly act: () => boolean | void
}

/** Listens to keys, but not while the reader types. Answers the help, closed. */
export function listen(table: readonly Key[]): { root: HTMLDialogElement; toggle: () => void } {
  const rows = table.map(({ shown, what }) =>
    element('tr', '', element('td', '', element('kbd', '', shown)), element('td', '', what)),
  )
  const root = element(
    'dialog',
    'help',
    element('h2', '', 'Keys'),
    element('table', '', ...rows),
    button('', 'close', () => root.close()),
  )
  const toggle = () => (root.open ? root.close() : root.showModal())
  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if (ctrlKey || metaKey || altKey || (target as Element).matches('input, select')) return
    if (root.open && key !== '?') return
    const found = table.find(({ keys }) => keys.includes(key))
    if (found && found.act() !== false) event.preventDefault()
  })
  return { root, toggle }
}
