// What icont checks beyond the grammar: declarations that contradict each other, unknown keywords, and control
// expressions out of place. Each complaint says at which token icont notices it, so that the first can be found.
import type { Note } from '../../error.js'
import { walk } from '../walk.js'
import { children, type Name, type Node, type Procedure, type Program, type RecordDeclaration } from './ast.js'
import { placeOf, tokenText, type Tokens } from './scan.js'
import { keywords } from './tokens.js'

/** A complaint about token `token`, made when the translator has read as far as token `noticed`. */
export interface Complaint {
  readonly message: string
  readonly token: number
  readonly noticed: number
  readonly notes: readonly Note[]
}

/** Checks the declarations of a program, or of the part of it before a syntax error. */
export function checkDeclarations(program: Program, tokens: Tokens): Complaint[] {
  const complaints: Complaint[] = []
  const complain = (message: string, token: number, noticed: number, note?: Name) => {
    complaints.push({ message, token, noticed, notes: note ? [declaredAt(tokens, note)] : [] })
  }
  checkKeywords(tokens, complain)
  const globals = new Map<string, Name>()
  for (const declaration of program.declarations) {
    switch (declaration.kind) {
      case 'Procedure':
      case 'Record': {
        const { name } = declaration
        const other = globals.get(name.name)
        if (other) complain(`"${name.name}" is declared twice`, name.token, declaration.first + 3, other)
        globals.set(name.name, name)
        if (declaration.kind === 'Procedure') checkProcedure(declaration, tokens, complain)
        else checkNames(declaration, complain)
        break
      }
      case 'Invocable':
      case 'Global':
      case 'Link':
    }
  }
  return complaints
}

type Complain = (message: string, token: number, noticed: number, note?: Name) => void

function declaredAt(tokens: Tokens, { name, token }: Name): Note {
  const { file, offset } = placeOf(tokens, token)
  const span = { start: offset, end: offset + name.length }
  return { message: `"${name}" is declared here too`, source: tokens.files[file], span }
}

function checkNames(record: RecordDeclaration, complain: Complain): void {
  checkDistinct(record.fields, new Map(), complain)
}

function checkDistinct(names: readonly Name[], seen: Map<string, Name>, complain: Complain): void {
  for (const name of names) {
    const other = seen.get(name.name)
    if (other) complain(`"${name.name}" is declared twice`, name.token, name.token, other)
    else seen.set(name.name, name)
  }
}

// token kinds of what may be out of place: break, next, create, default, and p{…}
const suspicious = /[BNKD]|[insrc)\]}]\{/

function checkProcedure(procedure: Procedure, tokens: Tokens, complain: Complain): void {
  const seen = new Map<string, Name>()
  checkDistinct(procedure.parameters, seen, complain)
  for (const { names } of procedure.locals) checkDistinct(names, seen, complain)
  const kinds = tokens.kinds.slice(procedure.first, procedure.last)
  if (suspicious.test(kinds)) checkContexts(procedure, complain)
}

/**
 * An `&` before an identifier begins a keyword, unless it stands behind an expression. icont looks keywords up as it
 * reads, so this goes by tokens: it holds up to the first token that is wrong, in a procedure without end too.
 */
function checkKeywords(tokens: Tokens, complain: Complain): void {
  const { kinds } = tokens
  for (let at = kinds.indexOf('&i'); at >= 0; at = kinds.indexOf('&i', at + 1)) {
    if ('insrc)]}FN'.includes(kinds[at - 1])) continue
    const name = tokenText(tokens, at + 1)
    if (!keywords.has(name)) complain(`there is no keyword "&${name}"`, at + 1, at + 1)
  }
}

/** Checks where `break`, `next`, `return` and `default` stand. icont does so at the end of the procedure. */
function checkContexts(procedure: Procedure, complain: Complain): void {
  // what encloses the node being visited: loops that `break` and `next` may leave, and `create`
  const stack: ('loop' | 'create' | 'break')[] = []
  const late: { message: string; token: number }[] = []
  const loopsAround = () => {
    let loops = 0
    for (let i = stack.length - 1; i >= 0 && stack[i] !== 'create'; i--) loops += stack[i] === 'loop' ? 1 : -1
    return loops
  }
  const enter = (node: Node) => {
    switch (node.kind) {
      case 'Break':
      case 'Next':
        if (loopsAround() <= 0) late.push({ message: `"${node.kind.toLowerCase()}" outside a loop`, token: node.first })
        if (node.kind === 'Break') stack.push('break')
        break
      case 'Return':
      case 'Fail':
      case 'Suspend':
        if (stack.includes('create')) {
          late.push({
            message: `"${node.kind.toLowerCase()}" inside "create" has no procedure to leave`,
            token: node.first,
          })
        }
        if (node.kind === 'Suspend') stack.push('loop')
        break
      case 'Case': {
        const defaults = node.clauses.filter((clause) => clause.selector === null)
        for (const clause of defaults.slice(1)) late.push({ message: 'more than one "default"', token: clause.first })
        break
      }
      case 'While':
      case 'Until':
      case 'Every':
      case 'Repeat':
        stack.push('loop')
        break
      case 'Create':
      case 'ControlCall':
        stack.push('create')
        break
      default:
    }
  }
  const leave = (node: Node) => {
    switch (node.kind) {
      case 'Break':
      case 'Suspend':
      case 'While':
      case 'Until':
      case 'Every':
      case 'Repeat':
      case 'Create':
      case 'ControlCall':
        stack.pop()
        break
      default:
    }
  }
  walk<Node>(procedure, children, enter, leave)
  for (const { message, token } of late) complain(message, token, procedure.last)
}
