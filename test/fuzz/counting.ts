// Counts a program's tokens and constructs twice on an engine: with as few counters as the plan needs, and with
// one at everything; and runs it as it is. Many programs are run with one start.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Monitor } from '../../src/2-plan/plan.js'
import type { Destination } from '../../src/3-rewrite/link.js'
import type { Program } from '../../src/3-rewrite/rewrite.js'
import { countersOf, pendingOf } from '../../src/4-run/iconx.js'
import { largerStacks, readErrors } from '../../src/4-run/launch.js'
import type { Frame } from '../../src/4-run/run.js'
import { tally, type Count, type FileCounts } from '../../src/5-profile/profile.js'
import { prepare } from '../../src/prepare.js'
import { beyondCompare, ending, input, onEmbedded, onIconx, type Ending } from './judge.js'

/** A program's counts, found in two ways, and its three endings. */
export interface Counted {
  readonly text: string
  readonly inferred: FileCounts
  readonly counted: FileCounts
  readonly endings: Readonly<Record<'plain' | 'inferred' | 'counted', Ending>>
}

/** What one of a program's three texts is called, and what became of it. */
interface Ran {
  readonly ending: Ending
  readonly counts: FileCounts | undefined
}

/** An engine that runs many programs of a folder with one start, and what it leaves of each. */
interface Engine {
  readonly destination: Destination
  readonly run: (folder: string, names: readonly string[]) => Promise<void>
  readonly prepare: (folder: string, name: string, program: Program) => string
  readonly outcome: (folder: string, name: string, program: Program) => Ran
}

const embedded: Engine = {
  destination: { kind: 'kept' },
  run: (folder, names) => onEmbedded(folder, names, [], patience),
  prepare: (folder, name, { prefix, plan, text }) => {
    writeFileSync(join(folder, `${name}.counted`), JSON.stringify([{ prefix, count: plan.flow.counters }]))
    return text
  },
  outcome: (folder, name, { plan }) => {
    const path = join(folder, `${name}.counts`)
    if (!existsSync(path)) return { ending: ending(folder, name), counts: undefined }
    const { counters, frames } = JSON.parse(readFileSync(path, 'utf8')) as { counters: number[]; frames?: Frame[] }
    return { ending: ending(folder, name), counts: countsOf(plan, name, counters.map(BigInt), frames) }
  },
}

const iconx: Engine = {
  destination: { kind: 'launched', programName: undefined, embed: false, mayTrace: false },
  run: (folder, names) => onIconx(folder, names, [], patience, { ...process.env, ...largerStacks() }),
  prepare: (_, name, { text }) => `$line 0 "${name}.icn"\n${text}`,
  outcome: (folder, name, { plan, prefix, asksDump }) => {
    const ended = ending(folder, name)
    const { own, counters, frames } = readErrors(ended.stderr, [prefix], asksDump ? [`${prefix}_w`] : [])
    const isWhole = counters !== undefined && !beyondCompare(ended)
    const counts = isWhole ? countsOf(plan, name, countersOf(plan, prefix, counters), frames) : undefined
    return { ending: { ...ended, stderr: own }, counts }
  },
}

const engines = { embedded, iconx }

// seconds that a program may take
const patience = 5

/** Counts programs on an engine; one that did not end in time, or crashed it, is left out. */
export async function countBothWays(
  texts: readonly string[],
  monitor: Monitor,
  on: keyof typeof engines,
): Promise<(Counted | undefined)[]> {
  const engine = engines[on]
  const folder = mkdtempSync(join(tmpdir(), 'scamp-count-'))
  try {
    // of one length: traces and messages are laid out by them
    const names = (i: number) => ({ plain: `p${i}p`, inferred: `p${i}i`, counted: `p${i}c` })
    const put = (name: string, text: string) => {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, `${name}.in`), input, 'latin1')
      writeFileSync(join(folder, name, `${name}.icn`), text, 'latin1')
    }
    const programs: { inferred: Program; counted: Program }[] = []
    for (const [i, text] of texts.entries()) {
      const { plain, inferred, counted } = names(i)
      const both = {
        inferred: await instrumented(text, 'basis', monitor, engine.destination),
        counted: await instrumented(text, 'all', monitor, engine.destination),
      }
      programs.push(both)
      put(plain, text)
      put(inferred, engine.prepare(folder, inferred, both.inferred))
      put(counted, engine.prepare(folder, counted, both.counted))
    }
    await engine.run(
      folder,
      texts.flatMap((_, i) => Object.values(names(i))),
    )
    return texts.map((text, i) => {
      const { plain, inferred, counted } = names(i)
      const asIs = ending(folder, plain)
      const one = engine.outcome(folder, inferred, programs[i].inferred)
      const other = engine.outcome(folder, counted, programs[i].counted)
      if (!one.counts || !other.counts || beyondCompare(asIs)) return undefined
      const alike = ({ status, stdout, stderr }: Ending, name: string): Ending => {
        // as the launcher does, which is not here: `display` shows what scamp keeps in local variables
        const unnamed = (said: string) => said.replaceAll(name, plain).replace(ownLocals(programs[i]), '')
        return { status, stdout: unnamed(stdout), stderr: unnamed(stderr) }
      }
      const endings = { plain: asIs, inferred: alike(one.ending, inferred), counted: alike(other.ending, counted) }
      return { text, inferred: one.counts, counted: other.counts, endings }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const ownLocals = ({ inferred, counted }: { inferred: Program; counted: Program }) =>
  new RegExp(`^ {3}(?:${inferred.prefix}|${counted.prefix})_?\\d+l = .*\\n`, 'gm')

async function instrumented(
  text: string,
  probing: 'basis' | 'all',
  monitor: Monitor,
  destination: Destination,
): Promise<Program> {
  const [program] = await prepare({
    sources: [{ name: 'p.icn', text, language: 'icon' }],
    destinations: [destination],
    probing,
    monitor,
    isWhole: true,
    lpath: '',
    sandbox: false,
  })
  return program
}

function countsOf(
  plan: Program['plan'],
  name: string,
  counters: readonly bigint[],
  frames: readonly Frame[] | undefined,
): FileCounts {
  const own = frames?.map((frame) => ({ ...frame, file: frame.file.replace(`${name}.icn`, 'p.icn') }))
  return tally(plan, counters, pendingOf(plan, own))[0]
}

/** Where counts disagree: an exact one is another than counted, or the counted one is not in its range. */
export function disagreements({ inferred, counted }: Counted): string[] {
  const [some, others] = [inferred, counted].map(allCounts)
  return some.flatMap(([what, one], i) => {
    const [, truth] = others[i]
    if (!truth.exact) return []
    const agrees = one.exact ? one.value === truth.value : one.value >= truth.value && one.least <= truth.value
    return agrees ? [] : [`${what}: ${one.exact ? '' : `${one.least} to `}${one.value}, but counted ${truth.value}`]
  })
}

/** All counts of a file, each with the place it belongs to. */
function allCounts({ sites, tokens }: FileCounts): [string, Count][] {
  const found: [string, Count][] = []
  const look = (what: string, value: unknown): void => {
    if (typeof value !== 'object' || value === null) return
    if ('exact' in value) found.push([what, value as Count])
    else for (const [key, part] of Object.entries(value)) look(`${what} ${key}`, part)
  }
  for (const site of sites) look(`${site.line}:${site.column} ${site.kind}`, site)
  for (const token of tokens) look(`${token.line}:${token.column} ${token.text}`, token)
  return found
}
