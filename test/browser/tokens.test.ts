/** Tokens in a browser: created with limits, used as a program would, changed, revoked. */

import { describe, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'
import { expectError, read, store, upload } from '../support/api.ts'
import { dash } from '../support/dashboard.ts'
import { leftToLong } from '../support/left-out.ts'
import { readLuaTable } from '../support/lua.ts'
import { png } from '../support/pictures.ts'
import type { TokenOnWire } from '../support/token-admin.ts'
import { axe, dashboardTest, PHONE, textOf } from './dashboard.ts'

const on = dashboardTest()

const tokens = async () =>
  (await (await dash(on.service, 'tokens', { session: on.session })).json()) as TokenOnWire[]
const tokenNamed = async (name: string) => (await tokens()).find(token => token.name === name)!
/** Not the list of suggestions, which has the same name. */
const field = (page: Page, label: string) =>
  page.getByLabel(label, { exact: true }).and(page.locator('input'))
const card = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) })

async function make(json: object): Promise<string> {
  const response = await dash(on.service, 'tokens', { session: on.session, json })
  return ((await response.json()) as { token: string }).token
}

/** Opens the form, fills it in and sends it; returns the key that is shown once. */
async function makeByHand(page: Page, fields: Record<string, string>): Promise<string> {
  await page.getByRole('button', { name: 'Neues Token' }).click()
  for (const [label, value] of Object.entries(fields)) await field(page, label).fill(value)
  await page.getByLabel('Bilder', { exact: true }).check()
  await page.getByRole('button', { name: 'Token erstellen' }).click()
  return field(page, 'Schlüssel').inputValue()
}

describe('a new token', () => {
  test('works as its limits say, and its samples are filled in', async () => {
    const page = await on.open('/tokens')
    const key = await makeByHand(page, { 'Name *': 'Discord-Bot', Ordner: 'bot', 'Größte Datei': '0,001' })
    expect(key).toStartWith('media_')
    await axe(page)
    const sample = page.getByRole('dialog').locator('pre').first()
    expect(await sample.textContent()).toContain(`curl -H "Authorization: Bearer ${key}" -H "X-Path: bot/`)

    const picture = await png({ width: 8, height: 8 })
    const stored = await store(on.service, key, 'bot/a.png', picture)
    expect(stored.path).toBe('bot/a.png')
    await expectError(await upload(on.service, key, 'x'.repeat(2000), { 'X-Path': 'bot/b.png' }), 413)
    await expectError(await upload(on.service, key, 'x', { 'X-Path': 'other/a.png' }), 403)
    await expectError(await upload(on.service, key, 'x', { 'X-Path': 'bot/a.mp3' }), 403, /Art/)

    await page.getByRole('tab', { name: 'Lua' }).click()
    const sent = await sentByLua((await sample.textContent())!)
    expect(sent.get('path')).toBe('bot/beispiel.png')
    expect(sent.get('body')).not.toBeEmpty()
    const again = await fetch(sent.get('url')!, {
      method: sent.get('method')!,
      headers: { Authorization: sent.get('authorization')!, 'X-Path': sent.get('path')! },
      body: picture,
    })
    expect(again.status).toBe(200)

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'ShareX-Datei herunterladen' }).click(),
    ])
    expect(file.suggestedFilename()).toBe('Discord-Bot.sxcu')
    expect(JSON.parse(await textOf(file))).toMatchObject({
      Headers: { Authorization: `Bearer ${key}` },
    })

    await page.getByRole('button', { name: 'Fertig, Schlüssel ist kopiert' }).click()
    await card(page, 'Discord-Bot').getByText('darf nur unter bot/ schreiben, nicht löschen').waitFor()
    await card(page, 'Discord-Bot').getByText('nur Bilder').waitFor()
    await card(page, 'Discord-Bot')
      .getByText(/^belegt .* mit 2 Dateien, ohne Obergrenze$/)
      .waitFor()
    expect(await page.content()).not.toContain(key)
  })

  leftToLong('what is wrong is said at its field, nothing is sent, and nothing typed is lost', async () => {
    const before = (await tokens()).length
    const page = await on.open('/tokens', { viewport: PHONE })
    await page.getByRole('button', { name: 'Neues Token' }).click()
    await field(page, 'Ordner').fill('mein ordner')
    await field(page, 'Kontingent').fill('viel')
    await page.getByLabel('Gültig bis').fill('2020-01-01')
    await page.getByRole('button', { name: 'Token erstellen' }).click()
    for (const said of [
      'Bitte einen Namen angeben.',
      /^Nur Buchstaben/,
      /^Bitte eine Zahl/,
      'Dieser Tag ist schon vorbei.',
    ])
      await page.locator('.mantine-InputWrapper-error', { hasText: said }).waitFor()
    expect(await page.evaluate('document.activeElement.labels[0].textContent')).toContain('Name')
    expect(await field(page, 'Kontingent').inputValue()).toBe('viel')
    await axe(page)
    expect(await tokens()).toHaveLength(before)
  })
})

