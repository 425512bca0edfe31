/**
 * Makes the derived files (WebP variant, preview) and the measures of a file after the upload was answered,
 * in decoder processes, a few files at a time. The rows say which files are left (`derived = 'pending'`), so
 * a restart continues.
 *
 * Crash points: a crash after an object is committed and before its row names it leaves an object that the
 * sweep removes. The next attempt uses other names.
 */

import { sql, type UpdateObject } from 'kysely'
import { sha256Of } from '../../base/hash/sha256.ts'
import { essence } from '../../contract/paths/kinds.ts'
import type { Queries } from '../../database/database.ts'
import type { Schema } from '../../database/schema.ts'
import {
  type DerivedFile,
  type DerivedSet,
  type Images,
  ImagesError,
  type Turn,
} from '../../images/images.ts'
import { createLeases } from '../../jobs/leases.ts'
import {
  DERIVED_PARTS,
  type DerivedPart,
  encoderColumn,
  markColumn,
  mayHave,
  sizeColumn,
} from '../../storage/derived-parts.ts'
import { derivedName, MARK_LENGTH } from '../../storage/names.ts'
import { isTooOldToRecord } from '../../storage/object-age.ts'
import { type Storage, StorageUnavailableError } from '../../storage/storage.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from '../media/discards.ts'
import {
  derivedOf,
  discardObjects,
  findByNr,
  type MediaRow,
  OBJECT_COLUMNS,
  type ObjectColumns,
} from '../media/media.store.ts'

/** Maximum number of attempts per file. A lost decoder may be the fault of a busy machine. */
const ATTEMPTS = 3

/** Milliseconds that a lease on a file lasts after its last renewal, and between two renewals. */
const LEASE = 20_000
const RENEWAL = 6_000

export interface DeriveParts extends Pick<FeatureParts, 'database' | 'storage' | 'newId' | 'log'> {
  images: Images
  discards: Discards
  /** A clock that all processes on the database share. */
  now: () => number
}

export const isDerivable = (mime: string) => /^(image|video|audio)\//.test(essence(mime))

/**
 * True for an error that is the picture's fault: a retry would give the same result. A crash of the decoder
 * may be the machine's fault.
 */
const isFinal = (error: unknown) =>
  error instanceof ImagesError && ['refused', 'timeout', 'memory'].includes(error.reason)

/** Makes derived files of an object; null if the object is absent. */
export const deriveFrom = (
  { storage, images }: Pick<DeriveParts, 'storage' | 'images'>,
  { object, mime, size }: Pick<MediaRow, 'object' | 'mime' | 'size'>,
  wanted: { parts: readonly DerivedPart[]; turn: Turn },
): Promise<DerivedSet | null> =>
  storage.withLocalFile(object, source =>
    images.derive({ source, mime, size, scratch: storage.scratch, ...wanted }),
  )

/**
 * Moves a file of a decoder into the store under this name; returns its hash. The file of the decoder is
 * removed in any case.
 */
export async function commitDerivedFile(
  storage: Pick<Storage, 'adopt' | 'commit'>,
  { file, size }: DerivedFile,
  name: string,
): Promise<string> {
  await using staging = storage.adopt(file)
  const sha256 = await sha256Of(Bun.file(file).stream())
  await storage.commit(staging, name, { size, sha256 })
  return sha256
}

/**
 * Makes the derived files of a pending file. Resolves even if nothing could be made. If another process is
 * working on the file, resolves with the time at which the lease of that process expires unless renewed.
 */
export type Derive = (nr: number, turn: Turn) => Promise<number | undefined>

