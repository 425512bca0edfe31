/**
 * Rules of PostgreSQL alone: failures of the server and of the connection to it. `test/conformance` tests
 * what every database promises.
 */
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  setDefaultTimeout,
  test,
} from 'bun:test'
import { SQL } from 'bun'
import { sql } from 'kysely'
import { startDelay } from '../../../test/support/delay.ts'
import { openFolder } from '../../../test/support/folder.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../../../test/support/postgres.ts'
import { findTool, needsTool } from '../../../test/support/tools.ts'
import { eventually } from '../../../test/support/wait.ts'
import { newId } from '../../base/ids.ts'
import { createLog } from '../../base/log.ts'
import { createDiscards } from '../../features/media/discards.ts'
import { putRow } from '../../features/media/media.store.ts'
import { createMedia } from '../../features/media/media.ts'
import { mediaParts } from '../../features/media/testing.ts'
import { addToUploadNotice } from '../../features/notify/notify.store.ts'
import { noLeasesHeld } from '../../jobs/testing.ts'
import { createDiskStorage } from '../../storage/disk/disk.ts'
import { tokenWith } from '../../testing/token.ts'
import {
  type Database,
  DatabaseBusyError,
  DatabaseRefusedError,
  DatabaseUnavailableError,
} from '../database.ts'
import { MIGRATION_NAMES, NewerDatabaseError } from '../migrate.ts'
import { naturalKey } from '../natural-key.ts'
import { WRITE_LOCK } from './lock.ts'
import { openPostgres } from './postgres.ts'
import { beginPostgresReplacement } from './replacement.ts'

setDefaultTimeout(120_000)
needsTool('postgresql', findPostgres)

const log = createLog({ level: 'error', isHumanReadable: true, write: line => process.stderr.write(line) })
let server: PostgresServer
const opened: Database[] = []
beforeAll(async () => {
  if (findTool('postgresql', findPostgres)) server = await startPostgres({ flushed: true })
})
afterAll(() => server?.stop())
beforeEach(() => server?.start())
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close().catch(() => {})
})

async function open(url: string, clock = Date.now): Promise<Database> {
  const database = await openPostgres({ url, log, clock })
  opened.push(database)
  return database
}
const row = (path: string) => ({
  ...{ id: path, path, object: `files/${path}`, size: 1, sha256: 'f', mime: 'text/plain', token_id: null },
  ...{ kind: 'dokumente' as const, created_at: 1, updated_at: 1, derived: 'done' as const },
})
const put = (database: Database, path: string) => database.transaction(tx => putRow(tx, row(path)))
const paths = async (database: Database) =>
  (await database.read.selectFrom('media').select('path').orderBy('path').execute()).map(({ path }) => path)

/** The milliseconds until it failed, and the error. */
async function failing(work: Promise<unknown>): Promise<{ ms: number; error: unknown }> {
  const begun = performance.now()
  const error = await work.then(
    () => 'no error',
    (thrown: unknown) => thrown,
  )
  return { ms: performance.now() - begun, error }
}
const well = (database: Database, path: string) =>
  eventually('the database is well again', async () => {
    await put(database, path).catch(() => {})
    return (await paths(database).catch(() => [] as string[])).includes(path)
  })

