// Parses files, then plans the counts of their tokens, then those of their constructs, in this one process, and prints
// what it took as JSON. scamp is loaded, and the files are read, before the clock starts; nothing is warmed up unless by
// planning several times, of which the least counts.
//
// arguments  how many times, then the files
// prints     lines; parsing, tokens, constructs: elapsed, user: seconds
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseIcon } from '../dist/src/1-parse/icon/parse.js'
import { placeProbes } from '../dist/src/2-plan/plan.js'

const [times, ...files] = process.argv.slice(2)
const sources = files.map((name) => ({ name, text: readFileSync(name, 'latin1'), language: 'icon' }))
const folder = dirname(files[0])
const readInclude = (name) => ({ name, text: readFileSync(join(folder, name), 'latin1'), language: 'icon' })
const surroundings = { foreignNames: new Set(), convertsErrors: false, isWhole: true, isLaunched: true }

const measured = (work) => {
  const cpu = process.cpuUsage()
  const start = performance.now()
  work()
  return { elapsed: (performance.now() - start) / 1000, user: process.cpuUsage(cpu).user / 1e6 }
}

let trees
const parsing = measured(() => {
  trees = sources.map((source) => parseIcon(source, readInclude))
})
const planAll = (monitor) => trees.forEach((tree) => placeProbes(tree, surroundings, 'basis', monitor))
const planning = (monitor) =>
  Array.from({ length: Number(times) }, () => measured(() => planAll(monitor))).reduce((one, other) =>
    one.user < other.user ? one : other,
  )
const tokens = planning('tokens')
const constructs = planning('constructs')
const lines = sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
console.log(JSON.stringify({ lines, parsing, tokens, constructs }))
