// Measures planning the counts of tokens: how many lines a second of the Icon Program Library, and how that falls with the
// size of one procedure. What is measured is planning-pass.js, in fresh processes.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { corpora } from './corpora.js'
import { inputs } from './input.js'
import { inTemporaryFolder, least, median, must, printTable } from './measure.js'

const pass = new URL('planning-pass.js', import.meta.url).pathname
const sizes = [500, 1000, 2000, 4000, 8000, 16000]

/** Measures and prints both tables. */
export function comparePlanning(runs) {
  inTemporaryFolder((folder) => {
    for (const { name, files } of corpora.icon(folder)) showCorpus(name, files, runs)
    showGrowth(folder, runs)
  })
  return 0
}

const measure = (times, files) => JSON.parse(must(process.execPath, [pass, String(times), ...files]))

function showCorpus(name, files, runs) {
  const passes = Array.from({ length: runs }, () => measure(1, files))
  const [{ lines }] = passes
  console.log(`${name}: ${files.length} files, ${lines} lines; ${runs} runs in fresh processes`)
  const row = (heading, key) => {
    const elapsed = passes.map((one) => one[key].elapsed)
    const best = least(elapsed)
    const user = least(passes.map((one) => one[key].user))
    return [heading, ...[best, median(elapsed), user].map((one) => one.toFixed(2)), Math.round(lines / best).toString()]
  }
  printTable([
    ['', 'elapsed s', 'median', 'CPU s', 'lines/s'],
    row('planning tokens', 'tokens'),
    row('planning constructs', 'constructs'),
    row('parsing', 'parsing'),
  ])
}

/** One procedure of n lines, for n twice as large each time: n log n shows as a last column that does not rise. */
function showGrowth(folder, runs) {
  console.log('\none procedure of n lines, tokens; planned until warm, user CPU seconds of the best')
  const largest = Math.max(...sizes)
  const rows = sizes.map((size) => {
    const path = join(folder, `procedure${size}.icn`)
    writeFileSync(path, inputs.procedure(size), 'latin1')
    const { lines, tokens } = measure((runs * largest) / size, [path])
    const perStep = (tokens.user * 1e6) / (lines * Math.log2(lines))
    return [lines.toString(), tokens.user.toFixed(3), Math.round(lines / tokens.user).toString(), perStep.toFixed(2)]
  })
  printTable([['n', 'CPU s', 'lines/s', 'µs / (n log n)'], ...rows])
}
