/**
 * `/api/dash/tokens`: list, create, change, revoke; with a session only, and the clear text is shown once.
 */

import { describe, expect, test } from 'bun:test'
import { expectError, read, store, upload } from '../support/api.ts'
import { freshPng } from '../support/compat.ts'
import { sharedServiceWithAdmin, type TokenLimits } from '../support/token-admin.ts'

const on = sharedServiceWithAdmin({ env: { LOG_LEVEL: 'debug' } })

const KEYS = [
  'arten',
  'bytes',
  'darf_lesen',
  'darf_loeschen',
  'dateien',
  'erstellt_am',
  'exif_entfernen',
  'gueltig_bis',
  'id',
  'kontingent',
  'max_datei',
  'max_kante',
  'name',
  'praefix',
  'ueberschriebene_behalten',
  'zuletzt_benutzt',
]
const UNLIMITED = {
  praefix: null,
  darf_loeschen: false,
  max_datei: null,
  kontingent: null,
  arten: null,
  gueltig_bis: null,
  max_kante: null,
  exif_entfernen: null,
  ueberschriebene_behalten: null,
  darf_lesen: false,
}
const LIMITED = {
  praefix: 'items/',
  darf_loeschen: true,
  max_datei: 1000,
  kontingent: 5000,
  arten: ['bilder', 'audio'],
  gueltig_bis: 4_000_000_000_000,
  max_kante: 640,
  exif_entfernen: true,
  ueberschriebene_behalten: true,
  darf_lesen: true,
}

describe('making one', () => {
  test('answers 200 with the record, the clear text and its ShareX file; what is left out is not limited', async () => {
    const before = Date.now()
    const response = await on.admin.call('', { json: { name: ' Spielserver „Süd“ ' } })
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toContain('no-store')
    const made = (await response.json()) as Record<string, unknown>
    expect(Object.keys(made).sort()).toEqual([...KEYS, 'sharex', 'token'].sort())
    expect(made).toMatchObject({ ...UNLIMITED, name: 'Spielserver „Süd“', dateien: 0, bytes: 0 })
    expect(made.zuletzt_benutzt).toBeNull()
    expect(made.erstellt_am).toBeGreaterThanOrEqual(before)
    // Several instances go by the clock of the database.
    expect(made.erstellt_am).toBeLessThanOrEqual(Date.now() + 1000)
    expect(made.token).toMatch(/^media_[\w-]{40,}$/)
    await store(on.service, String(made.token), 'made/a.txt', 'x')
  })

  test('every limit is answered as it was given', async () => {
    const { id, token: _, sharex: __, ...made } = await on.admin.create({ name: 'all', ...LIMITED })
    expect(made).toMatchObject({ name: 'all', ...LIMITED })
    expect(await on.admin.find(id)).toEqual({ id, ...made })
  })

  test('nulls are the same as nothing', async () => {
    const nothing = Object.fromEntries(Object.keys(UNLIMITED).map(key => [key, null])) as TokenLimits
    expect(await on.admin.create(nothing)).toMatchObject(UNLIMITED)
  })

  test('the prefix may be given without its final slash, and means the same', async () => {
    for (const praefix of ['deep/er', 'deep/er/']) {
      const { token } = await on.admin.create({ praefix })
      await store(on.service, token, 'deep/er/a.txt', 'x')
      await expectError(await upload(on.service, token, 'x', { 'X-Path': 'deep/er2/a.txt' }), 403)
    }
  })

  test('two of one name are two', async () => {
    const [first, second] = [await on.admin.create(), await on.admin.create()]
    expect(first.id).not.toBe(second.id)
    expect(first.token).not.toBe(second.token)
  })
})

test('the list is bare and holds every token with exactly the agreed keys', async () => {
  const made = await on.admin.create({ name: 'listed' })
  const response = await on.admin.call('')
  const list = (await response.json()) as Record<string, unknown>[]
  expect(Array.isArray(list)).toBe(true)
  expect(list.length).toBeGreaterThan(1)
  for (const token of list) expect(Object.keys(token).sort()).toEqual(KEYS)
  expect(list.filter(token => token.id === made.id)).toHaveLength(1)
})

