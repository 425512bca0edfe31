/** Rules of SQLite alone; `test/conformance/database.ts` tests those of every database. */
import { Database as Connection } from 'bun:sqlite'
import { describe, expect, test } from 'bun:test'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { openFolder } from '../../../test/support/folder.ts'
import { eventually, nextTurn } from '../../../test/support/wait.ts'
import { findByPath, putRow } from '../../features/media/media.store.ts'
import { useInstance } from '../../testing/instance.ts'
import { type Database, DatabaseBusyError, DatabaseUnflushedError, type Queries } from '../database.ts'
import { kyselyOnConnection } from './dialect.ts'
import type { WriteLog } from './log.ts'
import { openSqlite } from './sqlite.ts'
import { createGroupedTransactions } from './transactions.ts'

const { root, file, database } = await useInstance()

let ids = 0
const row = (path: string, size = 1) => {
  const rest = {
    sha256: 'f',
    mime: 'text/plain',
    kind: 'dokumente' as const,
    token_id: null,
    derived: 'done' as const,
  }
  return { id: `id${ids++}`, path, object: 'files/x', size, ...rest, created_at: 1, updated_at: 1 }
}
async function emptyTable() {
  const connection = new Connection(join(root, `${crypto.randomUUID()}.db`), { create: true })
  connection.run('create table t (text)')
  return { connection, tx: kyselyOnConnection(connection) }
}
const put = (path: string, size?: number, through: Database = database) =>
  through.transaction(tx => putRow(tx, row(path, size)))

test('closing gives the files back, also where only kept queries ran', async () => {
  const at = join(root, 'kept.db')
  const opened = await openSqlite({ file: at })
  expect(await findByPath(opened.read, 'nowhere')).toBeNull()
  await opened.close()
  // Closing the last connection removes the log; a connection that is still open keeps it.
  expect((await readdir(root)).filter(name => name.startsWith('kept.db-wal'))).toEqual([])
})

test('the log begins anew instead of growing, after many small writes as after a long one', async () => {
  const change = (paths: number, options?: { long: true }) =>
    database.transaction(async tx => {
      for (let at = 0; at < paths; at++) await putRow(tx, row(`log/${at}`))
    }, options)
  const lengths: number[] = []
  for (let round = 0; round < 8; round++) {
    if (round % 2 === 0) await change(2_000, { long: true })
    else for (let at = 0; at < 100; at++) await change(20)
    // The next transaction begins after the clean-up of the last one.
    await database.transaction(async () => {})
    lengths.push((await stat(`${file}-wal`)).size)
  }
  expect(Math.max(...lengths.slice(2))).toBeLessThan(1.5 * Math.max(...lengths.slice(0, 2)))
})

