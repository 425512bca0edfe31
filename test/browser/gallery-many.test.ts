/**
 * Selection without limits: the page, then the whole result on the server, with its count, progress and a
 * single undo.
 */
import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { remove } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { seedFiles } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'
import { axe, dashboardTest, PHONE, textOf } from './dashboard.ts'
import { chosenNames, fill, link } from './gallery-page.ts'

const on = dashboardTest()
/** Enough for several steps of a move; `test/acceptance/dash-library-result.test.ts` uses 12 000. */
const MANY = 2500

beforeAll(async () => {
  await seedFiles(on.service.dataDir, 'viele', MANY)
  await fill(on.service, on.token, ['viele/nadel-1.txt', 'viele/nadel-2.txt'])
})

const bar = (page: Page) => page.getByRole('region', { name: 'Auswahl' })
const total = async (ordner: string) => {
  const response = await dash(on.service, `media?ordner=${ordner}`, { session: on.session })
  return response.status === 404 ? 0 : ((await response.json()) as { gesamt: number }).gesamt
}
const becomes = (ordner: string, expected: number) =>
  eventually(`${ordner} has ${expected} files`, async () => (await total(ordner)) === expected)

test('Ctrl+A takes the page, „Alle 2.502 auswählen“ all of it; moving and deleting show progress, one undo brings all back', async () => {
  const page = await on.open('/dateien?ordner=viele&anzahl=30', { expected: [/404/] })
  await link(page, '000001.png').waitFor()
  await page.keyboard.press('Control+a')
  await bar(page).getByText('30 ausgewählt').waitFor()
  await bar(page).getByRole('button', { name: 'Alle 2.502 auswählen' }).click()
  await bar(page).getByText('2.502 ausgewählt').waitFor()
  await axe(page)
  // The next page is selected too, and deselecting one file leaves only that page selected.
  await page.getByRole('button', { name: 'Seite 2', exact: true }).click()
  await link(page, '000031.png').waitFor()
  expect((await chosenNames(page)).length).toBe(30)

  await page.keyboard.press('m')
  await page.getByLabel('Zielordner').fill('anderswo')
  await page.getByRole('button', { name: 'Hierher verschieben' }).click()
  await page.getByText('2.502 Dateien liegen jetzt in „anderswo“.').waitFor()
  expect([await total('viele'), await total('anderswo')]).toEqual([0, MANY + 2])
  await page.getByRole('button', { name: 'Rückgängig' }).click()
  await page.getByRole('progressbar', { name: 'Wird rückgängig gemacht' }).waitFor()
  await becomes('viele', MANY + 2)

  await page.goto(`${on.service.url}/dateien?ordner=viele&anzahl=30&art=bilder`)
  await link(page, '000001.png').waitFor()
  await page.keyboard.press('Control+a')
  await bar(page).getByRole('button', { name: 'Alle 2.500 auswählen' }).click()
  await page.keyboard.press('Delete')
  await page.getByText('Dateien werden gelöscht').waitFor()
  await page.getByText('2.500 Dateien liegen im Papierkorb.').waitFor()
  expect(await total('viele')).toBe(2)
  await page.getByRole('button', { name: 'Rückgängig' }).click()
  await becomes('viele', MANY + 2)
})

test('other files than were counted: nothing happens, and it is said; the list of a result as CSV', async () => {
  await fill(
    on.service,
    on.token,
    Array.from({ length: 33 }, (_, at) => `paar/${at + 10}.txt`),
  )
  const page = await on.open('/dateien?ordner=paar&anzahl=30', { viewport: PHONE, expected: [/409/] })
  await link(page, '10.txt').waitFor()
  await page.keyboard.press('a')
  await bar(page).getByRole('button', { name: 'Alle 33 auswählen' }).click()
  await bar(page).getByText('33 ausgewählt').waitFor()
  await bar(page).getByRole('button', { name: 'Herunterladen' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('menuitem', { name: 'CSV (Tabelle)' }).click(),
  ])
  expect((await textOf(download)).split('\r\n').filter(line => line.startsWith('paar/')).length).toBe(33)
  await fill(on.service, on.token, ['paar/99.txt'])
  // The page notices the new file by itself; until then its count is refused.
  await bar(page).getByRole('button', { name: 'Löschen' }).click()
  await page
    .getByText('hat inzwischen 34 Dateien statt 33')
    .or(page.getByText('34 Dateien liegen im Papierkorb.'))
    .waitFor()
})

test('the next page is there before one turns to it, and never with what has changed since; any page can be typed', async () => {
  const page = await on.open('/dateien?ordner=viele&anzahl=30')
  const answered: string[] = []
  page.on('requestfinished', request => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/api/dash/media') answered.push(searchParams.get('seite') ?? '')
  })
  await eventually('the next page was asked for', () => answered.includes('2'))
  await page.route('**/api/dash/media?*', () => {})
  await page.getByRole('button', { name: 'Nächste Seite' }).click()
  await link(page, '000031.png').waitFor()
  await page.unroute('**/api/dash/media?*')

  // An answer that was requested before the change is not shown after it.
  await page.reload()
  await eventually('the third page was asked for', () => answered.includes('3'))
  await page.evaluate(`{
    window.shown = new Set()
    const note = () => { for (const { ariaLabel } of document.querySelectorAll('[data-file] input')) shown.add(ariaLabel) }
    new MutationObserver(note).observe(document.body, { childList: true, subtree: true })
  }`)
  answered.length = 0
  expect((await remove(on.service, on.token, 'viele/000061.png')).status).toBe(200)
  await eventually('the page has heard of it', () => answered.includes('2'))
  await page.getByRole('button', { name: 'Seite 3', exact: true }).click()
  await link(page, '000063.png').waitFor()
  expect(await page.evaluate(`shown.has('000061.png auswählen')`)).toBe(false)

  const jump = page.getByLabel('Zu Seite 1 bis 84').first()
  await jump.fill('42')
  await jump.press('Enter')
  await link(page, '001232.png').waitFor()
  // A number beyond the last page leads to the last page.
  await jump.fill('9.999')
  await jump.press('Enter')
  await link(page, '002500.png').waitFor()
  await jump.fill('x')
  await jump.press('Enter')
  expect(page.url()).toEndWith('seite=84')
  // Beyond the last page no range is shown.
  await page.goto(`${on.service.url}/dateien?ordner=viele&anzahl=30&seite=99`)
  await page.getByText('So viele Seiten gibt es nicht').waitFor()
  expect(await page.getByText('von 2.501').count()).toBe(0)
})
