// The variables that assignments assign. Those that the compiler can see are assigned in place; any other expression is
// compiled to yield a Ref, a variable as a value of the library.
import type { Expression } from '../../../1-parse/icon/ast.js'
import { effect, type Code, type Context, type Label } from './context.js'
import { assigns, operandValues, resumable } from './expressions.js'
import { fieldGetter, fieldSetter } from './fields.js'
import { sectionEnds, type Operand } from './operations.js'
import { isLocal, isVariable, keywordVariables, mayGiveVariable, nested, shownAs } from './variables.js'

/** A variable that code can be made to read and to write. */
export interface Target {
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
export interface Plan {
  readonly operands: readonly Operand[]
  make(codes: readonly Code[], fail: Label, simple: boolean): Target
}

export function planOf(c: Context, given: Expression, token: number): Plan {
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
export function partPlan(c: Context, e: Expression, token: number): Plan {
  const plan = planOf(c, e, token)
  return {
    operands: plan.operands,
    make(codes, fail) {
      const ref = c.check(plan.make(codes, fail, true).ref(), fail, 'value')
      return refTarget(c, ref.text, token, operatorOf(c, token))
    },
  }
}

export const isPart = (e: Expression): boolean => e.kind === 'Subscript' || e.kind === 'Section'

function operatorOf(c: Context, token: number): string {
  const { tokens } = c.tree
  return tokens.text.slice(tokens.from[token], tokens.to[token]) === '<-' ? '<-' : ':='
}

/** The argument that tells the library which operator messages name, if it is not `:=`. */
const shownOperator = (operator: string): string[] => (operator === ':=' ? [] : [JSON.stringify(operator)])

/** Any expression, evaluated to a Ref; a test, `/` or `\`, may be put before it. */
export function refPlan(c: Context, e: Expression, token: number, test = ''): Plan {
  return {
    operands: [{ ref: e }],
    make([code], fail) {
      const ref = c.settle(code).text
      if (test) c.line(`if (${c.use('deref')}(${ref}) ${unlike(test)} null) { ${c.jump(fail)} }`)
      return refTarget(c, ref, token, operatorOf(c, token))
    },
  }
}

/** How null is compared with an operand for which a test, `/` or `\`, fails. */
const unlike = (test: string): string => (test === '/' ? '!==' : '===')

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

export function refTarget(c: Context, ref: string, token: number, operator: string): Target {
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
export function checked(c: Context, code: Code, fail: Label): Code {
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
