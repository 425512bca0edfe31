/**
 * Makes what derives from a file: WebP variant, preview, measures. After the answer, in the image processes, a few
 * at a time. What is still to be done stands in the rows (`derived = 'pending'`), so a restart takes it up again.
 *
 * Crash points: an object committed before its row names it is overwritten by the next try, or swept.
 */

import { sql, type Updateable } from 'kysely'
import { essence, mayHaveVariant } from '../../contract/kinds.ts'
import type { Database } from '../../database/database.ts'
import type { MediaTable } from '../../database/schema.ts'
import { type Derived, type Images, ImagesError, type Turn } from '../../images/images.ts'
import type { Log } from '../../log.ts'
import { previewName, variantName } from '../../storage/names.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Discards } from '../media/discards.ts'
import { discardObjects, findByNr, type MediaRow } from '../media/media.store.ts'

/** A child that was lost may have been lost to a busy machine; a file that costs this many is given up. */
const ATTEMPTS = 3

export interface DeriveParts {
  database: Database
  storage: Storage
  images: Images
  discards: Discards
  log: Log
}

export const isDerivable = (mime: string) => /^(image|video|audio)\//.test(essence(mime))

/** The picture's own fault: trying again would end in the same way. A decoder that crashed may be the machine's. */
const isFinal = (error: unknown) =>
  error instanceof ImagesError && ['refused', 'timeout', 'memory'].includes(error.reason)

/** Null when the object is not there. */
export const deriveFrom = (
  { storage, images }: Pick<DeriveParts, 'storage' | 'images'>,
  { object, mime, size }: Pick<MediaRow, 'object' | 'mime' | 'size'>,
  wanted: { variant: boolean; preview: boolean; turn: Turn },
): Promise<Derived | null> =>
  storage.withLocalFile(object, source =>
    images.derive({ source, mime, size, scratch: storage.scratch, ...wanted }),
  )

/** Derives one file, as its row asks for. Resolves also when nothing could be made. */
export function createDerive({ database, storage, images, discards, log }: DeriveParts) {
  const make = (row: MediaRow, turn: Turn) =>
    deriveFrom({ storage, images }, row, { variant: mayHaveVariant(row.mime), preview: true, turn })

  /** Gives the made files their names; answers which ones those are. */
  async function commit(row: MediaRow, made: Derived): Promise<string[]> {
    const files = [
      [made.variant, variantName(row.object)] as const,
      [made.preview, previewName(row.object)] as const,
    ].flatMap(([file, name]) => (file ? [{ staging: storage.adopt(file.file), name }] : []))
    try {
      for (const { staging, name } of files) await storage.commit(staging, name)
    } finally {
      for (const { staging } of files) await staging.discard()
    }
    return files.map(({ name }) => name)
  }

  /** Remembered with the content: trying again would give the same. */
  const judgedBy = (mime: string) => ({
    variant_encoder: images.encoder('variant', mime),
    preview_encoder: images.encoder('preview', mime),
  })

  /** False when it came too late for the name it was made for. */
  async function record(row: MediaRow, made: Derived): Promise<boolean> {
    if (made.problem) log.warn('no variant could be made', { path: row.path, cause: String(made.problem) })
    const names = await commit(row, made)
    const late = await database.transaction(async tx => {
      const facts = {
        width: made.width ?? null,
        height: made.height ?? null,
        duration: made.duration ?? null,
        variant_size: made.variant?.size ?? null,
        preview_size: made.preview?.size ?? null,
      }
      const { numUpdatedRows } = await tx
        .updateTable('media')
        .set({
          ...facts,
          ...judgedBy(row.mime),
          ...(made.problem && !isFinal(made.problem) && { variant_encoder: null }),
          derived: 'done',
        })
        .where('id', '=', row.id)
        .where('object', '=', row.object)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) return false
      // Thrown away meanwhile, and its object has not followed yet: what was made is in use all the same.
      const trashed = await tx
        .updateTable('trash')
        .set(facts)
        .where('id', '=', row.id)
        .where('object', '=', row.object)
        .executeTakeFirst()
      if (trashed.numUpdatedRows > 0n) return false
      // Overwritten, deleted or relocated meanwhile: these belong to a name that is no more.
      await discardObjects(tx, names, discards.dueAt())
      return true
    })
    if (late) discards.kick()
    return !late
  }

  /** Counted before it begins: a file that takes the whole process down with it is not tried for ever. */
  async function countTry(row: MediaRow, difference: 1 | -1): Promise<void> {
    await database.transaction(tx =>
      tx
        .updateTable('media')
        .set({ derive_attempts: sql`derive_attempts + ${difference}` })
        .where('nr', '=', row.nr)
        .where('id', '=', row.id)
        .execute(),
    )
  }

  async function giveUpOrRetry(row: MediaRow, error: unknown): Promise<void> {
    const attempts = row.derive_attempts + 1
    const final = isFinal(error)
    const derived = final || attempts >= ATTEMPTS ? 'failed' : 'pending'
    log.warn('no preview could be made', { path: row.path, attempts, derived, cause: String(error) })
    if (derived === 'failed') await giveUp(row, final ? judgedBy(row.mime) : {})
  }

  async function giveUp(row: MediaRow, judged: Updateable<MediaTable> = {}): Promise<void> {
    await database.transaction(tx =>
      tx
        .updateTable('media')
        .set({ ...judged, derived: 'failed' })
        .where('nr', '=', row.nr)
        .where('id', '=', row.id)
        .execute(),
    )
  }

  /** False when the file has moved meanwhile, so that it is all to be done again under its new name. */
  async function attempt(nr: number, turn: Turn): Promise<boolean> {
    const row = await findByNr(database.read, nr)
    if (row?.derived !== 'pending') return true
    if (row.derive_attempts >= ATTEMPTS) {
      await giveUp(row)
      return true
    }
    await countTry(row, 1)
    try {
      const made = await make(row, turn)
      if (!made) throw new Error(`the object ${row.object} is missing`)
      if (await record(row, made)) return true
      // No failure of the file; and one that was overwritten has its turn anyway.
      await countTry(row, -1)
      return (await findByNr(database.read, nr))?.id !== row.id
    } catch (error) {
      // Work cut short by the shutdown is no failure of the file: it stays pending.
      if (error instanceof ImagesError && error.reason === 'closed') await countTry(row, -1)
      else await giveUpOrRetry(row, error)
      return true
    }
  }

  return async function derive(nr: number, turn: Turn): Promise<void> {
    // Once more right away, since a reader may be waiting; after that it is up to the next round.
    if (!(await attempt(nr, turn))) await attempt(nr, turn)
  }
}