describe('the server', () => {
  test('killed: what is asked fails within 10 s as not reachable, and all is well once it is back', async () => {
    const database = await open(await server.createDatabase())
    await put(database, 'before')
    const last = database.knownState()
    await server.kill9()
    const asked = [put(database, 'lost'), paths(database), Promise.resolve(database.currentState())]
    for (const { ms, error } of await Promise.all(asked.map(failing))) {
      expect([error, ms < 10_000]).toEqual([expect.any(DatabaseUnavailableError), true])
    }
    // Data cached for the last state is invalid now; its settings are still valid.
    expect(database.knownState()).not.toBe(last)
    expect(database.knownState()).toEqual(last)
    await server.start()
    await well(database, 'after')
    expect(await paths(database)).toEqual(['after', 'before'])
  })

  test('that hangs: what is asked fails within 10 s, and all is well once it goes on', async () => {
    const database = await open(await server.createDatabase())
    await put(database, 'before')
    const goOn = server.pause()
    try {
      const asked = [put(database, 'hung'), paths(database), Promise.resolve(database.currentState())]
      for (const { ms, error } of await Promise.all(asked.map(failing)))
        expect([error, ms < 10_000]).toEqual([expect.any(DatabaseUnavailableError), true])
    } finally {
      goOn()
    }
    await well(database, 'after')
  })

  test('that flushes nothing is refused, unless a test says otherwise', async () => {
    const url = await server.createDatabase()
    await using administrator = new SQL(url)
    await administrator.unsafe('alter system set synchronous_commit = off')
    await administrator.unsafe('select pg_reload_conf()')
    try {
      await eventually('the setting counts', async () => {
        const refused = await openPostgres({ url, log }).then(
          database => database.close().then(() => null),
          (error: unknown) => error,
        )
        return refused instanceof DatabaseRefusedError && refused.settingNames.includes('synchronous_commit')
      })
      await (await openPostgres({ url, log, acceptsUnflushed: true })).close()
    } finally {
      await administrator.unsafe('alter system reset synchronous_commit')
      await administrator.unsafe('select pg_reload_conf()')
    }
  })
})

describe('a transaction', () => {
  test('whose connection is lost in COMMIT fails, is not begun again, and is stored whole or not at all', async () => {
    const url = await server.createDatabase()
    const database = await open(url)
    let runs = 0
    // The server ends the connection while it executes the COMMIT, in a deferred trigger.
    await using administrator = new SQL(url)
    await administrator.unsafe(`create function fundus.cut() returns trigger language plpgsql as $$ begin
      perform pg_terminate_backend(pg_backend_pid()); perform pg_sleep(1); return null; end $$`)
    await administrator.unsafe(`create constraint trigger cut after insert on fundus.share deferrable initially deferred
      for each row execute function fundus.cut()`)
    const { error } = await failing(
      database.transaction(async tx => {
        runs++
        await putRow(tx, row('cut'))
        await tx
          .insertInto('share')
          .values({ key: 'k', folder: 'f', created_at: 1, created_by: 'x' })
          .execute()
      }),
    )
    expect([error, runs]).toEqual([expect.any(DatabaseUnavailableError), 1])
    expect([await paths(database), await database.read.selectFrom('share').selectAll().execute()]).toEqual([
      [],
      [],
    ])
    await put(database, 'next')
    expect(await paths(database)).toEqual(['next'])
  })

  test.each([false, true])(
    'that goes on after the error of a statement fails by that error, and those beside it stay (long: %p)',
    async long => {
      const database = await open(await server.createDatabase())
      const all = [
        put(database, 'one'),
        database.transaction(
          async tx => {
            await putRow(tx, row('caught'))
            await sql`select nothing from nowhere`.execute(tx).catch(() => {})
          },
          { long },
        ),
        put(database, 'two'),
      ]
      const [, caught] = await Promise.allSettled(all)
      expect(caught).toMatchObject({ reason: { message: expect.stringContaining('nowhere') } })
      expect(await paths(database)).toEqual(['one', 'two'])
    },
  )

  test('that waits too long for another process says that the database is busy', async () => {
    const url = await server.createDatabase()
    const database = await open(url)
    await using other = new SQL(url, { max: 1 })
    const held = other.begin(async tx => {
      await tx.unsafe(`select pg_advisory_xact_lock(${WRITE_LOCK})`)
      const { ms, error } = await failing(put(database, 'late'))
      expect([error, ms < 10_000]).toEqual([expect.any(DatabaseBusyError), true])
      expect(await paths(database)).toEqual([])
    })
    await held
    await put(database, 'in-time')
    expect(await paths(database)).toEqual(['in-time'])
  })
})

