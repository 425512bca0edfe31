/** `zuletzt_benutzt`: shown soon after use, kept over a restart, and not written once per request. */
import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { exists, store } from '../support/api.ts'
import { file, freshPng, put } from '../support/compat.ts'
import { DATABASE_FILE } from '../support/data-folder.ts'
import { embeddedOnly, isShared } from '../support/modes.ts'
import { sharedServiceWithAdmin } from '../support/token-admin.ts'
import { eventually } from '../support/wait.ts'

/** Milliseconds by which an instance's idea of PostgreSQL's clock may differ from the clock of the tests. */
const CLOCKS = isShared() ? 200 : 0
const on = sharedServiceWithAdmin()
/** It may be written as rarely as the retrieval counter. */
const SOON_MS = 35_000

const usedAt = async (id: string) => (await on.admin.find(id)).zuletzt_benutzt

test.each<[string, (token: string) => Promise<unknown>]>([
  ['an upload', token => store(on.service, token, 'used/a.txt', 'x')],
  ['a question', token => exists(on.service, token, 'used/a.txt')],
  [
    'a compatibility call',
    async token => put(on.service, '/api/image', token, [file('image', await freshPng())]),
  ],
])('null before, the time of use after %s, also after a restart', async (_, use) => {
  const [used, unused] = [await on.admin.create(), await on.admin.create()]
  expect(await usedAt(used.id)).toBeNull()
  const before = Date.now()
  await use(used.token)
  const after = Date.now()
  const at = await eventually('the use is known', async () => (await usedAt(used.id)) ?? undefined, SOON_MS)
  expect(at).toBeGreaterThanOrEqual(before - CLOCKS)
  expect(at).toBeLessThanOrEqual(after + CLOCKS)
  await on.service.restart()
  expect(await usedAt(used.id)).toBe(at)
  expect(await usedAt(unused.id)).toBeNull()
})

test('the latest use counts', async () => {
  const { id, token } = await on.admin.create()
  await exists(on.service, token, 'used/a.txt')
  await Bun.sleep(5 + 2 * CLOCKS)
  const before = Date.now() - CLOCKS
  await exists(on.service, token, 'used/a.txt')
  await on.service.restart()
  expect(await usedAt(id)).toBeGreaterThanOrEqual(before)
})

test('looking after a token is not using it', async () => {
  const { id } = await on.admin.create()
  await on.admin.patch(id, { max_kante: 5 })
  await on.admin.call(`/${id}/sharex`)
  await on.service.restart()
  expect(await usedAt(id)).toBeNull()
})

embeddedOnly.sqlite('three hundred uses do not write three hundred times', async () => {
  const { token } = await on.admin.create()
  using database = new Database(join(on.service.dataDir, DATABASE_FILE), { readonly: true })
  // Changes only when another connection has written.
  const version = () =>
    database.query<{ data_version: number }, []>('pragma data_version').get()!.data_version
  let writes = 0
  let seen = version()
  const look = () => {
    const now = version()
    if (now !== seen) writes++
    seen = now
  }
  for (let n = 0; n < 300; n++) {
    await exists(on.service, token, 'used/a.txt')
    look()
  }
  // The jobs at startup write a few times, and one of them may have written the use, once.
  expect(writes).toBeLessThanOrEqual(20)
  writes = 0
  for (let n = 0; n < 5; n++) {
    await store(on.service, token, `used/twin-${n}.txt`, 'x')
    look()
  }
  // The twin: real writes are noticed.
  expect(writes).toBe(5)
})
