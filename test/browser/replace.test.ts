/** Search and replace in a real browser: preview while typing, marked conflicts, then execution. */
import { expect, test } from 'bun:test'
import { read, store } from '../support/api.ts'
import { axe, dashboardTest } from './dashboard.ts'

const on = dashboardTest()
const status = async (path: string) => (await read(on.service, path)).status

test('preview as one types, then executed and undone; what is not in the folder stays', async () => {
  for (const path of ['rep/alt-a.txt', 'rep/alt-b.txt', 'rep/tief/alt.txt', 'anders/alt-c.txt']) {
    await store(on.service, on.token, path, path)
  }
  await read(on.service, 'rep/alt-a.txt')
  const page = await on.open('/dateien/ersetzen?ordner=rep')
  const preview = page.getByRole('region', { name: 'Vorschau' })
  await page.getByLabel('Suchen', { exact: true }).fill('alt')
  await page.getByLabel('Ersetzen durch').fill('neu')
  await page.getByText('3 Treffer').waitFor()
  await preview.getByText('rep/neu-a.txt').waitFor()
  await axe(page)
  // Nothing has been renamed yet.
  expect(await status('rep/alt-a.txt')).toBe(200)

  await page.getByText('Überall', { exact: true }).click()
  await page.getByText('4 Treffer').waitFor()
  await page.getByText('Nur in rep', { exact: true }).click()
  await page.getByText('3 Treffer').waitFor()
  await page.getByRole('button', { name: '3 Dateien umbenennen' }).click()
  await page.getByText('3 Dateien umbenannt.').waitFor()
  const paths = ['rep/neu-a.txt', 'rep/neu-b.txt', 'rep/tief/neu.txt', 'anders/alt-c.txt', 'rep/alt-a.txt']
  expect(await Promise.all(paths.map(status))).toEqual([200, 200, 200, 200, 404])
  await page.getByRole('button', { name: 'Rückgängig' }).click()
  await page.getByText('Rückgängig gemacht.').waitFor()
  expect(await Promise.all(paths.map(status))).toEqual([404, 404, 404, 200, 200])
})

test('a conflict is marked with its reason, and nothing can be done until it is gone', async () => {
  for (const path of ['kon/alt.txt', 'kon/neu.txt', 'kon/alt-2.txt']) {
    await store(on.service, on.token, path, path)
  }
  const page = await on.open('/dateien/ersetzen?ordner=kon', { scheme: 'dark' })
  await page.getByLabel('Suchen', { exact: true }).fill('alt')
  await page.getByLabel('Ersetzen durch').fill('neu')
  await page.getByText('Ein Konflikt').waitFor()
  await page.getByText('Unter „kon/neu.txt“ liegt schon eine Datei').waitFor()
  await page.getByRole('switch', { name: 'Nur Konflikte zeigen' }).check()
  expect(await page.getByRole('region', { name: 'Vorschau' }).getByRole('listitem').count()).toBe(1)
  expect(await page.getByRole('button', { name: '2 Dateien umbenennen' }).isDisabled()).toBe(true)
  await axe(page)
  await page.getByLabel('Ersetzen durch').fill('frei')
  await page.getByRole('button', { name: '2 Dateien umbenennen' }).click()
  await page.getByText('2 Dateien umbenannt.').waitFor()
  expect(await Promise.all(['kon/frei.txt', 'kon/frei-2.txt', 'kon/neu.txt'].map(status))).toEqual([
    200, 200, 200,
  ])
})

test('expressions; one that is none is said beside the field', async () => {
  await store(on.service, on.token, 'exp/bild12.txt', 'x')
  const page = await on.open('/dateien/ersetzen?ordner=exp', { expected: [/status of 400/] })
  await page.getByLabel('Suchen', { exact: true }).fill('bild(\\d+')
  await page.getByRole('switch', { name: 'Regulärer Ausdruck' }).check()
  await page.locator('.mantine-InputWrapper-error').waitFor()
  await page.getByLabel('Suchen', { exact: true }).fill('bild(\\d+)')
  await page.getByLabel('Ersetzen durch').fill('$1-foto')
  await page.getByText('exp/12-foto.txt').waitFor()
})
