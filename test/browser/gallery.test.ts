/**
 * Finding a file, copying its address, renaming, moving, deleting and restoring it in the gallery of the
 * dashboard.
 */

import { beforeAll, describe, expect, test } from 'bun:test'
import { read, store } from '../support/api.ts'
import { leftToLong } from '../support/left-out.ts'
import { media } from '../support/media.ts'
import { png } from '../support/pictures.ts'
import { setRetrievals } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'
import { axe, clipboard, dashboardTest, PHONE } from './dashboard.ts'
import {
  addressOf,
  CLIPBOARD,
  card,
  drawer,
  files,
  fill,
  inTool,
  link,
  names,
  showAs,
} from './gallery-page.ts'

const on = dashboardTest()
const REFUSED = /status of (404|409|400)/

beforeAll(async () => {
  await store(on.service, on.token, 'items/apple.png', await png({ width: 40, height: 30 }))
  await store(on.service, on.token, 'clips/clip.mp4', media('clip.mp4'))
  await fill(on.service, on.token, [
    'items/bread.txt',
    'items/coin-gold.txt',
    'items/old/bread-stale.txt',
    'other/bread.txt',
  ])
})

const status = async (path: string) => (await read(on.service, path)).status

describe('looking around', () => {
  test('the tree, the crumbs and the cards lead into a folder; back leads out again', async () => {
    const page = await on.open('/dateien')
    await page.getByRole('treeitem', { name: 'items' }).click()
    await link(page, 'apple.png').waitFor()
    expect(await names(page)).toEqual(['apple.png', 'bread.txt', 'coin-gold.txt'])
    await page.getByRole('list', { name: 'Ordner' }).getByRole('link', { name: 'old' }).click()
    await page.getByRole('heading', { level: 1, name: 'old' }).waitFor()
    expect(addressOf(page).searchParams.get('ordner')).toBe('items/old')
    await page.goBack()
    await page.getByRole('heading', { level: 1, name: 'items' }).waitFor()
    await page.getByRole('navigation', { name: 'Ort' }).getByRole('link', { name: 'Alle Dateien' }).click()
    await page.getByRole('heading', { level: 1, name: 'Dateien' }).waitFor()
  })

  leftToLong(
    'a folder that is slow to load leaves the old list for a moment, also when it is opened once more',
    async () => {
      const page = await on.open('/dateien?ordner=items')
      await link(page, 'apple.png').waitFor()
      await page.route(/api\/dash\/media\?.*ordner=other/, () => {})
      // The old list is inert while it stays.
      await page.evaluate(`new MutationObserver(() => {
      globalThis.wasHeld ||= document.querySelector('main [inert] [data-file]') !== null
    }).observe(document.body, { subtree: true, childList: true, attributeFilter: ['inert'] })`)
      for (const visit of ['first', 'second']) {
        await page.evaluate('globalThis.wasHeld = false')
        await page.getByRole('treeitem', { name: 'other' }).click()
        await page.getByRole('main').getByText('Wird geladen').waitFor({ state: 'attached' })
        expect([visit, await page.evaluate('globalThis.wasHeld')]).toEqual([visit, true])
        await page.getByRole('treeitem', { name: 'items' }).click()
        await link(page, 'apple.png').waitFor()
      }
    },
  )

  leftToLong(
    'sort, kind, page size (30, 60, 120, 200) and view; the address holds them, a list has the same files',
    async () => {
      const page = await on.open('/dateien?ordner=items')
      await inTool(page, 'Sortierung', async panel => {
        await panel.getByRole('radio', { name: 'Größe' }).check()
        expect(await panel.getByRole('radio', { name: 'Absteigend' }).isChecked()).toBe(true)
        await panel.getByRole('radio', { name: 'Aufsteigend' }).check()
      })
      await inTool(page, 'Weitere Einstellungen der Liste', async panel => {
        const sizes = panel.getByLabel('Dateien je Seite')
        const offered = await sizes
          .locator('option')
          .evaluateAll(all => all.map(each => each.getAttribute('value')))
        expect(offered).toEqual(['30', '60', '120', '200'])
        await sizes.selectOption('200')
      })
      const choose = (label: string) =>
        inTool(page, 'Filter', panel => panel.getByText(label, { exact: true }).click())
      await choose('Bilder')
      await eventually('only the picture', async () => (await names(page)).join() === 'apple.png')
      expect(Object.fromEntries(addressOf(page).searchParams)).toEqual({
        ordner: 'items',
        sortierung: 'size',
        art: 'bilder',
        anzahl: '200',
      })
      await showAs(page, 'Liste')
      await page.getByRole('table', { name: 'Dateien' }).getByRole('link', { name: 'apple.png' }).waitFor()
      await page.getByRole('button', { name: 'Filter „Bilder“ entfernen' }).click()
      await choose('Videos')
      await page.getByRole('button', { name: 'Filter aufheben' }).click()
      await eventually('all again', async () => (await names(page)).length === 3)
      await page.reload()
      await page.getByRole('table', { name: 'Dateien' }).waitFor()
    },
  )

  leftToLong(
    'search: from the top bar everywhere, narrowed to the folder where it began, ended',
    async () => {
      const page = await on.open('/dateien?ordner=items')
      await link(page, 'apple.png').waitFor()
      await page.keyboard.press('/')
      await page.keyboard.type('bread')
      await page.getByRole('heading', { level: 1, name: 'Treffer für „bread“' }).waitFor()
      await eventually('hits of all folders', async () => (await names(page)).length === 3)
      await page.locator('label', { hasText: 'In „items“' }).click()
      await eventually('hits below items', async () => (await names(page)).length === 2)
      expect(addressOf(page).searchParams.get('ordner')).toBe('items')
      await page.getByLabel('Dateien suchen').press('Escape')
      await page.getByRole('heading', { level: 1, name: 'items' }).waitFor()
      expect(await page.getByLabel('Dateien suchen').inputValue()).toBe('')
      await page.getByLabel('Dateien suchen').fill('breadless')
      await page.getByRole('heading', { name: 'Nichts gefunden' }).waitFor()
      await page.getByRole('button', { name: 'Suche beenden' }).click()
      await page.getByRole('heading', { level: 1, name: 'items' }).waitFor()
      await link(page, 'apple.png').waitFor()
    },
  )

  leftToLong('an empty folder says what to do next', async () => {
    const page = await on.open('/dateien?ordner=nirgends', { expected: [REFUSED] })
    await page.getByRole('heading', { name: 'Dieser Ordner ist leer' }).waitFor()
    await page.getByRole('button', { name: 'Hierher hochladen' }).waitFor()
    await page.getByRole('link', { name: 'Eine Ebene höher' }).click()
    await page.getByRole('treeitem', { name: 'items' }).waitFor()
  })

  leftToLong('the tree keeps its width and what is open', async () => {
    const page = await on.open('/dateien')
    const items = page.getByRole('treeitem', { name: 'items' })
    await items.focus()
    await page.keyboard.press('ArrowRight')
    await page.getByRole('treeitem', { name: 'old' }).waitFor()
    const handle = page.getByRole('separator', { name: 'Breite der Ordnerliste' })
    await handle.focus()
    await page.keyboard.press('ArrowRight')
    expect(await handle.getAttribute('aria-valuenow')).toBe('232')
    await page.reload()
    await page.getByRole('treeitem', { name: 'old' }).waitFor()
    expect(await handle.getAttribute('aria-valuenow')).toBe('232')
  })
})

