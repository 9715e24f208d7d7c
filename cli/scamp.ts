#!/usr/bin/env node
// The command line: reads files, calls src/scamp.ts, writes what comes back, and ends the process. Nothing else does.
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { basename, extname, join, resolve } from 'node:path'
import {
  drawError,
  hasPassages,
  instrument,
  mergeProfiles,
  readContexts,
  readPassages,
  readProfiles,
  run,
  runPlain,
  runAlgol68,
  runPlainAlgol68,
  ScampError,
  type Language,
  type Monitor,
  type Passages,
  type Program,
  type Source,
} from '../src/scamp.js'
import { reasonOf } from '../src/5-profile/file.js'
import { a68gWrapper } from './a68g.js'
import { check } from './check.js'
import { readConfig, type Config } from './config.js'
import { diff } from './diff.js'
import { icontWrapper } from './icont.js'
import { formatOf, monitorFor } from './listing.js'
import { suits, withTokens } from './monitoring.js'
import { parseCommandLine, statuses, type Handlers, type RunOptions } from './options.js'
import { noProfile, profileFolder, profilesOr } from './profiles.js'
import { withProgress } from './progress.js'
import { isFolder, reportPath, writeOutput } from './files.js'
import { open } from './open.js'
import { draw } from './reporting.js'
import { inScope } from './scope.js'
import { watch } from './watch.js'
import { exitAs, followSignals } from './signals.js'
import { tests } from './tests.js'
import { tokens } from './tokens.js'

const writeError = (text: string) => process.stderr.write(text, 'latin1')

const lostCounts = 'scamp: the counts of this run are lost: it left no dump, and its memory could not be read\n'

const stackNote =
  "scamp: note: expressions whose tokens are counted take more of iconx's stack; if deep recursion ends in error 301,\n" +
  'set MSTKSIZE=15000 in the environment, or more (the usual size is 10000 words)\n'

class MissingFile extends ScampError {}

/** The languages, by the endings of their files. */
const endings: Readonly<Record<string, Language>> = {
  '.icn': 'icon',
  ...Object.fromEntries(
    'a68 A68 a68g A68G algol ALGOL algol68 ALGOL68 algol68g ALGOL68G alg'
      .split(' ')
      .map((ending) => [`.${ending}`, 'algol68']),
  ),
}

/** Reads a source; `-` is standard input. As icont and a68g, takes NAME for NAME.icn, NAME.a68 and so on. */
function readSource(name: string, language?: Language): Source {
  if (name === '-') return checkedSource({ name, text: readFileSync(0, 'latin1'), language: language ?? 'icon' })
  const spoken = Object.keys(endings).filter((ending) => !language || endings[ending] === language)
  const candidates = existsSync(name) ? [name] : spoken.map((ending) => `${name}${ending}`)
  const path = candidates.find((one) => existsSync(one)) ?? name
  const found = language ?? endings[extname(path)]
  if (!existsSync(path)) throw new MissingFile(`cannot read ${path}: no such file or folder`)
  if (!found) {
    throw new MissingFile(
      `${path}: what language is it? Icon files end in .icn, Algol 68 files in .a68; for others say --language`,
    )
  }
  try {
    return checkedSource({ name: path, text: readFileSync(path, 'latin1'), language: found })
  } catch (error) {
    if (error instanceof ScampError) throw error
    throw new MissingFile(`cannot read ${path}: ${reasonOf(error)}`)
  }
}

function checkedSource(source: Source): Source {
  if (source.text.includes('\0')) throw new ScampError(`${source.name} is not a program text: it contains binary data`)
  return source
}

const isUcode = (name: string) => /\.u[12]?$/.test(name)

