// Stage 2: tree → plan. What is to be counted (sites), how each count is found (the flow), and which few places of
// the text get a counter (probes). The plan knows places, not texts: how a probe is spelled is stage 3's business.
import type { Tree } from '../1-parse/parse.js'
import type { Language } from '../source.js'
import { planAlgol68 } from './algol68.js'
import { exclusionsOf, type Exclusions } from './exclusions.js'
import { planIcon } from './icon.js'
import { planIconTokens } from './icon-tokens.js'
import type { Amount } from './icon-ranges.js'
import type { Flow } from './infer.js'

/** A count that a site reports: the sum of these edges of the flow. */
export type Tally = readonly number[]

interface BaseSite {
  /** Which of the source's files, and where in it; both from 1. */
  readonly file: number
  readonly line: number
  readonly column: number
}

/** A `{…}` that is not the body of something counted already. */
export interface BlockSite extends BaseSite {
  readonly kind: 'block'
  readonly passes: Tally
}

/** A procedure. What &trace would print a line for, counted. */
export interface ProcedureSite extends BaseSite {
  readonly kind: 'procedure'
  readonly name: string
  readonly calls: Tally
  readonly returns: Tally
  readonly suspends: Tally
  readonly resumptions: Tally
  readonly failures: Tally
}

/** An `if`: how often its condition was decided each way, with or without an `else` written. */
export interface IfSite extends BaseSite {
  readonly kind: 'if'
  readonly hasElse: boolean
  readonly true: Tally
  readonly false: Tally
}

/**
 * A case: one count an arm, named by its number in the text, or `default`, or `none` for no arm
 * taken; in Algol 68 `out`, or where there is no OUT `skipped`, in a conformity clause `unmatched`.
 */
export interface CaseSite extends BaseSite {
  readonly kind: 'case'
  readonly arms: readonly { readonly name: string; readonly count: Tally }[]
}

/**
 * A loop; passes are elaborations of its body (of its control expression succeeding, where it has no body).
 *
 * skips   how often it ended without a pass; null if that is not monitored, or cannot be
 */
export interface LoopSite extends BaseSite {
  readonly kind: 'do'
  readonly loop: string
  readonly passes: Tally
  readonly skips: Tally | null
}

/** An Algol 68 routine: a procedure, an operator or a routine text without a name; `end`: where its last token is. */
export interface RoutineSite extends BaseSite {
  readonly kind: 'routine'
  readonly name: string
  readonly end: { readonly line: number; readonly column: number }
  readonly calls: Tally
}

/** An Algol 68 loop: elaborations of its body, and of what WHILE or UNTIL tests, if there is such; skips as in Icon. */
export interface RepetitionSite extends BaseSite {
  readonly kind: 'loop'
  readonly passes: Tally
  readonly tests: Tally | null
  readonly skips: Tally | null
}

/**
 * The four ports of an expression: how control comes into it and leaves it. Of an operation they are its own, not its
 * operands'.
 *
 * source: O'Bagy and Griswold, "A Recursive Interpreter for the Icon Programming Language", PLDI 1987
 */
export interface PortTallies {
  readonly started: Tally
  readonly resumed: Tally
  readonly succeeded: Tally
  readonly failed: Tally
}

/**
 * Something in Algol 68 that is carried out at a place of its own: how often it was begun.
 *
 * action  CALL, ASST (assignation), LABEL (arrivals, also by falling through), PAR, or the operator of which the right
 *         side was needed, such as ANDF
 * name    of what is called, assigned to or arrived at; empty if it has none
 * skipped how often the right side was not needed; null for other actions
 */
export interface ActionSite extends BaseSite {
  readonly kind: 'action'
  readonly action: string
  readonly name: string
  readonly times: Tally
  readonly skipped: Tally | null
}

/**
 * A token, counted each time it is executed; a generator each time it is started or resumed.
 *
 * text   as it is spelled
 * ports  of the operation that it stands for, or the control structure that it begins; null for what has exactly one
 *        result each time it is started, for what control never comes out of, and where they do not follow
 */
export interface TokenSite extends BaseSite {
  readonly text: string
  readonly count: Tally
  readonly ports: PortTallies | null
}

export type Site = BlockSite | ProcedureSite | RoutineSite | IfSite | CaseSite | LoopSite | RepetitionSite | ActionSite

/**
 * What stage 3 inserts for one counter, between the tokens `first` and `last`. The shape says where the counter
 * stands.
 */
export interface Probe {
  readonly shape: IconShape | Algol68Shape
  readonly counter: number
  readonly first: number
  readonly last: number
  /** What is counted in advance, or taken back. */
  readonly amount?: Amount
  /** It does not count, but notes that the loop whose skips this counter counts has made a pass. */
  readonly notes?: true
}

/** Shapes of probes in Icon; 3-rewrite/icon.ts shows each, before → after. */
export type IconShape =
  | 'around'
  | 'else'
  | 'failing else'
  | 'after'
  | 'do'
  | 'bare do'
  | 'default'
  | 'failing default'
  | 'before end'
  | 'result'
  | 'success'
  | 'failure'
  | 'lone failure'
  | 'in initial'
  | 'resumption'
  | 'in advance'
  | 'pause'
  | 'local'
  | 'skip'
  | 'failing skip'
  | 'none in advance'

