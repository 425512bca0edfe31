/** Sizes of pictures in the dashboard: set in the settings, and loaded by the viewer where they are enough. */
import { beforeAll, describe, expect, test } from 'bun:test'
import { answered, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { jpeg } from '../support/pictures.ts'
import { eventually } from '../support/wait.ts'
import { axe, DESKTOP, dashboardTest, PHONE } from './dashboard.ts'
import { loaded, openViewer, picture, tool } from './viewer-page.ts'

const on = dashboardTest()

interface Setting {
  wert: { name: string; breite: number | null; hoehe: number | null; art: string; format: string }[]
}
const saved = async () => {
  const all = await dash(on.service, 'einstellungen', { session: on.session })
  return (await answered<{ BILDGROESSEN: Setting }>(all)).BILDGROESSEN.wert
}

beforeAll(async () => {
  await store(on.service, on.token, 'weit/weit.jpg', await jpeg({ width: 4000, height: 2500 }))
  await store(on.service, on.token, 'weit/klein.jpg', await jpeg({ width: 900, height: 600 }))
  for (const name of ['weit', 'klein'])
    await eventually(
      'its measures',
      async () => (await fetch(`${on.service.url}/t/weit/${name}.jpg.webp`)).ok,
    )
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
