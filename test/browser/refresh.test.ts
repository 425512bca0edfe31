/** The page follows changes of the library, however fast they come and however slowly the service answers. */
import { expect, test } from 'bun:test'
import { store } from '../support/api.ts'
import { eventually } from '../support/wait.ts'
import { dashboardTest } from './dashboard.ts'

const on = dashboardTest()

test('changes faster than answers: answers still arrive, and the new files are shown', async () => {
  await store(on.service, on.token, 'eilig/alt.txt', 'alt')
  const page = await on.open('/dateien?ordner=eilig')
  await page.getByText('alt.txt').first().waitFor()

  // Each answer shows the library at the time of its request, and arrives only after three more changes.
  let changes = 0
  await page.route('**/api/dash/media?**', async route => {
    const asked = changes
    const response = await route.fetch()
    await eventually('the library has changed meanwhile', () => changes >= asked + 3)
    // A request that the page has aborted can no longer be answered.
    await route.fulfill({ response }).catch(() => {})
  })
  const shown = page.getByText('neu-0.txt').first()
  for (; changes < 60 && !(await shown.isVisible()); changes++) {
    const event = page.waitForRequest('**/api/dash/folders**')
    await store(on.service, on.token, `eilig/neu-${changes}.txt`, 'neu')
    await event
  }
  expect(await shown.isVisible()).toBe(true)
  changes += 3
  await page.unroute('**/api/dash/media?**')
})
