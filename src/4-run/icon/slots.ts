// The elements of a set or table laid out as iconx does it: slot = hash & mask, and within a slot a chain by hash, equal
// hashes in order of insertion. Laid out only when the order is asked for; while something walks over the elements, what
// is inserted and deleted is followed, so that the walk meets what iconx's would.
import { hash } from './hash.js'
import { IconSet, type Key, type Table, type Value } from './values.js'

/** An element in its chain. What is deleted keeps its link: a walk that stands on it goes on from there. */
interface Element {
  readonly key: Key
  readonly value: Value
  readonly high: number
  readonly low: number
  next: Element | undefined
}

/** Whether a comes before the place of b in a chain, or, with `equal`, at it. */
const before = (a: Element, b: { high: number; low: number }, equal: boolean): boolean =>
  a.high < b.high || (a.high === b.high && (equal ? a.low <= b.low : a.low < b.low))

export class Slots {
  private heads: (Element | undefined)[]
  private mask: number
  /** Changes since a walk has last been here: slots that nobody walks over are given up. */
  private changes = 0
  private walks = 0

  constructor(private readonly of: IconSet | Table) {
    this.mask = of.mask
    this.heads = Array.from({ length: of.mask + 1 })
    // a chain's last element: elements often come in the order of their hashes
    for (const key of of.map.keys()) this.link(this.element(key))
  }

  private element(key: Key): Element {
    const { of } = this
    const value = of instanceof IconSet ? of.map.get(key)! : (of.odd?.get(key) ?? key)
    const [high, low] = hash(value)
    return { key, value, high, low, next: undefined }
  }

  private link(element: Element): void {
    const slot = (element.low & this.mask) >>> 0
    let last: Element | undefined
    let next = this.heads[slot]
    while (next !== undefined && before(next, element, true)) {
      last = next
      next = next.next
    }
    element.next = next
    if (last) last.next = element
    else this.heads[slot] = element
  }

  /** A key is now in the map. Answers whether slots are still worth keeping. */
  add(key: Key): boolean {
    this.link(this.element(key))
    return ++this.changes < 64 + this.of.map.size
  }

  /** A key is about to go from the map. Answers the same. */
  remove(key: Key): boolean {
    const { low } = this.element(key)
    const slot = (low & this.mask) >>> 0
    let last: Element | undefined
    let one = this.heads[slot]
    while (one !== undefined && one.key !== key) {
      last = one
      one = one.next
    }
    if (one) {
      if (last) last.next = one.next
      else this.heads[slot] = one.next
    }
    return ++this.changes < 64 + this.of.map.size
  }

  /** There are more slots now; chains are split, and keep their order. */
  split(mask: number): void {
    const chains = this.heads
    this.mask = mask
    this.heads = Array.from({ length: mask + 1 })
    const tails: (Element | undefined)[] = []
    for (const head of chains) {
      for (let one = head; one !== undefined;) {
        const { next } = one
        const slot = (one.low & mask) >>> 0
        const tail = tails[slot]
        if (tail) tail.next = one
        else this.heads[slot] = one
        tails[slot] = one
        one.next = undefined
        one = next
      }
    }
  }

  /** The keys in the order that sorting starts from: the segments of 16, 16, 32, 64, … slots, each backwards. */
  sortingOrder(): Key[] {
    const keys: Key[] = []
    const { heads } = this
    for (let from = 0, size = 16; from < heads.length; from += size, size = from) {
      for (let i = from + size - 1; i >= from; i--) {
        for (let one = heads[i]; one !== undefined; one = one.next) keys.push(one.key)
      }
    }
    return keys
  }

  /** Walks over the elements once, whatever is inserted and deleted meanwhile; answers what gives the next one. */
  static walk(x: IconSet | Table): () => Element | undefined {
    let slots = (x.slots ??= new Slots(x))
    slots.walks++
    let slot = -1
    let { mask } = slots
    let at: Element | undefined
    /** For each segment made meanwhile: how many slots there were before, and which element the walk stood on. */
    const splits: ({ readonly mask: number; readonly at: Element } | undefined)[] = []
    return () => {
      if (x.slots !== slots) {
        slots = x.slots ??= new Slots(x)
        slots.walks++
        if (at) at = slots.find(at)
      }
      slots.changes = 0
      const { heads } = slots
      const same = at?.next !== undefined && at.next.high === at.high && at.next.low === at.low
      if (at !== undefined && slots.mask !== mask && !same) {
        for (let segment = segmentOf(mask) + 1; segment <= segmentOf(slots.mask); segment++)
          splits[segment] = { mask, at }
        ;({ mask } = slots)
        at = skip(heads[slot], at)
      } else at = at?.next
      while (at === undefined) {
        if (++slot > slots.mask) {
          if (--slots.walks === 0) x.slots = undefined
          return undefined
        }
        at = heads[slot]
        for (let segment = segmentOf(slot); at !== undefined && splits[segment] !== undefined; segment--) {
          const split = splits[segment]!
          const distance = (split.mask & slot) - (split.mask & split.at.low)
          if (distance < 0) at = undefined
          else if (distance === 0) at = skip(at, split.at)
        }
      }
      return at
    }
  }

  /** The element that stands for one of other slots; if it is gone, one that has the same place. */
  private find(old: Element): Element {
    let one = this.heads[(old.low & this.mask) >>> 0]
    while (one !== undefined && one.key !== old.key && before(one, old, true)) one = one.next
    return one?.key === old.key ? one : { ...old, next: one }
  }
}

/** The first element of a chain that comes behind another. */
function skip(chain: Element | undefined, behind: Element): Element | undefined {
  let one = chain
  while (one !== undefined && before(one, behind, true)) one = one.next
  return one
}

/** The segment that a slot is in: 0 to 15, 16 to 31, 32 to 63, … */
const segmentOf = (slot: number): number => (slot < 16 ? 0 : 28 - Math.clz32(slot))
