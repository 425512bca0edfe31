/** `GET /api/dash/uebersicht`: figures that follow every change, and stay cheap with many files. */

import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { read, remove, store } from '../support/api.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { isOrdinaryRun } from '../support/left-out.ts'
import { type Service, startService } from '../support/service.ts'
import { signedInService } from '../support/shared-service.ts'

interface Listed {
  path: string
  url: string
  abrufe: number
}
interface Overview {
  dateien: number
  bytes: number
  arten: { art: string; dateien: number; bytes: number }[]
  abrufe: { letzte_7_tage: number; tage: { tag: string; abrufe: number }[] }
  neueste: Listed[]
  meist_abgerufen: Listed[]
  nie_abgerufen: { anzahl: number; dateien: Listed[] }
  platz: { frei: number; gesamt: number } | null
  sicherung: unknown
}

async function overview(service: Service, session: string): Promise<Overview> {
  const response = await dash(service, 'uebersicht', { session })
  if (response.status !== 200) throw new Error(await response.text())
  return (await response.json()) as Overview
}

const on = signedInService()

test('an empty service: all zero, every kind and every day there', async () => {
  const empty = await overview(on.service, on.session)
  expect(empty).toMatchObject({ dateien: 0, bytes: 0, neueste: [], meist_abgerufen: [], sicherung: null })
  expect(empty.arten.map(({ art }) => art)).toEqual(['bilder', 'video', 'audio', 'dokumente', 'sonstige'])
  expect(empty.abrufe.tage).toHaveLength(30)
  expect(new Set(empty.abrufe.tage.map(({ tag }) => tag)).size).toBe(30)
  expect(empty.abrufe.letzte_7_tage).toBe(0)
  expect(empty.nie_abgerufen).toEqual({ anzahl: 0, dateien: [] })
  expect(empty.platz?.frei).toBeWithin(1, (empty.platz?.gesamt ?? 0) + 1)
})

test('totals and kinds follow uploads, overwrites and deletions', async () => {
  await store(on.service, on.token, 'a.txt', '12345')
  await store(on.service, on.token, 'b.bin', '123')
  await store(on.service, on.token, 'a.txt', '1')
  const kinds = async () => {
    const { dateien, bytes, arten } = await overview(on.service, on.session)
    return [
      dateien,
      bytes,
      arten.filter(each => each.dateien > 0).map(each => [each.art, each.dateien, each.bytes]),
    ]
  }
  expect(await kinds()).toEqual([
    2,
    4,
    [
      ['dokumente', 1, 1],
      ['sonstige', 1, 3],
    ],
  ])
  await store(on.service, on.token, 'b.bin', '1234567', { 'X-Mime': 'audio/mpeg' })
  expect(await kinds()).toEqual([
    2,
    8,
    [
      ['audio', 1, 7],
      ['dokumente', 1, 1],
    ],
  ])
  await remove(on.service, on.token, 'a.txt')
  await remove(on.service, on.token, 'b.bin')
  expect(await kinds()).toEqual([0, 0, []])
})

test('the newest ten, and what was never retrieved', async () => {
  for (let at = 0; at < 12; at++) await store(on.service, on.token, `n/${at}.txt`, `${at}`)
  const { neueste, nie_abgerufen } = await overview(on.service, on.session)
  expect(neueste.map(({ path }) => path)[0]).toBe('n/11.txt')
  expect([neueste.length, nie_abgerufen.dateien.length, nie_abgerufen.anzahl]).toEqual([10, 10, 12])
  expect(neueste[0]?.url).toEndWith('/f/n/11.txt')
})

test('retrievals by day, the most retrieved, once they are written down', async () => {
  await using service = await startService({ env: ADMIN_ENV })
  const token = await service.createToken()
  const own = await signIn(service)
  for (const name of ['much', 'little', 'never']) await store(service, token, `${name}.txt`, name)
  for (let at = 0; at < 5; at++) await (await read(service, 'much.txt')).arrayBuffer()
  await (await read(service, 'little.txt')).arrayBuffer()
  await service.restart()
  const { abrufe, meist_abgerufen, nie_abgerufen } = await overview(service, own)
  expect([abrufe.letzte_7_tage, abrufe.tage.at(-1)?.abrufe]).toEqual([6, 6])
  expect(abrufe.tage.slice(0, -1).every(day => day.abrufe === 0)).toBe(true)
  expect(meist_abgerufen.map(file => [file.path, file.abrufe])).toEqual([
    ['much.txt', 5],
    ['little.txt', 1],
  ])
  expect([nie_abgerufen.anzahl, nie_abgerufen.dateien[0]?.path]).toEqual([1, 'never.txt'])
})

describe('with many files', () => {
  setDefaultTimeout(180_000)
  const MANY = isOrdinaryRun ? 3000 : 100_000
  test(`${MANY} of them: the figures are those of a count`, async () => {
    await using service = await startService({ env: ADMIN_ENV })
    const own = await signIn(service)
    await onDatabase(
      service.dataDir,
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${MANY})
      insert into media (id, path, object, size, sha256, mime, kind, created_at, updated_at, derived, retrievals)
      select 'id' || i, 'many/' || i || '.png', 'files/x', i % 1000, 'f', 'image/png', 'bilder', i, i, 'done', i % 7 from n`,
    )
    const [counted] = await onDatabase<{ files: number; bytes: number }>(
      service.dataDir,
      'select count(*) as files, cast(sum(size) as bigint) as bytes from media',
    )
    const result = await overview(service, own)
    expect([result.dateien, result.bytes]).toEqual([counted?.files ?? 0, counted?.bytes ?? 0])
    expect(result.meist_abgerufen[0]?.abrufe).toBe(6)
  })
})
