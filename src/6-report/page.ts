// Profile → a page for people: one file of HTML that holds its data, its looks and its program (page/), and needs neither
// server nor network. Nothing in it can be executed but that program, whatever stands in the texts it shows: they are
// JSON in which no `<` is, the program shows them as text, and a policy in the page admits its hash only.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { coloursOf } from '../1-parse/colours.js'
import type { Profile } from '../5-profile/profile.js'
import type { Context } from './contexts.js'
import { coverageOf } from './coverage.js'
import type { ReportOptions } from './options.js'
import type { PageIndex } from './page-data.js'
import { worstSearches } from './page-searches.js'
import { hottestOf, pageBlock, pageEntry, pageLines, shown, type ReachedLines } from './page-file.js'

// how many lines `h` walks through
const mostHot = 200

/**
 * What `scamp watch` has a page know.
 *
 * edition  a number that is another one each time the page is made
 * picture  the name of the picture beside the page whose width is the newest edition
 */
export interface Watched {
  readonly edition: number
  readonly picture: string
}

/** Draws the page. */
export function page(
  profile: Profile,
  { textOf, goalsOf, contexts = [], watched }: Pick<ReportOptions, 'textOf' | 'goalsOf' | 'contexts' | 'watched'>,
): string {
  const reached = reachedIn(contexts)
  const coverage = coverageOf(profile)
  const parts = [...profile.files, ...profile.unloaded]
    .map((file, i) => {
      const covered = coverage.files[i]
      return { file, covered, lines: pageLines(covered), text: textOf(file) }
    })
    .sort((one, other) => (one.file.name < other.file.name ? -1 : 1))
  const hottest = parts
    .flatMap(({ lines }, file) =>
      hottestOf(lines)
        .slice(0, mostHot)
        .map((line) => ({ file, ...line })),
    )
    .sort((one, other) => Number(other.count.value - one.count.value) || one.file - other.file || one.line - other.line)
    .slice(0, mostHot)
  const index: PageIndex = {
    runs: profile.runs,
    notes: profile.notes,
    contexts: reached.names,
    totals: coverage.totals,
    files: parts.map(({ covered, lines, text }) => pageEntry(covered, lines, text)),
    hottest: hottest.map(({ file, line, count }) => [file, line, shown(count)] as const),
    searches: worstSearches(parts, goalsOf),
  }
  const { program, looks } = assets()
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(program)}'`,
    `style-src '${hashOf(looks)}'`,
    ...(watched ? ['img-src file:'] : []),
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')
  const title = parts.length === 1 ? parts[0].file.name : `${parts.length} files`
  const watching = watched ? ` data-edition="${watched.edition}" data-picture="${escape(watched.picture)}"` : ''
  return [
    '<!doctype html>',
    `<html lang="en"${watching}>`,
    '<head>',
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escape(title)} – scamp</title>`,
    `<style>${looks}</style>`,
    '</head>',
    '<body>',
    '<noscript>This page needs JavaScript: its own, nothing is loaded from anywhere.</noscript>',
    block('index', index),
    ...parts.map(({ file, covered, lines, text }, i) => {
      const { name, language } = file
      const colours = text === undefined ? [] : coloursOf({ name, text, language })
      return block(`file-${i}`, pageBlock(file, covered, lines, text, colours, reached.lines.get(name) ?? []))
    }),
    `<script type="module">${program}</script>`,
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

/** What runs are called, and by files which lines those reached; nothing if they are called nothing. */
function reachedIn(contexts: Iterable<Context>): {
  readonly names: readonly string[]
  readonly lines: ReadonlyMap<string, ReachedLines[]>
} {
  const names: string[] = []
  const lines = new Map<string, ReachedLines[]>()
  for (const { context, profile } of contexts) {
    const number = names.push(context) - 1
    for (const file of coverageOf(profile).files) {
      const executed = hottestOf(pageLines(file)).map(({ line }) => line)
      if (executed.length === 0) continue
      const list = lines.get(file.name) ?? []
      lines.set(file.name, list)
      list.push({ context: number, lines: executed.sort((one, other) => one - other) })
    }
  }
  return names.some((name) => name !== '') ? { names, lines } : { names: [], lines: new Map() }
}

/** The page's program and its looks, which the build puts beside scamp. */
function assets(): { readonly program: string; readonly looks: string } {
  const read = (name: string) => readFileSync(new URL(`../../page/${name}`, import.meta.url), 'utf8')
  return { program: read('page.js'), looks: read('page.css') }
}

const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`

/** A block of JSON. No `<` is in it, so that nothing in it can end it, or begin anything. */
function block(id: string, data: unknown): string {
  const json = JSON.stringify(data)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029')
  return `<script type="application/json" id="${id}">${json}</script>`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
