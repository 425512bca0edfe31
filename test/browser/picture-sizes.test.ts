/**
 * Sizes of pictures in the dashboard: set in the settings, and loaded by the viewer where they are enough.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import { answered, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { jpeg } from '../support/pictures.ts'
import { eventually } from '../support/wait.ts'
import { axe, DESKTOP, dashboardTest, PHONE } from './dashboard.ts'
import { card, link } from './gallery-page.ts'
import { loaded, openViewer, picture, tool } from './viewer-page.ts'

const on = dashboardTest()

interface Setting {
  wert: { name: string; breite: number | null; hoehe: number | null; art: string; format: string }[]
}
const saved = async () => {
  const all = await dash(on.service, 'einstellungen', { session: on.session })
  return (await answered<{ BILDGROESSEN: Setting }>(all)).BILDGROESSEN.wert
}

const PICTURES = {
  'weit/weit.jpg': { width: 4000, height: 2500 },
  'weit/klein.jpg': { width: 900, height: 600 },
  'breit/panorama.jpg': { width: 6400, height: 2000 },
  'breit/foto.jpg': { width: 3000, height: 2000 },
  'breit/winzig.jpg': { width: 300, height: 200 },
}

beforeAll(async () => {
  for (const [path, measures] of Object.entries(PICTURES))
    await store(on.service, on.token, path, await jpeg(measures))
  for (const path of Object.keys(PICTURES))
    await eventually('its measures', async () => (await fetch(`${on.service.url}/t/${path}.webp`)).ok)
})

describe('the settings', () => {
  test('a size is added, refused with its sentence, corrected and removed', async () => {
    const page = await on.open('/einstellungen#bildgroessen')
    const group = page.getByRole('region', { name: 'Bildgrößen' })
    await group.getByRole('button', { name: 'Größe hinzufügen' }).click()
    const fourth = group.getByRole('listitem', { name: 'Größe 4' })
    await fourth.getByLabel('Name').fill('Groß')
    await fourth.getByLabel('Breite in Pixeln').fill('400')
    await fourth.getByLabel('Höhe in Pixeln').fill('')
    await fourth.getByLabel('Format').selectOption({ label: 'WebP' })
    await group.getByRole('button', { name: 'Speichern' }).click()
    await group.getByText(/^Muss für jede Größe einen Namen haben/).waitFor()
    await axe(page)
    await fourth.getByLabel('Name').fill('karte')
    await group.getByRole('button', { name: 'Speichern' }).click()
    await page.getByText('Gespeichert: Größen.').waitFor()
    expect((await saved()).at(-1)).toEqual({
      ...{ name: 'karte', breite: 400, hoehe: null },
      ...{ art: 'einpassen', format: 'webp' },
    })
    expect((await fetch(`${on.service.url}/b/karte/weit/weit.jpg`)).headers.get('content-type')).toBe(
      'image/webp',
    )
    await fourth.getByRole('button', { name: 'Größe karte entfernen' }).click()
    await group.getByRole('button', { name: 'Speichern' }).click()
    await eventually('it is removed', async () => (await saved()).length === 3)
  })

  test.each(['de', 'en'] as const)('on a phone nothing is cut off, in %s', async language => {
    const page = await on.open('/einstellungen#bildgroessen', { viewport: PHONE, language, scheme: 'dark' })
    await page.getByRole('button', { name: language === 'de' ? 'Größe hinzufügen' : 'Add size' }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })
})

describe('the viewer', () => {
  const open = openViewer(on)

  test('shows a size that is enough, and the original once it is enlarged', async () => {
    const page = await open('weit/weit.jpg', { viewport: DESKTOP })
    await loaded(page, 'weit.jpg')
    const source = () => picture(page, 'weit.jpg').getAttribute('src')
    expect(await source()).toBe('/b/gross/weit/weit.jpg')
    await tool(page, 'Größer').click()
    await eventually('the original', async () => (await source()) === '/api/dash/inhalt/weit/weit.jpg')
  })

  test('shows a picture that is hardly larger than the window as it is', async () => {
    const page = await open('weit/klein.jpg', { viewport: DESKTOP })
    await loaded(page, 'klein.jpg')
    expect(await picture(page, 'klein.jpg').getAttribute('src')).toBe('/api/dash/inhalt/weit/klein.jpg')
  })
})

describe('the gallery', () => {
  /** Opens the folder and answers which of its pictures had a size asked for, once `sharp` has it. */
  async function askedFor(sharp: string, pixelRatio: number): Promise<string[]> {
    const page = await on.open('/anmelden', { context: { deviceScaleFactor: pixelRatio } })
    const asked: string[] = []
    page.on('request', request => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/b/')) asked.push(pathname)
    })
    await page.goto(`${on.service.url}/dateien?ordner=breit`)
    await link(page, 'panorama.jpg').waitFor()
    await card(page, sharp).locator('img[data-sharper="loaded"]').waitFor()
    // Others would have asked by then: the outlines of all cards are drawn together.
    await Bun.sleep(500)
    return asked.sort()
  }

  test('a panorama is sharp in a row, others need no second request', async () => {
    expect(await askedFor('panorama.jpg', 1)).toEqual(['/b/mittel/breit/panorama.jpg'])
  })

  test('on a dense screen each picture that has more pixels is sharp', async () => {
    expect(await askedFor('foto.jpg', 3)).toEqual(['/b/gross/breit/panorama.jpg', '/b/mittel/breit/foto.jpg'])
  })

  test('a size that does not come leaves the preview', async () => {
    const page = await on.open('/anmelden', { expected: [/ERR_FAILED/] })
    let asked = 0
    await page.route('**/b/**', route => {
      asked++
      return route.abort()
    })
    await page.goto(`${on.service.url}/dateien?ordner=breit`)
    await eventually('it was asked for', async () => asked > 0)
    const images = card(page, 'panorama.jpg').locator('img')
    expect(
      await images.first().evaluate(image => (image as unknown as { naturalWidth: number }).naturalWidth),
    ).toBe(480)
    expect(await images.last().isVisible()).toBe(false)
  })
})
