/** Missing files in a real browser: names from a Lua table, files dropped into the gaps. */
import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { read, store } from '../support/api.ts'
import { eventually } from '../support/wait.ts'
import { axe, dashboardTest } from './dashboard.ts'
import { chooseBy, desktop, drop } from './drops.ts'

const on = dashboardTest()

const ITEMS = `return {
  ['apfel'] = { label = 'Apfel', weight = 100 },
  ['brot'] = { label = 'Brot', weight = 200, client = { image = 'brot_dunkel.png' } },
  ['WEAPON_AXT'] = { label = 'Axt', weight = 900 },
  ['wasser'] = { label = 'Wasser', weight = 500 },
}`

beforeAll(async () => {
  for (const name of ['wasser', 'alt_niemand']) await store(on.service, on.token, `items/${name}.png`, name)
})

const text = async (path: string) => {
  const response = await read(on.service, path)
  return response.status === 200 ? response.text() : response.status
}
const missing = (page: Page) => page.getByRole('region', { name: 'Fehlend' })
const gap = (page: Page, name: string) => missing(page).getByRole('listitem').filter({ hasText: name })

test('names out of a Lua text; a file into a gap, in small letters as asked before; a bunch by name; survives a reload', async () => {
  await using from = await desktop({
    'irgendwas.png': 'axt',
    'Apfel.png': 'apfel',
    'Brot_Dunkel.PNG': 'brot',
    'fremd.png': 'x',
  })
  const page = await on.open('/dateien/fehlende')
  await page.getByLabel('Namen, die es geben soll').fill(ITEMS)
  await page.getByText('4 Namen erkannt (Lua-Tabelle)').waitFor()
  await page.getByText('Fehlend 3').waitFor()
  await page.getByText('Eine Datei ist da.').first().waitFor()
  await axe(page)

  await drop(page, [from.path('irgendwas.png')], gap(page, 'WEAPON_AXT'))
  const question = page.getByRole('dialog', { name: 'Vor dem Hochladen' })
  await question.getByText('Ein Name wird klein geschrieben').waitFor()
  await question.getByTitle('items/weapon_axt.png', { exact: true }).waitFor()
  await question.getByRole('button', { name: 'Eine Datei hochladen' }).click()
  await eventually('the file is stored', async () => (await text('items/weapon_axt.png')) === 'axt')
  expect(await text('items/WEAPON_AXT.png')).toBe(404)
  await page.getByLabel('Namen klein schreiben').check()
  await page.getByText('Fehlend 2').waitFor()

  await page.reload()
  await page.getByText('Fehlend 2').waitFor()
  const paths = ['Apfel.png', 'Brot_Dunkel.PNG', 'fremd.png'].map(name => from.path(name))
  await chooseBy(page, page.getByRole('button', { name: 'Dateien wählen' }), paths)
  await page.getByText('fremd.png: passt zu keinem fehlenden Namen').waitFor()
  await page.getByText('Es fehlt nichts').waitFor()
  expect(await Promise.all(['items/apfel.png', 'items/brot_dunkel.png'].map(text))).toEqual(['apfel', 'brot'])
})

test('a file into a gap that is still shown for the pattern before gets the path of that gap', async () => {
  await using from = await desktop({ 'torte.png': 'torte' })
  const page = await on.open('/dateien/fehlende')
  await page.getByLabel('Namen, die es geben soll').fill('torte')
  await gap(page, 'torte').waitFor()
  const answered = Promise.withResolvers<void>()
  await page.route('**/api/dash/fehlende', async route => {
    await answered.promise
    await route.continue()
  })
  const asked = page.waitForRequest('**/api/dash/fehlende')
  await page.getByLabel('Wo die Dateien liegen').fill('anders/*.png')
  await asked
  await drop(page, [from.path('torte.png')], gap(page, 'torte'))
  await eventually('the file is stored', async () => (await text('items/torte.png')) === 'torte')
  answered.resolve()
  expect(await text('anders/torte.png')).toBe(404)
})

test('when all are there it says so; what nobody asks for is surplus', async () => {
  const page = await on.open('/dateien/fehlende', { scheme: 'dark' })
  await page.getByLabel('Namen, die es geben soll').fill('wasser')
  await page.getByText('Es fehlt nichts').waitFor()
  await page.getByText(/^Überzählig/).click()
  await page.getByRole('region', { name: 'Überzählig' }).getByText('items/alt_niemand.png').waitFor()
  await axe(page)
})

test('a list by dropping a file; a pattern without a star, a file of another kind: said, nothing is sent', async () => {
  await using from = await desktop({
    'liste.csv': 'name;label\nkuchen;Kuchen\nlimo;Limo\n',
    'kuchen.jpg': 'x',
  })
  const page = await on.open('/dateien/fehlende')
  const list = page.getByLabel('Namen, die es geben soll')
  await list.waitFor()
  await drop(page, [from.path('liste.csv')], list)
  await gap(page, 'kuchen').waitFor()
  expect(await list.inputValue()).toBe('kuchen\nlimo')
  await drop(page, [from.path('kuchen.jpg')], gap(page, 'kuchen'))
  await page.getByText('kuchen.jpg: ist keine .png-Datei').waitFor()
  expect(await text('items/kuchen.png')).toBe(404)
  await page.getByLabel('Wo die Dateien liegen').fill('items/kuchen.png')
  await page.getByText('Es braucht einen * an der Stelle des Namens').waitFor()
})
