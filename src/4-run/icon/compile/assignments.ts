// Assignments and the variables they assign. Variables that the compiler can see are assigned in place; any
// other expression is compiled to yield a Ref, a variable as a value of the library.
import type { Expression } from '../../../1-parse/icon/ast.js'
import { assert } from '../../../error.js'
import { constant, effect, isRef, type Code, type Context, type Label, type Want } from './context.js'
import { assigns, operandValues, resumable } from './expressions.js'
import { fieldGetter, fieldSetter } from './fields.js'
import { eachOperands } from './generators.js'
import { compare, sectionEnds, type Operand } from './operations.js'
import { augmented, comparing, computing, isAssignment } from './operators.js'

type Binary = Expression & { kind: 'Binary' }

export const isAssignmentNode = (e: Expression): e is Binary => e.kind === 'Binary' && isAssignment(e.operator)

/** A variable that code can be made to read and to write. */
interface Target {
  get(): Code
  /** Emits the assignment of a settled value; may jump to fail. */
  set(code: Code, fail: Label): void
  /** The value after the assignment, given what was assigned: part of a string is a string. */
  after?(assigned: Code): Code
  /** Saves what undoing an assignment needs besides the old value; answers what emits the undoing. */
  undo?(old: Code, fail: Label): () => void
  ref(): string
  /** Whether any value can be assigned to it. */
  readonly takesAny?: boolean
  /** Whether it is an expression that may not be a variable at all. */
  readonly isRef?: boolean
  /** Of a subscript of a variable: which element it is. */
  readonly character?: string
  /** The operands of a subscript: messages show the variable that it is. */
  readonly element?: readonly string[]
}

/** A target before its operands are evaluated. `make` is called when they are. */
interface Plan {
  readonly operands: readonly Operand[]
  make(codes: readonly Code[], fail: Label, simple: boolean): Target
}

const keywordVariables = new Set(['pos', 'subject', 'random', 'trace', 'error', 'dump', 'progname'])

function planOf(c: Context, given: Expression, token: number): Plan {
  const e = nested(given)
  switch (e.kind) {
    case 'Identifier': {
      const variable = c.variables.get(e.name)!
      if (!['local', 'static', 'global'].includes(variable.kind)) break
      return { operands: [], make: () => variableTarget(c, e.name, variable.js, variable.kind === 'local') }
    }
    case 'Keyword':
      if (!keywordVariables.has(e.name)) break
      return { operands: [], make: () => keywordTarget(c, e.name, e.first, operatorOf(c, token)) }
    case 'Paren':
      if (e.expressions.length === 1 && e.expressions[0]) return planOf(c, e.expressions[0], token)
      break
    case 'Field':
      return { operands: [e.operand], make: ([x], fail, simple) => fieldTarget(c, e, x, fail, simple) }
    case 'Subscript':
      // a string has to be known by its variable
      if (!isVariable(e.operand) && mayGiveVariable(c, e.operand)) break
      // an element that there is not keeps what is behind it from being evaluated
      if (e.operand.kind === 'Subscript' && assigns(c, e.subscripts[0])) break
      return subscriptPlan(c, e, token)
    case 'Section':
      if (isVariable(e.operand)) return sectionPlan(c, e, token)
      break
    case 'Unary':
      if (e.operator !== '/' && e.operator !== '\\') break
      return isVariable(e.operand) ? testPlan(c, e) : refPlan(c, e.operand, token, e.operator)
    default:
  }
  return refPlan(c, e, token)
}

/** A subscript or a section as the variable that it is: of a string one that grows with the values that it gets. */
function partPlan(c: Context, e: Expression, token: number): Plan {
  const plan = planOf(c, e, token)
  return {
    operands: plan.operands,
    make(codes, fail) {
      const ref = c.check(plan.make(codes, fail, true).ref(), fail, 'value')
      return refTarget(c, ref.text, token, operatorOf(c, token))
    },
  }
}

const isPart = (e: Expression): boolean => e.kind === 'Subscript' || e.kind === 'Section'

