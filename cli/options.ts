// The commands and their options as tables; usage, help and parsing come from them (commander does the parsing).
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { isThreshold } from './config.js'
import type { OpenOptions } from './open.js'
import type { DiffOptions } from './diff.js'
import { monitors, selfReported } from './monitoring.js'
import { columns, type Reporting } from './reporting.js'
import { tokensHelp, type TokensOptions } from './tokens.js'
import type { WatchOptions } from './watch.js'
import { shells } from './completion.js'
import type { Described, DescribedOption } from './described.js'
import { examplesHelp, exitStatusHelp, measuresHelp } from './help.js'
import { manual } from './manual.js'
import {
  formats,
  measureNames,
  measures,
  ScampError,
  type Language,
  type Measure,
  type Monitor,
  type Stropping,
} from '../src/scamp.js'

/** Exit statuses. `scamp run` otherwise has the program's own. */
export const statuses = {
  ok: 0,
  below: 1,
  different: 1,
  misuse: 2,
  timeout: 124,
  failed: 125,
  rejected: 126,
  missing: 127,
} as const

/** Options as they come out of parsing. */
export interface InstrumentOptions {
  readonly output?: string
  readonly probes: 'basis' | 'all'
  readonly monitor?: Monitor
  readonly language?: Language
  readonly stropping?: Stropping
}
export interface RunOptions extends Reporting {
  readonly output?: string
  readonly probes: 'basis' | 'all'
  readonly monitor?: Monitor | undefined
  readonly context?: string | undefined
  readonly weights?: string
  readonly timeout?: number
  readonly memory?: number
  readonly sandbox?: boolean
  readonly plain?: boolean
  readonly engine?: 'iconx' | 'embedded' | undefined
  readonly language?: Language
  readonly icont?: string
  readonly iconx?: string
  readonly a68g?: string
  readonly stropping?: Stropping
}
export interface ReportOptions extends Reporting {
  readonly output?: string
}
export interface MergeOptions {
  readonly output: string
}

/** What is required: so much in these measures, of all files, or of those that match a pattern. */
export interface Requirement {
  readonly pattern?: string
  readonly measures: readonly Measure[]
  readonly threshold: number
}
export interface CheckOptions {
  readonly require?: readonly Requirement[]
  readonly each?: readonly Requirement[]
  readonly patch?: readonly Requirement[]
  readonly base?: string
  readonly diff?: string
  readonly baseline?: string
  readonly include?: readonly string[]
  readonly exclude?: readonly string[]
}

/** What carries the commands out. Each answers the exit status. */
export interface Handlers {
  readonly instrument: (files: string[], options: InstrumentOptions) => Promise<number>
  readonly run: (files: string[], args: string[], options: RunOptions) => Promise<number>
  readonly report: (profiles: string[], options: ReportOptions) => Promise<number>
  readonly merge: (profiles: string[], options: MergeOptions) => Promise<number>
  readonly tokens: (file: string, options: TokensOptions) => Promise<number>
  readonly diff: (a: string, b: string, options: DiffOptions) => Promise<number>
  readonly check: (profiles: string[], options: CheckOptions) => Promise<number>
  readonly tests: (place: string, profiles: string[]) => Promise<number>
  readonly open: (profiles: string[], options: OpenOptions) => Promise<number>
  readonly watch: (files: string[], args: string[], options: WatchOptions) => Promise<number>
  readonly icont: (words: string[]) => Promise<number>
  /** Prints a text. */
  readonly print: (text: string) => Promise<number>
  readonly a68g: (words: string[]) => Promise<number>
}

const probes = () =>
  new Option('--probes <which>', 'which counts get a counter: a basis from which the rest follow, or all')
    .choices(['basis', 'all'])
    .default('basis')

const format = () => new Option('-f, --format <name>', 'report format (default: scamp)').choices(Object.keys(formats))

const sourceRoot = () => new Option('--source-root <folder>', 'call the files below this folder by their paths from it')

const map = () =>
  new Option('--map <from=to>', 'call files whose names begin with one path as if they began with another').argParser(
    (mapping: string, before: readonly string[] = []) => [...before, mapping],
  )

const engine = () =>
  new Option('--engine <name>', 'what runs the program (default: embedded)')
    .env('SCAMP_ENGINE')
    .choices(['embedded', 'iconx'])

