// `scamp icont` in icont's place: the same flags, files, messages and statuses; the executable is as icont's own, but
// leaves a profile. The judge is icont itself, doing the same in a folder of its own.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { command, inFolder, requireIcon, runScamp, scamp, type Outcome } from './programs.js'

beforeAll(requireIcon)

const files: Record<string, string> = {
  'main.icn': `link helper
procedure main(args)
   write(&progname)
   every helper(!args)
   if *args > 2 then exit(4)
end
`,
  'helper.icn': 'procedure helper(x)\n write("helps ", x)\n return x\nend\n',
  'alone.icn': `global unused
procedure main(args)
   local never
   write(&progname)
   every write(image(!args))
   while write(read())
   write(undeclared)
   write(&errout, "error")
   other()
end
procedure other()
   return 1
end
`,
  'wrong.icn': 'procedure main()\n x :=\nend\nprocedure more(\nend\n',
  'library.icn':
    'link strings, lists\nprocedure main()\n write(rotate("abc", 1))\n every write(!lcompact([1, , 2]))\nend\n',
  'nolink.icn': 'link nosuch\nprocedure main()\n write(1)\nend\n',
  'defines.icn': '$define N 3\n$include "part.icn"\nprocedure main()\n every part(1 to N)\nend\n',
  'part.icn': 'procedure part(n)\n write("part ", n)\n return\nend\n',
}

