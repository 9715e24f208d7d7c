// Counts: how large they are, how they are spelled, how hot they look, and how much of a whole they make.
import type { Shown } from '../src/6-report/page-data.js'

/** The size of a count, for comparing and colouring. */
export function sizeOf(count: Shown): number {
  return typeof count === 'number' ? count : Number(count.replace(/^[≤≥]/, ''))
}

/** Spells a count with its digits in groups of three. */
export function spell(count: Shown): string {
  const text = String(count)
  const digits = text.replace(/^[≤≥]/, '')
  const grouped = digits.length > 4 ? digits.replace(/\B(?=(?:\d{3})+$)/g, '\u2009') : digits
  return text.slice(0, text.length - digits.length) + grouped
}

/** Spells a count in at most five characters: 950, 42.4k, 1.3M. */
export function abbreviate(count: Shown): string {
  const size = sizeOf(count)
  const sign = typeof count === 'string' && count.startsWith('≤') ? '≤' : ''
  if (size < 10_000) return sign + String(size)
  const units = ['', 'k', 'M', 'G', 'T', 'P', 'E']
  const power = Math.min(units.length - 1, Math.floor(Math.log10(size) / 3))
  const scaled = size / 1000 ** power
  return sign + (scaled < 100 ? scaled.toFixed(1) : Math.floor(scaled).toString()) + units[power]
}

/** `3 times`, `once`, `never`. */
export function times(count: Shown): string {
  if (count === 0) return 'never'
  return count === 1 ? 'once' : `${spell(count)} times`
}

/** How hot a count is beside the hottest: from 0, never executed, to 6, by orders of magnitude. */
export function heatOf(count: Shown, hottest: Shown): number {
  const size = sizeOf(count)
  if (size === 0) return 0
  const most = sizeOf(hottest)
  if (most <= 1) return 1
  return 1 + Math.round((5 * Math.log(size)) / Math.log(most))
}

/** A share in percent; 0 and 100 only if exact. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–'
  const rounded = Math.round((100 * part) / whole)
  if (rounded === 0 && part > 0) return '<1%'
  if (rounded === 100 && part < whole) return '>99%'
  return `${rounded}%`
}

/** How much of something is covered, in the three words that have a colour and a mark each. */
export type Extent = 'all' | 'some' | 'none'

/** Which of them it is. */
export function extentOf(covered: number, items: number): Extent {
  if (covered === items) return 'all'
  return covered === 0 ? 'none' : 'some'
}

/** The marks that say so without colour. */
export const marks: Readonly<Record<Extent, string>> = { all: '●', some: '◐', none: '○' }
