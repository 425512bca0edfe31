/** Uppy, a well-known uploader for pages, on a page of another origin: with a ticket, and with a token. */
import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'
import { bytesOf, read } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { sharedService } from '../support/shared-service.ts'
import { makeTicket } from '../support/tickets.ts'
import { openUppyPage } from '../support/uppy.ts'
import { launchChromium, needsChromium } from './chromium.ts'
import { desktop } from './drops.ts'

const hasBrowser = needsChromium()
const on = sharedService()
const CONTENT = randomBytes(34, 3_000_000)

let browser: Browser | undefined
beforeAll(async () => {
  if (hasBrowser) browser = await launchChromium()
})
afterAll(() => browser?.close())

const stored = async (path: string) => sha256(await bytesOf(await read(on.service, path)))

test('by tus, with a ticket and with a token', async () => {
  await using from = await desktop({ 'film.bin': CONTENT })
  await using page = await openUppyPage(browser!)
  const { url } = await makeTicket(on.service, on.token, { pfad: 'uppy/ticket.bin' })
  const file = from.path('film.bin')
  await page.upload({ file, endpoint: `${url}/tus`, headers: {}, path: 'ignored.bin' })
  const headers = { Authorization: `Bearer ${on.token}` }
  await page.upload({ file, endpoint: `${on.service.url}/api/tus`, headers, path: 'uppy/token.bin' })
  expect(await Promise.all(['uppy/ticket.bin', 'uppy/token.bin'].map(stored))).toEqual([
    sha256(CONTENT),
    sha256(CONTENT),
  ])
  const again = page.upload({ file, endpoint: `${url}/tus`, headers: {}, path: 'again.bin' })
  await expect(again).rejects.toThrow('Uppy gave up')
})
