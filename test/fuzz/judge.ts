// Runs programs on iconx and on the embedded engine, many with one start of each, and tells which of them differ.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from '../programs.js'

/** How a program ended; status is undefined when it did not end in time. */
export interface Ending {
  readonly status: string | undefined
  readonly stdout: string
  readonly stderr: string
}

/** A program's two endings; `same` also when there is nothing to compare: iconx crashed or did not end. */
export interface Verdict {
  readonly text: string
  readonly iconx: Ending
  readonly embedded: Ending
  readonly same: boolean
  readonly skipped: boolean
}

/** A program to judge. */
export interface Judged {
  /** Also the name of its file, without .icn. */
  readonly name: string
  readonly text: string
  readonly input: string
}

/** What random programs read. */
export const input = 'first line\nsecond, 2\n\n  4.5\nlast'

const engine = join(root, 'test/fuzz/engine.js')

/** What a program may write, in blocks of 512 bytes; what writes more has come off the rails. */
const mostOutput = 32_768

/**
 * Judges random programs; all of them should be such that icont accepts them.
 *
 * patience   seconds that iconx may take for one; the embedded engine gets three times as many, and at least ten, start-up included
 */
export async function judge(texts: readonly string[], patience = 5): Promise<Verdict[]> {
  const programs = texts.map((text, i) => ({ name: `p${i}`, text, input }))
  const endings = await runBoth(programs, [], patience)
  return endings.map(({ iconx, embedded }, i) => {
    const skipped = beyondCompare(iconx)
    const same =
      iconx.status === embedded.status && iconx.stdout === embedded.stdout && sameErrors(iconx.stderr, embedded.stderr)
    return { text: texts[i], iconx, embedded, skipped, same: skipped || same }
  })
}

/**
 * Runs programs with these arguments on both engines, each in a folder of its own.
 *
 * patience   seconds that iconx may take for one; the embedded engine gets three times as many, and at least ten, start-up included
 * ended      whether the embedded engine runs those alone that iconx has ended in time
 */
export async function runBoth(
  programs: readonly Judged[],
  args: readonly string[],
  patience: number,
  ended = false,
): Promise<{ iconx: Ending; embedded: Ending }[]> {
  if (programs.length === 0) return []
  const folder = mkdtempSync(join(tmpdir(), 'scamp-judge-'))
  try {
    const [native, own] = ['iconx', 'embedded'].map((name) => join(folder, name))
    for (const side of [native, own]) {
      for (const { name, text, input } of programs) {
        mkdirSync(join(side, name), { recursive: true })
        writeFileSync(join(side, `${name}.in`), input, 'latin1')
        writeFileSync(join(side, name, `${name}.icn`), text, 'latin1')
      }
    }
    const names = programs.map(({ name }) => name)
    const theirs = onIconx(native, names, args, patience)
    if (ended) await theirs
    const mine = ended ? names.filter((name) => !beyondCompare(ending(native, name))) : names
    await Promise.all([theirs, onEmbedded(own, mine, args, patience)])
    return names.map((name) => ({ iconx: ending(native, name), embedded: ending(own, name) }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * Whether messages are the same, but for the last line of a traceback, which shows the operator that failed: in two or three of a
 * hundred iconx shows the variable that an operand was where the compiler knows its value alone.
 */
export function sameErrors(one: string, other: string): boolean {
  const theirs = legible(one, other)
  const shorter = theirs.replace(/(\nTraceback:\n(?:.*\n)*).+ from line \d+ in .+\n$/, '$1')
  return theirs === other || shorter === other || shorter === other.replace(/.*\n$/, '')
}

/**
 * What iconx wrote, with the other engine's images of parts of strings in tables: for those iconx shows the beginning of
 * a block of its memory as if it were a string, mostly "", and sometimes crashes over it.
 */
function legible(one: string, other: string): string {
  const others = other.split('\n')
  return one
    .split('\n')
    .map((line, i) => {
      const [, begin, part] = /^(.* (?:returned|suspended) )""(\[\d+(?:\+:\d+)?\])$/.exec(line) ?? []
      return begin !== undefined && others[i]?.startsWith(`${begin}"`) && others[i].includes(part) ? others[i] : line
    })
    .join('\n')
}

/**
 * Whether iconx's ending says nothing: it ran out of time or memory, crashed, or showed a structure or a co-expression
 * that it had freed (its collector does not look at &errorvalue; the number of a living one is never 0).
 */
export function beyondCompare({ status, stdout, stderr }: Ending): boolean {
  const lost = /Run-time error 30\d|inadequate space/.test(stderr) || /_0\(\d+\)/.test(stdout)
  return status === undefined || Number(status) >= 124 || lost
}

/** How a program ended on one side. */
export function ending(folder: string, name: string): Ending {
  const read = (kind: string) => {
    const path = join(folder, `${name}.${kind}`)
    return existsSync(path) ? readFileSync(path, 'latin1') : ''
  }
  const status = read('status').trim()
  return { status: status === '' ? undefined : status, stdout: read('out'), stderr: read('err') }
}

/** Runs a process to its end, or, when `stuck` says so, kills it: then its status is null. */
function finish(
  program: string,
  args: readonly string[],
  cwd: string,
  stuck: () => boolean = () => false,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] })
    const timer = setInterval(() => stuck() && child.kill('SIGKILL'), 500)
    child.on('error', reject)
    child.on('exit', (status) => {
      clearInterval(timer)
      resolve(status)
    })
  })
}

/** Each program is translated and run by itself; one that does not end in `patience` seconds is ended. */
export async function onIconx(
  folder: string,
  names: readonly string[],
  args: readonly string[],
  patience: number,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const script = `ulimit -f ${mostOutput}
  for p do
    cd $p
    if icont -s -o $p $p.icn >../$p.err 2>&1
    then timeout ${patience} iconx $p ${args.join(' ')} <../$p.in >../$p.out 2>../$p.err; echo $? >../$p.status
    else echo 127 >../$p.status
    fi
    cd ..
  done`
  await finish('sh', ['-c', script, 'sh', ...names], folder, undefined, env)
}

/** The programs run in one process; one that does not end is ended with it, and another process takes the rest. */
export async function onEmbedded(
  folder: string,
  names: readonly string[],
  args: readonly string[],
  patience: number,
): Promise<void> {
  for (let rest = names; rest.length > 0;) {
    let done = 0
    let since = Date.now()
    const limited = ['-c', `ulimit -f ${mostOutput}; exec "$@"`, 'sh', process.execPath, engine]
    const status = await finish('sh', [...limited, JSON.stringify(args), ...rest], folder, () => {
      while (done < rest.length && existsSync(join(folder, `${rest[done]}.status`))) {
        done++
        since = Date.now()
      }
      return Date.now() - since > Math.max(10_000, 3000 * patience)
    })
    if (status !== null && status !== 0) throw new Error(`${engine} ended with ${status}: is dist/ built?`)
    const stuck = rest.findIndex((name) => !existsSync(join(folder, `${name}.status`)))
    rest = stuck < 0 ? [] : rest.slice(stuck + 1)
  }
}

/** Where two endings differ, for a message. */
export function difference({ iconx, embedded }: Pick<Verdict, 'iconx' | 'embedded'>): string {
  const parts = (['status', 'stdout', 'stderr'] as const).filter((part) => iconx[part] !== embedded[part])
  return parts.map((part) => `${part} of iconx:\n${iconx[part]}\n${part} here:\n${embedded[part]}\n`).join('\n')
}
