/**
 * Filters of the gallery in the browser: set together, shown as words, in the address, taken away; kept for
 * the account with pinned folders, also on another device.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { leftToLong } from '../support/left-out.ts'
import { png } from '../support/pictures.ts'
import { setRetrievals } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'
import { addressOf, fill, link, names } from './gallery-page.ts'

const on = dashboardTest()
const DAY = 24 * 60 * 60 * 1000

beforeAll(async () => {
  await store(on.service, on.token, 'items/quer.png', await png({ width: 90, height: 30 }))
  await store(on.service, on.token, 'items/neu/hoch.png', await png({ width: 30, height: 90 }))
  await fill(on.service, on.token, [
    'items/alt.txt',
    'items/gesehen.txt',
    'items/tief/alt.txt',
    'items/leer/neu.txt',
  ])
  await onDatabase(
    on.service.dataDir,
    `update media set updated_at = ${Date.now() - 500 * DAY} where path like '%alt.txt' or path like '%gesehen.txt'`,
  )
  await setRetrievals(on.service.dataDir, 'items/gesehen.txt', 3)
})

const openFilters = (page: Page) => page.getByRole('button', { name: 'Filter', exact: true }).click()
const active = (page: Page) => page.getByRole('region', { name: 'Gesetzte Filter' })
const texts = async (page: Page) =>
  (await active(page).getByRole('listitem').allInnerTexts()).map(text => text.trim())
const folders = (page: Page) => page.getByRole('list', { name: 'Ordner' }).getByRole('link')
const pinned = (page: Page) => page.getByRole('region', { name: 'Angeheftet' })

/** A list that is fetched shows no names for a moment. */
const untilListed = (page: Page, expected: string[]) =>
  eventually(`${expected} to be listed`, async () => Bun.deepEquals(await names(page), expected))

describe('filters', () => {
  test('what nobody looked at in a year: words above the list, folders with hits alone, a link; back takes it away', async () => {
    const page = await on.open('/dateien?ordner=items')
    await link(page, 'gesehen.txt').waitFor()
    expect(await folders(page).count()).toBe(3)
    await openFilters(page)
    await page.getByLabel('Abrufe').selectOption({ label: 'Seit einem Jahr nicht abgerufen' })
    await active(page).waitFor()
    expect(await texts(page)).toEqual(['Seit einem Jahr nicht abgerufen'])
    await link(page, 'gesehen.txt').waitFor({ state: 'hidden' })
    await untilListed(page, ['alt.txt'])
    expect(await folders(page).count()).toBe(1)
    await axe(page)
    expect(addressOf(page).searchParams.get('unabgerufen_tage')).toBe('365')

    const linked = await on.open(`${addressOf(page).pathname}${addressOf(page).search}`)
    await active(linked).waitFor()
    await untilListed(linked, ['alt.txt'])

    await page.keyboard.press('Escape')
    await page.goBack()
    await link(page, 'gesehen.txt').waitFor()
    expect(await active(page).count()).toBe(0)
  })

  leftToLong('several at once, each taken away by its own sign, all at once by one button', async () => {
    const page = await on.open('/dateien?ordner=items&unterordner=1')
    await link(page, 'hoch.png').waitFor()
    await openFilters(page)
    await page.getByText('Bilder', { exact: true }).click()
    await page.getByLabel('Format').selectOption({ label: 'Hochformat' })
    await page.getByLabel('Breite ab, Pixel').fill('20')
    await page.keyboard.press('Enter')
    await active(page).getByText('Breite ab 20 px').waitFor()
    expect(await texts(page)).toEqual(['Bilder', 'Breite ab 20 px', 'Hochformat'])
    await link(page, 'quer.png').waitFor({ state: 'hidden' })
    await untilListed(page, ['hoch.png'])
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Filter „Hochformat“ entfernen' }).click()
    await link(page, 'quer.png').waitFor()
    expect(await texts(page)).toEqual(['Bilder', 'Breite ab 20 px'])
    await page.getByRole('button', { name: 'Alle entfernen' }).click()
    await link(page, 'alt.txt').first().waitFor()
    expect(await active(page).count()).toBe(0)
  })

  leftToLong('nothing matches: says so, and offers to clear', async () => {
    const page = await on.open('/dateien?ordner=items&min_breite=5000')
    await page.getByText('Nichts passt zu den Filtern').waitFor()
    await axe(page)
    await page.getByRole('button', { name: 'Filter aufheben' }).click()
    await link(page, 'quer.png').waitFor()
  })

  leftToLong('on a phone, in English and dark', async () => {
    const page = await on.open('/dateien?ordner=items&nie_abgerufen=1', {
      viewport: PHONE,
      language: 'en',
      scheme: 'dark',
    })
    await page.getByRole('region', { name: 'Active filters' }).getByText('Never viewed').waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByLabel('Modified from').waitFor()
    await axe(page)
  })
})

describe('what an account keeps', () => {
  test('a filter under a name, a pinned folder; there on another device, and taken away', async () => {
    const page = await on.open('/dateien?ordner=items&unterordner=1&nie_abgerufen=1')
    await active(page).waitFor()
    await page.getByRole('button', { name: 'Filter speichern' }).click()
    await page.getByLabel('Name des Filters').fill('Ungesehen')
    await page.keyboard.press('Enter')
    await pinned(page).getByRole('link', { name: 'Ungesehen' }).waitFor()
    await page.getByRole('treeitem', { name: 'items' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Anheften' }).click()
    await pinned(page).getByRole('link', { name: 'items' }).waitFor()
    await axe(page)

    const elsewhere = await on.open('/dateien')
    await pinned(elsewhere).getByRole('link', { name: 'Ungesehen' }).click()
    await active(elsewhere).getByText('Noch nie abgerufen').waitFor()
    expect(addressOf(elsewhere).searchParams.get('ordner')).toBe('items')
    await pinned(elsewhere).getByRole('button', { name: 'Filter „Ungesehen“ löschen' }).click()
    await pinned(elsewhere).getByRole('link', { name: 'Ungesehen' }).waitFor({ state: 'hidden' })
    await pinned(elsewhere).getByRole('button', { name: '„items“ lösen' }).click()
    await pinned(elsewhere).waitFor({ state: 'hidden' })
    const kept = await dash(on.service, 'merkzettel', { session: on.session })
    expect(await kept.json()).toEqual({ ordner: [], filter: [] })
  })

  leftToLong('a name that is taken is refused before it is sent', async () => {
    const filter = [{ name: 'Da', abfrage: 'nie_abgerufen=1' }]
    const json = { ordner: [], filter }
    await dash(on.service, 'merkzettel', { method: 'PUT', json, session: on.session })
    const page = await on.open('/dateien?nie_abgerufen=1')
    await pinned(page).waitFor()
    await page.getByRole('button', { name: 'Filter speichern' }).click()
    await page.getByLabel('Name des Filters').fill('Da')
    await page.keyboard.press('Enter')
    await page.getByText('Unter diesem Namen ist schon ein Filter gespeichert').waitFor()
  })
})
