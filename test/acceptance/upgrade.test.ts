/**
 * Data of an earlier version, created by test/fixtures/make-older.ts: this version opens it and loses
 * nothing.
 */
import { Database } from 'bun:sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { cp, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import facts from '../fixtures/older/facts.json'
import { answered, expectError, read, store, upload } from '../support/api.ts'
import { sha256 } from '../support/bytes.ts'
import { commandProcess } from '../support/command.ts'
import { dash, signIn } from '../support/dashboard.ts'
import { DATABASE_FILE } from '../support/data-folder.ts'
import { useFolder } from '../support/folder.ts'
import { type Service, startService } from '../support/service.ts'
import { readShare } from '../support/shares.ts'
import { GERMAN } from '../support/tools.ts'
import { restore, trashOf } from '../support/trash.ts'

/** Of the session that the earlier version began; its own cookie was not kept. */
const COOKIE = 'o'.repeat(43)

const OLDER = join(import.meta.dir, '../fixtures/older')
const folder = await useFolder()

/** A copy of the data folder as the earlier version left it. */
async function olderData(name: string): Promise<string> {
  const dataDir = join(folder, name)
  for (const each of ['files', 'thumbs', 'trash'])
    await cp(join(OLDER, each), join(dataDir, each), { recursive: true })
  const packed = await Bun.file(join(OLDER, 'fundus.db.gz')).bytes()
  await Bun.write(join(dataDir, DATABASE_FILE), Bun.gunzipSync(packed))
  using database = new Database(join(dataDir, DATABASE_FILE))
  // Files older than 30 days in the trash are removed at startup.
  database.run('update trash set deleted_at = ?', [Date.now()])
  // So have sessions.
  database.run('update session set hash = ?, expires_at = ?', [sha256(COOKIE), Date.now() + 60_000])
  return dataDir
}

const migrationsIn = (dataDir: string) => {
  using database = new Database(join(dataDir, DATABASE_FILE), { readonly: true })
  return database
    .query<{ name: string }, []>('select name from migration order by name')
    .all()
    .map(row => row.name)
}

describe('data of the schema before 0025 opened by this version', () => {
  let service: Service
  let session: string
  beforeAll(async () => {
    const dataDir = await olderData('older')
    expect(migrationsIn(dataDir).at(-1)).toBe('0019-setup-code')
    service = await startService({ dataDir, mode: 'embedded' })
    session = await signIn(service, facts.account)
  })
  afterAll(() => service?.[Symbol.asyncDispose]())

  test('the schema is the newest one, and database and store fit together', async () => {
    const files = await readdir(join(import.meta.dir, '../../src/database/migrations'), { recursive: true })
    const all = files.filter(name => name.endsWith('.ts')).map(name => basename(name, '.ts'))
    expect(migrationsIn(service.dataDir)).toEqual(all.sort())
    const { code, stdout } = await service.command('check')
    expect({ code, stdout }).toEqual({ code: 0, stdout })
  })

  test('files, previews and WebP are served as before', async () => {
    expect(await (await read(service, 'spiel/notiz.txt')).text()).toBe('zweite Fassung')
    const objects = await readdir(join(OLDER, 'files/spiel'))
    const [original] = objects.filter(name => name.startsWith('bild') && name.endsWith('.png'))
    const picture = await read(service, 'spiel/bild.png')
    expect(sha256(await picture.bytes())).toBe(
      sha256(await Bun.file(join(OLDER, 'files/spiel', original!)).bytes()),
    )
    const webp = await read(service, 'spiel/bild.png', { Accept: 'image/webp' })
    expect([webp.status, webp.headers.get('content-type')]).toEqual([200, 'image/webp'])
    expect((await fetch(`${service.url}/t/spiel/bild.png.webp`)).status).toBe(200)
  })

  test('the session goes on, and its account may do everything as before', async () => {
    const session = COOKIE
    expect(await answered(await dash(service, 'ich', { session }))).toMatchObject({
      ...{ benutzer: facts.account.benutzer, rolle: 'betreiber', ordner: null },
      ...{ zweiter_faktor: null, passkeys: 0, zweiter_faktor_fehlt: false, extern: false },
    })
    for (const route of ['einstellungen', 'benutzer', 'tokens', 'verwaltung'])
      expect([route, (await dash(service, route, { session })).status]).toEqual([route, 200])
    expect(await answered<object[]>(await dash(service, 'sitzungen', { session }))).toContainEqual(
      expect.objectContaining({ diese: true }),
    )
  })

  test('the token still stores below its prefix, and nowhere else', async () => {
    await store(service, facts.token, 'spiel/neu.txt', 'von heute')
    expect(await (await read(service, 'spiel/neu.txt')).text()).toBe('von heute')
    await expectError(await upload(service, facts.token, 'x', { 'X-Path': 'anderswo/neu.txt' }), 403)
  })

  test('history, settings, share link and the list of files are there', async () => {
    const { eintraege } = (await (await dash(service, 'verlauf', { session })).json()) as History
    const older = eintraege
      .filter(({ pfad }) => pfad !== 'spiel/neu.txt')
      .map(({ was, pfad }) => ({ was, pfad }))
    expect(older).toEqual(facts.history)
    const settings = (await (await dash(service, 'einstellungen', { session })).json()) as Settings
    expect(settings.DIENST).toMatchObject({ wert: 'Spielmedien', quelle: 'gespeichert' })
    const { dateien } = await readShare(service, { schluessel: facts.share } as Parameters<
      typeof readShare
    >[1])
    expect(dateien.map(({ name }) => name)).toEqual(expect.arrayContaining(['bild.png', 'notiz.txt']))
    const found = (await (await dash(service, 'media?suche=bild', { session })).json()) as Listing
    expect(found.dateien.map(({ path }) => path)).toEqual(['spiel/bild.png'])
  })

  test('what lay in the trash comes back', async () => {
    const { eintraege } = await trashOf(service, session)
    expect(eintraege.map(({ path }) => path)).toEqual(['spiel/weg/alt.txt'])
    await restore(service, session, eintraege[0]!.nr)
    expect(await (await read(service, 'spiel/weg/alt.txt')).text()).toBe('im Papierkorb')
  })
})

test('data of a newer schema is refused with a sentence and left as it is', async () => {
  const dataDir = await olderData('newer')
  const file = join(dataDir, DATABASE_FILE)
  {
    using database = new Database(file)
    database.run("insert into migration values ('9999-later', 1)")
  }
  const before = sha256(await Bun.file(file).bytes())
  const env = { ...GERMAN, PATH: process.env.PATH ?? '', DATA_DIR: dataDir, HOST: '127.0.0.1', PORT: '0' }
  const { code, stderr } = await commandProcess(['start', '--no-build'], { env })
  expect({ code, stderr }).toEqual({ code: 2, stderr })
  expect(stderr).toMatch(/^fundus: [^\n]*neueren Version von Fundus und blieb unverändert[^\n]*\.\n$/)
  expect(sha256(await Bun.file(file).bytes())).toBe(before)
})

interface Listing {
  dateien: { path: string }[]
}
type Settings = Record<string, { wert: unknown; quelle: string }>
interface History {
  eintraege: { was: string; pfad: string }[]
}
