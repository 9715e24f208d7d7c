// Comments that leave something out of coverage, in both languages.
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { join } from 'node:path'
import { coverageOf } from '../src/6-report/coverage.js'
import { prepare } from '../src/prepare.js'
import { readProfiles, type Language } from '../src/scamp.js'
import { inFolder, runScamp } from './programs.js'

/** What the comments of a text leave out, and what is wrong with them, a line each. */
async function leftOut(text: string, language: Language = 'icon'): Promise<string[]> {
  const [{ plan }] = await prepare({
    sources: [{ name: 'a', text, language }],
    destinations: [{ kind: 'self-contained' }],
    probing: 'basis',
    monitor: 'constructs',
    isWhole: false,
    lpath: '',
    sandbox: false,
  })
  return [
    ...plan.leftOut.exclusions.map(({ line, first, last, part, reason }) => {
      return `${line}: ${first}-${last} ${part ?? 'all'}: ${reason}`
    }),
    ...plan.leftOut.complaints.map(({ line, what }) => `${line}: ${what}`),
  ]
}

/** An Icon procedure main of these lines; the first is line 2. */
const main = (...lines: string[]) => `procedure main()\n${lines.join('\n')}\nend\n`

describe('Icon', () => {
  test('a line, behind code or alone before it', async () => {
    expect(
      await leftOut(
        main('if a then b # scamp: ignore: one', '', '#scamp:ignore:two', '# something else', 'if a then b'),
      ),
    ).toEqual(['2: 2-2 all: one', '4: 6-6 all: two'])
  })

  test('a side, with the lines that belong to it', async () => {
    const text = main(
      'if a then { # scamp: ignore then: one',
      ' b',
      '} else if c then',
      ' d',
      'if a then b # scamp: ignore else: two',
      'case a of { # scamp: ignore 2: three',
      ' 1: b',
      ' 2: {',
      '  c',
      '  }',
      ' default: d',
      '} # scamp: ignore none: four',
      'while a do { # scamp: ignore body: five',
      ' b',
      '}',
      'find(a) # scamp: ignore failure: six',
    )
    expect(await leftOut(text)).toEqual([
      '2: 2-2 true: one',
      '2: 3-3 all: one',
      '6: 6-6 false: two',
      '7: 7-7 2: three',
      '7: 9-11 all: three',
      '13: 13-13 none: four',
      '14: 14-14 body: five',
      '14: 15-16 all: five',
      '17: 17-17 failure: six',
    ])
  })

  test('a procedure, from within or before it; a region; the file', async () => {
    const text = `# scamp: ignore procedure: one
procedure main()
end
procedure two()
   a # scamp: ignore procedure: two
end
# scamp: ignore start: three
procedure three()
end
# scamp: ignore end
# scamp: ignore file: four
`
    expect(await leftOut(text)).toEqual([
      '1: 2-3 all: one',
      '5: 4-6 all: two',
      '7: 7-10 all: three',
      '11: 1-11 all: four',
    ])
  })

  test('what is no comment, or speaks to others, is nothing', async () => {
    const text = main(
      'write("# scamp: ignore: no")',
      "c := '# scamp: ignore: no'",
      '# see scamp: ignore: no',
      'x_scamp: 1',
    )
    expect(await leftOut(text.replace('x_scamp: 1', ''))).toEqual([])
  })

  test('what is wrong', async () => {
    const text = main(
      'a # scamp: ignore',
      'a # scamp: ignore:',
      'a # scamp: ignore   procedure :  ',
      'a # scamp: skip: x',
      'a # scamp: ignore nothing: x',
      '# scamp: ignore end',
      '# scamp: ignore start: x',
      '# scamp: ignore start: y',
    )
    const complaints = await leftOut(`${text}# scamp: ignore: x\n# scamp: ignore procedure: x\n`)
    const expected = [
      /^2: "scamp: ignore" gives no reason, so nothing is left out; give one, as in "scamp: ignore: REASON"$/,
      /^3: "scamp: ignore:" gives no reason/,
      /^4: "scamp: ignore   procedure :" gives no reason/,
      /^5: "scamp: skip: x" is not understood; say "ignore"/,
      /^6: "ignore nothing" is not understood; there are procedure, start, end, file, then, else/,
      /^7: "ignore end" without an "ignore start"$/,
      /^9: "ignore start" within the one of line 8$/,
      /^11: there is nothing to be ignored here$/,
      /^12: there is no procedure to be ignored here$/,
      /^8: "ignore start" without an "ignore end"$/,
    ]
    expect(complaints).toHaveLength(expected.length)
    expected.forEach((message, i) => expect(complaints[i]).toMatch(message))
  })

  test('in an included file it speaks of that file', () => {
    const included = 'procedure idle()\n   return 1   # scamp: ignore procedure: not needed here\nend\n'
    inFolder({ 'a.icn': '$include "b.icn"\nprocedure main()\nend\n', 'b.icn': included }, (cwd) => {
      runScamp(['run', '-o', 'r', 'a.icn'], { cwd })
      const { files } = coverageOf(readProfiles([join(cwd, '.scamp')]).profile)
      expect(files.map(({ name, totals }) => [name, totals.item])).toEqual([
        ['a.icn', { covered: 1, total: 1 }],
        ['b.icn', { covered: 0, total: 0 }],
      ])
    })
  })
})

