// Runs programs on the embedded engine with their tokens monitored, all of them in one process, each twice: with inferred
// counts and with a counter everywhere. `node token-profiles.js RESULT FOLDER NAME…` runs NAME.icn of FOLDER in a folder of
// its own, with input NAME.in, and writes what they counted to RESULT, in the order of the names:
// { ended, inferred, everywhere }, reports in JSON. What the programs print goes where this process's output goes.
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { report, run, usualRunning } from '../dist/src/scamp.js'

const [result, folder, ...names] = process.argv.slice(2)
const options = { columns: 80, textOf: () => undefined, goalsOf: () => undefined }

async function countsOf(name, probing) {
  const here = mkdtempSync(join(tmpdir(), 'scamp-tokens-'))
  for (const file of readdirSync(folder))
    if (file.startsWith(`${name}.`)) copyFileSync(join(folder, file), join(here, file))
  process.chdir(here)
  try {
    const input = `${name}.in`
    const source = { name: `${name}.icn`, text: readFileSync(`${name}.icn`, 'latin1'), language: 'icon' }
    const { run: ran, profile } = await run(
      [source],
      [],
      { probing, monitor: 'tokens', lpath: '', sandbox: false },
      {
        ...usualRunning,
        args: ['one', 'two'],
        folder: 'profiles',
        timeoutSeconds: 20,
        stdin: openSync(existsSync(input) ? input : '/dev/null', 'r'),
      },
    )
    return { end: ran.end, report: profile && JSON.parse(report(profile, 'json', options)) }
  } catch (error) {
    return { error: error.message }
  } finally {
    process.chdir('/')
    rmSync(here, { recursive: true, force: true })
  }
}

const all = []
for (const name of names) {
  all.push({ name, inferred: await countsOf(name, 'basis'), everywhere: await countsOf(name, 'all') })
}
writeFileSync(result, JSON.stringify(all))