describe('transactions', () => {
  test('resolve only when their group was flushed; when that fails, whether they are stored is not known', async () => {
    const { connection, tx } = await emptyTable()
    const flushes: { done(): void; failed(error: Error): void }[] = []
    const log: WriteLog = {
      beforeCommit() {},
      flush: () => new Promise((done, failed) => flushes.push({ done, failed })),
      checkpoint: async () => {},
      distrustLog() {},
      blockingError: () => null,
      async close() {},
    }
    const transaction = createGroupedTransactions({ connection, tx, onCommit: () => {}, writeLog: log })
    const add = (text: string) => transaction(tx => sql`insert into t values (${text})`.execute(tx))
    const settled: string[] = []
    const note = (text: string) =>
      add(text).then(
        () => settled.push(text),
        error => settled.push(`${text}: ${error.name}`),
      )
    const group = [note('a'), note('b')]
    await eventually('the group is committed', () => flushes.length === 1)
    expect(connection.query('select count(*) as n from t').get()).toEqual({ n: 2 })
    await nextTurn()
    expect(settled).toEqual([])
    flushes[0]!.done()
    await Promise.all(group)
    const last = note('c')
    await eventually('the next is committed', () => flushes.length === 2)
    flushes[1]!.failed(new DatabaseUnflushedError('EIO'))
    await last
    expect(settled).toEqual(['a', 'b', 'c: DatabaseUnflushedError'])
  })

  test('more than share one flush are all done, each answered with its own outcome', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 200 }, (_, at) =>
        database.transaction(async tx => {
          await putRow(tx, row(`many/${at}`))
          if (at % 3 === 0) throw new Error(`refused ${at}`)
          return at
        }),
      ),
    )
    const values = outcomes.map(outcome =>
      outcome.status === 'fulfilled' ? outcome.value : outcome.reason.message,
    )
    expect(values).toEqual(Array.from({ length: 200 }, (_, at) => (at % 3 === 0 ? `refused ${at}` : at)))
    const { count } = await database.read
      .selectFrom('media')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('path', 'like', 'many/%')
      .executeTakeFirstOrThrow()
    expect(count).toBe(133)
  })

  test('a transaction sees what those before it wrote, and not what was refused', async () => {
    const [, refused, seen] = await Promise.allSettled([
      put('seen/a'),
      database.transaction(async tx => {
        await putRow(tx, row('seen/b'))
        throw new Error('refused')
      }),
      database.transaction(tx =>
        tx.selectFrom('media').select('path').where('path', 'like', 'seen/%').execute(),
      ),
    ])
    expect(refused.status).toBe('rejected')
    expect(seen).toMatchObject({ status: 'fulfilled', value: [{ path: 'seen/a' }] })
  })

  test('a broken statement in the middle leaves nothing of its transaction', async () => {
    const broken = database.transaction(async tx => {
      await putRow(tx, row('half/a'))
      await sql`insert into nowhere values (1)`.execute(tx)
    })
    await expect(broken).rejects.toThrow('nowhere')
    expect(database.servedFile('half/a')).toBeNull()
    expect(await put('half/b')).toBeNumber()
  })

  test('an error after which SQLite rolls back the whole group is the error of all, and nothing is stored', async () => {
    await database.transaction(tx => sql`create table once (n unique)`.execute(tx))
    const all = await Promise.allSettled([
      put('rolled-back/a'),
      database.transaction(async tx => {
        await putRow(tx, row('rolled-back/b'))
        await sql`insert or rollback into once values (1), (1)`.execute(tx)
      }),
      put('rolled-back/c'),
    ])
    for (const result of all.slice(0, 2))
      expect(String((result as PromiseRejectedResult).reason)).toContain('UNIQUE')
    expect(database.servedFile('rolled-back/a')).toBeNull()
    expect(database.servedFile('rolled-back/b')).toBeNull()
    expect(all[2]!.status).toBe('fulfilled')
    expect(database.servedFile('rolled-back/c')).not.toBeNull()
  })

  test('a writer in another process is waited for, without holding up those who read', async () => {
    await put('locked', 1)
    const other = new Connection(file)
    other.run('begin immediate')
    let written = false
    const waiting = put('locked', 2).then(() => {
      written = true
    })
    await nextTurn()
    expect([written, (await database.servedFile('locked'))?.size]).toEqual([false, 1])
    other.run('commit')
    other.close()
    await waiting
    expect((await database.servedFile('locked'))?.size).toBe(2)
  })

  test('after closing are refused, and nobody is left waiting', async () => {
    const closed = await openSqlite({ file: join(root, 'closed.db') })
    const last = put('last', 1, closed)
    await closed.close()
    expect(await last).toBeNumber()
    const late = put('late', 1, closed).then(
      () => 'done',
      () => 'refused',
    )
    expect(await late).toBe('refused')
  })
})