test('Algol 68, in every form of comment', async () => {
  const text = `BEGIN
  PROC idle = VOID: # scamp: ignore procedure: one #
    print(1);
  IF TRUE THEN print(1) CO scamp: ignore else:
    two CO FI;
  COMMENT scamp: ignore start: three COMMENT
  print(2);
  # scamp: ignore end #
  IF FALSE THEN # scamp: ignore then: four #
    print(3)
  ELIF FALSE THEN
    print(4)
  FI;
  CASE 1 IN print(1), # scamp: ignore 2: five #
    print(2)
  OUT print("# scamp: ignore: nothing #")
  ESAC;
  FOR i TO 0 DO # scamp: ignore body: six #
    print(i)
  OD # scamp: ignore #
END
`
  expect(await leftOut(text, 'algol68')).toEqual([
    '2: 2-3 all: one',
    '4: 4-4 false: two',
    '6: 6-8 all: three',
    '9: 9-9 true: four',
    '9: 10-10 all: four',
    '14: 14-14 2: five',
    '14: 15-15 all: five',
    '18: 18-18 body: six',
    '18: 19-19 all: six',
    '20: "scamp: ignore" gives no reason, so nothing is left out; give one, as in "scamp: ignore: REASON"',
  ])
  const quoted = "'BEGIN' 'CO' scamp: ignore file: all of it 'CO' print(1) 'END'\n"
  inFolder({ 'q.a68': quoted }, (cwd) => {
    expect(runScamp(['instrument', '--stropping', 'quote', 'q.a68'], { cwd }).status).toBe(0)
  })
})

test('whatever a comment says, it is an exclusion or a complaint', async () => {
  const words = fc.array(
    fc.constantFrom('ignore', 'start', 'end', 'then', 'file', ':', ':', ' ', '#', 'x', '12', 'procedure'),
  )
  await fc.assert(
    fc.asyncProperty(words, async (parts) => {
      const found = await leftOut(main(`a # scamp:${parts.join(' ')}`))
      expect(found).toHaveLength(1)
    }),
  )
})

test('what is left out but runs is found fault with, and so is what leaves nothing out', () => {
  const text = main(
    'if 1 = 1 then write(1) # scamp: ignore else: cannot be',
    'if 1 = 1 then write(1) # scamp: ignore then: never',
    'x := 1 # scamp: ignore: never',
    'return',
    'x := 2 # scamp: ignore: never',
    'x := 2 # scamp: ignore failure: never',
  )
  inFolder({ 'a.icn': text }, (cwd) => {
    runScamp(['run', '--monitor', 'tokens', '-o', 'r', 'a.icn'], { cwd })
    const [file] = coverageOf(readProfiles([join(cwd, '.scamp')]).profile).files
    expect(file.findings).toEqual([
      { line: 3, what: 'left out ("never"), but it ran: 3:1 if true, 1' },
      { line: 4, what: 'left out ("never"), but it ran: line 4, 1' },
      { line: 7, what: 'leaves nothing out ("never")' },
    ])
    expect(runScamp(['report', '-f', 'summary'], { cwd }).stdout).toContain(
      'NOTE: line 3: left out ("never"), but it ran',
    )
  })
})
