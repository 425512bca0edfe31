/** The layout of the gallery: justified rows, date headings, infinite scrolling, few Tab stops, landmarks. */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { store } from '../support/api.ts'
import { leftToLong } from '../support/left-out.ts'
import { jpeg } from '../support/pictures.ts'
import { setRetrievals } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'
import { axe, DESKTOP, dashboardTest, PHONE } from './dashboard.ts'
import { drawer, files, fill, inTool, link, names, showAs } from './gallery-page.ts'

const on = dashboardTest()
const SHAPES = [
  [400, 300],
  [300, 400],
  [640, 360],
  [300, 300],
  [900, 300],
] as const
const PICTURES = Array.from({ length: 14 }, (_, at) => `bilder/bild-${String(at + 1).padStart(2, '0')}.jpg`)
const MANY = Array.from({ length: 70 }, (_, at) => `viele/nr-${String(at + 1).padStart(2, '0')}.txt`)
const DEEP = 'a/b/c/d/e'

beforeAll(async () => {
  await Promise.all(
    PICTURES.map(async (path, at) => {
      const [width, height] = SHAPES[at % SHAPES.length]!
      await store(on.service, on.token, path, await jpeg({ width, height }))
    }),
  )
  await fill(on.service, on.token, [...MANY, `${DEEP}/f/x.txt`, `${DEEP}/g/x.txt`, `${DEEP}/tief.txt`])
  await setRetrievals(on.service.dataDir, 'viele/nr-01.txt', 1)
})

interface Place {
  left: number
  top: number
  right: number
  bottom: number
}
const PLACES = `[...document.querySelectorAll('[data-file]')].map(card => {
  const { left, top, right, bottom } = card.getBoundingClientRect()
  return { left, top, right, bottom }
})`
const places = (page: Page) => page.evaluate(PLACES) as Promise<Place[]>
const focused = (page: Page) =>
  page.evaluate(
    `document.activeElement.closest('[data-file]')?.querySelector('input').getAttribute('aria-label') ?? ''`,
  ) as Promise<string>

/** Once the service has measured all pictures. */
async function pictures(options = {}): Promise<Page> {
  const page = await on.open('/dateien?ordner=bilder', options)
  await link(page, 'bild-14.jpg').waitFor()
  await eventually('all are measured', async () => {
    const widths = (await places(page)).map(({ left, right }) => Math.round(right - left))
    return new Set(widths).size > 2
  })
  return page
}

describe('justified rows', () => {
  test('fill the width, and no picture moves while others load', async () => {
    await (await pictures()).close()
    const page = await on.open('/anmelden')
    const held = Promise.withResolvers<void>()
    await page.route('**/vorschau/**', async route => {
      await held.promise
      await route.continue()
    })
    await page.goto(`${on.service.url}/dateien?ordner=bilder`)
    await link(page, 'bild-14.jpg').waitFor()
    const before = await places(page)
    held.resolve()
    await eventually('pictures have loaded', () =>
      page.evaluate(
        `[...document.querySelectorAll('[data-file] img')].some(image => image.naturalWidth > 0)`,
      ),
    )
    expect(await places(page)).toEqual(before)

    const rows = Map.groupBy(before, ({ top }) => top)
    const ends = [...rows.values()]
      .slice(0, -1)
      .map(row => Math.round(Math.max(...row.map(({ right }) => right))))
    expect(new Set(ends).size).toBe(1)
    expect(rows.size).toBeGreaterThan(2)
  })

  test('arrow keys go to the picture above or below, and the list keeps its view', async () => {
    const page = await pictures()
    await link(page, 'bild-01.jpg').focus()
    await page.keyboard.press('ArrowDown')
    const all = await places(page)
    const name = await focused(page)
    const at = Number(/bild-(\d+)/.exec(name)?.[1]) - 1
    const [from, to] = [all[0]!, all[at]!]
    const middle = (from.left + from.right) / 2
    expect(to.top).toBeGreaterThan(from.top)
    expect([to.left <= middle, middle <= to.right]).toEqual([true, true])
    await page.keyboard.press('ArrowUp')
    expect(await focused(page)).toBe('bild-01.jpg auswählen')

    await showAs(page, 'Kacheln')
    const sizes = new Set((await places(page)).map(({ left, right }) => Math.round(right - left)))
    expect(sizes.size).toBe(1)
    await page.reload()
    await link(page, 'bild-14.jpg').waitFor()
    expect(new Set((await places(page)).map(({ left, right }) => Math.round(right - left))).size).toBe(1)
  })

  leftToLong('without names below, a card tells its name when it is pointed at', async () => {
    const page = await pictures()
    const heightOf = async () => (await places(page))[0]!.bottom - (await places(page))[0]!.top
    const before = await heightOf()
    await inTool(page, 'Ansicht', panel => panel.getByRole('switch', { name: 'Namen zeigen' }).uncheck())
    await eventually('the line is gone', async () => Math.abs((await heightOf()) - before) > 20)
    const opacity = () =>
      page.evaluate(`getComputedStyle(document.querySelector('[data-file] a > span')).opacity`)
    await page.mouse.move(1, 1)
    expect(await opacity()).toBe('0')
    await link(page, 'bild-01.jpg').hover()
    expect(await opacity()).toBe('1')
  })

  leftToLong.each(['light', 'dark'] as const)(
    'on a phone, %s: nothing sideways, nothing serious for axe',
    async scheme => {
      const page = await pictures({ viewport: PHONE, scheme })
      expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth')).toBe(false)
      for (const button of await page.getByRole('toolbar').last().getByRole('button').all())
        expect((await button.boundingBox())!.height).toBeGreaterThanOrEqual(40)
      await axe(page, { always: true })
    },
  )
})

