// Making elements. Everything a page says goes through here as text: nothing is ever parsed as HTML.

type Child = Node | string | null

/** Makes an element with a class and children; strings become text, null nothing. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  className: string,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  if (className !== '') made.className = className
  for (const child of children) if (child !== null) made.append(child)
  return made
}

/** Makes a button that does something when it is pressed. */
export function button(className: string, label: string, act: () => void): HTMLButtonElement {
  const made = element('button', className, label)
  made.type = 'button'
  made.addEventListener('click', act)
  return made
}

/** Makes a button that shows a place; where there is no room, the end of its name is seen, which tells most. */
export function placeButton(name: string, act: () => void): HTMLButtonElement {
  const made = button('open', '', act)
  made.append(having(element('bdi', '', name), { dir: 'ltr' }))
  return made
}

/** Sets attributes, and answers the element. */
export function having<E extends Element>(made: E, attributes: Readonly<Record<string, string>>): E {
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  return made
}
