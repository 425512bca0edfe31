/**
 * Objects of failed uploads, on a real database: those without a row go on the discard list, the others
 * never.
 */
import { afterAll, beforeEach, expect, test } from 'bun:test'
import { newId } from '../../base/ids.ts'
import { noLeasesHeld } from '../../jobs/testing.ts'
import { objectName } from '../../storage/names.ts'
import { useInstance } from '../../testing/instance.ts'
import { createDiscards } from './discards.ts'
import { createLeftovers } from './leftovers.ts'
import { putRow } from './media.store.ts'

const { database, storage, log } = await useInstance()
const discards = createDiscards({
  ...{ database, storage, log, now: Date.now, coordination: noLeasesHeld },
  delay: 3_600_000,
})
afterAll(discards.stop)
beforeEach(() =>
  database.transaction(async tx => {
    for (const table of ['media', 'discard'] as const) await tx.deleteFrom(table).execute()
  }),
)
const discarded = async () =>
  (await database.read.selectFrom('discard').select('object').execute()).map(({ object }) => object)

async function upload(path: string, { recorded }: { recorded: boolean }) {
  const id = newId()
  const object = objectName(path, id)
  const row = {
    ...{ id, path, object, size: 1, sha256: 'f', mime: 'text/plain', token_id: null },
    ...{ kind: 'dokumente' as const, created_at: 1, updated_at: 1, derived: 'done' as const },
  }
  if (recorded) await database.transaction(tx => putRow(tx, row))
  return { id, object }
}

test('what no row owns is let go; a row whose transaction was stored after all keeps its object', async () => {
  const leftovers = createLeftovers({ database, log, discards })
  const [lost, kept] = [await upload('a', { recorded: false }), await upload('b', { recorded: true })]
  for (const { id, object } of [lost, kept]) leftovers.add(id, object)
  expect(await leftovers.run()).toBe(1)
  expect(await discarded()).toEqual([lost.object])
  // Each object is checked once, not again and again.
  expect(await leftovers.run()).toBe(0)
  expect(await discarded()).toEqual([lost.object])
  await leftovers.stop()
})

test('while the database does not answer everything stays remembered', async () => {
  let down = true
  const transaction: typeof database.transaction = (...args) =>
    down ? Promise.reject(new Error('down')) : database.transaction(...args)
  const leftovers = createLeftovers({ database: { ...database, transaction }, log, discards })
  const lost = await upload('a', { recorded: false })
  leftovers.add(lost.id, lost.object)
  await expect(leftovers.run()).rejects.toThrow('down')
  down = false
  expect(await leftovers.run()).toBe(1)
  expect(await discarded()).toEqual([lost.object])
  await leftovers.stop()
})
