/** What the viewer shows of each kind of file, on a dark stage: films, sounds, drawings, damaged pictures. */
import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import sharp from 'sharp'
import { store } from '../support/api.ts'
import { media } from '../support/media.ts'
import { png } from '../support/pictures.ts'
import { eventually } from '../support/wait.ts'
import { axe, DESKTOP, dashboardTest, PHONE } from './dashboard.ts'
import { link } from './gallery-page.ts'
import { loaded, openViewer, picture, swipe, table, tool, zoomOf } from './viewer-page.ts'

const on = dashboardTest()
const openTable = openViewer(on)
const svg = (attributes: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}><rect width="2900" height="1700" fill="#008080"/><rect x="2700" y="1500" width="200" height="200" fill="#ff0000"/></svg>`

beforeAll(async () => {
  const large = await png({ width: 1600, height: 1000 })
  const stored: Record<string, string | Uint8Array<ArrayBuffer>> = {
    'film/1.mp4': media('clip.mp4'),
    'film/2.mp3': media('tone.mp3'),
    'film/3.png': large,
    'svg/groesse.svg': svg('width="600" height="400" viewBox="0 0 2900 1700"'),
    'svg/kasten.svg': svg('viewBox="0 0 2900 1700"'),
    'svg/nichts.svg': svg(''),
    'kaputt/anfang.png': large.slice(0, 3000),
    'kaputt/muell.jpg': new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3, 4]),
    'kaputt/alt.tiff': new Uint8Array(await sharp(large).resize(400).tiff().toBuffer()),
    'kaputt/heil.png': large,
  }
  for (const [path, content] of Object.entries(stored)) await store(on.service, on.token, path, content)
  for (const path of ['svg/nichts.svg', 'kaputt/alt.tiff', 'kaputt/heil.png'])
    await eventually(
      `the preview of ${path}`,
      async () => (await fetch(`${on.service.url}/t/${path}.webp`)).ok,
    )
})

const player = (page: Page, what: string) =>
  page.evaluate(`document.querySelector('[role=dialog] :is(video, audio)').${what}`)
const stage = { width: DESKTOP.width, height: DESKTOP.height - 56 }

describe('a film and a sound', () => {
  test('as large as the stage; Space plays and pauses, also after a click; the arrows go on', async () => {
    const page = await openTable('film/1.mp4')
    const film = page.locator('[role=dialog] video')
    await eventually('the film', async () => Number(await player(page, 'duration')) > 0.4)
    const box = (await film.boundingBox())!
    expect([box.width, Math.round(box.height)]).toEqual([stage.width, stage.height])
    await page.evaluate(`document.querySelector('video').loop = true`)
    await page.keyboard.press(' ')
    await eventually('it plays', async () => (await player(page, 'paused')) === false)
    await page.keyboard.press(' ')
    await eventually('it stands', async () => (await player(page, 'paused')) === true)
    await table(page, '1.mp4').waitFor()
    // A click starts it by the browser's own controls, and leaves the keys to the viewer.
    await film.click()
    await page.keyboard.press('?')
    const sheet = page.getByRole('dialog', { name: 'Tasten' })
    for (const key of ['Abspielen oder anhalten', '10 Sekunden vor']) await sheet.getByText(key).waitFor()
    await page.keyboard.press('Escape')
    await sheet.waitFor({ state: 'detached' })
    await film.click()
    await page.keyboard.press('ArrowRight')
    await table(page, '2.mp3').waitFor()
    await eventually('the sound', async () => Number(await player(page, 'duration')) > 0.1)
    await page.evaluate(`document.querySelector('audio').loop = true`)
    await page.keyboard.press(' ')
    await eventually('it plays', async () => (await player(page, 'paused')) === false)
    expect((await page.locator('[role=dialog] audio').boundingBox())!.width).toBeGreaterThan(1000)
    await axe(page)
  })

  test('on a phone a tap opens it, swiping goes on, the information is one swipe up', async () => {
    const page = await on.open('/dateien?ordner=film', {
      viewport: PHONE,
      context: { hasTouch: true, isMobile: true },
    })
    await link(page, '1.mp4').tap()
    await table(page, '1.mp4').waitFor()
    const at = (x: number, y: number) => ({ x: PHONE.width / 2 + x, y: PHONE.height / 2 + y })
    await swipe(page, at(100, 0), at(-100, 0))
    await table(page, '2.mp3').waitFor()
    await swipe(page, at(100, 0), at(-100, 0))
    await loaded(page, '3.png')
    const facts = page.getByRole('complementary', { name: 'Angaben' })
    await swipe(page, at(0, 100), at(0, -100))
    await facts.getByText('1600 × 1000 px').waitFor()
    await axe(page)
    await swipe(page, at(0, -200), at(0, 0))
    await facts.waitFor({ state: 'detached' })
    await swipe(page, at(0, -100), at(0, 100))
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    // A film has no zoom buttons: nothing lies over its controls.
    await link(page, '1.mp4').tap()
    const next = (await tool(page, 'Nächste Datei').boundingBox())!
    expect(next.y + next.height).toBeLessThan(PHONE.height - 96)
  })
})

describe('a drawing', () => {
  /** The colour of the picture on screen, at a share of its width and height. */
  const colourAt = async (page: Page, name: string, x: number, y: number) => {
    const box = (await picture(page, name).boundingBox())!
    const shot = await page.screenshot({ animations: 'disabled' })
    const { data } = await sharp(shot)
      .extract({
        left: Math.floor(box.x + box.width * x),
        top: Math.floor(box.y + box.height * y),
        width: 1,
        height: 1,
      })
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true })
    return [...data]
  }
  test.each(['kasten.svg', 'nichts.svg'])('without a size fills the stage and is whole: %s', async name => {
    const page = await openTable(`svg/${name}`)
    await loaded(page, name)
    await eventually('it fills the stage', async () => {
      const { width, height } = (await picture(page, name).boundingBox())!
      return Math.max(width / stage.width, height / stage.height) > 0.99
    })
    // Its lower right corner is red: nothing is cut off.
    await eventually('the corner', async () => String(await colourAt(page, name, 0.97, 0.97)) === '255,0,0')
    expect(await colourAt(page, name, 0.5, 0.5)).toEqual([0, 128, 128])
  })

  test('with a size has that size', async () => {
    const page = await openTable('svg/groesse.svg')
    await loaded(page, 'groesse.svg')
    await eventually('100 %', async () => (await zoomOf(page)) === 100)
    expect(Math.round((await picture(page, 'groesse.svg').boundingBox())!.width)).toBe(600)
  })
})

describe('a damaged picture is called that', () => {
  test('which shows nothing, and which shows its beginning', async () => {
    const page = await openTable('kaputt/muell.jpg')
    await page.getByText('Das Bild ist beschädigt und lässt sich nicht anzeigen.').waitFor()
    await page.goto(`${on.service.url}/dateien?ordner=kaputt&gross=kaputt/anfang.png`)
    await page.getByText('Das Bild ist beschädigt. Zu sehen ist, was sich noch lesen lässt.').waitFor()
    await page.goto(`${on.service.url}/dateien?ordner=kaputt&gross=kaputt/heil.png`)
    await loaded(page, 'heil.png')
    expect(await page.getByText('beschädigt').count()).toBe(0)
  })

  test('a format that the browser does not know is not damaged: its preview is shown, or still being made', async () => {
    const page = await openTable('kaputt/alt.tiff')
    await page.getByText('Der Browser kennt dieses Format nicht. Zu sehen ist die Vorschau.').waitFor()
    await loaded(page, 'alt.tiff')
    // As the list says it before the preview is there.
    await page.route('**/api/dash/media?*', async route => {
      const response = await route.fetch()
      await route.fulfill({
        response,
        body: (await response.text()).replace(/"vorschau":"[^"]+"/g, '"vorschau":null'),
      })
    })
    await page.reload()
    await page.getByText('Die Vorschau entsteht noch.').waitFor()
    await page.unroute('**/api/dash/media?*')
    await loaded(page, 'alt.tiff')
  })

  test('a service that cannot be reached is not the picture’s fault', async () => {
    const page = await on.open('/dateien?ordner=kaputt', { expected: [/ERR_/] })
    await page.getByText('heil.png').first().waitFor()
    await page.route('**/api/dash/inhalt/**', route => route.abort())
    await link(page, 'heil.png').focus()
    await page.keyboard.press(' ')
    const again = page.getByRole('dialog').getByRole('button', { name: 'Erneut versuchen' })
    await again.waitFor()
    expect(await page.getByText('beschädigt').count()).toBe(0)
    await page.unroute('**/api/dash/inhalt/**')
    await again.click()
    await loaded(page, 'heil.png')
  })
})

test.each(['light', 'dark'] as const)('the stage is dark in both schemes: %s', async scheme => {
  const page = await openTable('film/3.png', { scheme })
  await loaded(page, '3.png')
  const { data } = await sharp(await page.screenshot())
    .extract({ left: 10, top: 70, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  expect(Math.max(...data)).toBeLessThan(60)
  await tool(page, 'Angaben').click()
  await axe(page, { always: scheme === 'light' })
})
