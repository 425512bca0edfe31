/** Folders as people expect them: creating one, its menu with share and export, and files dropped onto it. */
import { beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { read } from '../support/api.ts'
import { eventually } from '../support/wait.ts'
import { axe, clipboard, DESKTOP, dashboardTest, textOf } from './dashboard.ts'
import { chooseBy, desktop, dragOver, drop } from './drops.ts'
import { addressOf, CLIPBOARD, card, fill, inTool, link } from './gallery-page.ts'

const on = dashboardTest()
beforeAll(() =>
  fill(on.service, on.token, ['ort/a.txt', 'ort/innen/b.txt', 'zu/tief/c.txt', 'zu/tief/noch/d.txt']),
)

const arrives = (path: string) =>
  eventually(`${path} is stored`, async () => (await read(on.service, path)).status === 200)
const entry = (page: Page, name: string) => page.getByRole('menuitem', { name, exact: true })

test('„Neuer Ordner“ asks for a name and offers the upload; its menu shares it and exports its list', async () => {
  await using from = await desktop({ 'Erste.TXT': 'erste' })
  const page = await on.open('/dateien?ordner=ort', { expected: [/404/], context: CLIPBOARD })
  await page.getByRole('button', { name: 'Neuer Ordner' }).click()
  const name = page.getByRole('textbox', { name: 'Name', exact: true })
  await name.fill('über uns')
  await page.getByRole('button', { name: 'Weiter', exact: true }).click()
  await page.getByText('Erlaubt sind Buchstaben ohne Umlaute').waitFor()
  await axe(page)
  await name.fill('Neu')
  await page.getByRole('button', { name: 'Weiter', exact: true }).click()
  await page.getByRole('heading', { name: 'neu', level: 1 }).waitFor()
  await page.getByText('Dieser Ordner ist leer').waitFor()
  await chooseBy(page, page.getByRole('button', { name: 'Hierher hochladen' }), from.path('Erste.TXT'))
  await arrives('ort/neu/erste.txt')
  await link(page, 'erste.txt').waitFor()

  await page.getByRole('button', { name: 'Mehr zu diesem Ordner' }).click()
  await entry(page, 'Liste exportieren').hover()
  const [list] = await Promise.all([page.waitForEvent('download'), entry(page, 'Lua-Tabelle').click()])
  expect(await textOf(list)).toMatch(/^return {\n {2}\["erste\.txt"\] = /)
  await page.getByRole('button', { name: 'Mehr zu diesem Ordner' }).click()
  await entry(page, 'Freigeben').click()
  // The folder exists, and the link is on the clipboard.
  const dialog = page.getByRole('dialog', { name: '„ort/neu“ freigeben' })
  await dialog.getByRole('button', { name: 'Link erstellen und kopieren' }).click()
  await page.getByText('Der Link ist kopiert.').waitFor()
  expect(await clipboard(page)).toMatch(/\/s\/\w+$/)
  await axe(page)
  await page.getByRole('button', { name: 'Fertig' }).click()
  expect(addressOf(page).pathname).toBe('/dateien')
})

test('files from the desktop land in the folder they are dropped on; held over a closed one they open it', async () => {
  await using from = await desktop({ 'karte.txt': 'k', 'zweig.txt': 'z' })
  const page = await on.open('/dateien?ordner=ort')
  await link(page, 'a.txt').waitFor()
  const folder = page.getByRole('list', { name: 'Ordner' }).getByRole('listitem').filter({ hasText: 'innen' })
  await (await dragOver(page, [from.path('karte.txt')], folder)).drop()
  await arrives('ort/innen/karte.txt')
  const closed = page.getByRole('treeitem', { name: 'zu', exact: true })
  expect(await closed.getAttribute('aria-expanded')).toBe('false')
  await dragOver(page, [from.path('zweig.txt')], closed)
  const inside = page.getByRole('treeitem', { name: 'tief', exact: true })
  await inside.waitFor()
  await drop(page, [from.path('zweig.txt')], inside)
  await arrives('zu/tief/zweig.txt')
})

test('the tools stand in one row at 1280; the size of the previews is remembered', async () => {
  const page = await on.open('/dateien?ordner=ort', { viewport: DESKTOP })
  await link(page, 'a.txt').waitFor()
  const tools = page.getByRole('toolbar', { name: 'Werkzeuge der Liste' })
  const fits = await tools.evaluate(row => {
    const tops = [...row.children].map(child => {
      const { top, height } = child.getBoundingClientRect()
      return top + height / 2
    })
    return row.scrollWidth <= row.clientWidth && Math.max(...tops) - Math.min(...tops) < 8
  })
  expect(fits).toBe(true)
  // Our own styles come after those of Mantine, also right after the page was opened.
  const paddings = `[...document.querySelectorAll('[aria-label="Werkzeuge der Liste"] button')]
    .map(button => getComputedStyle(button).paddingLeft)`
  expect(await page.evaluate(paddings)).toEqual(['9px', '9px', '9px', '9px'])
  const width = async () => (await card(page, 'a.txt').boundingBox())!.width
  const before = await width()
  await inTool(page, 'Ansicht', panel => panel.getByLabel('Größe der Vorschauen').fill('288'))
  await eventually('larger', async () => (await width()) > before + 50)
  const larger = await width()
  await page.reload()
  await link(page, 'a.txt').waitFor()
  expect(await width()).toBe(larger)
})