function context(text: string): string {
  if (!isContext(text)) throw new InvalidArgumentError('give at most 200 characters that can be printed.')
  return text
}

/** Whether runs can be called so. */
export const isContext = (name: string) => /^[^\p{Cc}]{0,200}$/u.test(name)

/** Reads `[PATTERN:][MEASURE=]N`. */
function requirement(text: string, before: readonly Requirement[] = []): Requirement[] {
  const match = /^(?:(.+):)?(?:([a-z]+)=)?(-?\d+(?:\.\d+)?)%?$/.exec(text)
  const threshold = Number(match?.[3])
  const measure = measures.find((one) => measureNames[one] === match?.[2])
  if (!match || !isThreshold(threshold) || (match[2] !== undefined && !measure)) {
    throw new InvalidArgumentError(
      `give [PATTERN:]MEASURE=N: a measure (${Object.values(measureNames).join(', ')}), and a percentage or minus how many may be missed.`,
    )
  }
  const pattern = match[1]
  return [
    ...before,
    { ...(pattern !== undefined && { pattern }), measures: measure ? [measure] : ['item', 'line'], threshold },
  ]
}

const list = (text: string, before: readonly string[] = []) => [...before, text]

function seconds(text: string): number {
  const value = Number(text)
  if (!(value > 0) || value > 2_000_000) throw new InvalidArgumentError('give seconds, more than 0.')
  return value
}

function megabytes(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 16) throw new InvalidArgumentError('give whole megabytes, at least 16.')
  return value
}

const monitor = (choices: readonly Monitor[] = monitors) =>
  new Option('--monitor <what>', 'what is recorded (default: constructs, or what the report needs)')
    .env('SCAMP_MONITOR')
    .choices(choices)

const language = () => new Option('--language <name>', 'of files whose name does not tell').choices(['icon', 'algol68'])

const stropping = () =>
  new Option('--stropping <name>', 'of Algol 68 texts: BOLD words in capitals, or in quotes')
    .choices(['upper', 'quote'])
    .default('upper')

function lineRange(text: string): [number, number] {
  const [, first, last = first] = /^([1-9]\d*)(?:-(\d+))?$/.exec(text) ?? []
  if (first === undefined || Number(last) < Number(first)) {
    throw new InvalidArgumentError('give a line, or the first and the last: 10-20.')
  }
  return [Number(first), Number(last)]
}

const narrowest = 20

function characters(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < narrowest) {
    throw new InvalidArgumentError(`give whole characters, at least ${narrowest}.`)
  }
  return value
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('give a whole number, at least 1.')
  return value
}

/** Adds the options that choose what of a program's tokens is shown, and how. */
function withListingOptions(command: Command): Command {
  return command
    .option('--procedure <name>', 'show the tokens of this procedure only (implies -f listing)')
    .option('--lines <a-b>', 'show the tokens of these lines only (implies -f listing)', lineRange)
    .option('--width <characters>', 'fold the lines of the listing (implies it)', characters)
    .option('--ports', 'show how often each token was started, resumed, succeeded and failed (implies -f listing)')
    .option('--hot <number>', 'show so many of the most executed tokens (implies -f hot)', wholeNumber)
}

