// The strip at the edge of a source: the whole file in the height of the screen. Its left half tells heat, its right half
// what is not covered; clicking goes there.
import type { Shown } from '../src/6-report/page-data.js'
import { heatOf } from './counts.js'
import { element } from './elements.js'
import type { SourceLine } from './lines.js'

const width = 18

/** The strip; heights are in pixels of the laid out file. */
export interface Strip {
  readonly root: HTMLElement
  readonly lay: (tops: Float64Array) => void
  readonly resize: (height: number) => void
  readonly moveTo: (top: number, height: number) => void
}

/** Makes a strip. `scroll` is called with the height in the file that was clicked. */
export function strip(
  lines: readonly SourceLine[],
  laid: Float64Array,
  hottest: Shown,
  scroll: (top: number) => void,
): Strip {
  let tops = laid
  let height = 0
  const canvas = element('canvas', '')
  const thumb = element('div', 'thumb')
  const root = element('div', 'strip', canvas, thumb)
  const whole = () => Math.max(1, tops[lines.length])
  const scale = () => height / Math.max(whole(), height)
  const draw = () => {
    const ratio = window.devicePixelRatio || 1
    canvas.width = width * ratio
    canvas.height = height * ratio
    canvas.style.height = `${height}px`
    const context = canvas.getContext('2d')
    if (!context) return
    context.scale(ratio, ratio)
    const colour = (name: string) => {
      root.style.color = `var(${name})`
      return getComputedStyle(root).color
    }
    const never = colour('--never')
    const partly = colour('--partly')
    const heats = [0, 1, 2, 3, 4, 5, 6].map((heat) => colour(`--heat-${heat}`))
    lines.forEach(({ extent, count }, i) => {
      if (count === undefined) return
      const y = tops[i] * scale()
      const size = Math.max(1, (tops[i + 1] - tops[i]) * scale())
      context.fillStyle = heats[heatOf(count, hottest)]
      context.fillRect(0, y, width / 2, size)
      if (extent === undefined || extent === 'all') return
      context.fillStyle = extent === 'none' ? never : partly
      context.fillRect(width / 2, y, width / 2, Math.max(2, size))
    })
  }
  const jump = ({ clientY, buttons }: MouseEvent) => {
    if (buttons === 1) scroll((clientY - root.getBoundingClientRect().top) / scale())
  }
  root.addEventListener('mousedown', jump)
  root.addEventListener('mousemove', jump)
  document.addEventListener('theme', draw)
  return {
    root,
    lay: (changed) => {
      tops = changed
      draw()
    },
    resize: (available) => {
      height = available
      draw()
    },
    moveTo: (top, visible) => {
      thumb.style.top = `${top * scale()}px`
      thumb.style.height = `${Math.max(8, visible * scale())}px`
      thumb.hidden = visible >= whole()
    },
  }
}
