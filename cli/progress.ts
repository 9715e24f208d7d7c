// How far long work has come, on a terminal: one line of standard error that goes away when the work is done. Elsewhere,
// and for what is over in a second, nothing.
import type { Progress } from '../src/scamp.js'

const quietMilliseconds = 1000
const everyMilliseconds = 100

/** Does something that tells how far it has come; `what` names it: `merging profiles`. */
export function withProgress<T>(what: string, work: (progress: Progress) => T): T {
  const { stderr } = process
  const begun = Date.now()
  let shown = 0
  const progress: Progress = (done, all) => {
    const now = Date.now()
    if (!stderr.isTTY || now - begun < quietMilliseconds || now - shown < everyMilliseconds) return
    shown = now
    stderr.write(`\r${`${what}: ${done} of ${all}`.slice(0, stderr.columns - 1)}\x1b[K`)
  }
  try {
    return work(progress)
  } finally {
    if (shown > 0) stderr.write('\r\x1b[K')
  }
}
