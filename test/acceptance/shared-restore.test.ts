/** Backup and restore with PostgreSQL and an object store, and between them and a data folder. */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { SQL } from 'bun'
import { bytesOf, expectSameBytes, read, store } from '../support/api.ts'
import { backUp } from '../support/backup.ts'
import { randomBytes } from '../support/bytes.ts'
import { ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { openFolder } from '../support/folder.ts'
import { inherited } from '../support/host-client.ts'
import { portrait } from '../support/portrait.ts'
import { signedFetch } from '../support/s3.ts'
import { startService } from '../support/service.ts'
import { emptyPlace } from '../support/shared-place.ts'
import { eventually } from '../support/wait.ts'
import { expectWhole, fill } from '../support/whole-instance.ts'

setDefaultTimeout(240_000)
const ENV = { ...ADMIN_ENV, PUBLIC_URL: 'http://fundus.test' }

const schemas = async (sql: SQL): Promise<string[]> =>
  (
    await sql.unsafe("select nspname::text as name from pg_namespace where nspname like 'fundus%' order by 1")
  ).map(({ name }: { name: string }) => name)

test('both directions by backup and restore: paths, ids, hashes, tokens, history and counts stay', async () => {
  const shared = await emptyPlace()
  await using target = await openFolder()
  const env = { ...ENV, SICHERUNG_ZIEL: target.path }
  await using service = await startService({ mode: 'embedded', env })
  const session = await signIn(service)
  const token = await fill(service, session)
  // Counters are written at shutdown.
  await service.restart()
  const before = await portrait(service, session)
  const { archiv } = await backUp(service, session)
  await service.stop()

  await using elsewhere = await openFolder()
  await using many = await startService({
    mode: 'embedded',
    env: { ...env, ...shared.env },
    dataDir: elsewhere.path,
  })
  await many.stop()
  const forced = await many.command('restore', join(target.path, archiv!), '--force')
  expect([forced.code, forced.stderr]).toEqual([0, expect.any(String)])
  expect(forced.stdout).toContain('5 Dateien, 2 im Papierkorb')
  await many.restart()
  const there = await signIn(many)
  expect(await portrait(many, there)).toEqual(before)
  const back = await backUp(many, there)
  expect(back.ok).toBe(true)
  await expectWhole(many, there, token)
  await many.stop()

  const home = await service.command('restore', join(target.path, back.archiv!), '--force')
  expect([home.code, home.stderr]).toEqual([0, expect.any(String)])
  await service.restart()
  const again = await signIn(service)
  expect(await portrait(service, again)).toEqual(before)
  await expectWhole(service, again, token)
})

test('restore refuses while an instance lives and names it; one that died counts for a minute', async () => {
  const shared = await emptyPlace()
  await using target = await openFolder()
  const env = { ...ENV, ...shared.env, SICHERUNG_ZIEL: target.path }
  await using service = await startService({ mode: 'embedded', env, ownProcess: true })
  const token = await service.createToken()
  await store(service, token, 'a.txt', 'kept')
  const { archiv } = await backUp(service, await signIn(service))
  const restoreAgain = () => service.command('restore', join(target.path, archiv!), '--force')
  const refused = await restoreAgain()
  expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(hostname())])
  expect(refused.stderr).toContain('bitte zuerst beenden')
  expect(await (await read(service, 'a.txt')).text()).toBe('kept')

  await service.kill9()
  expect((await restoreAgain()).stderr).toContain(hostname())
  await using sql = new SQL(shared.databaseUrl, { max: 1 })
  await sql.unsafe('update fundus.running set seen_at = seen_at - 61000')
  const taken = await restoreAgain()
  expect([taken.code, taken.stderr]).toEqual([0, expect.any(String)])
  await service.restart()
  expect(await (await read(service, 'a.txt')).text()).toBe('kept')
  await service.stop()
  expect(await sql.unsafe('select host from fundus.running')).toEqual([])
})

test('what was there is kept until told otherwise, safe from the sweep; then its objects go', async () => {
  const shared = await emptyPlace()
  await using target = await openFolder()
  const env = { ...ENV, ...shared.env, SICHERUNG_ZIEL: target.path }
  await using service = await startService({ mode: 'embedded', env })
  const token = await service.createToken()
  await store(service, token, 'a.txt', 'old')
  const { archiv } = await backUp(service, await signIn(service))
  await store(service, token, 'since.txt', 'since')
  await service.stop()
  const done = await service.command('restore', join(target.path, archiv!), '--force')
  expect(done.stdout).toMatch(/im Schema fundus_vorher-\d.*--remove-kept/)
  await service.restart()
  expect((await read(service, 'since.txt')).status).toBe(404)
  const sweep = async () => JSON.parse((await service.command('sweep', '--older-than', '0')).stdout)
  expect(await sweep()).toMatchObject({ removed: [], heldBack: 0, missing: [] })

  const dropped = await service.command('restore', '--vorher-entfernen')
  expect([dropped.code, dropped.stdout]).toEqual([0, expect.stringContaining('Entfernt: fundus_vorher-')])
  await using sql = new SQL(shared.databaseUrl, { max: 1 })
  expect(await schemas(sql)).toEqual(['fundus'])
  expect(await (await read(service, 'a.txt')).text()).toBe('old')
  expect((await service.command('restore', '--vorher-entfernen')).stdout).toContain('nichts aufgehoben')
})