describe('headings of time', () => {
  const headings = (page: Page) => files(page).getByRole('heading').allInnerTexts()

  leftToLong('where the list is sorted by time, in rows and in the list', async () => {
    const page = await on.open('/dateien?ordner=viele&sortierung=updated_at&richtung=ab&anzahl=120')
    await link(page, 'nr-01.txt').waitFor()
    expect(await headings(page)).toEqual(['Heute'])
    await showAs(page, 'Liste')
    await page.getByRole('rowheader', { name: 'Heute' }).waitFor()
    await page.goto(`${on.service.url}/dateien?ordner=viele`)
    await page.getByRole('table').waitFor()
    expect(await page.getByRole('rowheader').count()).toBe(0)
  })

  leftToLong('what was never viewed stands apart', async () => {
    const page = await on.open('/dateien?ordner=viele&sortierung=zuletzt_abgerufen&richtung=ab&anzahl=120')
    await link(page, 'nr-01.txt').waitFor()
    expect((await headings(page)).at(-1)).toBe('Nie abgerufen')
    expect((await headings(page)).length).toBe(2)
  })
})

describe('going on by itself', () => {
  test('the next page follows while scrolling, pages return when it is switched off', async () => {
    const page = await on.open('/dateien?ordner=viele&anzahl=30')
    await link(page, 'nr-30.txt').waitFor()
    await page.getByRole('navigation', { name: 'Seiten' }).waitFor()
    await page.getByText('70 Dateien', { exact: true }).waitFor()
    const set = (on: boolean) =>
      inTool(page, 'Weitere Einstellungen der Liste', panel =>
        panel.getByRole('switch', { name: /^Von selbst weiterblättern/ }).setChecked(on),
      )
    await set(true)
    await eventually('the last file can be reached', async () => {
      await page.mouse.move(700, 500)
      await page.mouse.wheel(0, 600)
      return (await names(page)).includes('nr-70.txt')
    })
    expect(await page.getByRole('navigation', { name: 'Seiten' }).count()).toBe(0)
    await page.evaluate('scrollTo({ top: 0, behavior: "instant" })')
    await link(page, 'nr-01.txt').waitFor()
    await page.reload()
    await link(page, 'nr-01.txt').waitFor()
    await set(false)
    await page.getByRole('navigation', { name: 'Seiten' }).waitFor()
    await eventually('one page again', async () => (await names(page)).length === 30)
  })
})

describe('keys and names of parts', () => {
  leftToLong('at most ten Tabs lead to the first card, also deep below folders', async () => {
    const page = await on.open(`/dateien?ordner=${DEEP}`)
    await link(page, 'tief.txt').waitFor()
    await page.getByRole('treeitem', { name: 'e', exact: true }).waitFor()
    const seen: string[] = []
    while ((await focused(page)) === '' && seen.length < 20) {
      await page.keyboard.press('Tab')
      seen.push((await page.evaluate('document.activeElement.outerHTML.slice(0, 80)')) as string)
    }
    expect(await focused(page)).toBe('tief.txt auswählen')
    expect(seen.length).toBeLessThanOrEqual(10)
  })

  test('arrow keys move within a row of tools, and down leads to the files', async () => {
    const page = await on.open('/dateien?ordner=viele')
    await link(page, 'nr-01.txt').waitFor()
    await page.getByRole('button', { name: /^Ansicht/ }).focus()
    await page.keyboard.press('ArrowRight')
    const label = () => page.evaluate('document.activeElement.getAttribute("aria-label")') as Promise<string>
    expect(await label()).toBe('Sortierung: Name')
    await page.keyboard.press('ArrowLeft')
    expect(await label()).toBe('Ansicht: Reihen')
    await page.keyboard.press('ArrowDown')
    expect(await focused(page)).toBe('nr-01.txt auswählen')
  })

  leftToLong.each([DESKTOP, PHONE])('at %j no two landmarks in sight have the same name', async viewport => {
    const page = await on.open('/dateien?ordner=viele&anzahl=30', { viewport })
    await link(page, 'nr-01.txt').waitFor()
    const landmarks = page.locator('nav, header, main, aside, search, [role="region"], section[aria-label]')
    const found: string[] = []
    for (const each of await landmarks.all())
      if (await each.isVisible())
        found.push(`${await each.evaluate(part => part.tagName)} ${await each.getAttribute('aria-label')}`)
    expect(found.length).toBeGreaterThan(4)
    expect(new Set(found).size).toBe(found.length)
  })

  leftToLong(
    'Escape closes one thing at a time: the panel, then the details, then the selection',
    async () => {
      const page = await on.open('/dateien?ordner=viele')
      await link(page, 'nr-01.txt').focus()
      await page.keyboard.press('x')
      await page.keyboard.press('Enter')
      await drawer(page).waitFor()
      await drawer(page)
        .getByRole('button', { name: /^Mehr|Weitere Formen|Kopieren als/ })
        .first()
        .click()
      await page.getByRole('menu').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('menu').waitFor({ state: 'detached' })
      expect(await drawer(page).isVisible()).toBe(true)
      await page.keyboard.press('Escape')
      await drawer(page).waitFor({ state: 'detached' })
      const bar = page.getByRole('region', { name: 'Auswahl' })
      expect(await bar.isVisible()).toBe(true)
      await page.keyboard.press('Escape')
      await bar.waitFor({ state: 'detached' })
    },
  )
})
