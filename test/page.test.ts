// The page for people, in a real browser: what it shows, what its keys do, how quick it is, and that nothing in it runs
// but its own program.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Browser, Page } from 'playwright-core'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openPage, startBrowser } from './browser.js'
import { root, runScamp } from './programs.js'

let browser: Browser
let folder: string

beforeAll(async () => {
  browser = await startBrowser()
  folder = mkdtempSync(join(tmpdir(), 'scamp-test-'))
})
afterAll(async () => {
  await browser?.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Runs a program and makes its page. `files`: their texts by name, or null for those that are there. */
function makePage(name: string, files: Readonly<Record<string, string | null>>, ...options: string[]): string {
  for (const [file, text] of Object.entries(files)) {
    if (text !== null) writeFileSync(join(folder, file), text, 'latin1')
  }
  const path = join(folder, name)
  const { status, stderr } = runScamp(['run', '-f', 'html', '-o', path, ...options, ...Object.keys(files)], {
    cwd: folder,
    env: { SCAMP_OUT: join(folder, `${name}.profile`) },
  })
  if (status !== 0) throw new Error(stderr)
  return path
}

const left = `procedure main()
   if 1 = 2 then write("a") # scamp: ignore: cannot happen
   if 1 = 1 then write("b") # scamp: ignore: cannot happen either
   if 2 = 1 then write("c") else write("d")
end
`

const current = (page: Page) => page.locator('.line.current').getAttribute('data-line')
const codeOf = (page: Page, line: number) => page.locator(`.line[data-line="${line}"] .code`)

const classify = join(root, 'samples/icon/classify.icn')
const ports = `procedure main()
   local text
   text := "abcabcab"
   every write(find("ab", text))
   if find("xyz", text) then write("never")
end

procedure idle()
   write("idle")
end
`

describe('a source', () => {
  test('has its text in colours, its counts at the ends of lines, and what never happened marked', async () => {
    const { page, offences } = await openPage(browser, makePage('classify.html', { [classify]: null }))
    const texts = readFileSync(classify, 'latin1').trimEnd().split('\n')
    expect(await page.locator('.line').count()).toBe(texts.length)
    expect(await codeOf(page, 10).innerText()).toBe(`${texts[9]}iftrue neverno else 9`)
    expect(await codeOf(page, 2).innerText()).toContain('calls 1')
    expect(await page.locator('.line[data-line="2"] .colour-K').allInnerTexts()).toEqual(['procedure'])
    expect(await page.locator('.line[data-line="9"] .colour-S').allInnerTexts()).toEqual(['"square"', '" is a square"'])
    expect(await page.locator('.line[data-line="1"] .colour-R').innerText()).toBe(texts[0])
    expect(await page.locator('.chip.never').allInnerTexts()).toEqual(['none never', 'true never'])
    expect(await page.locator('.line.some .line-number').allInnerTexts()).toEqual(['7', '10'])
    expect(await page.locator('.outline li').allTextContents()).toEqual(['◐main9/11', '●kind8/8'])
    expect(offences).toEqual([])
  })

  test('tells of a token how it was started, resumed, succeeded and failed', async () => {
    const path = makePage('ports.html', { 'ports.icn': ports }, '--monitor', 'tokens')
    const { page, offences } = await openPage(browser, path)
    await page.locator('.line[data-line="4"] .token', { hasText: 'find' }).hover()
    expect(await page.locator('.hover').innerText()).toMatch(
      /find\s+executed 4 times\s+started\s+1\s+resumed\s+3\s+succeeded\s+3\s+failed\s+1$/,
    )
    await page.locator('.line[data-line="5"] .token', { hasText: 'find' }).hover()
    expect(await page.locator('.hover').innerText()).toContain('It ran, but never succeeded.')
    await page.locator('.line[data-line="9"] .token', { hasText: 'write' }).hover()
    expect(await page.locator('.hover').innerText()).toMatch(/never executed\s+idle was never called\./)
    // counts under tokens are shown on demand, the first digit under the first letter
    expect(await page.locator('.counts').count()).toBe(0)
    await page.keyboard.press('t')
    const rows = await page.locator('.line[data-line="4"] .counts').allInnerTexts()
    expect(rows.map((row) => row.trimEnd())).toEqual(['   1     3     4    1     1'])
    expect(offences).toEqual([])
  })

  test('tells what comments leave out, and why, and what they had better not', async () => {
    const { page, offences } = await openPage(browser, makePage('left.html', { 'left.icn': left }))
    expect(await page.locator('.line.excluded .line-number').allInnerTexts()).toEqual(['2', '3'])
    await codeOf(page, 2).getByText('left out', { exact: true }).hover()
    expect(await page.locator('.hover').innerText()).toBe('left out of coverage: cannot happen')
    expect(await codeOf(page, 3).locator('.remark').innerText()).toContain('but it ran')
    expect(await codeOf(page, 4).innerText()).toContain('true neverfalse 1')
    expect(offences).toEqual([])
  })

  test('is shown as it was written, in UTF-8 or in bytes; tabs do not shift its tokens', async () => {
    const text = 'procedure main()\n\tlocal x\n\tx := 1; write("naïve – ", x)\t; write(x)\nend\n'
    const tokensOf = async (name: string, bytes: string) => {
      const path = makePage(`${name}.html`, { [`${name}.icn`]: bytes }, '--monitor', 'tokens')
      const { page, offences } = await openPage(browser, path)
      expect(offences).toEqual([])
      return page.locator('.line[data-line="3"] .token').allInnerTexts()
    }
    const tokens = ['x', ':=', '1', 'write', '"naïve – "', 'x', 'write', 'x']
    expect(await tokensOf('utf8', Buffer.from(text, 'utf8').toString('latin1'))).toEqual(tokens)
    const bytes = text.replace('–', '-')
    expect(await tokensOf('latin1', bytes)).toEqual(tokens.map((token) => token.replace('–', '-')))
  })

  test('has the generators that searched in vain, the worst first, each with its place', async () => {
    const text = `procedure main()
   every write(find("ab", "xxabxab"))
   if (1 to 5) > (3 | 4) then write("found")
   write(!"<b>" == "b")
end
`
    const path = makePage(
      'vain.html',
      { 'vain.icn': text, 'other.icn': left.replace('main', 'left') },
      '--monitor',
      'tokens',
    )
    const { page, offences } = await openPage(browser, path)
    const rows = await page.locator('.searches tbody tr').allInnerTexts()
    expect(rows.map((row) => row.split(/\s*\t\s*/).slice(0, 5))).toEqual([
      ['3', '1', '4', 'to', 'vain.icn:3'],
      ['1', '2', '2', 'find', 'vain.icn:2'],
      ['1', '1', '2', '!', 'vain.icn:4'],
    ])
    await page.locator('.searches .open').first().click()
    expect(await current(page)).toBe('3')
    await page.keyboard.press('o')
    await page.keyboard.press('b')
    await page.keyboard.press('b')
    expect(await current(page)).toBe('2')
    await page.keyboard.press('B')
    expect(await current(page)).toBe('3')
    expect(offences).toEqual([])
  })

  test('is there without its text', async () => {
    const path = makePage('gone.html', { 'gone.icn': 'procedure main()\n   write(1)\nend\n' })
    writeFileSync(join(folder, 'gone.icn'), 'procedure main()\nend\n')
    runScamp(['report', '-f', 'html', '-o', path, join(folder, 'gone.html.profile')], { cwd: folder })
    const { page, offences } = await openPage(browser, path)
    expect(await page.locator('.notes').innerText()).toContain('has changed since it was profiled')
    expect(offences).toEqual([])
  })
})

describe('keys', () => {
  const files = { 'one.icn': ports, 'two.icn': 'procedure two()\n   if 1 = 2 then two()\nend\n' }

  test('walk through what never happened, through the hottest lines and through files', async () => {
    const { page, offences } = await openPage(browser, makePage('keys.html', files))
    const at = async () => decodeURIComponent(new URL(page.url()).hash)
    const press = async (key: string) => {
      await page.keyboard.press(key)
      return at()
    }
    expect(await page.locator('.overview').count()).toBe(1)
    const walk = []
    for (let i = 0; i < 4; i++) walk.push(await press('n'))
    // of lines in a row that were never executed, the first
    expect(walk).toEqual(['#one.icn:5', '#one.icn:8', '#two.icn:1', '#one.icn:5'])
    expect(await press('p')).toBe('#two.icn:1')
    expect(await press('h')).toBe('#one.icn:4')
    expect(await press('j')).toBe('#one.icn:5')
    expect(await press('G')).toBe('#one.icn:10')
    expect(await current(page)).toBe('10')
    expect(await press(']')).toBe('#two.icn:1')
    expect(await press('[')).toBe('#one.icn:1')
    expect(await press('o')).toBe('')
    expect(await page.locator('.overview').count()).toBe(1)
    await page.keyboard.press('?')
    expect(await page.locator('.help').isVisible()).toBe(true)
    expect(offences).toEqual([])
  })

  test('d goes from light to dark and back', async () => {
    const { page } = await openPage(browser, makePage('keys.html', files))
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await paper()
    await page.keyboard.press('d')
    expect(await paper()).not.toBe(light)
    await page.keyboard.press('d')
    expect(await paper()).toBe(light)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches)).toBe(true)
  })

  test('/ searches names and texts', async () => {
    const { page, offences } = await openPage(browser, makePage('keys.html', files))
    await page.keyboard.press('/')
    await page.keyboard.type('idle')
    await page.waitForFunction(() => document.querySelectorAll('.results li').length === 3)
    expect(await page.locator('.results li').allInnerTexts()).toEqual([
      'idle\nprocedure, one.icn:8',
      'procedure idle()\none.icn:8',
      'write("idle")\none.icn:9',
    ])
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await current(page)).toBe('9')
    expect(offences).toEqual([])
  })

  test('an address leads to its line', async () => {
    const { page } = await openPage(browser, makePage('keys.html', files), '#one.icn%3A9')
    expect(await current(page)).toBe('9')
  })
})

