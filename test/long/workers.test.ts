/**
 * Several workers on one port (`WORKERS`): the supervisor, and what must be exact although connections are spread over
 * processes. Each request has a connection of its own, so that it reaches any of the workers.
 */
import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { expectError, type HeaderMap } from '../support/api.ts'
import { findCeph } from '../support/ceph.ts'
import { ADMIN, ADMIN_ENV, dash, sessionOf, signIn } from '../support/dashboard.ts'
import { openFolder } from '../support/folder.ts'
import { png } from '../support/pictures.ts'
import { freePort } from '../support/ports.ts'
import { findPostgres } from '../support/postgres.ts'
import { childrenOf, isAlive } from '../support/processes.ts'
import { type Service, startService } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'
import { startAtTerminal } from '../support/terminal.ts'
import { GERMAN, toolOrFail as needsTools } from '../support/tools.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(180_000)

const TWO = { WORKERS: '2', ...ADMIN_ENV, TRUST_PROXY: '127.0.0.0/8' }
const on = sharedService({ ownProcess: true, env: TWO })

const ask = (route: string, init: RequestInit = {}, { url }: Service = on.service) =>
  fetch(url + route, { ...init, keepalive: false })
const put = (path: string, body: string, headers: HeaderMap = {}, key = on.token, service = on.service) =>
  ask(
    '/api/upload',
    { method: 'POST', body, headers: { Authorization: `Bearer ${key}`, 'X-Path': path, ...headers } },
    service,
  )
const login = (passwort: string, client: string) =>
  ask('/api/dash/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': client },
    body: JSON.stringify({ ...ADMIN, passwort }),
  })
