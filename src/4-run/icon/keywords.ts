// Keywords: one row each. Those that are variables can be set; &fail, &null and those that are constants of the
// place (&line, &file) the compiler knows itself.
import { asSmall, asString } from './convert.js'
import { source } from './coexpressions.js'
import { fail } from './errors.js'
import { errout, input, output, time } from './files.js'
import { csetKeywords } from './image.js'
import { machine } from './machine.js'
import { once } from './elements.js'
import { VarRef } from './references.js'
import { setPos, setSubject } from './strings.js'
import { Real, type Result, type Results, type Value } from './values.js'

interface Keyword {
  get(): Result
  set?(value: Value, operator?: string): Result
  all?(): Results
}

const constant = (value: Value): Keyword => ({ get: () => value })

const integerVariable = (field: 'random' | 'trace' | 'dump' | 'error'): Keyword => ({
  get: () => machine[field],
  set: (value, operator = ':=') => {
    const number = asSmall(value)
    if (number === undefined) return fail(101, value, operator, [{ shown: `&${field} = ${machine[field]}` }, value])
    machine[field] = number
    return number
  },
})

function* each(values: readonly Value[]): Generator<Value> {
  yield* values
}

const several = (values: () => Value[]): Keyword => ({ get: () => values()[0], all: () => each(values()) })

const two = (n: number): string => String(n).padStart(2, '0')
const days = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')
const months = 'January February March April May June July August September October November December'.split(' ')

function dateline(): string {
  const now = new Date()
  const hour = now.getHours()
  const clock = `${hour % 12 === 0 ? 12 : hour % 12}:${two(now.getMinutes())} ${hour < 12 ? 'am' : 'pm'}`
  return `${days[now.getDay()]}, ${months[now.getMonth()]} ${now.getDate()}, ${now.getFullYear()}  ${clock}`
}

const featureNames = [
  'UNIX',
  'ASCII',
  'co-expressions',
  'dynamic loading',
  'environment variables',
  'keyboard functions',
  'large integers',
  'pipes',
  'system function',
  'graphics',
  'X Windows',
]

// the keywords of graphics: events have their numbers, and what asks a window finds none
const events = 'lpress mpress rpress lrelease mrelease rrelease ldrag mdrag rdrag resize'.split(' ')
const ofWindow = 'col control interval meta row shift x y'.split(' ')
const noWindow: Keyword = { get: () => fail(140, null, 'keyword', []) }

export const keywords: Readonly<Record<string, Keyword>> = {
  ...Object.fromEntries(events.map((name, i) => [name, constant(-1 - i)])),
  ...Object.fromEntries(ofWindow.map((name) => [name, noWindow])),
  window: constant(null),
  allocated: several(() => {
    const { string, block } = machine.storage
    return [string.allocated + block.allocated, 0, string.allocated, block.allocated]
  }),
  ascii: constant(csetKeywords['&ascii']),
  clock: {
    get: () => {
      const now = new Date()
      return `${two(now.getHours())}:${two(now.getMinutes())}:${two(now.getSeconds())}`
    },
  },
  collections: several(() => {
    const { collections, static: fixed, string, block } = machine.storage
    return [collections, fixed.collections, string.collections, block.collections]
  }),
  cset: constant(csetKeywords['&cset']),
  current: { get: () => machine.current },
  date: {
    get: () => {
      const now = new Date()
      return `${now.getFullYear()}/${two(now.getMonth() + 1)}/${two(now.getDate())}`
    },
  },
  dateline: { get: dateline },
  digits: constant(csetKeywords['&digits']),
  dump: integerVariable('dump'),
  e: constant(new Real(Math.E)),
  error: integerVariable('error'),
  errornumber: { get: () => (machine.errorNumber === 0 ? undefined : machine.errorNumber) },
  errortext: { get: () => (machine.errorNumber === 0 ? undefined : machine.errorText) },
  errorvalue: { get: () => machine.errorValue },
  errout: constant(errout),
  fail: { get: () => undefined },
  features: several(() => featureNames),
  host: { get: () => machine.host },
  input: constant(input),
  lcase: constant(csetKeywords['&lcase']),
  letters: constant(csetKeywords['&letters']),
  level: { get: () => machine.level },
  main: { get: () => machine.main },
  null: constant(null),
  output: constant(output),
  phi: constant(new Real((1 + Math.sqrt(5)) / 2)),
  pi: constant(new Real(Math.PI)),
  pos: { get: () => machine.pos, set: setPos },
  progname: {
    get: () => machine.progname,
    set: (value) => {
      const text = asString(value)
      if (text === undefined) return fail(103, value)
      machine.progname = text
      return text
    },
  },
  random: integerVariable('random'),
  regions: several(() => [0, machine.storage.string.size, machine.storage.block.size]),
  source: { get: source },
  storage: several(() => [0, machine.storage.string.used, machine.storage.block.used]),
  subject: { get: () => machine.subject, set: setSubject },
  time: { get: time },
  trace: integerVariable('trace'),
  ucase: constant(csetKeywords['&ucase']),
  version: constant('Icon Version 9.4.3, November 14, 2005'),
}

for (const [name, keyword] of Object.entries(keywords)) {
  if (keyword.set) {
    const set = keyword.set.bind(keyword)
    machine.keywordVariables.set(`&${name}`, { get: () => keyword.get()!, set })
  }
}

export function keyword(name: string): Result {
  const row = keywords[name]
  return row ? row.get() : fail(121, undefined, 'keyword', [])
}

export function keywordAll(name: string): Results {
  return keywords[name].all?.() ?? once(keyword(name))
}

export function setKeyword(name: string, value: Value, operator?: string): Result {
  return keywords[name].set!(value, operator)
}

export function keywordRef(name: string): VarRef {
  return new VarRef(
    `&${name}`,
    () => keyword(name)!,
    (value) => setKeyword(name, value),
  )
}
