// Where frames of Icon procedures can stand: what a line of a traceback, or a look into a stopped program's memory, says
// of the vertex at which control is.
import { placeOf, tokenText, type Tokens } from '../1-parse/icon/scan.js'
import { positionIn } from '../source.js'
import { outside } from './infer.js'
import type { Outcomes } from './outcomes.js'
import { unknownCallee, type Step } from './plan.js'

// kinds of tokens that stand for something carried out, which an error or a call can be pending at
const operations = new Set('([{ab=u?&.t')

// kinds of tokens that what is called may end with
const callable = new Set('inrsc)]}')

/**
 * For every line, the vertices at which control can be while an operation of that line is carried out.
 *
 * starts   of the lines of each file
 * stands   where control stands from a token on: token and vertex, one after the other
 */
export function stepsOf(
  tokens: Tokens,
  starts: readonly (readonly number[])[],
  stands: readonly number[],
  vertexOf: (vertex: number) => number,
  isFixed: Outcomes['isFixed'],
): Step[] {
  const order = Array.from({ length: stands.length / 2 }, (_, i) => 2 * i)
  if (order.some((i) => i > 0 && stands[i] < stands[i - 2])) order.sort((a, b) => stands[a] - stands[b] || a - b)
  const { kinds } = tokens
  const steps: Step[] = []
  let next = 0
  let vertex = outside
  let atFile = -1
  let line = 1
  for (let token = 0; token < kinds.length; token++) {
    while (next < order.length && stands[order[next]] === token) vertex = vertexOf(stands[order[next++] + 1])
    const { file, offset } = placeOf(tokens, token)
    const lines = starts[file]
    if (file !== atFile || offset < lines[line - 1]) line = positionIn(lines, offset).line
    else while (line < lines.length && lines[line] <= offset) line++
    atFile = file
    const last = steps[steps.length - 1]
    if (isOperation(kinds, token)) steps.push({ file, line, vertex, ...operationAt(tokens, token, isFixed) })
    else if (last?.vertex !== vertex || last.file !== file) steps.push({ file, line, vertex })
  }
  return steps
}

/** Whether a token stands for something carried out; a parenthesis or brace does behind what it calls. */
function isOperation(kinds: string, token: number): boolean {
  if (!operations.has(kinds[token])) return false
  return (kinds[token] !== '(' && kinds[token] !== '{') || (token > 0 && callable.has(kinds[token - 1]))
}

/** What a token stands for when a traceback speaks of it. */
function operationAt(tokens: Tokens, token: number, isFixed: Outcomes['isFixed']): Pick<Step, 'call' | 'operator'> {
  const { kinds } = tokens
  if (kinds[token] !== '(' && kinds[token] !== '{') {
    return { operator: tokenText(tokens, token) }
  }
  const callee = token > 0 && kinds[token - 1] === 'i' ? tokenText(tokens, token - 1) : unknownCallee
  return { call: isFixed(callee) ? callee : unknownCallee }
}
