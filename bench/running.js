// Compares programs with their instrumented selves, in user CPU time on iconx.
import { join } from 'node:path'
import { geometricMean, inTemporaryFolder, least, median, must, printTable } from './measure.js'
import { inTurns, programsOf } from './programs.js'

const scamp = new URL('../dist/cli/scamp.js', import.meta.url).pathname

/**
 * Measures and prints the table.
 *
 * names    which of the programs here; none: all of them
 * returns  1 if a program and its instrumented self did not do the same, otherwise 0
 */
export function comparePrograms(names, runs) {
  const results = programsOf('programs', names).map((program) => compare(program, runs))
  const ratios = results.map(({ ratio }) => ratio)
  const worst = results.find(({ ratio }) => ratio === Math.max(...ratios))
  console.log(`user CPU seconds on iconx, least and median of ${runs} alternating runs; ratio of the least`)
  printTable([
    ['program', 'plain', 'median', 'instrumented', 'median', 'ratio', 'of medians'],
    ...results.map(({ name, plain, instrumented, ratio }) => [
      name,
      least(plain).toFixed(3),
      median(plain).toFixed(3),
      least(instrumented).toFixed(3),
      median(instrumented).toFixed(3),
      ratio.toFixed(3),
      (median(instrumented) / median(plain)).toFixed(3),
    ]),
  ])
  console.log(`geometric mean ${geometricMean(ratios).toFixed(3)}; worst ${worst.ratio.toFixed(3)} (${worst.name})`)
  const different = results.filter(({ same }) => !same)
  for (const { name } of different) console.log(`DIFFERENT: ${name} and its instrumented self did not do the same!`)
  return different.length > 0 ? 1 : 0
}

function compare(program, runs) {
  const { name, path } = program
  return inTemporaryFolder((folder) => {
    const plainCode = join(folder, 'plain')
    const instrumentedCode = join(folder, 'instrumented')
    must('icont', ['-s', '-o', plainCode, path], { cwd: folder })
    must(process.execPath, [scamp, 'icont', '-s', '-o', instrumentedCode, path], { cwd: folder })
    // SCAMP_PLAIN: no dump of the counters at the end; the counting goes on. Both get it, to have like environments.
    const quiet = { ...program, env: { ...program.env, SCAMP_PLAIN: '1' } }
    const commands = { plain: ['iconx', plainCode], instrumented: ['iconx', instrumentedCode] }
    const { times, same } = inTurns(quiet, commands, runs, folder)
    const users = (key) => times[key].map(({ user }) => user)
    const [plain, instrumented] = [users('plain'), users('instrumented')]
    return { name, plain, instrumented, ratio: least(instrumented) / least(plain), same }
  })
}
