/**
 * The dashboard in a real browser: one service and one browser per test file, and a signed-in page for each
 * test. Anything that the browser reports fails the test: console errors, exceptions, refused content.
 */

import { afterAll, afterEach, beforeAll, expect } from 'bun:test'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, BrowserContext, BrowserContextOptions, Download, Page } from 'playwright-core'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
import type { Service, ServiceOptions } from '../support/service.ts'
import { RUN_VARIABLE } from '../support/shared-parts.ts'
import { sharedService } from '../support/shared-service.ts'
import { eventually, PATIENCE_MS } from '../support/wait.ts'
import { launchChromium, needsChromium } from './chromium.ts'

const REPOSITORY = resolve(import.meta.dir, '../..')
const AXE = join(REPOSITORY, 'node_modules/axe-core/axe.min.js')

export const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }

export interface PageOptions {
  /** Without a session, as a visitor. */
  signedOut?: boolean
  viewport?: { width: number; height: number }
  scheme?: 'light' | 'dark'
  language?: 'de' | 'en'
  context?: BrowserContextOptions
  /** Messages of the browser that the test expects, such as the console line for a 401. */
  expected?: readonly RegExp[]
}

export interface DashboardTest {
  readonly service: Service
  /** A token that may write everywhere and delete. */
  readonly token: string
  /** The session cookie of the pages. */
  readonly session: string
  /** Opens a new page at this address; it is closed after the test. */
  open(address: string, options?: PageOptions): Promise<Page>
}

interface LentContext {
  context: BrowserContext
  /** The context options, as a key. */
  kind: string
  /** Stays open, because it keeps the renderer process of this context alive for the next page. */
  keeper: Page
}

async function lendContext(browser: Browser, service: Service, options: BrowserContextOptions = {}) {
  const context = await newContext(browser, options)
  const keeper = await context.newPage()
  await keeper.goto(`${service.url}/health`)
  return { context, kind: JSON.stringify(options), keeper }
}

const closePages = ({ context, keeper }: LentContext) =>
  Promise.all(context.pages().map(page => page !== keeper && page.close()))

/** `env` without an account, as in `{ env: {} }`, starts a service that is not set up. */
export function dashboardTest(options: ServiceOptions = {}): DashboardTest {
  const hasBrowser = needsChromium()
  // Before everything else, because a service reads the built files at startup.
  beforeAll(buildWhenNeeded, PATIENCE_MS)
  const shared = sharedService({ env: ADMIN_ENV, ...options })
  const opened: { lent: LentContext; complaints: string[] }[] = []
  const free: LentContext[] = []
  let browser: Browser | undefined
  let session = ''

  beforeAll(async () => {
    if (hasBrowser) browser = await launchChromium()
    if ((options.env ?? ADMIN_ENV) === ADMIN_ENV) session = await signIn(shared.service)
  })
  afterEach(async () => {
    const ended = opened.splice(0)
    await Promise.all(ended.map(({ lent }) => closePages(lent)))
    free.push(...ended.map(({ lent }) => lent))
    expect(ended.flatMap(({ complaints }) => complaints)).toEqual([])
  })
  afterAll(() => browser?.close())

  return {
    get service() {
      return shared.service
    },
    get token() {
      return shared.token
    },
    get session() {
      return session
    },
    async open(address, pageOptions = {}) {
      // A context of an earlier test: its storage is cleared, but it has the scripts cached and compiled.
      const kind = JSON.stringify(pageOptions.context ?? {})
      const at = free.findIndex(each => each.kind === kind)
      const lent =
        free.splice(at, at < 0 ? 0 : 1)[0] ??
        (await lendContext(browser!, shared.service, pageOptions.context))
      const complaints: string[] = []
      opened.push({ lent, complaints })
      const page = await openPageIn(lent.context, shared.service, session, { ...pageOptions, complaints })
      await page.goto(`${shared.service.url}${address}`)
      return page
    },
  }
}

