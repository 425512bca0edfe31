/** An instance with some of everything, and a check that all of it exists after a move. */
import { expect } from 'bun:test'
import { answered, bytesOf, expectSameBytes, read, remove, store } from './api.ts'
import { saveSettings } from './backup.ts'
import { randomBytes } from './bytes.ts'
import { dash, signIn } from './dashboard.ts'
import type { Service } from './service.ts'
import { restore, throwAway, trashOf } from './trash.ts'

/** The files of the instance at the end of `fill`. */
const FILES: Record<string, Uint8Array<ArrayBuffer>> = {
  'bilder/a.bin': randomBytes(1, 300_000),
  'Bilder/A.bin': randomBytes(2, 511),
  x: randomBytes(3, 513),
  'x/y.png': randomBytes(4, 40),
  'frueher/umbenannt.bin': randomBytes(5, 70),
}

/** An account with a role and a folder; the open invitation gives the same. */
const HELPER = { benutzer: 'Helfer', passwort: 'a password of some length' }
const RIGHTS = { rolle: 'redaktion', ordner: ['bilder'] }

/** When the share ends: the milliseconds must survive too. */
const SHARE_END = Date.UTC(2099, 5, 1) + 123

const BOOKMARKS = {
  ordner: ['x', 'bilder'],
  filter: [{ name: 'Lange her', abfrage: 'unabgerufen_tage=365' }],
}
const HELPERS_BOOKMARKS: typeof BOOKMARKS = { ordner: ['bilder'], filter: [] }

const RULE = { ordner: 'bilder', tage: 400, ab: 'abgerufen' }

/**
 * Creates files, an overwritten one, a renamed one, trash, a deleted one, counts, a share, an account limited
 * to a folder, bookmarks of both accounts, an invitation, a rule, settings; returns the token.
 */
export async function fill(service: Service, session: string): Promise<string> {
  const token = await service.createToken('--may-delete', '--quota', '100000000')
  await store(service, token, 'x', 'earlier')
  for (const [path, bytes] of Object.entries(FILES))
    await store(service, token, path.replace('umbenannt', 'zuerst'), bytes)
  const moved = { pfad: 'frueher/zuerst.bin', name: 'umbenannt.bin' }
  expect((await dash(service, 'media/umbenennen', { json: moved, session })).status).toBe(200)
  for (const content of ['first', 'second']) {
    await store(service, token, 'weg/datei.txt', content)
    await throwAway(service, session, 'weg/datei.txt')
  }
  await store(service, token, 'endgueltig.txt', 'gone')
  await remove(service, token, 'endgueltig.txt')
  for (let count = 0; count < 3; count++) await (await read(service, 'bilder/a.bin')).arrayBuffer()
  await answered(await dash(service, 'benutzer', { json: { ...HELPER, ...RIGHTS }, session }))
  await saveBookmarks(service, session, BOOKMARKS)
  await saveBookmarks(service, await signIn(service, HELPER), HELPERS_BOOKMARKS)
  await answered(await dash(service, 'einladungen', { json: { ...RIGHTS, gueltig_tage: 90 }, session }))
  await dash(service, 'freigaben', { json: { ordner: 'bilder', gueltig_bis: SHARE_END }, session })
  const regeln = [RULE]
  await dash(service, 'fristen', { method: 'PUT', json: { regeln }, session })
  await saveSettings(service, session, { DIENST: 'Umgezogen' })
  return token
}

const saveBookmarks = async (service: Service, session: string, json: typeof BOOKMARKS) =>
  answered(await dash(service, 'merkzettel', { method: 'PUT', json, session }))

const bookmarksOf = async (service: Service, session: string) =>
  answered(await dash(service, 'merkzettel', { session }))

/** Checks that every file exists, the trash can be restored, numbers continue, and nothing is left over. */
export async function expectWhole(service: Service, session: string, token: string): Promise<void> {
  for (const [path, bytes] of Object.entries(FILES))
    expectSameBytes(await bytesOf(await read(service, path)), bytes)
  expect((await read(service, 'endgueltig.txt')).status).toBe(404)
  await store(service, token, 'neu.txt', 'new')
  const { eintraege } = await trashOf(service, session)
  expect(await restore(service, session, eintraege[0]!.nr)).toMatchObject({
    wiederhergestellt: [{ path: 'weg/datei.txt' }],
    abgelehnt: [],
  })
  expect(await (await read(service, 'weg/datei.txt')).text()).toBe('second')
  expect(await (await dash(service, 'fristen', { session })).json()).toEqual({ regeln: [RULE] })
  const helper = await signIn(service, HELPER)
  expect(await answered(await dash(service, 'ich', { session: helper }))).toMatchObject(RIGHTS)
  expect((await dash(service, 'media?ordner=x', { session: helper })).status).toBe(403)
  expect(await bookmarksOf(service, session)).toEqual(BOOKMARKS)
  expect(await bookmarksOf(service, helper)).toEqual(HELPERS_BOOKMARKS)
  expect(await answered(await dash(service, 'einladungen', { session }))).toMatchObject([RIGHTS])
  expect(await (await dash(service, 'freigaben', { session })).json()).toMatchObject([
    { ordner: 'bilder', gueltig_bis: SHARE_END },
  ])
  const checked = await service.command('check')
  expect([checked.code, checked.stdout]).toEqual([0, expect.any(String)])
}
