// A real browser for tests of the page, without a window and cut off from everything but the files it is given.
import { chromium, type Browser, type Page } from 'playwright-core'
import { existsSync } from 'node:fs'

const executablePath = '/usr/bin/chromium'
const args = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Starts the browser; fails, loudly, if it is not there. */
export async function startBrowser(): Promise<Browser> {
  if (!existsSync(executablePath)) throw new Error('a browser is needed to judge: apt-get install chromium')
  return chromium.launch({ executablePath, args })
}

/** A page that was opened, and what happened in it that should not. */
export interface Opened {
  readonly page: Page
  /** Errors of its program, dialogs, breaches of its policy, and whatever it asked for but itself. */
  readonly offences: string[]
}

/** Opens a file. `address`: what stands after it, from the # on. */
export async function openPage(browser: Browser, path: string, address = ''): Promise<Opened> {
  const page = await browser.newPage({ viewport: { width: 1200, height: 800 } })
  const offences: string[] = []
  const url = `file://${path.split('/').map(encodeURIComponent).join('/')}`
  page.on('pageerror', ({ message }) => offences.push(message))
  page.on('console', (message) => offences.push(message.text()))
  page.on('dialog', (dialog) => {
    offences.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    if (request.url().replace(/#.*/, '') !== url) offences.push(`request ${request.url()}`)
  })
  await page.goto(url + address)
  await page.waitForSelector('main')
  return { page, offences }
}
