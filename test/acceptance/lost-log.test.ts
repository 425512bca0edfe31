/**
 * A part of the embedded database is removed or replaced by hand: SQLite would silently continue with the
 * rest.
 */
import { expect, setDefaultTimeout } from 'bun:test'
import { copyFile, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { read, store } from '../support/api.ts'
import { isOrdinaryRun, leftToLong } from '../support/left-out.ts'
import { embeddedOnly } from '../support/modes.ts'
import { type Service, startService } from '../support/service.ts'

setDefaultTimeout(180_000)

interface StatusBody {
  stand: string
  pruefungen: { was: string; ok: boolean; code?: string }[]
}

async function inventory(service: Service) {
  const { pruefungen } = (await (await fetch(`${service.url}/status`)).json()) as StatusBody
  return pruefungen.find(({ was }) => was === 'bestand')
}
const LOST = { was: 'bestand', ok: false, code: 'check-changes-lost' }
/** Of several workers, each reports it; the lines of one count. */
const errorsOf = (service: Service) =>
  service
    .logs()
    .filter(({ worker = 1 }) => worker === 1)
    .filter(line => line.level === 'error' && JSON.stringify(line).includes('changes that had been stored'))

async function startWithFile() {
  const service = await startService({ ownProcess: true })
  const token = await service.createToken()
  const remove = (...ends: string[]) =>
    Promise.all(ends.map(end => rm(join(service.dataDir, `fundus.db${end}`), { force: true })))
  return { service, token, remove }
}

embeddedOnly.sqlite(
  'a log that was deleted after a crash is noticed and told until it is acknowledged',
  async () => {
    const { service, token, remove } = await startWithFile()
    await using _ = service
    await store(service, token, 'a.txt', 'a')
    await service.kill9()
    await remove('-wal', '-shm')
    await service.restart()
    expect((await read(service, 'a.txt')).status).toBe(404)
    expect(errorsOf(service)).toHaveLength(1)
    expect(await inventory(service)).toMatchObject(LOST)
    const check = await service.command('check', '--quick', '--json')
    expect([check.code, JSON.parse(check.stdout).lostChanges]).toEqual([
      1,
      expect.stringMatching(/fundus\.db-lost-changes$/),
    ])
    const doctor = await service.command('doctor')
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining('fundus.db-lost-changes')])

    // Every time, and not hidden by files stored since.
    const later = await service.createToken()
    await store(service, later, 'b.txt', 'b')
    await service.restart()
    expect(errorsOf(service)).toHaveLength(2)
    expect(await inventory(service)).toMatchObject(LOST)

    await remove('-lost-changes')
    await service.restart()
    expect(await inventory(service)).toMatchObject({ ok: true })
    expect(errorsOf(service)).toHaveLength(2)
  },
)

/** In `npm test` older-database.test.ts covers this, including the files that SQLite itself would miss. */
const sqliteInLong = isOrdinaryRun ? leftToLong : embeddedOnly.sqlite

sqliteInLong('so is an older copy of the database file', async () => {
  const { service, token, remove } = await startWithFile()
  await using _ = service
  await service.stop()
  const file = join(service.dataDir, 'fundus.db')
  await copyFile(file, `${file}.older`)
  await service.restart()
  await store(service, token, 'a.txt', 'a')
  await service.stop()
  await remove('-wal', '-shm')
  await copyFile(`${file}.older`, file)
  await service.restart()
  expect(await inventory(service)).toMatchObject(LOST)
})

embeddedOnly.sqlite('crashes and clean stops are no loss', async () => {
  const { service, token } = await startWithFile()
  await using _ = service
  for (const end of isOrdinaryRun ? (['stop', 'kill9'] as const) : (['stop', 'kill9', 'kill9'] as const)) {
    await store(service, token, `${end}.txt`, end)
    await service[end]()
    await service.restart()
    expect((await read(service, `${end}.txt`)).status).toBe(200)
    expect(await inventory(service)).toMatchObject({ ok: true })
  }
  expect(await readdir(service.dataDir)).toContain('fundus.db-high-water')
  expect(errorsOf(service)).toEqual([])
})