function operatorOf(c: Context, token: number): string {
  const { tokens } = c.tree
  return tokens.text.slice(tokens.from[token], tokens.to[token]) === '<-' ? '<-' : ':='
}

/** The argument that tells the library which operator messages name, if it is not `:=`. */
const shownOperator = (operator: string): string[] => (operator === ':=' ? [] : [JSON.stringify(operator)])

/** Any expression, evaluated to a Ref; a test, `/` or `\`, may be put before it. */
function refPlan(c: Context, e: Expression, token: number, test = ''): Plan {
  return {
    operands: [{ ref: e }],
    make([code], fail) {
      const ref = c.settle(code).text
      if (test) c.line(`if (${c.use('deref')}(${ref}) ${unlike(test)} null) { ${c.jump(fail)} }`)
      return refTarget(c, ref, token, operatorOf(c, token))
    },
  }
}

/** Whether an expression gives the variable that it assigns. */
export const assignsItself = (e: Expression): boolean =>
  e.kind === 'Paren' && e.expressions.length === 1
    ? e.expressions[0] !== null && assignsItself(e.expressions[0])
    : isAssignmentNode(e)

/** How null is compared with an operand for which a test, `/` or `\`, fails. */
const unlike = (test: string): string => (test === '/' ? '!==' : '===')

/** x[i, j] is x[i][j]. */
export function nested(e: Expression): Expression {
  if (e.kind !== 'Subscript' || e.subscripts.length === 1) return e
  let operand: Expression = e.operand
  for (const part of e.subscripts) operand = { ...e, operand, subscripts: [part] }
  return operand
}

/** Whether an operand is a variable with a name: messages show that. */
export function isNamed(c: Context, e: Expression): boolean {
  if (e.kind === 'Paren' && e.expressions.length === 1) return e.expressions[0] !== null && isNamed(c, e.expressions[0])
  return (e.kind === 'Identifier' && c.variables.has(e.name)) || e.kind === 'Field'
}

/**
 * What messages show of an operand besides its value: v for a variable with a name, &keyword for one of those, e for what
 * is an element of a structure if it is no string.
 */
export function shownAs(c: Context, e: Expression): string {
  if (e.kind === 'Paren' && e.expressions.length === 1)
    return e.expressions[0] === null ? '' : shownAs(c, e.expressions[0])
  if (e.kind === 'Keyword') return keywordVariables.has(e.name) ? `&${e.name}` : ''
  if (e.kind === 'Unary' && /^[!?]$/.test(e.operator)) return 'e'
  if (isAssignmentNode(e)) return shownAs(c, e.left)
  if (e.kind === 'Binary' && e.operator === '&') return shownAs(c, e.right)
  return isNamed(c, e) ? 'v' : ''
}

/** Whether an expression names a variable by itself: what needs no Ref. */
function isVariable(e: Expression): boolean {
  switch (e.kind) {
    case 'Identifier':
    case 'Field':
    case 'Subscript':
      return true
    case 'Keyword':
      return keywordVariables.has(e.name)
    case 'Section':
      return isVariable(e.operand)
    case 'Paren':
      return e.expressions.length === 1 && e.expressions[0] !== null && isVariable(e.expressions[0])
    default:
      return false
  }
}

