// Trees of Icon → one JavaScript script. The script is a function of the run-time library (library.ts); it gives
// back the program's procedures and globals. Each procedure becomes a function, one that suspends a generator:
//
//   p_NAME        gives the only result         p_NAME$all   a generator of all results
//   p_NAME$co     a generator that may also yield transfers between co-expressions
//
// Marks in the text say which line of the source each call comes from; they are taken out at the end, and where
// they stood is kept, for messages.
import type { IconTree } from '../../1-parse/icon/parse.js'
import { lineStarts, positionIn } from '../../source.js'
import { builtins, graphics } from './builtins.js'
import { leaveProcedure } from './compile/control.js'
import { Context, Script, type Variable } from './compile/context.js'
import { statement } from './compile/expressions.js'
import { factsOf, type ProcedureFacts } from './compile/facts.js'
import { fieldProperty } from './values.js'
import type { Compiled, FindPlace } from './tracing.js'

/**
 * How a program is compiled.
 *
 * trace      whether &trace is on from the start
 * counters   the prefixes of counters' names: variables PREFIX_0, PREFIX_1, … that are cells one after the other from
 *            the cell given, and that the program itself does not see
 */
export interface Compiling {
  readonly trace: boolean
  readonly counters: ReadonlyMap<string, number>
}

/** Compiles a program from its sources, the main one first. */
export function compile(trees: readonly IconTree[], { trace, counters }: Compiling): Compiled {
  const facts = factsOf(trees, trace)
  const script = new Script(facts)
  const globals = new Map<string, string>()
  const parts: string[] = []
  for (const [name, { node }] of facts.records) {
    const fields = node.fields.map((field) => field.name)
    parts.push(...recordText(script, name, fields))
  }
  for (const name of facts.globals) globals.set(name, 'null')
  for (const [name] of facts.records) if (facts.assigned.has(name)) globals.set(name, `R_${name}.proc`)
  for (const [name] of facts.procedures) if (facts.assigned.has(name)) globals.set(name, `P_${name}`)
  const bodies: string[] = []
  const functionsUsed = new Set<string>()
  for (const procedure of facts.procedures.values()) {
    const variables = resolve(script, procedure, globals, functionsUsed, counters)
    bodies.push(...procedureText(script, procedure, variables))
  }
  const listed: string[] = []
  for (const [name] of facts.procedures) if (!globals.has(name)) listed.push(`[${JSON.stringify(name)}, P_${name}]`)
  for (const [name] of facts.records) if (!globals.has(name)) listed.push(`[${JSON.stringify(name)}, R_${name}.proc]`)
  for (const name of functionsUsed)
    if (!globals.has(name)) listed.push(`[${JSON.stringify(name)}, F.get(${JSON.stringify(name)})]`)
  const fields = [...globals].map(([name, start]) => `g_${name}: ${start}`)
  script.use('S')
  script.use('left')
  script.use('Proc')
  const text = [
    `'use strict';`,
    `const {${[...script.library].join(', ')}, B, F} = RT;`,
    'const K = S.counters;',
    ...parts,
    ...script.constants,
    ...script.wrappers.values(),
    ...bodies,
    `const G = {${fields.join(', ')}};`,
    `return {G, constants: [${listed.join(', ')}], names: ${JSON.stringify([...globals.keys()])}};`,
  ].join('\n')
  return { ...unmark(text, script.files), asksStorage: facts.asksStorage }
}

/** A record type, and the class of its records. */
function recordText(script: Script, name: string, fields: readonly string[]): string[] {
  const parameters = fields.map((_, i) => `a${i}`)
  const sets = fields.map((field, i) => `this.${fieldProperty(field)} = a${i};`)
  return [
    `const R_${name} = new ${script.use('RecordType')}(${JSON.stringify(name)}, ${JSON.stringify(fields)});`,
    `class C_${name} extends ${script.use('IconRecord')} {`,
    `constructor(${parameters.join(', ')}) { super(R_${name}); ${sets.join(' ')} }`,
    '}',
    `R_${name}.shape = C_${name};`,
  ]
}

