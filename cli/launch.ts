// What the header of an instrumented executable starts: launch.js ICONX ICODE ARGS…
// Runs the icode on iconx, or on what the environment's ICONX names, and saves the profile. It prints nothing.
import { basename } from 'node:path'
import { embeddedPlans } from '../src/4-run/iconx.js'
import { findProgram, runThrough } from '../src/4-run/native.js'
import { drawError, launchAndSave, onIconx, ScampError, type Running } from '../src/scamp.js'
import { isContext, statuses } from './options.js'
import { profileFolder } from './profiles.js'
import { exitAs, followSignals } from './signals.js'

const [, , embeddedIconx, icode, ...args] = process.argv
const context = process.env.SCAMP_CONTEXT ?? ''
const writeError = (text: string) => process.stderr.write(text, 'latin1')

try {
  if (!isContext(context)) throw new ScampError('SCAMP_CONTEXT is too long, or cannot be printed')
  const iconx = findProgram(process.env.ICONX || embeddedIconx) ?? findProgram('iconx')
  if (!iconx) throw new ScampError('iconx is not on the PATH; install it with: apt-get install iconx')
  const running: Running = {
    engine: 'iconx',
    args,
    icont: undefined,
    iconx,
    folder: profileFolder(),
    context,
    timeoutSeconds: undefined,
    memoryMegabytes: undefined,
    sandbox: false,
    writeError,
    onStart: followSignals,
  }
  const plans = plansIn(icode)
  if (plans instanceof ScampError) {
    writeError(`scamp: ${plans.message}: this run is not counted; make it anew\n`)
    process.env.SCAMP_PLAIN = '1'
    process.exitCode = runThrough(iconx, [icode, ...args])
  } else {
    const launchIt = onIconx(iconx, icode, running)
    const { run, unsaved } = await launchAndSave(launchIt, basename(icode), plans, running)
    if (unsaved) writeError(`scamp: ${drawError(unsaved)}\n`)
    process.exitCode = exitAs(run.end)
  }
} catch (error) {
  writeError(`scamp: ${error instanceof ScampError ? drawError(error) : (error as Error).message}\n`)
  process.exitCode = statuses.failed
}

/** The plans in an executable, or why they are of no use; the program runs all the same. */
function plansIn(path: string): ReturnType<typeof embeddedPlans> | ScampError {
  try {
    return embeddedPlans(path)
  } catch (error) {
    if (error instanceof ScampError) return error
    throw error
  }
}
