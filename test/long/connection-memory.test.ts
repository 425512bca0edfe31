/**
 * How much memory clients without any rights can make the service use: unfinished bodies, heads and idle
 * connections.
 */
import { expect, test } from 'bun:test'
import { memoryOf } from '../support/processes.ts'
import { head, openRaw, type RawConnection } from '../support/raw.ts'
import { startService } from '../support/service.ts'

const MEGABYTE = 1024 * 1024
/** More than an idle service uses. */
const MOST = 60 * MEGABYTE
const LOGIN = head('POST /api/dash/login', { 'Transfer-Encoding': 'chunked' })

interface Sent {
  connections: number
  /** What each connection sends first, and what it sends repeatedly. */
  first?: string
  piece?: string
  pieces?: number
}

/** Sends over many connections, which stay open, and returns by how much the service's memory grew. */
async function memoryFor({ connections: count, first = '', piece = '', pieces = 0 }: Sent): Promise<number> {
  await using service = await startService({ ownProcess: true })
  await using opened = new AsyncDisposableStack()
  // Garbage of the start is freed three seconds after it, and what the first requests load does not count.
  await Bun.sleep(4000)
  for (let at = 0; at < 200; at++) await fetch(`${service.url}/health`)
  const before = memoryOf(service.pid)
  const connections: RawConnection[] = []
  while (connections.length < count) connections.push(opened.use(await openRaw(service.port)))
  const sendAll = (bytes: string) => Promise.all(connections.map(connection => connection.write(bytes)))
  await sendAll(first)
  let most = 0
  for (let at = 0; at < pieces; at++) {
    await sendAll(piece)
    if (at % 10 === 0) most = Math.max(most, memoryOf(service.pid))
  }
  for (let look = 0; look < 20; look++) {
    expect((await fetch(`${service.url}/health`)).status).toBe(200)
    most = Math.max(most, memoryOf(service.pid))
  }
  console.info(`${count} connections: ${((most - before) / MEGABYTE).toFixed(1)} MB more than idle`)
  return most - before
}

/** 60 000 of the 65 536 bytes that a JSON body may have. */
const unfinished = (extension: string): Sent => ({
  connections: 12,
  first: LOGIN,
  piece: `1${extension}\r\n \r\n`.repeat(100),
  pieces: 600,
})

test.each<[string, Sent]>([
  [
    '12 unfinished bodies in chunks of one byte, each with 1 000 characters of extension',
    unfinished(`;${'x'.repeat(999)}`),
  ],
  ['12 unfinished bodies in chunks of one byte', unfinished('')],
  [
    '200 connections with 500 KB of empty lines and one byte of a head',
    { connections: 200, first: `${'\r\n'.repeat(250_000)}G` },
  ],
  ['2 000 idle connections', { connections: 2000 }],
])('%s', async (_, sent) => {
  expect(await memoryFor(sent)).toBeLessThan(MOST)
})
