/** Fundus as an installed app: the browser reports no problem, and the app opens in the folder used last. */
import { expect, test } from 'bun:test'
import { store } from '../support/api.ts'
import { dashboardTest } from './dashboard.ts'

const on = dashboardTest()

test('the browser accepts the manifest; an installed Fundus opens its last folder', async () => {
  await store(on.service, on.token, 'items/essen/brot.txt', 'x')
  const page = await on.open('/start')
  await page.waitForURL('**/dateien')
  const session = await page.context().newCDPSession(page)
  const { errors, url } = await session.send('Page.getAppManifest')
  expect([errors, url]).toEqual([[], `${on.service.url}/fundus.webmanifest`])
  const { installabilityErrors } = await session.send('Page.getInstallabilityErrors')
  // A test's window is a private one, which cannot install anything.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])

  await page.goto(`${on.service.url}/dateien?ordner=items/essen`)
  await page.getByText('brot.txt').first().waitFor()
  await page.goto(`${on.service.url}/tokens`)
  await page.goto(`${on.service.url}/start`)
  await page.getByText('brot.txt').first().waitFor()
  expect(new URL(page.url()).searchParams.get('ordner')).toBe('items/essen')
})