test('which runs reached a line is told, and one run can be looked at alone', async () => {
  const text = 'procedure main(args)\n   if *args > 0 then\n      write("some")\n   else\n      write("none")\nend\n'
  writeFileSync(join(folder, 'args.icn'), text)
  const env = { SCAMP_OUT: join(folder, 'contexts') }
  for (const [context, ...args] of [['<b>one', 'x'], ['two']]) {
    const options = ['--context', context, '--monitor', 'tokens', 'args.icn', '--', ...args]
    runScamp(['run', ...options], { cwd: folder, env })
  }
  runScamp(['report', '-f', 'html', '-o', 'contexts.html', 'contexts'], { cwd: folder })
  const { page, offences } = await openPage(browser, join(folder, 'contexts.html'))
  const reachedBy = async (line: number) => {
    await page.locator(`.line[data-line="${line}"] .gutter`).hover()
    return page.locator('.hover li').allInnerTexts()
  }
  expect(await reachedBy(2)).toEqual(['<b>one', 'two'])
  expect(await reachedBy(3)).toEqual(['<b>one'])
  expect(await reachedBy(5)).toEqual(['two'])
  await page.locator('select').selectOption({ label: '<b>one' })
  const dimmed = await page.locator('.line.unreached .line-number').allInnerTexts()
  expect(dimmed).toContain('5')
  expect(dimmed).not.toContain('3')
  expect(offences).toEqual([])
})

