// Stage 3: tree, plan → program. The user's text with the plan's probes inserted and the prelude linked behind it:
// text of the same language, ready for any engine.
import type { Tree } from '../1-parse/parse.js'
import type { Plan, Probe } from '../2-plan/plan.js'
import { assert } from '../error.js'
import { hashOf, type Source } from '../source.js'
import { applyEdits } from './edits.js'
import { placeInsertions, spellProbes } from './icon.js'
import { chooseNames, link, mentionsKeyword, type Destination } from './link.js'

/**
 * A text ready to run.
 *
 * text      amended text and prelude
 * source    what it was made from, and the hash of its text
 * included  the files that the source includes, amended where they can be
 * prefix    what the names brought in begin with; counter i is the global variable prefix_i
 * asksDump  the source itself speaks of &dump
 */
export interface Program {
  readonly source: Source
  readonly hash: string
  readonly text: string
  readonly included: readonly Source[]
  readonly asksDump: boolean
  readonly prefix: string
  readonly plan: Plan
}

/**
 * Rewrites one source.
 *
 * otherTexts   of the program's other files, where the names brought in must not occur either
 */
export function rewrite(tree: Tree, plan: Plan, destination: Destination, otherTexts: readonly string[] = []): Program {
  const { source, tokens } = tree
  const hash = hashOf(source.text)
  const names = chooseNames(`${source.name}\n${hash}`, [tokens.text, ...otherTexts])
  checkPlan(plan)
  const linked = link(tree, plan, names, destination)
  const insertions = [...spellProbes(plan, names.counter), ...linked.insertions]
  const edits = placeInsertions(tokens, insertions)
  const [amended, ...others] = tokens.files.map((one, file) => {
    return applyEdits(
      one.text,
      edits.filter((edit) => edit.file === file),
    )
  })
  const text = linked.text === '' ? amended : `${amended}${amended.endsWith('\n') ? '' : '\n'}${linked.text}`
  const included = tokens.files.slice(1).map((one, i) => ({ ...one, text: others[i] }))
  return { source, hash, text, included, asksDump: mentionsKeyword(tree, 'dump'), prefix: names.prefix, plan }
}

// probes that go with another of the same counter
const companions: readonly Probe['shape'][] = ['in initial', 'pause', 'local']

/** Every basis counter has a probe, and none has two, companions apart. */
function checkPlan(plan: Plan): void {
  const probes = new Uint8Array(plan.flow.counters)
  for (const { counter, shape } of plan.probes) if (!companions.includes(shape)) probes[counter]++
  assert(
    probes.every((count) => count === 1),
    'a counter without exactly one probe',
  )
}
