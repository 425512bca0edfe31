/**
 * Makes the derived files of an uploaded file (WebP variant, preview), and measures its width, height and
 * duration, after the upload was answered. Decoder processes do this for a few files at a time. The rows say
 * which files still have to be processed (`derived = 'pending'`), so the work continues after a restart.
 *
 * Crash points: a crash after an object is committed and before its row names it leaves an object that the
 * sweep (the daily removal of orphaned objects) removes. The next attempt uses other names.
 */

import { sql, type UpdateObject } from 'kysely'
import { sha256OfStream } from '../../base/hash/sha256.ts'
import { mediaTypeEssence } from '../../contract/paths/kinds.ts'
import type { Queries } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import {
  type DerivedFile,
  type DerivedSet,
  type Images,
  ImagesError,
  type Requester,
} from '../../images/images.ts'
import {
  DERIVED_PARTS,
  type DerivedPart,
  encoderColumn,
  markColumn,
  mayHavePart,
  sizeColumn,
} from '../../storage/derived-parts.ts'
import { derivedObjectName, MARK_LENGTH } from '../../storage/names.ts'
import { isTooOldToRecord } from '../../storage/object-age.ts'
import { type Storage, StorageUnavailableError } from '../../storage/storage.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from '../media/discards.ts'
import {
  derivedObjectsOf,
  discardObjects,
  findByNr,
  type MediaRow,
  OBJECT_COLUMNS,
  type ObjectColumns,
} from '../media/media.store.ts'
import { createDerivedFileLeases } from './derived-file-leases.ts'

/**
 * Maximum number of attempts per file. There are several because a decoder may also crash on a machine that
 * is overloaded.
 */
const MAX_ATTEMPTS = 3

export interface DeriveParts extends Pick<FeatureParts, 'database' | 'storage' | 'newId' | 'log'> {
  images: Images
  discards: Discards
  /** A clock that all processes on the database share. */
  now: () => number
}

export const isDerivable = (mime: string) => /^(image|video|audio)\//.test(mediaTypeEssence(mime))

/**
 * True for an error that the file itself causes: a retry would give the same result. False for all other
 * errors, such as a crash of the decoder, which an overloaded machine may cause too.
 */
const isFinalError = (error: unknown) =>
  error instanceof ImagesError && ['refused', 'timeout', 'memory'].includes(error.reason)

/**
 * Measures an object, and makes those of its derived files that `options.parts` lists. Null if the object is
 * absent.
 */
export const deriveFromObject = (
  { storage, images }: Pick<DeriveParts, 'storage' | 'images'>,
  { object, mime }: Pick<MediaRow, 'object' | 'mime'>,
  options: { parts: readonly DerivedPart[]; requester: Requester },
): Promise<DerivedSet | null> =>
  storage.withLocalFile(object, source =>
    images.derive({ source, mime, scratch: storage.scratch, ...options }),
  )

/**
 * Stores a file that a decoder has made as the object `name`; returns the SHA-256 of the file. The decoder's
 * own copy is removed even if storing fails.
 */
export async function commitDerivedFile(
  storage: Pick<Storage, 'adopt' | 'commit'>,
  { file, size }: DerivedFile,
  name: string,
): Promise<string> {
  await using staging = storage.adopt(file)
  const sha256 = await sha256OfStream(Bun.file(file).stream())
  await storage.commit(staging, name, { size, sha256 })
  return sha256
}

/**
 * Makes the derived files of a pending file, given the number of its row. Resolves even if nothing could be
 * made. If another process is working on the file, resolves with the time at which the lease of that process
 * expires unless renewed; otherwise with undefined.
 */
export type DeriveFile = (nr: number, requester: Requester) => Promise<number | undefined>

