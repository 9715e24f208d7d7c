// Measures instrumenting the Icon Program Library: scamp in fresh processes (each a single cold pass, see pass.js)
// beside icont translating the same files, in turns.
import { readdirSync, statSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { inTemporaryFolder, least, median, must, printTable, timed } from './measure.js'

const library = '/usr/lib/icon-ipl'
// icont itself rejects these
const wrong = ['lshade.icn', 'maccolor.icn']
const pass = new URL('pass.js', import.meta.url).pathname

/** Measures and prints the table. */
export function compareInstrumenting(runs) {
  const files = readdirSync(library)
    .filter((file) => file.endsWith('.icn') && !wrong.includes(file))
    .map((file) => join(library, file))
  const megabytes = files.reduce((sum, file) => sum + statSync(file).size, 0) / 1e6
  const lines = files.reduce((sum, file) => sum + readFileSync(file, 'latin1').split('\n').length - 1, 0)
  console.log(`${files.length} files, ${megabytes.toFixed(2)} MB, ${lines} lines; best of ${runs} runs in turns`)
  inTemporaryFolder((folder) => {
    const launched = []
    const alone = []
    const icontTimes = []
    const options = { cwd: folder, env: { ...process.env, LPATH: library } }
    for (let run = 0; run < runs; run++) {
      alone.push(JSON.parse(must(process.execPath, [pass, 'self-contained', ...files], options)))
      launched.push(JSON.parse(must(process.execPath, [pass, 'launched', ...files], options)))
      const icont = timed('icont', ['-s', '-c', ...files], options)
      if (icont.status !== 0) throw new Error(`icont: ${icont.stderr}`)
      icontTimes.push(icont)
    }
    printTable([
      ['', 'elapsed s', 'median', 'CPU s', 'MB/s', 'lines/s'],
      row('scamp instrument', alone, megabytes, lines),
      row('scamp icont', launched, megabytes, lines),
      row('icont -s -c', icontTimes, megabytes, lines),
    ])
    const { size, worst } = alone[0]
    const { size: launchedSize } = launched[0]
    const times = (characters) => `${(characters / 1e6 / megabytes).toFixed(3)} times`
    console.log(`output/input size: self-contained ${times(size)}, for the launcher ${times(launchedSize)}`)
    console.log(`largest, self-contained: ${worst.map(({ name, ratio }) => `${name} ${ratio.toFixed(2)}`).join(', ')}`)
  })
  return 0
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
