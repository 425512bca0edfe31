/**
 * The statistics: charts with a table behind them, folders to open, notable files; and the days of a single
 * file.
 */
import { beforeAll, expect, test } from 'bun:test'
import { store } from '../support/api.ts'
import { setFileDays, setRetrievalDays, setRetrievals } from '../support/seed.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'

const on = dashboardTest()

beforeAll(async () => {
  await store(on.service, on.token, 'clips/gross.txt', 'x'.repeat(3000))
  await store(on.service, on.token, 'clips/alt/klein.txt', 'x')
  await store(on.service, on.token, 'icons/a.txt', 'xy')
  await setRetrievals(on.service.dataDir, 'clips/gross.txt', 7)
  await setRetrievalDays(on.service.dataDir, [4, 5])
  await setFileDays(on.service.dataDir, 'clips/gross.txt', [2, 5])
  await setFileDays(on.service.dataDir, 'icons/a.txt', [2, 0])
})

test('retrievals and storage by day, folders and tokens with their figures, the largest and the stalest files', async () => {
  const page = await on.open('/statistik')
  await page.getByText('9 Abrufe in 90 Tagen').waitFor()
  const storage = page.getByRole('slider', { name: 'Belegter Speicher' })
  await storage.focus()
  expect(await storage.getAttribute('aria-valuetext')).toMatch(/: 2,93 KB$/)
  await page.keyboard.press('Home')
  expect(await storage.getAttribute('aria-valuetext')).toMatch(/: unbekannt$/)
  await page.getByText('Als Tabelle').last().click()
  expect(await page.getByRole('table', { name: 'Belegter Speicher' }).getByRole('row').count()).toBe(91)
  const rows = (name: string) => page.getByRole('table', { name }).getByRole('row').allTextContents()
  expect(await rows('Ordner')).toEqual(['OrdnerAbrufeDateienGröße', 'clips722,93 KB', 'icons212 Byte'])
  expect((await rows('Tokens')).length).toBe(2)
  const largest = page.getByRole('region', { name: 'Größte Dateien' })
  expect(await largest.getByRole('listitem').first().textContent()).toContain('2,93 KB')
  expect(
    await page.getByRole('region', { name: 'Am längsten nicht abgerufen' }).getByRole('listitem').count(),
  ).toBe(3)
  await axe(page)

  await page.getByRole('table', { name: 'Ordner' }).getByRole('link', { name: 'clips' }).click()
  await page.getByText('7 Abrufe in 90 Tagen').waitFor()
  expect(new URL(page.url()).search).toBe('?ordner=clips')
  expect(await page.getByRole('slider').count()).toBe(1)
  await page.getByRole('navigation', { name: 'Ordner' }).getByRole('link', { name: 'Alle Dateien' }).click()
  await page.getByText('9 Abrufe in 90 Tagen').waitFor()
})

test('on a phone, in the dark, in English: nothing is cut off', async () => {
  const page = await on.open('/statistik', { viewport: PHONE, scheme: 'dark', language: 'en' })
  await page.getByText('9 views in 90 days').waitFor()
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
  await axe(page)
})

test('the drawer of a file shows its own days; one that nobody retrieved has no chart', async () => {
  const page = await on.open('/dateien?ordner=clips&datei=clips/gross.txt')
  const drawer = page.getByRole('dialog')
  const chart = drawer.getByRole('slider', { name: 'Abrufe pro Tag' })
  await chart.focus()
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 5 Abrufe$/)
  // The arrow key moves through the days, not to the next file.
  await page.keyboard.press('ArrowLeft')
  expect(await chart.getAttribute('aria-valuetext')).toMatch(/: 2 Abrufe$/)
  await axe(page)
})
