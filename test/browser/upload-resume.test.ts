/**
 * A long file whose upload was cut off by a reload continues when it is chosen again; the menu lists
 * unfinished uploads.
 */
import { expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { bytesOf, read } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { leftToLong } from '../support/left-out.ts'
import { dashboardTest } from './dashboard.ts'
import { chooseBy, desktop } from './drops.ts'

const on = dashboardTest()
const MB = 1024 * 1024
const PIECE = '**/api/dash/tus/*'

async function choose(page: Page, file: string): Promise<void> {
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
