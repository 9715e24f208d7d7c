// The tree of an Algol 68 program: node kinds as one union, and the table of their children. It is a skeleton: modes,
// priorities and coercions are left out, since nothing that scamp does depends on them. A node's place is a range of
// tokens, `first` to `last`, both included.

interface Base {
  readonly first: number
  readonly last: number
}

/** A particular program, and its refinements, each a name and the series it stands for. */
// prettier-ignore
export interface Program     extends Base { readonly kind: 'Program'; readonly series: Series; readonly refinements: readonly Refinement[] }
// prettier-ignore
export interface Refinement  extends Base { readonly kind: 'Refinement'; readonly name: Name; readonly series: Series }

/** A name where it stands. */
export interface Name {
  readonly name: string
  readonly token: number
}

/** A serial clause or an enquiry clause: phrases, with labels before them and completers (EXIT) between. A program may have none, and so may what stands in front of UNTIL. */
// prettier-ignore
export interface Series      extends Base { readonly kind: 'Series'; readonly phrases: readonly Phrase[] }
export type Phrase = Label | Exit | Unit

// prettier-ignore
export interface Label       extends Base { readonly kind: 'Label'; readonly name: Name }
// prettier-ignore
export interface Exit        extends Base { readonly kind: 'Exit' }

/** A declaration, of whatever is joined by commas. Priorities are left out. */
// prettier-ignore
export interface Declaration extends Base { readonly kind: 'Declaration'; readonly parts: readonly (Definition | Declarer)[] }
/** One name of a declaration, with what it is initialised by; `what` is PROC, OP or MODE where such a word declares it. */
// prettier-ignore
export interface Definition  extends Base { readonly kind: 'Definition'; readonly what: 'PROC' | 'OP' | 'MODE' | 'tag'; readonly name: Name; readonly isIdentity: boolean; readonly value: Unit | null }
/** A mode as it is written; `bounds` are the units in it. */
// prettier-ignore
export interface Declarer    extends Base { readonly kind: 'Declarer'; readonly bounds: readonly (Unit | Declarer)[] }

/** `BEGIN … END`, `( … )`. */
// prettier-ignore
export interface Closed      extends Base { readonly kind: 'Closed'; readonly series: Series }
/** `BEGIN u, u END`, `(u, u)`, `()`; `PAR` before it. */
// prettier-ignore
export interface Collateral  extends Base { readonly kind: 'Collateral'; readonly isParallel: boolean; readonly units: readonly Unit[] }
/** `otherwise` is what ELSE begins, or the If that ELIF (`|:`) begins. */
// prettier-ignore
export interface If          extends Base { readonly kind: 'If'; readonly isBrief: boolean; readonly condition: Series; readonly then: Series; readonly otherwise: Series | If | null }
/** `otherwise` is what OUT begins, or the Case that OUSE (`|:`) begins. */
// prettier-ignore
export interface Case        extends Base { readonly kind: 'Case'; readonly isBrief: boolean; readonly isConformity: boolean; readonly chooser: Series; readonly arms: readonly Arm[]; readonly otherwise: Series | Case | null }
/** One unit of a case, in a conformity clause with the specification before it. */
// prettier-ignore
export interface Arm         extends Base { readonly kind: 'Arm'; readonly name: Name | null; readonly unit: Unit }
// prettier-ignore
export interface Loop        extends Base { readonly kind: 'Loop'; readonly name: Name | null; readonly from: Unit | null; readonly by: Unit | null; readonly to: Unit | null; readonly condition: Series | null; readonly body: Series; readonly until: Series | null; readonly doToken: number }
// prettier-ignore
export interface Routine     extends Base { readonly kind: 'Routine'; readonly parameters: readonly Name[]; readonly unit: Unit }
// prettier-ignore
export interface Assignation extends Base { readonly kind: 'Assignation'; readonly target: Unit; readonly source: Unit }
/** `u1 ANDF u2` and its like: u2 may be left out. */
// prettier-ignore
export interface Conditional extends Base { readonly kind: 'Conditional'; readonly left: Unit; readonly right: Unit }
/** Operands with operators before and between them, OF among them, in the order of the text. */
// prettier-ignore
export interface Formula     extends Base { readonly kind: 'Formula'; readonly operands: readonly Unit[]; readonly operators: readonly Name[] }
// prettier-ignore
export interface Call        extends Base { readonly kind: 'Call'; readonly callee: Unit; readonly args: readonly Unit[] }
/** A slice; `subscripts` are the units in its trimmers and indices. */
// prettier-ignore
export interface Slice       extends Base { readonly kind: 'Slice'; readonly primary: Unit; readonly subscripts: readonly Unit[] }
// prettier-ignore
export interface Cast        extends Base { readonly kind: 'Cast'; readonly declarer: Declarer; readonly clause: Unit }
// prettier-ignore
export interface Generator   extends Base { readonly kind: 'Generator'; readonly declarer: Declarer }
/** `GOTO l`. Without GOTO a jump is an Identifier. */
// prettier-ignore
export interface Jump        extends Base { readonly kind: 'Jump'; readonly name: Name }
/** A format text; `clauses` are those in it, and the units of those that hold units. */
// prettier-ignore
export interface Format      extends Base { readonly kind: 'Format'; readonly clauses: readonly Unit[] }
// prettier-ignore
export interface Identifier  extends Base { readonly kind: 'Identifier'; readonly name: string }
// prettier-ignore
export interface Denotation  extends Base { readonly kind: 'Denotation' }

export type Unit =
  | Declaration
  | Declarer
  | Closed
  | Collateral
  | If
  | Case
  | Loop
  | Routine
  | Assignation
  | Conditional
  | Formula
  | Call
  | Slice
  | Cast
  | Generator
  | Jump
  | Format
  | Identifier
  | Denotation

export type Node = Program | Refinement | Series | Label | Exit | Definition | Arm | Unit
export type Kind = Node['kind']

/** The children of each kind of node, in the order they stand in the text. */
// prettier-ignore
export const children: Readonly<Record<Kind, readonly string[]>> = {
  Program: ['series', 'refinements'],
  Refinement: ['series'],
  Series: ['phrases'],
  Label: [], Exit: [],
  Declaration: ['parts'],
  Definition: ['value'],
  Declarer: ['bounds'],
  Closed: ['series'],
  Collateral: ['units'],
  If: ['condition', 'then', 'otherwise'],
  Case: ['chooser', 'arms', 'otherwise'],
  Arm: ['unit'],
  Loop: ['from', 'by', 'to', 'condition', 'body', 'until'],
  Routine: ['unit'],
  Assignation: ['target', 'source'],
  Conditional: ['left', 'right'],
  Formula: ['operands'],
  Call: ['callee', 'args'],
  Slice: ['primary', 'subscripts'],
  Cast: ['declarer', 'clause'],
  Generator: ['declarer'],
  Jump: [],
  Format: ['clauses'],
  Identifier: [], Denotation: [],
}
