// Co-expressions. The body of each is a JavaScript generator: its results are values, and, in code compiled for
// it, Transfers to other co-expressions, for which the loop in `activate` keeps the books. Plain code that
// activates a co-expression waits in that loop until control comes back to it.
import { fail, fatal, IconError } from './errors.js'
import { shortImage } from './image.js'
import { machine, type Frame } from './machine.js'
import { traceTransfer } from './tracing.js'
import { CoExpression, type Proc, type Result, type Results, type Value } from './values.js'

/** What a co-expression's code yields to activate another. */
export class Transfer {
  constructor(
    readonly to: CoExpression,
    readonly value: Value,
  ) {}
}

/** create e: `proc` and `args` are the procedure's that creates it, for messages. */
export function create(
  body: (...locals: Value[]) => Results,
  locals: readonly Value[],
  proc: Proc,
  args: readonly Value[],
  frame: Frame | undefined,
): CoExpression {
  const c = new CoExpression(body, locals)
  const limit = Error.stackTraceLimit
  Error.stackTraceLimit = 8
  c.creator = { proc, args, origin: new Error('created') }
  Error.stackTraceLimit = limit
  if (frame) c.frames = [copyOf(frame)]
  return c
}

/** A co-expression has copies of the locals, as they were when it was made. */
function copyOf(frame: Frame): Frame {
  const { name, parameters, dynamic, statics } = frame
  const copies = new Map([...parameters, ...dynamic].map((id) => [id, frame.get(id)]))
  return {
    name,
    parameters,
    dynamic,
    statics,
    get: (id) => (copies.has(id) ? copies.get(id)! : frame.get(id)),
    set: (id, value) => {
      if (copies.has(id)) copies.set(id, value)
      else frame.set(id, value)
    },
  }
}

/** ^c */
export function refresh(c: Value): Value {
  if (!(c instanceof CoExpression)) return fail(118, c, '^', [c]) as unknown as Value
  if (!c.body) {
    // iconx has made the new one before it looks
    machine.serials.coexpression++
    return fail(215, c, '^', [c]) as unknown as Value
  }
  const fresh = new CoExpression(c.body, c.locals)
  fresh.creator = c.creator
  fresh.frames = c.frames.slice(0, 1)
  return fresh
}

/** value @ c, from plain code. Answers what is sent back, or undefined for failure. */
export function activate(c: Value, value: Value): Result {
  if (!(c instanceof CoExpression)) return fail(118, c, '@', [value, c])
  const here = machine.current!
  let to: CoExpression = c
  let sent: unknown = enter(here, c, value)
  for (;;) {
    if (to === here) return sent as Result
    const results = (to.results ??= to.body!(...to.locals))
    const result = resume(to, results, sent)
    if (result instanceof Transfer) {
      sent = enter(to, result.to, result.value)
      to = result.to
    } else {
      const from = to
      to = from.activators.pop() ?? here
      if (result !== undefined) from.size++
      if (machine.trace !== 0) traceResult(from, result as Result, to)
      leave(from, to)
      sent = result
    }
  }
}

/** value @ c, from code that may transfer: what it yields; undefined for failure. */
export function transfer(c: Value, value: Value): Transfer | undefined {
  return c instanceof CoExpression ? new Transfer(c, value) : fail(118, c, '@', [value, c])
}

/** Runs a co-expression up to its next result or transfer. An error in it ends with the procedure that made it. */
function resume(c: CoExpression, results: Results, sent: unknown): unknown {
  try {
    return results.next(sent).value
  } catch (error) {
    if (error instanceof IconError && !error.sealed) {
      error.sealed = true
      if (c.creator) error.left.push(c.creator)
    }
    throw error
  }
}

/** How many co-expressions may have been activated one out of the other: they take no stack, and would fill the memory. */
const mostActive = 250_000

/** Books the transfer of a value to a co-expression; answers the value. */
function enter(from: CoExpression, to: CoExpression, value: Value): Value {
  if (machine.trace !== 0) traceTransfer(procName(), from, `: ${shortImage(value)} @`, to)
  if (to.results === undefined && to.body) {
    to.depth = from.depth + 1
    if (to.depth > mostActive) fatal(301)
  }
  to.activators.push(from)
  leave(from, to)
  return value
}

function leave(from: CoExpression, to: CoExpression): void {
  from.frames = machine.frames
  machine.frames = to.frames as typeof machine.frames
  machine.current = to
}

function traceResult(from: CoExpression, result: Result, to: CoExpression): void {
  const what = result === undefined ? 'failed to' : `returned ${shortImage(result)} to`
  traceTransfer(procName(), from, what, to)
}

const procName = (): string => machine.frames[machine.frames.length - 1]?.name ?? 'main'

/** &source */
export function source(): Value {
  const { activators } = machine.current!
  return activators[activators.length - 1] ?? machine.main
}
