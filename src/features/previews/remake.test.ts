import { describe, expect, test } from 'bun:test'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { newId } from '../../base/ids.ts'
import { createLog } from '../../base/log.ts'
import { type DerivedSet, type Images, ImagesError } from '../../images/images.ts'
import { derivedObjectName, objectName } from '../../storage/names.ts'
import { type IntegrityInstance, openIntegrityInstance } from '../integrity/testing.ts'
import { createDiscards } from '../media/discards.ts'
import { findByPath } from '../media/media.store.ts'
import { createRemake } from './remake.ts'

const log = createLog({ level: 'error', isHumanReadable: false, write: () => {} })

/** Remakes with a decoder that writes three bytes for each requested file, unless the test says otherwise. */
function remakeIn(
  world: IntegrityInstance,
  behave: (job: Parameters<Images['derive']>[0]) => Promise<Partial<DerivedSet>> = async () => ({}),
) {
  const asked: string[] = []
  const images = {
    encoder: (part: string) => `${part} encoder`,
    async derive(job: Parameters<Images['derive']>[0]): Promise<DerivedSet> {
      asked.push(job.parts.join('+') || 'measures')
      const given = await behave(job)
      const write = async () => {
        const file = join(job.scratch, newId())
        await writeFile(file, 'new')
        return { file, size: 3 }
      }
      return {
        width: 4,
        height: 2,
        ...Object.fromEntries(await Promise.all(job.parts.map(async part => [part, await write()]))),
        ...given,
      }
    },
  } as unknown as Images
  const discards = createDiscards({ ...world, log, now: Date.now, delay: 3_000 })
  return { asked, remake: createRemake({ ...world, images, discards, newId, now: Date.now, log }), discards }
}
const rowOf = async ({ database }: IntegrityInstance) => (await findByPath(database.read, 'a.png'))!
const set = ({ database }: IntegrityInstance, values: object) =>
  database.transaction(tx => tx.updateTable('media').set(values).execute())

test('makes only what is asked for and lacking, with the measures; the row never waits', async () => {
  await using world = await openIntegrityInstance()
  const { nr, object } = await world.store('a.png', 'picture', 'image/png')
  const { remake, asked } = remakeIn(world)
  await remake(nr, 'preview')
  expect(await rowOf(world)).toMatchObject({ derived: 'done', preview_size: 3, variant_size: null, width: 4 })
  await remake(nr, 'variant')
  expect(await rowOf(world)).toMatchObject({ preview_size: 3, variant_size: 3 })
  // Both files still exist, because an object is never overwritten.
  await writeFile(world.at(derivedObjectName('preview', object)), 'old')
  await remake(nr, 'preview')
  expect(await Bun.file(world.at(derivedObjectName('preview', object))).text()).toBe('old')
  expect(asked).toEqual(['preview', 'variant', 'measures'])
})

test('one that is named and gone is made again', async () => {
  await using world = await openIntegrityInstance()
  const { nr, object } = await world.store('a.png', 'picture', 'image/png')
  await set(world, { variant_size: 9 })
  await remakeIn(world).remake(nr, 'variant')
  const { variant_size, variant_mark } = await rowOf(world)
  expect(variant_size).toBe(3)
  expect(await Bun.file(world.at(derivedObjectName('variant', object, variant_mark))).text()).toBe('new')
})

describe('what cannot be made', () => {
  test('the row says that there is none, and stays given up', async () => {
    await using world = await openIntegrityInstance()
    const { nr } = await world.store('a.png', 'picture', 'image/png')
    await set(world, { preview_size: 9, derived: 'failed' })
    const refuse = async () => Promise.reject(new ImagesError('refused', 'no picture'))
    await remakeIn(world, refuse).remake(nr, 'preview')
    expect(await rowOf(world)).toMatchObject({ preview_size: null, derived: 'failed' })
    expect(await rowOf(world)).toMatchObject({ preview_encoder: 'preview encoder', variant_encoder: null })
    await remakeIn(world).remake(nr, 'preview')
    expect(await rowOf(world)).toMatchObject({ preview_size: 3, derived: 'done' })
  })

  test('for lack of room on the disk: no verdict on the picture', async () => {
    await using world = await openIntegrityInstance()
    const { nr } = await world.store('a.png', 'picture', 'image/png')
    const full = async () => Promise.reject(Object.assign(new Error('full'), { code: 'ENOSPC' }))
    await remakeIn(world, full).remake(nr, 'preview')
    expect(await rowOf(world)).toMatchObject({ preview_size: null, preview_encoder: null })
  })

  test('cut short by the shutdown, nothing is given up', async () => {
    await using world = await openIntegrityInstance()
    const { nr } = await world.store('a.png', 'picture', 'image/png')
    await set(world, { preview_size: 9 })
    const close = async () => Promise.reject(new ImagesError('closed', 'bye'))
    await remakeIn(world, close).remake(nr, 'preview')
    expect((await rowOf(world)).preview_size).toBe(9)
  })

  test('without its object, being made already, or deleted: nothing happens', async () => {
    await using world = await openIntegrityInstance()
    const { nr, object } = await world.store('a.png', 'picture', 'image/png')
    const { remake, asked } = remakeIn(world)
    await remake(nr + 1, 'preview')
    await set(world, { derived: 'pending' })
    await remake(nr, 'preview')
    await set(world, { derived: 'done' })
    await rm(world.at(object))
    await remake(nr, 'preview')
    expect([asked, (await rowOf(world)).preview_size]).toEqual([[], null])
  })
})

test('a file that moved meanwhile: what was made for its old name is let go', async () => {
  await using world = await openIntegrityInstance()
  const { nr, object, id } = await world.store('a.png', 'picture', 'image/png')
  const move = async () => {
    await set(world, { object: objectName('a.png', id, 'abcdef') })
    return {}
  }
  const { remake, discards } = remakeIn(world, move)
  await remake(nr, 'preview')
  await discards.stop()
  const doomed = await world.database.read.selectFrom('discard').select('object').execute()
  expect(doomed).toEqual([
    { object: expect.stringContaining(derivedObjectName('preview', object).replace('.webp', '~t-')) },
  ])
  expect((await rowOf(world)).preview_size).toBeNull()
})
