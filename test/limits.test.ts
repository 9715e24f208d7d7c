// What keeps an Icon program on the embedded engine within bounds, and what reaches out of its thread: commands, pipes,
// the current folder. iconx is the judge where it can be.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { command, inFolder, requireIcon, runScamp, scamp } from './programs.js'

beforeAll(requireIcon)

const mainOf = (...lines: string[]) => `procedure main(args)\n${lines.map((line) => `   ${line}\n`).join('')}end\n`

/** Runs a program on the embedded engine, as it is. */
function runEmbedded(text: string, options: readonly string[] = [], input = '') {
  return inFolder({ 'a.icn': text, 'data.txt': 'one\ntwo\n' }, (cwd) =>
    runScamp(['run', '--plain', '--engine', 'embedded', ...options, 'a.icn'], {
      cwd,
      input,
      env: { SCAMP_TEST: 'set' },
    }),
  )
}

describe('memory', () => {
  const greedy: [string, string][] = [
    ['lists', 'L := []; repeat put(L, [1, 2, 3])'],
    ['a table', 'T := table(); every T[seq()] := 1'],
    ['strings', 'L := []; repeat put(L, repl("x", 1000 + *L))'],
  ]
  // the program is halted anywhere: the line may be that of what was carried out just before
  for (const [name, body] of greedy) {
    test(`${name}: error 307 when the limit is passed`, () => {
      const outcome = runEmbedded(mainOf('write("begun")', body), ['--memory', '100'])
      expect(outcome).toMatchObject({ status: 1, stdout: 'begun\n' })
      expect(outcome.stderr).toMatch(
        /^\nRun-time error 307\n(?:File a\.icn; Line [23]\n)?inadequate space in block region\n/,
      )
    })
  }

  test('what is garbage does not count', () => {
    const outcome = runEmbedded(mainOf('every i := 1 to 3000000 do x := list(10, i)', 'write(x[1])'), [
      '--memory',
      '64',
    ])
    expect(outcome).toMatchObject({ status: 0, stdout: '3000000\n', stderr: '' })
  })

  const tooMuch: [string, string, number][] = [
    ['repl', 'repl("abc", 300000000)', 306],
    ['||', '(s := repl("x", 400000000)) & (s || s)', 306],
    ['list', 'list(400000000)', 307],
    ['^', '3 ^ 2000000000', 307],
  ]
  for (const [name, expression, error] of tooMuch) {
    test(`${name}: error ${error} for more than there can be`, () => {
      const outcome = runEmbedded(mainOf(expression))
      expect(outcome.status).toBe(1)
      expect(outcome.stderr).toMatch(new RegExp(`^\\nRun-time error ${error}\\nFile a\\.icn; Line 2\\n`))
    })
  }
})

describe('depth', () => {
  test('100,000 calls', () => {
    const text =
      'procedure main()\n write(down(100000))\nend\nprocedure down(n)\n return if n = 0 then 0 else 1 + down(n - 1)\nend\n'
    expect(runEmbedded(text)).toMatchObject({ status: 0, stdout: '100000\n', stderr: '' })
  })

  test('acker(3, 9)', () => {
    const text =
      'procedure main()\n write(a(3, 9))\nend\nprocedure a(m, n)\n' +
      ' return if m = 0 then n + 1 else if n = 0 then a(m - 1, 1) else a(m - 1, a(m, n - 1))\nend\n'
    expect(runEmbedded(text)).toMatchObject({ status: 0, stdout: '4093\n', stderr: '' })
  })

  test('without end: error 301 with a traceback', () => {
    const outcome = runEmbedded('procedure main()\n down(1)\nend\nprocedure down(n)\n return down(n + 1)\nend\n')
    expect(outcome.status).toBe(1)
    expect(outcome.stderr).toMatch(
      /^\nRun-time error 301\nFile a\.icn; Line 5\nevaluation stack overflow\nTraceback:\nmain\(\)\n/,
    )
    expect(outcome.stderr).toMatch(/\ndown\(1\) from line 2 in a\.icn\n|\ndown\(1\)\n/)
  })
})

