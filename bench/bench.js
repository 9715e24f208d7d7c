// What scamp costs. `node bench/bench.js [--runs N] [program…]` compares programs with their instrumented selves on iconx;
// `node bench/bench.js [--runs N] --embedded [program…]` the embedded engine with iconx;
// `node bench/bench.js [--runs N] --tokens [program…]` compares what counting every token costs, on both engines;
// `node bench/bench.js [--runs N] --planning` measures planning that;
// `node bench/bench.js [--runs N] --instrument [--language algol68]` measures the instrumenting itself. Needs a built dist/,
// icont and iconx.
import { parseArgs } from 'node:util'
import { corpora } from './corpora.js'
import { compareEngines } from './embedded.js'
import { compareInstrumenting } from './instrumenting.js'
import { comparePlanning } from './planning.js'
import { comparePrograms } from './running.js'
import { compareTokens } from './tokens.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '5' },
    instrument: { type: 'boolean', default: false },
    embedded: { type: 'boolean', default: false },
    tokens: { type: 'boolean', default: false },
    planning: { type: 'boolean', default: false },
    language: { type: 'string', default: 'icon' },
  },
})
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs ${values.runs}: say how many, at least 1`)
if (!(values.language in corpora))
  throw new Error(`--language ${values.language}: one of ${Object.keys(corpora).join(', ')}`)

process.exitCode = await measure()

function measure() {
  if (values.instrument) return compareInstrumenting(values.language, runs)
  if (values.planning) return comparePlanning(runs)
  if (values.tokens) return compareTokens(positionals, runs)
  return values.embedded ? compareEngines(positionals, runs) : comparePrograms(positionals, runs)
}
