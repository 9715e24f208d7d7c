// Co-expressions. The body of each is a JavaScript generator: its results are values, and, in code compiled for
// it, Transfers to other co-expressions, for which the loop in `activate` keeps the books. Plain code that
// activates a co-expression waits in that loop until control comes back to it.
import { fail } from './errors.js'
import { shortImage } from './image.js'
import { machine } from './machine.js'
import { traceTransfer } from './tracing.js'
import { CoExpression, type Result, type Results, type Value } from './values.js'

/** What a co-expression's code yields to activate another. */
export class Transfer {
  constructor(
    readonly to: Value,
    readonly value: Value,
  ) {}
}

export function create(body: (...locals: Value[]) => Results, locals: readonly Value[]): CoExpression {
  return new CoExpression(body, locals)
}

/** ^c */
export function refresh(c: Value): Value {
  if (!(c instanceof CoExpression)) return fail(118, c, '^', [c]) as unknown as Value
  if (!c.body) return fail(215, c, '^', [c]) as unknown as Value
  return new CoExpression(c.body, c.locals)
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
    const { value: result } = results.next(sent)
    if (result instanceof Transfer) {
      if (!(result.to instanceof CoExpression)) {
        sent = fail(118, result.to, '@', [result.value, result.to])
        continue
      }
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

/** Books the transfer of a value to a co-expression; answers the value. */
function enter(from: CoExpression, to: CoExpression, value: Value): Value {
  if (machine.trace !== 0) traceTransfer(procName(), from, `: ${shortImage(value)} @`, to)
  to.activators.push(from)
  leave(from, to)
  return value
}

function leave(from: CoExpression, to: CoExpression): void {
  from.level = machine.level
  from.frames = machine.frames
  machine.level = to.level
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
