// `scamp a68g`: a68g's own command line, but the program is instrumented and its profile saved. What scamp cannot monitor
// runs as it is, with a note; what runs nothing is a68g's to answer.
import { drawError, Rejected, runAlgol68, runPlainAlgol68, ScampError, type Source } from '../src/scamp.js'
import { monitorWanted } from './monitoring.js'
import { isContext, statuses } from './options.js'
import { exitAs, followSignals } from './signals.js'

/**
 * What becomes of an option of a68g:
 *
 * kept     it is for the instrumented program as well
 * checked  it is about the text, which a68g checks first, as the user wrote it
 * plain    the program runs as it is, and is not counted
 * silent   nothing runs that could be counted
 * running  it does, after all
 * script   the file follows, and all behind it is the program's
 * rest     all behind it is the program's
 */
type Fate = 'kept' | 'checked' | 'plain' | 'silent' | 'running' | 'script' | 'rest'

// as `a68g --help` lists them; those with a value have a `=`
const fates: readonly (readonly [fate: Fate, options: string])[] = [
  ['kept', 'assertions noassertions boldstropping quotestropping nowarnings quiet nooptimise nobacktrace notrace O0'],
  ['kept', 'noportcheck nolisting nosource notree noxref precision= heap= handles= frame= stack= timelimit='],
  ['checked', 'warnings portcheck pedantic listing extensive moids preludelisting source tree unused xref echo='],
  [
    'plain',
    'backtrace brackets clock debug monitor e= x= execute= p= print= nopragmats pragmats O O1 O2 O3 optimise keep',
  ],
  ['plain', 'nokeep object rerun reductions statistics strict trace verbose file='],
  ['running', 'run'],
  ['silent', 'check norun help version pretty-print'],
  ['script', 'script'],
  ['rest', 'exit'],
]
const options: ReadonlyMap<string, { readonly fate: Fate; readonly takesValue: boolean }> = new Map(
  fates.flatMap(([fate, list]) =>
    list.split(' ').map((name) => [name.replace('=', ''), { fate, takesValue: name.endsWith('=') }] as const),
  ),
)

/** What a command line of a68g asks for, as far as it concerns scamp. */
interface Wanted {
  readonly file: string
  readonly flags: readonly string[]
  readonly checkFlags: readonly string[]
  readonly isQuoted: boolean
  /** The option that keeps the program from being monitored. */
  readonly obstacle: string | undefined
}

/** Carries out a command line of a68g. Answers the exit status. */
export async function a68gWrapper(
  words: readonly string[],
  readSource: (name: string) => Source,
  folder: string,
): Promise<number> {
  const a68g = process.env.SCAMP_A68G
  const context = process.env.SCAMP_CONTEXT ?? ''
  if (!isContext(context)) throw new ScampError('SCAMP_CONTEXT is too long, or cannot be printed')
  const wanted = understand(words)
  const runAsItIs = (reason?: string) => {
    if (reason !== undefined) process.stderr.write(`scamp: note: ${reason}\n`, 'latin1')
    return runPlainAlgol68(a68g, words)
  }
  if (!wanted) return runAsItIs()
  const { file, flags, checkFlags, isQuoted, obstacle } = wanted
  if (obstacle !== undefined) return runAsItIs(`${file} is not monitored, because of ${obstacle}`)
  const source = attempt(() => readSource(file))
  // a68g says what is wrong
  if (source instanceof ScampError) return runAsItIs()
  const stropping = isQuoted ? 'quote' : 'upper'
  const monitor = monitorWanted('algol68')
  const instrumenting = { probing: 'basis', monitor, lpath: '', sandbox: false, stropping } as const
  try {
    const { run, profile, unsaved } = await runAlgol68(source, instrumenting, {
      a68g,
      flags,
      checkFlags,
      words: ['a68g', ...words],
      folder,
      context,
      timeoutSeconds: undefined,
      write: (chunk) => void process.stdout.write(chunk, 'latin1'),
      writeError: (chunk) => void process.stderr.write(chunk, 'latin1'),
      onStart: followSignals,
    })
    if (!profile) process.stderr.write(`scamp: note: the counts of this run of ${file} are lost\n`, 'latin1')
    if (unsaved) process.stderr.write(`scamp: ${drawError(unsaved)}\n`, 'latin1')
    return exitAs(run.end)
  } catch (error) {
    if (error instanceof Rejected) return statuses.below
    if (!(error instanceof ScampError) || !error.source) throw error
    return runAsItIs(`${file} is not monitored: ${drawError(error).split('\n', 1)[0]}`)
  }
}

function attempt(work: () => Source): Source | ScampError {
  try {
    return work()
  } catch (error) {
    if (error instanceof ScampError) return error
    throw error
  }
}

/** Reads a68g's options, which may stand before and after the file. Answers undefined for what a68g itself must answer. */
function understand(words: readonly string[]): Wanted | undefined {
  const flags: string[] = []
  const checkFlags: string[] = []
  const files: string[] = []
  let obstacle: string | undefined
  let runs = true
  let isQuoted = false
  for (let i = 0; i < words.length; i++) {
    const [, spelled, value] = /^-+([^=]*)(=.*)?$/s.exec(words[i]) ?? []
    if (spelled === undefined) {
      files.push(words[i])
      continue
    }
    const found = findOption(spelled)
    if (!found || found.fate === 'rest') {
      if (spelled === '' || found) break
      return undefined
    }
    if (found.fate === 'script') {
      if (i + 1 < words.length) files.push(words[i + 1])
      break
    }
    const both = [words[i], ...(found.takesValue && value === undefined && i + 1 < words.length ? [words[++i]] : [])]
    if (found.fate === 'kept') flags.push(...both)
    else if (found.fate === 'checked') checkFlags.push(...both)
    else if (found.fate === 'plain') obstacle ??= both[0]
    else runs = found.fate === 'running'
    if (found.name === 'quotestropping' || found.name === 'boldstropping') isQuoted = found.name === 'quotestropping'
  }
  return runs && files.length === 1 ? { file: files[0], flags, checkFlags, isQuoted, obstacle } : undefined
}

/** Finds an option by its name or the beginning of it; if that may mean options of several fates, none. */
function findOption(spelled: string): { name: string; fate: Fate; takesValue: boolean } | undefined {
  const exact = options.get(spelled)
  if (exact) return { name: spelled, ...exact }
  const [first, ...others] = [...options].filter(([name]) => spelled !== '' && name.startsWith(spelled))
  const isClear = first && others.every(([, { fate }]) => fate === first[1].fate)
  return isClear ? { name: first[0], ...first[1] } : undefined
}
