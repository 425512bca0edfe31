/**
 * The dashboard in a real browser: one service and one browser per test file, a page for each test that is signed in
 * already. Whatever the browser complains about fails the test: errors on the console, exceptions, refused content.
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
import { PATIENCE_MS } from '../support/wait.ts'
import { launchChromium, needsChromium } from './chromium.ts'

const REPOSITORY = resolve(import.meta.dir, '../..')
const AXE = join(REPOSITORY, 'node_modules/axe-core/axe.min.js')

export const DESKTOP = { width: 1280, height: 800 }
export const PHONE = { width: 390, height: 844 }

export interface PageOptions {
  /** Without a session: as a visitor sees it. */
  signedOut?: boolean
  viewport?: { width: number; height: number }
  scheme?: 'light' | 'dark'
  language?: 'de' | 'en'
  context?: BrowserContextOptions
  /** Complaints of the browser that belong to the test, such as the line it writes for a 401. */
  expected?: readonly RegExp[]
}

export interface DashboardTest {
  readonly service: Service
  /** May write everywhere and delete. */
  readonly token: string
  /** What the session cookie of the pages carries. */
  readonly session: string
  /** A new page at this address; closed after the test. */
  open(address: string, options?: PageOptions): Promise<Page>
}

interface LentContext {
  context: BrowserContext
  /** The options that it was made with. */
  kind: string
  /** Stays open, so that the process that draws the pages of this context does too: the next page need not start it. */
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

/** `env` without an account: `{ env: {} }` starts a service that is not set up. */
export function dashboardTest(options: ServiceOptions = {}): DashboardTest {
  const hasBrowser = needsChromium()
  // First of all: a service reads the built files when it starts.
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
      // A context that a former test has left: emptied, but it need not fetch and compile the scripts again.
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
  ])
  if (!signedOut && session !== '')
    await context.addCookies([{ name: 'fundus_sitzung', value: session, url: service.url }])
  const note = (text: string) => {
    if (!expected.some(pattern => pattern.test(text))) options.complaints?.push(text)
  }
  // A refusal of the content policy is an error on the console too. `/status` says 503 when something is impaired.
  page.on('console', message => {
    const { url } = message.location()
    if (message.type() === 'error' && !url.endsWith('/status')) note(`${message.text()} ${url}`)
  })
  page.on('pageerror', error => note(String(error)))
  return page
}

/**
 * What the accessibility check finds serious or critical, as short lines; insists that there is none. It takes longer than
 * opening the page, so `npm test` does it on few pages and `npm run test:long` on all.
 */
export async function axe(page: Page, { always = false } = {}): Promise<void> {
  if (isOrdinaryRun && !always) return
  // Through the protocol: a script element would be refused by the page's own policy.
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

/** What a download holds. Its own `path()` is that of the browser, which need not be ours. */
export async function textOf(download: Download): Promise<string> {
  const file = join(tmpdir(), `fundus-download-${crypto.randomUUID()}`)
  await download.saveAs(file)
  const text = await Bun.file(file).text()
  await rm(file)
  return text
}

/** `npm test` has built it; somebody who runs one file may not have. */
export function buildWhenNeeded(): void {
  if (process.env[RUN_VARIABLE]) return
  const { exitCode } = Bun.spawnSync([process.execPath, 'dashboard/scripts/build.ts', '--if-needed'], {
    cwd: REPOSITORY,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (exitCode !== 0) throw new Error('The dashboard could not be built.')
}
