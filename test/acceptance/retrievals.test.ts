/** The retrieval counter, read from the database of the stopped service. */
import { describe, expect, test } from 'bun:test'
import { read, remove, store } from '../support/api.ts'
import { type Retrievals, readRetrievals } from '../support/data-folder.ts'
import { png } from '../support/pictures.ts'
import type { Service } from '../support/service.ts'
import { sharedService } from '../support/shared-service.ts'

const on = sharedService()

type Act = (service: Service, path: string) => Promise<Response>
const get =
  (headers: Record<string, string> = {}): Act =>
  (service, path) =>
    read(service, path, headers)
const headOf = (service: Service, path: string, headers: Record<string, string>) =>
  fetch(`${service.url}/f/${path}`, { method: 'HEAD', headers })
const head: Act = (service, path) => headOf(service, path, {})

/** Each case has a file of its own, so a single stop of the service covers them all. */
const CASES: [name: string, expected: number, acts: Act[]][] = [
  ['never asked for', 0, []],
  ['GET', 1, [get()]],
  ['three times GET', 3, [get(), get(), get()]],
  ['304', 2, [get(), get({ 'If-None-Match': '*' })]],
  ['HEAD', 0, [head, head]],
  ['HEAD that is 304', 0, [(service, path) => headOf(service, path, { 'If-None-Match': '*' })]],
  ['a range from byte 0', 1, [get({ Range: 'bytes=0-9' })]],
  ['the whole as a range', 1, [get({ Range: 'bytes=0-' })]],
  ['a range from later on', 0, [get({ Range: 'bytes=1-9' })]],
  ['the end of it', 0, [get({ Range: 'bytes=-5' })]],
  ['a suffix that is the whole', 1, [get({ Range: 'bytes=-100000' })]],
  [
    'a film in three parts',
    1,
    [get({ Range: 'bytes=0-9' }), get({ Range: 'bytes=10-19' }), get({ Range: 'bytes=20-' })],
  ],
  ['304 to a range from byte 0', 1, [get({ Range: 'bytes=0-', 'If-None-Match': '*' })]],
  ['304 to a range from later on', 0, [get({ Range: 'bytes=1-', 'If-None-Match': '*' })]],
  ['304 to the end of it', 0, [get({ Range: 'bytes=-5', 'If-None-Match': '*' })]],
  ['304 to a range beyond it', 0, [get({ Range: 'bytes=100000-', 'If-None-Match': '*' })]],
  ['the whole for a later range of an older file', 0, [get({ Range: 'bytes=1-', 'If-Range': '"older"' })]],
  ['the whole for the first range of an older file', 1, [get({ Range: 'bytes=0-', 'If-Range': '"older"' })]],
  ['the whole for several later ranges', 0, [get({ Range: 'bytes=5-6,8-9' })]],
  ['the whole for several ranges from byte 0', 1, [get({ Range: 'bytes=0-1,8-9' })]],
  ['a HEAD with a range', 0, [(service, path) => headOf(service, path, { Range: 'bytes=0-' })]],
  [
    'a player that begins, seeks five times and asks again whether the file is the same',
    1,
    [
      get({ Range: 'bytes=0-' }),
      ...[500, 100, 900, 300, 700].map(start => get({ Range: `bytes=${start}-`, 'If-None-Match': '*' })),
      get({ Range: 'bytes=990-', 'If-Range': '"older"' }),
    ],
  ],
  ['416', 0, [get({ Range: 'bytes=100000-' })]],
  ['405', 0, [(service, path) => fetch(`${service.url}/f/${path}`, { method: 'POST' })]],
  [
    'exists',
    0,
    [
      (service, path) =>
        fetch(`${service.url}/api/exists?pfad=${path}`, { headers: { Authorization: `Bearer ${on.token}` } }),
    ],
  ],
  ['GET of a malformed range, which is the whole', 1, [get({ Range: 'nonsense' })]],
]

/** Stops the service, which writes the counts, reads them, and starts it again. */
async function counts(...paths: string[]): Promise<(Retrievals | null)[]> {
  await on.service.stop()
  const found = await Promise.all(paths.map(path => readRetrievals(on.service.dataDir, path)))
  await on.service.restart()
  return found
}
const numbers = async (...paths: string[]) => (await counts(...paths)).map(found => found?.retrievals)

describe('counted', () => {
  const path = (name: string) => `count/${name.replaceAll(/[^a-z0-9]+/gi, '-')}.txt`

  test('at all, in one run', async () => {
    const started = Date.now()
    for (const [name, , acts] of CASES) {
      await store(on.service, on.token, path(name), 'x'.repeat(1000))
      for (const act of acts) await (await act(on.service, path(name))).arrayBuffer()
    }
    const found = await counts(...CASES.map(([name]) => path(name)))
    const named = CASES.map(([name], at) => [name, found[at]?.retrievals])
    expect(named).toEqual(CASES.map(([name, expected]) => [name, expected]))
    for (const [at, [, expected]] of CASES.entries()) {
      if (expected === 0) expect(found[at]?.retrieved_at).toBeNull()
      else expect(found[at]?.retrieved_at).toBeWithin(started, Date.now() + 1)
    }
  })

  test('on across a restart', async () => {
    await store(on.service, on.token, 'count/restart.txt', 'x')
    await (await read(on.service, 'count/restart.txt')).text()
    await on.service.restart()
    await (await read(on.service, 'count/restart.txt')).text()
    expect(await numbers('count/restart.txt')).toEqual([2])
  })

  test('on when the file is overwritten, from nothing when it is deleted and stored again', async () => {
    for (const each of ['count/over.txt', 'count/again.txt']) {
      await store(on.service, on.token, each, 'one')
      await (await read(on.service, each)).text()
    }
    await store(on.service, on.token, 'count/over.txt', 'two')
    await (await read(on.service, 'count/over.txt')).text()
    await remove(on.service, on.token, 'count/again.txt')
    await store(on.service, on.token, 'count/again.txt', 'two')
    expect(await numbers('count/over.txt', 'count/again.txt')).toEqual([2, 0])
  })

  test('as one file with its WebP variant, its preview not at all', async () => {
    await store(on.service, on.token, 'count/a.png', await png())
    await (await read(on.service, 'count/a.png', { Accept: 'image/webp' })).arrayBuffer()
    await (await read(on.service, 'count/a.png')).arrayBuffer()
    await (await fetch(`${on.service.url}/t/count/a.png.webp`)).arrayBuffer()
    expect(await numbers('count/a.png')).toEqual([2])
  })

  test('without a miss under load', async () => {
    await store(on.service, on.token, 'count/load.txt', 'x')
    const reader = async () => {
      for (let n = 0; n < 50; n++) await (await read(on.service, 'count/load.txt')).text()
    }
    await Promise.all(Array.from({ length: 10 }, reader))
    expect(await numbers('count/load.txt')).toEqual([500])
  })
})
