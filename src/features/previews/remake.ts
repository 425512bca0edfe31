/**
 * Makes one derived file (variant or preview) that a file lacks, and measures the width, height and duration
 * of the file. The preview queue is not used: the row does not become `pending`, so readers do not wait. An
 * existing derived file is not remade, because an object is never changed.
 */
import type { Updateable } from 'kysely'
import type { Database } from '../../database/database.ts'
import type { MediaTable } from '../../database/schema.ts'
import { type DerivedSet, ImagesError } from '../../images/images.ts'
import { type DerivedPart, encoderColumn, markColumn, sizeColumn } from '../../storage/derived-parts.ts'
import { derivedObject, derivedObjectName, MARK_LENGTH } from '../../storage/names.ts'
import type { Storage } from '../../storage/storage.ts'
import { discardObjects, findByNr, type MediaRow, type ObjectColumns } from '../media/media.store.ts'
import { commitDerivedFile, type DeriveParts, deriveFromObject } from './derive.ts'

/**
 * The client name under which maintenance uses the decoders. They serve the clients round-robin, so that
 * uploads do not wait behind maintenance.
 */
const MAINTENANCE_CLIENT = 'maintenance'

/** True if the row names this derived file, and its object exists with the recorded size. */
export async function hasDerivedPart(
  storage: Pick<Storage, 'measure'>,
  row: ObjectColumns,
  part: DerivedPart,
): Promise<boolean> {
  const object = derivedObject(part, row)
  return object !== null && (await storage.measure(object.name)) === object.size
}

export type RemakePart = (nr: number, part: DerivedPart) => Promise<void>

/**
 * Returns a function that makes one derived file of a file, and records it together with the width, height
 * and duration. If the derived file exists already, the function records only the other values. If the file
 * is pending, deleted, or without its object, the function changes nothing.
 *
 * The function resolves even if the derived file could not be made. Then the row says that there is none,
 * unless the service is shutting down or the row has changed meanwhile.
 */
export function createRemake({
  database,
  storage,
  images,
  discards,
  newId,
  now,
  log,
}: DeriveParts): RemakePart {
  const makeDerivedFiles = (row: MediaRow, part: DerivedPart | null) =>
    deriveFromObject({ storage, images }, row, {
      parts: part ? [part] : [],
      requester: { client: MAINTENANCE_CLIENT, isAwaited: false },
    })

  return async function remake(nr, part) {
    const row = await findByNr(database.read, nr)
    if (!row || row.derived === 'pending') return
    const isPartMissing = !(await hasDerivedPart(storage, row, part))
    const encoderValue = { [encoderColumn(part)]: images.encoder(part, row.mime) }
    try {
      const derivedFiles = await makeDerivedFiles(row, isPartMissing ? part : null)
      if (!derivedFiles) return
      if (!isPartMissing) {
        await updateRow(database, row, part, { ...measurementsOf(derivedFiles, row), ...encoderValue })
        return
      }
      const uniqueMark = newId(MARK_LENGTH)
      const name = derivedObjectName(part, row.object, uniqueMark)
      const file = derivedFiles[part]
      if (file) await commitDerivedFile(storage, file, name)
      const size = file?.size ?? null
      const stateChange = size !== null && row.derived === 'failed' ? { derived: 'done' as const } : {}
      const partColumns = { [sizeColumn(part)]: size, [markColumn(part)]: size === null ? null : uniqueMark }
      const changes = {
        ...measurementsOf(derivedFiles, row),
        ...partColumns,
        derived_at: now(),
        ...encoderValue,
        ...stateChange,
      }
      const isRecorded = await updateRow(database, row, part, changes)
      if (isRecorded || size === null) return
      // The file was overwritten, deleted or relocated meanwhile, or another process has made this derived
      // file. No row refers to the new object.
      await database.transaction(tx => discardObjects(tx, [name], discards.dueAt()))
      discards.kick()
    } catch (error) {
      if (error instanceof ImagesError && error.reason === 'closed') return
      log.warn('a derived file could not be made', { path: row.path, part, cause: String(error) })
      // A file system error says nothing about the picture, so the encoder is not recorded. A decoder crash
      // is recorded here, unlike in the preview queue, because the queue has tried this file before.
      const encoderChange = error instanceof ImagesError ? encoderValue : {}
      await updateRow(database, row, part, {
        ...(isPartMissing && { [sizeColumn(part)]: null }),
        ...encoderChange,
      })
    }
  }
}

/** The dimensions and duration that were found now, or else those of the row. */
const measurementsOf = (derivedSet: DerivedSet, row: MediaRow) => {
  const { width = row.width, height = row.height, duration = row.duration } = derivedSet
  return { width, height, duration }
}

/**
 * Writes the changes to the row. Returns false if the file has changed since the row was read, or if another
 * process has made this derived file.
 */
async function updateRow(
  database: Database,
  row: MediaRow,
  part: DerivedPart,
  changes: Updateable<MediaTable>,
): Promise<boolean> {
  const currentMark = row[markColumn(part)]
  const { numUpdatedRows } = await database.transaction(tx =>
    tx
      .updateTable('media')
      .set(changes)
      .where('id', '=', row.id)
      .where('object', '=', row.object)
      .where(markColumn(part), currentMark === null ? 'is' : '=', currentMark)
      .executeTakeFirst(),
  )
  return numUpdatedRows > 0n
}
