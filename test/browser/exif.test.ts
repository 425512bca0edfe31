/** Location and camera data of pictures: the setting and the token in the pages, and what is stored then. */
import { expect, test } from 'bun:test'
import { bytesOf, read, store } from '../support/api.ts'
import { PLACE_MARKS, photo } from '../support/photos.ts'
import { axe, dashboardTest } from './dashboard.ts'
import { desktop, drop } from './drops.ts'

const on = dashboardTest()

const marksIn = async (path: string) => {
  const bytes = Buffer.from(await bytesOf(await read(on.service, path)))
  return PLACE_MARKS.filter(mark => bytes.includes(mark))
}

test('EXIF on upload: switched on in the settings, a dropped photo comes in without its place; a token keeps its own', async () => {
  const bytes = await photo('jpeg', { orientation: 6 })
  await using from = await desktop({ 'foto.jpg': bytes })
  const page = await on.open('/einstellungen')
  const choice = page.getByLabel('Orts- und Kameradaten')
  await choice.selectOption({ label: 'Beim Hochladen entfernen' })
  await page.getByRole('region', { name: 'Grenzen' }).getByRole('button', { name: 'Speichern' }).click()
  await page.getByText('Gespeichert: Orts- und Kameradaten.').waitFor()
  await axe(page)

  await page.goto(`${on.service.url}/dateien`)
  await drop(page, [from.path('foto.jpg')], page.getByRole('main'))
  await page.getByText('Eine Datei hochgeladen', { exact: true }).first().waitFor()
  expect(await marksIn('foto.jpg')).toEqual([])

  await page.goto(`${on.service.url}/tokens`)
  await page.getByRole('button', { name: 'Neues Token' }).click()
  await page.getByLabel('Name *', { exact: true }).fill('Archiv')
  await page.getByLabel('Orts- und Kameradaten').selectOption({ label: 'Behalten' })
  await page.getByRole('button', { name: 'Token erstellen' }).click()
  const key = await page.getByLabel('Schlüssel', { exact: true }).and(page.locator('input')).inputValue()
  await page.keyboard.press('Escape')
  await page.getByText('Orts- und Kameradaten bleiben').waitFor()
  await store(on.service, key, 'archiv/foto.jpg', new Uint8Array(bytes))
  expect(await marksIn('archiv/foto.jpg')).toEqual([...PLACE_MARKS])
})