describe('one file', () => {
  test('the drawer: address copied, all fields, history, the next file, the back button', async () => {
    const page = await on.open('/dateien?ordner=items', { context: CLIPBOARD })
    await link(page, 'apple.png').dblclick()
    const open = drawer(page)
    await open.getByRole('heading', { name: 'apple.png' }).waitFor()
    expect(addressOf(page).searchParams.get('datei')).toBe('items/apple.png')
    await open.getByRole('button', { name: 'Adresse kopieren' }).click()
    await page.getByText('Adresse kopiert.').waitFor()
    expect(await clipboard(page)).toMatch(/^http:\/\/.*\/f\/items\/apple\.png$/)
    for (const text of ['40 × 30 px', 'image/png', 'Hochgeladen']) {
      await open.getByText(text, { exact: false }).first().waitFor()
    }
    await open.getByRole('button', { name: 'Nächste Datei' }).click()
    await open.getByRole('heading', { name: 'bread.txt' }).waitFor()
    await page.goBack()
    await open.waitFor({ state: 'detached' })
    await link(page, 'apple.png').waitFor()
  })

  leftToLong('a clip plays, and a link to a file that is gone says so', async () => {
    const page = await on.open('/dateien?ordner=clips&datei=clips/clip.mp4', { expected: [REFUSED] })
    await drawer(page).locator('video').waitFor()
    const length = () => page.evaluate(`document.querySelector('aside video').duration > 0.4`)
    await eventually('the clip has loaded', length)
    await page.goto(`${on.service.url}/dateien?datei=clips/gone.mp4`)
    await drawer(page).getByText('Diese Datei gibt es hier nicht mehr.').waitFor()
  })

  leftToLong(
    'renamed in the drawer: how often it was retrieved, refused with the sentence, done, taken back',
    async () => {
      await fill(on.service, on.token, ['names/a.txt', 'names/b.txt'])
      await setRetrievals(on.service.dataDir, 'names/a.txt', 1204)
      const page = await on.open('/dateien?ordner=names&datei=names/a.txt', { expected: [REFUSED] })
      const open = drawer(page)
      await open.getByRole('button', { name: 'Umbenennen' }).click()
      await open.getByText('Die Adresse ändert sich. Sie wurde bisher 1.204-mal abgerufen.').waitFor()
      await open.getByLabel('Neuer Name').fill('b.txt')
      await page.keyboard.press('Enter')
      await open.locator('.mantine-InputWrapper-error').waitFor()
      expect(await open.getByLabel('Neuer Name').inputValue()).toBe('b.txt')
      await open.getByLabel('Neuer Name').fill('c.txt')
      await page.keyboard.press('Enter')
      await open.getByRole('heading', { name: 'c.txt' }).waitFor()
      // The history of this file includes its upload under the old name.
      await open.getByRole('listitem').filter({ hasText: 'Umbenannt' }).waitFor()
      await open.getByRole('listitem').filter({ hasText: 'Hochgeladen' }).waitFor()
      expect(await status('names/c.txt')).toBe(200)
      expect(addressOf(page).searchParams.get('datei')).toBe('names/c.txt')
      await page.getByRole('button', { name: 'Rückgängig' }).click()
      await open.getByRole('heading', { name: 'a.txt' }).waitFor()
      expect(await status('names/a.txt')).toBe(200)
      expect(await status('names/c.txt')).toBe(404)
    },
  )

  test('deleted and taken back, by button and by key', async () => {
    await fill(on.service, on.token, ['waste/a.txt', 'waste/b.txt'])
    const page = await on.open('/dateien?ordner=waste')
    await link(page, 'a.txt').focus()
    await page.keyboard.press('Delete')
    await page.getByText('„a.txt“ liegt im Papierkorb. Die Adresse wurde noch nie abgerufen.').waitFor()
    await card(page, 'a.txt').waitFor({ state: 'detached' })
    expect(await status('waste/a.txt')).toBe(404)
    // The next file has the focus, so the user can continue.
    expect(await page.evaluate('document.activeElement.textContent')).toContain('b.txt')
    await page.keyboard.press('Control+z')
    await card(page, 'a.txt').waitFor()
    expect(await names(page)).toEqual(['a.txt', 'b.txt'])
    expect(await status('waste/a.txt')).toBe(200)
  })

  leftToLong('one that cannot come back says why', async () => {
    await fill(on.service, on.token, ['taken/a.txt', 'taken/b.txt'])
    const page = await on.open('/dateien?ordner=taken')
    await link(page, 'a.txt').focus()
    await page.keyboard.press('Delete')
    await card(page, 'a.txt').waitFor({ state: 'detached' })
    await store(on.service, on.token, 'taken/a.txt', 'somebody else')
    await page.getByRole('button', { name: 'Rückgängig' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: /taken\/a\.txt|belegt|schon/ })
      .first()
      .waitFor()
    expect(await (await read(on.service, 'taken/a.txt')).text()).toBe('somebody else')
  })
})

