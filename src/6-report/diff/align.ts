// Which elements of two sequences belong together: those of a longest common subsequence.
//
// source: Myers, "An O(ND) difference algorithm and its variations", Algorithmica 1 (1986)

/** Two places in two sequences; undefined: an element of the other that nothing here belongs to. */
export type Aligned = readonly [one: number | undefined, other: number | undefined]

// two sequences that differ in more are taken to have nothing in common between their common heads and tails
const mostEdits = 3000

/** Aligns two sequences. What is only in the first stands before what is only in the second. */
export function align(one: readonly string[], other: readonly string[]): Aligned[] {
  let head = 0
  while (head < one.length && head < other.length && one[head] === other[head]) head++
  let tail = 0
  const rest = Math.min(one.length, other.length) - head
  while (tail < rest && one[one.length - 1 - tail] === other[other.length - 1 - tail]) tail++
  const middle = shortestEdit(one.slice(head, one.length - tail), other.slice(head, other.length - tail))
  return [
    ...Array.from({ length: head }, (_, i): Aligned => [i, i]),
    ...middle.map(([i, j]): Aligned => [i === undefined ? i : i + head, j === undefined ? j : j + head]),
    ...Array.from({ length: tail }, (_, i): Aligned => [one.length - tail + i, other.length - tail + i]),
  ]
}

function shortestEdit(one: readonly string[], other: readonly string[]): Aligned[] {
  const [n, m] = [one.length, other.length]
  // furthest[k + offset]: the furthest place in `one` on diagonal k (place in `one` less place in `other`)
  const offset = n + m + 1
  const furthest = new Int32Array(2 * offset + 1)
  const before: Int32Array[] = []
  for (let edits = 0; edits <= mostEdits; edits++) {
    before.push(furthest.slice(offset - edits - 1, offset + edits + 2))
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && furthest[offset + k - 1] < furthest[offset + k + 1])
      let x = down ? furthest[offset + k + 1] : furthest[offset + k - 1] + 1
      while (x < n && x - k < m && one[x] === other[x - k]) x++
      furthest[offset + k] = x
      if (x >= n && x - k >= m) return trace(before, n, m)
    }
  }
  return [...one.map((_, i): Aligned => [i, undefined]), ...other.map((_, j): Aligned => [undefined, j])]
}

/** Goes back from the end through the furthest places before each edit. */
function trace(before: readonly Int32Array[], n: number, m: number): Aligned[] {
  const found: Aligned[] = []
  let [x, y] = [n, m]
  for (let edits = before.length - 1; edits >= 0; edits--) {
    const at = (k: number) => before[edits][k + edits + 1]
    const k = x - y
    const down = k === -edits || (k !== edits && at(k - 1) < at(k + 1))
    const fromX = edits === 0 ? 0 : down ? at(k + 1) : at(k - 1)
    const fromY = edits === 0 ? 0 : fromX - (down ? k + 1 : k - 1)
    while (x > fromX && y > fromY) found.push([--x, --y])
    if (edits > 0) found.push(down ? [undefined, --y] : [--x, undefined])
  }
  return found.reverse()
}

/**
 * Aligns what is not equal but may be alike, so that likenesses add up to the most.
 *
 * likeness  of two elements, from 0 for none
 */
export function alignAlike<T>(one: readonly T[], other: readonly T[], likeness: (a: T, b: T) => number): Aligned[] {
  const [n, m] = [one.length, other.length]
  // best[i][j]: of what is left from i and j on
  const best = Array.from({ length: n + 1 }, () => new Float64Array(m + 1))
  const alike = one.map((a) => other.map((b) => likeness(a, b)))
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      best[i][j] = Math.max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + alike[i][j])
    }
  }
  const found: Aligned[] = []
  let [i, j] = [0, 0]
  while (i < n || j < m) {
    if (i < n && j < m && alike[i][j] > 0 && best[i][j] === best[i + 1][j + 1] + alike[i][j]) found.push([i++, j++])
    else if (j === m || (i < n && best[i][j] === best[i + 1][j])) found.push([i++, undefined])
    else found.push([undefined, j++])
  }
  return found
}
