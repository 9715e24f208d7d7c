// What holds of the counts of tokens, whatever the program.
import type { JsonCount, JsonReport, JsonToken } from './programs.js'

const controlWords = new Set(['if', 'case', 'while', 'until', 'every', 'suspend', 'repeat', 'not'])

/**
 * What in a report contradicts the laws: of starts and resumptions, so many succeed and fail, or control left in between;
 * an operation is counted at its starts and resumptions; an `if` goes either way, a `case` one of its ways.
 *
 * isWhole  whether the program came to its end, so that control left no operation but by an activation
 */
export function breaches(report: JsonReport, isWhole: boolean): string[] {
  return report.files.flatMap(({ tokens, sites }) => {
    const ofTokens = tokens.flatMap(({ line, column, text, count, exact, ports }) => {
      if (!ports || !Object.values(ports).every((port) => port.exact)) return []
      const of = (name: keyof typeof ports) => BigInt(ports[name].count)
      const came = of('started') + of('resumed')
      const left = came - of('succeeded') - of('failed')
      const isOperation = !controlWords.has(text) && text !== '|'
      const isRight =
        left >= 0n &&
        (left === 0n || !isWhole || !isOperation || text === '@') &&
        (!isOperation || !exact || came === BigInt(count))
      return isRight ? [] : [`${line}:${column} ${text}: ${count} ${JSON.stringify(ports)}`]
    })
    const counted = new Map(tokens.map((token) => [`${token.line}:${token.column}`, token]))
    const ofSites = sites.flatMap(({ kind, line, column, counts }) => {
      const token = counted.get(`${line}:${column}`)
      if (!['if', 'case'].includes(kind) || !token?.exact || !counts.every(({ exact }) => exact)) return []
      const ways = counts.reduce((sum, { count }) => sum + BigInt(count), 0n)
      return ways <= BigInt(token.count) ? [] : [`${line}:${column} ${kind}: ${token.count} ${JSON.stringify(counts)}`]
    })
    return [...ofTokens, ...ofSites]
  })
}

/** The count of a token, and those of its ports. */
function countsOf({ count, exact, ports }: JsonToken): JsonCount[] {
  return [{ count, exact }, ...(ports ? [ports.started, ports.resumed, ports.succeeded, ports.failed] : [])]
}

/** The tokens whose counts, where both reports are sure of them, are not the same in both. */
export function differences(one: JsonReport, other: JsonReport): string[] {
  return one.files.flatMap(({ tokens }, file) =>
    tokens.flatMap((token, i) => {
      const others = countsOf(other.files[file].tokens[i])
      const differs = countsOf(token).some(
        ({ count, exact }, j) => exact && others[j].exact && count !== others[j].count,
      )
      return differs
        ? [`${token.line}:${token.column} ${token.text}: ${JSON.stringify([countsOf(token), others])}`]
        : []
    }),
  )
}
