/** What a crash between two steps leaves behind, and that it is removed in time. The test sets the clock. */
import { expect, test } from 'bun:test'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../base/ids.ts'
import { HOUR } from '../../contract/values/units.ts'
import { Failure, failure } from '../../errors/errors.ts'
import { openInstance, STEADY_CLOCK } from '../../testing/instance.ts'
import type { StoredFile } from '../media/media.ts'
import { sweepUploads } from './sweep.ts'
import { createTus, type EntryPoint, offsetOf } from './tus.ts'

const START = Date.UTC(2026, 0, 1)
const LENGTH = 5

/** `trouble` is thrown where a file would be stored. */
async function open() {
  const instance = await openInstance()
  const { database, storage, root } = instance
  const clock = { now: START }
  const now = () => clock.now
  const tus = createTus({ database, storage, newId, now, delays: { uploadLockRenewal: 200 } })
  const state: { trouble: Error | null; stored: string[] } = { trouble: null, stored: [] }
  const entryPoint: EntryPoint<string> = {
    ownerOf: name => ({ token_id: name, account_id: null, ticket_id: null }),
    limitFor: () => ({ bytes: 1000, createError: () => failure.uploadTooLarge(1000) }),
    admit: async () => ({ plan: null, path: 'a.bin' }),
    async store(_, { staging, sha256 }, __, transactionHook) {
      if (state.trouble) throw state.trouble
      await database.transaction(tx => transactionHook(tx, 'a.bin'))
      state.stored.push(`${await Bun.file(await staging.file()).text()} ${sha256.slice(0, 6)}`)
      return { id: 'stored', path: 'a.bin' } as StoredFile
    },
  }
  const create = () =>
    tus.create(entryPoint, 'me', new Request('http://x', { headers: { 'Upload-Length': String(LENGTH) } }))
  const add = (id: string, offset: number, body: string) =>
    tus.receive(entryPoint, 'me', id, {
      ...{ offset, checksum: null },
      request: new Request('http://x', { method: 'PATCH', body }),
    })
  const sweep = () =>
    sweepUploads({ database, storage, now, tus, clockWatch: STEADY_CLOCK }, new AbortController().signal)
  const rows = () => database.read.selectFrom('partial_upload').selectAll().execute()
  const files = () => readdir(join(root, 'partial')).catch(() => [])
  const offset = async (id: string) => offsetOf(await tus.readState(entryPoint, 'me', id))
  return { ...instance, ...{ clock, tus, state, create, add, sweep, rows, files, offset, entryPoint } }
}

test('24 hours after its last piece an upload is gone with its bytes, and not before', async () => {
  await using world = await open()
  const [abandoned, continued] = [await world.create(), await world.create()]
  await world.add(abandoned, 0, 'ab')
  await world.add(continued, 0, 'ab')
  world.clock.now += 23 * HOUR
  await world.add(continued, 2, 'c')
  world.clock.now += 2 * HOUR
  await expect(world.add(abandoned, 2, 'c')).rejects.toMatchObject({ status: 410 })
  await world.sweep()
  expect([await world.files(), (await world.rows()).map(({ id }) => id)]).toEqual([[continued], [continued]])
  await expect(world.offset(abandoned)).rejects.toMatchObject({ status: 404 })
  await world.add(continued, 3, 'de')
  expect(world.state.stored).toEqual(['abcde 36bbe5'])
  expect(await world.files()).toEqual([])
  world.clock.now += 25 * HOUR
  await world.sweep()
  expect(await world.rows()).toEqual([])
})

test('a clock that cannot be trusted removes nothing', async () => {
  await using world = await open()
  await world.create()
  world.clock.now += 1000 * HOUR
  const { database, storage, tus } = world
  const clockWatch = { mayRemoveByAge: async () => false }
  await sweepUploads(
    { database, storage, now: () => world.clock.now, tus, clockWatch },
    new AbortController().signal,
  )
  expect(await world.rows()).toHaveLength(1)
})

test('an upload of a clock that was ahead does not live for ever', async () => {
  await using world = await open()
  world.clock.now += 10_000 * HOUR
  await world.create()
  world.clock.now = START
  await world.sweep()
  expect(await world.rows()).toHaveLength(1)
  world.clock.now += 25 * HOUR
  await world.sweep()
  expect(await world.rows()).toEqual([])
})

test('200 abandoned uploads leave nothing', async () => {
  await using world = await open()
  const entryPoint: EntryPoint<string> = { ...world.entryPoint }
  for (let at = 0; at < 200; at++) {
    const owner = `token ${at % 2}`
    const request = () => new Request('http://x', { headers: { 'Upload-Length': '5' } })
    const id = await world.tus.create(entryPoint, owner, request())
    const piece = {
      offset: 0,
      checksum: null,
      request: new Request('http://x', { method: 'PATCH', body: 'ab' }),
    }
    if (at % 3 === 0) await world.tus.receive(entryPoint, owner, id, piece)
  }
  expect((await world.files()).length).toBe(67)
  world.clock.now += 25 * HOUR
  await world.sweep()
  expect([await world.files(), await world.rows()]).toEqual([[], []])
})

test('an error that may pass leaves the upload: the last byte is sent again, and the file is stored', async () => {
  await using world = await open()
  const id = await world.create()
  world.state.trouble = new Error('the database is away')
  await expect(world.add(id, 0, 'abcde')).rejects.toThrow('the database is away')
  expect(await world.offset(id)).toBe(LENGTH - 1)
  world.state.trouble = null
  await world.add(id, LENGTH - 1, 'e')
  expect([await world.offset(id), world.state.stored]).toEqual([LENGTH, ['abcde 36bbe5']])
})

test('a refusal at the end ends the upload, with its bytes', async () => {
  await using world = await open()
  const id = await world.create()
  world.state.trouble = failure.pathTaken('a.bin')
  await expect(world.add(id, 0, 'abcde')).rejects.toBeInstanceOf(Failure)
  expect([await world.files(), await world.rows()]).toEqual([[], []])
})

test('a crash after the file was recorded: the bytes that are left are removed, the upload stays finished', async () => {
  await using world = await open()
  const id = await world.create()
  await world.add(id, 0, 'abcde')
  await Bun.write(join(world.root, 'partial', id), 'abcde')
  await Bun.write(join(world.root, 'partial', 'without-a-row'), 'abc')
  await world.sweep()
  expect([await world.files(), await world.offset(id)]).toEqual([[], LENGTH])
})

test('bytes that are gone from the disk end the upload instead of storing a hole', async () => {
  await using world = await open()
  const id = await world.create()
  await world.add(id, 0, 'abc')
  await Bun.write(join(world.root, 'partial', id), 'a')
  await expect(world.add(id, 3, 'de')).rejects.toMatchObject({ status: 404 })
  expect([await world.rows(), world.state.stored]).toEqual([[], []])
})

test('the hold of a process that died ends by itself', async () => {
  await using world = await open()
  const id = await world.create()
  const { database, clock } = world
  await database.transaction(tx =>
    tx
      .updateTable('partial_upload')
      .set({ holder: 'dead', held_until: clock.now + 900 })
      .execute(),
  )
  await expect(world.add(id, 0, 'abcde')).rejects.toMatchObject({ status: 423 })
  clock.now += 1000
  await world.add(id, 0, 'abcde')
  expect(world.state.stored).toHaveLength(1)
})
