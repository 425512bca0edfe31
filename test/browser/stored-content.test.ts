/**
 * Stored files that would run as a page or as a script, opened in every possible way by an operator who is
 * signed in: none runs in the origin of the service or reaches its API. The twin of every case opens the same
 * file in the same way from the same service behind a proxy that removes the protecting headers: there it
 * runs.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { read, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { share } from '../support/shares.ts'
import { eventually } from '../support/wait.ts'
import { dashboardTest } from './dashboard.ts'
import { FOLDER, type Report, type Upload, unprotected, uploads, VICTIM } from './stored-content.ts'

const on = dashboardTest()
const files = await uploads()
const PAGES = files.filter(({ page }) => page)
const SCRIPTS = files.filter(({ script }) => script)
let proxy: ReturnType<typeof unprotected>
let stranger: Bun.Server<unknown>
/** The HTML of the attacker's site. */
let strangersPage = ''

beforeAll(async () => {
  for (const { name, body, headers } of files)
    await store(on.service, on.token, `${FOLDER}/${name}`, body, headers)
  proxy = unprotected(on.service.url)
  stranger = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(strangersPage, { headers: { 'Content-Type': 'text/html' } }),
  })
})
afterAll(() => Promise.all([proxy.stop(true), stranger.stop(true)]))

const PAGE_ELEMENTS: Record<string, (address: string, type?: string) => string> = {
  iframe: address => `<iframe src="${address}"></iframe>`,
  object: (address, type) => `<object data="${address}" type="${type}"></object>`,
  embed: (address, type) => `<embed src="${address}" type="${type}">`,
  // From its dashboard address, with the session.
  dashboard: address => `<iframe src="${address.replace('/f/', '/api/dash/inhalt/')}"></iframe>`,
}
const SCRIPT_ELEMENTS: typeof PAGE_ELEMENTS = {
  script: address => `<script src="${address}"></script>`,
  module: address => `<script type="module" src="${address}"></script>`,
}
/** No browser runs these today; if one did, the file would report itself. */
const OTHER_ELEMENTS: typeof PAGE_ELEMENTS = {
  image: address => `<img src="${address}">`,
  stylesheet: address => `<link rel="stylesheet" href="${address}">`,
  import: address => `<link rel="import" href="${address}">`,
  manifest: address => `<link rel="manifest" href="${address}">`,
  preload: address => `<link rel="modulepreload" href="${address}">`,
}
const WORKERS: Record<string, string> = {
  worker: 'new Worker(address)',
  sharedworker: 'new SharedWorker(address)',
  serviceworker: 'navigator.serviceWorker.register(address, { scope: new URL(address).pathname })',
}

/** A number per test, so that a service worker of an earlier test is not mistaken for this test's. */
let run = 0
/** Only the proxy interprets `as`. */
const addressOf = (from: string, { name }: Upload, way: string, as = '') =>
  `${from}/f/${FOLDER}/${name}?${new URLSearchParams({ way, as, run: String(run) })}`

const markup = (from: string) =>
  files
    .flatMap(file => [
      ...Object.entries(PAGE_ELEMENTS).map(([way, element]) =>
        element(addressOf(from, file, way, file.page), file.page),
      ),
      ...Object.entries({ ...SCRIPT_ELEMENTS, ...OTHER_ELEMENTS }).map(([way, element]) =>
        element(addressOf(from, file, way, file.script ? 'text/javascript' : file.page)),
      ),
    ])
    .map(each => each.replaceAll('&', '&amp;'))
    .join('\n')

/** Resolves when each worker was refused, or has reported. */
const startWorkers = (page: Page, from: string) => {
  const calls = SCRIPTS.flatMap(file =>
    Object.entries(WORKERS).map(([way, call]) => {
      const address = JSON.stringify(addressOf(from, file, way, 'text/javascript'))
      return `(async address => {
        const reported = new Promise(done => new BroadcastChannel('witness').addEventListener('message',
          ({ data }) => JSON.parse(data).at === address && done()))
        const worker = await ${call}
        await Promise.race([reported, new Promise(done => worker.addEventListener('error', done))])
      })(${address}).catch(() => {})`
    }),
  )
  return page.evaluate(`Promise.all([${calls.join()}]).then(() => {})`)
}

/** A page that records who ran. The browser writes refusals to its console. */
async function openWitness(): Promise<{ page: Page; reports: Report[] }> {
  const page = await on.open('/health', { expected: [/./], context: { acceptDownloads: false } })
  const reports: Report[] = []
  await page.exposeBinding('witness', (_, text: string) => void reports.push(JSON.parse(text) as Report))
  await page.addInitScript(
    'if (self === top) new BroadcastChannel("witness").onmessage = ({ data }) => witness(data)',
  )
  return { page, reports }
}

/** Opens all files of a site in one way, and resolves when everything was requested. */
type Opening = (page: Page, from: string) => Promise<void>

const onStrangersSite: Opening = async (page, from) => {
  strangersPage = `<!doctype html>${markup(from)}`
  await page.goto(stranger.url.href)
  await startWorkers(page, from)
}