export function createDerive(parts: DeriveParts): DeriveFile {
  const { database, storage, images, log, now } = parts
  const leases = createDerivedFileLeases(parts)
  const recordDerivedFiles = createRecordDerivedFiles(parts)
  const makeDerivedFiles = (row: MediaRow, requester: Requester) =>
    deriveFromObject({ storage, images }, row, {
      parts: DERIVED_PARTS.filter(part => mayHavePart(part, row.mime)),
      requester,
    })

  async function updateRow(row: MediaRow, changes: UpdateObject<Schema, 'media'>): Promise<void> {
    await database.transaction(tx =>
      tx.updateTable('media').set(changes).where('nr', '=', row.nr).where('id', '=', row.id).execute(),
    )
  }

  /** Subtracts the current attempt from the count, because the file did not cause its failure. */
  const revertAttemptCount = (row: MediaRow) => updateRow(row, { derive_attempts: sql`derive_attempts - 1` })

  async function giveUpOrRetry(row: MediaRow, error: unknown): Promise<void> {
    const attemptCount = row.derive_attempts + 1
    const isFinal = isFinalError(error)
    const newState = isFinal || attemptCount >= MAX_ATTEMPTS ? 'failed' : 'pending'
    log.warn('no preview could be made', {
      path: row.path,
      attempts: attemptCount,
      derived: newState,
      cause: String(error),
    })
    await updateRow(row, { ...(isFinal && encoderColumns(images, row.mime)), derived: newState })
  }

  /**
   * Makes and records the derived files of a leased file. Returns false if everything has to be made again,
   * because the file was moved meanwhile or recording took too long.
   */
  async function makeAndRecord(row: MediaRow, requester: Requester): Promise<boolean> {
    await updateRow(row, { derive_attempts: sql`derive_attempts + 1` })
    try {
      const derivedFiles = await makeDerivedFiles(row, requester)
      if (!derivedFiles) throw new Error(`the object ${row.object} is missing`)
      if (await recordDerivedFiles(row, derivedFiles)) return true
      await revertAttemptCount(row)
      // True if nothing is left to do: the file was deleted, or overwritten and therefore queued again.
      return (await findByNr(database.read, row.nr))?.id !== row.id
    } catch (error) {
      const isShuttingDown = error instanceof ImagesError && error.reason === 'closed'
      // At shutdown, or if the store does not answer, the attempt does not count and the file stays pending.
      if (isShuttingDown || error instanceof StorageUnavailableError) await revertAttemptCount(row)
      else await giveUpOrRetry(row, error)
      return true
    }
  }

  /**
   * Makes and records the derived files of a pending file under its lease. If `MAX_ATTEMPTS` are used up,
   * marks the file as failed instead. Reads the row again, because another process may have finished the file
   * before the lease was acquired. Returns false if everything has to be made again.
   */
  async function deriveUnderLease(nr: number, id: string, requester: Requester): Promise<boolean> {
    const row = await findByNr(database.read, nr)
    if (row?.id !== id || row.derived !== 'pending') return true
    if (row.derive_attempts < MAX_ATTEMPTS) return makeAndRecord(row, requester)
    await updateRow(row, { derived: 'failed' })
    return true
  }

  return async function derive(nr, requester) {
    // If everything has to be made again, the retry follows immediately, because a reader may be waiting. If
    // that happens in the retry too, the file stays pending, and the job for pending files tries again.
    for (const _ of ['first attempt', 'retry']) {
      const row = await findByNr(database.read, nr)
      if (row?.derived !== 'pending') return undefined
      const task = `derive ${row.id}` as const
      const outcome = await leases.exclusively(task, () => deriveUnderLease(nr, row.id, requester))
      if (!outcome) return (await leases.heldUntil(task)) ?? now()
      if (outcome.result) return undefined
    }
    return undefined
  }
}

/**
 * The columns that record which encoders have tried a file of type `mime`, so that the same encoders do not
 * try it again.
 */
const encoderColumns = (images: Images, mime: string) =>
  Object.fromEntries(DERIVED_PARTS.map(part => [encoderColumn(part), images.encoder(part, mime)]))

