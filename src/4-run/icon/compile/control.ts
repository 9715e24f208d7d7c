// Control structures: if, case, loops, return and suspend, create.
import { children, type Expression, type Node } from '../../../1-parse/icon/ast.js'
import { walk } from '../../../1-parse/walk.js'
import { constant, effect, type Code, type Context, type Label, type Want } from './context.js'
import { discard, resumable, statement, value } from './expressions.js'
import { clauses, each, joined, whole } from './generators.js'
import { lastPlace } from './places.js'
import { reachesTransfer } from './facts.js'
import { Context as NewContext } from './context.js'

const controls = new Set([
  'If',
  'Case',
  'While',
  'Until',
  'Every',
  'Suspend',
  'Repeat',
  'Create',
  'Return',
  'Break',
  'Fail',
  'Next',
])

type Control = Extract<
  Expression,
  {
    kind:
      | 'If'
      | 'Case'
      | 'While'
      | 'Until'
      | 'Every'
      | 'Suspend'
      | 'Repeat'
      | 'Create'
      | 'Return'
      | 'Break'
      | 'Fail'
      | 'Next'
  }
>

export const isControl = (e: Expression): e is Control => controls.has(e.kind)

/** Compiles a control structure for its first result. */
export function controlValue(c: Context, e: Control, want: Want, fail: Label): Code {
  switch (e.kind) {
    case 'If':
      return ifValue(c, e, want, fail)
    case 'Case':
      return caseValue(c, e, want, fail)
    case 'While':
    case 'Until':
    case 'Repeat':
    case 'Every':
    case 'Suspend':
      return loopValue(c, e, want, fail)
    case 'Create':
      return createValue(c, e.expression, e.first)
    case 'Return':
      returnValue(c, e)
      return constant('null')
    case 'Fail':
      c.line(leaveProcedure(c, undefined, e.first))
      return constant('null')
    case 'Break':
      breakLoop(c, e, fail)
      return constant('null')
    case 'Next': {
      const { next } = c.loop!
      c.line(c.jump(next ?? fail))
      return constant('null')
    }
  }
}

function ifValue(c: Context, e: Expression & { kind: 'If' }, want: Want, fail: Label): Code {
  const result = c.fresh()
  if (want !== 'none') c.line(`let ${result};`)
  const take = (branch: Expression, failed: Label) => {
    const code = value(c, branch, want, failed)
    if (want === 'none') discard(c, code)
    else c.line(`${result} = ${code.text};`)
  }
  if (e.otherwise === null) {
    whole(c, fail, (failed) => discard(c, value(c, e.condition, 'none', failed)))
    take(e.then, fail)
  } else {
    const done = c.label('i')
    const { otherwise } = e
    c.block(done, () => {
      const other = c.label('e')
      c.block(other, () => {
        discard(c, value(c, e.condition, 'none', other))
        take(e.then, fail)
        c.line(c.jump(done))
      })
      take(otherwise, fail)
    })
  }
  return constant(want === 'none' ? 'null' : result)
}

function caseValue(c: Context, e: Expression & { kind: 'Case' }, want: Want, fail: Label): Code {
  const result = c.fresh()
  if (want !== 'none') c.line(`let ${result};`)
  const done = c.label('c')
  c.block(done, () => {
    clauses(c, e, fail, (body) => {
      const code = value(c, body, want, fail)
      if (want === 'none') discard(c, code)
      else c.line(`${result} = ${code.text};`)
      c.line(c.jump(done))
    })
  })
  return constant(want === 'none' ? 'null' : result)
}

/** All results of a loop: those of the \`break\` that ends it. */
export function eachLoop(c: Context, e: Control, want: Want, k: (code: Code) => void): void {
  const failed = c.label()
  c.block(failed, () => {
    joined(c, want, k, (take) => loopValue(c, e as Every, want, failed, take))
  })
}

/** Whether a \`break\` may give a loop several results. */
export function breaksWithResults(c: Context, e: Expression): boolean {
  let depth = 0
  let found = false
  const enter = (node: Node) => {
    if (/^(While|Until|Repeat|Every|Suspend)$/.test(node.kind)) depth++
    if (node.kind === 'Create') return false
    if (node.kind === 'Break') {
      if (depth === 1 && resumable(c, node.value)) found = true
      depth--
    }
    return !found
  }
  const leave = (node: Node) => {
    if (/^(While|Until|Repeat|Every|Suspend)$/.test(node.kind)) depth--
    if (node.kind === 'Break') depth++
  }
  walk<Node>(e, children, enter, leave)
  return found
}

