/**
 * The history: sentences for everything that happens to a file, filters in the address, CSV, and the
 * administration.
 */

import { beforeAll, describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { read, remove, store } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { leftToLong } from '../support/left-out.ts'
import { eventually } from '../support/wait.ts'
import { axe, dashboardTest, PHONE, textOf } from './dashboard.ts'

const on = dashboardTest()

const post = async (route: string, json: unknown, method = 'POST') => {
  const response = await dash(on.service, route, { session: on.session, json, method })
  if (response.status !== 200) throw new Error(`${route}: ${response.status} ${await response.text()}`)
  return (await response.json()) as Record<string, unknown>
}

/** One entry of every kind, each with a file of its own. */
beforeAll(async () => {
  const bot = await on.service.createToken('--name', 'Discord-Bot', '--may-delete', '--prefix', 'clips/')
  await store(on.service, bot, 'clips/a.txt', 'x'.repeat(1536))
  await store(on.service, bot, 'clips/a.txt', 'y'.repeat(2048), { 'X-Overwrite': '1' })
  await store(on.service, bot, 'clips/weg.txt', 'abc')
  await remove(on.service, bot, 'clips/weg.txt')
  await post('media/umbenennen', { pfad: 'clips/a.txt', name: 'b.txt' })
  await post('media/verschieben', { pfade: ['clips/b.txt'], ordner: 'alt' })
  await post('media/loeschen', { pfade: ['alt/b.txt'] })
  await post('papierkorb/wiederherstellen', { nummern: [await newestInTrash()] })
  await post('einstellungen', { MAX_UPLOAD_MB: 32, WEBHOOK_URL: 'https://chat.example.org/geheim' }, 'PUT')
  await post('freigaben', { ordner: 'alt' })
})

async function newestInTrash(): Promise<number> {
  const response = await dash(on.service, 'papierkorb', { session: on.session })
  const { eintraege } = (await response.json()) as { eintraege: { nr: number }[] }
  return eintraege[0]!.nr
}

/** The sentences shown, without their times. */
const sentences = (page: Page) => page.locator('ol > li > span:first-of-type').allTextContents()

describe('files', () => {
  test('each occurrence is a sentence, the newest first', async () => {
    const page = await on.open('/verlauf')
    await page.getByText('aus dem Papierkorb geholt').waitFor()
    expect(await sentences(page)).toEqual([
      'admin hat alt/b.txt aus dem Papierkorb geholt, 2 KB',
      'admin hat alt/b.txt in den Papierkorb gelegt, 2 KB',
      'admin hat clips/b.txt nach alt/b.txt verschoben',
      'admin hat clips/a.txt in clips/b.txt umbenannt',
      'Token Discord-Bot hat clips/weg.txt endgültig entfernt, 3 Byte',
      'Token Discord-Bot hat clips/weg.txt hochgeladen, 3 Byte',
      'Token Discord-Bot hat clips/a.txt überschrieben, jetzt 2 KB',
      'Token Discord-Bot hat clips/a.txt hochgeladen, 1,5 KB',
    ])
    await page.getByRole('region', { name: 'Heute' }).waitFor()
    await axe(page)
  })

  leftToLong('filters stand in the address; the CSV holds what they leave', async () => {
    const page = await on.open('/verlauf')
    await page.getByLabel('Was').selectOption('Hochgeladen')
    await page.getByLabel('Pfad beginnt mit').fill('clips/w')
    await eventually('one line', async () => (await sentences(page)).length === 1)
    expect(new URL(page.url()).search).toBe('?was=hochgeladen&pfad=clips/w')
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Als CSV' }).click()
    const csv = await textOf(await download)
    expect(csv.trim().split(/\r?\n/)).toHaveLength(2)
    expect(csv).toContain('clips/weg.txt')

    await page.getByPlaceholder('Token oder Konto').fill('niemand')
    await page.getByText('Dazu steht nichts im Verlauf').waitFor()
    await page.getByRole('button', { name: 'Filter aufheben' }).first().click()
    await eventually('all lines', async () => (await sentences(page)).length === 8)
    expect(await page.getByLabel('Pfad beginnt mit').inputValue()).toBe('')
  })

  leftToLong('something new appears by itself', async () => {
    const page = await on.open('/verlauf?pfad=neu/')
    await page.getByText('Dazu steht nichts im Verlauf').waitFor()
    await store(on.service, on.token, 'neu/c.txt', 'c')
    await page.getByText('hochgeladen, 1 Byte').waitFor()
  })
})

test('what one action did to many files is one line, which opens to the list and can be taken back', async () => {
  for (const name of ['1', '2', '3']) await store(on.service, on.token, `gruppe/${name}.txt`, name)
  await post('folders/verschieben', { ordner: 'gruppe', ziel: 'archiv' })
  const page = await on.open('/verlauf')
  const line = page.getByRole('button', { name: 'admin hat 3 Dateien verschoben' })
  await line.waitFor()
  expect((await sentences(page)).filter(text => text.includes('archiv/gruppe'))).toEqual([])
  await line.press('Enter')
  const files = page.getByRole('list', { name: 'Dateien dieser Aktion' })
  await files.getByText('admin hat gruppe/1.txt nach archiv/gruppe/1.txt verschoben').waitFor()
  expect(await files.getByRole('listitem').count()).toBe(3)
  await axe(page)
  await page.getByRole('button', { name: 'Rückgängig', exact: true }).click()
  await page.getByText('Rückgängig gemacht.').waitFor()
  expect((await read(on.service, 'gruppe/2.txt')).status).toBe(200)
  // Undoing is an action itself.
  await eventually('a second line', async () => (await line.count()) === 2)
  await line.last().press('Enter')
  await page.getByRole('button', { name: 'Rückgängig', exact: true }).first().click()
  await page.getByRole('alert').getByText('Die Datei wurde seither verändert').waitFor()
})

describe('administration', () => {
  leftToLong('old and new beside each other, secrets masked', async () => {
    const page = await on.open('/verlauf', { viewport: PHONE, scheme: 'dark' })
    await page.getByRole('tab', { name: 'Verwaltung' }).click()
    await page.getByText('admin hat den Ordner alt freigegeben').waitFor()
    const limit = page.getByRole('listitem').filter({ hasText: 'Größte Datei' })
    expect(await limit.textContent()).toContain('vorher: 64 MBnachher: 32 MB')
    const secret = page.getByRole('listitem').filter({ hasText: 'Webhook-Adresse' })
    expect(await secret.textContent()).toContain('vorher: leernachher: ••••••')
    const token = page.getByRole('listitem').filter({ hasText: 'Discord-Bot' })
    expect(await token.textContent()).toContain('nur unter clips/ · darf löschen')
    expect(await page.content()).not.toContain('chat.example.org')
    await axe(page)

    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Als CSV' }).click()
    expect((await download).suggestedFilename()).toMatch(/^fundus-verwaltung-.*\.csv$/)
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
    expect(overflow).toBeLessThanOrEqual(0)
  })
})

leftToLong('a page that cannot be loaded says so, and tries again', async () => {
  const page = await on.open('/wartung', { expected: [/status of 400/] })
  let broken = true
  await page.route('**/api/dash/verlauf?**', route =>
    broken ? route.fulfill({ status: 400, json: { error: 'Das ging nicht.' } }) : route.continue(),
  )
  await page.goto(`${on.service.url}/verlauf`)
  await page.getByRole('alert').getByText('Das ging nicht.').waitFor()
  broken = false
  await page.getByRole('button', { name: 'Erneut versuchen' }).click()
  await eventually('the list', async () => (await sentences(page)).length > 0)
})

leftToLong('a picture that could not be scaled down says so in its line', async () => {
  const narrow = await on.service.createToken('--name', 'Schmal', '--max-edge', '100')
  await store(on.service, narrow, 'schmal/a.bmp', 'no picture that anything here could read')
  const page = await on.open('/verlauf?pfad=schmal/')
  await page.getByText('unverändert gespeichert').waitFor()
  expect(await sentences(page)).toEqual([
    'Token Schmal hat schmal/a.bmp hochgeladen, 40 Byte (unverändert gespeichert: das Bild lässt sich nicht verkleinern)',
  ])
})
