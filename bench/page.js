// The page of the whole Icon Program Library, every token monitored: how long it takes to write, how large it is, and how
// soon a browser shows it and answers keys. Counts are made up, up to a million, so that there is something to see.
//
//   node bench/page.js        the pages go to a temporary folder, whose name is printed
import { chromium } from 'playwright-core'
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepare } from '../dist/src/prepare.js'
import { tally } from '../dist/src/5-profile/profile.js'
import { goalsAmong } from '../dist/src/profiles.js'
import { page } from '../dist/src/6-report/page.js'

const library = '/usr/lib/icon-ipl'
const keys = ['n', 'n', 'h', 'h', 't', ']', 'G', 'p', 'o', 'd']
const browserArguments = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
]

const names = readdirSync(library).filter((name) => name.endsWith('.icn'))
const sources = names.map((name) => {
  const path = join(library, name)
  return { name: path, text: readFileSync(path, 'latin1'), language: 'icon' }
})
let seed = 1
const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647
/** Half never happened; of the others few happened often. */
const madeUp = () => (random() < 0.5 ? 0 : Math.floor(10 ** (6 * random())))

/** Other numbers in place of all counts. */
function withCounts(value) {
  if (Array.isArray(value)) return value.map(withCounts)
  if (value === null || typeof value !== 'object') return value
  if ('exact' in value) {
    const count = BigInt(madeUp())
    return { value: count, least: count, exact: true }
  }
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withCounts(one)]))
}

async function profileOf(source) {
  const destinations = [{ kind: 'kept' }]
  const options = { probing: 'basis', monitor: 'tokens', lpath: '', sandbox: false, isWhole: false, destinations }
  const [{ plan, hash }] = await prepare({ ...options, sources: [source] })
  const counters = Array.from({ length: plan.flow.counters }, () => 0n)
  const [{ sites, tokens }] = tally(plan, counters, [])
  const { name, language } = source
  return {
    name,
    language,
    hash,
    sites: withCounts(sites),
    tokens: withCounts(tokens),
    unmonitored: [],
    exclusions: [],
    complaints: [],
  }
}

const files = []
// two files of the library are no programs
for (const source of sources)
  files.push(
    ...(await profileOf(source).then(
      (file) => [file],
      () => [],
    )),
  )
const lines = sources.reduce((sum, { text }) => sum + text.split('\n').length - 1, 0)
const tokens = files.reduce((sum, file) => sum + file.tokens.length, 0)
process.stdout.write(`${files.length} files, ${lines} lines, ${tokens} tokens\n`)

const texts = new Map(sources.map(({ name, text }) => [name, text]))
const textOf = ({ name }) => texts.get(name)
const folder = mkdtempSync(join(tmpdir(), 'scamp-page-'))
const path = join(folder, 'library.html')
const begun = performance.now()
writeFileSync(path, page({ files, unloaded: [], runs: 1, notes: [] }, { textOf, goalsOf: goalsAmong(textOf, '') }))
const written = (performance.now() - begun) / 1000
process.stdout.write(`written in ${written.toFixed(2)} s, ${(statSync(path).size / 1e6).toFixed(1)} MB: ${path}\n`)

const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: browserArguments })
const opened = await browser.newPage({ viewport: { width: 1280, height: 800 } })
const start = performance.now()
await opened.goto(`file://${path}`)
await opened.waitForSelector('main')
process.stdout.write(`opened in ${((performance.now() - start) / 1000).toFixed(2)} s\n`)
for (const key of keys) {
  const took = await opened.evaluate(async (pressed) => {
    const before = performance.now()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }))
    document.body.getBoundingClientRect()
    await new Promise((resolve) => requestAnimationFrame(resolve))
    return performance.now() - before
  }, key)
  process.stdout.write(`${key}  ${took.toFixed(0)} ms\n`)
}
await browser.close()
