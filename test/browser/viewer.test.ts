/** The viewer: one file as large as the window, with zoom, its neighbours, and its commands. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { store } from '../support/api.ts'
import { media } from '../support/media.ts'
import { photo } from '../support/photos.ts'
import { png } from '../support/pictures.ts'
import { eventually } from '../support/wait.ts'
import { axe, clipboard, DESKTOP, dashboardTest, PHONE, textOf } from './dashboard.ts'
import { addressOf, CLIPBOARD, drawer, link } from './gallery-page.ts'
import { loaded, middle, openViewer, picture, table, tool, touchOn, zoomIs, zoomOf } from './viewer-page.ts'

const on = dashboardTest()
const LUA = 'return {\n  apple = 1,\n  bread = 2,\n}\n'
/** More lines than are shown. */
const LONG = Array.from({ length: 30_000 }, (_, at) => `Zeile ${at + 1}`).join('\n')
const PDF =
  '%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n2 0 obj<</Type/Pages/Kids[]/Count 0>>endobj\n'

beforeAll(async () => {
  const large = await png({ width: 2400, height: 1600 })
  const stored: Record<string, string | Uint8Array<ArrayBuffer>> = {
    'pics/a.png': large,
    'pics/b.png': await png({ width: 1200, height: 1600, seed: 2 }),
    'pics/c.png': await png({ width: 64, height: 64, seed: 3 }),
    'kinds/clip.mp4': media('clip.mp4'),
    'kinds/code.lua': LUA,
    'kinds/data.bin': new Uint8Array([0, 1, 2, 3]),
    'kinds/long.txt': LONG,
    'kinds/rules.pdf': PDF,
    'kinds/tone.mp3': media('tone.mp3'),
    ...Object.fromEntries(
      Array.from({ length: 30 }, (_, at) => [`seiten/${String(at + 1).padStart(2, '0')}.txt`, 'x']),
    ),
    'seiten/31.png': await png({ width: 80, height: 60, seed: 4 }),
    ...Object.fromEntries(
      ['zug/1.txt', 'zug/2.txt', 'zug/3.txt', 'weg/1.txt', 'weg/2.txt', 'weg/3.txt', 'name/alt.txt'].map(
        path => [path, path],
      ),
    ),
    ...Object.fromEntries(
      Array.from({ length: 31 }, (_, at) => [`lang/${String(at + 1).padStart(2, '0')}.txt`, 'x']),
    ),
  }
  for (const [path, content] of Object.entries(stored)) await store(on.service, on.token, path, content)
  // If the preview exists, the dimensions are recorded too.
  const preview = `${on.service.url}/t/pics/a.png.webp`
  await eventually('the measures of a.png', async () => (await fetch(preview)).ok)
})

const openTable = openViewer(on)

test('information: when, with what and where it was taken; the keys of the table are in the sheet behind ?', async () => {
  await store(on.service, on.token, 'taken/foto.jpg', await photo('jpeg', { width: 120, height: 90 }))
  const page = await openTable('taken/foto.jpg')
  await loaded(page, 'foto.jpg')
  await page.keyboard.press('i')
  const facts = page.getByRole('complementary', { name: 'Angaben' })
  for (const fact of ['06.05.2024, 07:08', 'Kamera-Hersteller Geraet 7', '52.48333, 13.38333', '120 × 90 px'])
    await facts.getByText(fact, { exact: true }).waitFor()
  await axe(page)
  await page.keyboard.press('?')
  const sheet = page.getByRole('dialog', { name: 'Tasten' })
  for (const key of ['Vorige Datei', 'Originalgröße', 'Angaben']) await sheet.getByText(key).waitFor()
  // The list has no keys of the gallery, which is hidden.
  expect(await sheet.getByText('Alle auswählen').count()).toBe(0)
  await page.keyboard.press('Escape')
  await sheet.waitFor({ state: 'detached' })
  await table(page, 'foto.jpg').waitFor()
})