/** Calls of all procedures of a name, by the profiles in a folder; undefined if there are none. */
function callsIn(folder: string, name: string): bigint | undefined {
  const { status, stdout, stderr } = runScamp(['report', '-f', 'json', folder], { cwd: '/' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  interface Site {
    readonly kind: string
    readonly name: string | null
    readonly counts: readonly { readonly name: string; readonly count: string }[]
  }
  const { files } = JSON.parse(stdout) as { files: readonly { readonly sites: readonly Site[] }[] }
  const sites = files.flatMap((file) => file.sites).filter((one) => one.kind === 'procedure' && one.name === name)
  if (sites.length === 0) return undefined
  return sites.reduce((sum, { counts }) => sum + BigInt(counts.find((one) => one.name === 'calls')!.count), 0n)
}

/** What a command did: how it ended, what it wrote, which files it left. */
interface Deed extends Outcome {
  readonly left: readonly string[]
}

/** Does the same with icont and with scamp icont, each in a copy of its own of the files. */
function both(words: readonly string[], given: Record<string, string> = files, input = ''): [Deed, Deed] {
  const [plain, ours] = [false, true].map((instrumented) =>
    inFolder(given, (cwd) => {
      const outcome = instrumented
        ? runScamp(['icont', ...words], { cwd, input })
        : command('icont', words, { cwd, input })
      const left = readdirSync(cwd).filter((name) => name !== '.scamp')
      return { ...outcome, left: left.sort() }
    }),
  )
  return [plain, ours]
}

/** A folder with executables that scamp icont made. */
function inBuilt(builds: readonly (readonly string[])[], work: (cwd: string) => void, given = files): void {
  inFolder(given, (cwd) => {
    for (const words of builds) {
      expect(runScamp(['icont', '-s', ...words], { cwd })).toEqual({ status: 0, signal: null, stdout: '', stderr: '' })
    }
    work(cwd)
  })
}

describe('the same status, output, messages and files as icont', () => {
  const same: string[][] = [
    ['alone.icn'],
    ['alone'],
    ['-s', 'alone.icn'],
    ['-c', 'alone.icn'],
    ['-c', 'alone'],
    ['-u', 'alone.icn'],
    ['-u', '-c', 'alone.icn'],
    ['-uc', 'alone.icn'],
    ['-su', 'alone.icn'],
    ['-t', 'alone.icn'],
    ['-N', 'alone.icn'],
    ['-f', 's', 'alone.icn'],
    ['-fs', 'alone.icn'],
    ['-o', 'program', 'alone.icn'],
    ['-oprogram', '-s', 'alone.icn'],
    ['-so', 'program', 'alone.icn'],
    ['--', 'alone.icn'],
    ['-v0', 'alone.icn'],
    ['-v1', 'alone.icn'],
    ['main.icn', 'helper.icn'],
    ['helper.icn', 'main.icn'],
    ['-s', 'helper.icn', 'main.icn'],
    ['-c', 'main.icn', 'helper.icn', 'alone.icn'],
    ['-u', 'library.icn'],
    ['defines.icn'],
    ['-E', 'defines.icn'],
    ['-V'],
    [],
    ['-q', 'alone.icn'],
    ['-'],
    ['-s', '-'],
    ['-c', '-'],
  ]
  for (const words of same) {
    test(['icont', ...words].join(' '), () => {
      const [plain, ours] = both(
        words,
        files,
        words.includes('-') ? 'procedure main()\n write("from standard input")\nend\n' : '',
      )
      // wrong use is answered by icont under the path it was found at
      expect({ ...ours, stderr: ours.stderr.replace(/^\S*\/icont: /gm, 'icont: ') }).toEqual(plain)
    })
  }

  test('-x: the program runs at once, with the words after it, the input, and its own status', () => {
    for (const words of [
      ['-s', 'alone.icn', '-x', 'a', '-c', ''],
      ['alone.icn', '-x'],
      ['-s', 'main.icn', 'helper.icn', '-x', '1', '2', '3'],
    ]) {
      const [plain, ours] = both(words, files, 'one\ntwo\n')
      expect(ours).toEqual(plain)
    }
  })

  test('-x leaves a profile', () => {
    inFolder(files, (cwd) => {
      const words = ['icont', '-s', 'main.icn', 'helper.icn', '-x', 'a', 'b', 'c']
      expect(runScamp(words, { cwd, env: { SCAMP_OUT: 'p' } }).status).toBe(4)
      expect(callsIn(join(cwd, 'p'), 'helper')).toBe(3n)
    })
  })
})

describe('what is wrong', () => {
  // the messages are scamp's own, or icont's after a word of ours; the status is icont's
  const wrong: [string[], RegExp][] = [
    [['wrong.icn'], /^scamp: wrong\.icn:3:1: /m],
    [['-s', 'wrong.icn'], /^scamp: wrong\.icn:3:1: /m],
    [['-c', 'wrong.icn'], /^scamp: wrong\.icn:3:1: /m],
    [['alone.icn', 'wrong.icn'], /^scamp: wrong\.icn:3:1: /m],
    [['wrong.icn', '-x', 'a'], /^scamp: wrong\.icn:3:1: /m],
    [['missing.icn'], /missing\.icn/],
    [['missing'], /missing\.icn/],
    [['nolink.icn'], /cannot resolve reference to file 'nosuch\.u1'/],
    [['missing.u1'], /missing\.u1/],
    [['-o', 'no/such/folder', 'alone.icn'], /no\/such\/folder/],
  ]
  for (const [words, message] of wrong) {
    test(['icont', ...words].join(' '), () => {
      const [plain, ours] = both(words)
      expect(plain.status).toBe(1)
      expect(ours.stderr).toMatch(message)
      expect(ours.stderr).not.toMatch(/^\s+at |Error:|internal error/m)
      expect(ours.left.filter((name) => !name.endsWith('.icn') && !/\.u[12]$/.test(name))).toEqual([])
      expect(ours).toMatchObject({ status: 1, stdout: '' })
    })
  }

  test('an executable of before stays when the program is rejected', () => {
    inBuilt([['alone.icn']], (cwd) => {
      const before = readFileSync(join(cwd, 'alone'))
      writeFileSync(join(cwd, 'alone.icn'), files['wrong.icn'])
      expect(runScamp(['icont', 'alone.icn'], { cwd }).status).not.toBe(0)
      expect(readFileSync(join(cwd, 'alone')).equals(before)).toBe(true)
    })
  })
})

describe('modules translated apart', () => {
  const linkings: [string, string[][], boolean][] = [
    ['linked by a link declaration', [['-c', 'helper.icn'], ['main.icn']], true],
    [
      'named, after',
      [
        ['-c', 'helper.icn'],
        ['main.icn', 'helper.u1'],
      ],
      true,
    ],
    ['named, before, and the first file names the program', [['-c', 'main.icn', 'helper.icn'], ['main.u1']], true],
    [
      'named .u',
      [
        ['-c', 'main.icn', 'helper.icn'],
        ['-o', 'main', 'helper.u', 'main.u'],
      ],
      true,
    ],
    [
      'named .u2',
      [
        ['-c', 'helper.icn'],
        ['main.icn', 'helper.u2'],
      ],
      true,
    ],
  ]
  for (const [what, builds, helperCounted] of linkings) {
    test(what, () => {
      inBuilt(builds, (cwd) => {
        expect(command(join(cwd, 'main'), ['a', 'b'], { cwd })).toMatchObject({
          status: 0,
          stdout: `${join(cwd, 'main')}\nhelps a\nhelps b\n`,
          stderr: '',
        })
        expect(callsIn(join(cwd, '.scamp'), 'main')).toBe(1n)
        expect(callsIn(join(cwd, '.scamp'), 'helper')).toBe(helperCounted ? 2n : undefined)
      })
    })
  }

  test('a plain module in an instrumented program: it works, and has no counts', () => {
    inFolder(files, (cwd) => {
      expect(command('icont', ['-s', '-c', 'helper.icn'], { cwd }).status).toBe(0)
      expect(runScamp(['icont', '-s', 'main.icn'], { cwd })).toMatchObject({ status: 0, stderr: '' })
      expect(command(join(cwd, 'main'), ['a'], { cwd })).toMatchObject({ status: 0, stderr: '' })
      expect(callsIn(join(cwd, '.scamp'), 'main')).toBe(1n)
      expect(callsIn(join(cwd, '.scamp'), 'helper')).toBe(undefined)
    })
  })

  test('an instrumented module, a plain main, linked by scamp icont: the module is counted', () => {
    inFolder(files, (cwd) => {
      expect(command('icont', ['-s', '-c', 'main.icn'], { cwd }).status).toBe(0)
      expect(runScamp(['icont', '-s', '-c', 'helper.icn'], { cwd })).toMatchObject({ status: 0, stderr: '' })
      expect(runScamp(['icont', '-s', 'main.u1'], { cwd })).toMatchObject({ status: 0, stderr: '' })
      expect(command(join(cwd, 'main'), ['a', 'b'], { cwd })).toMatchObject({ status: 0, stderr: '' })
      expect(callsIn(join(cwd, '.scamp'), 'helper')).toBe(2n)
    })
  })

  test('an instrumented module in a program that icont linked: it works as ever', () => {
    inFolder(files, (cwd) => {
      expect(runScamp(['icont', '-s', '-c', 'helper.icn'], { cwd })).toMatchObject({ status: 0, stderr: '' })
      expect(command('icont', ['-s', 'main.icn'], { cwd }).status).toBe(0)
      expect(command(join(cwd, 'main'), ['a', 'b', 'c'], { cwd })).toEqual({
        status: 4,
        signal: null,
        stdout: `${join(cwd, 'main')}\nhelps a\nhelps b\nhelps c\n`,
        stderr: '',
      })
    })
  })

  test('modules of the library, and an included file', () => {
    inBuilt([['library.icn'], ['defines.icn']], (cwd) => {
      expect(command('icont', ['-s', '-o', 'plain', 'library.icn'], { cwd }).status).toBe(0)
      const plain = command(join(cwd, 'plain'), [], { cwd })
      expect(command(join(cwd, 'library'), [], { cwd })).toEqual(plain)
      expect(command(join(cwd, 'defines'), [], { cwd }).stdout).toBe('part 1\npart 2\npart 3\n')
      expect(callsIn(join(cwd, '.scamp'), 'part')).toBe(3n)
    })
  })

  test('sources and modules in other folders, by path, IPATH and LPATH', () => {
    inFolder({}, (cwd) => {
      for (const [folder, names] of Object.entries({
        src: ['main.icn', 'defines.icn'],
        lib: ['helper.icn', 'part.icn'],
      })) {
        mkdirSync(join(cwd, folder))
        for (const name of names) writeFileSync(join(cwd, folder, name), files[name])
      }
      const translated = runScamp(['icont', '-s', '-c', 'helper.icn'], { cwd: join(cwd, 'lib') })
      expect(translated).toMatchObject({ status: 0, stderr: '' })
      const env = { IPATH: 'lib', LPATH: 'lib' }
      expect(runScamp(['icont', '-s', 'src/main.icn'], { cwd, env })).toMatchObject({ status: 0, stderr: '' })
      expect(runScamp(['icont', '-s', 'src/defines'], { cwd, env })).toMatchObject({ status: 0, stderr: '' })
      // like icont's, the program is named after the file alone and stands in the current folder
      expect(readdirSync(cwd).sort()).toEqual(['defines', 'lib', 'main', 'src'])
      expect(command('./main', ['a'], { cwd }).stdout).toBe('./main\nhelps a\n')
      expect(command('./defines', [], { cwd }).stdout).toBe('part 1\npart 2\npart 3\n')
      expect(callsIn(join(cwd, '.scamp'), 'helper')).toBe(1n)
      // what is included from elsewhere is not monitored (ARCHITECTURE), but the file that includes it is
      expect(callsIn(join(cwd, '.scamp'), 'main')).toBe(2n)
    })
  })
})

describe('the executable', () => {
  const nameText = 'procedure main(args)\n write(&progname)\n every write(!args)\n exit(3)\nend\n'

  test('by absolute path, relative path and PATH, from other folders, with blanks and quotes in its path', () => {
    for (const name of ['plain', 'with blanks', "qu'ote"]) {
      inFolder({}, (top) => {
        const cwd = join(top, name)
        mkdirSync(join(cwd, 'below'), { recursive: true })
        writeFileSync(join(cwd, 'named.icn'), nameText)
        const starts: [string, string, Record<string, string>][] = [
          [join(cwd, 'named'), top, {}],
          ['./named', cwd, {}],
          ['../named', join(cwd, 'below'), {}],
          [`./${name}/named`, top, {}],
          ['named', top, { PATH: `${cwd}${delimiter}${process.env.PATH}` }],
        ]
        const startAll = () =>
          starts.map(([path, from, env]) =>
            command('sh', ['-c', '"$@"', 'sh', path, 'a b', '', '*'], {
              cwd: from,
              env: { SCAMP_OUT: join(top, 'p'), ...env },
            }),
          )
        expect(command('icont', ['-s', 'named.icn'], { cwd })).toMatchObject({ status: 0, stderr: '' })
        const plain = startAll()
        expect(runScamp(['icont', '-s', 'named.icn'], { cwd })).toMatchObject({ status: 0, stderr: '' })
        const ours = startAll()
        // icont's own executables fail where there is a blank in their path
        if (name === 'plain') expect(ours).toEqual(plain)
        starts.forEach(([path], i) => {
          const shown = path === 'named' ? join(cwd, 'named') : path
          expect(ours[i]).toEqual({ status: 3, signal: null, stdout: `${shown}\na b\n\n*\n`, stderr: '' })
        })
        expect(callsIn(join(top, 'p'), 'main')).toBe(BigInt(starts.length))
      })
    }
  })

  test('moved and copied, it still works', () => {
    inBuilt([['main.icn', 'helper.icn']], (cwd) => {
      mkdirSync(join(cwd, 'bin'))
      cpSync(join(cwd, 'main'), join(cwd, 'bin', 'renamed'))
      expect(command('bin/renamed', ['a'], { cwd })).toMatchObject({ status: 0, stdout: 'bin/renamed\nhelps a\n' })
      expect(callsIn(join(cwd, '.scamp'), 'helper')).toBe(1n)
    })
  })

  test('of another version of scamp, or damaged, runs uncounted and says so', () => {
    inBuilt([['main.icn', 'helper.icn']], (cwd) => {
      const made = readFileSync(join(cwd, 'main'), 'latin1')
      const counted = command('./main', ['a'], { cwd, env: { SCAMP_OUT: 'counted' } })
      const cases = [
        ['older', made.replaceAll(/SCAMP-PLAN-\d+:/g, 'SCAMP-PLAN-1:'), 'was made by another version of scamp'],
        ['broken', made.replaceAll(/(SCAMP-PLAN-\d+:\d+:).{9}/g, '$1AAAAAAAAA'), 'is damaged'],
      ]
      for (const [name, text, what] of cases) {
        expect(text.length).toBe(made.length)
        writeFileSync(join(cwd, name), text, { encoding: 'latin1', mode: 0o755 })
        expect(command(`./${name}`, ['a'], { cwd, env: { SCAMP_OUT: 'none' } })).toEqual({
          ...counted,
          stdout: counted.stdout.replace('./main', `./${name}`),
          stderr: `scamp: ./${name} ${what}: this run is not counted; make it anew\n`,
        })
        expect(existsSync(join(cwd, 'none'))).toBe(false)
      }
    })
  })

  test('is executable, like icont’s', () => {
    inBuilt([['main.icn', 'helper.icn']], (cwd) => {
      expect(statSync(join(cwd, 'main')).mode & 0o111).toBe(0o111)
    })
  })

  test('SCAMP_OUT says where the profile goes; by default .scamp where it is run', () => {
    inBuilt([['main.icn', 'helper.icn']], (cwd) => {
      mkdirSync(join(cwd, 'elsewhere'))
      command(join(cwd, 'main'), [], { cwd: join(cwd, 'elsewhere') })
      expect(callsIn(join(cwd, 'elsewhere/.scamp'), 'main')).toBe(1n)
      command(join(cwd, 'main'), ['x'], { cwd, env: { SCAMP_OUT: 'out-%p/%h' } })
      const [name] = readdirSync(cwd).filter((one) => /^out-\d+$/.test(one))
      const [host] = readdirSync(join(cwd, name))
      expect(callsIn(join(cwd, name, host), 'helper')).toBe(1n)
      expect(existsSync(join(cwd, '.scamp'))).toBe(false)
    })
  })

  test('ICONX names the interpreter that runs it', () => {
    const spy = '#!/bin/sh\necho "this one" >&2\nexec iconx "$@"\n'
    inBuilt(
      [['main.icn', 'helper.icn']],
      (cwd) => {
        chmodSync(join(cwd, 'spy'), 0o755)
        const outcome = command(join(cwd, 'main'), ['a'], { cwd, env: { ICONX: join(cwd, 'spy') } })
        expect(outcome).toMatchObject({ status: 0, stderr: 'this one\n' })
        expect(outcome.stdout).toBe(`${join(cwd, 'main')}\nhelps a\n`)
        expect(callsIn(join(cwd, '.scamp'), 'helper')).toBe(1n)
      },
      { ...files, spy },
    )
  })

  test('TRACE, and -t, trace as ever', () => {
    inFolder(files, (cwd) => {
      for (const flags of [['-s'], ['-s', '-t']]) {
        const run = (make: () => Outcome) => {
          expect(make().status).toBe(0)
          const env: Record<string, string> = flags.includes('-t') ? {} : { TRACE: '-1' }
          return command('./main', ['a', 'b'], { cwd, env })
        }
        const plain = run(() => command('icont', [...flags, 'main.icn', 'helper.icn'], { cwd }))
        const ours = run(() => runScamp(['icont', ...flags, 'main.icn', 'helper.icn'], { cwd }))
        expect(plain.stderr).toContain('helper("a")')
        expect(ours).toEqual(plain)
      }
    })
  })

  test('exit status, run-time errors and signals are the program’s', () => {
    const text = `procedure main(args)
   case args[1] of {
      "error": write(1 + "x")
      "stop": stop("over")
      "kill": system("kill -" || args[2] || " $PPID")
      default: exit(args[1])
   }
   write("went on")
end
`
    inFolder({ 'ends.icn': text }, (cwd) => {
      const all = [
        ['0'],
        ['1'],
        ['42'],
        ['255'],
        ['error'],
        ['stop'],
        ['kill', 'TERM'],
        ['kill', 'KILL'],
        ['kill', 'INT'],
      ]
      const outcomes = [false, true].map((instrumented) => {
        const words = ['-s', 'ends.icn']
        const made = instrumented ? runScamp(['icont', ...words], { cwd }) : command('icont', words, { cwd })
        expect(made).toMatchObject({ status: 0, stderr: '' })
        return all.map((args) => command('./ends', args, { cwd }))
      })
      expect(outcomes[1]).toEqual(outcomes[0])
    })
  })

  test('runs several times at once', () => {
    inBuilt([['main.icn', 'helper.icn']], (cwd) => {
      const script = `for i in 1 2 3 4 5 6 7 8; do ./main a b >/dev/null & done; wait`
      expect(command('sh', ['-c', script], { cwd })).toMatchObject({ status: 0, stderr: '' })
      expect(callsIn(join(cwd, '.scamp'), 'helper')).toBe(16n)
    })
  })

  test('without scamp, it runs all the same', () => {
    inBuilt([['main.icn', 'helper.icn']], (cwd) => {
      const bytes = readFileSync(join(cwd, 'main'), 'latin1')
      // the launcher's path, made wrong without altering its length
      writeFileSync(join(cwd, 'main'), bytes.replace('cli/launch.js', 'cli/lunch_.js'), 'latin1')
      const outcome = command('./main', ['a'], { cwd })
      expect(outcome).toMatchObject({ status: 0, stdout: './main\nhelps a\n' })
      expect(outcome.stderr).toMatch(/^scamp: the launcher is gone/)
    })
  })

  test('where a profile cannot be written, the program’s output and status are its own, and the message says so', () => {
    inBuilt([['main.icn', 'helper.icn']], (cwd) => {
      const outcome = command('./main', ['a', 'b', 'c'], { cwd, env: { SCAMP_OUT: 'main.icn/x' } })
      expect(outcome).toMatchObject({ status: 4, stdout: './main\nhelps a\nhelps b\nhelps c\n' })
      expect(outcome.stderr).toMatch(/^scamp: cannot write main\.icn\/x.*\n$/)
    })
  })
})

test('a build by make, ICONT being scamp icont: build, run, change, build again', () => {
  const makefile = `ICONT = icont
ICONTFLAGS = -s -u
program: main.u1 helper.u1
\t$(ICONT) $(ICONTFLAGS) -o program main.u1 helper.u1
main.u1: main.icn
\t$(ICONT) $(ICONTFLAGS) -c main.icn
helper.u1: helper.icn
\t$(ICONT) $(ICONTFLAGS) -c helper
check: program
\t./program a b | cmp - expected
`
  const expected = './program\nhelps a\nhelps b\n'
  inFolder({ ...files, Makefile: makefile, expected }, (cwd) => {
    // make need not be here: the same commands, as it would give them to sh
    const icont = `"${process.execPath}" "${scamp}" icont`
    const rules = makefile.split('\n').filter((line) => line.startsWith('\t'))
    const [link, main, helper, check] = rules.map((line) =>
      line.slice(1).replace('$(ICONT)', icont).replace('$(ICONTFLAGS)', '-s -u'),
    )
    const make = (...commands: string[]) => {
      for (const line of commands)
        expect(command('sh', ['-ec', line], { cwd })).toMatchObject({ status: 0, stderr: '' })
    }
    make(main, helper, link, check)
    expect(readdirSync(cwd)).toEqual(
      expect.arrayContaining(['main.u1', 'main.u2', 'helper.u1', 'helper.u2', 'program']),
    )
    expect(callsIn(join(cwd, '.scamp'), 'helper')).toBe(2n)
    writeFileSync(join(cwd, 'helper.icn'), files['helper.icn'].replace('return', 'suspend'))
    make(helper, link, check)
    // counts of the text as it is now
    expect(callsIn(join(cwd, '.scamp'), 'helper')).toBe(2n)
    expect(callsIn(join(cwd, '.scamp'), 'main')).toBe(2n)
  })
})
