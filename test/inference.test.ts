// Inferred counts of random programs are those that a counter everywhere gives, and the programs do not notice.
// `npm run inference -- 20000` tries that many on both engines, from seed 1 on; `npm run inference -- 2000 7001 iconx` from
// seed 7001 on, on one.
import { beforeAll, expect, test } from '@jest/globals'
import { countBothWays, disagreements } from './fuzz/counting.js'
import { sameErrors, type Ending } from './fuzz/judge.js'
import { programOf } from './fuzz/programs.js'
import { requireIcon } from './programs.js'

const total = Number(process.env['FUZZ_COUNT'] || 500)
const first = Number(process.env['FUZZ_SEED'] || 1)

/** Programs run with one start of the engine. */
const batch = 100

const engines = (['embedded', 'iconx'] as const).filter((one) => (process.env['FUZZ_ENGINE'] || one) === one)
const monitors = [
  ['tokens', total],
  ['constructs', total],
  ['coverage', total / 10],
  ['branches', total / 10],
] as const

beforeAll(requireIcon)

test.each(engines.flatMap((engine) => monitors.map(([monitor, count]) => [monitor, count, engine] as const)))(
  '%s of %d random programs on %s',
  async (monitor, count, engine) => {
    const wrong: string[] = []
    let skipped = 0
    for (let from = first; from < first + count; from += batch) {
      const seeds = Array.from({ length: Math.min(batch, first + count - from) }, (_, i) => from + i)
      const all = await countBothWays(
        seeds.map((seed) => programOf(seed)),
        monitor,
        engine,
      )
      all.forEach((one, i) => {
        if (!one) {
          skipped++
          return
        }
        const { plain, inferred, counted } = one.endings
        const said = disagreements(one)
        if (!isSame(inferred, plain)) said.unshift('the program notices')
        if (!isSame(counted, plain)) said.unshift('the program notices the counters everywhere')
        if (said.length > 0) wrong.push(`seed ${seeds[i]}:\n${said.slice(0, 10).join('\n')}`)
      })
      if (count > 2000 && (from - first) % 2000 === 0) console.log(`${from - first} done, ${wrong.length} wrong`)
    }
    expect(wrong.slice(0, 20)).toEqual([])
    expect(skipped).toBeLessThan(count / 50 + 5)
  },
  36_000_000,
)

const isSame = (one: Ending, other: Ending) =>
  one.status === other.status && one.stdout === other.stdout && sameErrors(one.stderr, other.stderr)
