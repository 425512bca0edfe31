/**
 * Nothing covers what one works on: menus, notices, the list of uploads; and what the status dot and a rename
 * say.
 */
import { describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { read, store } from '../support/api.ts'
import { eventually } from '../support/wait.ts'
import { axe, dashboardTest, PHONE } from './dashboard.ts'
import { desktop, drop } from './drops.ts'
import { CLIPBOARD, card, drawer, fill, link } from './gallery-page.ts'

const on = dashboardTest()
const LAPTOP = { width: 1366, height: 768 }

const boxOf = async (what: Locator) => (await what.boundingBox())!
async function overlap(one: Locator, other: Locator): Promise<number> {
  const [a, b] = [await boxOf(one), await boxOf(other)]
  const across = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x)
  const down = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y)
  return across > 1 && down > 1 ? across * down : 0
}
const notices = (page: Page) => page.locator('.mantine-Notification-root')

describe('menus', () => {
  test('a submenu lies beside its menu, on the side where there is room', async () => {
    await fill(on.service, on.token, [
      'menue/a.txt',
      'menue/b.txt',
      'menue/c.txt',
      'menue/d.txt',
      'menue/e.txt',
    ])
    const page = await on.open('/dateien?ordner=menue', { viewport: LAPTOP })
    for (const name of ['a.txt', 'd.txt']) {
      for (const entry of ['Kopieren als …', 'Liste exportieren']) {
        await card(page, name).click({ button: 'right' })
        await page.getByRole('menuitem', { name: entry }).hover()
        const [menu, inner] = [page.getByRole('menu').first(), page.getByRole('menu').nth(1)]
        await inner.getByRole('menuitem').first().waitFor()
        expect(await overlap(menu, inner)).toBe(0)
        const { x, width } = await boxOf(inner)
        expect(x >= 0 && x + width <= LAPTOP.width).toBe(true)
        await page.keyboard.press('Escape')
        await menu.waitFor({ state: 'detached' })
      }
    }
  })
})

describe('notices', () => {
  test('one of a kind; each step can still be taken back by key, the last first', async () => {
    await fill(on.service, on.token, ['weg/a.txt', 'weg/b.txt', 'weg/c.txt', 'weg/d.txt'])
    const page = await on.open('/dateien?ordner=weg', { context: CLIPBOARD })
    await link(page, 'd.txt').focus()
    for (let at = 0; at < 3; at++) await page.keyboard.press('c')
    await page.getByText('Adresse kopiert.').first().waitFor()
    // Those that go may still be fading.
    await eventually('one notice', async () => (await notices(page).count()) === 1)
    await link(page, 'a.txt').focus()
    for (const name of ['a.txt', 'b.txt']) {
      await page.keyboard.press('Delete')
      await notices(page)
        .filter({ hasText: `„${name}“ liegt im Papierkorb.` })
        .waitFor()
      await link(page, name).waitFor({ state: 'detached' })
    }
    await eventually(
      'the former is gone',
      async () => (await notices(page).filter({ hasText: 'Papierkorb' }).count()) === 1,
    )
    await page.keyboard.press('Control+z')
    await link(page, 'b.txt').waitFor()
    expect(await link(page, 'a.txt').count()).toBe(0)
    await page.keyboard.press('Control+z')
    await link(page, 'a.txt').waitFor()
  })

  test('they lie neither over a dialog nor over the buttons of the viewer', async () => {
    await fill(on.service, on.token, ['ueber/a.txt', 'ueber/b.txt'])
    const page = await on.open('/dateien?ordner=ueber', { viewport: PHONE, context: CLIPBOARD })
    await link(page, 'a.txt').focus()
    await page.keyboard.press('c')
    await notices(page).waitFor()
    await page.keyboard.press('m')
    await page.getByRole('dialog').getByLabel('Zielordner').waitFor()
    const { x, y, width, height } = await boxOf(notices(page))
    // What is pressed there belongs to the dialog, or to the veil behind it.
    expect(
      await page.evaluate(
        `!document.elementFromPoint(${x + width / 2}, ${y + height / 2}).closest('.mantine-Notification-root')`,
      ),
    ).toBe(true)
    await page.goto(`${on.service.url}/dateien?ordner=ueber&gross=ueber/b.txt`)
    await page.getByRole('region', { name: 'b.txt' }).waitFor()
    await page.keyboard.press('c')
    await notices(page).waitFor()
    for (const name of ['Nächste Datei', 'Vorige Datei', 'Schließen']) {
      const button = page.getByRole('dialog').getByRole('button', { name, exact: true })
      if (await button.isVisible()) expect([name, await overlap(button, notices(page))]).toEqual([name, 0])
    }
  })
})

test('the status dot says when there is no connection, and what is known again afterwards', async () => {
  const page = await on.open('/dateien', { expected: [/ERR_/] })
  const dot = page.getByRole('button', { name: /^Zustand:/ })
  await page.getByRole('button', { name: /^Zustand: (gesund|beeinträchtigt)/ }).waitFor()
  await page.route(/\/(status|health|api\/)/, route => route.abort())
  await dot.click()
  await page.getByRole('button', { name: 'Zustand: keine Verbindung' }).waitFor()
  expect(await page.getByText('Datenbank', { exact: true }).count()).toBe(0)
  await axe(page)
  await page.unroute(/\/(status|health|api\/)/)
  await page.getByRole('button', { name: /^Zustand: (gesund|beeinträchtigt)/ }).waitFor()
})

