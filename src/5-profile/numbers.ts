// Counters as they are kept: one LEB128 number after the other, of any size. They are added up straight from the bytes,
// since merging many profiles is nothing else: as plain numbers while those are exact, beyond as BigInt.

/** Spells numbers, which are not negative. */
export function spellNumbers(numbers: readonly bigint[]): Buffer {
  const bytes: number[] = []
  for (let number of numbers) {
    while (number > 127n) {
      bytes.push(Number(number & 127n) | 128)
      number >>= 7n
    }
    bytes.push(Number(number))
  }
  return Buffer.from(bytes)
}

/** How many numbers the bytes spell; undefined if the last one is not complete. */
export function howManyNumbers(bytes: Uint8Array): number | undefined {
  let ends = 0
  for (let at = 0; at < bytes.length; at++) if (bytes[at] < 128) ends++
  return bytes.length > 0 && bytes[bytes.length - 1] >= 128 ? undefined : ends
}

// a number of seven bytes has 49 bits, which a plain number holds
const plainBytes = 7

/** Sums of counters. */
export class Sums {
  private readonly low: Float64Array
  /** What the plain numbers had to give up, by the index of the sum. */
  private readonly high = new Map<number, bigint>()

  constructor(readonly length: number) {
    this.low = new Float64Array(length)
  }

  /** Adds to each sum one of the numbers that are spelled from `at` on. Answers where they end. */
  add(bytes: Uint8Array, at: number): number {
    const { low, length } = this
    for (let i = 0; i < length; i++) {
      let byte = bytes[at++]
      let value = byte
      if (byte >= 128) {
        value = byte & 127
        let unit = 128
        let read = 1
        do {
          byte = bytes[at++]
          value += (byte & 127) * unit
          unit *= 128
        } while (byte >= 128 && ++read < plainBytes)
        if (byte >= 128) {
          at = this.addLarge(i, value, bytes, at)
          continue
        }
      }
      const sum = low[i] + value
      if (sum <= Number.MAX_SAFE_INTEGER) low[i] = sum
      else {
        this.raise(i, BigInt(low[i]) + BigInt(value))
        low[i] = 0
      }
    }
    return at
  }

  /** The sums as they are now. */
  values(): bigint[] {
    return Array.from(this.low, (value, i) => BigInt(value) + (this.high.get(i) ?? 0n))
  }

  /** Adds a number whose first seven bytes are read already; answers where it ends. */
  private addLarge(i: number, first: number, bytes: Uint8Array, at: number): number {
    let value = BigInt(first)
    let byte = 128
    for (let shift = BigInt(7 * plainBytes); byte >= 128; shift += 7n) {
      byte = bytes[at++]
      value |= BigInt(byte & 127) << shift
    }
    this.raise(i, value)
    return at
  }

  private raise(i: number, by: bigint): void {
    this.high.set(i, (this.high.get(i) ?? 0n) + by)
  }
}