test('far from the database: uploads that come together take two round trips each, and two for all', async () => {
  const url = new URL(await server.createDatabase())
  await open(url.href)
  await using delay = await startDelay(server.port, 0)
  url.port = String(delay.port)
  const database = await open(url.href)
  await using folder = await openFolder()
  const storage = await createDiskStorage({ root: folder.path, newId })
  const parts = { database, storage, coordination: noLeasesHeld, log, newId, now: Date.now }
  const discards = createDiscards({ ...parts, delay: 1e9 })
  const media = createMedia({
    ...mediaParts(),
    ...parts,
    discards,
    isDerivable: () => false,
    onStored() {},
    onUpload: (tx, { path, size }) => addToUploadNotice(tx, { path, size, sender: 'Spielserver' }, 1),
  })
  const sha256 = 'f'.repeat(64)
  const upload = async (path: string) => {
    const staging = await storage.stage()
    const by = { token: tokenWith({ name: 'Spielserver', quota: 100 }) }
    await media.store({ path, staging, size: 0, sha256, mime: 'text/plain', actor: by, overwrite: true })
  }
  // The first execution of a statement on a connection costs extra round trips, and groups use the
  // connections in turn.
  for (let group = 0; group < 16; group++) await upload('warm')
  // Long enough that everything sent together arrives within it, even on a busy machine.
  delay.milliseconds = 30
  for (const what of ['new', 'overwriting']) {
    const before = delay.roundTrips()
    await Promise.all(Array.from({ length: 8 }, (_, at) => upload(`${at}`)))
    const trips = delay.roundTrips() - before
    // Two for each upload; begin and commit of two groups, because some files may arrive late.
    expect(`${what}: ${trips <= 2 * 8 + 4 || trips}`).toBe(`${what}: true`)
  }
  await discards.stop()
  await storage.close()
})

describe('opening', () => {
  test('by several processes at once makes one schema', async () => {
    const url = await server.createDatabase()
    const all = await Promise.all([open(url), open(url), open(url)])
    await Promise.all(all.map((database, at) => put(database, `by-${at}`)))
    for (const database of all) expect(await paths(database)).toEqual(['by-0', 'by-1', 'by-2'])
  })

  test('a schema of a newer version is refused and left untouched', async () => {
    const url = await server.createDatabase()
    await (await openPostgres({ url, log })).close()
    await using administrator = new SQL(url)
    await administrator.unsafe("insert into fundus.migration values ('9999-from-the-future', 0)")
    await expect(openPostgres({ url, log })).rejects.toThrow(NewerDatabaseError)
  })

  test('at a wrong address fails within 10 s', async () => {
    const { ms, error } = await failing(openPostgres({ url: 'postgres://fundus@127.0.0.1:1/x', log }))
    expect([error, ms < 10_000]).toEqual([expect.any(DatabaseUnavailableError), true])
  })
})

test('two states that are replaced in the same second are both kept; a store that cannot be tidied holds nothing up', async () => {
  const url = await server.createDatabase()
  await using folder = await openFolder()
  const storage = await createDiskStorage({ root: folder.path, newId })
  const openStorage = async () => ({ storage, id: 'i', claim: async () => {} })
  const begin = () =>
    beginPostgresReplacement({
      url,
      log,
      now: () => 0,
      attemptMark: newId(6),
      isResumable: false,
      openStorage,
    })
  await (await open(url)).close()
  const kept: (string | null)[] = []
  for (let round = 0; round < 2; round++) {
    const instance = await begin()
    await instance.load(MIGRATION_NAMES, async () => {})
    kept.push(await instance.swap())
    await instance.release()
  }
  expect(kept[1]).toBe(`${kept[0]}-2`)

  const broken = await begin()
  storage.close = () => Promise.reject(new Error('broken'))
  await expect(broken.release()).rejects.toThrow('broken')
  storage.close = async () => {}
  await (await begin()).release()
})

test('machines whose clocks are a minute apart agree on the time of the database', async () => {
  const url = await server.createDatabase()
  const clocks = [() => Date.now() + 60_000, () => Date.now() - 60_000]
  const times = await Promise.all(
    clocks.map(async clock => {
      const database = await open(url, clock)
      await database.currentState()
      return clock() + database.clockOffset()
    }),
  )
  expect(Math.abs(times[0]! - times[1]!)).toBeLessThan(30_000)
  expect(Math.abs(times[0]! - Date.now())).toBeLessThan(30_000)
})