const statuses = async (answers: Promise<Response>[]) => {
  const counts: Record<number, number> = {}
  for (const { status } of await Promise.all(answers)) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

/** Every sample of `/metrics` by its name and labels. */
async function samples(service = on.service): Promise<Map<string, number>> {
  const lines = (await (await ask('/metrics', {}, service)).text()).split('\n')
  return new Map(lines.map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}
const workersOf = (service: Service) => childrenOf(service.pid)
/** The process ids that `/metrics` names. */
async function answering(service: Service): Promise<number[]> {
  const names = [...(await samples(service).catch(() => new Map<string, number>())).keys()]
  return names.flatMap(name => /^fundus_instance_info\{.*pid="(\d+)"/.exec(name)?.[1] ?? []).map(Number)
}

/** Starts two workers, and does not wait until they answer. */
const startTwo = (env: Record<string, string>) =>
  Bun.spawn([process.execPath, 'src/cli.ts', 'start', '--no-build'], {
    cwd: join(import.meta.dir, '../..'),
    env: { ...GERMAN, PATH: process.env.PATH ?? '', HOST: '127.0.0.1', WORKERS: '2', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })

/** Looks without a pause, so that the supervisor has hardly started the process. */
function untilFirstWorker({ pid }: { pid: number }): void {
  const end = performance.now() + 30_000
  while (childrenOf(pid).length === 0 && performance.now() < end);
}

/** What `start` says when it is refused. */
async function refusedStart(env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, 'src/cli.ts', 'start', '--no-build'], {
    cwd: join(import.meta.dir, '../..'),
    env: { ...GERMAN, PATH: process.env.PATH ?? '', HOST: '127.0.0.1', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: 60_000,
  })
  const words = await child.stderr.text()
  return { code: await child.exited, words }
}

describe('exact over two workers', () => {
  test('both answer, and the log says once where the service is', async () => {
    expect(workersOf(on.service)).toHaveLength(2)
    expect(await answering(on.service)).toHaveLength(2)
    expect(on.service.logs().filter(({ message }) => message === 'listening')).toHaveLength(1)
  })

  test('500 overwrites, each read at once on another connection: no answer is stale', async () => {
    const stale: string[] = []
    for (let n = 0; n < 500; n++) {
      expect((await put('fresh/a.txt', `version ${n}`)).status).toBe(200)
      const [one, two] = await Promise.all([ask('/f/fresh/a.txt'), ask('/f/fresh/a.txt')])
      for (const text of [await one!.text(), await two!.text()])
        if (text !== `version ${n}`) stale.push(`${n}: ${text}`)
    }
    expect(stale).toEqual([])
  })

  test('a quota: forty uploads of 1000 bytes at once, room for seven', async () => {
    const limited = await on.service.createToken('--quota', '7000')
    const body = 'x'.repeat(1000)
    const answers = Array.from({ length: 40 }, (_, n) => put(`quota/${n}.txt`, body, {}, limited))
    expect(await statuses(answers)).toEqual({ 200: 7, 413: 33 })
  })

  test('X-Overwrite: false: of forty to one path one is stored', async () => {
    const once = { 'X-Overwrite': 'false' }
    const answers = Array.from({ length: 40 }, (_, n) => put('once/a.txt', `from ${n}`, once))
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
    await put('counted/a.txt', 'x')
    for (let n = 0; n < 40; n++) await (await ask('/f/counted/a.txt')).text()
    const session = sessionOf(await login(ADMIN.passwort, '192.0.2.4'))
    const json = { pfad: 'counted/a.txt', name: 'b.txt' }
    expect(await (await dash(on.service, 'media/umbenennen', { json, session })).json()).toMatchObject({
      abrufe: 40,
    })
  })

  test('metrics are summed: what was counted before and after stays, whoever answers', async () => {
    const api = 'fundus_requests_total{scope="api",status="2xx"}'
    const before = (await samples()).get(api) ?? 0
    for (let n = 0; n < 30; n++) await put('metrics/a.txt', `${n}`)
    for (let n = 0; n < 6; n++) expect((await samples()).get(api)).toBe(before + 30)
  })

  test('a supervisor that does not answer: no figures rather than those of one worker, which would be a fall', async () => {
    await put('metrics/b.txt', 'b')
    const before = await samples()
    process.kill(on.service.pid, 'SIGSTOP')
    try {
      expect((await ask('/metrics')).status).toBe(500)
    } finally {
      process.kill(on.service.pid, 'SIGCONT')
    }
    const uploads = 'fundus_requests_total{scope="api",status="2xx"}'
    expect((await samples()).get(uploads)).toBe(before.get(uploads)!)
  })

  test('/status looks once in ten seconds, whichever worker is asked', async () => {
    const seen = new Set<string>()
    const begun = performance.now()
    seen.add(await (await ask('/status')).text())
    // The uptime in the answer of a worker that looked by itself would be another one now.
    await Bun.sleep(1_100)
    for (let n = 0; n < 12; n++) seen.add(await (await ask('/status')).text())
    const seconds = (performance.now() - begun) / 1000
    expect(seen.size).toBeLessThanOrEqual(1 + Math.floor(seconds / 10))
  })

  test('dashboards hear of a preview, whichever worker made it and whichever they are connected to', async () => {
    const session = sessionOf(await login(ADMIN.passwort, '192.0.2.5'))
    using streams = await listenSixTimes(session)
    const picture = await png({ width: 60, height: 40 })
    const headers = { Authorization: `Bearer ${on.token}`, 'X-Path': 'seen/a.png' }
    expect((await ask('/api/upload', { method: 'POST', body: picture, headers })).status).toBe(200)
    await eventually('the preview on every stream', () =>
      streams.texts().every(text => text.includes('event: vorschau') && text.includes('seen/a.png')),
    )
  })
})

/** Connections of their own: some to each worker. */
async function listenSixTimes(session: string) {
  const end = new AbortController()
  const texts = Array.from({ length: 6 }, () => '')
  await Promise.all(
    texts.map(async (_, at) => {
      const headers = { Cookie: `fundus_sitzung=${session}` }
      const response = await ask('/api/dash/ereignisse', { headers, signal: end.signal })
      const read = async () => {
        for await (const part of response.body!) texts[at] += new TextDecoder().decode(part)
      }
      void read().catch(() => {})
    }),
  )
  return { texts: () => texts, [Symbol.dispose]: () => end.abort() }
}

test('a worker killed with -9 under uploads: no acknowledged upload is lost, the service answers throughout, and two answer again', async () => {
  await using service = await startService({ ownProcess: true, onDisk: true, env: TWO })
  const token = await service.createToken()
  const stored = new Map<string, string>()
  const refused: number[] = []
  let stop = false
  let cut = 0
  const uploads = Array.from({ length: 8 }, async (_, client) => {
    for (let n = 0; !stop; n++) {
      const [path, body] = [`kill/${client}-${n}.txt`, `${client} ${n} `.repeat(200)]
      const answer = await put(path, body, {}, token, service)
        .then(async response => ({ status: response.status, text: await response.text() }))
        .catch(() => null)
      // Only connections to the killed worker break.
      if (answer === null) cut++
      else if (answer.status === 200) stored.set(path, body)
      else refused.push(answer.status)
      await Bun.sleep(20)
    }
  })
  // A connection to the killed worker breaks; the next one reaches the other.
  let unanswered = 0
  const isWell = () =>
    ask('/health', {}, service).then(
      ({ ok }) => ok,
      () => false,
    )
  const watch = (async () => {
    for (; !stop; await Bun.sleep(20)) if (!(await isWell()) && !(await isWell())) unanswered++
  })()
  const killed: number[] = []
  for (let round = 0; round < 3; round++) {
    const before = stored.size
    await eventually('uploads go on', () => stored.size > before + 20)
    const [victim] = workersOf(service).filter(pid => !killed.includes(pid))
    process.kill(victim!, 'SIGKILL')
    killed.push(victim!)
    await eventually('two answer again', async () => {
      const pids = await answering(service)
      return pids.length === 2 && !pids.includes(victim!)
    })
  }
  stop = true
  await Promise.all([...uploads, watch])
  expect({ refused, unanswered }).toEqual({ refused: [], unanswered: 0 })
  // Eight clients, three kills; some of a client's next connections may have waited for the killed worker as well.
  expect(cut).toBeLessThanOrEqual(64)
  const lost: string[] = []
  const kept = stored.entries()
  const readers = Array.from({ length: 16 }, async () => {
    for (const [path, body] of kept)
      if ((await (await fetch(`${service.url}/f/${path}`)).text()) !== body) lost.push(path)
  })
  await Promise.all(readers)
  expect(lost).toEqual([])
  const deaths = service.logs().filter(({ message }) => message === 'a worker died and is started again')
  expect(deaths.map(({ end }) => end)).toEqual(['SIGKILL', 'SIGKILL', 'SIGKILL'])
  // The longer one dies again and again, the longer it is waited for.
  expect(Math.max(...deaths.map(({ pause }) => Number(pause)))).toBeGreaterThan(100)
})

test('a worker that hangs under load is noticed, killed and started again; its brothers and the sleep of all of them are left alone', async () => {
  const env = { ...TWO, FUNDUS_TEST_HANG_MS: '4000', WORKERS: '3' }
  await using service = await startService({ ownProcess: true, env })
  const token = await service.createToken()
  await put('hang/a.txt', 'x', {}, token, service)
  const messages = () => service.logs().map(({ message }) => message)
  if (availableParallelism() < 3)
    expect(messages()).toContain(
      'more workers than cores bring nothing: they share the cores and take memory',
    )
  const before = workersOf(service)

  // As when the lid of a laptop is closed: nobody runs, and nobody is to blame afterwards.
  const all = [service.pid, ...before]
  for (const pid of all) process.kill(pid, 'SIGSTOP')
  await Bun.sleep(6_000)
  for (const pid of all.reverse()) process.kill(pid, 'SIGCONT')

  let stop = false
  const clients = Array.from({ length: 8 }, async () => {
    while (!stop) {
      const signal = AbortSignal.timeout(2_000)
      await ask('/f/hang/a.txt', { signal }, service)
        .then(response => response.text())
        .catch(() => null)
    }
  })
  await eventually('all answer', async () => (await answering(service)).length === 3)
  expect(workersOf(service).sort()).toEqual(before.sort())
  const [victim, ...others] = before
  process.kill(victim!, 'SIGSTOP')
  const [answered] = await eventually('three answer again', async () => {
    const pids = await answering(service)
    return pids.length === 3 && !pids.includes(victim!) && [pids]
  })
  stop = true
  await Promise.all(clients)
  expect(answered).toEqual(expect.arrayContaining(others))
  const said = service.logs().filter(({ level }) => level === 'error')
  expect(said).toMatchObject([
    { message: 'a worker hangs and is killed', pid: victim, seconds: 4 },
    { message: 'a worker died and is started again', pid: victim, end: 'SIGKILL' },
  ])
})

/** A network of its own, in which the kernel hands connections that wait for a closing worker to another one. */
const OWN_NETWORK = [
  ...['unshare', '--map-root-user', '--net', 'sh', '-c'],
  'ip link set lo up && echo 1 > /proc/sys/net/ipv4/tcp_migrate_req && exec "$@"',
  'sh',
]

test('SIGHUP replaces every worker without one refused or broken request, new connections and kept ones', async () => {
  needsTools('iproute2', () => Bun.which('ip'))
  await using service = await startService({ ownProcess: true, env: TWO, wrapper: OWN_NETWORK })
  const token = await service.createToken()
  const before = workersOf(service)
  const inside = ['nsenter', '--target', `${service.pid}`, '--user', '--net', '--preserve-credentials']
  const client = Bun.spawn(
    [...inside, process.execPath, join(import.meta.dir, 'roll-clients.ts'), service.url, token],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  )
  for (let rolled = 1; rolled <= 2; rolled++) {
    process.kill(service.pid, 'SIGHUP')
    await eventually(
      'every worker was replaced',
      () => service.logs().filter(({ message }) => message === 'every worker was replaced').length === rolled,
      120_000,
    )
  }
  await client.stdin.end()
  const { answered, broken } = JSON.parse(await client.stdout.text())
  expect(broken).toEqual([])
  expect(answered).toBeGreaterThan(200)
  expect(workersOf(service)).toHaveLength(2)
  for (const pid of before) expect(isAlive(pid)).toBe(false)
  expect(service.logs().filter(({ message }) => message === 'listening')).toHaveLength(1)
})

test('SIGHUP while the workers are still starting replaces them afterwards', async () => {
  await using folder = await openFolder()
  const supervisor = startTwo({ PORT: `${freePort()}`, DATA_DIR: folder.path })
  try {
    untilFirstWorker(supervisor)
    process.kill(supervisor.pid, 'SIGHUP')
    let said = ''
    const listening = (async () => {
      for await (const part of supervisor.stdout) said += Buffer.from(part).toString()
    })()
    await eventually('every worker was replaced', () => said.includes('every worker was replaced'))
    expect(said.split('a worker answers').length - 1).toBe(4)
    supervisor.kill('SIGTERM')
    expect(await supervisor.exited).toBe(0)
    await listening
  } finally {
    supervisor.kill('SIGKILL')
    await supervisor.exited
  }
})

describe('the guard against a second start', () => {
  test('on the same port, with one or two workers, on the same folder or another: refused, and the first one keeps all', async () => {
    await using other = await openFolder()
    const port = freePort()
    await using service = await startService({ ownProcess: true, env: { ...TWO, PORT: `${port}` } })
    for (const DATA_DIR of [service.dataDir, other.path])
      for (const WORKERS of ['1', '2'])
        expect(await refusedStart({ PORT: `${port}`, DATA_DIR, WORKERS })).toMatchObject({
          code: 2,
          words: expect.stringContaining(`Der Port ${port} ist belegt`),
        })
    expect(await answering(service)).toHaveLength(2)
    expect(workersOf(service)).toHaveLength(2)
  })

  test.each(['the same folder', 'folders of their own'])(
    'two starts at the same moment on %s: one of them runs',
    async folders => {
      await using folder = await openFolder()
      await using other = await openFolder()
      const env = { PORT: `${freePort()}`, DATA_DIR: folder.path }
      const second = folders === 'the same folder' ? env : { ...env, DATA_DIR: other.path }
      const both = [startTwo(env), startTwo(second)]
      try {
        expect(await Promise.race(both.map(each => each.exited))).toBe(2)
        const [left] = both.filter(each => each.exitCode === null)
        await eventually('the other one answers', () =>
          fetch(`http://127.0.0.1:${env.PORT}/health`).then(
            ({ ok }) => ok,
            () => false,
          ),
        )
        left!.kill('SIGTERM')
        expect(await left!.exited).toBe(0)
      } finally {
        for (const each of both) each.kill('SIGKILL')
      }
    },
  )
})

describe('the end', () => {
  test('SIGTERM before the first worker answers: the second one is never started', async () => {
    await using folder = await openFolder()
    const supervisor = startTwo({ PORT: `${freePort()}`, DATA_DIR: folder.path })
    try {
      untilFirstWorker(supervisor)
      const first = childrenOf(supervisor.pid)
      supervisor.kill('SIGTERM')
      const said = await supervisor.stdout.text()
      expect(await supervisor.stderr.text()).toBe('')
      expect(await supervisor.exited).toBe(0)
      expect(first.filter(isAlive)).toEqual([])
      expect(said).toContain('every worker has ended')
      expect(said).not.toContain('listening')
      expect(said).not.toContain('"worker":2')
    } finally {
      supervisor.kill('SIGKILL')
      await supervisor.exited
    }
  })

  test('SIGTERM stops all, with the counters written and no process left', async () => {
    await using service = await startService({ ownProcess: true, env: TWO })
    const token = await service.createToken()
    await put('end/a.txt', 'x', {}, token, service)
    for (let n = 0; n < 20; n++) await (await ask('/f/end/a.txt', {}, service)).text()
    const pids = [service.pid, ...workersOf(service)]
    expect(await service.stop()).toBe(0)
    expect(pids.filter(isAlive)).toEqual([])
    await service.restart({ WORKERS: '1' })
    // One worker is today's single process, without a supervisor.
    expect(workersOf(service)).toEqual([])
    const { session, json } = { session: await signIn(service), json: { pfad: 'end/a.txt', name: 'b.txt' } }
    expect(await (await dash(service, 'media/umbenennen', { json, session })).json()).toMatchObject({
      abrufe: 20,
    })
  })

  test('workers do not outlive a supervisor that was killed', async () => {
    await using service = await startService({ ownProcess: true, env: TWO })
    const workers = workersOf(service)
    process.kill(service.pid, 'SIGKILL')
    await eventually('no worker is left', () => !workers.some(isAlive))
    await service.kill9()
  })

  test('nor one that the channel does not tell of its end', async () => {
    // The parent is not the supervisor that started it, as that of an orphan is not, and the channel stays open.
    const child = Bun.spawn([process.execPath, 'src/cli.ts', 'start', '--no-build'], {
      cwd: join(import.meta.dir, '../..'),
      env: { ...GERMAN, PATH: process.env.PATH ?? '', FUNDUS_WORKER: `${process.ppid}` },
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: 60_000,
      killSignal: 'SIGKILL',
      ipc() {},
    })
    expect(await child.exited).toBe(1)
  })

  test('a worker whose supervisor is gone before the first order ends, instead of waiting for it', async () => {
    for (const delay of [0, 50, 150]) {
      const child = Bun.spawn([process.execPath, 'src/cli.ts', 'start', '--no-build'], {
        cwd: join(import.meta.dir, '../..'),
        env: { ...GERMAN, PATH: process.env.PATH ?? '', FUNDUS_WORKER: `${process.pid}` },
        stdio: ['ignore', 'ignore', 'ignore'],
        timeout: 60_000,
        killSignal: 'SIGKILL',
        ipc() {},
      })
      await Bun.sleep(delay)
      child.disconnect()
      expect(await child.exited).toBe(1)
    }
  })

  test('a first worker that cannot start ends the start with its own sentence', async () => {
    await using folder = await openFolder()
    await Bun.write(join(folder.path, 'fundus.db'), 'no database'.repeat(1000))
    const { code, words } = await refusedStart({ DATA_DIR: folder.path, PORT: '0', WORKERS: '2' })
    expect({ code, sentences: words.match(/fundus: /g) }).toEqual({ code: 2, sentences: ['fundus: '] })
    expect(words).toContain('keine lesbare Datenbank')
  })

  test('at a terminal the greeting and the farewell appear once', async () => {
    await using folder = await openFolder()
    await using started = startAtTerminal([process.execPath, 'src/cli.ts', 'start', '--no-build'], {
      cwd: join(import.meta.dir, '../..'),
      env: {
        ...{ PATH: process.env.PATH ?? '', HOST: '127.0.0.1', PORT: '0', LANG: 'de_DE.UTF-8' },
        ...{ DATA_DIR: folder.path, WORKERS: '2' },
      },
    })
    await started.seen('Strg+C')
    const { code, shown } = await started.end()
    expect({ code, shown }).toEqual({ code: 0, shown })
    for (const once of ['Adresse', '#code=', 'Beendet.']) expect(shown.split(once)).toHaveLength(2)
  })
})

test('two workers on PostgreSQL and an object store: create-once, quota and a killed worker', async () => {
  needsTools('postgresql', findPostgres)
  needsTools('radosgw', findCeph)
  await using service = await startService({ mode: 'shared', instances: 1, ownProcess: true, env: TWO })
  const token = await service.createToken('--quota', '7000')
  const many = (headers: HeaderMap, path: (n: number) => string) =>
    statuses(Array.from({ length: 40 }, (_, n) => put(path(n), 'x'.repeat(1000), headers, token, service)))
  expect(await many({ 'X-Overwrite': 'false' }, () => 'once.txt')).toEqual({ 200: 1, 409: 39 })
  expect(await many({}, n => `quota/${n}.txt`)).toEqual({ 200: 6, 413: 34 })
  const [victim] = workersOf(service)
  process.kill(victim!, 'SIGKILL')
  await eventually('two answer again', async () => (await answering(service)).length === 2)
  expect((await ask('/f/once.txt', {}, service)).status).toBe(200)
})
