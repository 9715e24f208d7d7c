// The language of the random programs: one row per alternative of a rule, `weight[/flag] template`. In a template $name
// stands for any alternative of that rule, ¶ for a new line. An alternative with a flag is there only in programs that
// have it (Flag). Every loop and every procedure of the language calls tick(), which ends the program when its fuel
// is used up; whatever is assigned passes clip(), which keeps it small and takes fuel, too; so programs end, and soon.

/**
 * Features that only some programs have:
 *
 *   wild      operands of any type at any place: conversions and run-time errors
 *   error     &error is set: run-time errors become failures
 *   co        co-expressions; stray: with activations that may go anywhere
 *   real      reals; large: large integers
 *   proc      inside a procedure other than main: return, suspend, fail
 *   frames    display, &dump; trace: &trace
 */
export type Flag = 'wild' | 'error' | 'co' | 'stray' | 'real' | 'large' | 'proc' | 'frames' | 'trace'

export const rules = {
  number: `
    9 0
    9 1
    9 2
    9 3
    6 4
    4 5
    3 7
    3 10
    2 -1
    2 -2
    1 -7
    2 16r1F
    2 100
    1 1000000007
    1 2147483648
    2/large 9223372036854775807
    2/large 123456789012345678901234567890
    2/large -36893488147419103232`,
  few: `
    5 0
    9 1
    9 2
    7 3
    3 4`,
  bound: `
    3 -3
    3 -1
    3 0
    3 1
    3 5
    1 10`,
  intvar: `
    9 i
    9 j
    3 gi`,
  int: `
    16 $number
    16 $intvar
    5 ($int + $int)
    5 ($int - $int)
    4 ($int * $int)
    2 ($int / $int)
    2 ($int % $int)
    1 (-$int)
    1 (+$int)
    1 ($int ^ $few)
    1 abs($int)
    3 *$str
    2 *$list
    1 *$table
    1 *$set
    1 *$cset
    4 ($few to $few)
    3 ($bound to $bound by $few)
    2 ($bound to $bound)
    2 ($few to $few by -$few)
    2 find($str, $str)
    2 find($short)
    2 upto($cset, $str)
    2 upto($cset)
    1 many($cset, $str, $few)
    1 any($cset, $str, $few)
    1 match($short, $str)
    1 bal($cset, '(', ')', $str)
    2 integer($any)
    1 ord($short)
    1 iand($int, $int)
    1 ior($int, $int)
    1 ixor($int, $int)
    1 icom($int)
    1 ishift($int, $few)
    2 ($int $compare $int)
    3 ($intvar := clip($int))
    2 ($intvar <- $int)
    1 ($intvar :=: $intvar)
    1 ($intvar <-> $intvar)
    2 ($intvar $augment clip($int))
    2 (if $test then $int else $int)
    1 (if $test then $int)
    1 (case $any of { $number: $int; $any: $int; default: $int })
    1 (case $int of { ($few | $few): $int; $int: $int })
    4 ($int | $int)
    1 ($int | $int | $int)
    2 ($int \\ $few)
    3 ($test & $int)
    1 ((|$int) \\ $few)
    1 (seq($few) \\ $few)
    1 (seq($few, $few) \\ $few)
    3 ($str ? $scanint)
    2 &pos
    1 ?$few
    1 ?$list
    2 !$list
    1 !$record
    2 $call
    1 { $statement; $int }
    1 \\$int
    1 .$intvar
    2 $list[$int]
    2 $table[$any]
    1 $record.$field
    1 "+"($int, $int)
    1 "..."($few, $few, 1)
    1 proc("*", 2)($int, $int)
    1 ("abs" | "-")($int)
    1 $few($any, $any, $any)
    1 ($any, $int)
    1 (while tick() & $test do if $test then break $int)
    1 (every $any do if tick() & $test then break $int)
    1 (repeat { tick(); break $int })
    1 args($name)
    1 ($name ! [$int, $int])
    1 sort($list)[$few]
    1/co *$coexpr
    2/co @e
    1/co (tick() & @$coexpr)
    3/wild $any
    1/error &errornumber`,
  compare: `
    3 <
    2 <=
    3 =
    2 ~=
    2 >=
    3 >`,
  comparestr: `
    2 <<
    1 <<=
    3 ==
    2 ~==
    1 >>=
    2 >>`,
  augment: `
    3 +:=
    2 -:=
    2 *:=
    1 /:=
    1 %:=
    1 <:=
    1 =:=
    1 >:=
    1 ===:=`,
  short: `
    3 ""
    5 "a"
    5 "b"
    3 "l"
    3 "12"
    2 "ab"
    1 "3.5"
    1 "("
    1 " "
    1 "-4"
    1 "\\t"
    1 s[$few]
    1 !t`,
  strvar: `
    9 s
    9 t
    3 gs`,
  str: `
    9 $short
    16 $strvar
    2 "hello"
    2 "banana"
    1 "a(b)c"
    1 " 42 "
    1 "1e2"
    1 "The quick brown fox"
    1 &subject
    5 ($str || $str)
    3 $str[$int]
    3 $str[$int:$int]
    2 $str[$int+:$few]
    1 $str[$int-:$few]
    2 !$str
    1 ?$str
    1 left($str, $few)
    1 left($str, $few, $str)
    1 right($str, $number % 20, $short)
    1 center($str, 7, $short)
    1 repl($short, $few)
    1 reverse($str)
    1 trim($str)
    1 trim($str, $cset)
    1 map($str)
    1 map($str, "abl", "xyz")
    1 detab($str, 5)
    1 entab($str)
    2 string($any)
    2 image($any)
    1 type($any)
    1 char(64 + $few)
    3 ($str $comparestr $str)
    1 ($any === $str)
    3 ($strvar := clip($str))
    2 ($strvar <- $str)
    1 ($strvar :=: $strvar)
    1 ($strvar <-> $strvar)
    2 ($strvar ||:= $short)
    1 ($strvar $comparestr:= $str)
    1 ($strvar[$few] := $short)
    1 ($strvar[$few:$few] <- $short)
    2 (if $test then $str else $str)
    1 (case $str of { $short: $str; !$strvar: $str; default: $str })
    4 ($str | $str)
    2 ($str \\ $few)
    3 ($test & $str)
    4 ($str ? $scanstr)
    2 !$list
    2 $call
    1 { $statement; $str }
    1 /$strvar
    2 $list[$int]
    2 $table[$any]
    1 $record.$field
    1 "||"($str, $int)
    1 "[:]"($str, $few, $few)
    1 proc("reverse")($str)
    1 (left | right)($str, $few)
    1 name($name)
    1 read()
    2/co @e
    2 $int
    3/wild $any
    1/error &errortext`,
  scanstr: `
    4 tab($few)
    4 tab(0)
    4 move(1)
    2 move(-1)
    2 &subject
    1 &null
    3 tab($int)
    4 tab(upto($cset))
    3 tab(many($cset))
    2 tab(find($short))
    1 tab(any($cset))
    2 move($few)
    3 (=$short)
    2 ($scanstr || $scanstr)
    3 ($scanstr & $scanstr)
    2 ($scanstr | $scanstr)
    1 ($scanstr \\ $few)
    1 ($scanstr ? $scanstr)
    1 { $scanstr; $scanstr }
    1 (every $scanstr do tick())
    1 (while tick() & $scanstr)
    1 (&pos := $int)
    1 (&pos <- $int)
    1 (&subject := $str)
    1 (&subject[$few] := $short)
    1 ($strvar := clip($scanstr))
    1 ($strvar <- $scanstr)
    1 not $scanstr
    1 (tab($few) || $str)
    1 [$scanstr, $scanstr]
    1 $call
    1 $str`,
  scanint: `
    6 &pos
    3 upto($cset)
    3 many($cset)
    3 find($short)
    2 match($short)
    1 any($cset)
    1 bal($cset)
    2 ($scanstr & &pos)
    2 ($scanstr & $scanint)
    1 ($scanint | $scanint)
    1 ($scanint + $scanint)
    1 pos($int)
    1 *$scanstr`,
  cset: `
    5 'a'
    5 'abc'
    4 'lo'
    2 ''
    3 &digits
    2 &letters
    2 &lcase
    1 ' ('
    4 c
    2 ($cset ++ $cset)
    1 ($cset -- $cset)
    1 ($cset ** $cset)
    1 (~$cset)
    1 cset($any)
    1 (c := $cset)
    1 (c <- $cset)
    2 $short
    1 ($cset | $cset)
    1 $int
    1/wild $any`,
  real: `
    5 1.5
    5 2.0
    3 0.25
    3 1e3
    2 -3.75
    2 r
    2 ($real + $real)
    2 ($int - $real)
    2 ($real * $int)
    1 ($real / 4)
    1 (-$real)
    1 ($real % 2.5)
    1 ($real ^ $few)
    1 sqrt(abs($real))
    1 real($any)
    1 ($real $compare $int)
    1 (r := clip($real))
    1 (r <- $real)
    1 abs($real)
    1 integer($real)
    1 ($real | $real)
    1 numeric($any)`,
  list: `
    9 L
    5 M
    3 gL
    2 []
    3 [$any]
    4 [$int, $str]
    2 [$any, $any, $any]
    1 list($few, $any)
    2 ($list ||| $list)
    1 $list[$few:$few]
    1 copy($list)
    1 sort($list)
    1 sort($set)
    1 sort($table, $few)
    1 sort($record)
    1 sortf($list, $few)
    2 (L := clip($list))
    1 (M <- $list)
    1 (L :=: M)
    1 ($list | $list)
    1 ($list === $list)
    2/wild $any`,
  table: `
    9 T
    3 gT
    2 table($any)
    1 copy($table)
    1 (T := $table)
    1/wild $any`,
  set: `
    9 X
    2 set($list)
    1 set()
    2 ($set ++ $set)
    1 ($set -- $set)
    1 ($set ** $set)
    1 copy($set)
    1 (X := $set)
    1/wild $any`,
  record: `
    9 p
    3 pt($any, $any)
    2 node($any, $record)
    2 pt($any)
    1 node()
    1 copy($record)
    1 (p := pt($int, $str))
    1 (p <- $record)
    1/wild $any`,
  field: `
    4 x
    3 y
    1 v`,
  coexpr: `
    9 e
    8 (create $simple)
    1 (create f1($few))
    2 ^e
    1 ^$coexpr
    1 (e := create $simple)
    1/stray &source
    1/stray &current
    1/stray &main`,
  simple: `
    3 (1 to $few)
    3 !$strvar
    2 !L
    2 key(T)
    2 ($few | $short)
    2 (i +:= 1)
    1 (|(i +:= 1) \\ 5)
    1 (s ||:= "z")
    1 ($strvar || $few)
    1 ($simple | $simple)
    1 ($simple & $simple)
    1 ($simple \\ $few)
    1 ($simple ? move(1))
    1 ($simple ? tab(1 to $few))
    1 (while tick() & $few < 2 do tick())
    1 (every $simple do tick())
    1 (if $simple then $simple)
    1 (f1 | f2)($few)
    1 f2($simple)
    1 tab($few)
    1 &fail
    1 @e
    1 ^e
    1 write($simple)
    1 create $simple`,
  name: `
    4 f1
    4 f2
    4 f3
    2 write
    2 image
    1 abs
    1 pt
    1 main`,
  call: `
    6 f1($any)
    6 f2($int, $any)
    5 f3($str)
    2 f1($int, $int, $int)
    1 f2()
    1 f3(&null)
    1 (f1 | f2)($int)
    1 ("f1" | "f3")($str)
    1 (f2 ! [$int, $any])
    1 f1{$few, $short}
    1 (x := f2)($int)
    1 f1($call)`,
  anyvar: `
    9 x
    9 y
    2 i
    2 s`,
  any: `
    9 $anyvar
    4 &null
    4 $int
    4 $str
    2 $cset
    2 $list
    2 $table
    1 $set
    2 $record
    1 $name
    1 $keyword
    1 &fail
    3 ($any | $any)
    2 ($any & $any)
    2 ($anyvar := clip($any))
    1 ($anyvar <- $any)
    1 ($anyvar :=: $anyvar)
    1 ($anyvar <-> $anyvar)
    2 !$any
    1 ?$any
    2 $any[$any]
    1 $any[$few:$few]
    2 $table[$any]
    1 \\$anyvar
    1 /$anyvar
    1 ($any === $any)
    1 ($any ~=== $any)
    1 (if $test then $any else $any)
    1 (not $any)
    1 key($table)
    1 get($list)
    1 pull($list)
    1 copy($any)
    2 $call
    1 $variable
    1 ($variable := clip($any))
    1 ($variable <- $any)
    1 ($variable :=: $other)
    1 (every ($any \\ 9) do tick())
    1/real $real
    2/real $real
    2/co $coexpr
    1/co @e
    1/co (tick() & $any @ $coexpr)
    1/proc (return $any)
    1/proc (suspend $any)
    1/wild serial($any)
    1/error &errorvalue
    1/error runerr($number, $any)`,
  variable: `
    4 L[$int]
    4 T[$any]
    2 p.$field
    2 p[$few]
    1 (p | L)[$few]
    2 !L
    1 !T
    1 !p
    1 ?L
    2 s[$int]
    1 !s
    1 s[$few:$few]
    1 ($anyvar | $anyvar)
    1 (if $test then $anyvar else $strvar)
    1 (L[1] | T["k"])
    1 T[$few][$few]
    1 L[1, 2]
    1 variable("gs" | "gi")`,
  // what variables are exchanged with: not parts of s, for iconx reads outside a string when its parts overlap
  other: `
    4 L[$int]
    4 T[$any]
    2 p.$field
    2 p[$few]
    1 (p | L)[$few]
    2 !L
    1 !T
    1 !p
    1 ?L
    2 t[$int]
    1 !t
    1 t[$few:$few]
    1 ($anyvar | $anyvar)
    1 (if $test then $anyvar else gs)
    1 (L[1] | T["k"])
    1 T[$few][$few]
    1 L[1, 2]
    1 variable("gs" | "gi")`,
  keyword: `
    1 &lcase
    1 &digits
    1 &null
    1 &main
    1 &output
    1 &progname
    1 &level
    1 &e`,
  test: `
    5 ($int $compare $int)
    2 ($str $comparestr $str)
    2 ($any === $any)
    1 ($any ~=== $any)
    3 \\$anyvar
    3 /$anyvar
    2 (not $test)
    2 ($test & $test)
    2 ($test | $test)
    2 member($set, $any)
    1 member($table, $any)
    2 $any
    1 (*$list > $few)
    1 ($str ? $scanstr)
    1 ($intvar <- $int) & $test
    2 &fail
    3 1`,
  statement: `
    9 write(image($any))
    6 write($str)
    4 write($int)
    2 show($list)
    2 show($table)
    2 show($set)
    1 show($record)
    1 writes($str, " ", $int, "\\n")
    5 every write(image($any \\ 9))
    5 every write($int \\ 9)
    4 every write($str \\ 9)
    2 every writes(" ", image($variable \\ 5)) do tick()
    5 $intvar := clip($int)
    5 $strvar := clip($str)
    4 $anyvar := clip($any)
    3 $variable := clip($any)
    2 $variable :=: $other
    1 $variable ||:= $short
    1 $variable +:= $few
    1 s[$int] := $short
    1 s[$few:$few] := $str
    3 every $variable := clip($any) do tick()
    2 every $variable <- $any do { tick(); write(image($any)) }
    2 every $anyvar <-> $anyvar do { tick(); write(image(x), image(y)) }
    4 if $test then $statement else $statement
    3 if $test then $statement
    2 ($test, $statement)
    2 put($list, $any)
    1 put($list, $any, $int)
    1 push($list, $any)
    2 insert($set, $any)
    2 insert($table, $any, $any)
    1 delete($set, $any)
    1 delete($table, $any)
    1 (get | pop | pull)($list)
    2 T[$any] +:= $few
    2 $str ? { $scan }
    1 $str ? { $scan; $scan }
    1 $strvar ?:= $scanstr
    1 every $str ? write($scanstr) do tick()
    1 every $call do tick()
    1 $call
    1 case $any of {¶$number: $statement¶$str: $statement¶default: $statement¶}
    1 write(¶$int ||¶$str¶)
    1 x :=¶$any
    4/co e := create $simple
    1/co e := create ($simple ? $simple)
    1/co while write(image(@e)) do tick()
    1/co every write(image(|@e \\ $few))
    1/co x := e
    1/proc return $any
    1/proc suspend $any
    2/proc suspend $any do { tick(); $statement }
    1/proc fail
    1/proc (suspend !$list) | write("done")
    1/error write(image(&errornumber), " ", &errortext, " ", image(&errorvalue))
    1/error errorclear()
    1/error &error := $few
    1/frames display()
    1/frames display(1)
    1/trace &trace := $number`,
  scan: `
    6 write($scanstr)
    3 write(image($scanint))
    3 while write($scanstr) do { tick(); move(1) | break }
    2 every write($scanint) do tick()
    2 $strvar := clip($scanstr)
    2 $scanstr
    1 &pos := $int
    1 every $scanstr do { tick(); writes(&pos, " ") }
    1 if $scanstr then write(&pos) else write(&subject)
    1 $statement
    1/proc suspend $scanstr
    1/proc return $scanstr`,
  loop: `
    3 every $intvar := $int do {¶tick()¶$statement¶}
    3 every $anyvar := $any do { tick(); $statement }
    2 every !L := $any do tick()
    2 every $any do {¶tick()¶$statement¶if $test then break¶$statement¶}
    2 every $any do { tick(); if $test then next; $statement }
    2 while tick() & $test do {¶$statement¶if $test then break¶$statement¶}
    1 while tick() & $test do $statement
    2 until tick() & $test do {¶$statement¶if $test then next else break¶}
    2 repeat {¶tick()¶$statement¶if $test then break¶$statement¶}
    1 repeat { tick(); if $test then break write(image($any)); $statement; if $test then next; break }
    2 while tick() & $anyvar := get(L) do $statement
    1 every ($intvar := $int) & ($test) do { tick(); $statement }`,
  block: `
    9 $statement
    9 $statement¶$statement
    6 $statement¶$loop
    5 $loop¶$statement
    3 $statement¶$statement¶$statement
    2 $statement¶$block
    1 $loop¶$loop`,
} as const

export type Rule = keyof typeof rules
