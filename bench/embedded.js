// Compares the embedded engine with iconx: the programs plain, and instrumented; what it takes to start; how fast it
// compiles; the memory it takes.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { geometricMean, inTemporaryFolder, least, median, must, printTable, timed } from './measure.js'
import { inTurns, programsOf } from './programs.js'

const scamp = new URL('../dist/cli/scamp.js', import.meta.url).pathname
const compilation = new URL('compilation.js', import.meta.url).pathname
const library = '/usr/lib/icon-ipl'
const embedded = [process.execPath, scamp, 'run', '--engine', 'embedded']

/** What is measured: how scamp is told to run a program. Every ratio is to the plain program on iconx. */
const columns = {
  plain: [...embedded, '--plain'],
  counts: [...embedded, '-f', 'json', '-o', 'report.json'],
  'counter everywhere': [...embedded, '--probes', 'all', '-f', 'json', '-o', 'report.json'],
}

/**
 * Measures and prints the tables.
 *
 * names    which of the programs here; none: all of them, and start-up, compiling and memory too
 * returns  1 if a program did not do the same everywhere, otherwise 0
 */
export function compareEngines(names, runs) {
  const results = programsOf('programs', names).map((program) => compare(program, runs))
  console.log(`user CPU seconds, start-up included, median of ${runs} runs in turns; ratios to plain iconx`)
  printTable([
    ['program', 'iconx', ...Object.keys(columns).flatMap((column) => [column, 'ratio'])],
    ...results.map(({ name, iconx, users }) => [
      name,
      iconx.toFixed(3),
      ...users.flatMap((user) => [user.toFixed(3), (user / iconx).toFixed(3)]),
    ]),
    ['geometric mean', '', ...Object.keys(columns).flatMap((_, i) => ['', meanRatio(results, i).toFixed(3)])],
  ])
  if (names.length === 0) {
    console.log()
    showStart(runs)
    showCompiling(runs)
  }
  const different = results.filter(({ same }) => !same)
  if (names.length === 0) different.push(...showMemory())
  for (const { name } of different) console.log(`DIFFERENT: ${name} did not do the same everywhere!`)
  return different.length > 0 ? 1 : 0
}

const meanRatio = (results, column) => geometricMean(results.map(({ iconx, users }) => users[column] / iconx))

function compare(program, runs) {
  const { name, path } = program
  return inTemporaryFolder((folder) => {
    const { times, same } = inTurns(program, commandsFor(path, folder), runs, folder)
    const user = (key) => median(times[key].map((time) => time.user))
    return { name, same, iconx: user('iconx'), users: Object.keys(columns).map(user) }
  })
}

function commandsFor(path, folder, keys = Object.keys(columns)) {
  const code = join(folder, 'code')
  must('icont', ['-s', '-o', code, path], { cwd: folder })
  const runs = keys.map((key) => [key, [...columns[key], path, '--']])
  return { iconx: ['iconx', code], ...Object.fromEntries(runs) }
}

/** From the command to its end, for a program that writes one line. */
function showStart(runs) {
  inTemporaryFolder((folder) => {
    const path = join(folder, 'hello.icn')
    writeFileSync(path, 'procedure main()\n   write("hello")\nend\n')
    const rows = Object.entries({ plain: columns.plain, counts: columns.counts }).map(([name, command]) => {
      const times = Array.from({ length: 3 * runs }, () =>
        timed(command[0], [...command.slice(1), path], { cwd: folder }),
      )
      const elapsed = times.map((time) => time.elapsed)
      return [
        name,
        least(elapsed).toFixed(3),
        median(elapsed).toFixed(3),
        median(times.map(({ user }) => user)).toFixed(3),
      ]
    })
    printTable([[`"hello", ${3 * runs} runs`, 'elapsed s', 'median', 'user CPU s'], ...rows])
  })
}

/** The Icon Program Library from source to JavaScript that is ready to run, in one fresh process. */
function showCompiling(runs) {
  const files = readdirSync(library)
    .filter((file) => file.endsWith('.icn'))
    .map((file) => join(library, file))
  const found = Array.from({ length: runs }, () => JSON.parse(must(process.execPath, [compilation, ...files])))
  const elapsed = found.map((one) => one.elapsed)
  const [{ lines, compiled }] = found
  console.log(
    `compiling ${compiled} files, ${lines} lines: ${least(elapsed).toFixed(2)} s at best, ${median(elapsed).toFixed(2)} s ` +
      `in the median of ${runs}: ${Math.round(lines / least(elapsed))} and ${Math.round(lines / median(elapsed))} lines/s`,
  )
}

/** Peak memory of programs that build large structures, by GNU time. */
function showMemory() {
  const results = programsOf('memory', []).map((program) =>
    inTemporaryFolder((folder) => {
      const peak = (key) => join(folder, `${key}.peak`)
      const commands = Object.entries(commandsFor(program.path, folder, ['plain']))
      const watched = commands.map(([key, words]) => [key, ['/usr/bin/time', '-f', '%M', '-o', peak(key), ...words]])
      const { same } = inTurns(program, Object.fromEntries(watched), 1, folder)
      const [iconx, plain] = commands.map(([key]) => Number(readFileSync(peak(key), 'utf8')) / 1024)
      return { name: program.name, same, iconx, plain }
    }),
  )
  printTable([
    ['peak memory, MB', 'iconx', 'embedded', 'ratio'],
    ...results.map(({ name, iconx, plain }) => [name, iconx.toFixed(0), plain.toFixed(0), (plain / iconx).toFixed(2)]),
  ])
  return results.filter(({ same }) => !same)
}