function loopValue(
  c: Context,
  e: Expression & { kind: 'While' | 'Until' | 'Repeat' | 'Every' | 'Suspend' },
  want: Want,
  fail: Label,
  take?: (code: Code) => void,
): Code {
  const result = want === 'none' || take ? undefined : c.fresh()
  if (result) c.line(`let ${result};`)
  const breaks = c.label('l')
  const outer = c.loop
  const loop = (next: Label | undefined) => ({ breaks, next, result, want, fail, each: take, outer })
  c.block(breaks, () => {
    switch (e.kind) {
      case 'Every':
      case 'Suspend':
        everyLoop(c, e as Every, loop)
        break
      default:
        plainLoop(c, e as Plain, loop)
    }
    c.loop = outer
    // a loop that ends by itself fails
    if (e.kind === 'Until') c.note(lastPlace(e.control))
    else c.noteFailure()
    c.line(c.jump(fail))
  })
  return constant(result ?? 'null')
}

type Every = Expression & { kind: 'Every' | 'Suspend' }
type Plain = Expression & { kind: 'While' | 'Until' | 'Repeat' }
type MakeLoop = (next: Label | undefined) => NonNullable<Context['loop']>

function plainLoop(c: Context, e: Plain, loop: MakeLoop): void {
  const ended = c.label('w')
  c.block(ended, () => {
    c.line('for (;;) {')
    const next = c.label('n')
    c.block(next, () => {
      c.loop = loop(next)
      if (e.kind === 'Repeat') statement(c, e.body)
      else {
        const control = e.control!
        if (e.kind === 'While') discard(c, value(c, control, 'none', ended))
        else {
          const failed = c.label('u')
          c.block(failed, () => {
            discard(c, value(c, control, 'none', failed))
            c.line(c.jump(ended))
          })
        }
        statement(c, e.body)
      }
    })
    c.line('}')
  })
}

function everyLoop(c: Context, e: Every, loop: MakeLoop): void {
  const shuffles = e.kind === 'Every' && e.body === null ? shuffledVariable(c, e.control!) : undefined
  if (shuffles) {
    // every !x :=: ?x, of a string: at once
    c.line(`if (typeof ${shuffles} === 'string') { ${shuffles} = ${c.use('shuffled')}(${shuffles}); } else {`)
    everyResult(c, e, loop)
    c.line('}')
  } else everyResult(c, e, loop)
}

/** The x of !x :=: ?x. */
function shuffledVariable(c: Context, e: Expression): string | undefined {
  if (e.kind !== 'Binary' || e.operator !== ':=:' || e.left.kind !== 'Unary' || e.right.kind !== 'Unary')
    return undefined
  if (e.left.operator !== '!' || e.right.operator !== '?') return undefined
  const [one, other] = [e.left.operand, e.right.operand]
  if (one.kind !== 'Identifier' || other.kind !== 'Identifier' || one.name !== other.name) return undefined
  const variable = c.variables.get(one.name)!
  return /local|static|global/.test(variable.kind) ? variable.js : undefined
}

function everyResult(c: Context, e: Every, loop: MakeLoop): void {
  c.loop = loop(undefined)
  const suspends = e.kind === 'Suspend'
  each(c, e.control, suspends ? resultWant(c) : 'none', (code) => {
    if (suspends) suspend(c, resultCode(c, code), e.first)
    else discard(c, code)
    if (e.body === null) return c.note(suspends ? e.first : lastPlace(e.control))
    const [again, next] = [c.label('n'), c.label('n')]
    const control = c.loop
    c.block(again, () => {
      c.block(next, () => {
        c.loop = loop(next)
        if (!c.facts.usesTrace) return statement(c, e.body)
        const failed = c.label()
        c.block(failed, () => {
          discard(c, value(c, e.body, 'none', failed))
          c.line(c.jump(next))
        })
        c.noteFailure()
        c.line(c.jump(again))
      })
      c.note(lastPlace(e.body) ?? lastPlace(e.control))
    })
    c.loop = control
  })
}

function breakLoop(c: Context, e: Expression & { kind: 'Break' }, fail: Label): void {
  const loop = c.loop!
  const { scans } = c
  const { breaks } = loop
  if (scans.length > breaks.scans) {
    c.line(c.leaveScans(breaks.scans))
    c.scans = scans.slice(0, breaks.scans)
  }
  breakValue(c, e, fail)
  c.scans = scans
}

function breakValue(c: Context, e: Expression & { kind: 'Break' }, fail: Label): void {
  const loop = c.loop!
  if (loop.each && e.value !== null) {
    c.loop = loop.outer
    each(c, e.value, loop.want, loop.each)
    c.loop = loop
    c.line(c.jump(loop.breaks))
    return
  }
  if (loop.each) {
    loop.each(constant('null'))
    c.line(c.jump(loop.breaks))
    return
  }
  if (e.value === null) {
    if (loop.result) c.line(`${loop.result} = null;`)
    c.line(c.jump(loop.breaks))
    return
  }
  // the value is computed outside the loop: the subject is that of there, and breaks leave the loop around it
  c.loop = loop.outer
  const code = value(c, e.value, loop.result ? loop.want : 'none', loop.fail ?? fail)
  c.loop = loop
  if (loop.result) c.line(`${loop.result} = ${code.text};`)
  else discard(c, code)
  c.line(c.jump(loop.breaks))
}

