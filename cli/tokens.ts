// `scamp tokens`: the list of a program's executable tokens, and when tokens are executed.
import { executing, executableTokens, type Source } from '../src/scamp.js'
import { writeOutput } from './files.js'
import { statuses } from './options.js'

/** What can be asked. */
export interface TokensOptions {
  readonly output?: string
}

/**
 * Prints the token list of a source, as TR 79-9, §2 has it: a line for each token, with its number, its line, its column
 * and its text, a blank between.
 */
export async function tokens(source: Source, { output }: TokensOptions): Promise<number> {
  const list = await executableTokens(source, process.env.LPATH ?? '')
  const text = list.map(({ line, column, text: own }, i) => `${i + 1} ${line} ${column} ${own}\n`).join('')
  if (output === undefined) process.stdout.write(text, 'latin1')
  else writeOutput(output, Buffer.from(text, 'latin1'))
  return statuses.ok
}

/** When tokens are executed, for --help. */
export const tokensHelp = () => {
  const rows = executing.map(({ kind, executed, source }) => `  ${kind}\n      ${executed} (${source})\n`)
  return `\nA token is executed, and counted, each time that\n${rows.join('')}`
}
