/**
 * Makes what derives from a file: WebP variant, preview, measures. This happens after the upload was answered, in the
 * image processes, a few files at a time. The rows say which files are still to be done (`derived = 'pending'`), so a
 * restart takes the work up again.
 *
 * Crash points: a crash after an object is committed and before its row names it leaves an object that the next try
 * overwrites, or that the sweep removes.
 */

import { sql, type Updateable } from 'kysely'
import { essence, mayHaveVariant } from '../../contract/kinds.ts'
import type { Database } from '../../database/database.ts'
import type { MediaTable } from '../../database/schema.ts'
import { type Derived, type Images, ImagesError, type Turn } from '../../images/images.ts'
import type { Log } from '../../log.ts'
import { sha256Of } from '../../sha256.ts'
import { previewName, variantName } from '../../storage/names.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Discards } from '../media/discards.ts'
import { discardObjects, findByNr, type MediaRow } from '../media/media.store.ts'

/**
 * Tries for one file. A lost image process may be the fault of a busy machine, so the file is tried again; a file that
 * has failed this often is given up.
 */
const ATTEMPTS = 3

export interface DeriveParts {
  database: Database
  storage: Storage
  images: Images
  discards: Discards
  log: Log
}

export const isDerivable = (mime: string) => /^(image|video|audio)\//.test(essence(mime))

/**
 * True for an error that is the fault of the picture: another try would end in the same way. A crash of the decoder is
 * not final, since it may be the fault of the machine.
 */
const isFinal = (error: unknown) =>
  error instanceof ImagesError && ['refused', 'timeout', 'memory'].includes(error.reason)

/** Makes the wanted derived files of one object; null when the object is absent. */
export const deriveFrom = (
  { storage, images }: Pick<DeriveParts, 'storage' | 'images'>,
  { object, mime, size }: Pick<MediaRow, 'object' | 'mime' | 'size'>,
  wanted: { variant: boolean; preview: boolean; turn: Turn },
): Promise<Derived | null> =>
  storage.withLocalFile(object, source =>
    images.derive({ source, mime, size, scratch: storage.scratch, ...wanted }),
  )

/** Gives a file that a decoder has made its name in the store. The decoder's file is gone afterwards in any case. */
export async function commitMade(
  storage: Pick<Storage, 'adopt' | 'commit'>,
  { file, size }: NonNullable<Derived['preview']>,
  name: string,
): Promise<void> {
  const staging = storage.adopt(file)
  try {
    await storage.commit(staging, name, { size, sha256: await sha256Of(Bun.file(file).stream()) })
  } finally {
    await staging.discard()
  }
}

/** Makes the derived files of one file when its row is pending. Resolves even when nothing could be made. */
export function createDerive({ database, storage, images, discards, log }: DeriveParts) {
  const make = (row: MediaRow, turn: Turn) =>
    deriveFrom({ storage, images }, row, { variant: mayHaveVariant(row.mime), preview: true, turn })

  /** Gives the made files their names in the store; answers these names. */
  async function commit(row: MediaRow, made: Derived): Promise<string[]> {
    const files = [
      [made.variant, variantName(row.object)] as const,
      [made.preview, previewName(row.object)] as const,
    ].flatMap(([file, name]) => (file ? [{ file, name }] : []))
    try {
      for (const { file, name } of files) await commitMade(storage, file, name)
    } finally {
      for (const { file } of files) await storage.adopt(file.file).discard()
    }
    return files.map(({ name }) => name)
  }

  /** The encoders that have judged this content, for its row: the same encoders would give the same result again. */
  const judgedBy = (mime: string) => ({
    variant_encoder: images.encoder('variant', mime),
    preview_encoder: images.encoder('preview', mime),
  })

  /** Stores the made files and writes the row; false when no row has the object any more from which they were made. */
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
      // The file was thrown away meanwhile and its object has not moved yet: the row in the trash uses the made files.
      const trashed = await tx
        .updateTable('trash')
        .set(facts)
        .where('id', '=', row.id)
        .where('object', '=', row.object)
        .executeTakeFirst()
      if (trashed.numUpdatedRows > 0n) return false
      // The file was overwritten, deleted or relocated meanwhile: the made objects belong to a name that no row has.
      await discardObjects(tx, names, discards.dueAt())
      return true
    })
    if (late) discards.kick()
    return !late
  }

  /** A try is counted before it begins, so that a file that crashes the whole process is not tried for ever. */
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

  /** False when the file has moved meanwhile, so that all has to be made again under the new object name. */
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
      // This is no failure of the file, so the try does not count. An overwritten file gets a turn of its own anyway.
      await countTry(row, -1)
      return (await findByNr(database.read, nr))?.id !== row.id
    } catch (error) {
      // Work that the shutdown has cut short is no failure of the file: the file stays pending, the try does not count.
      if (error instanceof ImagesError && error.reason === 'closed') await countTry(row, -1)
      else await giveUpOrRetry(row, error)
      return true
    }
  }

  return async function derive(nr: number, turn: Turn): Promise<void> {
    // A moved file is tried once more right away, since a reader may be waiting. After that the next round tries again.
    if (!(await attempt(nr, turn))) await attempt(nr, turn)
  }
}