test('a restore that dies before the swap changes nothing; the next start, or the next restore, removes what it left', async () => {
  const shared = await emptyPlace()
  await using target = await openFolder()
  const env = { ...ENV, ...shared.env, SICHERUNG_ZIEL: target.path }
  await using service = await startService({ mode: 'embedded', env })
  const token = await service.createToken()
  for (let at = 0; at < 30; at++) await store(service, token, `v/${at}.bin`, randomBytes(at, 100))
  const { archiv } = await backUp(service, await signIn(service))
  await service.stop()
  await using sql = new SQL(shared.databaseUrl, { max: 1 })
  const restore = ['restore', join(target.path, archiv!), '--force']

  /**
   * Kills a restore before the swap: rows and objects of the new state are complete, and the swap is blocked
   * until the kill.
   */
  async function dieBeforeTheSwap(): Promise<void> {
    await sql.unsafe(`create or replace function public.stall() returns event_trigger language plpgsql as
      $$ begin if tg_tag = 'ALTER SCHEMA' then perform pg_sleep(600); end if; end $$`)
    await sql.unsafe('create event trigger stall on ddl_command_start execute function public.stall()')
    const restoring = Bun.spawn([process.execPath, 'src/cli.ts', ...restore], {
      env: { ...inherited(), ...env, DATA_DIR: service.dataDir },
      stdout: 'ignore',
      stderr: 'ignore',
    })
    const stalled = "from pg_stat_activity where query like 'alter schema%' and wait_event = 'PgSleep'"
    await eventually('the swap waits', async () => (await sql.unsafe(`select 1 ${stalled}`)).length === 1)
    restoring.kill('SIGKILL')
    await restoring.exited
    await sql.unsafe(`select pg_terminate_backend(pid) ${stalled}`)
    await sql.unsafe('drop event trigger stall')
    expect(await schemas(sql)).toEqual(['fundus', expect.stringMatching(/^fundus_neu_/)])
  }

  async function expectServedAndTidy(): Promise<void> {
    await eventually('the dead restore holds nothing', async () => {
      await service.restart().catch(() => {})
      return (await fetch(`${service.url}/health`).catch(() => null))?.ok === true
    })
    expectSameBytes(await bytesOf(await read(service, 'v/7.bin')), randomBytes(7, 100))
    expect(JSON.parse((await service.command('sweep', '--older-than', '0')).stdout)).toMatchObject({
      removed: [],
      heldBack: 0,
      missing: [],
    })
  }

  await dieBeforeTheSwap()
  await expectServedAndTidy()
  expect(await schemas(sql)).toEqual(['fundus'])

  await service.stop()
  await dieBeforeTheSwap()
  await eventually('the restore starts over', async () => (await service.command(...restore)).code === 0)
  expect(await schemas(sql)).toEqual(['fundus', expect.stringMatching(/^fundus_vorher-/)])
  expect((await service.command('restore', '--remove-kept')).code).toBe(0)
  await expectServedAndTidy()
})

test('the backup needs a target; a list without bytes is restored when every object is there', async () => {
  const shared = await emptyPlace()
  await using target = await openFolder()
  await using service = await startService({ mode: 'embedded', env: { ...ENV, ...shared.env } })
  const refused = await service.command('backup')
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('SICHERUNG_ZIEL ist nicht gesetzt'),
  ])
  expect((await service.command('settings', 'get', 'SICHERUNG_ZIEL')).stderr).toContain('SICHERUNG_ZIEL')
  await service.command('settings', 'set', 'SICHERUNG_ZIEL', target.path)

  const token = await service.createToken('--may-delete')
  await store(service, token, 'a.txt', 'stays')
  await store(service, token, 'b.txt', 'goes')
  expect((await service.command('backup', '--nur-liste')).code).toBe(0)
  const [archive] = await readdir(target.path)
  await service.stop()
  const file = join(target.path, archive!)
  const done = await service.command('restore', file, '--force')
  expect([done.code, done.stderr]).toEqual([0, expect.any(String)])
  await service.restart()
  expect(await (await read(service, 'a.txt')).text()).toBe('stays')
  expect((await service.command('check')).code).toBe(0)

  // An object is missing from the store: the restore is refused and names the file, unless told to continue
  // without it.
  await using sql = new SQL(shared.databaseUrl, { max: 1 })
  const [{ object }] = await sql.unsafe("select object from fundus.media where path = 'b.txt'")
  const { S3_ENDPOINT, S3_BUCKET } = shared.env
  await signedFetch(shared.bucket, `${S3_ENDPOINT}/${S3_BUCKET}/${object}`, { method: 'DELETE' })
  await service.stop()
  const lacking = await service.command('restore', file, '--force')
  expect([lacking.code, lacking.stderr]).toEqual([1, expect.stringContaining('(b.txt)')])
  const without = await service.command('restore', file, '--force', '--auslassen')
  expect([without.code, without.stdout]).toEqual([0, expect.stringContaining('fehlen im Objektspeicher')])
  await using folder = await openFolder()
  expect((await service.command('restore', file, '--into', folder.path)).stderr).toContain('nur die Liste')
  const rebuilt = await service.command('rebuild')
  expect([rebuilt.code, rebuilt.stderr]).toEqual([2, expect.stringContaining('fundus restore <Archiv>')])
})
