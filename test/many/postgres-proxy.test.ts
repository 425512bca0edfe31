/** The proxy with which the tests of several machines break connections does what its documentation says. */
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { SQL } from 'bun'
import { findPostgres, sharedPostgres } from '../support/postgres.ts'
import { type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts'
import { findTool, needsTool } from '../support/tools.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(60_000)
needsTool('postgresql', findPostgres)

let proxy: PostgresProxy
let direct: SQL
let url: string
beforeAll(async () => {
  if (!findTool('postgresql', findPostgres)) return
  const postgres = await sharedPostgres()
  proxy = await startPostgresProxy(postgres)
  const made = await postgres.createDatabase()
  url = made.replace(String(postgres.port), String(proxy.port))
  direct = new SQL(made, { max: 1 })
  await direct.unsafe('create table seen (nr int)')
})
afterAll(async () => {
  await direct?.close()
  await proxy?.[Symbol.asyncDispose]()
})

const count = async () => Number((await direct.unsafe('select count(*) as n from seen'))[0].n)

/** Inserts a row in a transaction; returns the outcome of the COMMIT. */
async function insert(nr: number): Promise<'answered' | 'lost'> {
  const sql = new SQL(url, { max: 1 })
  const connection = await sql.reserve()
  try {
    await connection`begin`
    await connection`insert into seen values (${nr})`
    return await connection`commit`.then(
      () => 'answered' as const,
      () => 'lost' as const,
    )
  } finally {
    void sql.close({ timeout: 0 }).catch(() => {})
  }
}

test('passes everything on where nothing is said', async () => {
  expect(await insert(1)).toBe('answered')
  expect(await count()).toBe(1)
})

test('the answer to COMMIT lost: it was carried out', async () => {
  const before = await count()
  proxy.stopAt(/^commit$/, 'lose-answer')
  expect([await insert(2), await count()]).toEqual(['lost', before + 1])
})

test('COMMIT cut off: it was not carried out', async () => {
  const before = await count()
  proxy.stopAt(/^commit$/, 'cut')
  expect([await insert(3), await count()]).toEqual(['lost', before])
})

test('COMMIT held: carried out and answered once it is released', async () => {
  const before = await count()
  const stop = proxy.stopAt(/^commit$/, 'hold')
  const inserting = insert(4)
  await stop.reached
  expect(await count()).toBe(before)
  stop.release()
  expect([await inserting, await count()]).toEqual(['answered', before + 1])
})

test('a machine that vanishes: the server still has its transaction, also when the process is gone', async () => {
  const sql = new SQL(url, { max: 1, connection: { application_name: 'vanished' } })
  const connection = await sql.reserve()
  await connection`begin`
  proxy.vanish()
  void sql.close({ timeout: 0 }).catch(() => {})
  try {
    await Bun.sleep(100)
    const states = await direct.unsafe(
      "select state from pg_stat_activity where application_name = 'vanished'",
    )
    expect(states.map(({ state }: { state: string }) => state)).toEqual(['idle in transaction'])
  } finally {
    proxy.comeBack()
  }
  await eventually('new connections work', async () => (await insert(5)) === 'answered')
})
