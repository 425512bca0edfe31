/** What the user looks at does not move: late previews, the drawer, notices, slow answers, the toolbar. */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { jpeg } from '../support/pictures.ts'
import { eventually } from '../support/wait.ts'
import { DESKTOP, dashboardTest, PHONE } from './dashboard.ts'
import { desktop, drop } from './drops.ts'
import { drawer, files, fill, link } from './gallery-page.ts'

const on = dashboardTest()
const TABLET = { width: 820, height: 1180 }
const MANY = Array.from({ length: 70 }, (_, at) => `viele/datei-${String(at + 1).padStart(2, '0')}.txt`)
beforeAll(() => fill(on.service, on.token, [...MANY, 'langsam/alt.txt', 'langsam/neu/frisch.txt']))

interface Box {
  x: number
  y: number
  width: number
  height: number
}
const boxOf = async (what: Locator): Promise<Box> => (await what.boundingBox())!
const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
const scrolled = (page: Page) => page.evaluate('scrollY') as Promise<number>
const bar = (page: Page) => page.getByRole('region', { name: /^(Auswahl|Selection)$/ })

describe('new pictures are seen as soon as their previews are made', () => {
  const SEEN = `[...document.querySelectorAll('[data-file] img')].filter(img => img.complete && img.naturalWidth > 0).length === 8`

  test.each([
    ['told by the service', 'erzaehlt', true],
    ['also where no event arrives', 'gefragt', false],
  ])('%s', async (_how, folder, hasEvents) => {
    const photo = await jpeg({ width: 1200, height: 900 })
    const names = Array.from({ length: 8 }, (_, at) => `${folder}-${at}.jpg`)
    await using from = await desktop(Object.fromEntries(names.map(name => [name, photo])))
    await fill(on.service, on.token, [`${folder}/da.txt`])
    const page = await on.open('/anmelden')
    if (!hasEvents) {
      await page.addInitScript(
        'window.EventSource = class extends EventTarget { readyState = 1; close() {} }',
      )
    }
    await page.goto(`${on.service.url}/dateien?ordner=${folder}`)
    await link(page, 'da.txt').waitFor()
    await drop(page, names.map(from.path), page.getByRole('main'))
    await eventually('all pictures are seen', () => page.evaluate(SEEN) as Promise<boolean>)
  })
})

describe('the notice with the way back', () => {
  test.each([
    ['de', PHONE, 'Rückgängig'],
    ['de', DESKTOP, 'Rückgängig'],
    ['en', PHONE, 'Undo'],
  ] as const)(
    '%s at %j: its button is whole, and it covers neither bar nor pages',
    async (language, viewport, name) => {
      const folder = `weg-${language}-${viewport.width}`
      const long = `ein-sehr-langer-name-der-viel-platz-braucht-und-nicht-umbricht-${language}.txt`
      await fill(on.service, on.token, [`${folder}/a.txt`, `${folder}/b.txt`, `${folder}/${long}`])
      const page = await on.open(`/dateien?ordner=${folder}`, { language, viewport })
      const first = page.locator('[data-file]').nth(2)
      await first.locator('a').first().focus()
      await page.keyboard.press('Delete')
      const undo = page.getByRole('button', { name, exact: true })
      await undo.waitFor()
      const cut = await undo.evaluate(button => {
        const parts = [button, ...button.querySelectorAll('*')]
        return parts.some(part => part.scrollWidth > part.clientWidth + 1 && part.clientWidth > 0)
      })
      expect(cut).toBe(false)
      await page.keyboard.press('a')
      await bar(page).waitFor()
      const notice = await boxOf(page.getByRole('alert').filter({ has: undo }))
      expect(overlap(notice, await boxOf(bar(page)))).toBe(false)
      const pages = page.getByRole('navigation', { name: /^(Seiten|Pages|Bereiche|Sections)$/ })
      for (const each of await pages.all()) {
        if (await each.isVisible()) expect(overlap(notice, await boxOf(each))).toBe(false)
      }
      await undo.click()
      await page.getByText(/^(Rückgängig gemacht|Undone)\.$/).waitFor()
    },
  )
})

/** The name on the card at the right end of the second row. */
const LAST_OF_SECOND_ROW = `(() => {
  const cards = [...document.querySelectorAll('[data-file]')]
  const tops = [...new Set(cards.map(card => card.getBoundingClientRect().top))]
  const last = cards.findLast(card => card.getBoundingClientRect().top === tops[1])
  return last.querySelector('input').getAttribute('aria-label').replace(/ auswählen$/, '')
})()`

