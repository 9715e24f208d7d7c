// Search: file names and procedures at once, then the texts, a few files at a time so that typing is never held up.
import { index, openFile } from './blocks.js'
import { element, having } from './elements.js'

const mostTexts = 200
const filesAtOnce = 12

/** Makes the search field with its results. `open` shows a line of a file. */
export function search(open: (file: number, line: number) => void): { root: HTMLElement; focus: () => void } {
  const field = having(element('input', ''), {
    type: 'search',
    placeholder: 'search  /',
    'aria-label': 'search files, procedures and text',
    spellcheck: 'false',
    autocomplete: 'off',
  })
  const results = element('ul', 'results')
  results.hidden = true
  let chosen = 0
  let turn = 0

  const close = () => {
    results.hidden = true
    turn++
  }
  const choose = (i: number) => {
    const items = [...results.querySelectorAll('li')]
    chosen = Math.min(Math.max(0, i), items.length - 1)
    items.forEach((item, k) => item.classList.toggle('chosen', k === chosen))
    items[chosen]?.scrollIntoView({ block: 'nearest' })
  }
  const add = (file: number, line: number, what: string, place: string) => {
    const item = element('li', '', element('span', 'found', what), element('small', '', place))
    // mousedown: the field loses the focus before a click is complete
    item.addEventListener('mousedown', () => {
      close()
      open(file, line)
    })
    results.append(item)
  }
  const find = () => {
    const wanted = field.value.trim().toLowerCase()
    const own = ++turn
    results.replaceChildren()
    results.hidden = wanted === ''
    if (wanted === '') return
    index.files.forEach(({ name, procedures }, file) => {
      if (name.toLowerCase().includes(wanted)) add(file, 1, name, 'file')
      for (const [procedure, line] of procedures) {
        if (procedure.toLowerCase().includes(wanted)) add(file, line, procedure, `procedure, ${name}:${line}`)
      }
    })
    choose(0)
    let found = 0
    let next = 0
    const more = () => {
      if (own !== turn) return
      for (const stop = Math.min(next + filesAtOnce, index.files.length); next < stop && found < mostTexts; next++) {
        for (const { number, text } of openFile(next).lines) {
          if (found >= mostTexts || !text.toLowerCase().includes(wanted)) continue
          add(next, number, text.trim(), `${index.files[next].name}:${number}`)
          if (found++ === 0 && results.childElementCount === 1) choose(0)
        }
      }
      if (next < index.files.length && found < mostTexts) setTimeout(more)
      else if (results.childElementCount === 0) results.append(element('p', '', 'nothing found'))
      else if (found >= mostTexts) results.append(element('p', '', `the first ${mostTexts} lines that hold it`))
    }
    setTimeout(more)
  }
  field.addEventListener('input', find)
  field.addEventListener('focus', () => {
    if (field.value !== '') find()
  })
  field.addEventListener('blur', close)
  field.addEventListener('keydown', (event) => {
    const { key } = event
    if (key === 'ArrowDown') choose(chosen + 1)
    else if (key === 'ArrowUp') choose(chosen - 1)
    else if (key === 'Enter') results.querySelectorAll('li')[chosen]?.dispatchEvent(new MouseEvent('mousedown'))
    else if (key !== 'Escape') return
    event.preventDefault()
    if (key === 'Enter' || key === 'Escape') field.blur()
  })
  return { root: element('div', 'search', field, results), focus: () => field.select() }
}