/** A page in a context of its own. */
export async function openPage(browser: Browser, service: Service, session: string, options: PageOptions) {
  return openPageIn(await newContext(browser, options.context), service, session, options)
}

async function newContext(browser: Browser, options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await browser.newContext({
    viewport: DESKTOP,
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    reducedMotion: 'reduce',
    ...options,
  })
  context.setDefaultTimeout(PATIENCE_MS)
  return context
}

/** The clipboard is one for all pages of the browser, so each page notes what it has written there itself. */
const NOTE_COPIED = `if (navigator.clipboard) {
  const write = navigator.clipboard.writeText.bind(navigator.clipboard)
  navigator.clipboard.writeText = text => write(text).then(() => { globalThis.copiedText = text })
}`

/** The text that this page has last written to the clipboard; waits until it has written any. */
export async function clipboard(page: Page): Promise<string> {
  return eventually('something is copied', () => page.evaluate<string | undefined>('globalThis.copiedText'))
}

async function openPageIn(
  context: BrowserContext,
  service: Service,
  session: string,
  options: PageOptions & { complaints?: string[] },
): Promise<Page> {
  const { signedOut = false, viewport = DESKTOP, scheme = 'light', language = 'de', expected = [] } = options
  const page = await context.newPage()
  const protocol = await context.newCDPSession(page)
  await Promise.all([
    context.clearCookies(),
    protocol.send('Storage.clearDataForOrigin', { origin: service.url, storageTypes: 'all' }),
    page.setViewportSize(viewport),
    page.emulateMedia({ colorScheme: scheme }),
    page.addInitScript(`localStorage.setItem('fundus-sprache', '${language}')`),
    page.addInitScript(NOTE_COPIED),
  ])
  if (!signedOut && session !== '')
    await context.addCookies([{ name: 'fundus_sitzung', value: session, url: service.url }])
  const note = (text: string) => {
    if (!expected.some(pattern => pattern.test(text))) options.complaints?.push(text)
  }
  // A violation of the content policy is a console error too. `/status` answers 503 if something is impaired.
  page.on('console', message => {
    const { url } = message.location()
    if (message.type() === 'error' && !url.endsWith('/status')) note(`${message.text()} ${url}`)
  })
  page.on('pageerror', error => note(String(error)))
  return page
}

/**
 * Checks that the accessibility check reports nothing serious or critical; findings are short lines. It takes
 * longer than opening the page, so `npm test` runs it on few pages and `npm run test:long` on all.
 */
export async function axe(page: Page, { always = false } = {}): Promise<void> {
  if (isOrdinaryRun && !always) return
  // Through the DevTools protocol: the page's own policy would refuse a script element.
  await page.evaluate(await Bun.file(AXE).text())
  const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as {
    violations: { id: string; impact: string; nodes: { target: string[]; failureSummary?: string }[] }[]
  }
  const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact))
  const lines = serious.flatMap(({ id, nodes }) =>
    nodes.map(node => `${id}: ${node.target.join(' ')}: ${node.failureSummary?.replaceAll('\n', ' ')}`),
  )
  expect(lines).toEqual([])
}

/** The content of a download. Its own `path()` belongs to the browser's machine, which may be another. */
export async function textOf(download: Download): Promise<string> {
  const file = join(tmpdir(), `fundus-download-${crypto.randomUUID()}`)
  await download.saveAs(file)
  const text = await Bun.file(file).text()
  await rm(file)
  return text
}

/** `npm test` has built the dashboard; a file that is run alone may not have. */
export function buildWhenNeeded(): void {
  if (process.env[RUN_VARIABLE]) return
  const { exitCode } = Bun.spawnSync([process.execPath, 'dashboard/scripts/build.ts', '--if-needed'], {
    cwd: REPOSITORY,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (exitCode !== 0) throw new Error('The dashboard could not be built.')
}
