// Running Icon programs in tests, plain and under scamp, each in a fresh folder.
import { spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export const root = new URL('..', import.meta.url).pathname
export const scamp = join(root, 'dist/cli/scamp.js')
export const library = '/usr/lib/icon-ipl'

/** How a command ended; texts are bytes as latin1. */
export interface Outcome {
  readonly status: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

/** How to start a command. */
export interface Starting {
  readonly cwd: string
  readonly env?: Record<string, string>
  readonly input?: string | Buffer
}

/** Runs a command to its end. */
export function command(program: string, args: readonly string[], { cwd, env, input }: Starting): Outcome {
  const { status, signal, stdout, stderr, error } = spawnSync(program, args, {
    cwd,
    env: { ...process.env, ...env },
    input: input ?? '',
    encoding: 'latin1',
    maxBuffer: 1e9,
    timeout: 120_000,
  })
  if (error) throw error
  return { status, signal, stdout, stderr }
}

/** Runs scamp's command line. */
export function runScamp(args: readonly string[], starting: Starting): Outcome {
  return command(process.execPath, [scamp, ...args], starting)
}

/** Fails the test, loudly, if the reference interpreters are not there: in CI a missing judge is a failure. */
export function requireIcon(): void {
  for (const name of ['icont', 'iconx']) {
    if (spawnSync('sh', ['-c', `command -v ${name}`]).status !== 0) {
      throw new Error(`${name} is needed to judge: apt-get install icont iconx icon-ipl`)
    }
  }
  if (!existsSync(library)) throw new Error('the Icon Program Library is needed: apt-get install icon-ipl')
}

/** Gives `work` a fresh folder, with files of these contents in it, and removes it. */
export function inFolder<T>(files: Record<string, string>, work: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'scamp-test-'))
  try {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text, 'latin1')
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Gives `work` a fresh copy of a folder. */
export function inCopy<T>(original: string, work: (folder: string) => T): T {
  return inFolder({}, (folder) => {
    cpSync(original, folder, { recursive: true })
    return work(folder)
  })
}

/** A program of test/transparency: its files, and how it is started. */
export interface TestProgram {
  readonly name: string
  readonly folder: string
  readonly files: readonly string[]
  readonly args: readonly string[]
  readonly env: Record<string, string>
  readonly input: Buffer
}

/** All programs of test/transparency. */
export function testPrograms(): TestProgram[] {
  const all = join(root, 'test/transparency')
  const names = readdirSync(all, { withFileTypes: true }).filter((entry) => entry.isDirectory())
  return names.map(({ name }) => {
    const folder = join(all, name)
    const read = (file: string) => (existsSync(join(folder, file)) ? readFileSync(join(folder, file)) : Buffer.alloc(0))
    const lines = (file: string) => read(file).toString('latin1').split('\n').slice(0, -1)
    const env = lines('env.txt').map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])
    const others = readdirSync(folder).filter((file) => file.endsWith('.icn') && file !== 'input.icn')
    return {
      name,
      folder,
      files: ['input.icn', ...others],
      args: lines('args.txt'),
      env: Object.fromEntries(env) as Record<string, string>,
      input: read('stdin.txt'),
    }
  })
}

/** Runs a test program as it is. */
export function runPlain({ folder, files, args, env, input }: TestProgram, more: Record<string, string> = {}): Outcome {
  return inCopy(folder, (cwd) => {
    const translated = command('icont', ['-s', '-o', 'input', ...files], { cwd })
    if (translated.status !== 0) throw new Error(translated.stderr)
    return command('./input', args, { cwd, env: { ...env, ...more }, input })
  })
}

/** What tests read of a report in JSON. */
export interface JsonReport {
  files: {
    sites: {
      kind: string
      name: string | null
      line: number
      column: number
      counts: { name: string; count: string; exact: boolean }[]
    }[]
    tokens: JsonToken[]
  }[]
}
export interface JsonToken extends JsonCount {
  line: number
  column: number
  text: string
  ports: Record<'started' | 'resumed' | 'succeeded' | 'failed', JsonCount> | null
}
export interface JsonCount {
  count: string
  exact: boolean
}

/** Runs a test program under scamp, on iconx; the report comes back beside the outcome. */
export function runInstrumented(program: TestProgram, more: Record<string, string> = {}, options: string[] = []) {
  const { folder, files, args, env, input } = program
  return inFolder({}, (profiles) =>
    inCopy(folder, (cwd) => {
      const output = join(profiles, 'report.json')
      const words = ['run', '--engine', 'iconx', '--format', 'json', '-o', output, ...options, ...files, '--', ...args]
      const outcome = runScamp(words, { cwd, env: { ...env, ...more, SCAMP_OUT: profiles }, input })
      const report = existsSync(output) ? (JSON.parse(readFileSync(output, 'utf8')) as JsonReport) : undefined
      return { outcome, report }
    }),
  )
}

const traced = {
  '(': 'calls',
  ' returned ': 'returns',
  ' suspended ': 'suspends',
  ' resumed': 'resumptions',
  ' failed': 'failures',
}

/** Counts the lines of a trace, by procedure and event. */
export function countTrace(stderr: string): Map<string, number> {
  const counts = new Map<string, number>()
  for (const line of stderr.split('\n')) {
    const match = /^.{13}: *\d*  (?:\| )*(\w+)(\(| returned | suspended | resumed| failed)/.exec(line)
    if (!match) continue
    const key = `${match[1]} ${traced[match[2] as keyof typeof traced]}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}
