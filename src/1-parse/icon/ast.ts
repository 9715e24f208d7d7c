// The tree of an Icon program: node kinds as one union, and the table of their children.
// A node's place is a range of tokens, `first` to `last`, both included; scan.ts finds them in the text.

interface Base {
  readonly first: number
  readonly last: number
}

export interface Program extends Base {
  readonly kind: 'Program'
  readonly declarations: readonly Declaration[]
}

export type Declaration = GlobalDeclaration | LinkDeclaration | InvocableDeclaration | RecordDeclaration | Procedure

/** A name where it is declared; `token` is where it stands. */
export interface Name {
  readonly name: string
  readonly token: number
}

// prettier-ignore
export interface GlobalDeclaration    extends Base { readonly kind: 'Global'; readonly names: readonly Name[] }
// prettier-ignore
export interface LinkDeclaration      extends Base { readonly kind: 'Link'; readonly files: readonly Name[] }
// prettier-ignore
export interface InvocableDeclaration extends Base { readonly kind: 'Invocable'; readonly names: readonly Name[] }
// prettier-ignore
export interface RecordDeclaration    extends Base { readonly kind: 'Record'; readonly name: Name; readonly fields: readonly Name[] }

export interface Procedure extends Base {
  readonly kind: 'Procedure'
  readonly name: Name
  readonly parameters: readonly Name[]
  readonly variadic: boolean
  readonly locals: readonly Locals[]
  readonly initial: Expression | null
  /** The statements; an empty one, between two semicolons, is left out. */
  readonly body: readonly Expression[]
  /** The token after the head and the declarations: where `initial` may stand. */
  readonly bodyToken: number
}

export interface Locals {
  readonly isStatic: boolean
  readonly names: readonly Name[]
}

// Expressions. A null child is an expression left out: `f(,x)`, `return`, `every e` without `do`.

// prettier-ignore
export interface Identifier  extends Base { readonly kind: 'Identifier'; readonly name: string }
// prettier-ignore
export interface Literal     extends Base { readonly kind: 'Integer' | 'Real' | 'String' | 'Cset'; readonly text: string }
// prettier-ignore
export interface Keyword     extends Base { readonly kind: 'Keyword'; readonly name: string }
// prettier-ignore
export interface List        extends Base { readonly kind: 'List'; readonly elements: readonly (Expression | null)[] }
/** `(e)`, or mutual evaluation `(e1, e2, …)`. */
// prettier-ignore
export interface Paren       extends Base { readonly kind: 'Paren'; readonly expressions: readonly (Expression | null)[] }
/** `{e1; e2; …}`; the last expression is the value, even one left out. */
// prettier-ignore
export interface Compound    extends Base { readonly kind: 'Compound'; readonly expressions: readonly (Expression | null)[] }
// prettier-ignore
export interface Call        extends Base { readonly kind: 'Call'; readonly callee: Expression; readonly args: readonly (Expression | null)[] }
/** `p{e1, e2, …}`: p gets a list of co-expressions. */
// prettier-ignore
export interface ControlCall extends Base { readonly kind: 'ControlCall'; readonly callee: Expression; readonly args: readonly (Expression | null)[] }
// prettier-ignore
export interface Subscript   extends Base { readonly kind: 'Subscript'; readonly operand: Expression; readonly subscripts: readonly (Expression | null)[] }
// prettier-ignore
export interface Section     extends Base { readonly kind: 'Section'; readonly operand: Expression; readonly operator: ':' | '+:' | '-:'; readonly from: Expression; readonly to: Expression }
// prettier-ignore
export interface Field       extends Base { readonly kind: 'Field'; readonly operand: Expression; readonly name: string }
// prettier-ignore
export interface Unary       extends Base { readonly kind: 'Unary'; readonly operator: string; readonly operand: Expression }
// prettier-ignore
export interface Binary      extends Base { readonly kind: 'Binary'; readonly operator: string; readonly operatorToken: number; readonly left: Expression; readonly right: Expression }
// prettier-ignore
export interface To          extends Base { readonly kind: 'To'; readonly from: Expression; readonly to: Expression; readonly by: Expression | null }
// prettier-ignore
export interface If          extends Base { readonly kind: 'If'; readonly condition: Expression; readonly then: Expression; readonly otherwise: Expression | null }
// prettier-ignore
export interface Case        extends Base { readonly kind: 'Case'; readonly control: Expression; readonly clauses: readonly Clause[] }
/** One arm of a case; a null selector is `default`. */
// prettier-ignore
export interface Clause      extends Base { readonly kind: 'Clause'; readonly selector: Expression | null; readonly body: Expression }
// prettier-ignore
export interface Loop        extends Base { readonly kind: 'While' | 'Until' | 'Every' | 'Suspend'; readonly control: Expression | null; readonly body: Expression | null }
// prettier-ignore
export interface Repeat      extends Base { readonly kind: 'Repeat'; readonly body: Expression }
// prettier-ignore
export interface Create      extends Base { readonly kind: 'Create'; readonly expression: Expression }
// prettier-ignore
export interface Return      extends Base { readonly kind: 'Return'; readonly value: Expression | null }
// prettier-ignore
export interface Break       extends Base { readonly kind: 'Break'; readonly value: Expression | null }
// prettier-ignore
export interface Plain       extends Base { readonly kind: 'Fail' | 'Next' }

export type Expression =
  | Identifier
  | Literal
  | Keyword
  | List
  | Paren
  | Compound
  | Call
  | ControlCall
  | Subscript
  | Section
  | Field
  | Unary
  | Binary
  | To
  | If
  | Case
  | Loop
  | Repeat
  | Create
  | Return
  | Break
  | Plain

export type Node = Program | Declaration | Clause | Expression
export type Kind = Node['kind']

/** The children of each kind of node, in the order they stand in the text. */
// prettier-ignore
export const children: Readonly<Record<Kind, readonly string[]>> = {
  Program: ['declarations'],
  Global: [], Link: [], Invocable: [], Record: [],
  Procedure: ['initial', 'body'],
  Identifier: [], Integer: [], Real: [], String: [], Cset: [], Keyword: [],
  List: ['elements'],
  Paren: ['expressions'],
  Compound: ['expressions'],
  Call: ['callee', 'args'],
  ControlCall: ['callee', 'args'],
  Subscript: ['operand', 'subscripts'],
  Section: ['operand', 'from', 'to'],
  Field: ['operand'],
  Unary: ['operand'],
  Binary: ['left', 'right'],
  To: ['from', 'to', 'by'],
  If: ['condition', 'then', 'otherwise'],
  Case: ['control', 'clauses'],
  Clause: ['selector', 'body'],
  While: ['control', 'body'], Until: ['control', 'body'], Every: ['control', 'body'], Suspend: ['control', 'body'],
  Repeat: ['body'],
  Create: ['expression'],
  Return: ['value'],
  Break: ['value'],
  Fail: [], Next: [],
}
