/**
 * `GET /api/dash/statistik`: retrievals by day of everything, a folder and a file, storage by day, and
 * notable files.
 */
import { beforeAll, expect, test } from 'bun:test'
import { answered, bytesOf, expectError, read, remove, store } from '../support/api.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { sharedService } from '../support/shared-service.ts'

const DAY = 24 * 3_600_000
const DAYS = 90

interface Statistics {
  ordner: string
  dateien: number
  bytes: number
  abrufe: { gesamt: number; tage: { tag: string; abrufe: number }[] }
  speicher: { tag: string; dateien: number | null; bytes: number | null }[] | null
  unterordner: { name: string; pfad: string; dateien: number; bytes: number; abrufe: number }[]
  groesste: { path: string; size: number }[]
  lange_nicht_abgerufen: { path: string }[]
  tokens: { id: string | null; name: string | null; dateien: number; bytes: number; abrufe: number }[] | null
}

const on = sharedService({ env: ADMIN_ENV })
let session = ''
let bot = ''
/** Today's noon by the clock of the service, so that no test runs past midnight. */
const noon = new Date().setHours(12, 0, 0, 0) - Date.now()

/** Restarts the service at noon of a day, counted from today; the counters of the day before are written. */
/** As if the service had been running all the time, because it does not trust a clock that has jumped. */
async function goTo(day: number): Promise<void> {
  const clockAhead = noon + day * DAY
  await on.service.stop()
  await onDatabase(
    on.service.dataDir,
    `update clock set seen_at = ${Date.now() + clockAhead}, doubted_since = null`,
  )
  await on.service.restart({}, { clockAhead })
  session = await signIn(on.service)
}

const ask = (route: string) => dash(on.service, route, { session })
const answerOf = async <T>(route: string) => answered<T>(await ask(route))
const statistics = (folder = '') => answerOf<Statistics>(`statistik${folder && `?ordner=${folder}`}`)
const ofFile = (path: string) => answerOf<Statistics['abrufe']>(`statistik/datei/${path}`)
/** The figures of the last days, ending with today. */
const last = (count: number, { tage }: Statistics['abrufe']) => tage.slice(-count).map(({ abrufe }) => abrufe)

async function retrieve(path: string, times: number): Promise<void> {
  for (let at = 0; at < times; at++) await bytesOf(await read(on.service, path))
}

beforeAll(async () => {
  await goTo(0)
  bot = await on.service.createToken('--name', 'Bot', '--may-delete')
  await store(on.service, on.token, 'a/x.txt', '12345')
  await store(on.service, on.token, 'a/tief/y.txt', '123')
  await store(on.service, bot, 'b/z.bin', '1234567890')
  await retrieve('a/x.txt', 3)
  await retrieve('a/tief/y.txt', 1)
  await retrieve('b/z.bin', 2)
  await goTo(1)
  await dash(on.service, 'media/umbenennen', { json: { pfad: 'a/x.txt', name: 'neu.txt' }, session })
  await retrieve('a/neu.txt', 1)
  await goTo(2)
})

test('retrievals of each of the last 90 days: of everything, a folder with its subfolders, a file', async () => {
  const { abrufe } = await statistics()
  expect([abrufe.tage.length, abrufe.gesamt, last(3, abrufe)]).toEqual([DAYS, 7, [6, 1, 0]])
  expect(new Set(abrufe.tage.map(({ tag }) => tag)).size).toBe(DAYS)
  expect(last(3, (await statistics('a')).abrufe)).toEqual([4, 1, 0])
  expect(last(3, (await statistics('a/tief')).abrufe)).toEqual([1, 0, 0])
  expect(last(3, await ofFile('b/z.bin'))).toEqual([2, 0, 0])
})

test('the figures of a file follow its rename', async () => {
  const file = await ofFile('a/neu.txt')
  expect([file.gesamt, last(3, file)]).toEqual([4, [3, 1, 0]])
  await expectError(await ask('statistik/datei/a/x.txt'), 404)
})

