/** What must be exact although two instances answer: both are asked at once, each at its own address. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { join } from 'node:path'
import { expectError, type HeaderMap } from '../support/api.ts'
import { randomBytes, sha256 } from '../support/bytes.ts'
import { findCeph } from '../support/ceph.ts'
import { openChat } from '../support/chat.ts'
import { ADMIN, ADMIN_ENV, signIn } from '../support/dashboard.ts'
import { onDatabase } from '../support/data-folder.ts'
import { type HandedIn, handIn, makeDrop } from '../support/drops.ts'
import { filePart } from '../support/ingest.ts'
import { findPostgres } from '../support/postgres.ts'
import { type Service, startService } from '../support/service.ts'
import { newPlace } from '../support/shared-place.ts'
import { makeTicket, useTicket } from '../support/tickets.ts'
import { findTool, needsTool } from '../support/tools.ts'
import { askUpload, bearer, createUpload, creation, pieceAt } from '../support/tus.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)
needsTool('postgresql', findPostgres)
needsTool('radosgw', findCeph)

const hasServers = () => findTool('postgresql', findPostgres) && findTool('radosgw', findCeph)
let service: Service
let token: string
beforeAll(async () => {
  if (!hasServers()) return
  const env = { ...ADMIN_ENV, TRUST_PROXY: '127.0.0.0/8' }
  service = await startService({ mode: 'shared', ownProcess: true, env })
  token = await service.createToken('--may-delete')
})
afterAll(() => service?.[Symbol.asyncDispose]())

const at = (instance: number) => service.instances[instance % 2]!.url
const put = (url: string, path: string, body: string, headers: HeaderMap = {}, key = token) =>
  fetch(`${url}/api/upload`, {
    method: 'POST',
    body,
    headers: { Authorization: `Bearer ${key}`, 'X-Path': path, ...headers },
  })
const statuses = async (answers: Promise<Response>[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

test('1000 overwrites at one instance, each read at the other at once, under load: no answer is stale', async () => {
  const path = 'fresh/a.txt'
  let stop = false
  const load = Promise.all(
    [0, 1, 2, 3].map(async one => {
      for (let n = 0; !stop; n++) {
        await (await put(at(one), `load/${one}-${n % 20}.txt`, `${n}`)).text()
        await (await fetch(`${at(one)}/f/${path}`)).text()
      }
    }),
  )
  const stale: string[] = []
  for (let n = 0; n < 1000; n++) {
    const written = await put(at(n), path, `version ${n}`)
    expect(written.status).toBe(200)
    await written.text()
    const text = await (await fetch(`${at(n + 1)}/f/${path}`)).text()
    if (text !== `version ${n}`) stale.push(`${n}: ${text}`)
  }
  stop = true
  await load
  expect(stale).toEqual([])
})

describe('exact over both', () => {
  test('a quota: forty uploads of 1000 bytes at once, room for seven', async () => {
    const limited = await service.createToken('--quota', '7000')
    const body = 'x'.repeat(1000)
    const answers = Array.from({ length: 40 }, (_, n) => put(at(n), `quota/${n}.txt`, body, {}, limited))
    expect(await statuses(answers)).toEqual({ 200: 7, 413: 33 })
  })

  test('X-Overwrite: false: of forty to one path one is stored, and its bytes stay', async () => {
    const answers = await Promise.all(
      Array.from({ length: 40 }, async (_, n) => {
        const answer = await put(at(n), 'once/a.txt', `from ${n}`, { 'X-Overwrite': 'false' })
        return { n, status: answer.status }
      }),
    )
    const stored = answers.filter(({ status }) => status === 200)
    expect([stored.length, answers.filter(({ status }) => status === 409).length]).toEqual([1, 39])
    for (const instance of [0, 1])
      expect(await (await fetch(`${at(instance)}/f/once/a.txt`)).text()).toBe(`from ${stored[0]!.n}`)
  })

  test('a ticket of one use: of fifty uses at once one is stored, and 49 get the same 401', async () => {
    const { url } = await makeTicket(service, token, { ordner: 'tickets/two' })
    const { pathname } = new URL(url)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        useTicket(
          `${at(n)}${pathname}`,
          randomBytes(n, 20_000),
          { 'X-Path': `${n}.bin` },
          n % 4 < 2 ? 'POST' : 'PUT',
        ),
      ),
    )
    const texts = await Promise.all(answers.map(answer => answer.text()))
    const refused = answers.flatMap(({ status }, n) => (status === 200 ? [] : [`${status} ${texts[n]}`]))
    expect([refused.length, new Set(refused).size]).toEqual([49, 1])
    expect(refused[0]).toStartWith('401 ')
    const read = Array.from({ length: 50 }, (_, n) => fetch(`${at(n + 1)}/f/tickets/two/${n}.bin`))
    expect(await statuses(read)).toEqual({ 200: 1, 404: 49 })
  })

  test('a drop link for seven files: twelve at once, at both', async () => {
    const session = await signIn(service)
    const { schluessel } = await makeDrop(service, session, { ordner: 'drops/two', anzahl: 7 })
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, n) =>
        handIn({ url: at(n) }, schluessel, [filePart(`${n}.txt`, `from ${n}`)]).then(answer => answer.json()),
      ),
    )
    const stored = (answers as HandedIn[]).flatMap(({ gespeichert = [] }) => gespeichert)
    expect(stored.length).toBe(7)
  })

  test('tus: the quota holds for uploads created at once', async () => {
    const limited = bearer(await service.createToken('--quota', '7000'))
    const answers = Array.from({ length: 40 }, (_, n) =>
      createUpload({ url: at(n) }, limited, creation(1000, { pfad: `tus/quota/${n}.bin` })),
    )
    expect(await statuses(answers)).toEqual({ 201: 7, 413: 33 })
  })

  test('tus: of many requests for one place, at both, one is taken; pieces may alternate', async () => {
    const caller = bearer(token)
    const content = randomBytes(9, 6_000_000)
    const third = content.length / 3
    const created = await createUpload(
      { url: at(0) },
      caller,
      creation(content.length, { pfad: 'tus/both.bin' }),
    )
    const location = created.headers.get('location')!
    for (const piece of [0, 1, 2]) {
      const bytes = content.slice(piece * third, (piece + 1) * third)
      const answers = Array.from({ length: 8 }, (_, n) =>
        askUpload({ url: at(n) }, 'PATCH', location, { ...caller, ...pieceAt(piece * third) }, bytes),
      )
      const { 204: taken, 409: late = 0, 423: locked = 0 } = await statuses(answers)
      expect([taken, late + locked]).toEqual([1, 7])
    }
    expect(sha256(await (await fetch(`${at(1)}/f/tus/both.bin`)).bytes())).toBe(sha256(content))
  })

  test('the login lock: five failures in all, then both refuse, the right password too', async () => {
    const login = (instance: number, passwort: string, client: string) =>
      fetch(`${at(instance)}/api/dash/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': client },
        body: JSON.stringify({ ...ADMIN, passwort }),
      })
    for (let n = 0; n < 5; n++) await expectError(await login(n, 'wrong', '192.0.2.1'), 401)
    for (let n = 0; n < 2; n++) await expectError(await login(n, ADMIN.passwort, '192.0.2.1'), 429)
    expect((await login(0, ADMIN.passwort, '192.0.2.2')).status).toBe(200)
    // Concurrent attempts: no more than five are tried, whichever instances they reach.
    const together = Array.from({ length: 20 }, (_, n) => login(n, 'wrong', '192.0.2.3'))
    expect(await statuses(together)).toEqual({ 401: 5, 429: 15 })
  })

  test('messages: one for all uploads of a quiet period, at both instances', async () => {
    using chat = openChat()
    const env = { FUNDUS_TEST_QUIET_MS: '1500', WEBHOOK_URL: chat.url }
    await using own = await startService({ mode: 'shared', env })
    const key = await own.createToken('--name', 'Bot')
    const uploads = Array.from({ length: 12 }, (_, n) =>
      put(own.instances[n % 2]!.url, `notice/${n}.txt`, 'x', {}, key),
    )
    expect(await statuses(uploads)).toEqual({ 200: 12 })
    // Meanwhile the other instance looks for messages every second, too.
    chat.answerWith(() => Bun.sleep(3_000).then(() => new Response(null, { status: 204 })))
    await chat.count(1, 60_000)
    await eventually(
      'the message is off the list',
      async () => (await onDatabase(own.dataDir, 'select 1 from message')).length === 0,
    )
    expect(chat.received.map(({ text }) => text.split('\n')[0])).toEqual([
      'Fundus: 12 Dateien hochgeladen, zusammen 12 Byte, von Bot',
    ])
  })
})

test('clocks a minute apart: tasks, locks and messages are right all the same', async () => {
  using chat = openChat()
  const env = {
    ...ADMIN_ENV,
    TRUST_PROXY: '127.0.0.0/8',
    FUNDUS_TEST_QUIET_MS: '1000',
    WEBHOOK_URL: chat.url,
  }
  const place = await newPlace()
  await using early = await startService({ place, instances: 1, ownProcess: true, env })
  const skewed = { BUN_OPTIONS: `--preload=${join(import.meta.dir, 'clock-ahead.ts')}` }
  await using late = await startService({ place, instances: 1, env: { ...env, ...skewed } })
  const key = await early.createToken('--name', 'Bot')
  // The later clock was really noticed: the log says so.
  const [line] = late.logs().filter(({ message }) => message === 'listening')
  expect(Date.parse(String(line?.time))).toBeGreaterThan(Date.now() + 50_000)

  // A lock of 30 s set by one instance lasts 30 s at the other.
  for (let n = 0; n < 5; n++) expect((await attempt([early, late][n % 2]!)).status).toBe(401)
  for (const one of [early, late]) {
    const seconds = Number((await attempt(one)).headers.get('retry-after'))
    expect([seconds > 15, seconds <= 30]).toEqual([true, true])
  }
  // One message, not before the quiet period has ended and not a minute after it.
  for (let n = 0; n < 6; n++) await put([early, late][n % 2]!.url, `clock/${n}.txt`, 'x', {}, key)
  await chat.count(1, 30_000)
  expect(chat.received[0]?.text).toStartWith('Fundus: 6 Dateien hochgeladen')
  const [{ spread = 1e9 } = {}] = await onDatabase<{ spread: number }>(
    early.dataDir,
    'select max(updated_at) - min(updated_at) as spread from media',
  )
  expect(spread).toBeLessThan(30_000)
  // A lease that one instance holds is not taken by the other, although it has expired by the other's clock.
  await onDatabase(
    early.dataDir,
    `insert into lease (task, holder, until) values ('sweep', 'other',
      (extract(epoch from clock_timestamp()) * 1000)::bigint + 30000)
      on conflict (task) do update set holder = excluded.holder, until = excluded.until`,
  )
  for (const one of [early, late])
    expect((await one.commandProcess('sweep')).stderr).toContain('Ein anderer Abgleich läuft gerade')
})

const attempt = ({ url }: Service) =>
  fetch(`${url}/api/dash/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': '192.0.2.9' },
    body: JSON.stringify({ ...ADMIN, passwort: 'wrong' }),
  })

test('each instance has its own /metrics and says which it is; /status of both is well', async () => {
  const seen = new Set<string>()
  for (const { url, run } of service.instances) {
    const text = await (await fetch(`${url}/metrics`)).text()
    const [, pid = ''] = /^fundus_instance_info\{host="[^"]+",pid="(\d+)"\} 1$/m.exec(text) ?? []
    expect(Number(pid)).toBe(run.pid)
    seen.add(pid)
    expect((await fetch(`${url}/status?streng=1`)).status).toBe(200)
  }
  expect(seen.size).toBe(2)
})

test('an instance killed while it holds a task: the other takes it over within 60 s', async () => {
  using chat = openChat()
  const place = await newPlace()
  const start = (name: string) =>
    startService({
      ...{ place, instances: 1, ownProcess: true },
      env: { FUNDUS_TEST_QUIET_MS: '500', WEBHOOK_URL: `${chat.origin}/hooks/${name}` },
    })
  await using one = await start('one')
  await using other = await start('other')
  // The instance that delivers the message holds the lease as long as the chat does not answer.
  chat.answerWith(() => new Promise(() => {}))
  const key = await one.createToken('--name', 'Bot')
  expect((await put(one.url, 'task/a.txt', 'x', {}, key)).status).toBe(200)
  const [{ path: holder } = { path: '' }] = await chat.count(1, 30_000)
  const [killed, left] = holder.endsWith('one') ? [one, other] : [other, one]
  await killed.kill9()
  const held = await onDatabase(
    left.dataDir,
    `select 1 from lease where task = 'notify' and until > extract(epoch from clock_timestamp()) * 1000`,
  )
  expect(held).toHaveLength(1)
  chat.answerWith(() => new Response(null, { status: 204 }))
  const [, again] = await chat.count(2, 60_000)
  expect(again?.path).not.toBe(holder)
  await eventually('the message is off the list', async () => {
    return (await onDatabase(left.dataDir, 'select 1 from message')).length === 0
  })
})

test('the address of both goes past an instance that is gone', async () => {
  expect((await put(service.url, 'gone/a.txt', 'x')).status).toBe(200)
  await service.instances[0]!.run.end('SIGKILL')
  for (let n = 0; n < 4; n++) expect((await fetch(`${service.url}/f/gone/a.txt`)).status).toBe(200)
})
