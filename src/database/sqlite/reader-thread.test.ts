import { expect, test } from 'bun:test'
import { sql } from 'kysely'
import { useInstance } from '../../testing/instance.ts'
import type { Database } from '../database.ts'
import { openReaderThread, type ReaderThread } from './reader-thread.ts'

const { at, file, database } = await useInstance()
const note = (name: string) =>
  database.transaction(tx => tx.insertInto('setting').values({ name, value: '1' }).execute())
const names = async () =>
  (await database.slowRead.selectFrom('setting').select('name').orderBy('name').execute()).map(
    row => row.name,
  )

/** Keeps the thread busy for a while. */
const long = (thread: { queries: Database['slowRead'] }) =>
  sql<{ n: number }>`with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000000)
    select count(*) as n from n`.execute(thread.queries)

test('sees every transaction that was answered before', async () => {
  expect(await names()).toEqual([])
  for (const name of ['a', 'b', 'c']) {
    await note(name)
    expect(await names()).toContain(name)
  }
})

test('many at once each get their own answer', async () => {
  const asked = Array.from({ length: 50 }, (_, at) =>
    sql<{ n: number }>`select ${at} as n`.execute(database.slowRead),
  )
  expect((await Promise.all(asked)).map(({ rows }) => rows[0]?.n)).toEqual(
    Array.from({ length: 50 }, (_, at) => at),
  )
})

test('holds nobody up', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await long({ queries: database.slowRead })
  clearInterval(timer)
  expect(turns).toBeGreaterThan(20)
})

test('an error is told to whoever asked, and only to them', async () => {
  const wrong = sql`select nonsense from setting`.execute(database.slowRead)
  const right = sql`select 1 as n`.execute(database.slowRead)
  await expect(wrong).rejects.toThrow('nonsense')
  expect((await right).rows).toEqual([{ n: 1 }])
})

test('it only reads', async () => {
  await expect(database.slowRead.deleteFrom('setting').execute()).rejects.toThrow('readonly')
})

test('closing waits for what is under way; without a query there is nothing to close', async () => {
  const thread: ReaderThread = openReaderThread(file)
  const answer = long(thread)
  // Kysely sends a query some microtasks after the call; a query that arrives after closing starts a new
  // thread.
  await new Promise(setImmediate)
  await thread.close()
  expect((await answer).rows).toEqual([{ n: 2_000_000 }])
  await openReaderThread(at('nowhere.db')).close()
})

test('a thread that cannot open the database says so', async () => {
  const thread = openReaderThread(at('no/such/folder.db'))
  await expect(sql`select 1`.execute(thread.queries)).rejects.toThrow()
})

test('closing does not wait for a thread that is lost meanwhile, and neither does a query', async () => {
  const thread = openReaderThread(at('no/such/folder.db'))
  const answer = sql`select 1`.execute(thread.queries)
  answer.catch(() => {})
  await new Promise(setImmediate)
  await thread.close()
  await expect(answer).rejects.toThrow('was lost')
})
