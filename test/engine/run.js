// Runs an Icon program on the embedded engine: node test/engine/run.js PROGRAM.icn [ARGUMENT…]
// With SHOW=1 it prints the generated script instead.
import { readFileSync } from 'node:fs'

const [file, ...args] = process.argv.slice(2)
const sources = [{ name: file, text: readFileSync(file, 'latin1'), language: 'icon' }]
if (process.env.SHOW) {
  const { parse } = await import('../../dist/src/1-parse/parse.js')
  const { compile } = await import('../../dist/src/4-run/icon/compile.js')
  console.log(compile(sources.map((source) => parse(source, () => undefined))).script)
} else {
  const { runEmbedded } = await import('../../dist/src/4-run/embedded.js')
  process.exitCode = await runEmbedded(sources, args)
}
