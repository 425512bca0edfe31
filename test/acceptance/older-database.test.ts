/**
 * An older database is put beside current objects: the service reports this instead of silently serving old
 * data. It reports nothing if the database was replaced on purpose, the service was killed, or the mark is
 * missing.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { copyFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { read, store } from '../support/api.ts'
import { backUp } from '../support/backup.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { DATABASE_FILE, MARK } from '../support/data-folder.ts'
import { openFolder } from '../support/folder.ts'
import { isOrdinaryRun, leftToLong } from '../support/left-out.ts'
import { databasesAt, sharedPostgres } from '../support/postgres.ts'
import { type Service, startService } from '../support/service.ts'
import { emptyPlace } from '../support/shared-place.ts'

setDefaultTimeout(240_000)

interface StatusBody {
  pruefungen: { was: string; ok: boolean; code?: string }[]
}
async function inventory(service: Service) {
  const { pruefungen } = (await (await fetch(`${service.url}/status`)).json()) as StatusBody
  return pruefungen.find(({ was }) => was === 'bestand')
}
const LOST = { was: 'bestand', ok: false, code: 'check-changes-lost' }
const WELL = { was: 'bestand', ok: true }
/** Of several workers, each reports it; the lines of one count. */
const errorsOf = (service: Service) =>
  service
    .logs()
    .filter(({ worker = 1 }) => worker === 1)
    .filter(line => JSON.stringify(line).includes('changes that had been stored')).length
const sweep = async (service: Service) => {
  const { code, stdout } = await service.command('sweep', '--older-than', '0')
  const { removed, heldBack } = JSON.parse(stdout) as { removed: string[]; heldBack: number }
  return { code, removed: removed.length, heldBack }
}

const databaseFiles = async (folder: string) =>
  (await readdir(folder)).filter(name => name.startsWith(DATABASE_FILE))

/** Saves the database of a stopped service. The result puts that state back and starts the service. */
async function keepDatabase(service: Service, url: string | null): Promise<() => Promise<void>> {
  if (url !== null) {
    const copy = await databasesAt((await sharedPostgres()).port).copyDatabase(url)
    return () => service.restart({ DATABASE_URL: copy })
  }
  const { dataDir } = service
  const folder = await openFolder()
  for (const name of await databaseFiles(dataDir))
    await copyFile(join(dataDir, name), join(folder.path, name))
  return async () => {
    await service.stop()
    // All database files, including those whose absence SQLite itself would notice.
    for (const name of await databaseFiles(dataDir)) await rm(join(dataDir, name))
    for (const name of await readdir(folder.path))
      await copyFile(join(folder.path, name), join(dataDir, name))
    await folder[Symbol.asyncDispose]()
    await service.restart()
  }
}

async function startOn(engines: string, { ownProcess = false } = {}) {
  const shared = engines === 'machines' ? await emptyPlace() : null
  const target = await openFolder()
  const env = { ...ADMIN_ENV, SICHERUNG_ZIEL: target.path, ...shared?.env }
  const service = await startService({ mode: 'embedded', ownProcess, env })
  const token = await service.createToken()
  await store(service, token, 'a.txt', 'a')
  return {
    service,
    token,
    target: target.path,
    keep: () => keepDatabase(service, shared?.databaseUrl ?? null),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await target[Symbol.asyncDispose]()
    },
  }
}