test('a name that breaks the path rules: the rule is said, the cleaned name offered', async () => {
  await fill(on.service, on.token, ['regel/a.txt'])
  const page = await on.open('/dateien?ordner=regel&datei=regel/a.txt')
  const open = drawer(page)
  await open.getByRole('button', { name: 'Umbenennen' }).click()
  const field = open.getByLabel('Neuer Name')
  await field.fill('Über uns (2).txt')
  await open.getByText(/^Der Pfad ist ungültig: jeder Abschnitt beginnt mit/).waitFor()
  await axe(page)
  await page.keyboard.press('Enter')
  await open.getByRole('button', { name: '„ueber-uns-2.txt“ nehmen' }).click()
  expect(await field.inputValue()).toBe('ueber-uns-2.txt')
  await page.keyboard.press('Enter')
  await open.getByRole('heading', { name: 'ueber-uns-2.txt' }).waitFor()
  expect((await read(on.service, 'regel/ueber-uns-2.txt')).status).toBe(200)
})

describe('the list of uploads', () => {
  const list = (page: Page) => page.getByRole('region', { name: 'Hochladen', exact: true }).first()

  test('lies beside the files, folds itself after success, and no button waits for a file that is shown', async () => {
    await fill(on.service, on.token, ['liste/b.txt', 'liste/d.txt'])
    await using from = await desktop({ 'a.txt': 'a', 'c.txt': 'c' })
    const page = await on.open('/dateien?ordner=liste', { viewport: LAPTOP })
    await link(page, 'd.txt').waitFor()
    await drop(page, [from.path('a.txt'), from.path('c.txt')], page.getByRole('main'))
    await list(page).getByText('2 Dateien hochgeladen', { exact: true }).first().waitFor()
    for (const what of [
      card(page, 'a.txt'),
      page.getByRole('heading', { level: 1 }),
      page.getByRole('banner'),
    ])
      expect(await overlap(list(page), what)).toBe(0)
    await list(page).waitFor({ state: 'detached' })
    expect(
      await page.evaluate(
        `[...document.querySelectorAll('[data-file] input')].map(box => box.ariaLabel[0]).join('')`,
      ),
    ).toBe('abcd')
    expect(await page.getByRole('button', { name: /einordnen/ }).count()).toBe(0)
    // It comes back by its ring, and then stays.
    await page.getByRole('button', { name: 'Hochgeladenes zeigen' }).click()
    await list(page).getByText('c.txt', { exact: true }).first().waitFor()
  })

  test('on a phone it lies above the files', async () => {
    await fill(on.service, on.token, ['hand/b.txt'])
    await using from = await desktop({ 'a.txt': 'a' })
    const page = await on.open('/dateien?ordner=hand', { viewport: PHONE })
    await link(page, 'b.txt').waitFor()
    await drop(page, [from.path('a.txt')], page.getByRole('main'))
    await list(page).getByText('Eine Datei hochgeladen', { exact: true }).first().waitFor()
    for (const what of [page.getByRole('main'), page.getByRole('banner')])
      expect(await overlap(list(page), what)).toBe(0)
    await axe(page)
  })

  test('names every file that was left out, with its reason', async () => {
    await store(on.service, on.token, 'fehlt/da.txt', 'alt')
    await using from = await desktop({ 'da.txt': 'neu', 'leer.txt': '', 'gut.txt': 'gut' })
    const page = await on.open('/dateien?ordner=fehlt')
    await link(page, 'da.txt').waitFor()
    await drop(page, ['da.txt', 'leer.txt', 'gut.txt'].map(from.path), page.getByRole('main'))
    await page
      .getByRole('dialog', { name: 'Vor dem Hochladen' })
      .getByRole('button', { name: 'Eine Datei hochladen' })
      .click()
    await list(page).getByText('Eine Datei hochgeladen, 2 nicht', { exact: true }).first().waitFor()
    await list(page).getByText('Nicht hochgeladen: leer.txt, da.txt', { exact: true }).waitFor()
    for (const reason of [
      'Nicht gesendet: die Datei ist leer.',
      'Übersprungen: eine Datei dieses Namens gibt es dort schon.',
    ])
      await list(page).getByText(reason).waitFor()
    expect(await list(page).getByRole('button', { name: 'Übrige erneut versuchen' }).count()).toBe(0)
    await axe(page)
  })

  test('overwriting is offered where a file is in the way, and nowhere else', async () => {
    await using from = await desktop({ 'eins.txt': 'neu', 'zwei.txt': 'neu' })
    const page = await on.open('/dateien?ordner=weg2', { expected: [/404/] })
    await page.getByRole('main').waitFor()
    // Somebody else was quicker, after the names were compared.
    await page.route('**/api/dash/media/vorhanden', async route => {
      await store(on.service, on.token, 'weg2/eins.txt', 'alt')
      await route.fulfill({ json: { vorhanden: [] } })
    })
    await page.route('**/api/dash/upload', route =>
      route.request().postData()?.includes('zwei.txt')
        ? route.fulfill({
            json: {
              gespeichert: [],
              abgelehnt: [{ name: 'zwei.txt', grund: 'Zu groß.', code: 'file-too-large' }],
            },
          })
        : route.continue(),
    )
    await drop(page, ['eins.txt', 'zwei.txt'].map(from.path), page.getByRole('main'))
    await list(page).getByText('Nichts hochgeladen').first().waitFor()
    const overwrite = list(page).getByRole('button', { name: 'Vorhandenes überschreiben' })
    await overwrite.first().waitFor()
    expect(await overwrite.count()).toBe(1)
    await overwrite.click()
    await eventually(
      'it is overwritten',
      async () => (await (await read(on.service, 'weg2/eins.txt')).text()) === 'neu',
    )
  })
})
