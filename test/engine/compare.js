// Runs Icon programs on iconx and on the embedded engine and compares standard output, standard error and exit
// status: node test/engine/compare.js [-v] [PROGRAM.icn…]; without programs, all those beside this file.
// A program's input is NAME.in or stdin.txt beside it, if there is one.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'

const here = dirname(new URL(import.meta.url).pathname)
const args = process.argv.slice(2)
const verbose = args[0] === '-v'
if (verbose) args.shift()
const programs =
  args.length > 0
    ? args
    : readdirSync(here)
        .filter((name) => name.endsWith('.icn'))
        .sort()
        .map((name) => join(here, name))
const encoding = 'latin1'
const timeout = 20_000

let equal = 0
const different = []
for (const program of programs) {
  const path = resolve(program)
  const input = [path.replace(/\.icn$/, '.in'), join(dirname(path), 'stdin.txt')].find((name) => existsSync(name))
  const stdin = input ? readFileSync(input) : ''
  const results = ['iconx', 'embedded'].map((engine) => {
    const folder = mkdtempSync(join(tmpdir(), 'engine-'))
    cpSync(dirname(path), folder, { recursive: true, filter: (name) => !/\/(ours|theirs)/.test(name) })
    const file = basename(path)
    let run
    if (engine === 'iconx') {
      const made = spawnSync('icont', ['-s', '-o', 'prog', file], { cwd: folder, encoding })
      run =
        made.status === 0
          ? spawnSync(join(folder, 'prog'), ['one', 'two'], { cwd: folder, input: stdin, encoding, timeout })
          : made
    } else
      run = spawnSync('node', [join(here, 'run.js'), file, 'one', 'two'], {
        cwd: folder,
        input: stdin,
        encoding,
        timeout,
      })
    rmSync(folder, { recursive: true })
    return { stdout: run.stdout, stderr: run.stderr.replaceAll(folder, ''), status: run.status ?? run.signal }
  })
  const [theirs, ours] = results
  const differs = ['stdout', 'stderr', 'status'].filter((part) => theirs[part] !== ours[part])
  if (differs.length === 0) equal++
  else {
    different.push(program)
    console.log(`${program}: ${differs.join(', ')} differ`)
    if (verbose) for (const part of differs) show(String(theirs[part]), String(ours[part]))
  }
}
console.log(`${equal} equal, ${different.length} different`)
process.exitCode = different.length > 0 ? 1 : 0

/** Prints the first lines that differ. */
function show(theirs, ours) {
  const [one, other] = [theirs.split('\n'), ours.split('\n')]
  let shown = 0
  for (let i = 0; i < Math.max(one.length, other.length) && shown < 6; i++) {
    if (one[i] === other[i]) continue
    console.log(`  ${i + 1} iconx:    ${one[i]?.slice(0, 300)}\n  ${i + 1} embedded: ${other[i]?.slice(0, 300)}`)
    shown++
  }
}
