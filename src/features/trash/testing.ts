/** For tests: an instance with a library, a trash and a clock that the test moves. */

import { newId } from '../../base/ids.ts'
import type { Actor, Token } from '../../http/access/actor.ts'
import { noLeasesHeld } from '../../jobs/testing.ts'
import { OBJECT_ROOTS } from '../../storage/names.ts'
import { openInstance, STEADY_CLOCK } from '../../testing/instance.ts'
import { createDiscards } from '../media/discards.ts'
import { findByPath } from '../media/media.store.ts'
import { createMedia } from '../media/media.ts'
import { createRelocations } from '../media/relocations.ts'
import { createSettings } from '../settings/settings.ts'
import { moveToTrash } from './move-to-trash.ts'
import type { TrashRow } from './trash.store.ts'
import { createTrash } from './trash.ts'

export type TrashInstance = Awaited<ReturnType<typeof openTrashInstance>>

export async function openTrashInstance(environment: Record<string, string> = {}) {
  const instance = await openInstance({ level: 'warn' })
  const { storage, database, log } = instance
  const clock = { now: 1_000_000 }
  const now = () => clock.now
  const discards = createDiscards({ database, storage, coordination: noLeasesHeld, log, now, delay: 100 })
  const relocations = createRelocations({ database, storage, discards, newId, log })
  const settings = createSettings({ environment, port: 8080, database })
  const restoredMediaNumbers: number[] = []
  const isDerivable = () => true
  // Nothing relocates objects in the background: a test that needs it calls `relocations.run`.
  const idleRelocations = { kick: () => {} }
  const onRestored = (nr: number) => restoredMediaNumbers.push(nr)
  const trash = createTrash({
    database,
    clockWatch: STEADY_CLOCK,
    discards,
    relocations: idleRelocations,
    settings,
    now,
    newId,
    isDerivable,
    onRestored,
  })
  const media = createMedia({
    settings,
    relocations: idleRelocations,
    database,
    storage,
    discards,
    newId,
    now,
    isDerivable: () => false,
    onStored: () => {},
  })

  return {
    ...instance,
    clock,
    now,
    discards,
    relocations,
    trash,
    media,
    restored: restoredMediaNumbers,

    async store(path: string, text: string, token?: Token): Promise<void> {
      const staging = await storage.stage()
      await staging.write(new TextEncoder().encode(text))
      const by: Actor = token ? { token } : 'service'
      const file = {
        path,
        staging,
        size: text.length,
        sha256: Bun.SHA256.hash(text, 'hex'),
        mime: 'image/png',
      }
      await media.store({ ...file, actor: by, overwrite: true })
    },

    /** Deletes a file as the dashboard does, and returns its number in the trash. */
    async throwAway(path: string, actor: Actor = { account: 'anna' }): Promise<number> {
      return database.transaction(async tx => {
        const row = (await findByPath(tx, path))!
        await moveToTrash(tx, [row], actor, { at: clock.now, action: newId() })
        const { nr } = await tx
          .selectFrom('trash')
          .select('nr')
          .where('id', '=', row.id)
          .executeTakeFirstOrThrow()
        return nr
      })
    },

    async findEntry(nr: number): Promise<TrashRow> {
      return database.read.selectFrom('trash').selectAll().where('nr', '=', nr).executeTakeFirstOrThrow()
    },

    async readObjectText(object: string): Promise<string | null> {
      const openedObject = await storage.open(object)
      return openedObject && new TextDecoder().decode(await openedObject.bytes())
    },

    async listObjectNames(): Promise<string[]> {
      const objectsByRoot = await Promise.all(OBJECT_ROOTS.map(root => Array.fromAsync(storage.list(root))))
      return objectsByRoot
        .flat()
        .map(({ name }) => name)
        .sort()
    },

    async [Symbol.asyncDispose]() {
      await discards.stop()
      await instance[Symbol.asyncDispose]()
    },
  }
}
