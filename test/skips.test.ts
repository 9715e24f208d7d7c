// Loops that end without a pass: counted if branches are monitored, and then an item of coverage. The programs count
// themselves: `p` is set in each pass, and behind the loop they say whether it was, by the loop's line.
import { beforeAll, describe, expect, test } from '@jest/globals'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { requireA68g } from './algol68.js'
import { inFolder, requireIcon, runScamp, type JsonReport } from './programs.js'

beforeAll(() => {
  requireIcon()
  requireA68g()
})

const icon = `global p, skipped
procedure main()
   local c, i, j, s, x, L
   every s := !["", "abc", "", "xy"] do {
      p := &null; every c := !s do p := 1
      over(5); every i := 1 to *s do { p := 1; write(i) }
      over(6); every i := 1 to *s do p := 1
      over(7); every i := 0 to 1 - *s by -2 do p := 1
      over(8); every i := 3 to *s do { p := 1; if i = 3 then next }
      over(9); i := 0; while (i +:= 1) < *s do { p := 1; if i = 2 then break }
      over(10); until i > 1 do { i +:= 1; p := 1 }
      over(11); x := (while p := (/p, 1) do s ? move(2) | break 3) | 2
      over(12); write(x, x := every p := !s)
      over(13); while p := (*s > 2, get(\\L))
      over(14); L := [1]; until *L = 0 do { p := 1; get(L) }
      over(15); until *L = 0 | (p := get(L))
      over(16)
   }
   every write(sums(2 to 4))
   write(nested(3))
   every i := !sort(skipped, 1) do write("skipped ", i[1], " ", i[2])
   every i := 1 to 3 do j := i
   every i := !"ab" | 7 do j := i
   while write(j) do break
   every i := 1 to "a" do j := i
end
procedure over(line)
   initial skipped := table()
   /skipped[line] := 0
   if /p then skipped[line] +:= 1
   p := &null
end
procedure sums(n)
   local i, q
   every i := 3 to n do { q := 1; suspend sums(i - 1) }
   (p := q, over(35))
   suspend n
end
procedure nested(n)
   local q
   while n > 0 & nested(n - 1) do { q := 1; n -:= 2 }
   p := q
   over(41)
   return n
end
`

const algol68 = `BEGIN
  [20] INT skipped; FOR i TO 20 DO skipped[i] := 0 OD;
  BOOL p := FALSE;
  PROC over = (INT line) VOID: (IF NOT p THEN skipped[line] +:= 1 FI; p := FALSE);
  PROC once = (INT n) INT:
  ( INT s := 0; BOOL q := FALSE;
    FOR i TO n WHILE i < 3 DO q := TRUE; s +:= once(n - i) OD;
    p := q; over(7); s + n );
  FOR n FROM 0 TO 3 DO
    TO n DO p := TRUE OD;
    over(10); FOR i FROM 3 BY -1 TO n DO p := TRUE OD;
    over(11); FOR i FROM 0 DOWNTO n DO p := TRUE OD;
    over(12); INT k := n; WHILE k > 2 DO p := TRUE; k -:= 1 OD;
    over(13); (n > 1 | TO n - 2 DO p := TRUE OD; over(14));
    DO k +:= 1; p := TRUE UNTIL k > 3 OD;
    p := FALSE; print((once(n), newline))
  OD;
  FOR i TO 20 DO print(("skipped", i, skipped[i], newline)) OD;
  TO 3 DO SKIP OD;
  TO skipped[21] DO SKIP OD
END
`

/** What a program said of itself: by line, how often a loop made no pass. */
const said = (stdout: string) =>
  Object.fromEntries(
    [...stdout.matchAll(/^skipped *\+?(\d+) *\+?(\d+)$/gm)].map(([, line, times]) => [line, Number(times)]),
  )

/** The same, as scamp counted it. */
function counted(cwd: string): Record<string, number> {
  const { sites } = (JSON.parse(readFileSync(join(cwd, 'r'), 'utf8')) as JsonReport).files[0]
  const skips = sites.flatMap(({ line, counts }) => {
    return counts.filter(({ name, exact }) => name === 'skips' && exact).map(({ count }) => [line, Number(count)])
  })
  return Object.fromEntries(skips)
}

describe.each([
  ['branches', 'basis'],
  ['branches', 'all'],
  ['coverage', 'basis'],
])('--monitor %s, counters: %s', (...[monitor, probes]) => {
  const run = ['run', '--monitor', monitor, '--probes', probes, '-f', 'json', '-o', 'r']

  test.each(['embedded', 'iconx'])('Icon, on %s: as the program counts itself, also if an error ends it', (engine) => {
    inFolder({ 'p.icn': icon }, (cwd) => {
      const outcome = runScamp([...run, '--engine', engine, 'p.icn'], { cwd })
      expect(outcome).toEqual(runScamp(['run', '--plain', '--engine', engine, 'p.icn'], { cwd }))
      expect(outcome.stderr).toMatch('Run-time error 101\nFile p.icn; Line 25\n')
      // those of 22 to 24 are certain to make passes; that of 25 came to no end
      expect(counted(cwd)).toEqual({ ...said(outcome.stdout), 4: 0, 19: 0, 21: 0, 25: 0 })
    })
  })

  test('Algol 68: as the program counts itself', () => {
    inFolder({ 'p.a68': algol68 }, (cwd) => {
      const outcome = runScamp([...run, 'p.a68'], { cwd })
      expect(outcome).toEqual(runScamp(['run', '--plain', 'p.a68'], { cwd }))
      const own = said(outcome.stdout)
      const lines = [7, 10, 11, 12, 13, 14]
      expect(counted(cwd)).toEqual({ ...Object.fromEntries(lines.map((line) => [line, own[line]])), 20: 0 })
    })
  })
})

test('what never ended without a pass is missed; a comment leaves it out', () => {
  const program = 'procedure main(x)\n   x := [1]\n   every !x do break\n   every 1 to 2\n   until put(x)\nend\n'
  inFolder({ 'a.icn': program, 'b.icn': program.replace('break', 'break # scamp: ignore skip: never') }, (cwd) => {
    const missed = ['a', 'b'].map((name) => {
      const words = ['run', '--monitor', 'branches', '-f', 'uncovered', '-o', 'r', `${name}.icn`]
      expect(runScamp(words, { cwd })).toMatchObject({ status: 0 })
      return readFileSync(join(cwd, 'r'), 'utf8').split('\n').slice(3, -1)
    })
    expect(missed).toEqual([
      ['a.icn:3:4: every skip: never without a pass', 'a.icn:5:4: until body: never, of 1'],
      ['b.icn:5:4: until body: never, of 1'],
    ])
  })
})
