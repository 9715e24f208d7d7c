// Algol 68, --monitor actions: what is called, assigned to and arrived at, each at its place.
//
// source: Brailsford et al., Fig. 1, whose rows for CALL and ASST these are
import { beforeAll, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { requireA68g } from './algol68.js'
import { inFolder, root, runScamp } from './programs.js'

beforeAll(requireA68g)

const program = `PROC f = (INT n) INT: (n > 2 ANDF n < 100 | 1 | 2);
PROC p = INT: ENTIER (random * 10);
INT x := 0, y; [4] INT a;
FOR i TO 4 DO
   a[i] := f(i);
   x := y := x + p
OD;
again: x +:= 1; y := -1;
IF y < 0 ORF f(200) > 1 THEN print(("done", newline)) FI;
IF x < 1000 THEN x := 1000; GOTO again FI;
PAR (SKIP, x := 3);
(x > 2 | x | y) := (y > 0 | f(y) | 8)
`

const actions = `
LINENO  KIND   NAME             TIMES
     1  ANDF                        2
     2  CALL   random               4
     5  ASST   a[i]                 4
     5  CALL   f                    4
     6  ASST   x                    4
     6  ASST   y                    4
     6  CALL   p                    4
     8  LABEL  again                2
     8  ASST   y                    2
     9  ORF                         0
     9  CALL   f                    0
     9  CALL   print                2
    10  ASST   x                    1
    11  PAR                         1
    11  ASST   x                    1
    12  ASST   (x > 2 | x | y)      1
    12  CALL   f                    0
`

test.each(['basis', 'all'])('each at its place, by counters of %s', (probes) => {
  inFolder({ 'x.a68': program }, (cwd) => {
    const words = ['run', '--monitor', 'actions', '--probes', probes, '-o', 'report', 'x.a68']
    expect(runScamp(words, { cwd }).stdout).toMatch(/done\ndone\n$/)
    const report = readFileSync(join(cwd, 'report'), 'utf8')
    expect(report.slice(report.indexOf('\nACTIONS\n') + '\nACTIONS\n'.length)).toBe(actions)
  })
})

test('in JSON', () => {
  inFolder({ 'x.a68': 'INT k := 3;\nk := k + 1; print(k)\n' }, (cwd) => {
    runScamp(['run', '--monitor', 'actions', '-f', 'json', '-o', 'report', 'x.a68'], { cwd })
    const [file] = JSON.parse(readFileSync(join(cwd, 'report'), 'utf8')).files
    expect(
      file.sites.map(({ kind, name, line, counts }: Record<string, unknown>) => ({ kind, name, line, counts })),
    ).toEqual([
      { kind: 'action', name: 'ASST k', line: 2, counts: [expect.objectContaining({ name: 'times', count: '1' })] },
      { kind: 'action', name: 'CALL print', line: 2, counts: [expect.objectContaining({ name: 'times', count: '1' })] },
    ])
  })
})

test('of some runs only, with a note', () => {
  inFolder({ 'x.a68': 'INT k := 3;\nTO k DO k := k - 1 OD\n' }, (cwd) => {
    runScamp(['run', 'x.a68'], { cwd })
    runScamp(['a68g', 'x.a68'], { cwd, env: { SCAMP_MONITOR: 'actions' } })
    const { stdout } = runScamp(['report'], { cwd })
    expect(stdout).toMatch(
      /\nRUNS: 2\n[^]*\n +2 +6\n[^]*\n +2 +ASST +k +3\n\nNOTE: x.a68: actions were counted in some/,
    )
  })
})

test('labels and right sides are items of coverage, and stand in their procedures', () => {
  const text = `PROC f = (INT n) VOID:
BEGIN
   IF n > 1 ORF n < -1 THEN done FI;
   done: SKIP
END;
PROC idle = BOOL: TRUE ANDF FALSE;
f(2); f(3);
never: SKIP
`
  inFolder({ 'x.a68': text.replace('never:', 'GOTO last; never: SKIP; last:') }, (cwd) => {
    const run = runScamp(['run', '--monitor', 'actions', '-f', 'uncovered', '-o', 'report', 'x.a68'], { cwd })
    expect(run.status).toBe(0)
    const missed = readFileSync(join(cwd, 'report'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('x.a68:'))
    expect(missed).toEqual([
      'x.a68:3:4: if false: never, of 2',
      'x.a68:3:13: ORF right: never, of 2',
      'x.a68:6:6: procedure idle: never called',
      'x.a68:6:24: ANDF right: never reached: idle was never called',
      'x.a68:6:24: ANDF left: never reached: idle was never called',
      'x.a68:8:12: label never: never reached',
    ])
    expect(runScamp(['report', '-f', 'summary'], { cwd }).stdout).toMatch(
      /^x\.a68: .*\nNAME .*\nf +1 +4\/6 .*\nidle +6 +0\/3 .*\n\(no procedure\) +8 +1\/2 .*\n$/,
    )
    expect(runScamp(['report', '-f', 'collapsed'], { cwd }).stdout).toMatch(
      /x\.a68;f;line 3 2\n.*x\.a68;\(no procedure\);line 7 1/s,
    )
  })
})

test('slices in round brackets are none, and procedures in variables are called where their values are not wanted', () => {
  const text = readFileSync(join(root, 'test/algol68/small/slices_in_round_brackets.a68'), 'latin1')
  inFolder({ 'x.a68': text }, (cwd) => {
    runScamp(['run', '--monitor', 'actions', '-o', 'report', 'x.a68'], { cwd })
    const report = readFileSync(join(cwd, 'report'), 'utf8')
    const calls = [...report.matchAll(/^ +(\d+) +CALL +(.*?) +\d+$/gm)].map(([, line, name]) => `${line} ${name}`)
    expect(calls).toEqual(
      ['4 twice', '9 body', '11 print', '11 first', '11 whole', '11 row', '11 fs[1]', '11 (f OF p)'].concat([
        '12 print',
        '13 act',
        '13 apply',
        '14 print',
      ]),
    )
  })
})

test('not in Icon', () => {
  inFolder({ 'x.icn': 'procedure main()\nend\n' }, (cwd) => {
    const { status, stderr } = runScamp(['run', '--monitor', 'actions', 'x.icn'], { cwd })
    expect({ status, stderr }).toEqual({
      status: 125,
      stderr: 'scamp: actions are monitored in Algol 68; in Icon, tokens are\n',
    })
  })
})
