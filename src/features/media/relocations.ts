/**
 * Lets the names on disk follow the paths. Renaming, throwing away and restoring change only rows, in one transaction;
 * here the objects are linked under their new name, the row is pointed at it, and the old name is let go.
 * The row leads to an existing object at every moment; after a crash the rows say what is left to do.
 */
import { pages } from '../../batches.ts'
import type { Database } from '../../database/database.ts'
import type { NewId } from '../../ids.ts'
import type { Log } from '../../log.ts'
import { previewName, variantName } from '../../storage/names.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Discards } from './discards.ts'
import { type Following, libraryFollowing, trashFollowing } from './following.ts'
import { discardObjects, type OwnerRow, objectsOf } from './media.store.ts'

const BATCH = 100
const MARK_LENGTH = 6

/** Milliseconds in which further changes join the same run. */
const KICK_DELAY = 50

export interface Relocations {
  /** Works off what has to follow; answers how many files did. */
  run(): Promise<number>
  /** Says that there is something to follow: a run starts soon. */
  kick(): void
  /** No further file is moved; resolves when the present one is done. The rows keep the others in mind. */
  stop(): Promise<void>
}

export interface RelocationsParts {
  database: Database
  storage: Storage
  discards: Discards
  newId: NewId
  log: Log
}

export function createRelocations(parts: RelocationsParts): Relocations {
  const { database, storage, discards, newId, log } = parts
  let timer: Timer | undefined
  let stopped = false
  let running: Promise<unknown> = Promise.resolve()

  async function follow(row: OwnerRow, place: Following): Promise<void> {
    const target = place.target(row, newId(MARK_LENGTH))
    const moved = { ...row, object: target, variant_size: place.keepsVariant ? row.variant_size : null }
    const names: [from: string, to: string][] = [[row.object, target]]
    if (moved.variant_size !== null) names.push([variantName(row.object), variantName(target)])
    if (moved.preview_size !== null) names.push([previewName(row.object), previewName(target)])
    for (const [from, to] of names) await storage.relocate(from, to)

    await database.transaction(async tx => {
      // Whatever else happened to the file meanwhile (overwritten, renamed again, derived, thrown away, restored) makes
      // this move void.
      const same = isSame(row, await place.find(tx, row.nr))
      await discardObjects(tx, objectsOf(same ? row : moved), discards.dueAt())
      if (same) await place.settle(tx, row, target)
    })
  }

  async function workOff(place: Following): Promise<number> {
    let moved = 0
    const read = (last: OwnerRow | undefined, limit: number) =>
      place.next(database.read, last?.nr ?? 0, limit)
    for await (const rows of pages(read, BATCH)) {
      for (const row of rows) {
        if (stopped) return moved
        try {
          if (place.inPlace(row)) await database.transaction(tx => place.settle(tx, row))
          else await follow(row, place)
          moved++
        } catch (error) {
          // Comes again with the next run; the file is read from its old name until then.
          log.warn('an object could not follow its path', { object: row.object, cause: error })
        }
      }
    }
    return moved
  }

  async function runOnce(): Promise<number> {
    const moved = (await workOff(libraryFollowing)) + (await workOff(trashFollowing))
    if (moved > 0) discards.kick()
    return moved
  }

  /**
   * One run after the other: two at once would link every object twice. Another process may do just that, since a kick is
   * not under the task of the minutely job: whoever points the row at its name first wins, the other move is void.
   */
  function run(): Promise<number> {
    const next = running.then(runOnce)
    running = next.catch(error => log.error('following paths failed', { cause: error }))
    return next
  }

  return {
    run,
    kick() {
      if (timer || stopped) return
      timer = setTimeout(() => {
        timer = undefined
        run().catch(() => {})
      }, KICK_DELAY)
    },
    async stop() {
      stopped = true
      clearTimeout(timer)
      await running
    },
  }
}

function isSame(row: OwnerRow, current: OwnerRow | null): boolean {
  return (
    current !== null &&
    current.id === row.id &&
    current.path === row.path &&
    current.object === row.object &&
    current.variant_size === row.variant_size &&
    current.preview_size === row.preview_size
  )
}