describe('a picture', () => {
  test('wheel and double click enlarge it at the pointer, 100 % shows its own pixels, dragging moves it', async () => {
    const page = await openTable('pics/a.png')
    await loaded(page, 'a.png')
    const fitted = await zoomOf(page)
    expect(fitted).toBeLessThan(60)
    const before = (await picture(page, 'a.png').boundingBox())!
    // The point under the pointer stays there.
    const point = { x: before.x + before.width / 4, y: before.y + before.height / 2 }
    await page.mouse.move(point.x, point.y)
    await page.mouse.wheel(0, -300)
    await zoomIs(page, now => now > fitted)
    const after = (await picture(page, 'a.png').boundingBox())!
    expect(Math.abs((point.x - after.x) / after.width - 0.25)).toBeLessThan(0.01)

    await page.mouse.move(...middle(DESKTOP))
    await page.mouse.down()
    await page.mouse.move(DESKTOP.width / 2 + 80, DESKTOP.height / 2 + 10, { steps: 4 })
    await page.mouse.up()
    await eventually(
      'it has moved',
      async () => (await picture(page, 'a.png').boundingBox())!.x > after.x + 20,
    )
    await table(page, 'a.png').waitFor()

    await tool(page, 'Einpassen').click()
    await zoomIs(page, now => now === fitted)
    await page.mouse.dblclick(...middle(DESKTOP))
    await zoomIs(page, now => now === 100)
    expect(Math.round((await picture(page, 'a.png').boundingBox())!.width)).toBe(2400)
    await page.mouse.dblclick(...middle(DESKTOP))
    await zoomIs(page, now => now === fitted)
    await tool(page, 'Originalgröße').click()
    await zoomIs(page, now => now === 100)
  })

  test('two fingers enlarge it; one finger moves on to the next file', async () => {
    const page = await openTable('pics/a.png', {
      viewport: PHONE,
      context: { hasTouch: true, isMobile: true },
    })
    await loaded(page, 'a.png')
    const fitted = await zoomOf(page)
    const touch = await touchOn(page)
    const [x, y] = middle(PHONE)
    await touch('touchStart', { x: x - 30, y }, { x: x + 30, y })
    await touch('touchMove', { x: x - 60, y }, { x: x + 60, y })
    await touch('touchMove', { x: x - 90, y }, { x: x + 90, y })
    await touch('touchEnd')
    await zoomIs(page, now => now > fitted * 2)
    await tool(page, 'Einpassen').click()
    await zoomIs(page, now => now === fitted)
    await touch('touchStart', { x: x + 100, y })
    for (const moved of [60, 0, -60, -100]) await touch('touchMove', { x: x + moved, y })
    await touch('touchEnd')
    await table(page, 'b.png').waitFor()
    // Full screen.
    expect(await table(page, 'b.png').boundingBox()).toEqual({ x: 0, y: 0, ...PHONE })
  })

  test('keys zoom, move and leaf; a small one keeps its size; the counter counts', async () => {
    const page = await on.open('/dateien?ordner=pics')
    await link(page, 'a.png').focus()
    await page.keyboard.press(' ')
    await loaded(page, 'a.png')
    await table(page, 'a.png').getByText('1 von 3').waitFor()
    const fitted = await zoomOf(page)
    await page.keyboard.press('+')
    await zoomIs(page, now => now > fitted)
    const before = (await picture(page, 'a.png').boundingBox())!
    await page.keyboard.press('Shift+ArrowRight')
    await eventually('it has moved', async () => (await picture(page, 'a.png').boundingBox())!.x < before.x)
    await page.keyboard.press('0')
    await zoomIs(page, now => now === fitted)
    await page.keyboard.press('1')
    await zoomIs(page, now => now === 100)
    // The arrows alone go on, enlarged or not.
    await page.keyboard.press('ArrowRight')
    await table(page, 'b.png').getByText('2 von 3').waitFor()
    await page.keyboard.press('ArrowRight')
    await loaded(page, 'c.png')
    await zoomIs(page, now => now === 100)
    expect(Math.round((await picture(page, 'c.png').boundingBox())!.width)).toBe(64)
    await page.keyboard.press('ArrowRight')
    await table(page, 'c.png').getByText('3 von 3').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await link(page, 'c.png').evaluate(element => element.matches(':focus'))).toBe(true)
  })

  test('its neighbours are loaded before they are asked for', async () => {
    const page = await on.open('/dateien?ordner=pics')
    await link(page, 'b.png').focus()
    const asked = ['a', 'c'].map(name => page.waitForRequest(`**/api/dash/inhalt/pics/${name}.png`))
    await page.keyboard.press(' ')
    await loaded(page, 'b.png')
    await Promise.all(asked)
  })
})