test('pages in every order follow an index, also with a million rows in mind', async () => {
  const url = await server.createDatabase()
  await open(url)
  await using administrator = new SQL(url, { max: 1 })
  await administrator.unsafe(`insert into fundus.media (id, path, object, size, sha256, mime, kind, created_at, updated_at, derived)
    select 'i' || n, 'p/' || (n % 50) || '/' || n, 'o' || n, n % 97, 'f', 'text/plain', 'dokumente', 1, n % 89, 'done'
    from generate_series(1, 20000) n`)
  await administrator.unsafe('analyze fundus.media')
  const orders = [
    'path',
    'natural_key, path',
    'size, nr',
    'updated_at, nr',
    'retrievals, nr',
    'retrieved_at nulls first, nr',
  ]
  for (const order of orders) {
    const plan = await administrator.unsafe(`explain select nr from fundus.media order by ${order} limit 60`)
    expect(JSON.stringify(plan)).toContain('Index')
    expect(JSON.stringify(plan)).not.toContain('Sort')
  }
  // A table as small as this would be scanned completely.
  await administrator.unsafe('set enable_seqscan = off')
  const plan = async (query: string) =>
    JSON.stringify(await administrator.unsafe(`explain select nr from fundus.${query}`))
  // The page's numbers come from the index, without reading the rows.
  await administrator.unsafe('vacuum fundus.media')
  expect(await plan('media order by natural_key, path limit 60 offset 9000')).toContain('Index Only Scan')
  const folder = "media where folder = 'p/1/' order by natural_key, path limit 60"
  expect(await plan(folder)).toContain('Index Only Scan using media_gallery')
  // The same for a walk, which may skip very many rows of other folders.
  for (const order of orders.slice(2)) {
    const rows = `select nr, path, folder, kind, token_id from fundus.media order by ${order} limit 9000`
    const walk = `where folder >= 'p/' and folder < 'p0' and kind = 'bilder' and token_id = 't' limit 60`
    const found = JSON.stringify(
      await administrator.unsafe(`explain select nr from (${rows}) as walked ${walk}`),
    )
    expect([order, found]).toEqual([order, expect.stringContaining('Index Only Scan')])
  }
})

test('only a text that the search index can find is looked for in it, even where the engine avoids reading a table', async () => {
  const url = await server.createDatabase()
  await using administrator = new SQL(url, { max: 1 })
  const name = new URL(url).pathname.slice(1)
  await administrator.unsafe(`alter database ${name} set enable_seqscan = off`)
  const { read, queryTraits } = await open(url)
  await administrator.unsafe(`insert into fundus.media_search (nr, path)
    select n, 'p/' || n from generate_series(1, 20000) n`)
  await administrator.unsafe('vacuum analyze fundus.media_search')
  const plan = async (text: string) =>
    JSON.stringify(
      (await sql`explain select * from ${queryTraits.pathsContaining(text)} as hits`.execute(read)).rows,
    )
  expect(await plan('/1999')).toContain('media_search_text')
  expect(await plan('19')).not.toContain('media_search_text')
  const found = async (text: string) =>
    (await sql`select * from ${queryTraits.pathsContaining(text)} as hits`.execute(read)).rows
  expect(await found('P/1999')).toHaveLength(11)
  expect(await found('P')).toHaveLength(20000)
})

test('search texts and sort keys follow every change of a path', async () => {
  const url = await server.createDatabase()
  await open(url)
  await using direct = new SQL({ url, max: 1, connection: { search_path: 'fundus,public' } })
  await direct.unsafe(`insert into media (id, path, object, size, sha256, mime, kind, created_at, updated_at, derived)
    select 'i' || n, 'A/' || n, 'o' || n, 1, 'f', 'text/plain', 'dokumente', 1, 1, 'done' from generate_series(1, 12) n`)
  const differing = async () => {
    const rows = await direct`select media.path, natural_key, media_search.path as text
      from media full join media_search using (nr)`
    return rows.filter(
      (row: Record<'path' | 'natural_key' | 'text', string | null>) =>
        row.text !== row.path?.toLowerCase() || row.natural_key !== naturalKey(row.path ?? ''),
    )
  }
  const changes = [
    "update media set path = 'B/' || nr where nr <= 3",
    // Like a move of many files; and where both names have the same key.
    "update media set path = 'C10', natural_key = 'C210' where nr = 4",
    "update media set path = 'C010' where nr = 4",
    "update media set path = 'C10', natural_key = natural_key where nr = 4",
    'update media set retrievals = 5',
    'delete from media where nr in (1, 2, 5)',
  ]
  expect(await differing()).toEqual([])
  for (const change of changes) {
    await direct.unsafe(change)
    expect([change, await differing()]).toEqual([change, []])
  }
})