const handlers: Handlers = {
  instrument: async (files, options) => {
    const { output, language } = options
    const sources = (files.length > 0 ? files : ['-']).map((name) => readSource(name, language))
    const programs = await instrument(sources, instrumentingBy(options))
    for (const program of programs) for (const note of unmonitoredNotes(program)) writeError(`scamp: note: ${note}\n`)
    if (programs.some(({ plan }) => plan.tokens.length > 0)) writeError(stackNote)
    const folder = sources.length > 1 || (output !== undefined && isFolder(output))
    if (output === undefined) {
      if (folder) throw new ScampError('several files: say with -o which folder the amended texts go to')
      process.stdout.write(programs[0].text, 'latin1')
    } else {
      const paths = sources.map(({ name }) =>
        folder ? join(output, name === '-' ? 'stdin.icn' : basename(name)) : output,
      )
      checkOutputs(sources, paths)
      for (const [i, { text }] of programs.entries()) {
        writeOutput(paths[i], Buffer.from(text, 'latin1'))
      }
    }
    return statuses.ok
  },

  run: async (files, args, given) => {
    const config = await readConfig()
    const names = files.filter((name) => !isUcode(name))
    if (names.length === 0) throw new ScampError('name at least one source file')
    const sources = names.map((name) => readSource(name, given.language))
    const language = sources.some((one) => one.language === 'algol68') ? 'algol68' : 'icon'
    const options = asConfigured(given, config, language)
    const [first] = sources
    if (!options.plain && sources.length === 1 && first.language === 'icon' && !/\bprocedure\b/.test(first.text)) {
      throw new ScampError(`${first.name} has no procedure main`)
    }
    if (language === 'algol68') return runAlgol68Sources(sources, args, options, config.out)
    if (options.monitor === 'actions') throw new ScampError('actions are monitored in Algol 68; in Icon, tokens are')
    const linked = files.filter(isUcode)
    const running = {
      engine: engineFor(options, linked),
      args,
      icont: options.icont ?? process.env.SCAMP_ICONT,
      iconx: options.iconx ?? process.env.SCAMP_ICONX,
      folder: profileFolder(config.out),
      context: options.context ?? '',
      timeoutSeconds: options.timeout,
      memoryMegabytes: options.memory,
      sandbox: options.sandbox ?? false,
      writeError,
      onStart: followSignals,
    }
    if (options.plain) {
      const { end } = await runPlain(sources, linked, running)
      return exitAs(end)
    }
    const instrumenting = { ...instrumentingBy(options), ...weightsOf(sources, options) }
    const { run: finished, profile, unsaved } = await run(sources, linked, instrumenting, running)
    if (!profile && sources.some(({ text }) => /\bprocedure\s+main\b/.test(text))) writeError(lostCounts)
    if (profile) writeReport(draw(profile, options, sources, process.stderr), options)
    if (unsaved) throw unsaved
    return exitAs(finished.end)
  },

  report: async (profiles, options) => {
    const { output } = options
    const config = await readConfig()
    const paths = profilesOr(profiles, config.out)
    const { profile, rejected } = withProgress('reading profiles', (progress) => readProfiles(paths, progress))
    for (const message of rejected) writeError(`scamp: ${message}\n`)
    if (profile.files.length === 0) {
      throw new ScampError(noProfile(paths))
    }
    const scoped = await inScope(profile, config, [], instrumenting, readSource)
    // only the page tells contexts apart
    const contexts = options.format === 'html' ? readContexts(paths).contexts : []
    const text = draw(scoped, options, [], process.stdout, { contexts })
    if (output === undefined) process.stdout.write(text)
    else writeOutput(reportPath(output, formatOf(options)), Buffer.from(text))
    return rejected.length > 0 ? statuses.below : statuses.ok
  },

  merge: async (profiles, { output }) => {
    if (
      existsSync(output) &&
      profiles.some((path) => existsSync(path) && realpathSync(path) === realpathSync(output))
    ) {
      throw new ScampError(
        `in ${output} the sum would stand beside its parts, and they would count twice: name another folder`,
      )
    }
    const were = existsSync(output) && isFolder(output) && readdirSync(output).some((name) => name.endsWith('.counts'))
    const { runs, rejected } = withProgress('merging profiles', (progress) => mergeProfiles(profiles, output, progress))
    for (const message of rejected) writeError(`scamp: ${message}\n`)
    if (runs === 0) throw new ScampError(`there is no profile in ${profiles.join(', ')}`)
    if (were) writeError(`scamp: note: there were profiles in ${output} before; they count as well\n`)
    return rejected.length > 0 ? statuses.below : statuses.ok
  },

  check: (profiles, options) => check(profiles, options, { instrumenting, readSource, endings: Object.keys(endings) }),

  tokens: (file, options) => tokens(readSource(file), options),

  diff,

  tests,

  open: (profiles, options) =>
    open(profiles, options, (profile, config) => inScope(profile, config, [], instrumenting, readSource)),

  watch,

  print: async (text) => {
    process.stdout.write(text)
    return statuses.ok
  },

  icont: (words) => icontWrapper(words, readSource),

  a68g: async (words) => {
    return a68gWrapper(words, (name) => readSource(name, 'algol68'), profileFolder((await readConfig()).out))
  },
}