describe('the details cover no file, and the opened one stays where it is', () => {
  const views = ['rows', 'grid', 'list'] as const
  const viewports = [DESKTOP, { width: 1366, height: 768 }, { width: 1920, height: 1080 }, TABLET]
  test.each(viewports.flatMap(viewport => views.map(view => [viewport, view] as const)))(
    'at %j in %s; closing brings the former place back',
    async (viewport, view) => {
      const page = await on.open('/anmelden', { viewport })
      await page.evaluate(`localStorage.setItem('fundus-ansicht', '"${view}"')`)
      await page.goto(`${on.service.url}/dateien?ordner=viele&anzahl=60`)
      const row = (of: string) =>
        page.locator('[data-file]').filter({ has: page.getByLabel(`${of} auswählen`) })
      await row('datei-30.txt').waitFor()
      // A card that the bar covers would be brought into sight.
      const scroll = view === 'list' ? 20 : 150
      await page.evaluate(`scrollTo({ top: ${scroll}, behavior: "instant" })`)
      const name = (await page.evaluate(LAST_OF_SECOND_ROW)) as string
      const opened = row(name)
      await opened.getByRole('link').first().focus()
      const before = { scroll: await scrolled(page), box: await boxOf(opened) }
      await page.keyboard.press('Enter')
      await drawer(page).getByRole('heading', { name }).waitFor()
      const panel = await boxOf(drawer(page))
      for (const each of await page.locator('[data-file]').all())
        expect(overlap(await boxOf(each), panel)).toBe(false)
      const now = await boxOf(opened)
      expect(Math.round(now.y)).toBe(Math.round(before.box.y))
      expect([Math.round(panel.y), Math.round(panel.height)]).toEqual([56, viewport.height - 56])
      await page.keyboard.press('Escape')
      await drawer(page).waitFor({ state: 'detached' })
      expect(await scrolled(page)).toBe(before.scroll)
      expect(await boxOf(opened)).toEqual(before.box)
      expect(
        await opened
          .getByRole('link')
          .first()
          .evaluate(element => element.matches(':focus')),
      ).toBe(true)
    },
  )

  test.each([DESKTOP, TABLET])(
    'at %j: the selection bar covers neither the drawer nor the pages',
    async viewport => {
      const page = await on.open('/dateien?ordner=viele&anzahl=30', { viewport })
      await link(page, 'datei-01.txt').focus()
      await page.keyboard.press('a')
      await bar(page).waitFor()
      await page.evaluate('scrollTo({ top: 1e6, behavior: "instant" })')
      const next = page.getByRole('button', { name: 'Nächste Seite' })
      expect(overlap(await boxOf(bar(page)), await boxOf(next))).toBe(false)
      await link(page, 'datei-30.txt').focus()
      await page.keyboard.press('Enter')
      await drawer(page).waitFor()
      const panel = await boxOf(drawer(page))
      for (const part of [bar(page), ...(await bar(page).getByRole('button').all())]) {
        const room = await boxOf(part)
        expect(overlap(room, panel)).toBe(false)
        expect(room.x).toBeGreaterThanOrEqual(0)
      }
    },
  )
})

test('on a slow network the cards of the former folder give way to outlines', async () => {
  const page = await on.open('/dateien?ordner=langsam')
  await link(page, 'alt.txt').waitFor()
  const held = Promise.withResolvers<void>()
  await page.route(/\/api\/dash\/media\?.*ordner=langsam(%2F|\/)neu/, async route => {
    await held.promise
    await route.continue()
  })
  await page.getByRole('main').getByRole('link', { name: /neu/ }).first().click()
  await page.getByRole('heading', { name: 'neu', level: 1 }).waitFor()
  await page.getByRole('main').getByText('Wird geladen …').first().waitFor()
  expect(await page.locator('[data-file]').count()).toBe(0)
  held.resolve()
  await link(page, 'frisch.txt').waitFor()

  // A new folder is shown from its top, however quickly it loads.
  await page.getByRole('treeitem', { name: 'viele' }).click()
  await link(page, 'datei-60.txt').scrollIntoViewIfNeeded()
  await page.getByLabel('Dateien suchen').fill('datei')
  await page.getByRole('heading', { name: 'Treffer für „datei“' }).waitFor()
  await link(page, 'datei-02.txt').waitFor()
  expect(await scrolled(page)).toBe(0)

  // The tree scrolls to the open folder, however many precede it.
  const low = { ...DESKTOP, height: 240 }
  await page.setViewportSize(low)
  await page.goto(`${on.service.url}/dateien?ordner=viele`)
  const { y, height } = await boxOf(page.getByRole('treeitem', { name: 'viele' }))
  expect(y + height).toBeLessThanOrEqual(low.height)
})

describe('the frame at the sizes people have', () => {
  test.each(['de', 'en'] as const)('%s: place, count and tools in one row at 1280', async language => {
    const page = await on.open('/dateien?ordner=viele', { language })
    const tools = page.getByRole('toolbar', { name: /^(Werkzeuge der Liste|List tools)$/ })
    await tools.waitFor()
    const places = await Promise.all([
      boxOf(tools),
      boxOf(page.getByRole('heading', { level: 1 })),
      boxOf(page.getByRole('main').getByRole('status').first()),
    ])
    const middles = places.map(({ y, height }) => y + height / 2)
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(8)
    for (const [at, place] of places.entries())
      for (const other of places.slice(at + 1)) expect(overlap(place, other)).toBe(false)
    await page.evaluate('scrollTo({ top: 600, behavior: "instant" })')
    expect((await boxOf(page.getByRole('heading', { level: 1 }))).y).toBeLessThan(100)
    expect((await boxOf(page.getByRole('heading', { level: 1 }))).y).toBeGreaterThan(50)
  })

  test('three quarters of 1366 pixels are files; tree and rail fold, and both are remembered', async () => {
    const page = await on.open('/dateien?ordner=viele', { viewport: { width: 1366, height: 768 } })
    const width = async () => (await boxOf(files(page))).width / 1366
    await link(page, 'datei-01.txt').waitFor()
    expect(await width()).toBeGreaterThanOrEqual(0.75)
    await page.getByRole('button', { name: 'Ordner ausblenden' }).click()
    await page.getByRole('tree').waitFor({ state: 'detached' })
    await eventually('the files take the room', async () => (await width()) >= 0.9)
    const rail = page.getByRole('navigation', { name: 'Bereiche' }).first()
    expect((await boxOf(rail)).width).toBe(56)
    await rail.getByRole('button', { name: 'Ausklappen' }).click()
    await page.reload()
    await link(page, 'datei-01.txt').waitFor()
    expect((await boxOf(rail)).width).toBe(216)
    expect(await page.getByRole('tree').count()).toBe(0)
    await page.getByRole('button', { name: 'Ordner zeigen' }).click()
    await page.getByRole('treeitem', { name: 'viele' }).waitFor()
  })
})
