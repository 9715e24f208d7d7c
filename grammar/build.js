// Builds the parsers: each grammar/NAME.peggy becomes NAME.js and NAME.d.ts beside it.
// `node grammar/build.js dist` also puts what the compiled program reads at run time into dist/.
import { readFileSync, writeFileSync, cpSync, mkdirSync } from 'node:fs'
import peggy from 'peggy'

const here = new URL('.', import.meta.url)
const root = new URL('..', here)

const names = ['icon', 'algol68']

// a class of kinds would be looked up by a regular expression; alternatives are compared, which is far quicker
const compareKinds = {
  use({ passes }) {
    const toAlternatives = peggy.compiler.visitor.build({
      class(node) {
        const { parts, location } = node
        const alternatives = parts.map((value) => ({ type: 'literal', value, ignoreCase: false, location }))
        Object.assign(node, { type: 'choice', alternatives })
      },
    })
    passes.transform = [...passes.transform.filter(({ name }) => name !== 'mergeCharacterClasses'), toAlternatives]
  },
}

for (const name of names) {
  const grammar = readFileSync(new URL(`${name}.peggy`, here), 'utf8')
  const options = { grammarSource: `${name}.peggy`, output: 'source', format: 'es', plugins: [compareKinds] }
  writeFileSync(new URL(`${name}.js`, here), peggy.generate(grammar, options))
  const types = new URL(`${name}.d.ts`, here)
  writeFileSync(
    types,
    `import type { Program } from '../src/1-parse/${name}/ast.js'\n` +
      'export interface Expectation { type: string; text?: string; parts?: string[] }\n' +
      'export class SyntaxError extends Error {\n' +
      '  expected: Expectation[] | null\n' +
      '  location: { start: { offset: number }; end: { offset: number } }\n' +
      '}\n' +
      'export function parse(tokens: string, options: object): Program\n',
  )
}

if (process.argv[2] === 'dist') {
  mkdirSync(new URL('dist/grammar/', root), { recursive: true })
  for (const name of names) cpSync(new URL(`${name}.js`, here), new URL(`dist/grammar/${name}.js`, root))
  cpSync(new URL('prelude/', root), new URL('dist/prelude/', root), { recursive: true })
}
