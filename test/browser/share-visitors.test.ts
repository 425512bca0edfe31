/**
 * The page of a share link in a stranger's browser: the viewer by mouse, keys and finger, the ways, the ZIP.
 */

import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { leftToLong } from '../support/left-out.ts'
import { media } from '../support/media.ts'
import { jpeg, png } from '../support/pictures.ts'
import { seedFiles } from '../support/seed.ts'
import { type Share, share } from '../support/shares.ts'
import { eventually } from '../support/wait.ts'
import { axe, clipboard, dashboardTest, PHONE } from './dashboard.ts'
import { CLIPBOARD } from './gallery-page.ts'

const on = dashboardTest()
const SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="5" fill="teal"/></svg>'
let schluessel = ''

beforeAll(async () => {
  const files = {
    'fest/01-hafen.jpg': await jpeg({ width: 1600, height: 1000 }),
    'fest/02-turm.png': await png({ width: 400, height: 900 }),
    'fest/03-zeichen.svg': new TextEncoder().encode(SVG),
    'fest/04-kaputt.png': (await png()).slice(0, 20),
    'fest/05-film.webm': media('clip.webm'),
    'fest/06-ton.mp3': media('tone.mp3'),
    'fest/07-liste.txt': new TextEncoder().encode('eins'),
    'fest/tag-2/08-boot.jpg': await jpeg({ width: 800, height: 800 }),
    'fest/tag-2/abend/09-feuer.jpg': await jpeg({ width: 900, height: 600 }),
  }
  for (const [path, bytes] of Object.entries(files)) await store(on.service, on.token, path, bytes)
  schluessel = (await share(on.service, on.session, 'fest')).schluessel
  await eventually(
    'the previews',
    async () => (await fetch(`${on.service.url}/t/fest/tag-2/08-boot.jpg.webp`)).ok,
  )
})

const visit = (options: Parameters<typeof on.open>[1] = {}, tail = '') =>
  on.open(`/s/${schluessel}${tail}`, { signedOut: true, ...options })
const viewer = (page: Page) => page.getByRole('dialog')
const shown = (page: Page) => viewer(page).locator('b').textContent()
const isOpen = (page: Page) => page.evaluate("document.getElementById('viewer').open")
const open = (page: Page, name: string | RegExp) => page.getByRole('link', { name }).click()
const stage = (page: Page) => page.locator('#viewer-stage')

describe('the viewer', () => {
  test('opens a picture as large as the window, and steps by keys through every kind; Space plays', async () => {
    const page = await visit()
    await open(page, /01-hafen/)
    const picture = stage(page).locator('img')
    await eventually('the picture itself is there', () =>
      page.evaluate("document.querySelector('#viewer-stage img').naturalWidth === 1600"),
    )
    const box = (await picture.boundingBox())!
    expect([box.width, box.height > 700, box.y + box.height]).toEqual([1280, true, 800])
    expect(await viewer(page).getByText('Bild · ').textContent()).toContain('1 von 9')
    for (const name of ['02-turm.png', '03-zeichen.svg', '04-kaputt.png', '05-film.webm']) {
      await page.keyboard.press('ArrowRight')
      expect(await shown(page)).toBe(name)
    }
    await eventually('the film can play', () =>
      page.evaluate("document.querySelector('#viewer-stage video').readyState >= 2"),
    )
    await page.keyboard.press('Space')
    await eventually('it plays', () => page.evaluate("!document.querySelector('#viewer-stage video').paused"))
    await page.keyboard.press('ArrowRight')
    expect(await stage(page).locator('audio').count()).toBe(1)
    await page.keyboard.press('ArrowRight')
    await viewer(page).getByText('Für diese Datei gibt es keine Ansicht.').waitFor()
    expect(await viewer(page).getByRole('link', { name: 'Datei öffnen' }).getAttribute('href')).toEndWith(
      '/f/fest/07-liste.txt',
    )
    await page.keyboard.press('End')
    expect(await shown(page)).toBe('09-feuer.jpg')
    expect(await viewer(page).getByRole('button', { name: 'Nächste Datei' }).count()).toBe(0)
    await page.keyboard.press('Home')
    expect(await shown(page)).toBe('01-hafen.jpg')
  })

  test('back closes it, Escape closes it, and the focus is where it was; a link to a file opens it', async () => {
    const page = await visit()
    const address = page.url()
    await open(page, /02-turm/)
    expect(page.url()).toBe(`${address}#02-turm.png`)
    await page.goBack()
    expect([await isOpen(page), page.url()]).toEqual([false, address])
    await open(page, /02-turm/)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Escape')
    await eventually('it is closed', async () => !(await isOpen(page)))
    expect(page.url()).toBe(address)
    expect(await page.evaluate('document.activeElement.dataset.name')).toBe('03-zeichen.svg')

    const other = await visit({}, '#tag-2%2F08-boot.jpg')
    expect(await shown(other)).toBe('08-boot.jpg')
    await other.keyboard.press('Escape')
    expect([await isOpen(other), other.url()]).toEqual([false, address])
  })

  test('a picture without measures is whole, a damaged one is said to be', async () => {
    const page = await visit({}, '#03-zeichen.svg')
    const box = (await stage(page).locator('img').boundingBox())!
    expect(Math.min(box.width, box.height)).toBeGreaterThan(600)
    await page.keyboard.press('ArrowRight')
    await viewer(page).getByText('Diese Datei lässt sich hier nicht zeigen.').waitFor()
  })

  test('full size by a click, and the arrows step also then; c copies the address', async () => {
    const page = await visit({ context: CLIPBOARD }, '#01-hafen.jpg')
    await eventually('the picture itself is there', () =>
      page.evaluate("document.querySelector('#viewer-stage img').naturalWidth === 1600"),
    )
    await stage(page).locator('img').click()
    expect((await stage(page).locator('img').boundingBox())!.width).toBe(1600)
    expect(await viewer(page).getByRole('button', { name: 'Volle Größe' }).getAttribute('aria-pressed')).toBe(
      'true',
    )
    await page.keyboard.press('c')
    await viewer(page).getByText('Adresse kopiert.').waitFor()
    expect(await clipboard(page)).toEndWith('/f/fest/01-hafen.jpg')
    await page.keyboard.press('ArrowRight')
    expect(await shown(page)).toBe('02-turm.png')
  })

  test('on a phone a swipe steps, and one downward closes', async () => {
    const page = await visit({ viewport: PHONE, context: { hasTouch: true, isMobile: true } })
    const protocol = await page.context().newCDPSession(page)
    const swipe = async (from: [number, number], to: [number, number]) => {
      const touch = (type: string, points: [number, number][]) =>
        protocol.send('Input.dispatchTouchEvent', {
          type: type as 'touchStart',
          touchPoints: points.map(([x, y]) => ({ x, y })),
        })
      await touch('touchStart', [from])
      await touch('touchMove', [to])
      await touch('touchEnd', [])
    }
    await page.getByRole('link', { name: /01-hafen/ }).tap()
    await swipe([300, 400], [100, 410])
    await eventually('the next one', async () => (await shown(page)) === '02-turm.png')
    await swipe([100, 400], [300, 410])
    await eventually('the one before', async () => (await shown(page)) === '01-hafen.jpg')
    await swipe([200, 300], [205, 500])
    await eventually('it is closed', async () => !(await isOpen(page)))
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })

  test('goes on at the next page after the last file of this one', async () => {
    await seedFiles(on.service.dataDir, 'viele', 230)
    const many = await share(on.service, on.session, 'viele')
    const page = await on.open(`/s/${many.schluessel}#000200.png`, { signedOut: true, expected: [/404/] })
    expect(await shown(page)).toBe('000200.png')
    await page.keyboard.press('ArrowRight')
    await page.waitForURL('**nach=000200.png#000201.png')
    expect(await shown(page)).toBe('000201.png')
    await page.keyboard.press('Escape')
    await eventually('it is closed', async () => !(await isOpen(page)))
  })
})