/** What a procedure gives back may be a variable that is not local. */
const resultWant = (c: Context): Want => (c.facts.returnsVariables || c.procedure.givesVariables ? 'result' : 'value')

/** The same for the code: locals, and parts of them, are values. */
function resultCode(c: Context, code: Code): Code {
  if (resultWant(c) === 'value' || code.kind === 'local' || code.kind === 'global') return code
  return { ...code, text: `${c.use('resultOf')}(${code.text})` }
}

function returnValue(c: Context, e: Expression & { kind: 'Return' }): void {
  const failed = c.label()
  c.block(failed, () => {
    let code = resultCode(c, value(c, e.value, resultWant(c), failed))
    if (c.scans.length > 0 || c.facts.usesFrames || c.facts.usesTrace) {
      if (code.kind !== 'const') code = c.settle(code)
    }
    c.line(leaveProcedure(c, code.text, e.first))
  })
  if (failed.used) c.line(leaveProcedure(c, undefined, e.first))
}

/** Leaves the procedure, with a value or by failing. */
export function leaveProcedure(c: Context, result: string | undefined, token: number): string {
  let text = c.leaveScans(0)
  if (c.facts.usesTrace) {
    const { file, line } = c.place(token)
    const place = `${JSON.stringify(file)}, ${line}`
    const proc = `P_${c.procedure.name}`
    text +=
      result === undefined
        ? `${c.use('traceFail')}(${proc}, ${place}); `
        : `${c.use('traceReturn')}(${proc}, ${place}, ${result}); `
  }
  return `{ ${text}return ${result ?? 'undefined'}; }`
}

/** Gives a result to the caller, with the caller's subject. */
function suspend(c: Context, code: Code, token: number): void {
  const { usesFrames, usesLevel, usesTrace } = c.facts
  const kept = c.scans.length > 0 || usesTrace || usesLevel ? c.settle(code) : code
  const outer = c.scans[0]
  const [s, p] = [c.fresh('s'), c.fresh('p')]
  if (outer) {
    c.line(`const ${s} = S.subject, ${p} = S.pos; S.subject = ${outer.subject}; S.pos = ${outer.pos};`)
  }
  if (usesTrace) {
    const { file, line } = c.place(token)
    c.line(`${c.use('traceSuspend')}(P_${c.procedure.name}, ${JSON.stringify(file)}, ${line}, ${kept.text});`)
  } else if (usesLevel) c.line(`${c.use('S')}.level--;`)
  if (usesFrames) c.line(`${c.use('S')}.frames.pop();`)
  c.line(`yield ${kept.text};`)
  if (usesFrames) c.line('S.frames.push(frame);')
  if (usesTrace) c.line(`${c.use('traceResume')}(P_${c.procedure.name});`)
  else if (usesLevel) c.line('S.level++;')
  if (outer) c.line(`${outer.subject} = S.subject; ${outer.pos} = S.pos; S.subject = ${s}; S.pos = ${p};`)
}

// ---- create

/** create e  →  create(function* (copies of the locals) { … }, [locals]) */
export function createValue(c: Context, e: Expression, token: number): Code {
  const locals = [...c.variables.values()].filter(({ kind }) => kind === 'local').map(({ js }) => js)
  const inner = new NewContext(
    c.script,
    c.tree,
    c.procedure,
    c.variables,
    c.facts.coroutines && reachesTransfer(e, c.facts.procedures),
  )
  inner.inCreate = true
  const { file, line } = c.place(token)
  const note = c.facts.usesTrace ? `${c.use('S')}.line = ${line}; S.file = ${JSON.stringify(file)}; ` : ''
  const body = inner.capture(() => {
    each(inner, e, 'value', (code) => {
      inner.line(`${note}yield ${code.text};`)
      inner.line(note)
    })
    inner.line(note)
  })
  const used = locals.filter((local) => new RegExp(`\\b${local.replace(/\$/g, '\\$')}\\b`).test(body))
  const parameters = c.procedure.node.parameters.map(({ name }) => c.variables.get(name)!.js)
  const code = effect(
    `${c.use('create')}(function* c_${c.procedure.name}(${used.join(', ')}) {\n${body}\nreturn undefined;\n}, [${used.join(', ')}], P_${c.procedure.name}, [${parameters.join(', ')}], ${c.facts.usesFrames && !c.inCreate ? 'frame' : 'undefined'})`,
  )
  return code
}
