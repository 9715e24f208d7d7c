// Measures instrumenting: scamp in fresh processes (each a single cold pass, see pass.js) beside the language's own
// translator on the same files, in turns.
import { readFileSync } from 'node:fs'
import { corpora } from './corpora.js'
import { inTemporaryFolder, least, median, must, printTable, timed } from './measure.js'

const pass = new URL('pass.js', import.meta.url).pathname

/** Measures and prints a table for each corpus of the language. */
export function compareInstrumenting(language, runs) {
  inTemporaryFolder((folder) => {
    for (const corpus of corpora[language](folder)) measureCorpus(corpus, runs, folder)
  })
  return 0
}

function measureCorpus({ name, files, translator }, runs, folder) {
  const texts = files.map((file) => readFileSync(file, 'latin1'))
  const megabytes = texts.reduce((sum, text) => sum + text.length, 0) / 1e6
  const lines = texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0)
  console.log(
    `${name}: ${files.length} files, ${megabytes.toFixed(2)} MB, ${lines} lines; best of ${runs} runs in turns`,
  )
  const launched = []
  const alone = []
  const translations = []
  const options = { cwd: folder, env: { ...process.env, LPATH: '/usr/lib/icon-ipl' } }
  for (let run = 0; run < runs; run++) {
    alone.push(JSON.parse(must(process.execPath, [pass, 'self-contained', ...files], options)))
    launched.push(JSON.parse(must(process.execPath, [pass, 'launched', ...files], options)))
    if (!translator) continue
    const translation = timed(translator[0], translator.slice(1), options)
    if (translation.status !== 0) throw new Error(`${translator[0]}: ${translation.stderr}${translation.stdout}`)
    translations.push(translation)
  }
  printTable([
    ['', 'elapsed s', 'median', 'CPU s', 'MB/s', 'lines/s'],
    row('self-contained', alone, megabytes, lines),
    row('for the launcher', launched, megabytes, lines),
    ...(translator ? [row(translator.slice(0, -files.length).join(' '), translations, megabytes, lines)] : []),
  ])
  const { size, worst } = alone[0]
  const times = (characters) => `${(characters / 1e6 / megabytes).toFixed(3)} times`
  console.log(`output/input size: self-contained ${times(size)}, for the launcher ${times(launched[0].size)}`)
  console.log(`largest, self-contained: ${worst.map((one) => `${one.name} ${one.ratio.toFixed(2)}`).join(', ')}\n`)
}

function row(name, times, megabytes, lines) {
  const elapsed = times.map((one) => one.elapsed)
  const best = least(elapsed)
  return [
    name,
    best.toFixed(3),
    median(elapsed).toFixed(3),
    least(times.map(({ user }) => user)).toFixed(3),
    (megabytes / best).toFixed(2),
    Math.round(lines / best).toString(),
  ]
}