test('folders lead down and up again; the ZIP is loaded', async () => {
  const page = await visit()
  const folders = page.getByRole('navigation', { name: 'Unterordner' })
  await folders.getByRole('link', { name: /^tag-2/ }).click()
  await page.getByRole('heading', { name: 'Ordner „tag-2“', level: 1 }).waitFor()
  expect(await page.getByRole('link', { name: /01-hafen/ }).count()).toBe(0)
  await folders.getByRole('link', { name: /^abend/ }).click()
  await page.getByRole('heading', { name: 'Ordner „abend“', level: 1 }).waitFor()
  await page.getByRole('navigation', { name: 'Ordner darüber' }).getByRole('link', { name: 'fest' }).click()
  await page.getByRole('link', { name: /01-hafen/ }).waitFor()
  const download = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Alles als ZIP' }).click()
  expect((await download).suggestedFilename()).toMatch(/^fest-\d{4}-\d\d-\d\d\.zip$/)
})

describe('nothing is wide, faint or without a name', () => {
  leftToLong.each([
    ['light', 'de'],
    ['dark', 'en'],
  ] as const)('in %s, %s, on a phone', async (scheme, language) => {
    const locale = language === 'de' ? 'de-DE' : 'en-GB'
    const page = await visit({ scheme, viewport: PHONE, context: { locale } })
    await page.getByText(language === 'de' ? 'Freigegeben von' : 'Shared by').waitFor()
    await axe(page, { always: true })
    await open(page, /02-turm/)
    await viewer(page)
      .getByRole('button', { name: language === 'de' ? 'Schließen' : 'Close' })
      .waitFor()
    await axe(page, { always: true })
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true)
  })
})

test('a share with an end: made, shown, changed, over', async () => {
  await store(on.service, on.token, 'ende/a.txt', 'a')
  const page = await on.open('/freigaben?neu=ende')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Gilt bis zum Ende dieses Tages').fill('2099-06-01')
  await dialog.getByRole('button', { name: 'Link erstellen' }).click()
  await dialog.getByText(/Er gilt bis .*2099/).waitFor()
  await axe(page)
  await dialog.getByRole('button', { name: 'Fertig' }).click()
  const made = async () =>
    ((await (await dash(on.service, 'freigaben', { session: on.session })).json()) as Share[]).find(
      ({ ordner }) => ordner === 'ende',
    )!
  expect((await made()).gueltig_bis).toBe(new Date('2099-06-02T00:00:00+02:00').getTime())
  const card = page.getByRole('listitem').filter({ hasText: 'ende' })
  await card.getByText(/gilt bis .*2099/).waitFor()

  await page.getByRole('button', { name: 'Ende ändern: Link auf „ende“' }).click()
  const field = dialog.getByLabel('Gilt bis zum Ende dieses Tages')
  expect(await field.inputValue()).toBe('2099-06-01')
  await field.fill('2020-01-01')
  await dialog.getByRole('button', { name: 'Speichern' }).click()
  await card.getByText(/abgelaufen seit .*2020/).waitFor()
  expect((await fetch(`${on.service.url}/s/${(await made()).schluessel}`)).status).toBe(404)

  await page.getByRole('button', { name: 'Ende ändern: Link auf „ende“' }).click()
  await field.fill('')
  await dialog.getByRole('button', { name: 'Speichern' }).click()
  await eventually('there is no end', async () => (await made()).gueltig_bis === null)
  await card.getByText(/gilt bis|abgelaufen/).waitFor({ state: 'detached' })
})