describe('moving', () => {
  leftToLong(
    'by the dialog, into a folder that is made by it; a taken name is refused with its reason',
    async () => {
      await fill(on.service, on.token, ['from/a.txt', 'from/b.txt', 'from/c.txt', 'full/b.txt'])
      const page = await on.open('/dateien?ordner=from')
      await link(page, 'a.txt').focus()
      await page.keyboard.press('m')
      const dialog = page.getByRole('dialog', { name: '„a.txt“ verschieben' })
      await dialog.getByText('Die Adresse ändert sich. Sie wurde noch nie abgerufen.').waitFor()
      await dialog.getByLabel('Zielordner').fill('fresh/inner')
      await dialog.getByRole('button', { name: 'Hierher verschieben' }).click()
      await page.getByText('„a.txt“ liegt jetzt in „fresh/inner“.').waitFor()
      await eventually('it is there', async () => (await status('fresh/inner/a.txt')) === 200)

      await card(page, 'a.txt').waitFor({ state: 'detached' })
      await page.keyboard.press('a')
      await page.getByRole('region', { name: 'Auswahl' }).getByRole('button', { name: 'Verschieben' }).click()
      const both = page.getByRole('dialog', { name: '2 Dateien verschieben' })
      await both.getByRole('treeitem', { name: 'full' }).click()
      await both.getByRole('button', { name: 'Hierher verschieben' }).click()
      await both.getByText('Nicht verschoben:').waitFor()
      await both.getByText(/from\/b\.txt:/).waitFor()
      await both.getByRole('button', { name: 'Schließen' }).last().click()
      expect(await status('full/c.txt')).toBe(200)
      expect(await status('from/b.txt')).toBe(200)
    },
  )

  test('by dragging onto a folder of the tree, and back by Strg+Z', async () => {
    await fill(on.service, on.token, ['drag/a.txt', 'drag/b.txt', 'drop/z.txt'])
    const page = await on.open('/dateien?ordner=drag', { expected: [REFUSED] })
    await link(page, 'a.txt').click()
    await link(page, 'b.txt').click({ modifiers: ['Shift'] })
    await card(page, 'b.txt').dragTo(page.getByRole('treeitem', { name: 'drop' }))
    await page.getByText('2 Dateien liegen jetzt in „drop“.').waitFor()
    expect(await status('drop/a.txt')).toBe(200)
    await page.keyboard.press('Control+z')
    await eventually('both are back', async () => (await status('drag/b.txt')) === 200)
    expect(await status('drop/b.txt')).toBe(404)
  })
})

