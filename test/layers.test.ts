// The import rules that keep the stages apart (STYLE.md §3), by reading the import lines. Where the tree has its
// reasons to differ, the exception is listed here with the reason; one that is no longer needed fails as well.
import { describe, expect, test } from '@jest/globals'
import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize } from 'node:path'
import { root } from './programs.js'

/** One import line. `typesOnly`: nothing of it is left when the program runs. */
interface Import {
  readonly from: string
  /** A path from the root, without extension, or the name of a package. */
  readonly to: string
  readonly typesOnly: boolean
}

const files = ['src', 'cli'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name)),
)

const withoutEnd = (path: string) => path.replace(/\.[jt]s$/, '')

/** The program text of a file, without comments. */
function codeOf(file: string): string {
  return readFileSync(join(root, file), 'utf8')
    .replace(/\/\*[^]*?\*\//g, '')
    .replace(/^\s*\/\/.*$|(?<=[\s;{}])\/\/ .*$/gm, '')
}

const imports: Import[] = files.flatMap((file) => {
  const code = codeOf(file)
  const declared = [...code.matchAll(/^(?:import|export)\b([^'"`;]*?)\bfrom\s*'([^']+)'/gm)].map(([, names, to]) => {
    const listed = /\{([^]*)\}/.exec(names)?.[1].split(',') ?? []
    const each = listed.map((name) => name.trim()).filter((name) => name !== '')
    const onlyTypesListed = !/^[^{]*\w/.test(names) && each.length > 0 && each.every((name) => /^type\s/.test(name))
    return { to, typesOnly: /^\s*type\b(?!\s*from\b)/.test(names) || onlyTypesListed }
  })
  const others = [
    ...code.matchAll(/\bimport\s*\(\s*'([^']+)'/g),
    ...code.matchAll(/^import\s*'([^']+)'/gm),
    ...code.matchAll(/\brequire\s*\(\s*'([^']+)'/g),
  ].map(([, to]) => ({ to, typesOnly: false }))
  return [...declared, ...others].map(({ to, typesOnly }) => ({
    from: file,
    to: to.startsWith('.') ? withoutEnd(normalize(join(dirname(file), to))) : to.replace(/^node:/, ''),
    typesOnly,
  }))
})

const groundFloor = ['src/source', 'src/error']

const stageOf = (path: string) => {
  const match = /^src\/(\d)-/.exec(path)
  return match ? Number(match[1]) : undefined
}

const isPackage = (to: string) => !/^(?:src|cli|grammar|test|bench|prelude)\//.test(to)

const lineOf = ({ from, to }: Pick<Import, 'from' | 'to'>) => `${from} → ${to}`

/** Expects the breaches of a rule to be the exceptions listed, no more and no fewer. */
function expectOnly(breaches: readonly Import[], exceptions: Readonly<Record<string, string>>): void {
  expect([...new Set(breaches.map(lineOf))].sort()).toEqual(Object.keys(exceptions).sort())
}

test('the import lines are read', () => {
  expect(files.length).toBeGreaterThan(25)
  for (const one of ['src/scamp.ts → src/prepare', 'src/2-plan/plan.ts → src/2-plan/icon']) {
    expect(imports.map(lineOf)).toContain(one)
  }
  expect(imports.find((one) => lineOf(one) === 'src/2-plan/plan.ts → src/2-plan/infer')?.typesOnly).toBe(true)
  expect(imports.find((one) => lineOf(one) === 'src/1-parse/parse.ts → src/1-parse/icon/parse')?.typesOnly).toBe(false)
  // every file that is named is there
  const known = new Set([...files.map(withoutEnd), 'grammar/icon', 'grammar/algol68'])
  expect(imports.filter(({ to }) => !isPackage(to) && !known.has(to)).map(lineOf)).toEqual([])
})

describe('1 stages', () => {
  test('a stage imports itself, earlier stages and the ground floor', () => {
    const breaches = imports.filter(({ from, to }) => {
      const [own, other] = [stageOf(from), stageOf(to)]
      if (own === undefined || isPackage(to)) return false
      return other === undefined ? !groundFloor.includes(to) : other > own
    })
    expectOnly(breaches, {
      'src/1-parse/algol68/parse.ts → grammar/algol68': 'the parser that Peggy makes is what stage 1 is about',
      'src/1-parse/icon/parse.ts → grammar/icon': 'the parser that Peggy makes is what stage 1 is about',
    })
  })

  test('the ground floor imports itself only', () => {
    const breaches = imports.filter(({ from, to }) => {
      return groundFloor.includes(withoutEnd(from)) && !isPackage(to) && !groundFloor.includes(to)
    })
    expectOnly(breaches, {})
  })

  test('every file of src has a place', () => {
    const placeless = files.filter((file) => file.startsWith('src/') && stageOf(file) === undefined)
    // prepare.ts: stages 1 to 3 for a whole program, apart from scamp.ts because a worker thread loads it
    // algol68.ts: the pipeline of a language that runs in its own way
    // profiles.ts: what is done with profiles that were saved
    expect(placeless.sort()).toEqual([
      'src/algol68.ts',
      'src/error.ts',
      'src/prepare.ts',
      'src/profiles.ts',
      'src/scamp.ts',
      'src/source.ts',
    ])
  })

  test('nothing in src imports scamp.ts, and only pipelines import prepare.ts', () => {
    expectOnly(
      imports.filter(({ from, to }) => from.startsWith('src/') && to === 'src/scamp'),
      {},
    )
    expectOnly(
      imports.filter(({ to }) => to === 'src/prepare'),
      {
        'src/algol68.ts → src/prepare': 'the pipeline',
        'src/profiles.ts → src/prepare': 'plans files that no run had, and reads again what generators serve',
        'src/scamp.ts → src/prepare': 'the pipeline',
      },
    )
  })

  test('prepare.ts knows stages 1 to 3', () => {
    const known = imports.filter(({ from }) => from === 'src/prepare.ts').map(({ to }) => stageOf(to) ?? 0)
    expect(Math.max(...known)).toBe(3)
  })

  test('nothing imports tests, benchmarks or the command line', () => {
    const breaches = imports.filter(
      ({ from, to }) => /^(?:test|bench)\//.test(to) || (to.startsWith('cli/') && !from.startsWith('cli/')),
    )
    expectOnly(breaches, {})
  })
})

test('2 reports import only profiles and the ground floor', () => {
  const breaches = imports.filter(({ from, to }) => {
    if (stageOf(from) !== 6 || stageOf(to) === 6 || isPackage(to)) return false
    return to !== 'src/5-profile/profile' && !groundFloor.includes(to)
  })
  expectOnly(breaches, {
    'src/6-report/page.ts → src/1-parse/colours': 'shows texts in the colours of their tokens',
    'src/6-report/page-file.ts → src/1-parse/colours': 'spells those colours',
  })
})

test('2 reports use no package and no module of Node', () => {
  expectOnly(
    imports.filter(({ from, to }) => stageOf(from) === 6 && isPackage(to)),
    {
      'src/6-report/exchange/istanbul.ts → istanbul-lib-coverage': "Istanbul's model of coverage",
      'src/6-report/exchange/istanbul.ts → istanbul-lib-report': "what Istanbul's reports write to",
      'src/6-report/exchange/istanbul.ts → istanbul-reports': 'those reports',
      'src/6-report/exchange/istanbul.ts → module': 'loads these packages when a report is asked for',
      'src/6-report/exchange/istanbul.ts → path': "tells the names that Istanbul's lcov makes relative",
      'src/6-report/page.ts → crypto': "names the page's program by its hash",
      'src/6-report/page.ts → fs': "reads the page's program, which the build makes",
    },
  )
})

test('3 the languages never import each other', () => {
  const languageOf = (path: string) => /\/(icon|algol68)/.exec(path)?.[1]
  const breaches = imports.filter(({ from, to }) => {
    const [own, other] = [languageOf(from), languageOf(to)]
    return own !== undefined && other !== undefined && own !== other
  })
  expectOnly(breaches, {})
})

describe('5 one owner for each outside thing', () => {
  const usersOf = (name: RegExp) =>
    [...new Set(imports.filter(({ to }) => name.test(to)).map(({ from }) => from))].sort()

  test('child processes', () => {
    // commands.ts knows only what a child process is
    // a browser, and the runs of a watch, are no engine's
    const users = ['cli/open.ts', 'cli/watch.ts', 'src/4-run/commands.ts', 'src/4-run/native.ts']
    expect(usersOf(/^child_process$/)).toEqual(users)
  })

  test('threads', () => {
    const reasons: Record<string, string> = {
      'src/4-run/ask.ts': 'asks another thread for commands',
      'src/4-run/embedded-worker.ts': 'is the thread of an Icon program',
      'src/4-run/embedded.ts': 'starts that thread',
      'src/4-run/pause.ts': 'halts it',
      'src/prepare.ts': 'has a large stack there',
    }
    expect(usersOf(/^worker_threads$/)).toEqual(Object.keys(reasons).sort())
  })

  test('the command line parser', () => {
    expect(usersOf(/^commander$/)).toEqual(['cli/options.ts'])
  })

  test('files', () => {
    const reasons: Record<string, string> = {
      'src/profiles.ts': 'reads a source again, if it has not changed since it was profiled',
      'src/prepare.ts': 'finds and reads included files',
      'src/3-rewrite/link.ts': 'reads the prelude',
      'src/4-run/embedded-worker.ts': 'finds what Icon programs include',
      'src/4-run/icon/link.ts': 'finds what they link',
      'src/4-run/icon/files.ts': "an Icon program's files",
      'src/3-rewrite/algol68-report.ts': 'reads the prelude',
      'src/4-run/a68g.ts': 'lays out sources for a68g',
      'src/4-run/iconx-memory.ts': 'looks into /proc/PID',
      'src/4-run/iconx.ts': 'lays out sources for icont, and rewrites headers of executables',
      'src/4-run/launch.ts': 'looks whether a process is stopped, in /proc/PID',
      'src/4-run/native.ts': 'temporary folders',
      'src/5-profile/file.ts': 'profile files',
      'src/6-report/page.ts': "reads the page's program and looks",
    }
    expect(usersOf(/^fs(\/promises)?$/).filter((file) => file.startsWith('src/'))).toEqual(Object.keys(reasons).sort())
  })

  test('this process', () => {
    const reasons: Record<string, string> = {
      'src/4-run/native.ts': 'PATH, the environment that programs inherit, and dying of a signal as the program did',
      'src/4-run/embedded-worker.ts': 'the environment of an Icon program, and its exit status',
      'src/4-run/embedded.ts': 'how much memory it takes',
      'src/4-run/icon/files.ts': 'what Icon programs see of their process: environment, folder, time',
      'src/4-run/iconx.ts': 'the folder and the search paths that icont is to see from elsewhere',
      'src/4-run/a68g-monitor.ts': 'sends signals to the program',
      'src/4-run/a68g.ts': 'the folder in which a68g is to check a source',
      'src/4-run/launch.ts': 'sends signals to the program; the clock',
      'src/4-run/pause.ts': 'its end, at which a halted thread is let go',
      'src/5-profile/file.ts': 'its number, for names that no other process chooses',
    }
    const users = files.filter((file) => file.startsWith('src/') && /(?<![./\w-])process\.\w/.test(codeOf(file)))
    expect(users.sort()).toEqual(Object.keys(reasons).sort())
  })

  test('nobody ends this process but the command line, and nobody in src writes to its output', () => {
    // there it is the thread of an Icon program, and ends as that does
    const programs = ['src/4-run/embedded-worker.ts']
    for (const file of files.filter((one) => one.startsWith('src/') && !programs.includes(one))) {
      expect(codeOf(file)).not.toMatch(/\bprocess\.(?:exit|exitCode|stdout|stderr|argv)\b|\bconsole\b/)
    }
    for (const file of files) expect(codeOf(file)).not.toMatch(/\bconsole\./)
  })

  test('packages: what is imported is listed, what is listed is imported', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const used = imports.map(({ to }) => to).filter((to) => isPackage(to) && !builtinModules.includes(to))
    expect([...new Set(used)].sort()).toEqual(Object.keys(dependencies).sort())
  })
})

test('6 the command line imports scamp.ts', () => {
  const breaches = imports.filter(
    ({ from, to }) =>
      from.startsWith('cli/') && !isPackage(to) && !to.startsWith('cli/') && !/^src\/(?:scamp|error)$/.test(to),
  )
  expectOnly(breaches, {
    'cli/files.ts → src/5-profile/file': 'makes folders, and says why a file cannot be written',
    'cli/icont.ts → src/4-run/iconx': 'is icont itself: translates and links, but runs nothing',
    'cli/icont.ts → src/4-run/native': 'passes through to icont what only icont can answer',
    'cli/launch.ts → src/4-run/iconx': 'takes the plans out of the executable',
    'cli/launch.ts → src/4-run/native': 'finds iconx, as ICONX says',
    'cli/patches.ts → src/4-run/native': 'asks git for a diff',
    'cli/patches.ts → src/5-profile/file': 'says why a file cannot be read',
    'cli/profiles.ts → src/5-profile/file': 'fills in SCAMP_OUT',
    'cli/scamp.ts → src/5-profile/file': 'makes folders, and says why a file cannot be read',
  })
})
