import { describe, expect, test } from 'bun:test'
import { mkdir, rm, truncate, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { newId } from '../../base/ids.ts'
import { DERIVED_PARTS } from '../../storage/derived-parts.ts'
import { derivedObjectName, objectName } from '../../storage/names.ts'
import { checkIntegrity } from './check.ts'
import { type IntegrityInstance, openIntegrityInstance } from './testing.ts'

const HOUR = 3_600_000
/** Checks two hours from now, so that objects left behind are old enough. */
const run = (
  world: IntegrityInstance,
  options: { contents?: boolean; repair?: boolean; later?: number } = {},
) => {
  const { contents = true, repair = false, later = 2 * HOUR } = options
  return checkIntegrity(
    { ...world, now: () => Date.now() + later },
    { readsContents: contents, shouldRepair: repair },
  )
}
async function put(world: IntegrityInstance, name: string, content = 'x'): Promise<void> {
  await mkdir(dirname(world.at(name)), { recursive: true })
  await writeFile(world.at(name), content)
}
const some = (...names: string[]) => ({ count: names.length, names })

test('all is well', async () => {
  await using world = await openIntegrityInstance()
  await world.store('a/b.txt', '12345')
  await world.store('t.txt', '123')
  await world.moveFileToTrash('t.txt')
  await writeFile(world.at('files/foreign.txt'), 'mine')
  expect(await run(world)).toEqual({
    ok: true,
    checked: { files: 1, trash: 1, objects: 3, bytes: 8, contents: true },
    withoutRow: some(),
    withoutObject: some(),
    wrongSize: some(),
    wrongContent: some(),
    unreadable: some(),
    withoutDerived: some(),
    repaired: null,
    figures: { folders: [], tokens: [], trash: false, unretrieved: false },
    lostChanges: null,
  })
})

test('each kind of trouble by its name, in library and trash; the rows stay, also after a repair', async () => {
  await using world = await openIntegrityInstance()
  const rotten = await world.store('rotten.txt', 'rotten')
  const short = await world.store('short.txt', 'short')
  const gone = await world.store('gone.txt', 'gone')
  await world.store('trashed.txt', 'trashed')
  await rm(world.at((await world.moveFileToTrash('trashed.txt')).object))
  await world.corrupt(rotten.object)
  await truncate(world.at(short.object), 2)
  await rm(world.at(gone.object))
  const lost = {
    ok: false,
    withoutObject: some('gone.txt', 'trash:trashed.txt'),
    wrongSize: some('short.txt'),
  }
  expect(await run(world)).toMatchObject({ ...lost, wrongContent: some('rotten.txt') })
  // A check without contents does not notice the changed bytes, and keeps the known finding.
  expect(await run(world, { contents: false })).toMatchObject({ ...lost, wrongContent: some() })
  const found = await world.database.read.selectFrom('finding').select('reason').orderBy('reason').execute()
  expect(found.map(({ reason }) => reason)).toEqual(['content', 'missing', 'missing', 'size'])
  expect(await run(world, { repair: true })).toMatchObject({ ...lost, wrongContent: some('rotten.txt') })
  const rows = await world.database.read.selectFrom('media').select('path').orderBy('path').execute()
  expect(rows.map(({ path }) => path)).toEqual(['gone.txt', 'rotten.txt', 'short.txt'])
})

describe('an object without a row', () => {
  test('is named when it is old, and removed by a repair', async () => {
    await using world = await openIntegrityInstance()
    const orphan = objectName('x/a.png', newId())
    await put(world, orphan)
    await world.store('known.txt', 'x')
    expect(await run(world, { later: 0 })).toMatchObject({ ok: true, withoutRow: some() })
    expect(await run(world)).toMatchObject({ ok: false, withoutRow: some(orphan), repaired: null })
    expect(await Bun.file(world.at(orphan)).exists()).toBe(true)
    expect(await run(world, { repair: true })).toMatchObject({ ok: true, repaired: { removed: 1 } })
    expect(await Bun.file(world.at(orphan)).exists()).toBe(false)
  })

  test('counts at once where not a single row is left, and a repair leaves it', async () => {
    await using world = await openIntegrityInstance()
    const orphan = objectName('x/a.png', newId())
    await put(world, orphan)
    // An upload in progress has stored its bytes but not its row yet.
    expect(await run(world, { later: 0 })).toMatchObject({ ok: true })
    for (const later of [10_000, 2 * HOUR]) {
      expect(await run(world, { later })).toMatchObject({ ok: false, withoutRow: some(orphan) })
      expect(await run(world, { later, repair: true })).toMatchObject({ ok: false, repaired: { removed: 0 } })
    }
    expect(await Bun.file(world.at(orphan)).exists()).toBe(true)
  })

  test('stays while a backup or another sweep is under way, and is no good news', async () => {
    await using world = await openIntegrityInstance()
    const orphan = objectName('x/a.png', newId())
    await put(world, orphan)
    await world.store('known.txt', 'x')
    for (const task of ['backup', 'sweep'] as const)
      await world.coordination.exclusively(task, async () => {
        expect(await run(world, { repair: true })).toMatchObject({ ok: false, repaired: { removed: 0 } })
        expect(await Bun.file(world.at(orphan)).exists()).toBe(true)
      })
  })
})

test('a derived file that is gone: named, and by a repair marked to be made anew', async () => {
  await using world = await openIntegrityInstance()
  const [whole, bare] = [
    await world.store('whole.png', 'p', 'image/png'),
    await world.store('bare.png', 'p', 'image/png'),
  ]
  await world.database.transaction(tx =>
    tx.updateTable('media').set({ preview_size: 1, variant_size: 1 }).execute(),
  )
  for (const part of DERIVED_PARTS) await put(world, derivedObjectName(part, whole.object))
  await put(world, derivedObjectName('preview', bare.object))
  expect(await run(world)).toMatchObject({ ok: false, withoutDerived: some('bare.png') })
  expect(await run(world, { repair: true })).toMatchObject({ ok: true, repaired: { remade: 1 } })
  const rows = world.database.read.selectFrom('media').select(['path', 'derived', 'variant_size'])
  expect(await rows.orderBy('path').execute()).toEqual([
    { path: 'bare.png', derived: 'pending', variant_size: null },
    { path: 'whole.png', derived: 'done', variant_size: 1 },
  ])
  // An object that is still being made is not reported as missing.
  expect(await run(world)).toMatchObject({ ok: true })
})

test('figures that disagree with their rows: named and counted anew', async () => {
  await using world = await openIntegrityInstance()
  const { database } = world
  await world.store('a/1.txt', '1')
  await world.store('b/2.txt', '22')
  await world.store('t.txt', '333')
  await world.moveFileToTrash('t.txt')
  await database.transaction(tx => tx.updateTable('media').set({ token_id: 'tok' }).execute())
  expect((await run(world)).ok).toBe(true)
  await database.transaction(async tx => {
    await tx.updateTable('folder_usage').set({ files: 9 }).where('folder', '=', 'a/').execute()
    await tx.insertInto('folder_usage').values({ folder: 'no/', kind: 'video', files: 1, bytes: 1 }).execute()
    await tx.deleteFrom('folder_usage').where('folder', '=', 'b/').execute()
    await tx.updateTable('token_usage').set({ bytes: 7 }).execute()
    await tx.insertInto('token_usage').values({ token_id: 'ghost', files: 1, bytes: 1 }).execute()
    await tx.insertInto('token_usage').values({ token_id: 'idle', files: 0, bytes: 0 }).execute()
    await tx.updateTable('trash_total').set({ bytes: 0 }).execute()
    await tx.updateTable('unretrieved_total').set({ files: 7 }).execute()
  })
  const { ok, figures } = await run(world)
  expect({
    ok,
    ...figures,
    folders: figures.folders.toSorted(),
    tokens: figures.tokens.toSorted(),
  }).toEqual({
    ok: false,
    trash: true,
    unretrieved: true,
    folders: ['a/', 'b/', 'no/'],
    tokens: ['ghost', 'tok'],
  })
  expect(await run(world, { repair: true })).toMatchObject({ ok: true, repaired: { recounted: true } })
  expect(await run(world)).toMatchObject({
    ok: true,
    figures: { folders: [], tokens: [], trash: false, unretrieved: false },
  })
})