/** Shapes of probes in Algol 68; 3-rewrite/algol68.ts shows each, before → after. */
export type Algol68Shape = 'before' | 'after' | 'alone' | 'unit' | 'no else' | 'no out' | 'no bar' | 'skip'

/**
 * On this line, control can stand at `vertex`; if `call` or `operator` is given, while it calls something or carries
 * out an operation, which is what a traceback's lines speak of.
 *
 * call       the name that is called; `unknownCallee` if what is called does not show in the text
 * operator   the operator
 *
 * In Algol 68, also from which column on control stands there, and where the innermost range about it begins; places of
 * ranges, and of the routine that is called, are spelled FILE:LINE:COLUMN.
 */
export interface Step {
  readonly file: number
  readonly line: number
  readonly vertex: number
  readonly call?: string
  readonly operator?: string
  readonly column?: number
  readonly range?: string
}

export const unknownCallee = '?'

/** A part of the program that no probe could reach, so that it is not monitored. */
export interface Unmonitored {
  readonly file: number
  readonly line: number
  readonly what: string
}

/** Of plans as they are kept, in files and in executables; raised when those of before cannot be read any more. */
export const planVersion = 2

/**
 * A plan for one source.
 *
 * files       the source, then what it includes
 * renumbered  whether the source gives its lines other numbers, so that no line of a traceback can be trusted
 * sites   in the order of the text
 * tokens  the same; none unless they are asked for
 * probes  parents before children, in the order of the text
 * steps   in the order of the text; none if the launcher will not run it
 * leftOut  what comments leave out of coverage
 */
export interface Plan extends Planned {
  readonly leftOut: Exclusions
}

/** What planning a language's control flow gives. */
export interface Planned {
  readonly language: Language
  readonly files: readonly { readonly name: string; readonly hash: string }[]
  readonly renumbered: boolean
  readonly sites: readonly Site[]
  readonly tokens: readonly TokenSite[]
  readonly flow: Flow
  readonly probes: readonly Probe[]
  readonly steps: readonly Step[]
  readonly unmonitored: readonly Unmonitored[]
}

/** What is counted beside what the plan needs: `all` puts a counter everywhere, the truth to test inference by. */
export type Probing = 'basis' | 'all'

/**
 * What is counted.
 *
 * constructs  SCAMP's
 * branches    constructs, and what branches they leave open: loops that end without a pass, right sides of ANDF
 * tokens      constructs and every token, in Icon
 * actions     constructs and single actions, in Algol 68
 * coverage    all that can be covered: in Icon branches and tokens, in Algol 68 branches
 */
export type Monitor = 'constructs' | 'branches' | 'tokens' | 'actions' | 'coverage'

/** What a monitor sees beside constructs. */
export interface Sight {
  readonly tokens: boolean
  readonly actions: boolean
  readonly skips: boolean
}

/** What monitors see beside constructs. */
export const sights: Readonly<Record<Monitor, Sight>> = {
  constructs: { tokens: false, actions: false, skips: false },
  branches: { tokens: false, actions: false, skips: true },
  tokens: { tokens: true, actions: false, skips: false },
  actions: { tokens: false, actions: true, skips: false },
  coverage: { tokens: true, actions: false, skips: true },
}

/** How often each edge of a flow was passed in earlier runs, by the text and what was monitored. */
export type Passages = ReadonlyMap<string, readonly number[]>

/** Under which a source's passages are kept: they belong to one text, and the flow depends on what is monitored. */
export const passagesKey = (hash: string, monitor: Monitor): string => `${monitor} ${hash}`

/** What else is known of the program that a source belongs to. */
export interface Surroundings {
  /** Global names that other files of the program declare. */
  readonly foreignNames: ReadonlySet<string>
  /** Whether some other file may convert run-time errors to failure (mentions &error). */
  readonly convertsErrors: boolean
  /** Whether this one file is all that can call its procedures: nothing else is linked with it. */
  readonly isWhole: boolean
  /** Whether the launcher will run it: then included files can be amended too, and frames be found. */
  readonly isLaunched: boolean
  /** How often each edge of this very source's flow was passed in earlier runs, if that is known. */
  readonly passages?: readonly number[]
}

/** Plans the monitoring of a tree. Tokens are counted in Icon. */
export function placeProbes(tree: Tree, surroundings: Surroundings, probing: Probing, monitor: Monitor): Plan {
  return { ...planFlow(tree, surroundings, probing, monitor), leftOut: exclusionsOf(tree) }
}

function planFlow(tree: Tree, surroundings: Surroundings, probing: Probing, monitor: Monitor): Planned {
  const sight = sights[monitor]
  if (tree.language !== 'icon') return planAlgol68(tree, surroundings, probing, sight)
  return (sight.tokens ? planIconTokens : planIcon)(tree, surroundings, probing, sight)
}
