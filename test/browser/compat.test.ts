/**
 * A real browser on another origin uploads to the compatibility routes, reads the answers and shows the
 * picture.
 */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { ADMIN_ENV } from '../support/dashboard.ts'
import { sharedService } from '../support/shared-service.ts'
import { makeTicket } from '../support/tickets.ts'
import { eventually } from '../support/wait.ts'
import { launchChromium, needsChromium } from './chromium.ts'

const hasBrowser = needsChromium()
const on = sharedService({ env: ADMIN_ENV })

let browser: Browser | undefined
let origin: Bun.Server<undefined> | undefined
let page: Page
/** Methods and paths that the browser requested from the service, preflights included. */
let asked: string[] = []

beforeAll(async () => {
  if (!hasBrowser) return
  browser = await launchChromium()
  // The other origin: a different port is enough for the browser.
  origin = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => new Response(Bun.file(join(import.meta.dir, 'page.html'))),
  })
  page = await browser.newPage()
  // The page's own events omit preflights; the DevTools protocol does not.
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Network.enable')
  protocol.on('Network.requestWillBeSent', ({ request }) => {
    const { port, pathname } = new URL(request.url)
    if (port === String(on.service.port)) asked.push(`${request.method} ${pathname}`)
  })
  await page.goto(`http://127.0.0.1:${origin.port}/`)
})

afterAll(async () => {
  await browser?.close()
  await origin?.stop(true)
})

/** Runs a function of page.html in the page. Passed as text, because its types are those of a browser. */
async function inPage<T>(name: string, ...args: unknown[]): Promise<T> {
  asked = []
  return (await page.evaluate(`${name}(${args.map(arg => JSON.stringify(arg)).join(', ')})`)) as T
}

interface Uploaded {
  status?: number
  type?: string
  answer?: Record<string, unknown>
  size?: number
  refused?: string
}

const upload = (colour: string, headers: Record<string, string>, path = '/api/image', method = 'POST') =>
  inPage<Uploaded>('uploadPicture', { url: `${on.service.url}${path}`, colour, headers, method })

describe('with Authorization', () => {
  test('a preflight goes first, then the upload, and the page reads the answer', async () => {
    const uploaded = await upload('rgb(200, 10, 20)', { Authorization: on.token })
    expect(uploaded).toMatchObject({ status: 200, type: 'cors' })
    expect(Object.keys(uploaded.answer!).sort()).toEqual(['id', 'path', 'url'])
    // Two parts of the browser report the requests, so their order says nothing.
    const both = () => asked.length === 2
    await eventually('preflight and upload are reported', both)
    expect(asked.toSorted()).toEqual(['OPTIONS /api/image', 'POST /api/image'])
  })

  test('the address works in fetch and in <img crossorigin>, down to the pixel', async () => {
    const { answer, size } = await upload('rgb(10, 200, 30)', { Authorization: `Bearer ${on.token}` })
    const url = String(answer!.url)
    expect(await inPage<unknown>('fetchPicture', url)).toEqual({ status: 200, type: 'image/png', size })
    const shown = await inPage<{ pixel: number[] }>('showPicture', url)
    expect(shown).toMatchObject({ width: 32, height: 16 })
    // Chromium accepts WebP, so this may be the variant, whose colours are close but not equal.
    for (const [channel, value] of [10, 200, 30, 255].entries()) {
      expect(Math.abs(shown.pixel[channel]! - value)).toBeLessThan(8)
    }
  })

  test('headers that the page adds of its own pass the preflight', async () => {
    const added = { 'X-Something-Else': '1', 'sentry-trace': 'x' }
    const uploaded = await upload('rgb(7, 8, 9)', { Authorization: on.token, ...added })
    expect(uploaded).toMatchObject({ status: 200, type: 'cors' })
  })

  test('a wrong key: the page reads 401 and the sentence, not a bare network error', async () => {
    const uploaded = await upload('red', { Authorization: 'media_wrong' })
    expect(uploaded).toMatchObject({ status: 401, answer: { error: expect.stringContaining('Token') } })
  })

  test.each([
    ['/api/v3/file', 200],
    ['/api/v2/image', 200],
    ['/api/video', 415],
    ['/api/v3/file/presigned-url', 404],
  ])('%s is readable too: %i', async (path, status) => {
    const uploaded = await upload('blue', { Authorization: on.token }, path)
    expect(uploaded.refused).toBeUndefined()
    expect(uploaded.status).toBe(status)
    if (status !== 200) expect(Object.keys(uploaded.answer!)).toEqual(['error'])
  })
})

describe('without Authorization', () => {
  test('no preflight; the page reads 401 and the sentence', async () => {
    const uploaded = await upload('rgb(1, 2, 3)', {})
    expect(uploaded).toMatchObject({ status: 401, answer: { error: expect.stringContaining('Token') } })
    expect(asked).toEqual(['POST /api/image'])
  })

  test('the key as ?apiKey= spares the preflight', async () => {
    const uploaded = await upload('rgb(4, 5, 6)', {}, `/api/image?apiKey=${on.token}`)
    expect(uploaded.status).toBe(200)
    expect(asked).toEqual(['POST /api/image'])
  })
})

describe('with a ticket, without any key', () => {
  test('by POST of a form, without a preflight; a second use is 401 that the page can read', async () => {
    const path = new URL((await makeTicket(on.service, on.token, { arten: ['bilder'] })).url).pathname
    const { status, answer, size } = await upload('rgb(11, 12, 13)', {}, path)
    expect({ status, answer }).toMatchObject({ status: 200, answer: { size, mime: 'image/png' } })
    expect(asked).toEqual([`POST ${path}`])
    expect(await upload('rgb(11, 12, 14)', {}, path)).toMatchObject({
      status: 401,
      answer: { error: expect.stringContaining('Ticket') },
    })
  })

  test('by PUT of the bytes', async () => {
    const { url } = await makeTicket(on.service, on.token, { pfad: 'tickets/put.png' })
    const { status, answer, size } = await inPage<Uploaded>('putPicture', { url, colour: 'rgb(14, 15, 16)' })
    expect({ status, answer }).toMatchObject({ status: 200, answer: { size, path: 'tickets/put.png' } })
    expect(await inPage<unknown>('fetchPicture', String(answer!.url))).toMatchObject({ status: 200, size })
  })
})

describe('what stays closed', () => {
  test('another method than the route has', async () => {
    expect((await upload('green', {}, '/api/image', 'PUT')).refused).toContain('Failed to fetch')
  })

  test('the dashboard cannot be read from here, nor signed in to', async () => {
    const url = `${on.service.url}/api/dash/einrichtung`
    expect(await inPage<Uploaded>('readJson', url)).toEqual({ refused: 'TypeError: Failed to fetch' })
    const body = JSON.stringify({ benutzer: ADMIN_ENV.ADMIN_USER, passwort: ADMIN_ENV.ADMIN_PASSWORD })
    const login = {
      method: 'POST',
      credentials: 'include',
      headers: { 'Content-Type': 'application/json' },
      body,
    }
    const answer = await inPage<Uploaded>('readJson', `${on.service.url}/api/dash/login`, login)
    expect(answer).toEqual({ refused: 'TypeError: Failed to fetch' })
  })
})
