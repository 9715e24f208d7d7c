// Compares programs with their selves whose tokens are counted, on iconx and on the embedded engine, side by side in turns.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findInterpreter, launchedModule, linkIcode, translate } from '../dist/src/4-run/iconx.js'
import { instrumentForLauncher, readPassages } from '../dist/src/scamp.js'
import { geometricMean, inTemporaryFolder, least, median, must, printTable } from './measure.js'
import { inTurns, programsOf } from './programs.js'

const scamp = new URL('../dist/cli/scamp.js', import.meta.url).pathname
const run = [process.execPath, scamp, 'run', '--engine', 'embedded']
const embedded = [...run, '--monitor', 'tokens', '-f', 'json', '-o', 'report.json']

/** What is measured beside plain iconx, and the most that its geometric mean may be. */
const columns = [
  { key: 'tokens', aim: 1.35 },
  { key: 'weighed', aim: 1.25 },
  { key: 'everywhere', aim: undefined },
  { key: 'embedded', aim: 0.5 },
]

/**
 * Measures and prints the table: plain iconx; iconx with the tokens inferred, the same with counters placed by the
 * profile of an earlier run (--weights), and with a counter at each; `scamp run` on
 * the embedded engine with the tokens inferred, start-up, planning and report included.
 *
 * names    which of the programs here; none: all of them
 * returns  1 if a program did not do the same everywhere, otherwise 0
 */
export async function compareTokens(names, runs) {
  const results = []
  for (const program of programsOf('programs', names)) results.push(compare(await instrumented(program), runs))
  console.log(`tokens: user CPU seconds, least of ${runs} runs in turns; ratios to plain iconx, of the least`)
  const users = (key) => results.map(({ times }) => least(times[key]))
  const ratios = (key) => results.map(({ times }) => least(times[key]) / least(times.plain))
  const ofMedians = (key) => results.map(({ times }) => median(times[key]) / median(times.plain))
  const cells = (of) => columns.map(({ key }) => of(key))
  const rows = results.map(({ name, times, counters }, i) => [
    name,
    least(times.plain).toFixed(2),
    ...columns.flatMap(({ key }) => [users(key)[i].toFixed(2), ratios(key)[i].toFixed(2)]),
    `${counters.tokens}/${counters.everywhere}`,
  ])
  const summary = (heading, figures, digits = 3) => [
    heading,
    '',
    ...figures.flatMap((figure) => ['', figure === undefined ? '' : figure.toFixed(digits)]),
    '',
  ]
  printTable([
    ['program', 'iconx', ...columns.flatMap(({ key }) => [key, 'ratio']), 'counters'],
    ...rows,
    summary(
      'geometric mean',
      cells((key) => geometricMean(ratios(key))),
    ),
    summary(
      'of medians',
      cells((key) => geometricMean(ofMedians(key))),
    ),
    summary(
      'worst',
      cells((key) => Math.max(...ratios(key))),
    ),
    summary(
      'aim (mean)',
      columns.map(({ aim }) => aim),
      2,
    ),
  ])
  const different = results.filter(({ same }) => !same)
  for (const { name } of different) console.log(`DIFFERENT: ${name} did not do the same everywhere!`)
  return different.length > 0 ? 1 : 0
}

/** A program with its amended texts, one for each way of placing counters. */
async function instrumented(program) {
  const source = { name: program.path, text: readFileSync(program.path, 'latin1'), language: 'icon' }
  const amended = async (probing, more) => {
    const options = { probing, monitor: 'tokens', lpath: '', sandbox: false, ...more }
    return (await instrumentForLauncher([source], true, options))[0]
  }
  const tokens = await amended('basis')
  const weighed = await amended('basis', { passages: passagesOf(program) })
  return { ...program, texts: { tokens, weighed, everywhere: await amended('all') } }
}

/** What an earlier run of a program tells. */
function passagesOf({ path, args, env, input }) {
  return inTemporaryFolder((folder) => {
    const profile = join(folder, 'profile')
    const [command, ...words] = [...embedded, path, '--', ...args]
    const environment = { ...process.env, ...env, SCAMP_OUT: profile }
    must(command, words, { cwd: folder, env: environment, input, stdio: ['pipe', 'ignore', 'pipe'] })
    return readPassages([profile])
  })
}

function compare({ texts, ...program }, runs) {
  return inTemporaryFolder((folder) => {
    const icont = findInterpreter('icont', undefined)
    const code = (key) => join(folder, `${key}.icode`)
    must(icont, ['-s', '-o', code('plain'), program.path], { cwd: folder })
    for (const [key, text] of Object.entries(texts)) {
      const { u1 } = translate(text, icont, folder, ['-s'])
      linkIcode(icont, folder, [u1, launchedModule(icont, folder)], code(key), ['-s'])
    }
    const commands = {
      plain: ['iconx', code('plain')],
      ...Object.fromEntries(Object.keys(texts).map((key) => [key, ['iconx', code(key)]])),
      embedded: [...embedded, program.path, '--'],
    }
    // SCAMP_PLAIN: no dump of the counters at the end; the counting goes on. All get it, to have like environments.
    const quiet = { ...program, env: { ...program.env, SCAMP_PLAIN: '1' } }
    const { times, same } = inTurns(quiet, commands, runs, folder)
    const counters = Object.fromEntries(Object.entries(texts).map(([key, { plan }]) => [key, plan.flow.counters]))
    const users = Object.entries(times).map(([key, list]) => [key, list.map(({ user }) => user)])
    return { name: program.name, same, counters, times: Object.fromEntries(users) }
  })
}