describe('depth of other kinds', () => {
  // how a procedure f comes to call itself without end
  const endless: readonly (readonly [string, string])[] = [
    ['as a generator', 'suspend f(n + 1) | n'],
    ['by its name in a string', 'return "f"(n + 1) + 1'],
    ['by a list of arguments', 'return f ! [n + 1]'],
    ['in a co-expression each', 'return @create f(n + 1)'],
    ['in a scanning expression', 'return "x" ? f(n + 1)'],
    ['with &error set', '&error := 9; return f(n + 1) + 1'],
  ]
  for (const [name, body] of endless) {
    test(`without end, ${name}: error 301`, () => {
      const outcome = runEmbedded(`invocable "f"\n${mainOf('every f(1)')}procedure f(n)\n${body}\nend\n`)
      expect(outcome).toMatchObject({ status: 1, stdout: '' })
      expect(outcome.stderr).toMatch(
        /^\nRun-time error 301\nFile a\.icn; Line \d\nevaluation stack overflow\nTraceback:\n/,
      )
    })
  }

  test('structures within each other, 100,000 deep', () => {
    const outcome = runEmbedded(
      `record r(a)\n${mainOf(
        'x := []; y := r()',
        'every 1 to 100000 do { x := [x]; y := r(y) }',
        'put(x, x)',
        'write(image(x), " ", image(y), " ", image(copy(x)), " ", *sort([x, y, [x]]), " ", *sortf([[x], [y]], 1))',
        'display(1, &output)',
      )}`,
    )
    expect(outcome).toMatchObject({ status: 0, stderr: '' })
    expect(outcome.stdout).toMatch(/^list_100002\(2\) record r_100001\(1\) list_100003\(2\) 3 2\n/)
  })

  test('100,000 resumptions deep, and 20,000 in a co-expression', () => {
    const outcome = runEmbedded(
      `${mainOf('every write(!g(100000) \\ 2)', 'write(@create d(20000))')}` +
        'procedure g(n)\nif n = 0 then suspend "ab" | "c"\nelse suspend g(n - 1)\nend\n' +
        'procedure d(n)\nreturn if n = 0 then 0 else 1 + d(n - 1)\nend\n',
    )
    expect(outcome).toMatchObject({ status: 0, stdout: 'a\nb\n20000\n', stderr: '' })
  })
})

describe('the sandbox', () => {
  // each with the function that the message names
  const denied: [string, string][] = [
    ['open("data.txt")', 'open'],
    ['open("new.txt", "w")', 'open'],
    ['open("echo x", "rp")', 'open'],
    ['open("cat", "wp")', 'open'],
    ['open(".")', 'open'],
    ['"open"("data.txt")', 'open'],
    ['open ! ["data.txt"]', '!'],
    ['proc("open")("data.txt")', 'open'],
    ['remove("data.txt")', 'remove'],
    ['rename("data.txt", "b")', 'rename'],
    ['chdir("/")', 'chdir'],
    ['system("touch new.txt")', 'system'],
    ['getenv("SCAMP_TEST")', 'getenv'],
  ]
  for (const [expression, name] of denied) {
    test(expression, () => {
      inFolder({ 'a.icn': mainOf(`${expression}`, 'write("escaped")'), 'data.txt': 'kept' }, (cwd) => {
        const outcome = runScamp(['run', '--plain', '--sandbox', 'a.icn'], { cwd, env: { SCAMP_TEST: 'set' } })
        expect(outcome).toMatchObject({ status: 1, stdout: '' })
        expect(outcome.stderr).toMatch(/^\nRun-time error 700\nFile a\.icn; Line \d\nnot allowed in the sandbox\n/)
        expect(outcome.stderr.split('\n').at(-2)).toContain(name)
        expect(existsSync(join(cwd, 'data.txt'))).toBe(true)
        expect(existsSync(join(cwd, 'new.txt'))).toBe(false)
      })
    })
  }

  test('an error that is made a failure is still a denial', () => {
    const outcome = runEmbedded(mainOf('&error := 9', 'write(image(open("data.txt")) | "denied")'), ['--sandbox'])
    expect(outcome).toMatchObject({ status: 0, stdout: 'denied\n' })
  })

  test('other files are neither linked nor included; the library is', () => {
    for (const line of ['link other', 'link "../other"', '$include "other.icn"', '$include "/etc/passwd"']) {
      inFolder({ 'a.icn': `${line}\n${mainOf('f()')}`, 'other.icn': 'procedure f()\n write("read")\nend\n' }, (cwd) => {
        for (const options of [['--plain'], []]) {
          const outcome = runScamp(['run', '--sandbox', ...options, 'a.icn'], { cwd })
          expect(outcome).toMatchObject({ stdout: '' })
          expect(outcome.stderr).not.toMatch(/root:/)
          expect([126, 127]).toContain(outcome.status)
        }
      })
    }
    const outcome = runEmbedded(`link strings\n${mainOf('write(deletec("abc", \'b\'))')}`, ['--sandbox'])
    expect(outcome).toMatchObject({ status: 0, stdout: 'ac\n' })
  })

  test('standard input and output are the program’s own', () => {
    const outcome = runEmbedded(mainOf('write(read())', 'write(&errout, &host)'), ['--sandbox'], 'line\n')
    expect(outcome).toMatchObject({ status: 0, stdout: 'line\n', stderr: 'localhost\n' })
  })
})