export function createDerive({ database, storage, images, discards, newId, now, log }: DeriveParts): Derive {
  const leases = createLeases({ database, newId, now, log, lease: LEASE, renewal: RENEWAL })
  const record = createRecord({ database, storage, images, discards, newId, now, log })
  const make = (row: MediaRow, turn: Turn) =>
    deriveFrom({ storage, images }, row, {
      parts: DERIVED_PARTS.filter(part => mayHave(part, row.mime)),
      turn,
    })

  async function change(row: MediaRow, changes: UpdateObject<Schema, 'media'>): Promise<void> {
    await database.transaction(tx =>
      tx.updateTable('media').set(changes).where('nr', '=', row.nr).where('id', '=', row.id).execute(),
    )
  }

  /** Takes back the counted attempt: the failure is not the file's fault. */
  const uncount = (row: MediaRow) => change(row, { derive_attempts: sql`derive_attempts - 1` })

  async function giveUpOrRetry(row: MediaRow, error: unknown): Promise<void> {
    const attempts = row.derive_attempts + 1
    const final = isFinal(error)
    const derived = final || attempts >= ATTEMPTS ? 'failed' : 'pending'
    log.warn('no preview could be made', { path: row.path, attempts, derived, cause: String(error) })
    await change(row, { ...(final && judgedBy(images, row.mime)), derived })
  }

  /**
   * Makes and records the derived files of a leased file. Returns false if the file was moved, so that
   * everything has to be made again.
   */
  async function attempt(row: MediaRow, turn: Turn): Promise<boolean> {
    await change(row, { derive_attempts: sql`derive_attempts + 1` })
    try {
      const made = await make(row, turn)
      if (!made) throw new Error(`the object ${row.object} is missing`)
      if (await record(row, made)) return true
      // False only for a moved file: an overwritten one is queued again anyway.
      await uncount(row)
      return (await findByNr(database.read, row.nr))?.id !== row.id
    } catch (error) {
      // Interrupted by shutdown, or not begun because the store does not answer: the file stays pending.
      const isClosed = error instanceof ImagesError && error.reason === 'closed'
      if (isClosed || error instanceof StorageUnavailableError) await uncount(row)
      else await giveUpOrRetry(row, error)
      return true
    }
  }

  /** Reads the row again, now that no other process works on the file. */
  async function deriveAlone(nr: number, id: string, turn: Turn): Promise<boolean> {
    const row = await findByNr(database.read, nr)
    if (row?.id !== id || row.derived !== 'pending') return true
    if (row.derive_attempts < ATTEMPTS) return attempt(row, turn)
    await change(row, { derived: 'failed' })
    return true
  }

  return async function derive(nr, turn) {
    // A moved file is retried at once, since a reader may be waiting. After that the next round tries again.
    for (const _ of ['first', 'moved']) {
      const row = await findByNr(database.read, nr)
      if (row?.derived !== 'pending') return undefined
      const task = `derive ${row.id}` as const
      const ended = await leases.exclusively(task, () => deriveAlone(nr, row.id, turn))
      if (!ended) return (await leases.heldUntil(task)) ?? now()
      if (ended.result) return undefined
    }
    return undefined
  }
}

/** The encoders that have tried this content, as columns: they would give the same result again. */
const judgedBy = (images: Images, mime: string) =>
  Object.fromEntries(DERIVED_PARTS.map(part => [encoderColumn(part), images.encoder(part, mime)]))

function createRecord({ database, storage, images, discards, newId, now, log }: DeriveParts) {
  /** Commits the files under names never used before; returns the columns that name them. */
  async function commit({ object }: MediaRow, made: DerivedSet): Promise<ObjectColumns> {
    const mark = newId(MARK_LENGTH)
    try {
      for (const part of DERIVED_PARTS)
        if (made[part]) await commitDerivedFile(storage, made[part], derivedName(part, object, mark))
    } finally {
      for (const part of DERIVED_PARTS) if (made[part]) await storage.adopt(made[part].file).discard()
    }
    const columns = DERIVED_PARTS.flatMap(part => [
      [sizeColumn(part), made[part]?.size ?? null],
      [markColumn(part), made[part] ? mark : null],
    ])
    return { object, ...Object.fromEntries(columns) }
  }

  /**
   * Commits the derived files and writes them to the row of their file. Returns false, and discards them, if
   * no row waits for them any more (`findWaiting`) or if the commit took too long.
   */
  return async function record(row: MediaRow, made: DerivedSet): Promise<boolean> {
    if (made.problem) log.warn('no variant could be made', { path: row.path, cause: String(made.problem) })
    const writtenAt = now()
    const { object, ...owned } = await commit(row, made)
    const { width = null, height = null, duration = null } = made
    const facts = { width, height, duration, ...owned }
    const judged = {
      ...judgedBy(images, row.mime),
      ...(made.problem && !isFinal(made.problem) && { variant_encoder: null }),
    }
    const { known, letGo } = await database.transaction(async tx => {
      const holder = isTooOldToRecord(writtenAt, now()) ? null : await findWaiting(tx, row)
      if (holder?.place === 'media')
        await tx
          .updateTable('media')
          .set({ ...facts, ...judged, derived_at: now(), derived: 'done' })
          .where('nr', '=', holder.nr)
          .execute()
      // The file was deleted meanwhile, and its object has not been moved yet: the derived files now belong
      // to its row in the trash.
      if (holder?.place === 'trash')
        await tx.updateTable('trash').set(facts).where('nr', '=', holder.nr).execute()
      // The file was overwritten, deleted, relocated or derived meanwhile: no row refers to the new objects.
      const letGo = derivedOf(holder ?? { object, ...owned })
      await discardObjects(tx, letGo, discards.dueAt())
      return { known: holder !== null, letGo }
    })
    if (letGo.length > 0) discards.kick()
    return known
  }
}

/** The row that waits for files made from this object: in the library, or deleted but not moved yet. */
async function findWaiting(tx: Queries, { id, object }: MediaRow) {
  const inLibrary = await tx
    .selectFrom('media')
    .select(['nr', ...OBJECT_COLUMNS])
    .where('id', '=', id)
    .where('object', '=', object)
    .where('derived', '=', 'pending')
    .executeTakeFirst()
  if (inLibrary) return { ...inLibrary, place: 'media' as const }
  const inTrash = await tx
    .selectFrom('trash')
    .select(['nr', ...OBJECT_COLUMNS])
    .where('id', '=', id)
    .where('object', '=', object)
    .executeTakeFirst()
  return inTrash ? { ...inTrash, place: 'trash' as const } : null
}
