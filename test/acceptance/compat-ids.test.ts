/**
 * Ids of equal content: each upload has its own id, deleting an id removes only that id, and the last one
 * deletes the file.
 */
import { describe, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bytesOf, expectError, expectSameBytes, read, remove, store } from '../support/api.ts'
import { backUp } from '../support/backup.ts'
import { concat, randomBytes } from '../support/bytes.ts'
import { file, freshPng, put, removeById, type Stored } from '../support/compat.ts'
import { ADMIN_ENV, dash, signIn } from '../support/dashboard.ts'
import { DATABASE_FILE, objectFiles } from '../support/data-folder.ts'
import { media } from '../support/media.ts'
import { isShared } from '../support/modes.ts'
import { type Service, startService } from '../support/service.ts'
import { signedInService } from '../support/shared-service.ts'
import { emptyTrash, restore, throwAway } from '../support/trash.ts'
import { eventually } from '../support/wait.ts'

const on = signedInService()

const send = (content: Uint8Array, token = on.token, service: Service = on.service) =>
  put(service, '/api/v3/file', token, [file('file', content)])
const take = (id: string, token = on.token, service: Service = on.service) =>
  removeById(service, token, '/api/v3/file', id)
const expectTaken = async (id: string) => expect((await take(id)).status).toBe(200)
const expectGone = async (id: string) => expectError(await take(id), 404)
const exists = async (path: string) => (await read(on.service, path)).status === 200

let seed = 70_000
/** Bytes of which no derived file is made. */
const noise = () => concat('\u0001\u0002\u0003', randomBytes(seed++, 400))

async function pair(): Promise<[Stored, Stored]> {
  const content = noise()
  return [await send(content), await send(content)]
}

async function dashboard<T>(route: string, json?: unknown): Promise<T> {
  const response = await dash(on.service, route, { session: on.session, ...(json !== undefined && { json }) })
  expect(response.status).toBe(200)
  return (await response.json()) as T
}

describe('deleting by id does not take the file from others', () => {
  test.each([
    ['/api/image', 'image'],
    ['/api/v2/image', 'image'],
    ['/api/v3/file', 'file'],
  ])('%s: two uploads of equal bytes have one address and an id each', async (route, field) => {
    const content = await freshPng()
    const [one, other] = [
      await put(on.service, route, on.token, [file(field, content)]),
      await put(on.service, route, on.token, [file(field, content)]),
    ]
    expect([other.url, other.path]).toEqual([one.url, one.path])
    expect(other.id).not.toBe(one.id)
    await expectTaken(one.id)
    expectSameBytes(await bytesOf(await read(on.service, other.path)), content)
    await expectTaken(other.id)
    expect(await exists(one.path)).toBe(false)
  })

  test('whichever goes first, and each only once', async () => {
    const [one, other] = await pair()
    await expectTaken(other.id)
    await expectGone(other.id)
    expect(await exists(one.path)).toBe(true)
    await expectTaken(one.id)
    await expectGone(one.id)
    expect(await exists(one.path)).toBe(false)
  })

  test('an upload after the first id went does not bring that one back', async () => {
    const content = noise()
    const [one, two] = [await send(content), await send(content)]
    await expectTaken(one.id)
    const three = await send(content)
    await expectGone(one.id)
    await expectTaken(two.id)
    expect(await exists(three.path)).toBe(true)
    await expectTaken(three.id)
    expect(await exists(three.path)).toBe(false)
  })

  test('no second object is made, and with the last id everything goes', async () => {
    const [one, other] = await pair()
    expect(await objectFiles(on.service.dataDir, one.path)).toHaveLength(1)
    await expectTaken(one.id)
    await expectTaken(other.id)
    const countObjects = async () => (await objectFiles(on.service.dataDir, one.path)).length
    await eventually('its object is gone', async () => (await countObjects()) === 0)
  })

  test('equal bytes under another type: the earlier ids live on', async () => {
    const content = noise()
    const typed = (type: string) =>
      put(on.service, '/api/v3/file', on.token, [file('file', content, { filename: 'a.txt', type })])
    const [one, two, three] = [await typed('text/html'), await typed('text/html'), await typed('image/png')]
    expect(three.path).toBe(one.path)
    await expectTaken(three.id)
    await expectTaken(one.id)
    expect(await exists(one.path)).toBe(true)
    await expectTaken(two.id)
    expect(await exists(one.path)).toBe(false)
  })

  test('a file of the dashboard stays when somebody who sent the same bytes deletes his id', async () => {
    const content = noise()
    const { path } = await send(content)
    await remove(on.service, on.token, path)
    await store(on.service, on.token, path, content)
    const { id: own } = await dashboard<{ id: string }>(`media/${path}`)
    const { id } = await send(content)
    expect(id).not.toBe(own)
    expect(await dashboard(`media/${path}`)).toMatchObject({ id: own })
    await expectTaken(id)
    expect(await exists(path)).toBe(true)
    await expectTaken(own)
    expect(await exists(path)).toBe(false)
  })

  test('equal content counts once against the quota', async () => {
    const content = randomBytes(seed++, 1000)
    const token = await on.service.createToken('--may-delete', '--prefix', 'knapp', '--quota', '1500')
    const ids = [await send(content, token), await send(content, token), await send(content, token)]
    for (const { id } of ids) expect((await take(id, token)).status).toBe(200)
    expect((await send(randomBytes(seed++, 1400), token)).path).toStartWith('knapp/')
  })
})

