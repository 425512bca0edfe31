/**
 * Selecting files by click, keys, frame and finger; copying their addresses in five forms; the keys of the
 * gallery.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { store } from '../support/api.ts'
import { png } from '../support/pictures.ts'
import { eventually } from '../support/wait.ts'
import { clipboard, dashboardTest, PHONE } from './dashboard.ts'
import { CLIPBOARD, card, chosenNames, drawer, fill, link, names } from './gallery-page.ts'

const on = dashboardTest()
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f'].map(letter => `${letter}.txt`)

beforeAll(async () => {
  await fill(
    on.service,
    on.token,
    NAMES.map(name => `sel/${name}`),
  )
  await fill(
    on.service,
    on.token,
    Array.from({ length: 35 }, (_, at) => `pages/${String(at).padStart(2, '0')}.txt`),
  )
  await store(on.service, on.token, 'sel/pic.png', await png({ width: 8, height: 8 }))
})

async function gallery(options: Parameters<typeof on.open>[1] = {}): Promise<Page> {
  const page = await on.open('/dateien?ordner=sel', options)
  await link(page, 'a.txt').waitFor()
  return page
}

const bar = (page: Page) => page.getByRole('region', { name: 'Auswahl' })
const letters = async (page: Page) => (await chosenNames(page)).map(name => name[0]).join('')
const focusedOn = async (page: Page, name: string) =>
  eventually(`${name} has the focus`, async () =>
    ((await page.evaluate('document.activeElement.textContent')) as string).includes(name),
  )

describe('choosing', () => {
  test('click, ctrl, shift, the box, all, escape; count and size are told', async () => {
    const page = await gallery()
    await link(page, 'b.txt').click()
    expect(await letters(page)).toBe('b')
    await link(page, 'd.txt').click({ modifiers: ['Control'] })
    expect(await letters(page)).toBe('bd')
    await link(page, 'f.txt').click({ modifiers: ['Shift'] })
    expect(await letters(page)).toBe('def')
    await link(page, 'a.txt').click({ modifiers: ['Control', 'Shift'] })
    expect(await letters(page)).toBe('abcdef')
    await link(page, 'c.txt').click()
    await card(page, 'e.txt').getByRole('checkbox').click()
    expect(await letters(page)).toBe('ce')
    // The content of each file is its path: nine bytes.
    await bar(page).getByText('2 ausgewählt · 18 Byte').waitFor()
    await page.keyboard.press('a')
    expect(await letters(page)).toBe('abcdefp')
    await page.keyboard.press('Escape')
    await bar(page).waitFor({ state: 'detached' })
  })

  test('a frame drawn over the cards; with ctrl beside what was chosen; a click on nothing lets go', async () => {
    const page = await gallery()
    const first = (await card(page, 'a.txt').boundingBox())!
    const second = (await card(page, 'b.txt').boundingBox())!
    const draw = async (from: { x: number; y: number }, to: { x: number; y: number }) => {
      await page.mouse.move(from.x, from.y)
      await page.mouse.down()
      await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2)
      await page.mouse.move(to.x, to.y)
      await page.mouse.up()
    }
    const gap = { x: first.x - 4, y: first.y + 20 }
    await draw(gap, { x: second.x + 20, y: second.y + 60 })
    await eventually('two', async () => (await letters(page)) === 'ab')
    const last = (await card(page, 'pic.png').boundingBox())!
    await page.keyboard.down('Control')
    const beside = { x: last.x + last.width + 40, y: last.y + 40 }
    await draw(beside, { x: last.x + 20, y: last.y + 60 })
    await page.keyboard.up('Control')
    await eventually('three', async () => (await letters(page)) === 'abp')
    await page.mouse.click(beside.x, beside.y)
    await eventually('none', async () => (await letters(page)) === '')
  })

  test('it outlives a page turn, and says so', async () => {
    const page = await on.open('/dateien?ordner=pages&anzahl=30')
    await link(page, '00.txt').click()
    await page.getByRole('button', { name: 'Nächste Seite' }).click()
    await link(page, '34.txt').click({ modifiers: ['Control'] })
    await bar(page).getByText('davon 1 auf anderen Seiten').waitFor()
    await page.goBack()
    await link(page, '00.txt').waitFor()
    expect(await chosenNames(page)).toEqual(['00.txt'])
    // Another folder starts without a selection.
    await page.getByRole('treeitem', { name: 'sel' }).click()
    await link(page, 'a.txt').waitFor()
    await bar(page).waitFor({ state: 'detached' })
  })

  test('a finger: a long touch chooses, further taps too, otherwise a tap opens', async () => {
    const page = await gallery({ viewport: PHONE, context: { hasTouch: true, isMobile: true } })
    const { x, y } = (await card(page, 'a.txt').boundingBox())!
    const client = await page.context().newCDPSession(page)
    const at = { x: x + 60, y: y + 60 }
    await client.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
    await eventually('it is chosen', async () => (await letters(page)) === 'a')
    await client.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await link(page, 'b.txt').tap()
    expect(await letters(page)).toBe('ab')
    await bar(page).getByRole('button', { name: 'Auswahl aufheben' }).tap()
    await link(page, 'b.txt').tap()
    await page.getByRole('dialog', { name: 'b.txt', exact: true }).waitFor()
  })
})

describe('copying', () => {
  test('the five forms', async () => {
    const page = await gallery({ context: CLIPBOARD })
    await link(page, 'f.txt').click()
    await link(page, 'pic.png').click({ modifiers: ['Control'] })
    const base = `http://localhost:${on.service.port}/f/sel`
    const forms = {
      'Nur Adresse': `${base}/f.txt\n${base}/pic.png`,
      Markdown: `[f.txt](${base}/f.txt)\n![pic.png](${base}/pic.png)`,
      HTML: `<a href="${base}/f.txt">f.txt</a>\n<img src="${base}/pic.png" alt="pic.png">`,
      BBCode: `[url=${base}/f.txt]f.txt[/url]\n[img]${base}/pic.png[/img]`,
      'Lua-Tabelle': `{\n  ["sel/f.txt"] = "${base}/f.txt",\n  ["sel/pic.png"] = "${base}/pic.png",\n}`,
    }
    for (const [name, text] of Object.entries(forms)) {
      await bar(page).getByRole('button', { name: 'Adressen kopieren' }).click()
      await page.getByRole('menuitem', { name, exact: true }).click()
      await eventually(`${name} is in the clipboard`, async () => (await clipboard(page)) === text)
    }
  })

  test('from the card, and by key', async () => {
    const page = await gallery({ context: CLIPBOARD })
    await card(page, 'b.txt').hover()
    await card(page, 'b.txt').getByRole('button', { name: 'Adresse kopieren' }).click()
    await eventually('b', async () => (await clipboard(page)).endsWith('/f/sel/b.txt'))
    await link(page, 'c.txt').focus()
    await page.keyboard.press('c')
    await eventually('c', async () => (await clipboard(page)).endsWith('/f/sel/c.txt'))
  })
})

test('search and replace knows only what is chosen', async () => {
  const page = await gallery()
  await link(page, 'b.txt').click()
  await link(page, 'c.txt').click({ modifiers: ['Control'] })
  await bar(page).getByRole('button', { name: 'Suchen und Ersetzen' }).click()
  const dialog = page.getByRole('dialog', { name: 'Suchen und Ersetzen' })
  await dialog.getByLabel('Suchen', { exact: true }).fill('.txt')
  await dialog.getByText('sel/b').first().waitFor()
  expect(await dialog.getByText('sel/a').count()).toBe(0)
})

describe('keys', () => {
  test('arrows move, shift extends, x chooses, enter opens, escape closes and comes back', async () => {
    const page = await gallery()
    await page.keyboard.press('ArrowRight')
    await focusedOn(page, 'a.txt')
    await page.keyboard.press('ArrowRight')
    await focusedOn(page, 'b.txt')
    await page.keyboard.press('Shift+ArrowRight')
    expect(await letters(page)).toBe('bc')
    await page.keyboard.press('x')
    expect(await letters(page)).toBe('b')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Enter')
    await drawer(page).getByRole('heading', { name: 'c.txt' }).waitFor()
    await page.keyboard.press('ArrowRight')
    await drawer(page).getByRole('heading', { name: 'd.txt' }).waitFor()
    await page.keyboard.press('Escape')
    await drawer(page).waitFor({ state: 'detached' })
    await focusedOn(page, 'd.txt')
  })

  test('space shows the picture large, arrows leaf, space again closes', async () => {
    const page = await gallery()
    await link(page, 'pic.png').focus()
    await page.keyboard.press(' ')
    const large = page.getByRole('dialog', { name: 'pic.png' })
    await large.getByRole('img', { name: 'pic.png' }).waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.getByRole('dialog', { name: 'f.txt' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('a button that has the focus keeps its own keys; nothing happens while one types', async () => {
    const page = await gallery()
    await page.getByRole('button', { name: 'Sortierung: Name' }).focus()
    await page.keyboard.press(' ')
    const panel = page.getByRole('dialog', { name: 'Sortierung' })
    await panel.waitFor()
    expect(await page.getByRole('dialog').count()).toBe(1)
    await page.keyboard.press('Escape')
    await panel.waitFor({ state: 'detached' })
    await page.keyboard.press('/')
    await page.keyboard.type('acx')
    expect(await chosenNames(page)).toEqual([])
  })

  test('the sheet behind ? lists them', async () => {
    const page = await gallery()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Tasten' })
    for (const text of [
      'Alle auswählen',
      'Adresse kopieren',
      'Umbenennen',
      'Verschieben',
      'Löschen',
      'Entf',
    ]) {
      await sheet.getByText(text, { exact: true }).waitFor()
    }
    await page.keyboard.press('Escape')
    await link(page, 'b.txt').focus()
    await page.keyboard.press('r')
    await page.getByRole('dialog', { name: '„b.txt“ umbenennen' }).getByLabel('Neuer Name').waitFor()
    expect(await names(page)).toHaveLength(7)
  })
})
