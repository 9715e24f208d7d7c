// Profile → what Istanbul's tools read: its own JSON, and by its reports lcov, Clover and TeamCity. The same
// profile at the same time gives the same text.
//
// In Istanbul's words: a line of which it is known how often it was executed is a statement, a procedure a function, a
// decision a branch, and so is an operation that can succeed and fail. What is not certainly covered has the count 0;
// what comments leave out is not there. Blocks are in their lines.
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import type libCoverage from 'istanbul-lib-coverage'
import type { CoverageMap, FileCoverageData, Location } from 'istanbul-lib-coverage'
import type libReport from 'istanbul-lib-report'
import type reports from 'istanbul-reports'
import type { Profile } from '../../5-profile/profile.js'
import { coverageOf, labelOf, type FileCoverage, type Item } from '../coverage.js'
import { printableName } from '../table.js'
import { decisionsIn } from './decisions.js'
import { escapeXml } from './xml.js'

/** Istanbul's reports that are offered. */
export type IstanbulReport = 'lcovonly' | 'clover' | 'teamcity'

/** Spells coverage as Istanbul's JSON: an object of files. */
export function istanbulJson(profile: Profile): string {
  return `${JSON.stringify(mapOf(profile, printableName))}\n`
}

/**
 * Has one of Istanbul's reports spell the coverage.
 *
 * milliseconds  the time that reports mention, since 1970
 */
export function istanbulReport(profile: Profile, name: IstanbulReport, milliseconds: number): string {
  const coverageMap = mapOf(profile, name === 'clover' ? escapeXml : printableName)
  const context = load('istanbul-lib-report').createContext({ coverageMap, defaultSummarizer: 'pkg' })
  let text = ''
  const println = (line: string) => void (text += `${line}\n`)
  const content = {
    println,
    write: (part: string) => void (text += part),
    colorize: (part: string) => part,
    close() {},
  }
  Object.defineProperty(context, 'writer', { value: { writeFile: () => content } })
  load('istanbul-reports').create(name, { projectRoot: '.' }).execute(context)
  // lcov's makes absolute names, such as those of --map, relative to the current folder
  if (name === 'lcovonly') {
    const names = new Map(coverageMap.files().map((path) => [relative('.', path), path]))
    return text.replace(/^SF:(.*)$/gm, (line, shown: string) => (names.has(shown) ? `SF:${names.get(shown)}` : line))
  }
  // Clover's report asks the clock
  return name === 'clover' ? text.replace(/( (?:generated|timestamp)=")\d+"/g, `$1${milliseconds}"`) : text
}

/** The packages. */
interface Packages {
  readonly 'istanbul-lib-coverage': typeof libCoverage
  readonly 'istanbul-lib-report': typeof libReport
  readonly 'istanbul-reports': typeof reports
}

/** Loads a package when it is needed: no other command waits for it. */
function load<Name extends keyof Packages>(name: Name): Packages[Name] {
  return createRequire(import.meta.url)(name) as Packages[Name]
}

function mapOf(profile: Profile, nameOf: (path: string) => string): CoverageMap {
  const files = coverageOf(profile).files.map((file) => fileData(file, nameOf(file.name)))
  return load('istanbul-lib-coverage').createCoverageMap(Object.fromEntries(files.map((data) => [data.path, data])))
}

function fileData(file: FileCoverage, path: string): FileCoverageData {
  const data: FileCoverageData = { path, statementMap: {}, fnMap: {}, branchMap: {}, s: {}, f: {}, b: {} }
  const kept = file.lines.filter(({ excluded }) => excluded === null)
  for (const [i, { line, count, covered }] of kept.entries()) {
    data.statementMap[i] = range(line, 0)
    data.s[i] = covered ? numberOf(count.value) : 0
  }
  const items = file.items.filter(({ excluded }) => excluded === null)
  const names = new Set<string>()
  for (const [i, item] of items.filter(({ kind }) => kind === 'procedure').entries()) {
    const { line, column } = item
    // names of functions are to differ; routine texts have none
    const name = printableName(item.of === '' || names.has(item.of) ? `${labelOf(item)} ${line}:${column}` : item.of)
    names.add(item.of)
    data.fnMap[i] = { name, decl: range(line, column - 1), loc: range(line, column - 1), line }
    data.f[i] = countOf(item)
  }
  for (const [i, sides] of decisionsIn(items).entries()) {
    const [{ kind, of, line, column }] = sides
    const loc = range(line, column - 1)
    const type = kind === 'outcome' ? 'binary-expr' : of === 'if' ? 'if' : of === 'case' ? 'switch' : 'loop'
    data.branchMap[i] = { loc, type, locations: sides.map(() => loc), line }
    data.b[i] = sides.map(countOf)
  }
  return data
}

const countOf = ({ covered, count }: Item) => (covered ? numberOf(count.value) : 0)

/** A count as Istanbul has it: what is larger than it can hold is as large as it can hold. */
const numberOf = (count: bigint) => Number(count > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : count)

const range = (line: number, column: number): { start: Location; end: Location } => ({
  start: { line, column },
  end: { line, column: column + 1 },
})
