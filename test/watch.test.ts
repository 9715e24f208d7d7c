// scamp open and scamp watch: a page in the browser, which shows itself anew when a text changed.
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Browser } from 'playwright-core'
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openPage, startBrowser } from './browser.js'
import { runScamp, scamp } from './programs.js'

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

const program = (word: string) => `procedure main(args)\n   write("${word}", args[1])\nend\n`

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 20_000; !(await holds());) {
    if (Date.now() > end) throw new Error('it never came to be')
    await sleep(50)
  }
}

test('open makes the page, tells where it is, and starts the browser', async () => {
  writeFileSync(join(folder, 'a.icn'), program('hello'))
  writeFileSync(join(folder, 'browser'), '#!/bin/sh\necho "$1" >opened\n', { mode: 0o755 })
  runScamp(['run', '-f', 'json', '-o', '/dev/null', 'a.icn'], { cwd: folder })
  const { status, stdout, stderr } = runScamp(['open'], { cwd: folder, env: { BROWSER: join(folder, 'browser') } })
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '.scamp/page.html\n', stderr: '' })
  await until(() => existsSync(join(folder, 'opened')) && readFileSync(join(folder, 'opened'), 'utf8').endsWith('\n'))
  expect(readFileSync(join(folder, 'opened'), 'utf8')).toBe(`file://${join(folder, '.scamp/page.html')}\n`)
  const { page, offences } = await openPage(browser, join(folder, '.scamp/page.html'))
  expect(await page.locator('h1').innerText()).toBe('a.icn')
  expect(offences).toEqual([])
  const none = runScamp(['open'], { cwd: folder, env: { BROWSER: join(folder, 'no-browser') } })
  expect(none.status).toBe(1)
  expect(none.stderr).toMatch(
    /^scamp: \S+ cannot be started: open \.scamp\/page\.html yourself, or name a browser in BROWSER\n$/,
  )
})

test('watch runs again when a text changes, and the page in the browser follows', async () => {
  writeFileSync(join(folder, 'w.icn'), program('first'))
  const before = readdirSync(tmpdir()).filter((name) => name.startsWith('scamp-watch-'))
  const child = spawn(process.execPath, [scamp, 'watch', '--no-browser', '-o', 'w.html', 'w.icn', '--', '!'], {
    cwd: folder,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => void (said += String(chunk)))
  try {
    await until(() => said.includes('waiting for a change'))
    expect(said).toBe('first!\nscamp: w.html is made; waiting for a change\n')
    const { page, offences } = await openPage(browser, join(folder, 'w.html'), '#w.icn%3A2')
    expect(await page.locator('.line.current .code').innerText()).toContain('first')
    writeFileSync(join(folder, 'w.icn'), program('second'))
    await until(async () =>
      (
        await page
          .locator('.line.current .code')
          .innerText()
          .catch(() => '')
      ).includes('second'),
    )
    // it only asked for the picture that tells its edition
    expect(offences.filter((one) => !one.includes('/w.svg?'))).toEqual([])
    // what is wrong is told; the page stays
    writeFileSync(join(folder, 'w.icn'), 'procedure main(\n')
    await until(() => said.includes('nothing was counted; waiting for a change'))
    expect(said).toContain('w.icn:1:16: expected')
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGINT')
    expect(await ended).toBe(0)
  }
  const after = readdirSync(tmpdir()).filter((name) => name.startsWith('scamp-watch-'))
  expect(after.filter((name) => !before.includes(name))).toEqual([])
})

test('watch runs a command as well', async () => {
  writeFileSync(join(folder, 'c.icn'), program('by command'))
  const command = `"${process.execPath}" "${scamp}" run -f json -o /dev/null c.icn`
  const child = spawn(process.execPath, [scamp, 'watch', '--no-browser', '-o', 'c.html', '-c', command], {
    cwd: folder,
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => void (said += String(chunk)))
  try {
    await until(() => said.includes('c.html is made'))
    expect(readFileSync(join(folder, 'c.html'), 'utf8')).toContain('by command')
  } finally {
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    expect(await ended).toBe(0)
  }
  const { status, stderr } = runScamp(['watch'], { cwd: folder })
  expect(stderr).toBe('scamp: name the files of a program, or with --command what is to be done\n')
  expect(status).toBe(1)
})