describe('whose id it is', () => {
  test('without the delete right, or for another prefix: 403, and the id still works', async () => {
    const [one, other] = await pair()
    const writer = await on.tokenWith()
    const narrow = await on.tokenWith('--may-delete', '--prefix', 'mine')
    for (const { id } of [one, other]) {
      await expectError(await take(id, writer), 403)
      await expectError(await take(id, narrow), 403, /„mine\/“/)
    }
    await expectTaken(one.id)
    await expectTaken(other.id)
  })

  test('the twin: another token of the same folder may', async () => {
    const content = noise()
    const [first, second] = [
      await on.service.createToken('--may-delete', '--prefix', 'gemeinsam'),
      await on.service.createToken('--may-delete', '--prefix', 'gemeinsam'),
    ]
    const [one, other] = [await send(content, first), await send(content, second)]
    expect((await take(one.id, second)).status).toBe(200)
    expect((await take(other.id, first)).status).toBe(200)
  })
})

describe('what becomes of the ids when the file changes', () => {
  test('renamed, also with its folder: they still work', async () => {
    const content = noise()
    const token = await on.service.createToken('--may-delete')
    const path = (name: string) => [file('file', content), { name: 'path', content: name }]
    const one = await put(on.service, '/api/v3/file', token, path('umzug'))
    const other = await put(on.service, '/api/v3/file', token, path('umzug'))
    await dashboard('media/umbenennen', { pfad: one.path, name: 'neu.bin' })
    await dashboard('folders/umbenennen', { ordner: 'uploads/umzug', name: 'umgezogen' })
    await expectTaken(one.id)
    expect(await exists('uploads/umgezogen/neu.bin')).toBe(true)
    await expectTaken(other.id)
    expect(await exists('uploads/umgezogen/neu.bin')).toBe(false)
  })

  test('in the trash they sleep, restored they work', async () => {
    const [one, other] = await pair()
    const numbers = await throwAway(on.service, on.session, one.path)
    await expectGone(one.id)
    await expectGone(other.id)
    expect((await restore(on.service, on.session, ...numbers)).abgelehnt).toEqual([])
    await expectTaken(one.id)
    expect(await exists(one.path)).toBe(true)
    await expectTaken(other.id)
    expect(await exists(one.path)).toBe(false)
  })

  test('an id that was deleted before stays so through the trash', async () => {
    const [one, other] = await pair()
    await expectTaken(one.id)
    await restore(on.service, on.session, ...(await throwAway(on.service, on.session, one.path)))
    await expectGone(one.id)
    await expectTaken(other.id)
  })

  test.each<[string, (path: string) => Promise<unknown>]>([
    ['deleted by its path', path => remove(on.service, on.token, path)],
    ['overwritten', path => store(on.service, on.token, path, 'something else')],
    [
      'emptied out of the trash',
      async path => emptyTrash(on.service, on.session, await throwAway(on.service, on.session, path)),
    ],
  ])('%s: they are gone, and no later file answers to them', async (_, act) => {
    const content = noise()
    const [one, other] = [await send(content), await send(content)]
    await act(one.path)
    await expectGone(one.id)
    await expectGone(other.id)
    const again = await send(content)
    await expectGone(one.id)
    await expectGone(other.id)
    expect(await exists(again.path)).toBe(true)
  })

  test('after a restart as before', async () => {
    const [one, other] = await pair()
    await on.service.restart()
    await expectTaken(one.id)
    expect(await exists(one.path)).toBe(true)
    await expectTaken(other.id)
  })
})

