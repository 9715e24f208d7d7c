// Text tables, and how counts and percentages are spelled in them. The same arithmetic and the same alignment are in
// prelude/report.icn, for programs that print their own report.
import type { Count } from '../5-profile/profile.js'

/** A column of a table: numbers are right-aligned under their heading, names left-aligned. */
export interface Column {
  readonly heading: string
  readonly align: 'left' | 'right'
}

/**
 * Draws a table: two blanks between columns, none at the end of a line.
 *
 * columns  cells beyond the last column are columns of their own, aligned as the last; a left-aligned last heading
 *          stands over all of them, and may be wider
 * returns  lines, the headings first
 */
export function drawTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string[] {
  const last = columns[columns.length - 1]
  const headings = columns.map(({ heading }) => heading)
  const sized = last.align === 'left' ? headings.slice(0, -1) : headings
  const widths: number[] = []
  for (const cells of [sized, ...rows]) {
    cells.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, cell.length)
    })
  }
  return [headings, ...rows].map((cells) => {
    let line = ''
    let end = 0
    cells.forEach((cell, i) => {
      const { align } = columns[i] ?? last
      line = line.padEnd(end) + (align === 'right' ? cell.padStart(widths[i]) : cell)
      end += widths[i] + 2
    })
    return line
  })
}

/** Spells a count: `≤` before one that is not exact. */
export function spellCount({ value, exact }: Count): string {
  return `${exact ? '' : '≤'}${value}`
}

/** Spells a count and its percentage of a total, as SCAMP does: `33177(2)`, `251327(>99)`, `0(0)`. */
export function spellShare(count: Count, total: Count): string {
  return `${spellCount(count)}(${percent(count.value, total.value)})`
}

/** The percentage in whole numbers, half rounded up, of a total: 0 and 100 only if exact, else `<1` and `>99`. */
export function percent(part: bigint, total: bigint): string {
  if (total === 0n) return '0'
  const rounded = (200n * part + total) / (2n * total)
  if (rounded === 0n && part > 0n) return '<1'
  if (rounded === 100n && part < total) return '>99'
  return String(rounded)
}

/** A name as a report shows it: nothing in it moves a terminal's cursor or starts a line. */
export function printableName(name: string): string {
  return name.replace(/\p{Cc}/gu, '?')
}

/** Cuts a text to a width, in characters; the last one left is `…` where something is missing. */
export function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`
}

const longestPlace = 22

/** A place in a file, for a column of a table: of a long name only the end is left. */
export function spellPlace(name: string, { line, column }: { readonly line: number; readonly column: number }): string {
  const place = `${printableName(name)}:${line}:${column}`
  return place.length <= longestPlace ? place : `…${place.slice(1 - longestPlace)}`
}