/**
 * In a page of the service, as if it had not escaped markup: inserted before parsing, with the real policy.
 */
const inPageOf =
  (path: () => string | Promise<string>): Opening =>
  async (page, from) => {
    const url = from + (await path())
    await page.route(url, async route => {
      const response = await route.fetch()
      const body = (await response.text()).replace('</body>', `${markup(from)}</body>`)
      expect(body).toContain('<iframe')
      await route.fulfill({ response, body })
    })
    await page.goto(url)
    await startWorkers(page, from)
  }

/** A download opens no page. Pages come last, because the one that stays open has time to call the API. */
const directly: Opening = async (page, from) => {
  for (const file of [...SCRIPTS, ...PAGES]) {
    const address = addressOf(from, file, 'direct', file.page)
    const elsewhere = (start: string) => address.replace('/f/', start)
    for (const each of [
      elsewhere('/t/').replace('?', '.webp?'),
      elsewhere('/api/dash/vorschau/').replace('?', '.webp?'),
      address,
      elsewhere('/api/dash/inhalt/').replace('direct', 'dashboard'),
    ])
      await page.goto(each).catch(() => null)
  }
}

/** One after the other; the framed one comes last, because it needs time. */
const inViewer: Opening = async (page, from) => {
  const show = (name: string) => page.goto(`${from}/dateien?ordner=${FOLDER}&gross=${FOLDER}/${name}`)
  const untilShown = (name: string) => page.getByRole('dialog', { name, exact: true }).waitFor()
  const listed = await dash(on.service, `media?ordner=${FOLDER}`, { session: on.session })
  const { dateien } = (await listed.json()) as { dateien: { path: string }[] }
  const names = dateien.map(({ path }) => path.slice(FOLDER.length + 1))
  expect(names).toHaveLength(files.length)
  await show(names[0]!)
  for (const name of names) {
    await untilShown(name)
    await page.keyboard.press('ArrowRight')
  }
  const content = page.waitForResponse(/\/inhalt\/content\/pdf\.html$/)
  await show('pdf.html')
  await untilShown('pdf.html')
  await content
}

interface Case {
  open: Opening
  /** The files that run without the protecting headers, with the way of opening them. */
  runs: readonly string[]
}
const each = (some: readonly Upload[], ways: readonly string[]) =>
  some.flatMap(({ name }) => ways.map(way => `${name} ${way}`))
// These two elements look for a plugin for a file named like a PDF, whatever its type.
const FRAMED = each(PAGES, Object.keys(PAGE_ELEMENTS)).filter(one => !/\.pdf (object|embed)$/.test(one))
const ANYTHING = [...FRAMED, ...each(SCRIPTS, Object.keys({ ...SCRIPT_ELEMENTS, ...WORKERS }))]
const sharePage = async () => new URL((await share(on.service, on.session, FOLDER)).url).pathname

const CASES: Record<string, Case> = {
  'on a page of somebody else': { open: onStrangersSite, runs: FRAMED },
  'in the dashboard': { open: inPageOf(() => '/dateien'), runs: ANYTHING },
  'in a shared folder': { open: inPageOf(sharePage), runs: ANYTHING },
  'in the page about the API': { open: inPageOf(() => '/api/docs'), runs: ANYTHING },
  'by its own address': { open: directly, runs: each(PAGES, ['direct', 'dashboard']) },
  // The viewer frames only files labelled as PDF.
  'in the viewer': { open: inViewer, runs: ['pdf.html null'] },
}

beforeEach(async () => {
  run++
  await store(on.service, on.token, VICTIM, 'kept')
})
const hasReadAccount = ({ account }: Report) => account.includes('benutzer')
const victimIsThere = async () => (await read(on.service, VICTIM)).ok

describe('no stored file runs in the origin of the service or reaches its API', () => {
  for (const [name, { open }] of Object.entries(CASES))
    test(name, async () => {
      const { page, reports } = await openWitness()
      await open(page, on.service.url)
      const isHarmful = (report: Report) => report.origin === on.service.url || hasReadAccount(report)
      expect(reports.filter(isHarmful)).toEqual([])
      expect(await victimIsThere()).toBe(true)
    })
})

describe('the twin: without the protecting headers every one of them does', () => {
  for (const [name, { open, runs }] of Object.entries(CASES))
    test(name, async () => {
      const { page, reports } = await openWitness()
      const from = proxy.url.origin
      await open(page, from)
      const missing = () => {
        const seen = reports
          .filter(({ origin }) => origin === from)
          .map(({ at }) => new URL(at))
          .map(({ pathname, searchParams }) => `${pathname.split('/').at(-1)} ${searchParams.get('way')}`)
        return runs.filter(each => !seen.includes(each))
      }
      await eventually('each to report', () => missing().length === 0, 60_000).catch(() => {})
      expect(missing()).toEqual([])
      await eventually('an answer of the API', () => reports.some(hasReadAccount))
      expect(await victimIsThere()).toBe(false)
    })
})