describe('the address', () => {
  test('holds the file: back closes, a link opens it', async () => {
    const page = await on.open('/dateien?ordner=pics')
    await link(page, 'b.png').focus()
    await page.keyboard.press(' ')
    await table(page, 'b.png').waitFor()
    expect(addressOf(page).searchParams.get('gross')).toBe('pics/b.png')
    await page.keyboard.press('ArrowLeft')
    await table(page, 'a.png').waitFor()
    await page.goBack()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await link(page, 'b.png').waitFor()
  })

  test('a file that is gone is said, and closes', async () => {
    const page = await on.open('/dateien?ordner=pics&gross=pics/nie.png', { expected: [/404/] })
    await page.getByRole('dialog').getByText('Diese Datei gibt es hier nicht mehr.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('at the end of a page the next page follows', async () => {
    const page = await on.open('/dateien?ordner=lang&anzahl=30&gross=lang/30.txt')
    await table(page, '30.txt').getByText('30 von 31').waitFor()
    await page.keyboard.press('ArrowRight')
    await table(page, '31.txt').getByText('31 von 31').waitFor()
    await page.keyboard.press('ArrowLeft')
    await table(page, '30.txt').getByText('30 von 31').waitFor()
  })
})

describe('what can be done with it', () => {
  test('its address copied, the file saved, its properties read', async () => {
    const page = await openTable('pics/a.png', { context: CLIPBOARD })
    await tool(page, 'Adresse kopieren').click()
    await tool(page, 'Kopiert').waitFor()
    expect(await clipboard(page)).toEndWith('/f/pics/a.png')
    await tool(page, 'Angaben').click()
    const facts = page.getByRole('complementary', { name: 'Angaben' })
    for (const fact of ['2400 × 1600 px', 'Bild', 'image/png', 'Abrufe']) {
      await facts.getByText(fact, { exact: true }).first().waitFor()
    }
    await page.keyboard.press('i')
    await facts.waitFor({ state: 'detached' })
    await page.keyboard.press('ArrowRight')
    const saved = page.waitForEvent('download')
    await table(page, 'b.png').getByRole('link', { name: 'Herunterladen' }).click()
    expect((await saved).suggestedFilename()).toBe('b.png')
    expect((await textOf(await saved)).length).toBeGreaterThan(1000)
  })

  test('deleted, the next one follows, and it can be taken back', async () => {
    // The folder disappears with its last file, and a page that requests it once more gets 404.
    const page = await openTable('weg/2.txt', { expected: [/404.*ordner=weg&/] })
    await table(page, '2.txt').getByText('2 von 3').waitFor()
    await page.keyboard.press('Delete')
    await table(page, '3.txt').getByText('2 von 2').waitFor()
    await tool(page, 'Löschen').click()
    await table(page, '1.txt').getByText('1 von 1').waitFor()
    await page.getByRole('button', { name: 'Rückgängig' }).last().click()
    await table(page, '1.txt').getByText('1 von 2').waitFor()
    await page.keyboard.press('Delete')
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
  })

  test('renamed, it stays open; Escape in the dialog closes only the dialog', async () => {
    const page = await openTable('name/alt.txt')
    await page.keyboard.press('r')
    const ask = page.getByRole('dialog', { name: '„alt.txt“ umbenennen' })
    await ask.waitFor()
    await ask.getByRole('button', { name: 'Abbrechen' }).focus()
    await page.keyboard.press('Escape')
    await ask.waitFor({ state: 'detached' })
    await tool(page, 'Umbenennen').click()
    await ask.getByLabel('Neuer Name').fill('neu.txt')
    await page.keyboard.press('Enter')
    await table(page, 'neu.txt').waitFor()
    expect(addressOf(page).searchParams.get('gross')).toBe('name/neu.txt')
  })
})

describe('the keys of the gallery, and its commands', () => {
  test('c copies the address, Shift+C the picture itself, the menu every other form', async () => {
    const page = await openTable('pics/b.png', { context: CLIPBOARD })
    await loaded(page, 'b.png')
    await page.keyboard.press('c')
    await page.getByText('Adresse kopiert.').waitFor()
    expect(await clipboard(page)).toEndWith('/f/pics/b.png')
    await page.keyboard.press('Shift+C')
    await page.getByText('Bild kopiert.').waitFor()
    expect(
      await page.evaluate(`(async () => {
        const [item] = await navigator.clipboard.read()
        const bitmap = await createImageBitmap(await item.getType('image/png'))
        return [item.types.join(), bitmap.width, bitmap.height]
      })()`),
    ).toEqual(['image/png', 1200, 1600])
    await tool(page, 'Kopieren als …').click()
    const form = (name: string) => page.getByRole('menuitem', { name, exact: true })
    for (const name of ['Nur Adresse', 'HTML', 'BBCode', 'Lua-Tabelle']) await form(name).waitFor()
    await form('Markdown').click()
    await eventually('it is copied', async () => /^!\[b\.png\]\(.*\)$/.test(await clipboard(page)))
    // While the menu is open, the arrow keys move within it.
    await tool(page, 'Mehr').click()
    await form('In neuem Fenster öffnen').waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Escape')
    await form('In neuem Fenster öffnen').waitFor({ state: 'detached' })
    await table(page, 'b.png').waitFor()
  })

  test('m moves, and the next one follows; x selects; Enter opens the details', async () => {
    const page = await openTable('zug/1.txt')
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Auswählen', pressed: true }).waitFor()
    await page.keyboard.press('x')
    await page.getByRole('button', { name: 'Auswählen', pressed: false }).waitFor()
    await page.keyboard.press('m')
    const ask = page.getByRole('dialog', { name: '„1.txt“ verschieben' })
    await ask.getByLabel('Zielordner').fill('zug-weg')
    await ask.getByRole('button', { name: 'Hierher verschieben' }).click()
    await table(page, '2.txt').getByText('1 von 2').waitFor()
    await page.keyboard.press('Enter')
    await drawer(page).getByRole('heading', { name: '2.txt' }).waitFor()
    await page.getByRole('dialog', { name: 'Vorschau' }).waitFor({ state: 'detached' })
    expect(addressOf(page).searchParams.get('gross')).toBe(null)
  })

  test('Shift+R turns the view by a quarter: all of it stays on the stage', async () => {
    const page = await openTable('pics/a.png')
    await loaded(page, 'a.png')
    const fitted = await zoomOf(page)
    await page.keyboard.press('Shift+R')
    await zoomIs(page, now => now < fitted)
    const { width, height } = (await picture(page, 'a.png').boundingBox())!
    expect(Math.round((height / width) * 100)).toBe(150)
    expect(height).toBeLessThanOrEqual(DESKTOP.height - 56 + 1)
    await page.keyboard.press('1')
    await zoomIs(page, now => now === 100)
    expect(Math.round((await picture(page, 'a.png').boundingBox())!.height)).toBe(2400)
    for (let at = 0; at < 3; at++) await tool(page, 'Ansicht drehen').click()
    await zoomIs(page, now => now === fitted)
  })

  test('the first picture of the next page is loaded ahead', async () => {
    const page = await on.open('/dateien?ordner=seiten&anzahl=30')
    const ahead = page.waitForRequest('**/api/dash/inhalt/seiten/31.png')
    await link(page, '30.txt').focus()
    await page.keyboard.press(' ')
    await table(page, '30.txt').waitFor()
    await ahead
  })
})

describe('other kinds', () => {
  test('a film and a sound have their players', async () => {
    const page = await openTable('kinds/clip.mp4')
    await eventually('the clip', () =>
      page.evaluate(`document.querySelector('[role=dialog] video')?.duration > 0.4`),
    )
    await page.goto(`${on.service.url}/dateien?ordner=kinds&gross=kinds/tone.mp3`)
    await eventually('the sound', () =>
      page.evaluate(`document.querySelector('[role=dialog] audio')?.duration > 0.1`),
    )
  })

  test('a text has numbered lines; of a long one the beginning is shown, and it says so', async () => {
    const page = await openTable('kinds/code.lua')
    const text = page.getByRole('region', { name: 'code.lua' })
    expect(await text.locator('code').innerText()).toBe(LUA)
    expect((await text.getByTestId('lines').innerText()).trim().split('\n')).toEqual(['1', '2', '3', '4'])
    await page.goto(`${on.service.url}/dateien?ordner=kinds&gross=kinds/long.txt`)
    const long = page.getByRole('region', { name: 'long.txt' })
    await long.getByText('Zeile 1', { exact: false }).first().waitFor()
    await page.getByText('Gezeigt wird nur der Anfang.').waitFor()
    expect(((await long.locator('code').innerText()) as string).split('\n').length).toBeLessThan(20_000)
    // The page beneath does not scroll: the text has the focus and scrolls itself.
    await long.focus()
    await page.keyboard.press('ArrowDown')
    await table(page, 'long.txt').waitFor()
  })

  test('a PDF is shown by the browser, from this origin', async () => {
    const page = await on.open('/dateien?ordner=kinds')
    const asked = page.waitForRequest('**/api/dash/inhalt/kinds/rules.pdf')
    await page.goto(`${on.service.url}/dateien?ordner=kinds&gross=kinds/rules.pdf`)
    expect((await asked).isNavigationRequest()).toBe(true)
    expect(await page.locator('iframe').getAttribute('title')).toBe('rules.pdf')
  })

  test('anything else has its sign, and the way to save it', async () => {
    const page = await openTable('kinds/data.bin')
    await table(page, 'data.bin').getByText('Keine Vorschau').waitFor()
    await table(page, 'data.bin').getByRole('link', { name: 'Herunterladen' }).waitFor()
  })
})

describe('without a mouse, and for the ear', () => {
  test('the drawer leads to it, for every kind', async () => {
    const page = await on.open('/dateien?ordner=kinds&datei=kinds/code.lua')
    await drawer(page).getByRole('button', { name: 'Groß ansehen' }).click()
    await page.getByRole('region', { name: 'code.lua' }).waitFor()
    await page.keyboard.press('Escape')
    await drawer(page).getByRole('heading', { name: 'code.lua' }).waitFor()
  })

  test('Tab reaches every tool and stays within', async () => {
    const page = await openTable('pics/b.png')
    await loaded(page, 'b.png')
    const reached = new Set<string>()
    for (let at = 0; at < 24; at++) {
      await page.keyboard.press('Tab')
      reached.add(
        (await page.evaluate(
          `document.activeElement.closest('[role=dialog]') ? document.activeElement.getAttribute('aria-label') : 'outside'`,
        )) as string,
      )
    }
    expect(reached.has('outside')).toBe(false)
    for (const name of [
      'Adresse kopieren',
      'Herunterladen',
      'Umbenennen',
      'Löschen',
      'Angaben',
      'Schließen',
      'Vorige Datei',
      'Nächste Datei',
      'Kleiner',
      'Größer',
      'Einpassen',
      'Originalgröße',
      'Ansicht drehen',
      'Verschieben',
      'Auswählen',
      'Mehr',
    ]) {
      expect([...reached]).toContain(name)
    }
  })

  test.each([
    ['light', DESKTOP],
    ['dark', DESKTOP],
    ['light', PHONE],
    ['dark', PHONE],
  ] as const)('axe finds nothing, %s at %j; nothing scrolls sideways', async (scheme, viewport) => {
    const page = await openTable('pics/a.png', { scheme, viewport })
    await loaded(page, 'a.png')
    await tool(page, 'Angaben').click()
    await page.getByRole('complementary', { name: 'Angaben' }).waitFor()
    await axe(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(viewport.width)
    await page.goto(`${on.service.url}/dateien?ordner=kinds&gross=kinds/code.lua`)
    await page.getByRole('region', { name: 'code.lua' }).waitFor()
    await axe(page)
  })
})
