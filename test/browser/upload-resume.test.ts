/**
 * A long file whose upload was cut off by a reload or by closing the tab continues when it is chosen again,
 * and by itself after a restart of the service and a time without network; the menu lists unfinished uploads.
 */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { bytesOf, read } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { leftToLong } from '../support/left-out.ts'
import { eventually } from '../support/wait.ts'
import { dashboardTest } from './dashboard.ts'
import { chooseBy, desktop } from './drops.ts'

const on = dashboardTest()
const MB = 1024 * 1024
const PIECE = '**/api/dash/tus/*'

async function choose(page: Page, file: string | string[]): Promise<void> {
  await page.getByRole('button', { name: 'Hochladen', exact: true }).click()
  await chooseBy(page, page.getByRole('menuitem', { name: 'Dateien wählen' }), file)
}

/** The offsets of the pieces that the page sends. */
function offsetsOf(page: Page): string[] {
  const offsets: string[] = []
  page.on('request', request => {
    if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'] ?? '')
  })
  return offsets
}

leftToLong('a long file continues after a reload where it was', async () => {
  const film = randomBytes(3, 34 * MB)
  await using from = await desktop({ 'film.bin': film })
  const page = await on.open('/dateien')
  const offsets = offsetsOf(page)
  // The second piece never arrives.
  await page.route(PIECE, async route => {
    if (route.request().headers()['upload-offset'] !== String(32 * MB)) await route.continue()
  })
  await choose(page, from.path('film.bin'))
  await page.waitForRequest(request => request.headers()['upload-offset'] === String(32 * MB))
  page.on('dialog', dialog => void dialog.accept())
  await page.reload()
  await page.unroute(PIECE)
  await page.getByRole('button', { name: 'Hochladen', exact: true }).click()
  await page.getByText('Unfertig: 1').waitFor()
  await page.getByRole('menuitem', { name: 'film.bin (94 %) verwerfen' }).waitFor()
  await page.keyboard.press('Escape')
  await choose(page, from.path('film.bin'))
  await page.getByText('Eine Datei hochgeladen').first().waitFor()
  expect(offsets).toEqual(['0', String(32 * MB), String(32 * MB)])
  expect(sha256(await bytesOf(await read(on.service, 'film.bin')))).toBe(sha256(film))
})

leftToLong(
  'a queue that was cut off by closing the tab continues when the same files are picked again',
  async () => {
    const seeds = [11, 12, 13, 14]
    // Sizes differ, so that a mix-up shows.
    const films = seeds.map(seed => [`film-${seed}.bin`, randomBytes(seed, 33 * MB + seed)] as const)
    await using from = await desktop(Object.fromEntries(films))
    const paths = films.map(([name]) => from.path(name))
    const page = await on.open('/dateien')
    const sent = offsetsOf(page)
    // Second pieces never arrive, so that the fourth file does not begin.
    await page.route(PIECE, async route => {
      if (route.request().headers()['upload-offset'] !== String(32 * MB)) await route.continue()
    })
    await choose(page, paths)
    await eventually(
      'three files are under way',
      () => sent.filter(at => at === String(32 * MB)).length === 3,
    )
    // Left before it is closed: playwright lets requests that a route holds back go out when their page
    // closes.
    page.on('dialog', dialog => void dialog.accept())
    await page.goto(`${on.service.url}/health`)
    await page.close()
    await on.service.restart()

    const next = await on.open('/dateien')
    const offsets = offsetsOf(next)
    await next.getByRole('button', { name: 'Hochladen', exact: true }).click()
    await next.getByText('Unfertig: 3').waitFor()
    await next.getByText('Dieselbe Datei in denselben Ordner noch einmal wählen').waitFor()
    await next.getByRole('menuitem', { name: 'film-11.bin (97 %) verwerfen' }).waitFor()
    await next.keyboard.press('Escape')
    await choose(next, paths)
    await next.getByText('4 Dateien hochgeladen').first().waitFor()
    // The missing MB of three files, and the whole of the fourth.
    expect(offsets.toSorted()).toEqual(['0', ...seeds.map(() => String(32 * MB))])
    for (const [name, bytes] of films)
      expect(sha256(await bytesOf(await read(on.service, name)))).toBe(sha256(bytes))
    const left = await fetch(`${on.service.url}/api/dash/tus`, {
      headers: { Cookie: `fundus_sitzung=${on.session}` },
    })
    expect(await left.json()).toEqual({ uploads: [] })
  },
)

leftToLong(
  'without network for a while, and the service restarted meanwhile: the upload goes on by itself',
  async () => {
    const film = randomBytes(15, 63 * MB)
    await using from = await desktop({ 'network.bin': film })
    using address = startCuttingProxy(() => on.service.port, Number.POSITIVE_INFINITY)
    const page = await on.open('/dateien', { expected: [/net::ERR_/] })
    await page.goto(`${address.url}/dateien`)
    const offsets = offsetsOf(page)
    let isCut = false
    await page.route(PIECE, async route => {
      if (!isCut && route.request().headers()['upload-offset'] === String(32 * MB)) {
        isCut = true
        await page.context().setOffline(true)
        await route.abort('internetdisconnected')
      } else await route.continue()
    })
    await choose(page, from.path('network.bin'))
    await page
      .getByText('Der Dienst ist nicht erreichbar. Das Hochladen geht weiter, sobald er antwortet.')
      .waitFor()
    await on.service.restart()
    await page.context().setOffline(false)
    await page.getByText('Eine Datei hochgeladen').first().waitFor()
    expect(offsets).toEqual(['0', ...[32, 32].map(at => String(at * MB))])
    expect(sha256(await bytesOf(await read(on.service, 'network.bin')))).toBe(sha256(film))
  },
)

test('a file above 8 MB goes in pieces, a smaller one in a form', async () => {
  await using from = await desktop({ 'small.bin': randomBytes(1, 1000), 'large.bin': randomBytes(2, 9 * MB) })
  const page = await on.open('/dateien')
  const offsets = offsetsOf(page)
  await choose(page, from.path('small.bin'))
  await page.getByText('Eine Datei hochgeladen').first().waitFor()
  expect(offsets).toEqual([])
  await choose(page, from.path('large.bin'))
  await page.getByText('2 Dateien hochgeladen').first().waitFor()
  expect(offsets).toEqual(['0'])
  expect((await read(on.service, 'large.bin')).headers.get('content-length')).toBe(String(9 * MB))
})
