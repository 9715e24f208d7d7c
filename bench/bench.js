// What scamp costs. `node bench/bench.js [--runs N] [program…]` compares programs with their instrumented selves;
// `node bench/bench.js [--runs N] --instrument` measures the instrumenting itself. Needs a built dist/, icont and iconx.
import { parseArgs } from 'node:util'
import { compareInstrumenting } from './instrumenting.js'
import { comparePrograms } from './running.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '5' }, instrument: { type: 'boolean', default: false } },
})
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs ${values.runs}: say how many, at least 1`)
process.exitCode = values.instrument ? compareInstrumenting(runs) : comparePrograms(positionals, runs)