/** `npm test` leaves PostgreSQL with an object store to the long tests. */
describe.each(isOrdinaryRun ? ['folder'] : ['folder', 'machines'])('%s', engines => {
  test('a database of yesterday is told until it is accepted, and its newer files stay until then', async () => {
    await using place = await startOn(engines)
    const { service, token } = place
    await service.stop()
    const putBack = await place.keep()
    await service.restart()
    await store(service, token, 'b.txt', 'b')
    await service.stop()
    await putBack()
    expect((await read(service, 'b.txt')).status).toBe(404)
    expect([errorsOf(service), await inventory(service)]).toEqual([1, expect.objectContaining(LOST)])
    const doctor = await service.command('doctor')
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining('fundus accept')])
    expect(doctor.stdout).toContain(MARK.slice(1))
    expect(await sweep(service)).toEqual({ code: 1, removed: 0, heldBack: 1 })

    // Files stored now raise the numbers above those of the mark, which must not hide the loss.
    for (const name of ['c', 'd', 'e']) await store(service, token, `${name}.txt`, name)
    await service.restart()
    expect([errorsOf(service), await inventory(service)]).toEqual([2, expect.objectContaining(LOST)])

    expect((await service.command('accept')).code).toBe(0)
    expect((await service.command('check', '--quick', '--json')).stdout).toContain('"lostChanges":null')
    await service.restart()
    expect([errorsOf(service), await inventory(service)]).toEqual([2, expect.objectContaining(WELL)])
    expect(await sweep(service)).toEqual({ code: 0, removed: 1, heldBack: 0 })
  })

  test('the newer database put back ends it by itself', async () => {
    await using place = await startOn(engines)
    const { service, token } = place
    await service.stop()
    const putBack = await place.keep()
    await service.restart()
    await store(service, token, 'b.txt', 'b')
    await service.stop()
    const putNewerBack = await place.keep()
    await putBack()
    expect(await inventory(service)).toMatchObject(LOST)
    await service.stop()
    await putNewerBack()
    expect(await inventory(service)).toMatchObject(WELL)
    expect((await read(service, 'b.txt')).status).toBe(200)
    expect((await service.command('accept')).stdout).toContain('fehlt nichts')
  })

  test('a restore is no database of yesterday', async () => {
    await using place = await startOn(engines)
    const { service, token, target } = place
    const { archiv } = await backUp(service, await signIn(service))
    for (const name of ['b', 'c']) await store(service, token, `${name}.txt`, name)
    await service.stop()
    const restored = await service.command('restore', join(target, archiv!), '--force')
    expect([restored.code, restored.stderr]).toEqual([0, expect.any(String)])
    await service.restart()
    expect([(await read(service, 'b.txt')).status, (await read(service, 'a.txt')).status]).toEqual([404, 200])
    expect([errorsOf(service), await inventory(service)]).toEqual([0, expect.objectContaining(WELL)])
  })

  leftToLong('a service that was killed again and again has lost nothing', async () => {
    await using place = await startOn(engines, { ownProcess: true })
    const { service, token } = place
    for (const end of ['kill9', 'stop', 'kill9', 'kill9'] as const) {
      await store(service, token, `${end}.txt`, end)
      await service[end]()
      await service.restart()
      expect([errorsOf(service), await inventory(service)]).toEqual([0, expect.objectContaining(WELL)])
    }
  })
})

test('a mark that is missing or unreadable is a line in the log at most, and is written anew', async () => {
  await using place = await startOn('folder')
  const { service, token } = place
  const mark = join(service.dataDir, 'files', MARK)
  await service.stop()
  const position = async () => (JSON.parse(await Bun.file(mark).text()) as { position: number }).position
  const before = await position()
  await rm(mark)
  await service.restart()
  expect([await position(), errorsOf(service), await inventory(service)]).toEqual([before, 0, WELL])
  await service.stop()
  await writeFile(mark, 'torn')
  await service.restart()
  expect([await position(), errorsOf(service), await inventory(service)]).toEqual([before, 0, WELL])
  expect(JSON.stringify(service.logs())).toContain('the mark beside the objects is unreadable')
  await store(service, token, 'b.txt', 'b')
  await service.stop()
  expect(await position()).toBeGreaterThan(before)
})

test('a rebuilt database is no database of yesterday', async () => {
  await using place = await startOn('folder')
  const { service } = place
  await service.stop()
  for (const name of await databaseFiles(service.dataDir)) await rm(join(service.dataDir, name))
  const rebuilt = await service.command('rebuild')
  expect([rebuilt.code, rebuilt.stderr]).toEqual([0, ''])
  await service.restart()
  expect((await read(service, 'a.txt')).status).toBe(200)
  expect([errorsOf(service), await inventory(service)]).toEqual([0, expect.objectContaining(WELL)])
})
