// Random programs behave on the embedded engine as on iconx. `npm run fuzz -- 20000` tries that many, from seed 1 on;
// `npm run fuzz -- 20000 7001` from seed 7001 on.
import { beforeAll, expect, test } from '@jest/globals'
import { difference, judge, type Verdict } from './fuzz/judge.js'
import { programOf } from './fuzz/programs.js'
import { reduce } from './fuzz/reduce.js'
import { requireIcon } from './programs.js'

beforeAll(requireIcon)

const count = Number(process.env['FUZZ_COUNT'] || 500)
const first = Number(process.env['FUZZ_SEED'] || 1)

/** Programs judged with one start of each engine. */
const batch = 100

/** Failing programs that are made smaller and shown; of more, only the seeds. */
const shown = 3

test(`${count} random programs from seed ${first} on`, async () => {
  const different: { seed: number; verdict: Verdict }[] = []
  let skipped = 0
  for (let from = first; from < first + count; from += batch) {
    const seeds = Array.from({ length: Math.min(batch, first + count - from) }, (_, i) => from + i)
    const verdicts = await judge(seeds.map((seed) => programOf(seed)))
    verdicts.forEach((verdict, i) => {
      if (verdict.iconx.status === '127') throw new Error(`icont rejects seed ${seeds[i]}: ${verdict.iconx.stderr}`)
      if (verdict.skipped) skipped++
      else if (!verdict.same) different.push({ seed: seeds[i], verdict })
    })
    if (count > 2000 && (from - first) % 2000 === 0) console.log(`${from - first} done, ${different.length} differ`)
  }
  const reports: string[] = []
  for (const { seed, verdict } of different.slice(0, shown)) {
    const small = await reduce(verdict.text, async (texts) =>
      (await judge(texts, 0.5)).map((one) => differsAlike(one, verdict)),
    )
    const [again] = await judge([small])
    reports.push(`seed ${seed}:\n${small}\n\n${difference(again)}`)
  }
  if (different.length > 0) {
    const seeds = different.map(({ seed }) => seed).join(', ')
    throw new Error(`${different.length} of ${count} programs differ, seeds ${seeds}\n\n${reports.join('\n\n')}`)
  }
  // what says nothing must stay rare: programs that take iconx too long, or exhaust its stack
  expect(skipped).toBeLessThan(count / 50 + 5)
}, 36_000_000)

/** Whether a smaller program differs in the same part of its ending. */
function differsAlike(one: Verdict, other: Verdict): boolean {
  if (one.same) return false
  const parts = ({ iconx, embedded }: Verdict) =>
    (['stdout', 'status', 'stderr'] as const).find((part) => iconx[part] !== embedded[part])
  return one.embedded.status !== undefined && parts(one) === parts(other)
}