test('the overview can be sorted and filtered, and opens files', async () => {
  const names = Array.from({ length: 12 }, (_, i) => `part${i}`)
  const texts = names.map((name, i) => [`${name}.icn`, `procedure ${name}()\n${'   if 1 = 2 then 3\n'.repeat(i)}end\n`])
  const files = { 'main.icn': 'procedure main()\nend\n', ...(Object.fromEntries(texts) as Record<string, string>) }
  const { page, offences } = await openPage(browser, makePage('overview.html', files))
  const firsts = async () => (await page.locator('.files tbody tr:not([hidden]) .open').allInnerTexts()).slice(0, 2)
  expect(await firsts()).toEqual(['main.icn', 'part0.icn'])
  await page.getByRole('button', { name: 'Missing' }).click()
  expect(await firsts()).toEqual(['part11.icn', 'part10.icn'])
  await page.getByRole('button', { name: 'Missing' }).click()
  expect(await firsts()).toEqual(['main.icn', 'part0.icn'])
  await page.getByPlaceholder('filter by name').fill('PART1')
  expect(await firsts()).toEqual(['part1.icn', 'part10.icn'])
  expect(await page.locator('.tile').count()).toBe(13)
  await page.getByRole('button', { name: 'part10.icn' }).click()
  expect(await page.locator('.source h1').innerText()).toBe('part10.icn')
  expect(offences).toEqual([])
})

