// The programs that are timed. A program's first line says how it is run, as
// `run: [NAME=VALUE] program arguments… [<input size]`; the inputs are in input.js.
import { createHash } from 'node:crypto'
import { closeSync, openSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { inputs } from './input.js'
import { timed } from './measure.js'

/** The programs of a folder here: `name`, `path`, and how each is run. `names` picks some; none: all. */
export function programsOf(folder, names) {
  const here = new URL(folder, import.meta.url).pathname
  const known = readdirSync(here)
    .filter((file) => file.endsWith('.icn'))
    .map((file) => basename(file, '.icn'))
  const unknown = names.find((name) => !known.includes(name))
  if (unknown !== undefined) throw new Error(`no program ${unknown} here; there are ${known.join(', ')}`)
  return (names.length > 0 ? names : known).map((name) => {
    const path = join(here, `${name}.icn`)
    return { name, path, ...understand(name, readFileSync(path, 'latin1').split('\n')[0]) }
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

/**
 * Runs commands in turns, each on the program's input, and sees that all of them do the same.
 *
 * commands  name → words; the program's arguments are put behind them
 * returns   times: name → what `timed` measured, for each run; same: whether every run did the same
 */
export function inTurns({ name, args, env, input }, commands, runs, folder) {
  const inputPath = join(folder, 'input')
  writeFileSync(inputPath, input, 'latin1')
  const once = ([command, ...words]) => {
    const outputPath = join(folder, 'output')
    const [stdin, stdout] = [openSync(inputPath), openSync(outputPath, 'w')]
    const result = timed(command, [...words, ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: [stdin, stdout, 'pipe'],
    })
    closeSync(stdin)
    closeSync(stdout)
    const { status, stderr } = result
    if (status !== 0) console.log(`${name}: ${command} ${words.join(' ')}: status ${status}: ${stderr}`)
    return { ...result, did: `${status} ${stderr} ${hashOf(readFileSync(outputPath))}` }
  }
  const times = Object.fromEntries(Object.keys(commands).map((key) => [key, []]))
  const order = Object.entries(commands)
  const did = new Set()
  for (let run = 0; run < runs; run++) {
    for (const [key, words] of run % 2 === 0 ? order : order.toReversed()) {
      const one = once(words)
      times[key].push(one)
      did.add(one.did)
    }
  }
  return { times, same: did.size === 1 }
}

const hashOf = (content) => createHash('sha256').update(content).digest('hex')
