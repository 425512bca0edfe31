/**
 * The page of a drop link, as visitors use it: on a phone by touch, by keyboard, by dropping; refusals and
 * bad lines.
 */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Locator, Page } from 'playwright-core'
import { read } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { type DropInput, dropLinks, makeDrop } from '../support/drops.ts'
import { png } from '../support/pictures.ts'
import { axe, dashboardTest, type PageOptions, PHONE } from './dashboard.ts'
import { chooseBy, desktop, drop, pasteFile } from './drops.ts'

const on = dashboardTest()
const TOUCH = { viewport: PHONE, hasTouch: true, isMobile: true }
let picture: Uint8Array
beforeAll(async () => {
  picture = await png()
})

let folders = 0
/** A link to a folder of its own, and its page without a session. */
async function visit(input: Partial<DropInput> = {}, options: PageOptions = {}) {
  const ordner = `abgabe/${++folders}`
  const link = await makeDrop(on.service, on.session, { ordner, ...input })
  const page = await on.open(new URL(link.adresse).pathname, { signedOut: true, ...options })
  return { ordner, link, page }
}

const rows = (page: Page) => page.getByRole('listitem')
const row = (page: Page, name: string) => rows(page).filter({ hasText: name })
const says = (page: Page, sentence: string) => page.getByRole('status').getByText(sentence).waitFor()
const status = async (path: string) => (await read(on.service, path)).status

/** Opens the browser's dialog by touch. */
async function tapAndChoose(page: Page, control: Locator, paths: string | string[]): Promise<void> {
  const asked = page.waitForEvent('filechooser')
  await control.tap()
  await (await asked).setFiles(paths)
}