describe('nothing runs but the page itself', () => {
  const hostile = `procedure main()
   # </script><script>window.hacked = 1; alert(1)</script>
   # <!-- <script> ]]> &lt;img src=x onerror=alert(2)> \u2028 \xe2\x80\xa8
   write("<img src=x onerror='window.hacked = 2; alert(3)'>")
   if &fail then write('</style><style>*{display:none}</style>')
   write("\${window.hacked = 3} {{constructor.constructor('alert(4)')()}} javascript:alert(5)")
end
`.replace('\u2028', '')
  const name = `<img src=x onerror=alert(6)>'"&.icn`

  test('whatever stands in texts and names', async () => {
    const path = makePage(
      'hostile.html',
      { [name]: hostile, 'two.icn': 'procedure two()\nend\n' },
      '--monitor',
      'tokens',
    )
    const { page, offences } = await openPage(browser, path)
    expect(await page.title()).toBe('2 files – scamp')
    await page.getByRole('button', { name }).click()
    for (const key of ['n', 'h', 't', 'G']) await page.keyboard.press(key)
    await page.locator('.line[data-line="4"] .token').last().hover()
    await page.keyboard.press('/')
    await page.keyboard.type('script')
    await page.waitForTimeout(100)
    expect(await page.locator('.source h1').innerText()).toBe(name)
    const texts = Buffer.from(hostile, 'latin1').toString('utf8').split('\n')
    for (const line of [2, 3]) expect(await codeOf(page, line).innerText()).toBe(texts[line - 1])
    expect(await page.locator('.code img, .results img, h1 img').count()).toBe(0)
    expect(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked)).toBeUndefined()
    expect(offences).toEqual([])
  })

  test('a script or a style that is put in is refused by the policy', async () => {
    const { page, offences } = await openPage(browser, makePage('classify.html', { [classify]: null }))
    const refused: (string | undefined)[] = []
    page.on('requestfailed', (request) => refused.push(request.failure()?.errorText))
    await page.evaluate(() => {
      const script = document.createElement('script')
      script.textContent = 'window.hacked = 1'
      const image = document.createElement('img')
      image.src = 'https://example.org/x.png'
      image.setAttribute('onerror', 'window.hacked = 2')
      document.body.append(script, image)
    })
    await page.waitForTimeout(100)
    expect(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked)).toBeUndefined()
    expect(offences.filter((one) => one.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(2)
    expect(refused).toEqual(['csp'])
  })
})

test('the same profile makes the same page, in a folder too', () => {
  const path = makePage('same.html', { [classify]: null })
  const pages = `${join(folder, 'pages')}/`
  runScamp(['report', '-f', 'html', '-o', pages, join(folder, 'same.html.profile')], { cwd: folder })
  expect(readFileSync(join(pages, 'index.html'), 'utf8')).toBe(readFileSync(path, 'utf8'))
  const again = join(folder, 'again.html')
  const { status } = runScamp(['report', '-f', 'html', '-o', again, join(folder, 'same.html.profile')], { cwd: folder })
  expect(status).toBe(0)
  expect(readFileSync(again, 'utf8')).toBe(readFileSync(path, 'utf8'))
})

describe('a file of 10,000 lines', () => {
  const procedures = Array.from({ length: 2000 }, (_, i) => {
    return `procedure p${i}(x)\n\tlocal y\n\ty := x + ${i}\n\tif y > 1000 then return y\nend\n`
  })
  const text = `procedure main()\n   every p1500(1 to 50)\nend\n${procedures.join('')}`

  test('opens and answers keys in less than a second; only what is seen is drawn', async () => {
    const path = makePage('long.html', { 'long.icn': text }, '--monitor', 'tokens')
    const started = Date.now()
    const { page, offences } = await openPage(browser, path)
    const opened = Date.now() - started
    const times: Record<string, number> = {}
    for (const key of ['n', 'h', 't', 'G', 'p', 'g']) {
      times[key] = await page.evaluate(async (pressed) => {
        const start = performance.now()
        document.body.dispatchEvent(new KeyboardEvent('keydown', { key: pressed, bubbles: true, cancelable: true }))
        await new Promise((resolve) => requestAnimationFrame(resolve))
        document.body.getBoundingClientRect()
        return performance.now() - start
      }, key)
    }
    expect(await page.locator('.line').count()).toBeLessThan(500)
    expect(await current(page)).toBe('1')
    expect(opened).toBeLessThan(3000)
    for (const time of Object.values(times)) expect(time).toBeLessThan(1000)
    await page.keyboard.press('G')
    expect(await current(page)).toBe('10003')
    expect(await page.locator('.line[data-line="10003"]').isVisible()).toBe(true)
    expect(offences).toEqual([])
  })

  test('is printed whole', async () => {
    const { page } = await openPage(browser, join(folder, 'long.html'))
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')))
    expect(await page.locator('.line').count()).toBe(10003)
    await page.evaluate(() => dispatchEvent(new Event('afterprint')))
    expect(await page.locator('.line').count()).toBeLessThan(500)
  })
})