test('what was stored with a token is told in files and bytes, with a quota too', async () => {
  const key = await make({ name: 'Vorrat', kontingent: 1024 * 1024 })
  await make({ name: 'Leer', kontingent: 1024 })
  await store(on.service, key, 'vorrat/a.txt', 'x'.repeat(400))
  await store(on.service, key, 'vorrat/b.txt', 'y'.repeat(200))
  const page = await on.open('/tokens')
  await card(page, 'Vorrat').getByText('höchstens 1 MB, belegt 600 Byte mit 2 Dateien').waitFor()
  await card(page, 'Leer').getByText('höchstens 1 KB, noch nichts hochgeladen').waitFor()
})

leftToLong('changing: only what was changed is sent, and holds at once', async () => {
  const key = await make({
    name: 'Karten',
    praefix: 'karten',
    max_datei: 10,
    gueltig_bis: Date.now() + 86_400_000,
  })
  const { gueltig_bis } = await tokenNamed('Karten')
  const page = await on.open('/tokens')
  await page.getByRole('button', { name: '„Karten“ bearbeiten' }).click()
  await field(page, 'Größte Datei').fill('1')
  const request = page.waitForRequest('**/api/dash/tokens/*')
  await page.getByRole('button', { name: 'Speichern' }).click()
  expect((await request).postDataJSON()).toEqual({ max_datei: 1024 * 1024 })
  await card(page, 'Karten').getByText('jede Datei höchstens 1 MB').waitFor()
  expect(await tokenNamed('Karten')).toMatchObject({ praefix: 'karten/', gueltig_bis })
  await store(on.service, key, 'karten/a.png', 'longer than ten bytes')
})

leftToLong('withdrawing asks first, says what is lost, and leaves the files', async () => {
  const key = await make({ name: 'Abschied' })
  await store(on.service, key, 'abschied/a.txt', 'x')
  const page = await on.open('/tokens', { scheme: 'dark' })
  await axe(page)
  const open = async () => {
    await page.getByRole('button', { name: 'Mehr zu „Abschied“' }).click()
    await page.getByRole('menuitem', { name: 'Widerrufen' }).click()
  }
  const dialog = page.getByRole('dialog')
  await open()
  await dialog.getByText('Die eine Datei (1 Byte) bleibt.').waitFor()
  await dialog.getByRole('button', { name: 'Abbrechen' }).click()
  await store(on.service, key, 'abschied/a.txt', 'y')

  await open()
  await dialog.getByRole('button', { name: 'Widerrufen' }).click()
  await card(page, 'Abschied').waitFor({ state: 'detached' })
  await expectError(await upload(on.service, key, 'x', { 'X-Path': 'abschied/b.txt' }), 401)
  expect((await read(on.service, 'abschied/a.txt')).status).toBe(200)
})

leftToLong('an expired one is shown as such, behind the others', async () => {
  await make({ name: 'Von gestern', gueltig_bis: Date.now() - 86_400_000 })
  const page = await on.open('/tokens', { language: 'en' })
  await card(page, 'Von gestern').getByText('Expired').waitFor()
  const names = await page.getByRole('heading', { level: 2 }).allTextContents()
  expect(names.at(-1)).toBe('Von gestern')
})

/** What a game server would send, by a real Lua with fakes for the game's functions. */
const sentByLua = (sample: string) =>
  readLuaTable(`local sent
    print = function() end
    json = { decode = function(body) return { url = body } end }
    GetCurrentResourceName = function() return 'resource' end
    LoadResourceFile = function(_, name) return 'content of ' .. name end
    PerformHttpRequest = function(url, answered, method, body, headers)
      sent = { url = url, method = method, body = body, path = headers['X-Path'], authorization = headers['Authorization'] }
      answered(200, 'address')
    end
    ${sample}
    return sent`)
