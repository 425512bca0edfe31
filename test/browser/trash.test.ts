/**
 * The trash in a browser: restored to the old place, refused if that is taken, deleted for good only after
 * confirmation.
 */

import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { read, store } from '../support/api.ts'
import { leftToLong } from '../support/left-out.ts'
import { png } from '../support/pictures.ts'
import { throwAway, trashOf } from '../support/trash.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'

const on = dashboardTest()

const trashedPaths = async () => (await trashOf(on.service, on.session)).eintraege.map(({ path }) => path)
const row = (page: Page, path: string) => page.getByRole('listitem').filter({ hasText: path })
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

async function fill(...paths: string[]): Promise<void> {
  for (const path of paths) await store(on.service, on.token, path, await png())
  await throwAway(on.service, on.session, ...paths)
}

describe('restoring', () => {
  beforeAll(() => fill('back/a.png', 'back/b.png', 'back/taken.png', 'back/one.png'))

  leftToLong(
    'several at once; a taken place is refused beside its entry, and nothing is overwritten',
    async () => {
      await store(on.service, on.token, 'back/taken.png', 'the new one')
      const page = await on.open('/papierkorb')
      await page.getByText(/4 Dateien/).waitFor()
      await axe(page)
      await page.getByLabel('back/a.png auswählen').check()
      await page.getByLabel('back/taken.png auswählen').click({ modifiers: ['Shift'] })
      await page.getByText(/^3 ausgewählt/).waitFor()
      await button(page, 'Wiederherstellen').click()

      await page.getByText('2 Dateien wiederhergestellt.').waitFor()
      const alert = row(page, 'back/taken.png').getByRole('alert')
      expect(await alert.textContent()).toMatch(/„back\/taken\.png“ liegt schon eine Datei/)
      expect((await read(on.service, 'back/a.png')).status).toBe(200)
      expect((await read(on.service, 'back/b.png')).status).toBe(200)
      expect(await (await read(on.service, 'back/taken.png')).text()).toBe('the new one')
      expect(await trashedPaths()).toEqual(['back/one.png', 'back/taken.png'])
      await row(page, 'back/a.png').waitFor({ state: 'detached' })
    },
  )

  leftToLong('a single one by its own button', async () => {
    const page = await on.open('/papierkorb', { viewport: PHONE })
    await button(page, 'back/one.png wiederherstellen').click()
    await page.getByText('1 Datei wiederhergestellt.').waitFor()
    expect((await read(on.service, 'back/one.png')).status).toBe(200)
  })
})

describe('emptying', () => {
  beforeAll(() => fill('gone/a.png', 'gone/b.png', 'gone/c.png'))

  leftToLong('asks, and does nothing when one thinks better of it', async () => {
    const page = await on.open('/papierkorb', { scheme: 'dark' })
    await page.getByLabel('gone/a.png auswählen').check()
    await button(page, 'Endgültig löschen').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/nicht mehr zurückzuholen/).waitFor()
    await axe(page)
    await dialog.getByRole('button', { name: 'Abbrechen' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await trashedPaths()).toContain('gone/a.png')

    await button(page, 'Endgültig löschen').click()
    await dialog.getByRole('button', { name: 'Endgültig löschen' }).click()
    await row(page, 'gone/a.png').waitFor({ state: 'detached' })
    expect(await trashedPaths()).not.toContain('gone/a.png')
    expect(await trashedPaths()).toContain('gone/b.png')
  })

  test('the whole of it says how much that is, and leaves an empty page that leads on', async () => {
    const page = await on.open('/papierkorb')
    await button(page, 'Papierkorb leeren').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`${(await trashedPaths()).length} Dateien mit`).waitFor()
    await dialog.getByRole('button', { name: 'Papierkorb leeren' }).click()
    await page.getByRole('heading', { name: 'Der Papierkorb ist leer' }).waitFor()
    expect(await trashedPaths()).toEqual([])
    await page.getByRole('link', { name: 'Zu den Dateien' }).waitFor()
  })
})

leftToLong('pages: the last one that empties itself leads to the one before', async () => {
  const paths = Array.from({ length: 31 }, (_, at) => `many/${String(at).padStart(2, '0')}.txt`)
  for (const path of paths) await store(on.service, on.token, path, 'x')
  await throwAway(on.service, on.session, ...paths)
  const page = await on.open('/papierkorb?anzahl=30&seite=2')
  await page.getByText('31 von 31').first().waitFor()
  await page.getByLabel('Seite auswählen').check()
  await button(page, 'Wiederherstellen').click()
  await page.getByText('1–30 von 30').first().waitFor()
  expect(page.url()).not.toContain('seite=2')
})

leftToLong('a page after the last one counts as not selected until the last one has loaded', async () => {
  await fill('page/a.png')
  const page = await on.open('/anmelden')
  const lastPage = Promise.withResolvers<void>()
  await page.route(/api\/dash\/papierkorb\?seite=1\b/, async route => {
    await lastPage.promise
    await route.continue()
  })
  await page.goto(`${on.service.url}/papierkorb?seite=2`)
  const selectPage = page.getByLabel('Seite auswählen')
  await selectPage.waitFor()
  expect(await selectPage.isChecked()).toBe(false)
  lastPage.resolve()
  await row(page, 'page/a.png').waitFor()
})