/** The options of a run, as they are configured where the command line says nothing. */
function asConfigured(options: RunOptions, { context, monitor, engine }: Config, language: Language): RunOptions {
  return {
    ...options,
    context: options.context ?? context,
    // a format that needs tokens gets them, whatever is configured
    monitor: options.monitor ?? configuredMonitor(monitor, monitorFor(options), language),
    engine: options.engine ?? engine,
  }
}

function configuredMonitor(configured: Monitor | undefined, needed: Monitor, language: Language): Monitor | undefined {
  if (!configured || !suits(configured, language)) return undefined
  return needed === 'tokens' ? withTokens(configured) : configured
}

/** The engine asked for; ucode files, and naming an interpreter, ask for iconx. */
function engineFor(options: RunOptions, linked: readonly string[]): 'iconx' | 'embedded' {
  const implied = linked.length > 0 || options.icont !== undefined || options.iconx !== undefined
  const engine = options.engine ?? (implied ? 'iconx' : 'embedded')
  if (engine === 'iconx') {
    if (options.sandbox) throw new ScampError('iconx has no sandbox; use --engine embedded')
    if (options.memory !== undefined) throw new ScampError('iconx has no memory limit; use --engine embedded')
  }
  return engine
}

type HowToInstrument = Pick<RunOptions, 'probes' | 'sandbox' | 'stropping'> & Partial<RunOptions>

const instrumentingBy = (options: HowToInstrument) => {
  const { probes, monitor = monitorFor(options), sandbox, stropping } = options
  const lpath = process.env.LPATH ?? ''
  return { probing: probes, monitor, lpath, sandbox: sandbox ?? false, ...(stropping && { stropping }) }
}

/** How texts are instrumented if nobody asks for more. */
const instrumenting = instrumentingBy({ probes: 'basis' })

/** What an earlier profile tells; of texts that it does not know, a note says so. */
function weightsOf(sources: readonly Source[], options: RunOptions): { passages?: Passages } {
  const { weights, monitor = monitorFor(options) } = options
  if (weights === undefined) return {}
  const passages = readPassages([weights])
  for (const source of sources) {
    if (hasPassages(passages, source, monitor)) continue
    writeError(
      `scamp: note: ${weights} has no ${monitor} of ${source.name} as it is now; its counters are placed as ever\n`,
    )
  }
  return { passages }
}

