// Calls of the procedures of the Icon Program Library: for each procedure that neither draws nor leaves the program, small
// programs that call it with arguments chosen by the names of its parameters, and write what it gives.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseIcon } from '../../src/1-parse/icon/parse.js'
import { library } from '../programs.js'
import type { Judged } from './judge.js'

/** Why a file's procedures are not called. */
const reasons: readonly [RegExp, string][] = [
  [/\b(system|remove|rename|chdir|loadfunc)\s*\(/, 'reaches out of the program'],
  [/\b(getch|getche|kbhit|delay)\s*\(/, 'waits for keys or for time'],
  [/&(time|clock|date|dateline|host|progname)\b|\bgetenv\s*\(/, 'tells the time, or where it runs'],
  [/\b(ColorValue|Palette\w+|WOpen|WAttrib|WWrite|Fg|Bg|XBind|DrawLine|FillRectangle|Event)\b/, 'draws'],
  [/&(allocated|storage|regions|collections)\b|\bcollect\s*\(/, 'asks for storage'],
]

/** What is passed for a parameter of a name, one choice after the other. */
// prettier-ignore
const arguments_: readonly [RegExp, readonly string[]][] = [
  [/^(s|str|string|line|word|text|name|prefix|suffix|sub|pat|pattern)\w{0,2}$/i, ['"hello world"', '"a,b;(c d)=12 a"', '""', '"The 3 quick Foxes"']],
  [/^(i|j|k|m|n|len|num|count|size|width|w|col|h|max|min|int|year|month|day)\d?$/, ['5', '1', '0', '12']],
  [/^(l|lst|list|args|a|lists|seq|x?lst)\d?$/i, ['[3, 1, 2]', '["b", "a", "b"]', '[]', '[1, "x", 2.5, [4]]']],
  [/^(t|tbl|tab|table)\d?$/i, ['sample()', 'table()', '"t"', 'sample()']],
  [/^(set)\d?$/i, ['set([1, "a", 2])', 'set()', 'set(["x"])', 'set([3, 1])']],
  [/^(c|cset|chars|cs)\d?$/, ['\'aeiou\'', '&digits', '\' ,;\'', '\'\'']],
  [/^(r|x|y|z|real|angle|theta)\d?$/, ['2.5', '3', '"7"', '[1, 2]']],
  [/^(p|f|proc|func)\d?$/i, ['image', 'write', '"*"', '&input']],
  [/^(e|c|co|coexpr|ce)\d?$/i, ['create 1 to 4', 'create !"abc"', 'create &fail', 'create |1']],
]

const anything = ['"abc"', '3', '[1, "two", 3.0]', 'sample()', "'xyz'", '&null', '2.5']

/** What a driver says besides the call. */
const frame = `
procedure sample()
   local t
   t := table(0)
   t["one"] := 1; t["two"] := 2; t[3] := "three"
   return t
end

procedure told(x, n)
   local s
   s := image(x)
   if n = 0 then return s
   case type(x) of {
      "list": every s ||:= " " || told(!x \\\\ 20, n - 1)
      "table": every s ||:= " " || told(!sort(x, 3) \\\\ 20, n - 1)
      "set": every s ||:= " " || told(!sort(x) \\\\ 20, n - 1)
      default: if match("record ", s) then every s ||:= " " || told(!x, n - 1)
      }
   return s
end
`.replaceAll('\\\\', '\\')

/** The programs, some for each procedure; `rounds` of arguments. */
export function libraryCalls(rounds: number): Judged[] {
  return readdirSync(library)
    .filter((file) => file.endsWith('.icn') && existsSync(join(library, file.replace('.icn', '.u1'))))
    .flatMap((file) => callsOf(file.replace('.icn', ''), readFileSync(join(library, file), 'latin1'), rounds))
}

function callsOf(file: string, text: string, rounds: number): Judged[] {
  const code = text.replace(/^\s*#.*$/gm, '')
  if (reasons.some(([pattern]) => pattern.test(code)) || /^procedure\s+main\b/m.test(code)) return []
  // what it includes may be missing from Debian's package
  if ([...code.matchAll(/^\s*\$\s*include\s+"?([\w.]+)/gm)].some(([, name]) => !existsSync(join(library, name))))
    return []
  const tree = parseIcon({ name: `${file}.icn`, text, language: 'icon' }, (name) => {
    return { name, text: readFileSync(join(library, name), 'latin1'), language: 'icon' }
  })
  return tree.program.declarations.flatMap((declaration) => {
    if (declaration.kind !== 'Procedure' || /^(sample|told)$/.test(declaration.name.name)) return []
    const { name, parameters } = declaration
    return Array.from({ length: rounds }, (_, round): Judged => {
      const given = parameters.map((parameter, i) => argument(parameter.name, round + i * round))
      const call = `${name.name}(${given.join(', ')})`
      return {
        name: `${file}_${name.name}_${round}`,
        text: driver(file, call),
        input: 'first line\nsecond, 2\n\n4.5\n',
      }
    })
  })
}

function argument(name: string, choice: number): string {
  const choices = arguments_.find(([pattern]) => pattern.test(name))?.[1] ?? anything
  return choices[choice % choices.length]
}

const driver = (file: string, call: string): string =>
  `link ${file}\nprocedure main()\n   every write(told(${call} \\ 8, 2))\n   write("done")\nend\n${frame}`
