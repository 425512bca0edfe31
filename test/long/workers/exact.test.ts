/**
 * Several workers on one port (`WORKERS`): what must be exact although connections are spread over processes.
 * Workers that are replaced: `replaced.test.ts`; start and end: `start.test.ts`.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { expectError, type HeaderMap } from '../../support/api.ts'
import { findCeph } from '../../support/ceph.ts'
import { ADMIN, dash, sessionOf } from '../../support/dashboard.ts'
import { png } from '../../support/pictures.ts'
import { findPostgres } from '../../support/postgres.ts'
import { startService } from '../../support/service.ts'
import { sharedService } from '../../support/shared-service.ts'
import { toolOrFail as needsTools } from '../../support/tools.ts'
import { eventually } from '../../support/wait.ts'
import { answering, ask, put, samples, statuses, TWO, workersOf } from './two-workers.ts'

setDefaultTimeout(180_000)

const on = sharedService({ ownProcess: true, env: TWO })

const login = (passwort: string, client: string) =>
  ask(on.service, '/api/dash/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': client },
    body: JSON.stringify({ ...ADMIN, passwort }),
  })

describe('exact over two workers', () => {
  test('both answer, and the log says once where the service is', async () => {
    expect(workersOf(on.service)).toHaveLength(2)
    expect(await answering(on.service)).toHaveLength(2)
    expect(on.service.logs().filter(({ message }) => message === 'listening')).toHaveLength(1)
  })

  test('500 overwrites, each read at once on another connection: no answer is stale', async () => {
    const stale: string[] = []
    for (let n = 0; n < 500; n++) {
      expect((await put(on.service, on.token, 'fresh/a.txt', `version ${n}`)).status).toBe(200)
      const [one, two] = await Promise.all([
        ask(on.service, '/f/fresh/a.txt'),
        ask(on.service, '/f/fresh/a.txt'),
      ])
      for (const text of [await one!.text(), await two!.text()])
        if (text !== `version ${n}`) stale.push(`${n}: ${text}`)
    }
    expect(stale).toEqual([])
  })

  test('a quota: forty uploads of 1000 bytes at once, room for seven', async () => {
    const limited = await on.service.createToken('--quota', '7000')
    const body = 'x'.repeat(1000)
    const answers = Array.from({ length: 40 }, (_, n) => put(on.service, limited, `quota/${n}.txt`, body))
    expect(await statuses(answers)).toEqual({ 200: 7, 413: 33 })
  })

  test('X-Overwrite: false: of forty to one path one is stored', async () => {
    const once = { 'X-Overwrite': 'false' }
    const answers = Array.from({ length: 40 }, (_, n) =>
      put(on.service, on.token, 'once/a.txt', `from ${n}`, once),
    )
    expect(await statuses(answers)).toEqual({ 200: 1, 409: 39 })
  })

  test('the login lock: five failures in all, then the right password is refused too', async () => {
    for (let n = 0; n < 5; n++) await expectError(await login('wrong', '192.0.2.1'), 401)
    for (let n = 0; n < 4; n++) await expectError(await login(ADMIN.passwort, '192.0.2.1'), 429)
    expect((await login(ADMIN.passwort, '192.0.2.2')).status).toBe(200)
  })

  test('the login lock: of twenty guesses at once five are looked at', async () => {
    const answers = Array.from({ length: 20 }, () => login('wrong', '192.0.2.3'))
    expect(await statuses(answers)).toEqual({ 401: 5, 429: 15 })
    await expectError(await login(ADMIN.passwort, '192.0.2.3'), 429)
  })

  test('retrievals: a rename names those that both workers still hold in memory', async () => {
    await put(on.service, on.token, 'counted/a.txt', 'x')
    for (let n = 0; n < 40; n++) await (await ask(on.service, '/f/counted/a.txt')).text()
    const session = sessionOf(await login(ADMIN.passwort, '192.0.2.4'))
    const json = { pfad: 'counted/a.txt', name: 'b.txt' }
    expect(await (await dash(on.service, 'media/umbenennen', { json, session })).json()).toMatchObject({
      abrufe: 40,
    })
  })

  test('metrics are summed: what was counted before and after stays, whoever answers', async () => {
    const api = 'fundus_requests_total{scope="api",status="2xx"}'
    const before = (await samples(on.service)).get(api) ?? 0
    for (let n = 0; n < 30; n++) await put(on.service, on.token, 'metrics/a.txt', `${n}`)
    for (let n = 0; n < 6; n++) expect((await samples(on.service)).get(api)).toBe(before + 30)
  })

  test('a supervisor that does not answer: no figures rather than those of one worker, which would be a fall', async () => {
    await put(on.service, on.token, 'metrics/b.txt', 'b')
    const before = await samples(on.service)
    process.kill(on.service.pid, 'SIGSTOP')
    try {
      expect((await ask(on.service, '/metrics')).status).toBe(500)
    } finally {
      process.kill(on.service.pid, 'SIGCONT')
    }
    const uploads = 'fundus_requests_total{scope="api",status="2xx"}'
    expect((await samples(on.service)).get(uploads)).toBe(before.get(uploads)!)
  })

  test('/status looks once in ten seconds, whichever worker is asked', async () => {
    const seen = new Set<string>()
    const begun = performance.now()
    seen.add(await (await ask(on.service, '/status')).text())
    // A worker that ran the checks itself would report a later uptime.
    await Bun.sleep(1_100)
    for (let n = 0; n < 12; n++) seen.add(await (await ask(on.service, '/status')).text())
    const seconds = (performance.now() - begun) / 1000
    expect(seen.size).toBeLessThanOrEqual(1 + Math.floor(seconds / 10))
  })

  test('dashboards hear of a preview, whichever worker made it and whichever they are connected to', async () => {
    const session = sessionOf(await login(ADMIN.passwort, '192.0.2.5'))
    using streams = await listenSixTimes(session)
    const picture = await png({ width: 60, height: 40 })
    const headers = { Authorization: `Bearer ${on.token}`, 'X-Path': 'seen/a.png' }
    expect((await ask(on.service, '/api/upload', { method: 'POST', body: picture, headers })).status).toBe(
      200,
    )
    await eventually('the preview on every stream', () =>
      streams.texts().every(text => text.includes('event: vorschau') && text.includes('seen/a.png')),
    )
  })
})

/** Connections of their own, which reach both workers. */
async function listenSixTimes(session: string) {
  const end = new AbortController()
  const texts = Array.from({ length: 6 }, () => '')
  await Promise.all(
    texts.map(async (_, at) => {
      const headers = { Cookie: `fundus_sitzung=${session}` }
      const response = await ask(on.service, '/api/dash/ereignisse', { headers, signal: end.signal })
      const read = async () => {
        for await (const part of response.body!) texts[at] += new TextDecoder().decode(part)
      }
      void read().catch(() => {})
    }),
  )
  return { texts: () => texts, [Symbol.dispose]: () => end.abort() }
}

test('two workers on PostgreSQL and an object store: create-once, quota and a killed worker', async () => {
  needsTools('postgresql', findPostgres)
  needsTools('radosgw', findCeph)
  await using service = await startService({ mode: 'shared', instances: 1, ownProcess: true, env: TWO })
  const token = await service.createToken('--quota', '7000')
  const many = (headers: HeaderMap, path: (n: number) => string) =>
    statuses(Array.from({ length: 40 }, (_, n) => put(service, token, path(n), 'x'.repeat(1000), headers)))
  expect(await many({ 'X-Overwrite': 'false' }, () => 'once.txt')).toEqual({ 200: 1, 409: 39 })
  expect(await many({}, n => `quota/${n}.txt`)).toEqual({ 200: 6, 413: 34 })
  const [victim] = workersOf(service)
  process.kill(victim!, 'SIGKILL')
  await eventually('two answer again', async () => (await answering(service)).length === 2)
  expect((await ask(service, '/f/once.txt')).status).toBe(200)
})