/** Runs an Algol 68 program, which is one file and what its pragmats include. */
async function runAlgol68Sources(
  sources: readonly Source[],
  args: readonly string[],
  options: RunOptions,
  out: string | undefined,
): Promise<number> {
  const [source, ...others] = sources
  if (others.length > 0) throw new ScampError('an Algol 68 program is one file; others are included by PR include PR')
  if ((options.monitor ?? monitorFor(options)) === 'tokens')
    throw new ScampError('tokens are counted in Icon programs; in Algol 68 there is --monitor actions')
  const a68g = options.a68g ?? process.env.SCAMP_A68G
  const flags = options.stropping === 'quote' ? ['--quotestropping'] : []
  const words = [...flags, source.name, ...(args.length > 0 ? ['--', ...args] : [])]
  if (options.plain) {
    if (source.name === '-') throw new ScampError('a program from standard input cannot be run plain: name a file')
    return runPlainAlgol68(a68g, words)
  }
  const { run, profile, unsaved } = await runAlgol68(source, instrumentingBy(options), {
    a68g,
    flags,
    checkFlags: [],
    words: ['a68g', ...words],
    folder: profileFolder(out),
    context: options.context ?? '',
    timeoutSeconds: options.timeout,
    write: (chunk) => void process.stdout.write(chunk, 'latin1'),
    writeError: (chunk) => void process.stderr.write(chunk, 'latin1'),
    onStart: followSignals,
  })
  if (profile) writeReport(draw(profile, options, sources, process.stderr), options)
  else writeError(lostCounts)
  if (unsaved) throw unsaved
  return exitAs(run.end)
}

/** What of a program no probe could reach, a sentence for each file and each place. */
function unmonitoredNotes({ plan }: Program): string[] {
  const [main, ...included] = plan.files.map(({ name }, file) => {
    const missing = plan.unmonitored.filter((one) => one.file === file)
    return { name, missing }
  })
  return [
    ...main.missing.map(
      ({ line, what }) => `${main.name}:${line}: this ${what} is not monitored: a definition brings it in`,
    ),
    ...included
      .filter(({ missing }) => missing.length > 0)
      .map(({ name }) => `${name}, which ${main.name} includes, is not monitored`),
  ]
}

/** Amended texts may overwrite neither a source nor each other. */
function checkOutputs(sources: readonly Source[], paths: readonly string[]): void {
  const real = (path: string) => (existsSync(path) ? realpathSync(path) : resolve(path))
  const originals = new Set(sources.map(({ name }) => real(name)))
  for (const [i, path] of paths.entries()) {
    if (originals.has(real(path))) throw new ScampError(`${path} is a source: the amended text needs another place`)
    if (paths.indexOf(path) < i) {
      throw new ScampError(`both ${sources[paths.indexOf(path)].name} and ${sources[i].name} would become ${path}`)
    }
  }
}

function writeReport(text: string, options: RunOptions): void {
  if (options.output === undefined) process.stderr.write(text)
  else writeOutput(reportPath(options.output, formatOf(options)), Buffer.from(text))
}

/** The status of a command that ended in an error. */
function statusOf(error: unknown, isRun: boolean): number {
  if (!isRun) return error instanceof ScampError && !(error instanceof MissingFile) ? statuses.below : statuses.misuse
  if (!(error instanceof ScampError)) return statuses.failed
  if (error instanceof MissingFile || /apt-get install/.test(error.message)) return statuses.missing
  return error.source || /^(?:icont|a68g) /.test(error.message) || /binary data|no procedure/.test(error.message)
    ? statuses.rejected
    : statuses.failed
}

async function main(): Promise<void> {
  const words = process.argv.slice(2)
  process.stdout.on('error', (error: NodeJS.ErrnoException) =>
    process.exit(error.code === 'EPIPE' ? 0 : statuses.misuse),
  )
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
    version: string
  }
  try {
    process.exitCode = await parseCommandLine(words, handlers, version)
  } catch (error) {
    const known = error instanceof ScampError
    writeError(`scamp: ${known ? drawError(error) : (error as Error).message}\n`)
    if (!known && process.env.SCAMP_DEBUG) writeError(`${(error as Error).stack}\n`)
    // icont ends with 1, whatever is wrong
    process.exitCode = words[0] === 'icont' ? 1 : statusOf(error, words[0] === 'run' || words[0] === 'a68g')
  }
}

await main()
