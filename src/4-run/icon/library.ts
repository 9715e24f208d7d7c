// The run-time library as compiled scripts see it: every name a script may use.
import { builtins, functions } from './builtins.js'
import { activate, create, refresh, Transfer, transfer } from './coexpressions.js'
import { csetOf } from './convert.js'
import { IconError } from './errors.js'
import {
  apply,
  applyAll,
  applyAllOn,
  applyCo,
  applyCoOn,
  applyOn,
  blameFunction,
  invoke,
  invokeAll,
  invokeAllOn,
  invokeCo,
  invokeCoOn,
  invokeOn,
  nameOfRef,
  variableRef,
} from './invoke.js'
import { keyword, keywordAll, keywordRef, setKeyword } from './keywords.js'
import { machine } from './machine.js'
import * as operators from './operators.js'
import * as elements from './elements.js'
import * as random from './random.js'
import * as references from './references.js'
import * as subscripts from './subscripts.js'
import { passAny, passMany, passUpto, scanned, setPos, tabAny, tabMany, tabMatch, tabUpto } from './strings.js'
import { pushOne, putOne } from './structures.js'
import * as tracing from './tracing.js'
import { Cset, IconRecord, List, Proc, Real, RecordType, type Result, type Results, type Value } from './values.js'

/** A procedure that suspends, called for its first result. */
const firstOf =
  (all: (...args: Value[]) => Results) =>
  (...args: Value[]): Result =>
    all(...args).next().value as Result

/** How many calls a traceback shows at most: of more, the first and the last. */
const mostCalls = 1000

/** What JavaScript says when it can go no further, and the errors that these are in Icon. */
const limits: readonly [RegExp, number][] = [
  [/call stack/, 301],
  [/string length/, 306],
  [/BigInt|array|allocation|maximum size/i, 307],
]

/** An error leaves a procedure: notes which, and its arguments. */
function left(error: unknown, proc: Proc, args: readonly Value[]): unknown {
  let found = error
  if (error instanceof RangeError) {
    const limit = limits.find(([message]) => message.test(error.message))
    if (!limit) throw error
    const exhausted = new IconError(limit[1], undefined)
    exhausted.origin = machine.caught instanceof Error ? machine.caught : error
    found = exhausted
  }
  if (found instanceof IconError && !found.sealed) {
    found.left.push({ proc, args })
    if (found.left.length > 2 * mostCalls) found.left.splice(mostCalls / 2, mostCalls)
  }
  return found
}

export const library = {
  ...operators,
  ...references,
  ...subscripts,
  ...elements,
  ...random,
  ...tracing,
  S: machine,
  B: builtins,
  F: functions,
  Real,
  Cset,
  List,
  Proc,
  IconRecord,
  RecordType,
  Transfer,
  transfer,
  activate,
  apply,
  applyAll,
  applyAllOn,
  applyCo,
  applyCoOn,
  applyOn,
  blameFunction,
  create,
  csetOf,
  firstOf,
  invoke,
  invokeAll,
  invokeAllOn,
  invokeCo,
  invokeCoOn,
  invokeOn,
  keyword,
  keywordAll,
  keywordRef,
  left,
  nameOfRef,
  passAny,
  passMany,
  passUpto,
  pushOne,
  putOne,
  refresh,
  scanned,
  setKeyword,
  setPos,
  tabAny,
  tabMany,
  tabMatch,
  tabUpto,
  variableRef,
}