describe('folders', () => {
  leftToLong('renamed from the menu; the page goes along, and back', async () => {
    await fill(on.service, on.token, ['season/one/a.txt'])
    const page = await on.open('/dateien?ordner=season/one')
    await page.getByRole('treeitem', { name: 'season' }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Umbenennen' }).click()
    const dialog = page.getByRole('dialog', { name: '„season“ umbenennen' })
    await dialog.getByText('Die Adresse ändert sich.').waitFor()
    await dialog.getByLabel('Neuer Name').fill('series')
    await page.keyboard.press('Enter')
    await eventually('the address follows', () => addressOf(page).searchParams.get('ordner') === 'series/one')
    await link(page, 'a.txt').waitFor()
    await page.getByRole('button', { name: 'Rückgängig' }).click()
    await eventually('and returns', () => addressOf(page).searchParams.get('ordner') === 'season/one')
    expect(await status('season/one/a.txt')).toBe(200)
  })

  leftToLong('deleted with all that is in it, and taken back', async () => {
    await fill(on.service, on.token, ['bin/a.txt', 'bin/deep/b.txt'])
    const page = await on.open('/dateien?ordner=bin')
    await page.getByRole('button', { name: 'Mehr zu diesem Ordner' }).click()
    await page.getByRole('menuitem', { name: 'Löschen' }).click()
    await page.getByText('Ordner „bin“ mit 2 Dateien liegt im Papierkorb.').waitFor()
    expect(await status('bin/deep/b.txt')).toBe(404)
    await page.getByRole('button', { name: 'Rückgängig' }).click()
    await eventually('all of it is back', async () => (await status('bin/deep/b.txt')) === 200)
    expect(await status('bin/a.txt')).toBe(200)
  })
})

leftToLong('what somebody else uploads appears by itself and moves nothing', async () => {
  await fill(on.service, on.token, ['live/b.txt', 'live/d.txt'])
  const page = await on.open('/dateien?ordner=live')
  await link(page, 'd.txt').waitFor()
  const events = page.waitForResponse(response => response.url().endsWith('/ereignisse'))
  await page.reload()
  await events
  await link(page, 'd.txt').waitFor()
  await store(on.service, on.token, 'live/a.txt', 'new')
  await link(page, 'a.txt').waitFor()
  expect(await names(page)).toEqual(['b.txt', 'd.txt', 'a.txt'])
  await page.getByRole('button', { name: 'Eine neue Datei einordnen' }).click()
  expect(await names(page)).toEqual(['a.txt', 'b.txt', 'd.txt'])
})

describe('accessibility', () => {
  const nothingSerious = async (scheme: 'light' | 'dark') => {
    const page = await on.open('/dateien?ordner=items', { scheme })
    await files(page).waitFor()
    await page.keyboard.press('a')
    await page.getByRole('region', { name: 'Auswahl' }).waitFor()
    await axe(page, { always: true })
    await showAs(page, 'Liste')
    await page.getByRole('table').waitFor()
    await page.getByRole('link', { name: 'apple.png' }).dblclick()
    await drawer(page).getByText('Hochgeladen').waitFor()
    await axe(page)
  }
  test('nothing serious, light', () => nothingSerious('light'))
  leftToLong('nothing serious, dark', () => nothingSerious('dark'))

  leftToLong('on a phone, with the folders behind a button', async () => {
    const page = await on.open('/dateien?ordner=items', {
      viewport: PHONE,
      context: { hasTouch: true, isMobile: true },
    })
    await link(page, 'apple.png').tap()
    await page.getByRole('dialog').getByRole('button', { name: 'Mehr', exact: true }).tap()
    await page.getByRole('menuitem', { name: 'Einzelheiten' }).tap()
    await drawer(page).getByRole('heading', { name: 'apple.png' }).waitFor()
    await axe(page)
    await drawer(page).getByRole('button', { name: 'Schließen' }).tap()
    await page.getByRole('button', { name: 'Ordner zeigen' }).tap()
    await page.getByRole('treeitem', { name: 'other' }).tap()
    await page.getByRole('heading', { level: 1, name: 'other' }).waitFor()
    const sideways = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
    expect(sideways).toBe(false)
  })
})
