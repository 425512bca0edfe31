/** Equal files in the browser: from the maintenance page to one file of each, and back with one undo. */
import { beforeAll, expect, test } from 'bun:test'
import { store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { png } from '../support/pictures.ts'
import { setRetrievals } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'

const on = dashboardTest()

beforeAll(async () => {
  const image = await png({ width: 80, height: 60 })
  for (const path of ['logos/a.png', 'logos/b.png', 'alt/logo.png'])
    await store(on.service, on.token, path, image)
  for (const path of ['x/1.txt', 'x/2.txt']) await store(on.service, on.token, path, 'gleich')
  await setRetrievals(on.service.dataDir, 'logos/b.png', 7)
})

const paths = async () => {
  const response = await dash(on.service, 'media?unterordner=1', { session: on.session })
  return ((await response.json()) as { dateien: { path: string }[] }).dateien.map(({ path }) => path).sort()
}
const ALL = ['alt/logo.png', 'logos/a.png', 'logos/b.png', 'x/1.txt', 'x/2.txt']

test('the most viewed stays unless another is chosen; the others go and come back as one', async () => {
  const page = await on.open('/wartung')
  await page.getByRole('link', { name: 'Gleiche Dateien ansehen' }).click()
  await page.getByText('3 Dateien zu viel').waitFor()
  expect(await page.getByRole('radio', { name: 'logos/b.png' }).isChecked()).toBe(true)
  await axe(page)
  await page.getByRole('radio', { name: 'alt/logo.png' }).click()
  await page.getByRole('button', { name: 'Die 2 anderen entfernen' }).click()
  await page.getByText('2 Dateien in den Papierkorb gelegt.').waitFor()
  await page.getByText('eine Datei zu viel').waitFor()
  expect(await paths()).toEqual(['alt/logo.png', 'x/1.txt', 'x/2.txt'])
  await page.getByRole('button', { name: 'Rückgängig' }).click()
  await page.getByText('3 Dateien zu viel').waitFor()
  expect(await paths()).toEqual(ALL)
})

test('the whole page at once; then there is nothing more, and the history takes it back', async () => {
  const page = await on.open('/wartung/gleiche')
  await page.getByRole('button', { name: 'Bei allen 2 Gruppen dieser Seite aufräumen' }).click()
  await page.getByText('Keine gleichen Dateien').waitFor()
  await axe(page)
  expect(await paths()).toContain('logos/b.png')
  expect((await paths()).length).toBe(2)
  const history = await on.open('/verlauf?was=geloescht')
  await history.getByText('3 Dateien').first().click()
  await history.getByRole('button', { name: 'Rückgängig' }).first().click()
  await eventually('all files again', async () => (await paths()).join() === ALL.join())
})

test('on a phone, in English and dark', async () => {
  const page = await on.open('/wartung/gleiche', { viewport: PHONE, language: 'en', scheme: 'dark' })
  await page.getByText('3 files too many').waitFor()
  await axe(page)
})
