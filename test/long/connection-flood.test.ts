/**
 * Thousands of connections that do little or nothing: other clients are served, the log reports it once, and
 * everything recovers.
 */
import { expect, setDefaultTimeout, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { expectError, read, store } from '../support/api.ts'
import { randomBytes } from '../support/bytes.ts'
import { beginUpload, crowdLines, DESCRIPTORS, figure, startLimited } from '../support/limited-connections.ts'
import { memoryOf } from '../support/processes.ts'
import { head, openRaw, type RawConnection, sendRaw } from '../support/raw.ts'
import type { Service } from '../support/service.ts'
import { eventually } from '../support/wait.ts'

setDefaultTimeout(600_000)

const MEGABYTE = 1024 * 1024
/** Enough for the maximum number of connections of a process. */
const MANY_DESCRIPTORS = 10_000
const MEMORY_MOST = 100 * MEGABYTE

const descriptorsOf = ({ pid }: Service) => readdirSync(`/proc/${pid}/fd`).length

/** Checks that another client can read and upload on new connections. */
async function expectServed(service: Service, token: string, name: string): Promise<void> {
  const bytes = randomBytes(3, 200_000)
  await store(service, token, `others/${name}.bin`, bytes, { Connection: 'close' })
  const answer = await read(service, `others/${name}.bin`, { Connection: 'close' })
  expect([answer.status, Bun.hash(await answer.bytes())]).toEqual([200, Bun.hash(bytes)])
}

/** What the service holds, to be compared with the end of the test. */
const heldBy = async (service: Service) => ({
  connections: await figure(service, 'fundus_connections'),
  descriptors: descriptorsOf(service),
  memory: memoryOf(service.pid),
})

async function expectRecovered(service: Service, before: Awaited<ReturnType<typeof heldBy>>): Promise<void> {
  await eventually('all connections are gone', async () => (await figure(service, 'fundus_connections')) <= 4)
  // Files stay open for ten seconds after their last reader.
  await eventually('all files are closed', () => descriptorsOf(service) <= before.descriptors + 8)
  const { memory } = await heldBy(service)
  console.info(`memory +${((memory - before.memory) / MEGABYTE).toFixed(1)} MB afterwards`)
  expect(memory - before.memory).toBeLessThan(MEMORY_MOST)
}

test('10 000 idle connections', async () => {
  await using service = await startLimited({ descriptors: MANY_DESCRIPTORS })
  const token = await service.createToken()
  await expectServed(service, token, 'first')
  const before = await heldBy(service)
  const limit = await figure(service, 'fundus_connections_limit')
  expect(limit).toBe(4096)
  const idle = new Set<RawConnection>()
  for (let at = 1; at <= 10_000; at++) {
    idle.add(await openRaw(service.port))
    if (at % 500 > 0) continue
    for (const connection of idle)
      if (connection.closed) {
        connection.close()
        idle.delete(connection)
      }
    await expectServed(service, token, `${at}`)
  }
  const { connections, memory } = await heldBy(service)
  console.info(`${connections} of 10 000: memory +${((memory - before.memory) / MEGABYTE).toFixed(1)} MB`)
  expect(connections).toBe(limit)
  expect(memory - before.memory).toBeLessThan(MEMORY_MOST)
  expect(await figure(service, 'fundus_connections_crowded_total{outcome="refused"}')).toBe(0)
  expect(await figure(service, 'fundus_connections_crowded_total{outcome="idle_closed"}')).toBeGreaterThan(
    10_000 - limit,
  )
  expect(crowdLines(service)).toMatchObject([{ level: 'warn', connections: limit }])
  for (const connection of idle) connection.close()
  await expectRecovered(service, before)
  await expectServed(service, token, 'last')
})

test('500 slow readers and 500 slow senders', async () => {
  const COUNT = 500
  await using service = await startLimited({ descriptors: MANY_DESCRIPTORS })
  await using opened = new AsyncDisposableStack()
  const open = async () => opened.use(await openRaw(service.port))
  const token = await service.createToken()
  const large = randomBytes(4, 16 * MEGABYTE)
  await store(service, token, 'slow/large.bin', large, { Connection: 'close' })
  await expectServed(service, token, 'first')
  const before = await heldBy(service)
  const [readers, senders]: RawConnection[][] = [[], []]
  for (let at = 0; at < COUNT; at++) {
    const [reader, sender] = [await open(), await open()]
    reader.pause()
    await reader.write(head('GET /f/slow/large.bin', { Connection: 'close' }))
    await beginUpload(sender, token, `slow/${at}.bin`)
    readers!.push(reader)
    senders!.push(sender)
    if (at % 50 === 0) await expectServed(service, token, `${at}`)
  }
  const { connections, memory } = await heldBy(service)
  console.info(`${connections} slow ones: memory +${((memory - before.memory) / MEGABYTE).toFixed(1)} MB`)
  expect(connections).toBeGreaterThanOrEqual(2 * COUNT)
  expect(memory - before.memory).toBeLessThan(MEMORY_MOST)
  expect(crowdLines(service)).toEqual([])
  // A few readers read to the end, the others disconnect; every sender completes its upload.
  for (const reader of readers!.splice(20)) reader.close()
  for (const reader of readers!) {
    reader.resume()
    const answer = await reader.answer({ deadlineMs: 60_000 })
    expect(Bun.hash(await answer.bytes())).toBe(Bun.hash(large))
    reader.close()
  }
  for (const sender of senders!) {
    await sender.write(randomBytes(1, 995))
    expect((await sender.answer({ deadlineMs: 60_000 })).status).toBe(200)
    sender.close()
  }
  await expectRecovered(service, before)
  await expectServed(service, token, 'last')
})

/** Limits the number of descriptors of the process; it may be raised again. */
function limitDescriptors({ pid }: Service, count: number): void {
  const { exitCode, stderr } = Bun.spawnSync(['prlimit', '--pid', `${pid}`, `--nofile=${count}:`])
  expect([exitCode, stderr.toString()]).toEqual([0, ''])
}

test('no descriptor left: open connections are answered, with a sentence where a file is needed, and those that wait are taken later', async () => {
  await using service = await startLimited()
  await using opened = new AsyncDisposableStack()
  const open = async () => opened.use(await openRaw(service.port))
  const token = await service.createToken()
  await store(service, token, 'kept/a.txt', 'kept', { Connection: 'close' })
  const kept = await open()
  const ask = async (request: string) => {
    await kept.write(request)
    return await kept.answer()
  }
  const headers = { Authorization: `Bearer ${token}`, 'X-Path': 'kept/b.txt', 'Content-Length': 5 }
  const uploading = `${head('POST /api/upload', headers)}hello`
  expect((await ask(head('GET /f/kept/a.txt'))).status).toBe(200)

  limitDescriptors(service, descriptorsOf(service))
  const waiting: RawConnection[] = []
  while (waiting.length < 50) waiting.push(await open())
  for (const connection of waiting) await connection.write(head('GET /health', { Connection: 'close' }))
  for (let round = 0; round < 10; round++) {
    expect(await (await ask(head('GET /f/kept/a.txt'))).text()).toBe('kept')
    const refused = await ask(uploading)
    expect(refused.headers.get('x-fehler-code')).toBe('too-many-open-files')
    await expectError(refused, 503)
  }
  expect(waiting.some(({ hasAnswer, closed }) => hasAnswer || closed)).toBe(false)

  limitDescriptors(service, DESCRIPTORS)
  for (const connection of waiting) expect((await connection.answer({ deadlineMs: 60_000 })).status).toBe(200)
  expect((await ask(uploading)).status).toBe(200)
  await expectServed(service, token, 'last')
})

test('500 slow readers and 500 slow senders with few descriptors: a sentence for who comes too late, once in the log, then room', async () => {
  await using service = await startLimited()
  await using opened = new AsyncDisposableStack()
  const token = await service.createToken()
  await store(service, token, 'slow/large.bin', randomBytes(4, 16 * MEGABYTE), { Connection: 'close' })
  const before = await heldBy(service)
  const connections: RawConnection[] = []
  for (let at = 0; at < 1000; at++) {
    const connection = opened.use(await openRaw(service.port))
    connections.push(connection)
    if (at % 2 === 0) await beginUpload(connection, token, `slow/${at}.bin`)
    else {
      connection.pause()
      await connection.write(head('GET /f/slow/large.bin'))
    }
  }
  await eventually('a refusal', async () => {
    const answer = await sendRaw(service.port, head('GET /health', { Connection: 'close' })).catch(() => null)
    return answer?.status === 503 && answer.headers.get('x-fehler-code') === 'connections-crowded'
  })
  expect(descriptorsOf(service)).toBeLessThan(DESCRIPTORS)
  expect(crowdLines(service)).toMatchObject([{ level: 'warn' }])
  expect(service.logs().filter(({ level }) => level === 'error')).toEqual([])
  for (const connection of connections) connection.close()
  await expectRecovered(service, before)
  await expectServed(service, token, 'last')
  expect(crowdLines(service)).toHaveLength(1)
})