describe('changing one', () => {
  test.each(Object.keys(LIMITED) as (keyof TokenLimits)[])('%s alone: the others stay', async key => {
    const { id } = await on.admin.create({ name: 'before' })
    const before = await on.admin.find(id)
    const changed = await on.admin.patch(id, { [key]: LIMITED[key] })
    expect(Object.keys(changed).sort()).toEqual(KEYS)
    expect(changed).toEqual({ ...before, [key]: LIMITED[key] })
    expect(await on.admin.find(id)).toEqual(changed)
    expect(await on.admin.patch(id, { [key]: null })).toEqual(before)
  })

  test('null clears one limit and no other', async () => {
    const { id } = await on.admin.create(LIMITED)
    const changed = await on.admin.patch(id, { kontingent: null, arten: null })
    expect(changed).toMatchObject({ ...LIMITED, kontingent: null, arten: null })
  })

  test('the name', async () => {
    const { id } = await on.admin.create({ name: 'old', ...LIMITED })
    expect(await on.admin.patch(id, { name: 'new' })).toMatchObject({ name: 'new', ...LIMITED })
  })

  test('nothing at all changes nothing', async () => {
    const { id } = await on.admin.create(LIMITED)
    expect(await on.admin.patch(id, {})).toMatchObject(LIMITED)
  })

  test('the key does not change, and is not in the answer', async () => {
    const { id, token } = await on.admin.create()
    const response = await on.admin.call(`/${id}`, { method: 'PATCH', json: { ...LIMITED, name: 'changed' } })
    expect(await response.text()).not.toContain(token)
    await store(on.service, token, 'items/after-change.png', await freshPng())
  })

  test('what cannot be changed is not: id, times and figures', async () => {
    const { id } = await on.admin.create()
    const before = await on.admin.find(id)
    const json = { id: 'x', erstellt_am: 1, zuletzt_benutzt: 1, dateien: 9, bytes: 9, token: 'media_x' }
    const { status } = await on.admin.call(`/${id}`, { method: 'PATCH', json })
    expect(status).toBe(400)
    expect(await on.admin.find(id)).toEqual(before)
  })
})

describe('withdrawing one', () => {
  test('401 from then on, its files stay, the others go on', async () => {
    const [gone, other] = [await on.admin.create({ darf_loeschen: true }), await on.admin.create()]
    await store(on.service, gone.token, 'withdrawn/a.txt', 'kept')
    const response = await on.admin.call(`/${gone.id}`, { method: 'DELETE' })
    expect(response.status).toBe(200)
    await expectError(
      await upload(on.service, gone.token, 'x', { 'X-Path': 'withdrawn/b.txt' }),
      401,
      /Token/,
    )
    expect(await (await read(on.service, 'withdrawn/a.txt')).text()).toBe('kept')
    expect((await on.admin.list()).map(token => token.id)).not.toContain(gone.id)
    await store(on.service, other.token, 'withdrawn/b.txt', 'x')
    // Whether files of a revoked token may be overwritten depends on the path, not on that token.
    await store(on.service, other.token, 'withdrawn/a.txt', 'taken over')
  })

  test('a second time: 404', async () => {
    const { id } = await on.admin.create()
    await on.admin.withdraw(id)
    await expectError(await on.admin.call(`/${id}`, { method: 'DELETE' }), 404)
  })
})

test.each([
  ['PATCH', '/nosuchtoken', { name: 'x' }],
  ['DELETE', '/nosuchtoken', undefined],
  ['GET', '/nosuchtoken/sharex', undefined],
])('%s %s: 404', async (method, route, json) => {
  await expectError(await on.admin.call(route, { method, ...(json && { json }) }), 404, /Token/)
})

test('another method: 405', async () => {
  await expectError(await on.admin.call('', { method: 'PUT', json: {} }), 405)
})