describe('the look-up', () => {
  test('never answers with a row of before: own writes', async () => {
    for (let size = 1; size <= 30; size++) {
      await put('fresh', size)
      expect((await database.servedFile('fresh'))?.size).toBe(size)
      expect((await database.servedFile('fresh'))?.size).toBe(size)
    }
    await database.transaction(tx => tx.deleteFrom('media').where('path', '=', 'fresh').execute())
    expect(database.servedFile('fresh')).toBeNull()
    await put('fresh', 99)
    expect((await database.servedFile('fresh'))?.size).toBe(99)
  })

  test('never answers with a row of before: writes of another process', async () => {
    await put('elsewhere', 1)
    const other = await openSqlite({ file })
    for (let size = 2; size <= 20; size++) {
      await put('elsewhere', size, other)
      expect((await database.servedFile('elsewhere'))?.size).toBe(size)
    }
    await other.close()
  })

  test('never answers with a row of before: asked in the very turn in which it is committed', async () => {
    await put('turn', 1)
    const before = await database.transaction(async tx => {
      await putRow(tx, row('turn', 2))
      return (await database.servedFile('turn'))?.size
    })
    expect([before, (await database.servedFile('turn'))?.size]).toEqual([1, 2])
  })

  test('does not see what is not committed, and forgets nothing when it is rolled back', async () => {
    await put('calm', 1)
    const inside: (number | undefined)[] = []
    const refused = database.transaction(async tx => {
      await putRow(tx, row('calm', 2))
      inside.push((await database.servedFile('calm'))?.size)
      throw new Error('refused')
    })
    await expect(refused).rejects.toThrow('refused')
    inside.push((await database.servedFile('calm'))?.size)
    expect(inside).toEqual([1, 1])
  })

  test('a renamed file is found under its new path only', async () => {
    const nr = await put('before', 5)
    expect(database.servedFile('after')).toBeNull()
    await database.transaction(tx =>
      tx.updateTable('media').set({ path: 'after' }).where('nr', '=', nr).execute(),
    )
    expect(database.servedFile('before')).toBeNull()
    expect(await database.servedFile('after')).toMatchObject({ nr, size: 5 })
  })
})

describe('reading', () => {
  test('cannot write', async () => {
    await expect(database.read.deleteFrom('media').execute()).rejects.toThrow('readonly')
    await expect(putRow(database.read, row('sneaked'))).rejects.toThrow()
    expect(database.servedFile('sneaked')).toBeNull()
  })

  test('more different statements than are kept compiled all work, also again', async () => {
    for (let round = 0; round < 2; round++) {
      for (let at = 0; at < 250; at++) {
        const { rows } = await sql<{ value: number }>`select ${sql.raw(String(at))} as value`.execute(
          database.read,
        )
        expect(rows).toEqual([{ value: at }])
      }
    }
  })

  // A statement that is left half-read would keep all readers of the connection at its state.
  test('row by row is refused, wherever it is asked', async () => {
    const all = (db: Queries) => Array.fromAsync(db.selectFrom('media').select('path').stream())
    for (const db of [database.read, database.slowRead]) await expect(all(db)).rejects.toThrow('in pages')
    await expect(database.transaction(all)).rejects.toThrow('in pages')
  })
})

test('closed, the database is one whole file that nobody holds any more', async () => {
  await using folder = await openFolder()
  const file = join(folder.path, 'fundus.db')
  const database = await openSqlite({ file })
  await database.transaction(tx =>
    tx.insertInto('lease').values({ task: 'backup', holder: 'x', until: 1 }).execute(),
  )
  await database.read.selectFrom('lease').selectAll().execute()
  await database.slowRead.selectFrom('lease').selectAll().execute()
  await database.close()
  expect((await readdir(folder.path)).sort()).toEqual(['fundus.db', 'fundus.db-high-water'])
  const alone = new Connection(file, { readwrite: true })
  expect(alone.query('pragma journal_mode = delete').get()).toEqual({ journal_mode: 'delete' })
  alone.close()
})

test('a transaction that another process keeps from writing for too long ends with an error that says so', async () => {
  await using folder = await openFolder()
  const file = join(folder.path, 'fundus.db')
  const waiting = await openSqlite({ file, busyTimeout: 30 })
  const other = new Connection(file)
  other.run('begin immediate')
  await expect(put('late', 1, waiting)).rejects.toThrow(DatabaseBusyError)
  other.run('commit')
  other.close()
  expect(await put('in-time', 1, waiting)).toBeNumber()
  await waiting.close()
})