test('20 identical uploads in parallel: every answered id works, the file goes with the last', async () => {
  const content = noise()
  const stored = await Promise.all(Array.from({ length: 20 }, () => send(content)))
  expect(new Set(stored.map(({ id }) => id)).size).toBe(20)
  expect(new Set(stored.map(({ path }) => path)).size).toBe(1)
  const { path } = stored[0]!
  await eventually('one object is left', async () => {
    return (await objectFiles(on.service.dataDir, path)).length === 1
  })
  for (const { id } of stored) {
    expect(await exists(path)).toBe(true)
    await expectTaken(id)
  }
  expect(await exists(path)).toBe(false)
})

test('the same through two processes', async () => {
  await using other = await startService({ dataDir: on.service.dataDir })
  const content = media('tone.mp3')
  const through = (at: number) => (at % 2 ? other : on.service)
  const stored = await Promise.all(
    Array.from({ length: 12 }, (_, at) => send(content, on.token, through(at))),
  )
  expect(new Set(stored.map(({ id }) => id)).size).toBe(12)
  const { path } = stored[0]!
  for (const [at, { id }] of stored.entries()) {
    expect(await exists(path)).toBe(true)
    expect((await take(id, on.token, through(at + 1))).status).toBe(200)
  }
  expect(await exists(path)).toBe(false)
})

test('the last id is deleted while the same bytes arrive: what is answered is there', async () => {
  const content = noise()
  let last = await send(content)
  for (let round = 0; round < 40; round++) {
    const [uploads, deleted] = await Promise.all([
      Promise.all([send(content), send(content)]),
      Bun.sleep(round % 4).then(() => take(last.id)),
    ])
    expect(deleted.status).toBe(200)
    expectSameBytes(await bytesOf(await read(on.service, last.path)), content)
    await expectTaken(uploads[0].id)
    expect(await exists(last.path)).toBe(true)
    last = uploads[1]
  }
})

test('a backup carries every id, a rebuild what the disk can tell: the file and its own', async () => {
  await using service = await startService({ env: ADMIN_ENV })
  const token = await service.createToken('--may-delete')
  const [one, two] = [noise(), noise()]
  const saved = [await send(one, token, service), await send(one, token, service)]
  const kept = [await send(two, token, service), await send(two, token, service)]
  await take(saved[0]!.id, token, service)
  const { archiv } = await backUp(service, await signIn(service))
  await service.stop()
  const archive = join(service.dataDir, 'sicherung', archiv!)
  expect(await service.command('restore', archive, '--force')).toMatchObject({ code: 0 })
  await service.restart()
  await expectError(await take(saved[0]!.id, token, service), 404)
  expect((await read(service, saved[1]!.path)).status).toBe(200)
  expect((await take(saved[1]!.id, token, service)).status).toBe(200)
  expect((await read(service, saved[1]!.path)).status).toBe(404)

  // An object store cannot be rebuilt: object names there are those of the first upload.
  if (isShared()) return
  await service.stop()
  for (const end of ['', '-wal', '-shm'])
    await rm(join(service.dataDir, DATABASE_FILE + end), { force: true })
  expect(await service.command('rebuild')).toMatchObject({ code: 0 })
  await service.restart()
  const again = await service.createToken('--may-delete')
  await expectError(await take(kept[1]!.id, again, service), 404)
  expect((await take(kept[0]!.id, again, service)).status).toBe(200)
  expect((await read(service, kept[0]!.path)).status).toBe(404)
})
