/** `test/crash/failed-flush.test.ts` tests the whole process, with a disk that fails. */
import { Database as Connection } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFile, open, stat, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { useFolder } from '../../../test/support/folder.ts'
import { exists } from '../../storage/local/exists.ts'
import { bootId } from '../../storage/local/platform.ts'
import { DatabaseUnflushedError } from '../database.ts'
import { copyLog, restoreLogFromCopy } from './log-copy.ts'
import { openSqlite } from './sqlite.ts'
import { noteUnflushed, refuseUnflushedDatabase } from './unflushed.ts'
import { LogLostError } from './wal.ts'

const root = await useFolder()
let files = 0

/**
 * A database whose rows are all in its log, as a machine that has stopped would leave it; and the copy of the
 * log.
 */
async function stoppedWithCopy() {
  const live = join(root, `live-${files}.db`)
  using connection = new Connection(live, { create: true })
  connection.run('pragma journal_mode = wal')
  connection.run('pragma wal_autocheckpoint = 0')
  connection.run('create table t (text)')
  for (let at = 0; at < 50; at++) connection.run(`insert into t values ('${'x'.repeat(3000)}')`)
  const { log: frames } = connection.query<{ log: number }, []>('pragma wal_checkpoint(noop)').get()!
  const file = join(root, `stopped-${files++}.db`)
  for (const end of ['', '-wal']) await copyFile(live + end, file + end)
  const log = await open(`${file}-wal`, 'r+')
  await copyLog(file, log, frames)
  return { file, log, frames, [Symbol.asyncDispose]: () => log.close() }
}

function rowsOf(file: string): number {
  using connection = new Connection(file)
  using statement = connection.prepare<{ n: number }, []>('select count(*) as n from t')
  return statement.get()!.n
}

test('a log with a hole is whole again, where without the copy recovery ends at the hole', async () => {
  for (const isRestored of [false, true]) {
    await using stopped = await stoppedWithCopy()
    await stopped.log.write(new Uint8Array(8192), 0, 8192, 80_000)
    if (isRestored) await restoreLogFromCopy(stopped.file)
    expect(rowsOf(stopped.file) === 50).toBe(isRestored)
  }
})

test('only what was committed is copied: a damaged log is told', async () => {
  await using stopped = await stoppedWithCopy()
  await stopped.log.write(Uint8Array.of(255), 0, 1, 80_000)
  await expect(copyLog(stopped.file, stopped.log, stopped.frames)).rejects.toThrow(LogLostError)
  await truncate(`${stopped.file}-wal`, 90_000)
  await expect(copyLog(stopped.file, stopped.log, stopped.frames)).rejects.toThrow(LogLostError)
})

test('a copy is of no use once the log was carried over in this run of the machine, or has begun anew', async () => {
  await using carried = await stoppedWithCopy()
  await truncate(`${carried.file}-wal`, 0)
  await restoreLogFromCopy(carried.file)
  expect([await exists(`${carried.file}-wal-copy`), (await stat(`${carried.file}-wal`)).size]).toEqual([
    false,
    0,
  ])
  await using anew = await stoppedWithCopy()
  await using other = await stoppedWithCopy()
  await copyFile(`${other.file}-wal`, `${anew.file}-wal`)
  await restoreLogFromCopy(anew.file)
  expect(await exists(`${anew.file}-wal-copy`)).toBe(false)
})

test('a process that finds a log carries it over before it stores anything', async () => {
  const file = join(root, 'found.db')
  await (await openSqlite({ file })).close()
  const script = `const { openSqlite } = await import(${JSON.stringify(join(import.meta.dir, 'sqlite.ts'))})
    const database = await openSqlite({ file: ${JSON.stringify(file)} })
    await database.transaction(tx => tx.insertInto('setting').values({ name: 'a', value: '1' }).execute())
    process.kill(process.pid, 'SIGKILL')`
  await Bun.spawn([process.execPath, '-e', script]).exited
  expect((await stat(`${file}-wal`)).size).toBeGreaterThan(0)
  const database = await openSqlite({ file })
  expect((await stat(`${file}-wal`)).size).toBe(0)
  expect(await database.read.selectFrom('setting').select('name').execute()).toEqual([{ name: 'a' }])
  await database.close()
})

test('a database file that could not be flushed is not opened again before the machine was restarted', async () => {
  const file = join(root, 'noted.db')
  await noteUnflushed(file)
  if ((await bootId()) !== null) await expect(openSqlite({ file })).rejects.toThrow(DatabaseUnflushedError)
  await Bun.write(`${file}-unflushed`, 'another run of the machine')
  await refuseUnflushedDatabase(file)
  expect(await exists(`${file}-unflushed`)).toBe(false)
})
