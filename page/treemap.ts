// Rectangles whose areas are given, filling a rectangle, as square as can be.
//
// source: Bruls, Huizing and van Wijk, Squarified treemaps, 2000

export interface Rectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/**
 * Divides a rectangle.
 *
 * weights  all above 0, the largest first
 * returns  a rectangle for each, its share of the area that of its weight
 */
export function divide(weights: readonly number[], whole: Rectangle): Rectangle[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const scale = total > 0 ? (whole.width * whole.height) / total : 0
  const areas = weights.map((weight) => weight * scale)
  const placed: Rectangle[] = []
  let { x, y, width, height } = whole
  let next = 0
  while (next < areas.length) {
    const side = Math.min(width, height)
    let count = 1
    let sum = areas[next]
    // a row takes one more as long as its worst rectangle becomes no longer
    while (next + count < areas.length) {
      const more = sum + areas[next + count]
      if (worst(areas, next, count + 1, more, side) > worst(areas, next, count, sum, side)) break
      sum = more
      count++
    }
    const depth = side > 0 ? sum / side : 0
    let along = 0
    for (let i = next; i < next + count; i++) {
      const length = depth > 0 ? areas[i] / depth : 0
      placed.push(
        width >= height
          ? { x, y: y + along, width: depth, height: length }
          : { x: x + along, y, width: length, height: depth },
      )
      along += length
    }
    if (width >= height) {
      x += depth
      width -= depth
    } else {
      y += depth
      height -= depth
    }
    next += count
  }
  return placed
}

/** How far from square the worst rectangle of a row is: 1 is square. */
function worst(areas: readonly number[], first: number, count: number, sum: number, side: number): number {
  const scale = (side * side) / (sum * sum)
  return Math.max(areas[first] * scale, 1 / (areas[first + count - 1] * scale))
}
