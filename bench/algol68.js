// Compares Algol 68 programs with their instrumented selves, in user CPU time on a68g, both under its monitor's eyes as
// `scamp run` has them. `node bench/algol68.js [runs]`
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { prepare } from '../dist/src/prepare.js'
import { geometricMean, inTemporaryFolder, least, printTable, timed } from './measure.js'

const runs = Number(process.argv[2] ?? 3)
const folder = new URL('programs', import.meta.url).pathname
const programs = readdirSync(folder).filter((name) => name.endsWith('.a68'))
const read = (name) => ({ name, text: readFileSync(join(folder, name), 'latin1'), language: 'algol68' })

const launched = { kind: 'launched', programName: undefined, embed: false, mayTrace: false }

const instrumented = (source, destination) =>
  prepare({
    sources: [source],
    destinations: [destination],
    probing: 'basis',
    monitor: 'constructs',
    isWhole: destination.kind === 'launched',
    lpath: '',
    sandbox: false,
  })

const texts = new Map()
for (const name of programs) texts.set(name, (await instrumented(read(name), launched))[0].text)

inTemporaryFolder((cwd) => {
  // into the monitor, and out of it where the program calls for it at its end
  writeFileSync(join(cwd, 'answers'), 'continue\nn\ncontinue\n')
  const rows = programs.map((name) => {
    writeFileSync(join(cwd, 'plain.a68'), readFileSync(join(folder, name)))
    writeFileSync(join(cwd, 'amended.a68'), texts.get(name), 'latin1')
    const run = (file) => timed('sh', ['-c', `a68g --nowarnings --debug ${file} < answers 3< /dev/null`], { cwd }).user
    const [plain, amended] = [[], []]
    for (let i = 0; i < runs; i++) {
      plain.push(run('plain.a68'))
      amended.push(run('amended.a68'))
    }
    return { name: basename(name, '.a68'), plain: least(plain), amended: least(amended) }
  })
  console.log(`user CPU seconds on a68g, least of ${runs} alternating runs`)
  printTable([
    ['program', 'plain', 'instrumented', 'ratio'],
    ...rows.map(({ name, plain, amended }) => [
      name,
      plain.toFixed(2),
      amended.toFixed(2),
      (amended / plain).toFixed(2),
    ]),
  ])
  console.log(`geometric mean ${geometricMean(rows.map(({ plain, amended }) => amended / plain)).toFixed(2)}`)
})
