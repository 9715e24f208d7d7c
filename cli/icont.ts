// `scamp icont`: icont's own command line, but what is linked from sources is instrumented. Flags are icont's (see its
// manual page); what only icont can answer (-E, -V, wrong use) is passed through to it.
import { copyFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { findInterpreter, launchedModule, linkIcode, setLauncher, translate } from '../src/4-run/iconx.js'
import { inTemporaryFolder, runThrough, runToEnd } from '../src/4-run/native.js'
import { instrumentForLauncher, type Source } from '../src/scamp.js'
import { monitorWanted } from './monitoring.js'
import { statuses } from './options.js'

interface Wanted {
  readonly translateOnly: boolean
  readonly output: string | undefined
  readonly silent: boolean
  /** Flags for both translating and linking, as they were given. */
  readonly flags: readonly string[]
  readonly files: readonly string[]
  /** After -x: the program's arguments; undefined if it is not to be run. */
  readonly execute: readonly string[] | undefined
  readonly errorFile: string | undefined
}

/** Carries out an icont command line. Answers the exit status. */
export async function icontWrapper(words: readonly string[], readSource: (name: string) => Source): Promise<number> {
  const icont = findInterpreter('icont', process.env.SCAMP_ICONT)
  const wanted = understand(words)
  if (!wanted) {
    const { status, stdout, stderr } = runToEnd(icont, words, { cwd: process.cwd(), input: 'inherit' })
    process.stdout.write(stdout, 'latin1')
    process.stderr.write(stderr, 'latin1')
    return status ?? statuses.failed
  }
  const say = (text: string) => process.stderr.write(text, 'latin1')
  const sourceNames = wanted.files.filter((name) => !/\.u[12]?$/.test(name))
  const sources = sourceNames.map((name) => readSource(name.endsWith('.icn') || name === '-' ? name : `${name}.icn`))
  const isWhole = !wanted.translateOnly && sources.length === wanted.files.length
  const programs = await instrumentForLauncher(sources, isWhole, {
    probing: 'basis',
    monitor: monitorWanted('icon'),
    lpath: process.env.LPATH ?? '',
    sandbox: false,
  })
  return inTemporaryFolder(async (folder) => {
    const made = new Map<string, string>()
    programs.forEach((program, i) => {
      const { u1, messages } = translate(program, icont, folder, wanted.flags)
      say(i === 0 ? messages.replace(/No errors\n$/, '') : messages.replace(/^Translating:\n|No errors\n$/g, ''))
      made.set(sourceNames[i], u1)
    })
    if (programs.length > 0 && !wanted.silent) say('No errors\n')
    if (wanted.translateOnly) {
      for (const u1 of made.values()) {
        for (const file of [u1, u1.replace(/1$/, '2')]) copyFileSync(join(folder, file), file)
      }
      return statuses.ok
    }
    const u1 = wanted.files.map((name) => made.get(name) ?? name)
    const output =
      wanted.output ?? basename(wanted.files[0] === '-' ? 'stdin' : wanted.files[0]).replace(/\.(icn|u[12]?)$/, '')
    u1.push(launchedModule(icont, folder))
    say(linkIcode(icont, folder, u1, output, wanted.flags))
    const launcher = new URL('launch.js', import.meta.url).pathname
    const iconx = findInterpreter('iconx', process.env.SCAMP_ICONX)
    setLauncher(output, process.execPath, launcher, iconx)
    if (!wanted.execute) return statuses.ok
    if (!wanted.silent) say('Executing:\n')
    return runThrough(process.execPath, [launcher, iconx, output, ...wanted.execute], wanted.errorFile)
  })
}

/** Reads icont's flags. Answers undefined for what icont itself must answer. */
function understand(words: readonly string[]): Wanted | undefined {
  const flags: string[] = []
  const files: string[] = []
  let translateOnly = false
  let silent = false
  let output: string | undefined
  let errorFile: string | undefined
  let i = 0
  for (; i < words.length && /^-./.test(words[i]); i++) {
    if (words[i] === '--') {
      i++
      break
    }
    for (let k = 1; k < words[i].length; k++) {
      const flag = words[i][k]
      const value = () => {
        const rest = words[i].slice(k + 1)
        k = words[i].length
        return rest !== '' ? rest : words[++i]
      }
      if (flag === 'c') translateOnly = true
      else if (flag === 's') silent = flags.push('-s') > 0
      else if ('tuN'.includes(flag)) flags.push(`-${flag}`)
      else if ('efov'.includes(flag)) {
        const given = value()
        if (given === undefined) return undefined
        if (flag === 'o') output = given
        else if (flag === 'e') errorFile = given
        else flags.push(`-${flag}`, given)
        if (flag === 'v') silent = given === '0'
        break
      } else return undefined
    }
  }
  for (; i < words.length && words[i] !== '-x'; i++) files.push(words[i])
  if (files.length === 0) return undefined
  const execute = words[i] === '-x' ? words.slice(i + 1) : undefined
  return { translateOnly, output, silent, flags, files, execute, errorFile }
}
