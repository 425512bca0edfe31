/**
 * The twelve tasks of docs/twelve-tasks.md, carried out and counted: none may need more steps than the table
 * says.
 */
import { beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { bytesOf, read, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { media } from '../support/media.ts'
import { jpeg, sizeOf } from '../support/pictures.ts'
import { seedFiles, setRetrievals } from '../support/seed.ts'
import { eventually } from '../support/wait.ts'
import { clipboard, dashboardTest } from './dashboard.ts'
import { chooseBy, desktop, drop } from './drops.ts'
import { CLIPBOARD, card, drawer, fill, link, names } from './gallery-page.ts'

const on = dashboardTest()
const TABLE = join(import.meta.dir, '../../docs/twelve-tasks.md')
const TWO_YEARS = 2 * 365 * 24 * 60 * 60 * 1000
const TEN = Array.from({ length: 10 }, (_, at) => `ablage/alt-${at}.txt`)

beforeAll(async () => {
  await fill(on.service, on.token, [...TEN, 'ablage/zettel.txt', 'ziel/da.txt', 'fassung/neu.txt'])
  await store(on.service, on.token, 'film/clip.mp4', media('clip.mp4'))
  await seedFiles(on.service.dataDir, 'menge', 500)
  await store(on.service, on.token, 'bilder/weit.jpg', await jpeg({ width: 2000, height: 1000 }))
  await fill(on.service, on.token, ['alt/neu.txt', 'alt/tief/gesehen.txt', 'alt/tief/vergessen.txt'])
  await onDatabase(
    on.service.dataDir,
    `update media set updated_at = ${Date.now() - TWO_YEARS} where path like 'alt/tief/%'`,
  )
  await setRetrievals(on.service.dataDir, 'alt/tief/gesehen.txt', 3)
  for (const path of ['gleich/eins.txt', 'gleich/zwei.txt']) await store(on.service, on.token, path, 'gleich')
})

/** Number of steps of each task according to the table. */
async function promised(): Promise<Record<string, number>> {
  const rows = (await Bun.file(TABLE).text()).matchAll(/^\| (\d+) \| ([^|]+) \| (\d+) \|/gm)
  return Object.fromEntries([...rows].map(([, nr, task, steps]) => [`${nr} ${task}`, Number(steps)]))
}

/** Performs user actions and counts them. */
function handOn(page: Page) {
  let steps = 0
  const step = <T>(done: T): T => {
    steps++
    return done
  }
  return {
    click: (what: Locator, how?: Parameters<Locator['click']>[0]) => step(what.click(how)),
    rightClick: (what: Locator) => step(what.click({ button: 'right' })),
    doubleClick: (what: Locator) => step(what.dblclick()),
    press: (keys: string) => step(page.keyboard.press(keys)),
    type: (text: string) => step(page.keyboard.type(text)),
    /** Typing includes the Tab or click that focuses the field. */
    fill: (what: Locator, text: string) => step(what.fill(text)),
    drag: (what: Locator, to: Locator) => step(what.dragTo(to)),
    drop: (path: string, to: Locator) => step(drop(page, [path], to)),
    /** Opening the list, and choosing in it. */
    select: (what: Locator, label: string) => step(step(what.selectOption({ label }))),
    chooseBy: (what: Locator, path: string) => step(step(chooseBy(page, what, path))),
    taken: () => {
      const taken = steps
      steps = 0
      return taken
    },
  }
}

test('each of the twelve tasks takes as many steps as the table says', async () => {
  await using from = await desktop({ 'neu.txt': 'neu' })
  const page = await on.open('/dateien?ordner=ablage', { context: CLIPBOARD, expected: [/404/] })
  const hand = handOn(page)
  const menu = (name: string) => page.getByRole('menuitem', { name, exact: true })
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  const folder = (name: string) => page.getByRole('treeitem', { name })
  const textAt = async (path: string) => (await read(on.service, path)).text()
  const exists = async (path: string) => (await read(on.service, path)).status === 200
  const total = async (ordner: string) => {
    const response = await dash(on.service, `media?ordner=${ordner}`, { session: on.session })
    return response.status === 404 ? 0 : ((await response.json()) as { gesamt: number }).gesamt
  }
  const go = (address: string) => page.goto(`${on.service.url}${address}`)
  const untilChosen = (text: string) =>
    page.getByRole('region', { name: 'Auswahl' }).getByText(text).waitFor()

  const tasks: (() => Promise<unknown>)[] = [
    async () => {
      await link(page, 'zettel.txt').waitFor()
      await hand.drop(from.path('neu.txt'), page.getByRole('main'))
      await eventually('the file is stored', () => exists('ablage/neu.txt'))
    },
    async () => {
      await hand.press('/')
      await hand.type('zett')
      await page.getByRole('heading', { name: 'Treffer für „zett“' }).waitFor()
      await link(page, 'zettel.txt').waitFor()
    },
    async () => {
      await go('/dateien?ordner=ablage')
      await hand.click(link(page, 'alt-0.txt'))
      await hand.click(link(page, 'alt-9.txt'), { modifiers: ['Shift'] })
      await untilChosen('10 ausgewählt')
      await hand.click(button('Suchen und Ersetzen'))
      await hand.fill(page.getByLabel('Suchen', { exact: true }), 'alt-')
      await hand.fill(page.getByLabel('Ersetzen durch'), 'jung-')
      await hand.click(button('10 Dateien umbenennen'))
      await eventually('all have other names', () => exists('ablage/jung-9.txt'))
    },
    async () => {
      await go('/dateien?ordner=menge&anzahl=30')
      await link(page, '000001.png').waitFor()
      await hand.press('Control+a')
      await hand.press('Control+a')
      await untilChosen('500 ausgewählt')
      await hand.drag(card(page, '000001.png'), folder('ziel'))
      await page.getByText('500 Dateien liegen jetzt in „ziel“.').waitFor()
    },
    async () => {
      await hand.press('Control+z')
      await eventually('all are back', async () => (await total('menge')) === 500)
    },
    async () => {
      await hand.rightClick(folder('ablage'))
      await hand.click(menu('Freigeben'))
      await hand.click(button('Link erstellen und kopieren'))
      await page.getByText('Der Link ist kopiert.').waitFor()
      expect(await clipboard(page)).toContain('/s/')
      await button('Fertig').click()
    },
    async () => {
      const download = page.waitForEvent('download')
      await hand.rightClick(folder('ablage'))
      await hand.click(menu('Als ZIP herunterladen'))
      expect((await download).suggestedFilename()).toMatch(/^ablage-.*\.zip$/)
    },
    async () => {
      await hand.click(button('Neuer Ordner'))
      await hand.type('frisch')
      await hand.press('Enter')
      await page.getByRole('heading', { name: 'frisch', level: 1 }).waitFor()
    },
    async () => {
      await go('/dateien?ordner=ablage')
      await hand.doubleClick(link(page, 'zettel.txt'))
      await drawer(page).getByText('Hochgeladen').waitFor()
    },
    async () => {
      await page.keyboard.press('Escape')
      await hand.click(card(page, 'zettel.txt').getByRole('button', { name: 'Adresse kopieren' }))
      await eventually('it is copied', async () => (await clipboard(page)).endsWith('/f/ablage/zettel.txt'))
    },
    async () => {
      await hand.click(link(page, 'neu.txt'))
      await hand.press('Delete')
      await page.getByText('„neu.txt“ liegt im Papierkorb.').waitFor()
      await hand.click(page.getByRole('link', { name: 'Papierkorb' }).first())
      await hand.click(button('ablage/neu.txt wiederherstellen'))
      await eventually('it is back', () => exists('ablage/neu.txt'))
    },
    async () => {
      await hand.press('/')
      await hand.type('0002')
      await hand.press('Enter')
      await page.getByRole('heading', { name: 'Treffer für „0002“' }).waitFor()
      await link(page, '000002.png').waitFor()
      await hand.press('Control+a')
      await hand.press('Control+a')
      await untilChosen('111 ausgewählt')
    },
    async () => {
      await go('/dateien?ordner=film')
      await hand.click(link(page, 'clip.mp4'))
      await hand.press('Space')
      await page.getByRole('dialog', { name: 'clip.mp4', exact: true }).locator('video').waitFor()
      await hand.press('Space')
      await eventually('it plays', () => page.evaluate(`document.querySelector('video').played.length > 0`))
    },
    async () => {
      await go('/dateien?ordner=alt')
      await link(page, 'neu.txt').waitFor()
      await hand.click(button('Filter'))
      await hand.click(page.getByRole('switch', { name: 'Auch in Unterordnern' }))
      await hand.select(page.getByLabel('Abrufe'), 'Seit einem Jahr nicht abgerufen')
      await link(page, 'gesehen.txt').waitFor({ state: 'hidden' })
      await eventually('only the forgotten one', async () => (await names(page)).join() === 'vergessen.txt')
    },
    async () => {
      await go('/dateien?ordner=fassung')
      await hand.doubleClick(link(page, 'neu.txt'))
      // The button, and the file in the browser's own dialog.
      await hand.chooseBy(button('Datei ersetzen'), from.path('neu.txt'))
      await eventually('it is replaced', async () => (await textAt('fassung/neu.txt')) === 'neu')
      await hand.click(drawer(page).getByRole('button', { name: /^Fassung bis .* zurückholen$/ }))
      await eventually('it is back', async () => (await textAt('fassung/neu.txt')) === 'fassung/neu.txt')
    },
    async () => {
      await go('/dateien?ordner=gleich')
      await hand.click(page.getByRole('link', { name: 'Wartung' }).first())
      await hand.click(page.getByRole('link', { name: 'Gleiche Dateien ansehen' }))
      await hand.click(button('Die andere entfernen'))
      await eventually('one of the two is left', async () => (await total('gleich')) === 1)
    },
    async () => {
      await go('/dateien?ordner=ablage')
      await hand.rightClick(folder('ablage'))
      await hand.click(menu('Freigeben'))
      await hand.fill(page.getByLabel('Gilt bis zum Ende dieses Tages'), '2099-06-01')
      await hand.click(button('Link erstellen und kopieren'))
      await page.getByText(/Er gilt bis .*2099/).waitFor()
      expect(await clipboard(page)).toContain('/s/')
    },
    async () => {
      await go('/dateien?ordner=bilder')
      await hand.rightClick(link(page, 'weit.jpg'))
      await hand.click(menu('Kopieren als …'))
      await hand.click(menu('HTML mit srcset'))
      await eventually('it is copied', async () => (await clipboard(page)).includes(' srcset="'))
      const html = await clipboard(page)
      expect(html).toContain('/b/klein/bilder/weit.jpg 320w')
      // Every address in it answers with a picture of the width that it promises.
      for (const [, address = '', width] of html.matchAll(/(http\S+) (\d+)w/g)) {
        const bytes = await bytesOf(await fetch(address))
        expect(await sizeOf(bytes)).toStartWith(`${width}x`)
      }
    },
  ]
  const limits = await promised()
  expect(Object.keys(limits)).toHaveLength(tasks.length)
  const needed: Record<string, number> = {}
  for (const [at, task] of tasks.entries()) {
    await task()
    needed[Object.keys(limits)[at]!] = hand.taken()
  }
  expect(needed).toEqual(limits)
})