describe('a time limit ends the program wherever it is', () => {
  const waiting: [string, string][] = [
    ['in a loop', 'repeat x := 1'],
    ['within a function', 'every find("a", "b") | (1 to 1000000000) do &fail'],
    ['in delay', 'delay(60000)'],
    ['in a command', 'system("sleep 60")'],
    ['reading a pipe', 'read(open("sleep 60", "rp"))'],
    ['reading what does not come', 'read()'],
  ]
  for (const [name, body] of waiting) {
    test(name, () => {
      inFolder({ 'a.icn': mainOf('flush(write("begun") & &output)', body) }, (cwd) => {
        // standard input stays open, and nothing comes
        const script = 'mkfifo input; exec "$@" <>input'
        const words = [process.execPath, scamp, 'run', '--engine', 'embedded', '--timeout', '1', '-f', 'json', 'a.icn']
        const outcome = command('sh', ['-c', script, 'sh', ...words], { cwd })
        expect(outcome).toMatchObject({ status: 124, signal: null, stdout: 'begun\n' })
        expect(outcome.stderr).toMatch(/"name": ?"main"/)
      })
    })
  }
})

describe('what reaches out of the thread is as on iconx', () => {
  const programs: Record<string, string> = {
    'chdir, and what is relative to it':
      mainOf(
        'write(image(chdir("sub")))',
        'write(read(open("here.txt")))',
        'close(open("made.txt", "w"))',
        'system("pwd | sed s=.*/==; ls")',
        'write(!open("pwd | sed s=.*/==", "rp"))',
        'every write(!sort([: !open(".") :])) | &null',
        'write(image(chdir("nowhere")) | "failed")',
        'write(image(chdir("..")))',
        'write(image(remove("sub/made.txt")))',
      ).replace('[: !open(".") :]', 'listing()') +
      'procedure listing()\n local L\n L := []\n every put(L, !open("."))\n return L\nend\n',
    'how commands end': mainOf(
      'write(system("exit 3"))',
      'write(system("kill -9 $$"))',
      'write(close(open("exit 4", "rp")))',
      'write(close(open("cat >/dev/null; exit 5", "wp")))',
      'p := open("kill -TERM $$", "rp")',
      'write(image(read(p)) | "nothing")',
      'write(close(p))',
    ),
    'a pipe that is written': mainOf(
      'p := open("sort", "wp")',
      'every write(p, "c" | "a" | "b")',
      'close(p)',
      'write("after")',
    ),
    'a long pipe': mainOf('p := open("seq 1 200000", "rp")', 'n := 0', 'every n +:= !p', 'write(n)', 'write(close(p))'),
    'a pipe without end, closed': mainOf('p := open("yes", "rp")', 'write(read(p))', 'close(p)', 'write("on")'),
    'a pipe not read to its end': mainOf('p := open("yes", "rp")', 'write(read(p))'),
    'standard input shared with a command': mainOf('system("cat")', 'write(image(read()) | "end")'),
  }
  for (const [name, text] of Object.entries(programs)) {
    test(name, () => {
      inFolder({ 'a.icn': text }, (cwd) => {
        mkdirSync(join(cwd, 'sub'))
        expect(command('sh', ['-c', 'echo here >sub/here.txt'], { cwd }).status).toBe(0)
        expect(command('icont', ['-s', 'a.icn'], { cwd }).status).toBe(0)
        const { status, stdout, stderr } = command('./a', [], { cwd, input: 'one\ntwo\n' })
        const outcome = runScamp(['run', '--plain', '--engine', 'embedded', 'a.icn'], { cwd, input: 'one\ntwo\n' })
        expect(outcome).toMatchObject({ status, stdout, stderr })
      })
    })
  }

  test('a read pipe delivers as it comes', () => {
    const text = mainOf(
      'p := open("echo first; sleep 60; echo last", "rp")',
      'write(read(p))',
      'flush(&output)',
      'read(p)',
    )
    expect(runEmbedded(text, ['--timeout', '1'])).toMatchObject({ status: 124, stdout: 'first\n' })
  })

  test('the up mode, as in Icon 9.5: bytes as they are', () => {
    const outcome = runEmbedded(mainOf('p := open("printf \\"a\\\\r\\\\nb\\"", "up")', 'write(image(reads(p, 10)))'))
    expect(outcome).toMatchObject({ status: 0, stdout: '"a\\r\\nb"\n' })
  })

  test('a full disk: error 214', () => {
    inFolder({ 'a.icn': mainOf('every write(1 to 100000)') }, (cwd) => {
      const words = [process.execPath, scamp, 'run', '--plain', '--engine', 'embedded', 'a.icn']
      const outcome = command('sh', ['-c', 'exec "$@" >/dev/full', 'sh', ...words], { cwd })
      expect(outcome.status).toBe(1)
      expect(outcome.stderr).toMatch(/^\nRun-time error 214\nFile a\.icn; Line 2\ninput\/output error\nTraceback:\n/)
    })
  })
})