/** Parses the command line and calls the handler it asks for. Answers the exit status. */
export async function parseCommandLine(words: readonly string[], handlers: Handlers, version: string): Promise<number> {
  let status: Promise<number> = Promise.resolve(statuses.ok)
  let command = 'scamp'
  const program = new Command('scamp')
    .description('See what Icon and Algol 68 programs really do: exact counts of everything that can happen in them.')
    .version(version)
    .exitOverride()
    .showHelpAfterError('(add --help for usage)')
    .addHelpText('after', `${examplesHelp('scamp')}\n${exitStatusHelp(columns())}`)

  /** Words of a program, and behind `--` its arguments. */
  const parted = (files: string[]): [string[], string[]] => {
    const dashes = words.indexOf('--')
    const args = dashes < 0 ? [] : words.slice(dashes + 1)
    return [files.slice(0, files.length - args.length), args]
  }

  const add = (usage: string, description: string) =>
    program
      .command(usage)
      .description(description)
      .addHelpText('after', examplesHelp(usage.split(' ')[0]))
      .exitOverride()
      .hook('preAction', (_, one) => {
        command = one.name()
      })

  withListingOptions(add('run <file...>', 'instrument a program, run it, save the profile, print the report'))
    .usage('[options] <file...> [-- args...]')
    .addOption(format())
    .addOption(sourceRoot())
    .addOption(map())
    .option('-o, --output <file>', 'where the report goes (default: standard error)')
    .addOption(monitor())
    .addOption(probes())
    .option('--weights <profile>', 'an earlier profile, by which counters go where they cost least')
    .addOption(
      new Option('--context <name>', 'what to call this run, such as the name of a test')
        .env('SCAMP_CONTEXT')
        .argParser(context),
    )
    .option('--timeout <seconds>', 'end the program after this long', seconds)
    .option('--plain', 'run the program without instrumenting it')
    .option('--memory <megabytes>', 'end the program when its values take more (embedded engine)', megabytes)
    .option('--sandbox', 'keep files, processes and the environment from the program (embedded engine)')
    .addOption(engine())
    .option('--icont <path>', 'the translator (default: $SCAMP_ICONT, else icont on the PATH)')
    .option('--iconx <path>', 'the interpreter (default: $SCAMP_ICONX, else iconx on the PATH)')
    .option('--a68g <path>', 'the interpreter of Algol 68 (default: $SCAMP_A68G, else a68g on the PATH)')
    .addOption(language())
    .addOption(stropping())
    .addHelpText(
      'after',
      `\nProfiles are saved in the folder that SCAMP_OUT names (default .scamp).\n${exitStatusHelp(columns())}`,
    )
    .action((files: string[], options: RunOptions) => {
      status = handlers.run(...parted(files), options)
    })

  add('instrument [file...]', 'print the amended text, which reports on itself when icont has translated it')
    .option('-o, --output <path>', 'a file for one text, a folder for several (default: standard output)')
    .addOption(monitor(selfReported))
    .addOption(probes())
    .addOption(language())
    .addOption(stropping())
    .addHelpText('after', '\nThe report goes to standard error, or to the file that SCAMP_REPORT names at run time.')
    .action((files: string[], options: InstrumentOptions) => {
      status = handlers.instrument(files, options)
    })

  withListingOptions(add('report [profile...]', 'print a report of saved profiles (default: the folder .scamp)'))
    .addOption(format())
    .addOption(sourceRoot())
    .addOption(map())
    .option('-o, --output <file>', 'where the report goes (default: standard output)')
    .action((profiles: string[], options: ReportOptions) => {
      status = handlers.report(profiles, options)
    })

  add('open [profile...]', 'make the page of saved profiles and show it in the browser')
    .addOption(sourceRoot())
    .addOption(map())
    .option('-o, --output <file>', 'where the page goes (default: page.html in the folder of profiles)')
    .action((profiles: string[], options: OpenOptions) => {
      status = handlers.open(profiles, options)
    })

  add('watch [file...]', 'run a program and show its page, again whenever one of its texts changes')
    .usage('[options] <file...> [-- args...]')
    .option(
      '-c, --command <command>',
      'what to run instead: a command that runs instrumented programs, such as make test',
    )
    .addOption(monitor())
    .option('-o, --output <file>', 'where the page goes (default: watch.html in the folder of profiles)')
    .option('--no-browser', 'do not start the browser')
    .action((files: string[], options: WatchOptions) => {
      status = handlers.watch(...parted(files), options)
    })

  add('merge <profile...>', 'add profiles up into one')
    .requiredOption('-o, --output <folder>', 'where the sum goes')
    .action((profiles: string[], options: MergeOptions) => {
      status = handlers.merge(profiles, options)
    })

  add('tokens <file>', "list an Icon program's executable tokens: number, line, column, text")
    .option('-o, --output <file>', 'where the list goes (default: standard output)')
    .addHelpText('after', tokensHelp)
    .action((file: string, options: TokensOptions) => {
      status = handlers.tokens(file, options)
    })

  add('diff <a> <b>', 'set two profiles of two versions of a program side by side')
    .addOption(new Option('-f, --format <name>', 'text or json').choices(['text', 'json']).default('text'))
    .option('-o, --output <file>', 'where it goes (default: standard output)')
    .option('--procedure <name>', 'compare this procedure only')
    .option('--width <characters>', 'fold the lines so that both sides fit', characters)
    .addHelpText(
      'after',
      '\nA and B: folders of profiles, or counts files. Exit status: 0 nothing differs; 1 something does; 2 trouble.',
    )
    .action((a: string, b: string, options: DiffOptions) => {
      status = handlers.diff(a, b, options)
    })

  add('check [profile...]', 'judge coverage: is what is required of it met? (default: of the folder .scamp)')
    .option(
      '--require <[pattern:]measure=n>',
      'at least n percent; -n: at most n missed; of all files, or of some',
      requirement,
    )
    .option('--each <[pattern:]measure=n>', 'the same, of each file', requirement)
    .option('--baseline <profile>', 'no measure may drop below that of these profiles')
    .option('--base <revision>', 'judge what was changed since a revision of git')
    .option('--diff <file>', 'judge what a diff adds; -: from standard input')
    .option(
      '--patch <measure=n>',
      'what is required of the change (default: 100 percent of items and lines)',
      requirement,
    )
    .option('--include <pattern>', 'files that belong to the program, even if no run had them', list)
    .option('--exclude <pattern>', 'files that are left out', list)
    .addHelpText('after', measuresHelp(columns()))
    .action((profiles: string[], options: CheckOptions) => {
      status = handlers.check(profiles, options)
    })

  add('tests <place> [profile...]', 'tell which contexts (scamp run --context) reached a line')
    .usage('<file>:<line> [profile...]')
    .action((place: string, profiles: string[]) => {
      status = handlers.tests(place, profiles)
    })

  add('icont [words...]', 'use instead of icont in build files: the same options, an instrumented executable')
    .allowUnknownOption()
    .helpOption(false)
    .addHelpText('after', '\nThe executable saves its profile in the folder that SCAMP_OUT names when it runs.')
    .action(() => undefined)

  add('a68g [words...]', 'use instead of a68g in build files: the same options, and the program is counted')
    .allowUnknownOption()
    .helpOption(false)
    .addHelpText('after', '\nThe profile is saved in the folder that SCAMP_OUT names; no report is printed.')
    .action(() => undefined)

  add(
    'completion <shell>',
    `print what completes command lines of scamp in a shell: ${Object.keys(shells).join(', ')}`,
  ).action((shell: string) => {
    status = handlers.print(completion(shell, described(program, version)))
  })

  add('man', 'print the manual page, in roff').action(() => {
    status = handlers.print(manual(described(program, version)))
  })

  if (words[0] === 'icont') return handlers.icont(words.slice(1))
  if (words[0] === 'a68g') return handlers.a68g(words.slice(1))
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (error.exitCode === 0) return statuses.ok
    process.stderr.write(choices(program, error.code, words[0]))
    return (command === 'scamp' ? words[0] : command) === 'run' ? statuses.failed : statuses.misuse
  }
  return status
}

