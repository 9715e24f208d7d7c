// Counts a program's tokens and constructs twice on the embedded engine: with as few counters as the plan needs, and with
// one at everything; and runs it as it is. Many programs are run with one start.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Monitor } from '../../src/2-plan/plan.js'
import type { Program } from '../../src/3-rewrite/rewrite.js'
import { pendingOf } from '../../src/4-run/iconx.js'
import type { Frame } from '../../src/4-run/run.js'
import { tally, type Count, type FileCounts } from '../../src/5-profile/profile.js'
import { prepare } from '../../src/prepare.js'
import { ending, input, onEmbedded, type Ending } from './judge.js'

/** A program's counts, found in two ways, and its three endings. */
export interface Counted {
  readonly text: string
  readonly inferred: FileCounts
  readonly counted: FileCounts
  readonly endings: Readonly<Record<'plain' | 'inferred' | 'counted', Ending>>
}

/** Counts programs; one that did not end in time is left out. */
export async function countBothWays(texts: readonly string[], monitor: Monitor): Promise<(Counted | undefined)[]> {
  const folder = mkdtempSync(join(tmpdir(), 'scamp-count-'))
  try {
    // of one length: traces and messages are laid out by them
    const names = (i: number) => ({ plain: `p${i}p`, inferred: `p${i}i`, counted: `p${i}c` })
    const put = (name: string, text: string, program?: Program) => {
      mkdirSync(join(folder, name))
      writeFileSync(join(folder, `${name}.in`), input, 'latin1')
      writeFileSync(join(folder, name, `${name}.icn`), text, 'latin1')
      const cells = program && [{ prefix: program.prefix, count: program.plan.flow.counters }]
      if (cells) writeFileSync(join(folder, `${name}.counted`), JSON.stringify(cells))
    }
    const programs: { inferred: Program; counted: Program }[] = []
    for (const [i, text] of texts.entries()) {
      const { plain, inferred, counted } = names(i)
      const both = {
        inferred: await instrumented(text, 'basis', monitor),
        counted: await instrumented(text, 'all', monitor),
      }
      programs.push(both)
      put(plain, text)
      put(inferred, both.inferred.text, both.inferred)
      put(counted, both.counted.text, both.counted)
    }
    await onEmbedded(
      folder,
      texts.flatMap((_, i) => Object.values(names(i))),
      [],
      5,
    )
    return texts.map((text, i) => {
      const { plain, inferred, counted } = names(i)
      const one = countsOf(folder, inferred, programs[i].inferred)
      const other = countsOf(folder, counted, programs[i].counted)
      const [asIs, asInferred, asCounted] = [plain, inferred, counted].map((name) => {
        const { status, stdout, stderr } = ending(folder, name)
        // as the launcher does, which is not here: `display` shows what scamp keeps in local variables
        const unnamed = (said: string) => said.replaceAll(name, plain).replace(ownLocals(programs[i]), '')
        return { status, stdout: unnamed(stdout), stderr: unnamed(stderr) }
      })
      if (!one || !other || asIs.status === undefined) return undefined
      return { text, inferred: one, counted: other, endings: { plain: asIs, inferred: asInferred, counted: asCounted } }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const ownLocals = ({ inferred, counted }: { inferred: Program; counted: Program }) =>
  new RegExp(`^ {3}(?:${inferred.prefix}|${counted.prefix})_?\\d+l = .*\\n`, 'gm')

async function instrumented(text: string, probing: 'basis' | 'all', monitor: Monitor): Promise<Program> {
  const [program] = await prepare({
    sources: [{ name: 'p.icn', text, language: 'icon' }],
    destinations: [{ kind: 'kept' }],
    probing,
    monitor,
    isWhole: true,
    lpath: '',
    sandbox: false,
  })
  return program
}

function countsOf(folder: string, name: string, { plan }: Program): FileCounts | undefined {
  const path = join(folder, `${name}.counts`)
  if (!existsSync(path)) return undefined
  const { counters, frames } = JSON.parse(readFileSync(path, 'utf8')) as { counters: number[]; frames?: Frame[] }
  const own = frames?.map((frame) => ({ ...frame, file: frame.file.replace(`${name}.icn`, 'p.icn') }))
  return tally(plan, counters.map(BigInt), pendingOf(plan, own))[0]
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
