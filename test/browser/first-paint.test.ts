/** What a slow line shows first: the outline of the page, before any script or style has arrived. */
import { expect, test } from 'bun:test'
import { dashboardTest } from './dashboard.ts'

const on = dashboardTest()

/** A 3G line: 1.6 Mbit/s down, 768 kbit/s up, 300 ms for each answer. */
const LINE = { offline: false, latency: 300, downloadThroughput: 200_000, uploadThroughput: 96_000 }
const FIRST_PAINT = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"

test('on a 3G line the outline stands within a second, and makes room for the page', async () => {
  const page = await on.open('/health')
  const protocol = await page.context().newCDPSession(page)
  await protocol.send('Network.enable')
  await protocol.send('Network.setCacheDisabled', { cacheDisabled: true })
  await protocol.send('Network.emulateNetworkConditions', LINE)
  await page.goto(`${on.service.url}/freigaben`, { waitUntil: 'commit' })
  await page.locator('#shell').waitFor({ state: 'attached' })
  await page.getByRole('heading', { name: 'Freigaben', level: 1 }).waitFor()
  const painted = Number(await page.evaluate(FIRST_PAINT))
  expect(painted).toBeGreaterThan(0)
  expect(painted).toBeLessThan(1000)
  expect(await page.locator('#shell').count()).toBe(0)
})

test('pages without the frame have no outline of it; a visitor who is sent to them loses it', async () => {
  const html = async (path: string) =>
    (await fetch(`${on.service.url}${path}`, { headers: { Accept: 'text/html' } })).text()
  expect(await html('/dateien')).toContain('id="shell"')
  for (const path of ['/anmelden', '/einrichtung', '/einladung'])
    expect([path, (await html(path)).includes('id="shell"')]).toEqual([path, false])
  const page = await on.open('/dateien', { signedOut: true, expected: [/status of 401/] })
  await page.getByRole('heading', { name: 'Anmelden' }).waitFor()
  expect(await page.locator('#shell').count()).toBe(0)
})