describe('on a phone, by touch', () => {
  const phone = { viewport: PHONE, context: TOUCH }

  test('several files and a photo; nothing is wider than the screen; buttons are large enough', async () => {
    await using from = await desktop({ 'IMG_0001.PNG': picture, 'Brief an Oma.txt': 'Liebe Oma' })
    const { page, ordner, link } = await visit({ hinweis: 'Fotos vom Fest\nbis Sonntag' }, phone)
    await page.getByText('Fotos vom Fest').waitFor()
    await tapAndChoose(page, page.getByText('Dateien auswählen'), [
      from.path('IMG_0001.PNG'),
      from.path('Brief an Oma.txt'),
    ])
    await says(page, 'Danke! 2 Dateien sind angekommen.')
    await tapAndChoose(page, page.getByText('Foto aufnehmen'), from.path('IMG_0001.PNG'))
    await says(page, 'Danke! 3 Dateien sind angekommen.')
    expect(await rows(page).allInnerTexts()).toEqual([
      expect.stringMatching(/^IMG_0001\.PNG\s+abgegeben$/),
      expect.stringMatching(/^Brief an Oma\.txt\s+abgegeben$/),
      expect.stringMatching(/^IMG_0001\.PNG\s+abgegeben$/),
    ])
    const names = ['img_0001.png', 'brief-an-oma.txt', 'img_0001-2.png']
    expect(await Promise.all(names.map(name => status(`${ordner}/${name}`)))).toEqual([200, 200, 200])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
    for (const button of await page.locator('.button').all())
      expect((await button.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    expect(await page.context().cookies()).toEqual([])
    await axe(page, { always: true })
    expect(await dropLinks(on.service, on.session)).toContainEqual(
      expect.objectContaining({ schluessel: link.schluessel, abgegeben: 3 }),
    )
  })

  test('what was refused and why; in English for an English browser', async () => {
    await using from = await desktop({
      'film.mp4': 'no film',
      'large.png': randomBytes(1, 3_000_000),
      [`${'a long name '.repeat(12)}.png`]: picture,
    })
    const english = { ...phone, context: { ...TOUCH, locale: 'en-GB' } }
    const { page } = await visit({ arten: ['bilder'], max_bytes: 1_000_000 }, english)
    await tapAndChoose(page, page.getByText('Choose files'), [
      from.path('film.mp4'),
      from.path('large.png'),
      from.path(`${'a long name '.repeat(12)}.png`),
    ])
    await says(page, 'Thank you! The file has arrived. Not accepted: 2.')
    await row(page, 'film.mp4').getByText('This kind of file is not accepted here.').waitFor()
    await row(page, 'large.png').getByText('The file is larger than the').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(PHONE.width)
    await axe(page, { always: true })
  })
})

test('the end is in the time zone of the visitor; the kinds have names in a refusal too', async () => {
  await using from = await desktop({ 'a.txt': 'a' })
  const { page } = await visit({
    gueltig_bis: Date.parse('2033-07-01T22:30:00Z'),
    arten: ['bilder', 'audio'],
  })
  await page.getByText('Möglich bis 2. Juli 2033 um 00:30 Uhr.').waitFor()
  await chooseBy(page, page.getByLabel('Dateien auswählen'), from.path('a.txt'))
  await row(page, 'a.txt').getByText('nicht angenommen, nur: Bilder, Tonaufnahmen.').waitFor()
})

test('by keyboard alone: choose, see what failed, try it again', async () => {
  await using from = await desktop({ 'a.txt': 'a', 'b.txt': 'b' })
  const { page, ordner } = await visit({}, { expected: [/ERR_FAILED/, /ERR_CONNECTION/] })
  let isCut = true
  await page.route('**/u/*', route =>
    route.request().method() === 'POST' && isCut ? route.abort('connectionreset') : route.continue(),
  )
  // Long before the key, since the browser is told to hand over its dialog.
  const asked = page.waitForEvent('filechooser')
  await page.keyboard.press('Tab')
  await page.locator('input:focus').waitFor()
  await page.keyboard.press('Enter')
  await (await asked).setFiles([from.path('a.txt'), from.path('b.txt')])
  await says(page, 'Nicht angenommen: 2.')
  await row(page, 'a.txt').getByText('Die Verbindung ist abgebrochen.').waitFor()
  isCut = false
  for (const _ of ['a.txt', 'b.txt']) {
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
  }
  await says(page, 'Danke! 2 Dateien sind angekommen.')
  expect(await Promise.all(['a.txt', 'b.txt'].map(name => status(`${ordner}/${name}`)))).toEqual([200, 200])
})

test('files that are dropped or pasted; a name of markup stays text; a full link refuses', async () => {
  await using from = await desktop({ 'a.txt': 'a', '<img src=x onerror=alert(1)>.txt': 'b', 'c.txt': 'c' })
  const { page } = await visit({ anzahl: 3 }, { expected: [/status of 403/] })
  await drop(page, [from.path('a.txt'), from.path('<img src=x onerror=alert(1)>.txt')], page.locator('#zone'))
  await says(page, 'Danke! 2 Dateien sind angekommen.')
  await row(page, '<img src=x onerror=alert(1)>.txt').waitFor()
  await pasteFile(page, 'image.png', 'no picture')
  await says(page, 'Danke! 3 Dateien sind angekommen.')
  await chooseBy(page, page.getByLabel('Dateien auswählen'), from.path('c.txt'))
  await row(page, 'c.txt')
    .getByText(/angenommen/)
    .waitFor()
  await page.reload()
  await page.getByText('Hier werden keine Dateien mehr angenommen').waitFor()
  await axe(page, { always: true })
})

test('a link that was ended while the page is open says so, as does its page', async () => {
  await using from = await desktop({ 'a.txt': 'a' })
  const { page, link } = await visit({}, { expected: [/status of 404/] })
  const ended = await fetch(`${on.service.url}/api/dash/abgaben/${link.schluessel}`, {
    method: 'DELETE',
    headers: { Cookie: `fundus_sitzung=${on.session}` },
  })
  expect(ended.status).toBe(200)
  await chooseBy(page, page.getByLabel('Dateien auswählen'), from.path('a.txt'))
  await says(page, 'Nicht angenommen: 1.')
  await page.reload()
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.locator('input').count()).toBe(0)
})
