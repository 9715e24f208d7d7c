// Fields of records: one function for each name of a field, which looks where JavaScript has found it last, and asks the
// library about all else.
import { fieldProperty } from '../values.js'
import type { Context } from './context.js'

/** Declares the function that reads a field: (x, place) → its value. Answers its name. */
export function fieldGetter(c: Context, field: string): string {
  const property = `x.${fieldProperty(field)}`
  return declared(
    c,
    `b_get_${field}`,
    `(x, place) { if (x instanceof ${c.use('IconRecord')} && ${property} !== undefined) return ${property}; return ${c.use('field')}(x, place); }`,
  )
}

/** Declares the function that sets a field: (x, place, value) → value. Answers its name. */
export function fieldSetter(c: Context, field: string): string {
  const property = `x.${fieldProperty(field)}`
  return declared(
    c,
    `b_set_${field}`,
    `(x, place, value) { if (x instanceof ${c.use('IconRecord')} && ${property} !== undefined) return (${property} = value); return ${c.use('setField')}(x, place, value); }`,
  )
}

// messages pass over functions whose names begin so
function declared({ script }: Context, id: string, text: string): string {
  script.wrappers.set(id, `function ${id}${text}`)
  return id
}
