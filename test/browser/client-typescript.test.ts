/** clients/typescript in a real browser, on a page of another origin. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'
import { sharedService } from '../support/shared-service.ts'
import { bundledClient } from '../support/typescript-client.ts'
import { launchChromium, needsChromium } from './chromium.ts'

const hasBrowser = needsChromium()
const on = sharedService()

let browser: Browser | undefined
let origin: Bun.Server<undefined> | undefined
let page: Page

beforeAll(async () => {
  if (!hasBrowser) return
  browser = await launchChromium()
  const client = await bundledClient()
  origin = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: request =>
      new URL(request.url).pathname === '/fundus.js'
        ? new Response(client, { headers: { 'Content-Type': 'text/javascript' } })
        : new Response('<!doctype html><title>page</title>', { headers: { 'Content-Type': 'text/html' } }),
  })
  page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${origin.port}/`)
})

afterAll(async () => {
  await browser?.close()
  await origin?.stop(true)
})

/**
 * Runs a script that has `fundus` and `trouble`; passed as text, because its types are those of a browser.
 */
const inPage = (script: string, token = on.token) =>
  page.evaluate(`(async () => {
    const { createClient, FundusError } = await import('/fundus.js')
    const fundus = createClient({ url: ${JSON.stringify(on.service.url)}, token: ${JSON.stringify(token)}, firstPause: 10 })
    const trouble = error => error instanceof FundusError ? [error.status, error.code] : String(error.name)
    ${script}
  })()`)

test('uploads a file with progress, asks for it, deletes it', async () => {
  const result = await inPage(`
    const content = new File([new Uint8Array(3_000_000).fill(7)], 'x.bin')
    const seen = []
    const file = await fundus.upload(content, { path: 'page/x.bin', onProgress: (sent, total) => seen.push([sent, total]) })
    const { exists } = await fundus.exists('page/x.bin')
    const { deleted } = await fundus.remove('page/x.bin')
    return [file.size, exists, deleted, seen.length > 0, seen.at(-1)]`)
  expect(result).toEqual([3_000_000, true, 'page/x.bin', true, [3_000_000, 3_000_000]])
})

test('a refusal is readable from another origin; an abort ends the call', async () => {
  expect(
    await inPage(`return fundus.upload('x', { path: 'page/a.txt' }).catch(trouble)`, 'media_wrong'),
  ).toEqual([401, 'token-missing'])
  expect(
    await inPage(`
      const abort = new AbortController()
      const upload = fundus.upload(new Blob([new Uint8Array(40_000_000)]), {
        path: 'page/cut.bin', onProgress: () => abort.abort(), signal: abort.signal })
      return [await upload.catch(trouble), (await fundus.exists('page/cut.bin')).exists]`),
  ).toEqual(['AbortError', false])
})
