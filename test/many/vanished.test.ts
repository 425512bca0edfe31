/**
 * A machine that vanishes while it writes: no FIN, no RST, and a transaction that nobody ends. The others
 * continue to write.
 */
import { expect, test } from 'bun:test'
import { SQL } from 'bun'
import { startService } from '../support/service.ts'
import { makePlace } from '../support/shared-place.ts'
import { useTwoMachines } from '../support/two-machines.ts'
import { eventually } from '../support/wait.ts'

const machines = useTwoMachines()

/** The number of the common lock, for taking it in an operator's session: no time limit frees it. */
const LOCK = 0x46756e64

/** Opens a transaction by hand that holds the common lock until `release`. */
async function holdLock(url: string) {
  const sql = new SQL(url, { max: 1 })
  const connection = await sql.reserve()
  await connection.unsafe('begin')
  await connection.unsafe(`select pg_advisory_xact_lock(${LOCK})`)
  return {
    async [Symbol.asyncDispose]() {
      await connection.unsafe('rollback')
      connection.release()
      await sql.close()
    },
  }
}

async function checkOf(url: string) {
  const answer = await fetch(`${url}/status`)
  const { pruefungen } = (await answer.json()) as {
    pruefungen: { was: string; ok: boolean; code?: string }[]
  }
  return { status: answer.status, database: pruefungen.find(({ was }) => was === 'datenbank') }
}

/** The first machine vanishes in the middle of a transaction that holds the common lock. */
async function vanishWhileWriting(path: string): Promise<{ unanswered: Promise<unknown> }> {
  const { one } = machines()
  const stop = one.proxy.stopAt(/insert into "media"/, 'hold')
  const unanswered = one.put(path, 'never').catch(error => error)
  await stop.reached
  one.proxy.vanish()
  return { unanswered }
}

test('a machine that vanishes while it holds the common lock: the uploads of the other are stored', async () => {
  const { one, other } = machines()
  const { unanswered } = await vanishWhileWriting('vanished/a.txt')
  const answers = await Promise.all([0, 1, 2, 3].map(n => other.put(`kept/${n}.txt`, `kept ${n}`)))
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect((await other.get('vanished/a.txt')).status).toBe(404)
  one.proxy.comeBack()
  await unanswered
  await eventually('the machine that is back stores again', async () => {
    return (await one.put('back/a.txt', 'back')).status === 200
  })
})

test('an instance that is suspended while it holds the lock: the other goes on, and so does the first once it is back', async () => {
  const { other, start } = machines()
  const suspended = await start({ ownProcess: true })
  const stop = suspended.proxy.stopAt(/insert into "media"/, 'hold')
  const upload = suspended.put('suspended/a.txt', 'never')
  await stop.reached
  process.kill(suspended.service.pid, 'SIGSTOP')
  stop.release()
  try {
    expect((await other.put('suspended/b.txt', 'kept')).status).toBe(200)
  } finally {
    process.kill(suspended.service.pid, 'SIGCONT')
  }
  expect((await upload).status).toBe(503)
  expect((await other.get('suspended/a.txt')).status).toBe(404)
  await eventually('the instance stores again', async () => {
    return (await suspended.put('suspended/a.txt', 'again')).status === 200
  })
})

test('/status says that nobody can write although every question is answered; /health and reading go on', async () => {
  const { other, place } = machines()
  expect((await other.put('read/a.txt', 'readable')).status).toBe(200)
  {
    await using _held = await holdLock(place.databaseUrl)
    const found = await eventually('the database fails', async () => {
      const seen = await checkOf(other.service.url)
      return seen.database?.ok === false && seen
    })
    expect(found).toMatchObject({ status: 503, database: { code: 'check-database-refuses' } })
    expect((await fetch(`${other.service.url}/health`)).status).toBe(200)
    expect(await (await other.get('read/a.txt')).text()).toBe('readable')
  }
  await eventually('the database is well again', async () => (await checkOf(other.service.url)).database?.ok)
})

test('a start that has to wait for the lock says so, and for whom', async () => {
  const { postgres, ceph } = machines()
  const place = await makePlace(postgres, ceph.place)
  await using asked = new SQL(place.databaseUrl, { max: 1 })
  const held = await holdLock(place.databaseUrl)
  const starting = startService({ place, instances: 1 })
  const waits = new Set<string>()
  await eventually('the start has tried twice', async () => {
    const rows = await asked.unsafe(`select waitstart::text as since from pg_locks where not granted
      and objid = ${LOCK} and database = (select oid from pg_database where datname = current_database())`)
    for (const { since } of rows) if (since) waits.add(since)
    return waits.size > 1
  })
  await held[Symbol.asyncDispose]()
  await using service = await starting
  const told = service.logs().find(({ message }) => String(message).startsWith('the start waits for'))
  expect(told).toMatchObject({ level: 'warn', client: '127.0.0.1', state: 'idle in transaction' })
})
