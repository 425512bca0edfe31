/** Where the pages load files and previews from: their own origin, or the files' own host. */
import { afterEach, beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { media } from '../support/media.ts'
import { png } from '../support/pictures.ts'
import { eventually } from '../support/wait.ts'
import { axe, clipboard, dashboardTest } from './dashboard.ts'
import { CLIPBOARD, card, drawer, link } from './gallery-page.ts'

const on = dashboardTest()

beforeAll(async () => {
  await store(on.service, on.token, 'pics/a.png', await png({ width: 300, height: 200 }))
  await store(on.service, on.token, 'pics/clip.mp4', media('clip.mp4'))
  await eventually(
    'the preview',
    async () => (await fetch(`${on.service.url}/t/pics/a.png.webp`)).status === 200,
  )
})

const settings = async (json: Record<string, string | null>) => {
  const answer = await dash(on.service, 'einstellungen', { method: 'PUT', json, session: on.session })
  expect(answer.status).toBe(200)
}
afterEach(() => settings({ PUBLIC_URL: null, FILES_HOST: null }))

/** The hosts from which stored pictures, films and sounds were requested. */
function hostsAsked(page: Page): Set<string> {
  const hosts = new Set<string>()
  page.on('request', request => {
    const { pathname, host } = new URL(request.url())
    const isContent = /^\/(f|t|api\/dash\/(inhalt|vorschau))\//.test(pathname)
    if (isContent && ['image', 'media'].includes(request.resourceType())) hosts.add(host)
  })
  return hosts
}

const isSeen = (page: Page, place: string) =>
  eventually(`a picture in ${place}`, () =>
    page.evaluate(`[...document.querySelectorAll('${place}')].some(each => each.naturalWidth > 0)`),
  )

describe('before the public name works', () => {
  const PUBLIC = 'https://media.example.invalid'

  test('cards, drawer, large view and players show everything; the copied address is the public one', async () => {
    await settings({ PUBLIC_URL: PUBLIC })
    const page = await on.open('/dateien?ordner=pics', { context: CLIPBOARD })
    const hosts = hostsAsked(page)
    await page.reload()
    await isSeen(page, '[data-file] img')
    await link(page, 'a.png').dblclick()
    await isSeen(page, 'aside img')
    await drawer(page).getByRole('button', { name: 'Adresse kopieren' }).click()
    await page.getByText('Adresse kopiert.').waitFor()
    expect(await clipboard(page)).toBe(`${PUBLIC}/f/pics/a.png`)
    await page.goto(`${on.service.url}/dateien?ordner=pics&datei=pics/clip.mp4`)
    await eventually('the clip', () => page.evaluate(`document.querySelector('aside video')?.duration > 0.4`))
    await page.goto(`${on.service.url}/`)
    await isSeen(page, 'main img')
    expect([...hosts]).toEqual([new URL(on.service.url).host])
  })
})

describe('files with a host of their own', () => {
  test('are shown from there', async () => {
    // The same machine by its other name.
    const { port, hostname } = new URL(on.service.url)
    const other = hostname === 'localhost' ? '127.0.0.1' : 'localhost'
    await settings({ FILES_HOST: other, PUBLIC_URL: `http://${other}:${port}` })
    const page = await on.open('/dateien?ordner=pics')
    const hosts = hostsAsked(page)
    await page.reload()
    await isSeen(page, '[data-file] img')
    expect([...hosts]).toEqual([`${other}:${port}`])
    expect(await page.getByText('(FILES_HOST)').count()).toBe(0)
  })

  test('a host that does not answer: a line says which, in both languages', async () => {
    await settings({ FILES_HOST: 'files.example.invalid' })
    const expected = [/ERR_NAME_NOT_RESOLVED|Failed to load resource/]
    const page = await on.open('/dateien?ordner=pics', { expected })
    await page.getByText('kommen von files.example.invalid').waitFor()
    await card(page, 'a.png').waitFor()
    await page.getByRole('button', { name: 'Neu laden' }).waitFor()
    await axe(page)
    const english = await on.open('/dateien', { expected, language: 'en' })
    await english.getByText('come from files.example.invalid').waitFor()
  })
})
