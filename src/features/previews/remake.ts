/**
 * Makes one derived file that a finished file lacks, and its measures where they are not known. Beside the queue: the row
 * does not become `pending`, so nobody who reads the file waits for it. What is there already is not made again, for an
 * object is never changed.
 */
import type { Updateable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { MediaTable } from '../../database/schema.ts'
import { type Derived, type DerivedPart, type Images, ImagesError } from '../../images/images.ts'
import type { Log } from '../../log.ts'
import { previewName, variantName } from '../../storage/names.ts'
import type { Storage } from '../../storage/storage.ts'
import type { Discards } from '../media/discards.ts'
import { discardObjects, findByNr, type MediaRow } from '../media/media.store.ts'
import { deriveFrom } from './derive.ts'

export interface RemakeParts {
  database: Database
  storage: Storage
  images: Images
  discards: Discards
  log: Log
}

export const partName = (part: DerivedPart, object: string) =>
  part === 'preview' ? previewName(object) : variantName(object)

/** In the line for a decoder a client of its own: whoever drives maintenance can wait longer than an upload. */
const MAINTENANCE = 'maintenance'

const columnOf = (part: DerivedPart) => `${part}_size` as const
export const encoderColumn = (part: DerivedPart) => `${part}_encoder` as const

/** True when the row says that there is such a file, and there is. */
export async function hasPart(
  storage: Pick<Storage, 'open'>,
  row: Pick<MediaRow, 'object' | 'preview_size' | 'variant_size'>,
  part: DerivedPart,
): Promise<boolean> {
  const size = row[columnOf(part)]
  return size !== null && (await storage.open(partName(part, row.object)))?.size === size
}

export type Remake = (nr: number, part: DerivedPart) => Promise<void>

/** Resolves also when nothing could be made; the row then says that there is none. */
export function createRemake({ database, storage, images, discards, log }: RemakeParts): Remake {
  const make = (row: MediaRow, part: DerivedPart | null) =>
    deriveFrom({ storage, images }, row, {
      variant: part === 'variant',
      preview: part === 'preview',
      turn: { client: MAINTENANCE, awaited: false },
    })

  /** Gives it its name; answers its size. */
  async function commit(made: Derived[DerivedPart], name: string): Promise<number | null> {
    if (!made) return null
    const staging = storage.adopt(made.file)
    try {
      await storage.commit(staging, name)
    } finally {
      await staging.discard()
    }
    return made.size
  }

  async function record(row: MediaRow, made: Derived, changes: Updateable<MediaTable>): Promise<boolean> {
    const { width = row.width, height = row.height, duration = row.duration } = made
    const { numUpdatedRows } = await database.transaction(tx =>
      tx
        .updateTable('media')
        .set({ width, height, duration, ...changes })
        .where('id', '=', row.id)
        .where('object', '=', row.object)
        .executeTakeFirst(),
    )
    return numUpdatedRows > 0n
  }

  return async function remake(nr, part) {
    const row = await findByNr(database.read, nr)
    if (!row || row.derived === 'pending') return
    const lacking = !(await hasPart(storage, row, part))
    const judged = { [encoderColumn(part)]: images.encoder(part, row.mime) }
    try {
      const made = await make(row, lacking ? part : null)
      if (!made) return
      if (!lacking) {
        await record(row, made, judged)
        return
      }
      const name = partName(part, row.object)
      const size = await commit(made[part], name)
      const recovered = size !== null && row.derived === 'failed' ? { derived: 'done' as const } : {}
      const known = await record(row, made, { [columnOf(part)]: size, ...judged, ...recovered })
      if (known || size === null) return
      // Overwritten, deleted or relocated meanwhile: this belongs to a name that is no more.
      await database.transaction(tx => discardObjects(tx, [name], discards.dueAt()))
      discards.kick()
    } catch (error) {
      if (error instanceof ImagesError && error.reason === 'closed') return
      log.warn('a derived file could not be made', { path: row.path, part, cause: String(error) })
      // What the file system says is no verdict on the picture. A crash is one here: the queue has tried before.
      const verdict = error instanceof ImagesError ? judged : {}
      await record(row, {}, { ...(lacking && { [columnOf(part)]: null }), ...verdict })
    }
  }
}
