/**
 * Lets the names on disk follow the paths. A rename changes only the row and notes it on the relocation list, in one
 * transaction; here the objects are linked under their new name, the row is pointed at it, and the old name is let go.
 * The row leads to an existing object at every moment; after a crash the list says what is left to do.
 */
import type { Database, Queries } from '../../database/database.ts'
import type { NewId } from '../../ids.ts'
import type { Log } from '../../log.ts'
import { objectName, parseName, previewName, variantName } from '../../storage/names.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Discards } from './discards.ts'
import { discardObjects, findByNr, type MediaRow, objectsOf } from './media.store.ts'

const BATCH = 100
const MARK_LENGTH = 6

/** Milliseconds in which further changes join the same run. */
const KICK_DELAY = 50

export interface Relocations {
  /** Works the list off; answers how many files were moved. */
  run(): Promise<number>
  /** Says that the list has grown: a run starts soon. */
  kick(): void
  /** No further file is moved; resolves when the present one is done. The list keeps the others. */
  stop(): Promise<void>
}

export interface RelocationsParts {
  database: Database
  storage: Storage
  discards: Discards
  newId: NewId
  log: Log
}

export function createRelocations({
  database,
  storage,
  discards,
  newId,
  log,
}: RelocationsParts): Relocations {
  async function follow(row: MediaRow): Promise<void> {
    const target = objectName(row.path, row.id, newId(MARK_LENGTH))
    const moved: MediaRow = { ...row, object: target }
    const names: [from: string, to: string][] = [[row.object, target]]
    if (row.variant_size !== null) names.push([variantName(row.object), variantName(target)])
    if (row.preview_size !== null) names.push([previewName(row.object), previewName(target)])
    for (const [from, to] of names) await storage.relocate(from, to)

    await database.transaction(async tx => {
      // Whatever else happened to the file meanwhile (overwritten, renamed again, derived) makes this move void.
      const current = await findByNr(tx, row.nr)
      const same =
        current !== null &&
        current.id === row.id &&
        current.path === row.path &&
        current.object === row.object &&
        current.variant_size === row.variant_size &&
        current.preview_size === row.preview_size
      await discardObjects(tx, objectsOf(same ? row : moved), discards.dueAt())
      if (!same) return
      await tx.updateTable('media').set({ object: target }).where('nr', '=', row.nr).execute()
      await strike(tx, row)
    })
  }

  async function next(after: number): Promise<MediaRow[]> {
    return database.read
      .selectFrom('relocation')
      .innerJoin('media', 'media.nr', 'relocation.media_nr')
      .selectAll('media')
      .where('media.nr', '>', after)
      .orderBy('media.nr')
      .limit(BATCH)
      .execute()
  }

  /** Renamed there and back, or overwritten since: the object already stands where it should. */
  const inPlace = (row: MediaRow) => parseName(row.object)?.path === row.path

  let timer: Timer | undefined
  let stopped = false
  let running: Promise<unknown> = Promise.resolve()

  async function workOff(): Promise<number> {
    let moved = 0
    let after = 0
    for (;;) {
      const rows = await next(after)
      if (rows.length === 0) break
      for (const row of rows) {
        if (stopped) return moved
        after = row.nr
        try {
          if (inPlace(row)) await database.transaction(tx => strike(tx, row))
          else await follow(row)
          moved++
        } catch (error) {
          // Stays on the list for the next run; the file is served from its old name until then.
          log.warn('an object could not follow its path', { object: row.object, cause: error })
        }
      }
    }
    if (moved > 0) discards.kick()
    return moved
  }

  /** One run after the other: two at once would link every object twice. */
  const run = () => {
    const next = running.then(workOff)
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

/** Takes a file off the list, unless its path changed since `row` was read. */
async function strike(tx: Queries, row: MediaRow): Promise<void> {
  const current = await findByNr(tx, row.nr)
  if (current?.path === row.path) await tx.deleteFrom('relocation').where('media_nr', '=', row.nr).execute()
}
