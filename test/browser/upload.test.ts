/**
 * Uploading in a real browser: drop, folders, clipboard, address, archives; questions before, results after.
 */

import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { read, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { leftToLong } from '../support/left-out.ts'
import { eventually } from '../support/wait.ts'
import { zip } from '../support/zip.ts'
import { axe, clipboard, dashboardTest } from './dashboard.ts'
import { chooseBy, desktop, dragOver, drop, pasteFile } from './drops.ts'

const on = dashboardTest()
beforeAll(() =>
  dash(on.service, 'einstellungen', { method: 'PUT', json: { MAX_UPLOAD_MB: 1 }, session: on.session }),
)

const text = async (path: string) => {
  const response = await read(on.service, path)
  return response.status === 200 ? response.text() : response.status
}
const list = (page: Page) => page.getByRole('region', { name: 'Hochladen', exact: true }).first()
const untilDone = (page: Page, summary: string) =>
  list(page).getByText(summary, { exact: true }).first().waitFor()
const menu = async (page: Page, item: string) => {
  await page.getByRole('button', { name: 'Hochladen', exact: true }).click()
  return page.getByRole('menuitem', { name: item })
}
const go = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

describe('files come in', () => {
  test('by dropping: says where, keeps folders, small letters, address to copy', async () => {
    await store(on.service, on.token, 'ziel/da.txt', 'da')
    await using from = await desktop({
      'Pack/Eins.TXT': 'eins',
      'Pack/tief/zwei.txt': 'zwei',
      'drei.txt': 'drei',
    })
    const page = await on.open('/dateien?ordner=ziel', {
      context: { permissions: ['clipboard-read', 'clipboard-write'] },
    })
    const main = page.getByRole('main')
    await page.getByText('da.txt').first().waitFor()
    const files = await dragOver(page, [from.path('Pack'), from.path('drei.txt')], main)
    await page.getByRole('status').getByText('Nach ziel').waitFor()
    await files.drop()
    await untilDone(page, '3 Dateien hochgeladen')
    // Below the pointer it does not fold.
    await list(page).hover()
    expect(
      await Promise.all(['ziel/pack/eins.txt', 'ziel/pack/tief/zwei.txt', 'ziel/drei.txt'].map(text)),
    ).toEqual(['eins', 'zwei', 'drei'])
    await list(page).getByText('Pack/Eins.TXT', { exact: true }).waitFor()
    await list(page).getByRole('button', { name: 'Adresse kopieren' }).last().click()
    expect(await clipboard(page)).toMatch(/\/f\/ziel\/(pack|drei)/)
    await axe(page)
  })

  leftToLong('by choosing a folder, and files; the list survives a change of page', async () => {
    await using from = await desktop({
      'Album/a.txt': 'a',
      'Album/innen/b.txt': 'b',
      'c.txt': 'c',
      '.DS_Store': 'x',
    })
    const page = await on.open('/dateien')
    await chooseBy(page, await menu(page, 'Ordner wählen'), from.path('Album'))
    await untilDone(page, '2 Dateien hochgeladen')
    await page.getByRole('link', { name: 'Papierkorb' }).click()
    await page.getByRole('heading', { name: 'Papierkorb', level: 1 }).waitFor()
    await chooseBy(page, await menu(page, 'Dateien wählen'), [from.path('c.txt'), from.path('.DS_Store')])
    await untilDone(page, '3 Dateien hochgeladen')
    // Files uploaded together are one line of the history; a file alone has its own.
    await page.goto(`${on.service.url}/verlauf`)
    await page.getByText('admin hat c.txt hochgeladen').waitFor()
    await page.getByRole('button', { name: 'admin hat 2 Dateien hochgeladen' }).click()
    await page.getByText('admin hat album/innen/b.txt hochgeladen').waitFor()
    expect(await Promise.all(['album/a.txt', 'album/innen/b.txt', 'c.txt'].map(text))).toEqual([
      'a',
      'b',
      'c',
    ])
  })

  leftToLong('by pasting: a picture gets a name with the moment in it', async () => {
    const page = await on.open('/dateien?ordner=ziel')
    await page.getByRole('main').waitFor()
    await pasteFile(page, 'image.png', 'kein echtes Bild')
    await untilDone(page, 'Eine Datei hochgeladen')
    await list(page)
      .getByText(/^ziel\/bild-\d{4}-\d\d-\d\d-\d{6}/)
      .first()
      .waitFor({ state: 'attached' })
  })

  leftToLong(
    'an archive is unpacked; what of it was refused is said, and can be put over what is there',
    async () => {
      await store(on.service, on.token, 'paket/alt.txt', 'alt')
      const archive = zip([
        { name: 'alt.txt', content: 'neu' },
        { name: 'dazu.txt', content: 'dazu' },
        // In code page 437, as Windows packs it.
        { name: Buffer.from([0x81, ...Buffer.from('ber uns.txt')]), content: 'wir', flags: 0 },
      ])
      await using from = await desktop({ 'Mein Paket.zip': archive })
      const page = await on.open('/dateien?ordner=paket')
      await page.getByText('alt.txt').first().waitFor()
      await drop(page, [from.path('Mein Paket.zip')], page.getByRole('main'))
      await list(page)
        .getByText(/alt\.txt: .*liegt schon eine Datei/)
        .waitFor()
      expect(await Promise.all(['paket/alt.txt', 'paket/dazu.txt'].map(text))).toEqual(['alt', 'dazu'])
      await go(page, 'Vorhandenes überschreiben')
      await untilDone(page, '3 Dateien hochgeladen')
      expect(await Promise.all(['paket/alt.txt', 'paket/ueber-uns.txt'].map(text))).toEqual(['neu', 'wir'])
    },
  )

  leftToLong(
    'from an address: what the service refuses stands beside the field, and nothing typed is lost',
    async () => {
      const page = await on.open('/dateien', { expected: [/status of 400/] })
      await (await menu(page, 'Von einer Adresse holen')).click()
      const address = page.getByLabel('Adresse der Datei')
      await address.fill('http://127.0.0.1/geheim.png')
      await axe(page)
      await go(page, 'Holen')
      await page
        .locator('.mantine-InputWrapper-error', { hasText: 'führt zu diesem Rechner selbst' })
        .waitFor()
      expect(await address.inputValue()).toBe('http://127.0.0.1/geheim.png')
    },
  )
})

describe('before anything is sent', () => {
  const answerDialog = async (choice: string, button: string, expected: Record<string, string | number>) => {
    const folder = Object.keys(expected)[0]!.slice(0, 2)
    await store(on.service, on.token, `${folder}/a.txt`, 'alt')
    await using from = await desktop({ 'A.txt': 'neu a', 'b.txt': 'neu b' })
    const scheme = choice === 'Umbenennen' ? 'dark' : 'light'
    const page = await on.open(`/dateien?ordner=${folder}`, { scheme })
    await page.getByText('a.txt').first().waitFor()
    await drop(page, [from.path('A.txt'), from.path('b.txt')], page.getByRole('main'))
    await page.getByRole('heading', { name: 'Eine Datei gibt es dort schon' }).waitFor()
    await page.getByRole('radio', { name: choice }).check()
    if (scheme === 'dark') await axe(page)
    await go(page, button)
    await list(page)
      .getByText(/Datei(en)? hochgeladen/)
      .first()
      .waitFor()
    await eventually('everything is stored', async () => (await text(`${folder}/b.txt`)) === 'neu b')
    const found = await Promise.all(Object.keys(expected).map(text))
    expect(found).toEqual(Object.values(expected))
  }
  test('conflicts are asked once for all: Umbenennen', () =>
    answerDialog('Umbenennen', '2 Dateien hochladen', {
      'k3/a.txt': 'alt',
      'k3/b.txt': 'neu b',
      'k3/a-2.txt': 'neu a',
    }))
  leftToLong.each([
    ['Überspringen', 'Eine Datei hochladen', { 'k1/a.txt': 'alt', 'k1/b.txt': 'neu b', 'k1/a-2.txt': 404 }],
    ['Überschreiben', '2 Dateien hochladen', { 'k2/a.txt': 'neu a', 'k2/b.txt': 'neu b', 'k2/a-2.txt': 404 }],
  ] as [string, string, Record<string, string | number>][])(
    'conflicts are asked once for all: %s',
    answerDialog,
  )

  leftToLong(
    'names are cleaned when that is accepted; too large and empty are said, and stay behind',
    async () => {
      await using from = await desktop({
        'Über uns (1).txt': 'uns',
        'gross.bin': new Uint8Array(1024 * 1024 + 1),
        'leer.txt': '',
      })
      const page = await on.open('/dateien')
      const paths = ['Über uns (1).txt', 'gross.bin', 'leer.txt'].map(name => from.path(name))
      await chooseBy(page, await menu(page, 'Dateien wählen'), paths)
      const dialog = page.getByRole('dialog', { name: 'Vor dem Hochladen' })
      await dialog.getByText('1 MB, erlaubt sind 1 MB').waitFor()
      await dialog.getByText('die Datei ist leer').waitFor()
      await dialog.getByText('ueber-uns-1.txt').first().waitFor()
      await axe(page)
      await dialog.getByRole('switch', { name: 'Namen anpassen' }).uncheck()
      await dialog.getByRole('button', { name: 'Nichts hochzuladen' }).waitFor()
      await dialog.getByRole('switch', { name: 'Namen anpassen' }).check()
      await dialog.getByRole('button', { name: 'Eine Datei hochladen' }).click()
      await untilDone(page, 'Eine Datei hochgeladen, 2 nicht')
      expect(await text('ueber-uns-1.txt')).toBe('uns')
    },
  )
})

describe('while it runs', () => {
  test('cancel and retry, and leaving warns', async () => {
    await using from = await desktop({ 'lang.txt': 'lang' })
    const page = await on.open('/dateien')
    // No upload gets through until the test allows it.
    await page.route('**/api/dash/upload', () => {})
    await chooseBy(page, await menu(page, 'Dateien wählen'), from.path('lang.txt'))
    const cancel = list(page).getByRole('button', { name: 'lang.txt abbrechen' })
    await cancel.waitFor()

    const warned = page.waitForEvent('dialog')
    await page.close({ runBeforeUnload: true })
    const warning = await warned
    expect(warning.type()).toBe('beforeunload')
    await warning.dismiss()

    await cancel.click()
    await list(page).getByText('abgebrochen').waitFor()
    expect(await text('lang.txt')).toBe(404)
    await page.unroute('**/api/dash/upload')
    await list(page).getByRole('button', { name: 'lang.txt erneut versuchen' }).click()
    await untilDone(page, 'Eine Datei hochgeladen')
    expect(await text('lang.txt')).toBe('lang')
    await list(page).getByRole('button', { name: 'Liste leeren' }).click()
    await list(page).waitFor({ state: 'detached' })
  })

  leftToLong('the service goes away: it waits, and goes on by itself', async () => {
    await using from = await desktop({ 'spaeter.txt': 'später' })
    const page = await on.open('/dateien', { expected: [/ERR_/] })
    await page.route(/\/(api\/dash\/upload|health)$/, route => route.abort())
    await chooseBy(page, await menu(page, 'Dateien wählen'), from.path('spaeter.txt'))
    await list(page)
      .getByText(/^wartet/)
      .first()
      .waitFor()
    await page.unroute(/\/(api\/dash\/upload|health)$/)
    await untilDone(page, 'Eine Datei hochgeladen')
    expect(await text('spaeter.txt')).toBe('später')
  })
})
