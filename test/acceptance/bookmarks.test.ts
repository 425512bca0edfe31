/** Pinned folders and saved filters by address: each account has its own, within what it may see. */
import { describe, expect, test } from 'bun:test'
import { answered, expectError } from '../support/api.ts'
import { dash, signIn } from '../support/dashboard.ts'
import { sharedLibrary } from '../support/library.ts'

const on = sharedLibrary()

interface Bookmarks {
  ordner: string[]
  filter: { name: string; abfrage: string }[]
}
const put = (json: unknown, session = on.session) =>
  dash(on.service, 'merkzettel', { method: 'PUT', json, session })
const get = async (session = on.session) =>
  answered<Bookmarks>(await dash(on.service, 'merkzettel', { session }))
async function save(bookmarks: Partial<Bookmarks>, session = on.session): Promise<void> {
  expect((await put({ ordner: [], filter: [], ...bookmarks }, session)).status).toBe(200)
}
async function accountWith(benutzer: string, rights: object) {
  const account = { benutzer, passwort: 'ein langes Passwort' }
  const { id } = await on.done<{ id: string }>('benutzer', { ...account, ...rights })
  return { id, session: await signIn(on.service, account) }
}
const FILTER = { name: 'Lange unbeachtet', abfrage: 'unterordner=1&unabgerufen_tage=365' }

test('are empty to begin with, and kept as they were saved, in their order', async () => {
  expect(await get()).toEqual({ ordner: [], filter: [] })
  const saved = { ordner: ['b', 'a/tief'], filter: [FILTER, { name: 'A', abfrage: 'art=video' }] }
  expect(await answered<Bookmarks>(await put({ ...saved, ordner: ['b', 'a/tief/'] }))).toEqual(saved)
  await on.service.restart()
  expect(await get()).toEqual(saved)
  await save({})
  expect(await get()).toEqual({ ordner: [], filter: [] })
})

test('each account has its own, viewers too; they go with the account', async () => {
  const viewer = await accountWith('zuschauer', { rolle: 'ansicht' })
  await save({ ordner: ['meiner'] })
  await save({ filter: [FILTER] }, viewer.session)
  expect(await get()).toEqual({ ordner: ['meiner'], filter: [] })
  expect(await get(viewer.session)).toEqual({ ordner: [], filter: [FILTER] })
  const response = await dash(on.service, `benutzer/${viewer.id}`, { method: 'DELETE', session: on.session })
  expect(response.status).toBe(200)
  expect((await get((await accountWith('zuschauer', { rolle: 'ansicht' })).session)).filter).toEqual([])
})

describe('folders', () => {
  test('follow when they are renamed or moved; another folder stays', async () => {
    await on.fill('alt', ['tief/a.txt'])
    await save({ ordner: ['alt/tief', 'alt', 'anderer'] })
    await on.done('folders/umbenennen', { ordner: 'alt', name: 'neu' })
    expect((await get()).ordner).toEqual(['neu/tief', 'neu', 'anderer'])
    await on.done('folders/verschieben', { ordner: 'neu/tief', ziel: '' })
    expect((await get()).ordner[0]).toBe('tief')
  })

  test('of a limited account lie inside its folders, also when these change', async () => {
    const limited = await accountWith('begrenzt', { rolle: 'redaktion', ordner: ['kiosk', 'laden'] })
    await expectError(await put({ ordner: ['kiosk2'], filter: [] }, limited.session), 403)
    await expectError(await put({ ordner: ['gibtesnicht'], filter: [] }, limited.session), 403)
    await save({ ordner: ['kiosk', 'laden/a'] }, limited.session)
    const change = { method: 'PATCH', json: { ordner: ['laden'] }, session: on.session }
    expect((await dash(on.service, `benutzer/${limited.id}`, change)).status).toBe(200)
    const again = await signIn(on.service, { benutzer: 'begrenzt', passwort: 'ein langes Passwort' })
    expect((await get(again)).ordner).toEqual(['laden/a'])
  })
})

const many = (count: number) => Array.from({ length: count }, (_, at) => `f${at}`)
test.each<[string, object, number]>([
  ['30 of each', { ordner: many(30), filter: many(30).map(name => ({ name, abfrage: 'x' })) }, 200],
  ['31 folders', { ordner: many(31), filter: [] }, 400],
  ['31 filters', { ordner: [], filter: many(31).map(name => ({ name, abfrage: 'x' })) }, 400],
  ['the same folder twice', { ordner: ['a', 'a/'], filter: [] }, 400],
  ['the same name twice', { ordner: [], filter: [FILTER, FILTER] }, 400],
  ['the top', { ordner: [''], filter: [] }, 400],
  ['an invalid folder', { ordner: ['../x'], filter: [] }, 400],
  ['no name', { ordner: [], filter: [{ ...FILTER, name: ' ' }] }, 400],
  ['a name of 61', { ordner: [], filter: [{ ...FILTER, name: 'n'.repeat(61) }] }, 400],
  ['a query of 1000', { ordner: [], filter: [{ ...FILTER, abfrage: 'q'.repeat(1000) }] }, 200],
  ['a query of 1001', { ordner: [], filter: [{ ...FILTER, abfrage: 'q'.repeat(1001) }] }, 400],
  ['an unknown field', { ordner: [], filter: [], mehr: 1 }, 400],
  ['nothing', {}, 400],
])('%s', async (_, bookmarks, status) => {
  expect((await put(bookmarks)).status).toBe(status)
})
