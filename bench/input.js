// Standard input for the programs: the same on every machine, of so many lines.

export const inputs = { text, program, procedure }

/** Prose of a sort: lines of about ten words, few of which are frequent and many rare. */
function text(lines) {
  const random = randomNumbers(1)
  const vocabulary = Array.from({ length: 4000 }, () => word(random))
  // the k-th word is about 1/k as frequent as the first
  const pick = () => vocabulary[Math.floor(vocabulary.length ** random()) - 1]
  let written = ''
  for (let i = 0; i < lines; i++) {
    const line = Array.from({ length: 8 + Math.floor(random() * 5) }, pick).join(' ')
    written += `${line[0].toUpperCase()}${line.slice(1)}${random() < 0.3 ? '.' : ','}\n`
  }
  return written
}

/** The text of an Icon program: procedures of a few statements each. */
function program(lines) {
  const { random, name, value, statement } = phrases(word)
  const written = []
  while (written.length < lines) {
    written.push(`procedure ${name()}(${name()}, ${name()})`, `   local ${name()}, ${name()}`)
    for (let i = Math.floor(4 + random() * 16); i > 0; i--) written.push(`   ${statement()}`)
    written.push(`   return ${value()}`, 'end', '')
  }
  return `${written.slice(0, lines).join('\n')}\n`
}

/** The text of one Icon procedure of so many lines. */
function procedure(lines) {
  // in capitals, no word is reserved
  const { statement } = phrases((random) => word(random).toUpperCase())
  const statements = Array.from({ length: lines - 2 }, () => `   ${statement()}`)
  return `procedure main()\n${statements.join('\n')}\nend\n`
}

/** Statements of an Icon program, and what they are made of; `makeName` makes an identifier of random numbers. */
function phrases(makeName) {
  const random = randomNumbers(2)
  const names = Array.from({ length: 300 }, () => makeName(random))
  const name = () => names[Math.floor(names.length ** random()) - 1]
  const among = (choices) => choices[Math.floor(random() * choices.length)]
  const value = () => among([name, name, () => `${name()}(${name()}, ${name()})`, () => '"a \\"text\\""', () => '17'])()
  const statements = [
    () => `${name()} := ${value()} + ${value()}`,
    () => `if ${name()} > ${value()} then ${name()} := ${value()}   # as it should be`,
    () => `every write(!${name()} || ${value()})`,
    () => `while ${name()} := read() do put(${name()}, ${value()})`,
    () => `${name()} ? ${name()} := tab(upto(&letters))`,
  ]
  return { random, name, value, statement: () => among(statements)() }
}

function word(random) {
  let letters = ''
  for (let i = Math.floor(1 + random() * 4); i > 0; i--) {
    letters += 'bcdfghlmnprstvw'[Math.floor(random() * 15)] + 'aeiou'[Math.floor(random() * 5)]
  }
  return letters
}

/** Numbers from 0 up to 1, by the multiplicative congruential method of Park and Miller (CACM 31, 1988). */
function randomNumbers(seed) {
  let state = seed
  return () => {
    state = (state * 16807) % 2147483647
    return state / 2147483647
  }
}