/** Whether an expression may give a variable, by name or as the result of something. */
export function mayGiveVariable(c: Context, e: Expression | null): boolean {
  if (e === null) return false
  if (isVariable(e) || isAssignmentNode(e)) return true
  const last = (list: readonly (Expression | null)[]) => mayGiveVariable(c, list[list.length - 1] ?? null)
  switch (e.kind) {
    case 'Paren':
    case 'Compound':
      return last(e.expressions)
    case 'Section':
      return mayGiveVariable(c, e.operand)
    case 'Unary':
      return '!?'.includes(e.operator) || (/^[/\\|]$/.test(e.operator) && mayGiveVariable(c, e.operand))
    case 'Binary':
      if (e.operator === '|') return mayGiveVariable(c, e.left) || mayGiveVariable(c, e.right)
      if (e.operator === '&' || e.operator === '?') return mayGiveVariable(c, e.right)
      return e.operator === '\\' ? mayGiveVariable(c, e.left) : e.operator === '!' || e.operator === '@'
    case 'If':
      return mayGiveVariable(c, e.then) || mayGiveVariable(c, e.otherwise)
    case 'Case':
      return e.clauses.some(({ body }) => mayGiveVariable(c, body))
    case 'Call':
      if (e.callee.kind === 'Integer') return e.args.some((arg) => mayGiveVariable(c, arg))
      if (e.callee.kind !== 'Identifier') return true
      if (c.variables.get(e.callee.name)?.kind === 'function') return e.callee.name === 'variable'
      return c.facts.givesVariables
    default:
      return ['While', 'Until', 'Every', 'Repeat', 'ControlCall'].includes(e.kind)
  }
}

/** Whether a name is one of the procedure's own variables, gone when it is left. */
export const isLocal = (c: Context, name: string): boolean => c.variables.get(name)?.kind === 'local'

function variableTarget(c: Context, name: string, js: string, local: boolean): Target {
  return {
    takesAny: true,
    get: () => ({ text: js, kind: local ? 'local' : 'global' }),
    set: (code) => c.line(`${js} = ${code.text};`),
    ref: () =>
      `new ${c.use('VarRef')}(${JSON.stringify(name)}, () => ${js}, (x) => (${js} = x)${isLocal(c, name) ? ', true' : ''})`,
  }
}

function keywordTarget(c: Context, name: string, token: number, operator: string): Target {
  const quoted = JSON.stringify(name)
  const more = shownOperator(operator)
  const get = (): Code => {
    if (name === 'pos' || name === 'subject') return { text: `${c.use('S')}.${name}`, kind: 'global' }
    return { text: `${c.use('keyword')}(${quoted})`, kind: 'global' }
  }
  return {
    get,
    // what it holds is what was assigned, converted
    after: () => c.settle(get()),
    set: (code, fail) => {
      const call =
        name === 'pos'
          ? c.call('setPos', token, code.text, ...more)
          : c.call('setKeyword', token, quoted, code.text, ...more)
      c.line(`if (${call} === undefined) { ${c.jump(fail)} }`)
    },
    ref: () => `${c.use('keywordRef')}(${quoted})`,
  }
}

function refTarget(c: Context, ref: string, token: number, operator: string): Target {
  const more = shownOperator(operator)
  return {
    isRef: true,
    get: () => ({ text: c.call('deref', token, ref), kind: 'global' }),
    after: () => c.settle(effect(c.call('deref', token, ref))),
    set: (code, fail) =>
      c.line(
        `if (${c.mark(token)}${c.use('assignRef')}(${[ref, code.text, ...more].join(', ')}) === undefined) { ${c.jump(fail)} }`,
      ),
    ref: () => ref,
  }
}

function fieldTarget(c: Context, e: Expression & { kind: 'Field' }, x: Code, fail: Label, simple: boolean): Target {
  const record = c.settle(x).text
  const place = c.script.constant(
    `${c.use('fieldPlace')}(${JSON.stringify(e.name)}, ${c.facts.fieldNames.has(e.name)})`,
    false,
  )
  const token = e.operand.last + 1
  if (!simple || c.facts.converts) c.line(`if (${c.call('fieldAt', token, record, place)} < 0) { ${c.jump(fail)} }`)
  return {
    get: () => ({ text: `${c.mark(token)}${fieldGetter(c, e.name)}(${record}, ${place})`, kind: 'global' }),
    set: (code, fail) => {
      const call = `${c.mark(token)}${fieldSetter(c, e.name)}(${record}, ${place}, ${code.text})`
      c.line(c.facts.converts ? `if (${call} === undefined) { ${c.jump(fail)} }` : `${call};`)
    },
    ref: () => c.call('fieldRef', token, record, place),
  }
}

