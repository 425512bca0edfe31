/**
 * Workers that are killed, hang or are replaced on a signal: nothing acknowledged is lost, and the others
 * continue.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { openFolder } from '../../support/folder.ts'
import { freePort } from '../../support/ports.ts'
import { isAlive } from '../../support/processes.ts'
import { startService } from '../../support/service.ts'
import { toolOrFail as needsTools } from '../../support/tools.ts'
import { eventually } from '../../support/wait.ts'
import { answering, ask, put, startTwo, TWO, untilFirstWorker, workersOf } from './two-workers.ts'

setDefaultTimeout(180_000)

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
      const answer = await put(service, token, path, body)
        .then(async response => ({ status: response.status, text: await response.text() }))
        .catch(() => null)
      // Only connections to the killed worker break.
      if (answer === null) cut++
      else if (answer.status === 200) stored.set(path, body)
      else refused.push(answer.status)
      await Bun.sleep(20)
    }
  })
  // A connection to the killed worker breaks; the next one reaches the other worker.
  let unanswered = 0
  const isWell = () =>
    ask(service, '/health').then(
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
  // Eight clients, three kills; some of a client's next connections may also have been queued at the killed
  // worker.
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
  // The longer a worker keeps dying, the longer the pause before its restart.
  expect(Math.max(...deaths.map(({ pause }) => Number(pause)))).toBeGreaterThan(100)
})

test('a worker that hangs under load is noticed, killed and started again; its brothers and the sleep of all of them are left alone', async () => {
  const env = { ...TWO, FUNDUS_TEST_HANG_MS: '4000', WORKERS: '3' }
  await using service = await startService({ ownProcess: true, env })
  const token = await service.createToken()
  await put(service, token, 'hang/a.txt', 'x')
  const messages = () => service.logs().map(({ message }) => message)
  if (availableParallelism() < 3)
    expect(messages()).toContain(
      'more workers than cores bring nothing: they share the cores and take memory',
    )
  const before = workersOf(service)

  // As when a laptop's lid is closed: all processes are suspended, and afterwards none counts as hung.
  const all = [service.pid, ...before]
  for (const pid of all) process.kill(pid, 'SIGSTOP')
  await Bun.sleep(6_000)
  for (const pid of all.reverse()) process.kill(pid, 'SIGCONT')

  let stop = false
  const clients = Array.from({ length: 8 }, async () => {
    while (!stop) {
      const signal = AbortSignal.timeout(2_000)
      await ask(service, '/f/hang/a.txt', { signal })
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

/**
 * A network namespace in which the kernel passes connections that are queued at a closing worker to another
 * one.
 */
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
