/**
 * What the pages' content policy blocks in a real browser: injected markup that loads a stored file as a
 * script.
 */

import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { leftToLong } from '../support/left-out.ts'
import { dashboardTest } from './dashboard.ts'

const on = dashboardTest()
/** The browser's messages about scripts that it refuses. */
const REFUSED = [/Content Security Policy/, /x\.js/, /favicon/]

beforeAll(async () => {
  await store(
    on.service,
    on.token,
    'x.js',
    "(window.ran ??= []).push(document.currentScript?.src ?? 'module')",
    { 'X-Mime': 'text/javascript' },
  )
})

/**
 * The page with this markup in it, as if the service had sent it: inserted before parsing, with the real
 * policy.
 */
async function openWith(address: string, markup: string): Promise<Page> {
  const page = await on.open('/api/openapi.json', { expected: REFUSED })
  const url = `${on.service.url}${address}`
  await page.route(url, async route => {
    const response = await route.fetch()
    const body = (await response.text()).replace('</body>', `${markup}</body>`)
    expect(body).toContain(markup)
    await route.fulfill({ response, body })
  })
  await page.goto(url, { waitUntil: 'networkidle' })
  return page
}
const ranScript = (page: Page) => page.evaluate('window.ran ?? null')

describe('a stored script that stands in a page does not run', () => {
  const MARKUP = [
    '<script src="/f/x.js"></script>',
    '<script type="module" src="/f/x.js?module"></script>',
    // With `strict-dynamic` a preloaded module would be trusted, whoever wrote the link.
    '<link rel="modulepreload" href="/f/x.js?preloaded"><script type="module" src="/f/x.js?preloaded"></script>',
    '<script type="module">import "/f/x.js?imported"</script>',
    '<script nonce="" src="/f/x.js?empty-nonce"></script>',
    '<script nonce="__nonce__" src="/f/x.js?placeholder"></script>',
    '<img src="/f/x.js?no-picture" onerror="(window.ran ??= []).push(0)">',
  ].join('\n')

  test('in the dashboard', async () => {
    const page = await openWith('/anmelden', MARKUP)
    await page.getByRole('heading', { level: 1 }).waitFor()
    expect(await ranScript(page)).toBeNull()
  })

  leftToLong('in the page about the API', async () => {
    expect(await ranScript(await openWith('/api/docs', MARKUP))).toBeNull()
  })

  leftToLong('in a shared folder', async () => {
    await store(on.service, on.token, 'shared/a.txt', 'a')
    const made = await dash(on.service, 'freigaben', { json: { ordner: 'shared' }, session: on.session })
    const { url } = (await made.json()) as { url: string }
    expect(await ranScript(await openWith(new URL(url).pathname, MARKUP))).toBeNull()
  })

  test('the twin: without a policy it runs, so it is the policy that stops it', async () => {
    const page = await on.open('/anmelden')
    const url = `${on.service.url}/without-policy`
    await page.route(url, route => route.fulfill({ contentType: 'text/html', body: MARKUP }))
    await page.goto(url, { waitUntil: 'networkidle' })
    expect(await ranScript(page)).toHaveLength(7)
  })
})

leftToLong(
  'the pages themselves work under it, each part they load later included, also out of the cache',
  async () => {
    const page = await on.open('/')
    for (const path of ['/dateien', '/einstellungen']) {
      await page.goto(`${on.service.url}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      // From the cache, after the service answered that nothing has changed.
      await page.reload()
      await page.getByRole('heading', { level: 1 }).waitFor()
    }
  },
)

test('every answer has a nonce of its own, and what was kept is confirmed with the nonce it was sent with', async () => {
  const ask = (headers: Record<string, string> = {}) =>
    fetch(`${on.service.url}/`, { headers: { Accept: 'text/html', ...headers } })
  const nonceOf = ({ headers }: Response) =>
    /script-src 'nonce-([\w-]{20,})';/.exec(headers.get('content-security-policy') ?? '')?.[1]
  const [one, other] = [await ask(), await ask()]
  expect(nonceOf(one)).toBeString()
  expect(nonceOf(other)).not.toBe(nonceOf(one))
  expect(await one.text()).toContain(`nonce="${nonceOf(one)}"`)
  const known = await ask({ 'If-None-Match': `"other", W/${one.headers.get('etag')}` })
  expect([known.status, nonceOf(known)]).toEqual([304, nonceOf(one)])
  // A request cannot choose the text of the policy.
  const [hash] = one.headers.get('etag')!.split('.')
  const forged = await ask({ 'If-None-Match': `${hash}.aaaaaaaaaaaaaaaaaaaaaaaaaa'; script-src *"` })
  expect([forged.status, forged.headers.get('content-security-policy')!.includes('*')]).toEqual([200, false])
})