function subscriptPlan(c: Context, e: Expression & { kind: 'Subscript' }, assignment: number): Plan {
  const [i] = e.subscripts
  const token = e.operand.last + 1
  const variables = shownAs(c, e.operand)
  const base = isVariable(e.operand) ? planOf(c, e.operand, e.last) : undefined
  const operands: Operand[] = base ? [...base.operands, i] : [e.operand, i]
  return {
    operands,
    make(codes, fail, simple) {
      const whole = base?.make(codes.slice(0, -1), fail, simple)
      const given = whole ? whole.get() : codes[0]
      const x = simple && given.kind === 'local' ? given : c.settle(checked(c, given, fail))
      const last = codes[codes.length - 1]
      const at = simple && last.kind === 'local' ? last : c.settle(last)
      const place = simple
        ? undefined
        : c.check(c.callOn(variables, 'placeOf', token, x.text, at.text, ...(whole?.element ?? [])), fail, 'value').text
      return subscriptTarget(c, token, operatorOf(c, assignment), variables, whole, x, at, place)
    },
  }
}

function subscriptTarget(
  c: Context,
  token: number,
  operator: string,
  variables: string,
  whole: Target | undefined,
  x: Code,
  at: Code,
  known: string | undefined,
): Target {
  const structure = `${c.use('isStructure')}(${x.text})`
  // where a structure's element is
  let place = known
  const origin = whole?.element ?? []
  const ref = () => c.callOn(variables, 'indexRef', token, x.text, at.text, whole ? whole.ref() : 'null', ...origin)
  // an assignment that may be undone: the part of a string, if it is one, as a variable that grows with what it gets
  let part: string | undefined
  return {
    ...(whole && { character: at.text }),
    element: [x.text, at.text],
    get: () => {
      // of a string the variable's present value counts
      const now = whole ? whole.get() : x
      const text = now.text === x.text ? x.text : `(${structure} ? ${x.text} : ${now.text})`
      const found = c.callOn(variables, 'index', token, text, at.text, ...origin)
      const there = place === undefined ? '' : `${structure} ? ${c.call('getPlace', token, x.text, at.text, place)} : `
      return { text: there === '' ? found : `(${there}${found})`, kind: 'global' }
    },
    set: (code, fail) => {
      c.line(`if (${structure}) {`)
      if (place !== undefined) c.line(`${c.use('setPlace')}(${x.text}, ${at.text}, ${place}, ${code.text});`)
      else
        c.line(
          `if (${c.callOn(variables, 'setIndex', token, x.text, at.text, code.text)} === undefined) { ${c.jump(fail)} }`,
        )
      c.line('} else {')
      if (part !== undefined) {
        c.line(`if (${c.call('assignRef', token, part, code.text, '"<-"')} === undefined) { ${c.jump(fail)} }`)
      } else if (whole) {
        const made = c.check(
          c.callOn(variables, 'replaceAt', token, whole.get().text, at.text, code.text, `"${operator}"`, ...origin),
          fail,
          'value',
        )
        whole.set(made, fail)
      } else {
        const element = c.check(c.call('index', token, x.text, at.text), fail, 'value')
        c.line(`${c.call('assignRef', token, element.text, code.text)}; ${c.jump(fail)}`)
      }
      c.line('}')
    },
    undo: (old) => {
      const kept = c.settle(effect(place ?? `${structure} ? ${c.use('placeOf')}(${x.text}, ${at.text}) : 0`)).text
      place = kept
      part = c.settle(effect(`${structure} ? null : ${ref()}`)).text
      return () => {
        c.line(`if (${structure}) { ${c.use('setPlace')}(${x.text}, ${at.text}, ${kept}, ${old.text}); } else {`)
        c.line(`${c.call('assignRef', token, part!, old.text)}; }`)
      }
    },
    after: (assigned) => {
      if (/^["]/.test(assigned.text)) return assigned
      const now = part === undefined ? `${c.use('str')}(${assigned.text})` : `${c.use('deref')}(${part})`
      return c.settle(effect(`${structure} ? ${assigned.text} : ${now}`))
    },
    ref,
  }
}

function sectionPlan(c: Context, e: Expression & { kind: 'Section' }, assignment: number): Plan {
  const base = planOf(c, e.operand, e.last)
  const token = e.from.last + 1
  const more = shownOperator(operatorOf(c, assignment))
  const variables = shownAs(c, e.operand)
  return {
    operands: [...base.operands, e.from, e.to],
    make(codes, fail, simple) {
      const whole = base.make(codes.slice(0, -2), fail, simple)
      const [from, to] = sectionEnds(c, e, codes[codes.length - 2], codes[codes.length - 1], fail)
      const [i, j] = [c.settle(from).text, c.settle(to).text]
      const value = () => c.callOn(variables, 'section', token, whole.get().text, i, j, ...(whole.element ?? []))
      if (!simple) c.check(value(), fail, 'none')
      const get = (): Code => ({ text: value(), kind: 'global' })
      return {
        get,
        set: (code, failed) => {
          const made = c.check(
            c.callOn(variables, 'replaceSection', token, whole.get().text, i, j, code.text, ...more),
            failed,
            'value',
          )
          whole.set(made, failed)
        },
        after: (assigned) => c.settle(effect(`${c.use('str')}(${assigned.text})`)),
        ref: () => c.callOn(variables, 'sectionRef', token, whole.get().text, i, j, whole.ref()),
      }
    },
  }
}

/** /x := …, \x := … */
function testPlan(c: Context, e: Expression & { kind: 'Unary' }): Plan {
  const base = planOf(c, e.operand, e.last)
  return {
    operands: base.operands,
    make(codes, fail, simple) {
      const target = base.make(codes, fail, simple)
      const code = target.get()
      const name = code.kind === 'local' ? code.text : c.settle(checked(c, code, fail)).text
      c.line(`if (${name} ${unlike(e.operator)} null) { ${c.jump(fail)} }`)
      return target
    },
  }
}

/** Reading a target fails when it is an element that does not exist. */
function checked(c: Context, code: Code, fail: Label): Code {
  return /index\(|section\(/.test(code.text) ? c.check(code.text, fail, 'value') : code
}

/** The variable that an operand is, for operators that make variables of its parts. */
export function wholeOf(c: Context, given: Expression): string {
  const e = nested(given)
  switch (e.kind) {
    case 'Identifier': {
      const variable = c.variables.get(e.name)!
      if (!['local', 'static', 'global'].includes(variable.kind)) return 'null'
      return variableTarget(c, e.name, variable.js, false).ref()
    }
    case 'Keyword':
      return keywordVariables.has(e.name) ? `${c.use('keywordRef')}(${JSON.stringify(e.name)})` : 'null'
    case 'Paren':
      return e.expressions.length === 1 && e.expressions[0] ? wholeOf(c, e.expressions[0]) : 'null'
    case 'Unary':
      return /^[\\/]$/.test(e.operator) ? wholeOf(c, e.operand) : 'null'
    case 'Subscript':
    case 'Field':
    case 'Section': {
      // evaluated once more; only parts of strings inside structures come here
      if (!isVariable(e) || resumable(c, e)) return 'null'
      const ref = c.fresh()
      c.line(`let ${ref};`)
      const failed = c.label()
      c.block(failed, () => {
        const plan = planOf(c, e, e.last)
        c.line(`${ref} = ${plan.make(operandValues(c, plan.operands, failed), failed, true).ref()};`)
      })
      return ref
    }
    default:
      return 'null'
  }
}

// ---- assignments

/**
 * Compiles an assignment: its first result, or, with k, all of them (then failure falls out).
 */
export function assignment(c: Context, e: Binary, want: Want, fail: Label, k?: (code: Code) => void): Code {
  switch (e.operator) {
    case ':=':
      return assign(c, e, e.right, want, fail, k)
    case '<-':
      return assign(c, e, e.right, want, fail, k, true)
    case ':=:':
      return exchange(c, e, want, fail, k, false)
    case '<->':
      return exchange(c, e, want, fail, k, true)
    case '?:=':
    case '&:=':
    case '@:=':
    case '!:=':
      return assignCombined(c, e, want, fail, k)
    default:
      return augment(c, e, want, fail, k)
  }
}

/** `x ?:= e` is `x := x ? e`, but x is evaluated once. */
function assignCombined(c: Context, e: Binary, want: Want, fail: Label, k: Then): Code {
  const operator = augmented(e.operator)
  if (e.left.kind === 'Identifier' || e.left.kind === 'Keyword') {
    return assign(c, e, { ...e, operator }, want, fail, k)
  }
  const name = c.fresh('x')
  const right: Binary = { ...e, operator, left: { ...e.left, kind: 'Identifier', name } as Expression }
  const plan = refPlan(c, e.left, e.operatorToken)
  return assign(c, e, right, want, fail, k, false, {
    operands: plan.operands,
    make(codes, failed, simple) {
      const target = plan.make(codes, failed, simple)
      c.variables.set(name, { kind: 'local', js: c.settle(target.get()).text })
      return target
    },
  })
}

type Then = ((code: Code) => void) | undefined

/** Evaluates operands for one result, or for all when there is a continuation. */
function withOperands(
  c: Context,
  operands: readonly Operand[],
  fail: Label,
  k: Then,
  body: (codes: readonly Code[], fail: Label) => void,
): void {
  if (!k) return body(operandValues(c, operands, fail), fail)
  eachOperands(c, operands, (codes) => {
    const failed = c.label()
    c.block(failed, () => body(codes, failed))
  })
}

/** What an assignment gives: the variable. */
function outcome(c: Context, target: Target, assigned: Code, want: Want): Code {
  if (want === 'none') return constant('null')
  const code = target.get()
  if (want === 'result' && code.kind === 'local') return c.settle(code)
  if (isRef(want)) return effect(target.ref())
  if (code.kind === 'local' || (code.kind === 'global' && !/\(/.test(code.text))) return code
  return target.after?.(assigned) ?? c.settle(assigned)
}

const isSimple = (e: Expression): boolean => /^(Integer|Real|String|Cset|Identifier)$/.test(e.kind)

/** Whether a resumption of an expression only undoes what it did, as that of a <- b does. */
function undoesOnly(c: Context, e: Expression): boolean {
  if (e.kind !== 'Binary' || e.operator !== '<-') return false
  if (e.left.kind === 'Subscript' && e.left.subscripts.some((part) => resumable(c, part))) return false
  return !resumable(c, e.right) || undoesOnly(c, e.right)
}

function assign(
  c: Context,
  e: Binary,
  right: Expression,
  want: Want,
  fail: Label,
  k: Then,
  reversible = false,
  given?: Plan,
): Code {
  // a part of a string is one variable for all the values that it gets, and grows with them; it stays where it was,
  // whatever the right side does to the string or the list
  const again = k !== undefined && resumable(c, right) && !undoesOnly(c, right)
  const section = e.left.kind === 'Section' && ((reversible && k) || !isSimple(right))
  const parts = again || isRef(want) || assigns(c, right) || section
  const plan = given ?? (isPart(e.left) && parts ? partPlan : planOf)(c, e.left, e.operatorToken)
  let result: Code = constant('null')
  withOperands(c, plan.operands, fail, k, (codes, failed) => {
    // what is undone later, by then its operands may have changed
    const target = plan.make(codes, failed, isSimple(right) && !(reversible && k))
    withOperands(c, [right], failed, k, ([value], failed2) => {
      const variable = target.get()
      const direct =
        value.kind !== 'effect' ||
        variable.kind === 'local' ||
        (variable.kind === 'global' && !/\(/.test(variable.text))
      const read = want !== 'none' && value.kind !== 'const' && (target.after !== undefined || reversible)
      const code = direct && !reversible && !read ? value : c.settle(value)
      const undo = reversible && k ? undoing(c, target, failed2) : undefined
      target.set(code, failed2)
      result = outcome(c, target, code, want)
      if (!k) return
      k(result)
      if (!undo) return
      const undone = c.label()
      c.block(undone, () => undo(undone))
      c.note(e.operatorToken)
    })
  })
  return result
}

/** Saves a variable's value; answers what emits its restoration, which may fail. */
function undoing(c: Context, target: Target, fail: Label): (failed: Label) => void {
  const old = c.settle(checked(c, target.get(), fail))
  if (target.undo) return target.undo(old, fail)
  return (failed) => target.set(old, failed)
}

function exchange(c: Context, e: Binary, want: Want, fail: Label, k: Then, reversible: boolean): Code {
  if (mayOverlap(e.left, e.right)) return exchangeParts(c, e, want, fail, k)
  const [one, other] = [planOf(c, e.left, e.operatorToken), planOf(c, e.right, e.operatorToken)]
  let result: Code = constant('null')
  withOperands(c, one.operands, fail, k, (codes, failed) => {
    const left = one.make(codes, failed, false)
    withOperands(c, other.operands, failed, k, (others, failed2) => {
      const right = other.make(others, failed2, false)
      if (!k && want === 'none' && exchangeCharacters(c, e, left, right, () => exchangeValues(left, right, failed2)))
        return
      exchangeValues(left, right, failed2)
    })
  })
  return result

  function exchangeValues(left: Target, right: Target, failed: Label): void {
    if (left.isRef || right.isRef) {
      const args = [JSON.stringify(e.operator), left.ref(), right.ref()]
      c.line(`if (${c.call('needVariables', e.operatorToken, ...args)} === undefined) { ${c.jump(failed)} }`)
    }
    const x = c.settle(checked(c, left.get(), failed))
    const y = c.settle(checked(c, right.get(), failed))
    const [undoLeft, undoRight] = reversible && k ? [undoing(c, left, failed), undoing(c, right, failed)] : []
    blaming(c, e.operator, left, right, () => {
      left.set(y, failed)
      right.set(x, failed)
    })
    result = outcome(c, left, y, want)
    if (!k) return
    k(result)
    if (!undoLeft || !undoRight) return
    // the right side stays as it is when the left one cannot be what it was
    const undone = c.label()
    c.block(undone, () => [undoLeft, undoRight].forEach((undo) => undo(undone)))
    c.note(e.operatorToken)
  }
}

/** Emits an exchange such that its errors are its own, not those of the assignments that it consists of. */
function blaming(c: Context, operator: string, left: Target, right: Target, exchange: () => void): void {
  if (left.takesAny && right.takesAny) return exchange()
  const { noted } = c
  c.line('try {')
  exchange()
  c.line('} catch (e) {')
  const args = ['e', JSON.stringify(operator), left.ref(), right.ref()]
  c.line(`throw ${c.use('exchangeError')}(${args.join(', ')});\n}`)
  c.noted = noted
}

/** Whether one of two variables may be, or move, a part of the other: what the compiler cannot see might. */
function mayOverlap(left: Expression, right: Expression): boolean {
  const seen = /^(Identifier|Keyword|Field|Subscript)$/
  if (!seen.test(left.kind) || !seen.test(right.kind)) return true
  // x[i][j] may be a part of x[i], and changes length with it
  if (left.kind === 'Subscript' && right.kind === 'Subscript') return depthOf(left) !== depthOf(right)
  if (left.kind === 'Subscript') return !distinct(left.operand, right)
  return right.kind === 'Subscript' && !distinct(right.operand, left)
}

/** How many subscripts are put to what is no subscript itself. */
const depthOf = (e: Expression): number => (e.kind === 'Subscript' ? e.subscripts.length + depthOf(e.operand) : 0)

/** Whether two expressions are different variables, of which one has a name. */
const distinct = (one: Expression, other: Expression): boolean =>
  one.kind === 'Identifier' && !(other.kind === 'Identifier' && other.name === one.name)

/** x[i:j] :=: x[k:l]: the one may move or overlap the other. */
function exchangeParts(c: Context, e: Binary, want: Want, fail: Label, k: Then): Code {
  let result: Code = constant('null')
  withOperands(c, [{ ref: e.left }, { ref: e.right }], fail, k, (codes, failed) => {
    const [x, y] = codes.map((code) => c.settle(code).text)
    const call = c.call('exchangeRefs', e.operatorToken, JSON.stringify(e.operator), x, y)
    const undo = c.check(call, failed, 'value')
    result = outcome(c, refTarget(c, x, e.operatorToken, e.operator), constant('null'), want)
    if (!k) return
    k(result)
    if (e.operator === '<->') c.line(`${c.mark(e.operatorToken)}${undo.text}();`)
  })
  return result
}

/** x[i] :=: x[j]: of a string in one step. Answers whether it is such an exchange. */
function exchangeCharacters(c: Context, e: Binary, left: Target, right: Target, otherwise: () => void): boolean {
  if (left.character === undefined || right.character === undefined) return false
  if (e.left.kind !== 'Subscript' || e.right.kind !== 'Subscript') return false
  const [one, other] = [e.left.operand, e.right.operand]
  if (one.kind !== 'Identifier' || other.kind !== 'Identifier' || one.name !== other.name) return false
  const { js } = c.variables.get(one.name)!
  const made = c.fresh()
  const swapped = `${c.use('swapped')}(${js}, ${left.character}, ${right.character})`
  c.line(`const ${made} = typeof ${js} === 'string' ? ${swapped} : undefined;`)
  c.line(`if (${made} !== undefined) { ${js} = ${made}; } else {`)
  otherwise()
  c.line('}')
  return true
}

/** counter +:= y, or -:= : a cell of numbers, whose own value nobody asks for */
function raiseCounter(c: Context, e: Binary, cell: string, fail: Label, k: Then): Code {
  assert(/^[+-]:=$/.test(e.operator), 'a counter that does not count')
  const add = (amount: string) => {
    c.line(`${cell} ${e.operator[0]}= ${amount};`)
    k?.(constant('null'))
  }
  if (e.right.kind === 'Integer') add(e.right.text)
  else withOperands(c, [e.right], fail, k, ([amount]) => add(`Number(${amount.text})`))
  return constant('null')
}

/** x op:= y */
function augment(c: Context, e: Binary, want: Want, fail: Label, k: Then): Code {
  if (e.left.kind === 'Identifier' && c.variables.get(e.left.name)!.kind === 'counter') {
    return raiseCounter(c, e, c.variables.get(e.left.name)!.js, fail, k)
  }
  const operator = augmented(e.operator)
  const token = e.operatorToken
  const plan = (isPart(e.left) && isRef(want) ? partPlan : planOf)(c, e.left, e.operatorToken)
  let result: Code = constant('null')
  withOperands(c, plan.operands, fail, k, (codes, failed) => {
    const target = plan.make(codes, failed, isSimple(e.right))
    withOperands(c, [e.right], failed, k, ([right], failed2) => {
      const left = checked(c, target.get(), failed2)
      const name = computing[operator]
      const comparison = comparing[operator]
      assert(name || comparison, `no operator ${operator}`)
      const kept = left.kind === 'global' && right.kind === 'effect' ? c.settle(right) : right
      const made = name
        ? c.compute(c.call(name, token, left.text, kept.text), failed2, 'value')
        : compare(c, comparison, token, left, kept, 'value', failed2)
      const variable = target.get()
      const direct = variable.kind === 'local' || (variable.kind === 'global' && !/\(/.test(variable.text))
      const code = direct ? made : c.settle(made)
      target.set(code, failed2)
      result = outcome(c, target, code, want)
      k?.(result)
    })
  })
  return result
}
