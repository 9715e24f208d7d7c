// The box that appears over what the pointer rests on.
import { element } from './elements.js'
import { explanationOf } from './source-line.js'

/** Makes the box, and has it follow the pointer over `area`. */
export function hover(area: HTMLElement): HTMLElement {
  const box = element('div', 'hover')
  box.setAttribute('role', 'tooltip')
  box.hidden = true
  let about: Element | undefined
  const hide = () => {
    about?.classList.remove('hovered')
    about = undefined
    box.hidden = true
  }
  area.addEventListener('mouseover', ({ target }) => {
    const found = explanationOf(target as Element)
    if (found?.about === about) return
    hide()
    if (!found) return
    about = found.about
    about.classList.add('hovered')
    box.replaceChildren(found.show())
    box.hidden = false
    const place = about.getBoundingClientRect()
    const below = place.bottom + 6 + box.offsetHeight <= window.innerHeight
    box.style.left = `${Math.max(4, Math.min(place.left, window.innerWidth - box.offsetWidth - 8))}px`
    box.style.top = `${below ? place.bottom + 6 : place.top - 6 - box.offsetHeight}px`
  })
  area.addEventListener('mouseleave', hide)
  area.addEventListener('scroll', hide, true)
  return box
}
