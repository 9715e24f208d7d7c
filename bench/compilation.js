// Compiles files, each as a program of its own, in this one process: from source to JavaScript that is ready to run.
// scamp is loaded, and the files are read, before the clock starts; nothing is warmed up.
//
// arguments  the files
// prints     elapsed, user: seconds; lines; compiled: how many files, without those that are no Icon
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { compileFunction } from 'node:vm'
import { parseIcon } from '../dist/src/1-parse/icon/parse.js'
import { compile } from '../dist/src/4-run/icon/compile.js'
import { ScampError } from '../dist/src/scamp.js'

// library files have no main procedure that reaches the others: all are asked for
const everything = '\ninvocable all\n'
const sources = process.argv
  .slice(2)
  .map((name) => ({ name, text: readFileSync(name, 'latin1') + everything, language: 'icon' }))
const folder = dirname(process.argv[2])
const readInclude = (name) => ({ name, text: readFileSync(join(folder, name), 'latin1'), language: 'icon' })
let lines = 0
let compiled = 0
const cpu = process.cpuUsage()
const start = performance.now()
for (const source of sources) {
  try {
    const { script } = compile([parseIcon(source, readInclude)], { trace: false, counters: new Map() })
    compileFunction(script, ['RT'])
    compiled += 1
    lines += source.text.split('\n').length - 3
  } catch (error) {
    if (!(error instanceof ScampError)) throw error
  }
}
const elapsed = (performance.now() - start) / 1000
const user = process.cpuUsage(cpu).user / 1e6
console.log(JSON.stringify({ elapsed, user, lines, compiled }))
