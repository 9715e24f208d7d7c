// What help and the manual page tell beside commands and options: examples, the environment, and how commands end.

/** Examples, by the command they are of: what to type, and what it does. */
export const examples: Readonly<Record<string, readonly (readonly [typed: string, does: string])[]>> = {
  scamp: [
    ['scamp run queens.icn -- 8', 'run a program with an argument; the report goes to standard error'],
    ['scamp open', 'look at what was counted so far, in the browser'],
    ['make test ICONT="scamp icont" && scamp report', 'count what the tests of a project do'],
  ],
  run: [
    ['scamp run queens.icn -- 8', "what is behind -- are the program's arguments"],
    ['scamp run -f listing a.icn', 'the source, with how often every token was executed'],
    ['scamp run --ports --procedure p a.icn', 'of one procedure, what was started, resumed, succeeded and failed'],
    ['scamp run -f search a.icn', 'which generators searched in vain'],
    ['scamp run -f html -o a.html a.icn b.icn', 'a page to open in a browser'],
    ['scamp run --context sorting sort.a68 <words', 'give the run a name, to learn later which runs reached a line'],
  ],
  instrument: [
    ['scamp instrument queens.icn >q.icn', 'then: icont q.icn && ./q 8'],
    ['scamp instrument -o amended *.icn', 'several files, into a folder'],
  ],
  report: [
    ['scamp report', 'all runs saved in .scamp, added up'],
    ['scamp report -f lcov -o lcov.info profiles/', 'for genhtml, editors and services'],
    ['scamp report -f markdown >>"$GITHUB_STEP_SUMMARY"', 'for the summary of a build'],
    ['scamp report -f cobertura --map /build/src=src', 'files under the names that others know them by'],
  ],
  open: [['scamp open', 'the runs saved in .scamp, in the browser that BROWSER or the system names']],
  watch: [
    ['scamp watch queens.icn -- 8', 'edit queens.icn, and see'],
    ['scamp watch -c "make test ICONT=\'scamp icont\'"', 'the tests of a project, whenever a text changes'],
  ],
  merge: [['scamp merge -o all one/.scamp two/.scamp', 'the runs of two machines as one']],
  tokens: [['scamp tokens queens.icn', 'the tokens that are executed, numbered from 1']],
  diff: [['scamp diff before/ after/', 'what changed from one version of a program to the next']],
  check: [
    ['scamp check --require branches=80 --each procedures=100', 'of all files together, and of each'],
    ["scamp check --require 'lib/**:branches=-3'", 'at most three may be missed in these files'],
    ['scamp check --baseline main/.scamp', 'nothing may drop'],
    ['git diff main | scamp check --diff - --patch 90', 'of what a change adds'],
  ],
  tests: [['scamp tests queens.icn:12', 'which runs came to line 12']],
  icont: [['make ICONT="scamp icont"', 'build as ever; the programs save a profile whenever they are run']],
  a68g: [['make test A68G="scamp a68g"', 'test as ever; each run saves a profile']],
  completion: [
    ['eval "$(scamp completion bash)"', 'in ~/.bashrc'],
    ['scamp completion zsh >"${fpath[1]}/_scamp"', 'for zsh'],
    ['scamp completion fish >~/.config/fish/completions/scamp.fish', 'for fish'],
  ],
  man: [['scamp man | man -l -', 'read the manual page']],
}

/** The variables of the environment that scamp looks at. */
export const environment: readonly (readonly [name: string, means: string])[] = [
  ['SCAMP_OUT', 'the folder of profiles (default .scamp); in it, %p is the process, %h the host, %t the time'],
  ['SCAMP_CONTEXT', 'what runs are called, as --context'],
  ['SCAMP_MONITOR', 'what is recorded, as --monitor; for the wrappers too'],
  ['SCAMP_ENGINE', 'what runs Icon programs: embedded or iconx'],
  ['SCAMP_ICONT, SCAMP_ICONX, SCAMP_A68G', 'the translator and the interpreters, if they are not those on the PATH'],
  ['SCAMP_REPORT', 'where a program from scamp instrument writes its report'],
  ['LPATH', 'where Icon programs find what they include'],
  ['SOURCE_DATE_EPOCH', 'the time that reports mention, in seconds'],
  ['BROWSER', 'what opens pages'],
  ['NO_COLOR, FORCE_COLOR', 'whether listings are in colours, whatever they are written to'],
]

/** How commands end, a paragraph each. */
export const exitStatus: readonly string[] = [
  "Exit status of run: the program's own; 124 time limit reached; 125 scamp could not do it (bad use, unwritable profile); " +
    '126 the program was rejected (by scamp, icont or a68g); 127 a file or an interpreter is missing.',
  "Of icont: icont's. Of a68g: a68g's and the program's own; 125 and 127 as of run. Of an instrumented executable: the " +
    "program's own; 125 if it could not be started.",
  'Other commands: 0 done; 1 the program or a profile is wrong; 2 bad use. Of diff: 0 nothing differs; 1 something does; 2 trouble. ' +
    'Of check: 0 all is met; 1 something is not, or a profile cannot be read; 2 it cannot be judged.',
]

/** How commands end, as help shows it on a screen so many characters wide. */
export function exitStatusHelp(columns: number): string {
  return `\n${exitStatus.map((paragraph) => folded(paragraph, columns)).join('\n')}`
}

/** What requirements are spelled of, as help shows it on a screen so many characters wide. */
export function measuresHelp(columns: number): string {
  const paragraph =
    'Measures: procedures, blocks, branches, outcomes (of operations: --monitor tokens), items (all of these), lines; ' +
    'without a measure, items and lines. Options with <[pattern:]measure=n> and patterns can be given several times.'
  return `\n${folded(paragraph, columns)}`
}

/** A paragraph in lines of at most so many characters, as far as words allow. */
function folded(paragraph: string, columns: number): string {
  const lines = ['']
  for (const word of paragraph.split(' ')) {
    const line = lines[lines.length - 1]
    if (line === '') lines[lines.length - 1] = word
    else if (line.length + 1 + word.length <= columns) lines[lines.length - 1] = `${line} ${word}`
    else lines.push(word)
  }
  return lines.join('\n')
}

/** A command's examples as help shows them. */
export function examplesHelp(command: string): string {
  const lines = (examples[command] ?? []).map(([typed, does]) => `  ${typed}\n      ${does}`)
  return lines.length > 0 ? `\nExamples:\n${lines.join('\n')}` : ''
}