/** What each name in a procedure means. */
function resolve(
  script: Script,
  procedure: ProcedureFacts,
  globals: Map<string, string>,
  functionsUsed: Set<string>,
  counters: ReadonlyMap<string, number>,
): Map<string, Variable> {
  const { facts } = script
  const variables = new Map<string, Variable>()
  const { node, name } = procedure
  for (const parameter of node.parameters) variables.set(parameter.name, { kind: 'local', js: `v_${parameter.name}` })
  for (const { isStatic, names } of node.locals) {
    for (const local of names) {
      if (variables.has(local.name)) continue
      const variable: Variable = isStatic
        ? { kind: 'static', js: `s_${name}$${local.name}` }
        : { kind: 'local', js: `v_${local.name}` }
      variables.set(local.name, variable)
    }
  }
  for (const mentioned of procedure.mentions) {
    if (variables.has(mentioned)) continue
    variables.set(mentioned, globalVariable(mentioned))
  }
  return variables

  function globalVariable(id: string): Variable {
    const counter = /^(_\w+)_(\d+)$/.exec(id)
    const first = counter ? counters.get(counter[1]) : undefined
    if (counter && first !== undefined) return { kind: 'counter', js: `K[${first + Number(counter[2])}]` }
    if (globals.has(id)) return { kind: 'global', js: `G.g_${id}` }
    if (facts.procedures.has(id)) return { kind: 'procedure', js: `P_${id}` }
    if (facts.records.has(id)) return { kind: 'record', js: `R_${id}.proc` }
    if (builtins.has(id) || graphics.has(id)) {
      functionsUsed.add(id)
      if (facts.assigned.has(id)) {
        globals.set(id, `F.get(${JSON.stringify(id)})`)
        return { kind: 'global', js: `G.g_${id}` }
      }
      return { kind: 'function', js: script.constant(`F.get(${JSON.stringify(id)})`) }
    }
    return { kind: 'local', js: `v_${id}` }
  }
}

function procedureText(script: Script, procedure: ProcedureFacts, variables: Map<string, Variable>): string[] {
  const { name, node, suspends } = procedure
  const { facts } = script
  const statics = [...variables].filter(([, { kind }]) => kind === 'static')
  const text: string[] = []
  if (statics.length > 0) text.push(`let ${statics.map(([, { js }]) => `${js} = null`).join(', ')};`)
  if (node.initial) text.push(`let i_${name} = false;`)
  const arity = node.variadic ? -node.parameters.length : node.parameters.length
  if (suspends) text.push(functionText(script, procedure, variables, `function* p_${name}$all`, false))
  else text.push(functionText(script, procedure, variables, `function p_${name}`, false))
  const call = suspends ? `${script.use('firstOf')}(p_${name}$all)` : `p_${name}`
  text.push(`const P_${name} = new Proc(${JSON.stringify(name)}, 'procedure', ${arity}, ${call});`)
  if (suspends) text.push(`P_${name}.all = p_${name}$all;`)
  if (facts.coroutines && procedure.transfers) {
    text.push(functionText(script, procedure, variables, `function* p_${name}$co`, true))
    text.push(`P_${name}.co = p_${name}$co;`)
  }
  return text
}