function createRecordDerivedFiles({ database, storage, images, discards, newId, now, log }: DeriveParts) {
  /**
   * Commits the derived files under names never used before. Returns the name of the original, and the
   * columns that determine the names of the derived files.
   */
  async function commitDerivedSet({ object }: MediaRow, derivedSet: DerivedSet): Promise<ObjectColumns> {
    const uniqueMark = newId(MARK_LENGTH)
    try {
      for (const part of DERIVED_PARTS)
        if (derivedSet[part])
          await commitDerivedFile(storage, derivedSet[part], derivedObjectName(part, object, uniqueMark))
    } finally {
      for (const part of DERIVED_PARTS)
        if (derivedSet[part]) await storage.adopt(derivedSet[part].file).discard()
    }
    const columnEntries = DERIVED_PARTS.flatMap(part => [
      [sizeColumn(part), derivedSet[part]?.size ?? null],
      [markColumn(part), derivedSet[part] ? uniqueMark : null],
    ])
    return { object, ...Object.fromEntries(columnEntries) }
  }

  /**
   * Commits the derived files and writes them to the row of their file. Returns false, and discards them, if
   * no row waits for them any more (`findWaitingRow`) or if the commit took too long.
   */
  return async function recordDerivedFiles(row: MediaRow, derivedSet: DerivedSet): Promise<boolean> {
    if (derivedSet.variantError)
      log.warn('no variant could be made', { path: row.path, cause: String(derivedSet.variantError) })
    const writtenAt = now()
    const { object, ...partColumns } = await commitDerivedSet(row, derivedSet)
    const { width = null, height = null, duration = null } = derivedSet
    const columnValues = { width, height, duration, ...partColumns }
    const encoderValues = {
      ...encoderColumns(images, row.mime),
      ...(derivedSet.variantError && !isFinalError(derivedSet.variantError) && { variant_encoder: null }),
    }
    const { isRecorded, discardedObjects } = await database.transaction(async tx => {
      const owner = isTooOldToRecord(writtenAt, now()) ? null : await findWaitingRow(tx, row)
      if (owner?.table === 'media')
        await tx
          .updateTable('media')
          .set({ ...columnValues, ...encoderValues, derived_at: now(), derived: 'done' })
          .where('nr', '=', owner.nr)
          .execute()
      // The file was deleted meanwhile, and its object has not been moved yet: the derived files now belong
      // to its row in the trash.
      if (owner?.table === 'trash')
        await tx.updateTable('trash').set(columnValues).where('nr', '=', owner.nr).execute()
      // If there is an owner, its earlier derived objects are discarded. Otherwise no row refers to the new
      // objects, so they are discarded: the commit took too long, or the file was overwritten, deleted,
      // relocated or derived meanwhile.
      const objects = derivedObjectsOf(owner ?? { object, ...partColumns })
      await discardObjects(tx, objects, discards.dueAt())
      return { isRecorded: owner !== null, discardedObjects: objects }
    })
    if (discardedObjects.length > 0) discards.kick()
    return isRecorded
  }
}

/**
 * The row that waits for files derived from this object: in the library, or in the trash if the file was
 * deleted but its object still has the same name.
 */
async function findWaitingRow(tx: Queries, { id, object }: MediaRow) {
  const libraryRow = await tx
    .selectFrom('media')
    .select(['nr', ...OBJECT_COLUMNS])
    .where('id', '=', id)
    .where('object', '=', object)
    .where('derived', '=', 'pending')
    .executeTakeFirst()
  if (libraryRow) return { ...libraryRow, table: 'media' as const }
  const trashRow = await tx
    .selectFrom('trash')
    .select(['nr', ...OBJECT_COLUMNS])
    .where('id', '=', id)
    .where('object', '=', object)
    .executeTakeFirst()
  return trashRow ? { ...trashRow, table: 'trash' as const } : null
}
