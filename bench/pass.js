// Instruments files, one call per file, in this one process, and prints what it took as JSON. The files are read, and
// scamp is loaded, before the clock starts; nothing is warmed up.
//
// arguments  `launched` or `self-contained`, then the files
// prints     elapsed, user: seconds; size: characters of all output; worst: the files that grew most
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { instrument, instrumentForLauncher } from '../dist/src/scamp.js'

const [form, ...files] = process.argv.slice(2)
const options = { probing: 'basis', monitor: 'constructs', lpath: process.env.LPATH ?? '', sandbox: false }
const make = (source) =>
  form === 'launched' ? instrumentForLauncher([source], true, options) : instrument([source], options)
const languageOf = (name) => (name.endsWith('.a68') ? 'algol68' : 'icon')
const sources = files.map((name) => ({ name, text: readFileSync(name, 'latin1'), language: languageOf(name) }))

const grown = []
const cpu = process.cpuUsage()
const start = performance.now()
for (const source of sources) {
  const [program] = await make(source)
  grown.push({
    name: basename(source.name),
    size: program.text.length,
    ratio: program.text.length / source.text.length,
  })
}
const elapsed = (performance.now() - start) / 1000
const user = process.cpuUsage(cpu).user / 1e6

const size = grown.reduce((sum, one) => sum + one.size, 0)
const worst = grown.sort((one, other) => other.ratio - one.ratio).slice(0, 5)
console.log(JSON.stringify({ elapsed, user, size, worst }))