function functionText(
  script: Script,
  procedure: ProcedureFacts,
  variables: Map<string, Variable>,
  head: string,
  co: boolean,
): string {
  const { name, node, tree } = procedure
  const { usesFrames, usesLevel, usesTrace } = script.facts
  const c = new Context(script, tree, procedure, variables, co)
  c.lastToken = node.first
  const parameters = node.parameters.map((parameter) => variables.get(parameter.name)!.js)
  const locals = [...variables].filter(
    ([id, { kind }]) => kind === 'local' && !node.parameters.some((p) => p.name === id),
  )
  c.line(`${head}(${parameters.join(', ')}) {`)
  if (locals.length > 0) c.line(`let ${locals.map(([, { js }]) => `${js} = null`).join(', ')};`)
  if (usesFrames) c.line(frameText(procedure, variables, locals))
  c.line(`${script.mark(tree, node.first)}try {`)
  if (usesTrace) c.line(`${c.use('traceCall')}(P_${name}, [${parameters.join(', ')}]);`)
  else if (usesLevel) c.line(`${c.use('S')}.level++;`)
  if (usesFrames) c.line(`${c.use('S')}.frames.push(frame);`)
  if (node.initial) {
    c.line(`if (!i_${name}) { i_${name} = true;`)
    statement(c, node.initial)
    c.line('}')
  }
  for (const part of node.body) statement(c, part)
  c.line(leaveProcedure(c, undefined, node.last))
  // the first error that is caught may be that the stack is exhausted: then nothing can be called here
  c.line('} catch (e) { if (S.caught === null) { S.caught = e; Error.stackTraceLimit = 0; }')
  c.line(`throw left(e, P_${name}, [${parameters.join(', ')}]); }`)
  if (usesFrames || (usesLevel && !usesTrace)) {
    c.line(`finally { ${usesFrames ? 'S.frames.pop(); ' : ''}${usesLevel && !usesTrace ? 'S.level--;' : ''} }`)
  }
  c.line('}')
  return c.out.join('\n')
}

/** The procedure's variables by name, for programs that can ask for them. */
function frameText(
  procedure: ProcedureFacts,
  variables: Map<string, Variable>,
  locals: readonly [string, Variable][],
): string {
  const parameters = procedure.node.parameters.map((parameter) => parameter.name)
  const dynamic = locals.map(([id]) => id)
  const statics = [...variables].filter(([, { kind }]) => kind === 'static').map(([id]) => id)
  const all = [...parameters, ...dynamic, ...statics]
  const gets = all.map((id) => `case ${JSON.stringify(id)}: return ${variables.get(id)!.js};`)
  const sets = all.map((id) => `case ${JSON.stringify(id)}: ${variables.get(id)!.js} = x; break;`)
  return (
    `const frame = {name: ${JSON.stringify(procedure.name)}, parameters: ${JSON.stringify(parameters)}, ` +
    `dynamic: ${JSON.stringify(dynamic)}, statics: ${JSON.stringify(statics)}, ` +
    `get(id) { switch (id) { ${gets.join(' ')} } }, set(id, x) { switch (id) { ${sets.join(' ')} } }};`
  )
}

/** Takes out the marks; keeps where they stood. */
function unmark(marked: string, files: readonly string[]): Pick<Compiled, 'script' | 'findPlace'> {
  const offsets: number[] = []
  const found: string[] = []
  const parts: string[] = []
  let length = 0
  let from = 0
  for (let at = marked.indexOf('\x01'); at >= 0; at = marked.indexOf('\x01', from)) {
    parts.push(marked.slice(from, at))
    length += at - from
    from = marked.indexOf('\x02', at) + 1
    offsets.push(length)
    found.push(marked.slice(at + 1, from - 1))
  }
  const script = parts.join('') + marked.slice(from)
  let starts: readonly number[] | undefined
  const findPlace: FindPlace = (line, column, near = false) => {
    const start = (starts ??= lineStarts(script))[line - 1]
    if (start === undefined || !(offsets[0] < start + column)) return undefined
    const last = positionIn(offsets, start + column - 1).line - 1
    if (offsets[last] < start && !near) return undefined
    const [file, number, variables] = found[last].split(':')
    return { file: files[Number(file)], line: Number(number), variables }
  }
  return { script, findPlace }
}

/** Whether a program has a main procedure. */
export function hasMain(trees: readonly IconTree[]): boolean {
  return trees.some((tree) => tree.program.declarations.some((d) => d.kind === 'Procedure' && d.name.name === 'main'))
}
