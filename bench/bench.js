// What scamp costs. `node bench/bench.js [--runs N] [program…]` compares programs with their instrumented selves on iconx;
// `node bench/bench.js [--runs N] --embedded [program…]` the embedded engine with iconx;
// `node bench/bench.js [--runs N] --instrument [--language algol68]` measures the instrumenting itself. Needs a built dist/,
// icont and iconx.
import { parseArgs } from 'node:util'
import { corpora } from './corpora.js'
import { compareEngines } from './embedded.js'
import { compareInstrumenting } from './instrumenting.js'
import { comparePrograms } from './running.js'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '5' },
    instrument: { type: 'boolean', default: false },
    embedded: { type: 'boolean', default: false },
    language: { type: 'string', default: 'icon' },
  },
})
const runs = Number(values.runs)
if (!Number.isInteger(runs) || runs < 1) throw new Error(`--runs ${values.runs}: say how many, at least 1`)
if (!(values.language in corpora))
  throw new Error(`--language ${values.language}: one of ${Object.keys(corpora).join(', ')}`)
if (values.instrument) process.exitCode = compareInstrumenting(values.language, runs)
else process.exitCode = values.embedded ? compareEngines(positionals, runs) : comparePrograms(positionals, runs)