function completion(shell: string, commandLine: Described): string {
  if (!Object.hasOwn(shells, shell)) {
    throw new ScampError(`there is no completion for ${shell}; there are ${Object.keys(shells).join(', ')}`)
  }
  return shells[shell as keyof typeof shells](commandLine)
}

/** The command line as data. */
function described(program: Command, version: string): Described {
  const optionsOf = (command: Command) =>
    command.options.map(({ short = '', long = '', flags, description, argChoices = [] }): DescribedOption => ({
      short,
      long,
      value: /<(.*)>/.exec(flags)?.[1] ?? '',
      description,
      choices: argChoices,
    }))
  return {
    description: program.description(),
    version,
    options: optionsOf(program),
    commands: program.commands.map((command) => ({
      name: command.name(),
      usage: command.usage(),
      description: command.description(),
      options: optionsOf(command),
    })),
  }
}

/** What there is, after something was asked for that there is not. */
function choices(program: Command, code: string, command: string): string {
  const names = (list: readonly string[]) => `there are: ${list.join(', ')}\n`
  if (code === 'commander.unknownCommand') return names(program.commands.map((one) => one.name()))
  if (code !== 'commander.unknownOption') return ''
  const asked = program.commands.find((one) => one.name() === command) ?? program
  return names(asked.options.map(({ flags }) => flags))
}