test('what lay in the store at the end of each day, and nothing for days before the instance', async () => {
  await store(on.service, on.token, 'a/heute.txt', '12')
  const { speicher, dateien, bytes } = await statistics()
  expect(speicher).toHaveLength(DAYS)
  expect(speicher!.slice(-4).map(day => [day.dateien, day.bytes])).toEqual([
    [0, 0],
    [3, 18],
    [3, 18],
    [4, 20],
  ])
  expect(speicher![0]).toMatchObject({ dateien: null, bytes: null })
  expect([dateien, bytes]).toEqual([4, 20])
  await remove(on.service, bot, 'a/heute.txt')
})

test('folders, tokens, the largest files and those that nobody has asked for in a long time', async () => {
  const all = await statistics()
  expect(
    all.unterordner.map(({ name, pfad, dateien, bytes, abrufe }) => [name, pfad, dateien, bytes, abrufe]),
  ).toEqual([
    ['a', 'a', 2, 8, 5],
    ['b', 'b', 1, 10, 2],
  ])
  expect(all.tokens!.map(({ name, dateien, bytes, abrufe }) => [name, dateien, bytes, abrufe])).toEqual([
    ['test', 2, 8, 5],
    ['Bot', 1, 10, 2],
  ])
  expect(all.groesste.map(({ path }) => path)).toEqual(['b/z.bin', 'a/neu.txt', 'a/tief/y.txt'])
  expect(all.lange_nicht_abgerufen.map(({ path }) => path).at(-1)).toBe('a/neu.txt')
  const inside = await statistics('a')
  expect([inside.ordner, inside.dateien, inside.bytes, inside.speicher, inside.tokens]).toEqual([
    'a',
    2,
    8,
    null,
    null,
  ])
  expect(inside.unterordner.map(({ pfad, abrufe }) => [pfad, abrufe])).toEqual([['a/tief', 1]])
  expect(inside.groesste.map(({ path }) => path)).toEqual(['a/neu.txt', 'a/tief/y.txt'])
})

test('an unknown folder 404, an invalid one 400', async () => {
  await expectError(await ask('statistik?ordner=fehlt'), 404)
  await expectError(await ask('statistik?ordner=..'), 400)
})

const kept = async () => {
  const [row] = await onDatabase<{ rows: number }>(
    on.service.dataDir,
    'select cast(count(*) as integer) as rows from retrieval_file_day',
  )
  return row!.rows
}

test('the trash keeps the figures of a file, deleting it for good does not, and a new file begins anew', async () => {
  const { nummern } = (await (
    await dash(on.service, 'media/loeschen', { json: { pfade: ['b/z.bin'] }, session })
  ).json()) as { nummern: number[] }
  await expectError(await ask('statistik/datei/b/z.bin'), 404)
  await dash(on.service, 'papierkorb/wiederherstellen', { json: { nummern }, session })
  expect((await ofFile('b/z.bin')).gesamt).toBe(2)
  const before = await kept()
  await remove(on.service, bot, 'b/z.bin')
  expect(await kept()).toBe(before - 1)
  await store(on.service, bot, 'b/z.bin', 'x')
  expect((await ofFile('b/z.bin')).gesamt).toBe(0)
  // Retrievals of everything stay counted: they did happen.
  expect((await statistics()).abrufe.gesamt).toBe(7)
})

test('90 days are kept, and then the figures of files go', async () => {
  await goTo(DAYS - 1)
  expect([(await ofFile('a/neu.txt')).gesamt, (await statistics()).abrufe.tage[0]!.abrufe]).toEqual([4, 6])
  await goTo(DAYS)
  expect([(await ofFile('a/neu.txt')).gesamt, (await statistics()).abrufe.gesamt]).toEqual([1, 1])
  expect(await kept()).toBe(1)
})
