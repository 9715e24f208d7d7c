// Compares programs with their instrumented selves, in user CPU time on iconx. A program's first line says how it is
// run, as `run: [NAME=VALUE] program arguments… [<input size]`; the inputs are in input.js.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inputs } from './input.js'
import { geometricMean, inTemporaryFolder, least, median, must, printTable, timed } from './measure.js'

const scamp = new URL('../dist/cli/scamp.js', import.meta.url).pathname
const programs = new URL('programs', import.meta.url).pathname

/**
 * Measures and prints the table.
 *
 * names    which of the programs here; none: all of them
 * returns  1 if a program and its instrumented self did not do the same, otherwise 0
 */
export function comparePrograms(names, runs) {
  const known = readdirSync(programs)
    .filter((file) => file.endsWith('.icn'))
    .map((file) => basename(file, '.icn'))
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`no program ${unknown} here; there are ${known.join(', ')}`)
  const results = (names.length > 0 ? names : known).map((name) => compare(name, runs))
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

function compare(name, runs) {
  const path = join(programs, `${name}.icn`)
  const { args, env, input } = understand(name, readFileSync(path, 'latin1').split('\n')[0])
  return inTemporaryFolder((folder) => {
    const plainCode = join(folder, 'plain')
    const instrumentedCode = join(folder, 'instrumented')
    must('icont', ['-s', '-o', plainCode, path], { cwd: folder })
    must(process.execPath, [scamp, 'icont', '-s', '-o', instrumentedCode, path], { cwd: folder })
    const inputPath = join(folder, 'input')
    writeFileSync(inputPath, input, 'latin1')
    const once = (code) => {
      const outputPath = join(folder, 'output')
      const [stdin, stdout] = [openSync(inputPath), openSync(outputPath, 'w')]
      // SCAMP_PLAIN: no dump of the counters at the end; the counting goes on. Both get it, to have like environments.
      const { user, status, stderr } = timed('iconx', [code, ...args], {
        cwd: folder,
        env: { ...process.env, ...env, SCAMP_PLAIN: '1' },
        stdio: [stdin, stdout, 'pipe'],
      })
      closeSync(stdin)
      closeSync(stdout)
      if (status !== 0) console.log(`${name}: status ${status}: ${stderr}`)
      return { user, did: `${status} ${stderr} ${hashOf(readFileSync(outputPath))}` }
    }
    const plain = []
    const instrumented = []
    const did = new Set()
    for (let run = 0; run < runs; run++) {
      for (const [code, times] of run % 2 === 0
        ? [
            [plainCode, plain],
            [instrumentedCode, instrumented],
          ]
        : [
            [instrumentedCode, instrumented],
            [plainCode, plain],
          ]) {
        const one = once(code)
        times.push(one.user)
        did.add(one.did)
      }
    }
    return { name, plain, instrumented, ratio: least(instrumented) / least(plain), same: did.size === 1 }
  })
}

function understand(name, firstLine) {
  const run = /run: (?:(\w+)=(\S+) )?(\w+)((?: [^<\s]\S*)*)(?: <(\w+) (\d+))?$/.exec(firstLine)
  if (!run || run[3] !== name) throw new Error(`${name}.icn: its first line does not say how it is run`)
  const [, variable, value, , words, kind, size] = run
  if (kind !== undefined && !inputs[kind]) throw new Error(`${name}.icn: no input ${kind}`)
  return {
    args: words.split(' ').filter((word) => word !== ''),
    env: variable === undefined ? {} : { [variable]: value },
    input: kind === undefined ? '' : inputs[kind](Number(size)),
  }
}

const hashOf = (content) => createHash('sha256').update(content).digest('hex')
