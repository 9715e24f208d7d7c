// Stage 3: tree, plan → program. The user's text with the plan's probes inserted and the prelude linked behind it:
// text of the same language, ready for any engine.
import type { Algol68Tree } from '../1-parse/algol68/parse.js'
import type { IconTree } from '../1-parse/icon/parse.js'
import type { Tree } from '../1-parse/parse.js'
import type { Plan, Probe } from '../2-plan/plan.js'
import { assert } from '../error.js'
import type { Source } from '../source.js'
import { placeProbes } from './algol68.js'
import { chooseAlgol68Names, linkAlgol68 } from './algol68-link.js'
import { applyEdits, sortEdits, type Edit } from './edits.js'
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
 * mark      what an Algol 68 program writes when its own output ends; empty if it does not, or in Icon
 * amended   the files as they were and as they are, with what was inserted; of Algol 68 only
 */
export interface Program {
  readonly source: Source
  readonly hash: string
  readonly text: string
  readonly included: readonly Source[]
  readonly asksDump: boolean
  readonly prefix: string
  readonly plan: Plan
  readonly mark: string
  readonly amended: readonly AmendedText[]
}

/** A text before and after insertions, and these, in the order of the text. What is linked behind it is none of them. */
export interface AmendedText {
  readonly source: Source
  readonly text: string
  readonly edits: readonly Edit[]
}

/**
 * Rewrites one source.
 *
 * otherTexts   of the program's other files, where the names brought in must not occur either
 */
export function rewrite(tree: Tree, plan: Plan, destination: Destination, otherTexts: readonly string[] = []): Program {
  return tree.language === 'icon'
    ? rewriteIcon(tree, plan, destination, otherTexts)
    : rewriteAlgol68(tree, plan, destination)
}

function rewriteIcon(tree: IconTree, plan: Plan, destination: Destination, otherTexts: readonly string[]): Program {
  const { source, tokens } = tree
  const [{ hash }] = plan.files
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
  const asksDump = mentionsKeyword(tree, 'dump')
  return { source, hash, text, included, asksDump, prefix: names.prefix, plan, mark: '', amended: [] }
}

function rewriteAlgol68(tree: Algol68Tree, plan: Plan, destination: Destination): Program {
  const { source, tokens } = tree
  const [{ hash }] = plan.files
  const names = chooseAlgol68Names(tree, `${source.name}\n${hash}`)
  checkPlan(plan)
  const linked = linkAlgol68(tree, plan, names, destination)
  const edits = [...placeProbes(tokens, plan.probes, names), ...linked.edits]
  const amended = tokens.files.map((one, file): AmendedText => {
    const own = sortEdits(edits.filter((edit) => edit.file === file))
    const changed = applyEdits(one.text, own)
    const text = file > 0 ? changed : `${changed}${changed.endsWith('\n') ? '' : '\n'}${linked.text}`
    return { source: one, text, edits: own }
  })
  const included = amended.slice(1).map(({ source: one, text }) => ({ ...one, text }))
  const { prefix } = names
  return { source, hash, text: amended[0].text, included, asksDump: false, prefix, plan, mark: linked.mark, amended }
}

// probes that go with another of the same counter
const companions: readonly Probe['shape'][] = ['in initial', 'pause', 'local']

/** Every basis counter has a probe, and none has two, companions apart. */
function checkPlan(plan: Plan): void {
  const probes = new Uint8Array(plan.flow.counters)
  for (const { counter, shape, notes } of plan.probes) if (!notes && !companions.includes(shape)) probes[counter]++
  assert(
    probes.every((count) => count === 1),
    'a counter without exactly one probe',
  )
}
