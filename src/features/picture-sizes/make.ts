/**
 * Makes a picture in one of the configured sizes, in a decoder process. A lease in the database ensures that
 * only one service process makes it.
 *
 * Crash points: a crash after the object is committed and before its row is written leaves an object that the
 * sweep (the daily removal of orphaned objects) removes; the next request makes another one. If the file is
 * deleted or overwritten meanwhile, the transaction that would write the row detects this, writes no row and
 * discards the object.
 */
import { failure } from '../../errors/errors.ts'
import { type Images, ImagesError, type Requester, type SizedPicture } from '../../images/images.ts'
import { MARK_LENGTH, sizedPictureName } from '../../storage/names.ts'
import { isTooOldToRecord } from '../../storage/object-age.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from '../media/discards.ts'
import { commitDerivedFile } from '../previews/derive.ts'
import { createDerivedFileLeases } from '../previews/derived-file-leases.ts'
import { findSizeRow, putSizeRow, type SizeRow } from './sizes.store.ts'
import { fileProblemKey, sizeKey, type WantedPicture } from './wanted-picture.ts'

const PICTURE_EXTENSIONS: Readonly<Record<SizedPicture['type'], string>> = {
  'image/avif': '.avif',
  'image/webp': '.webp',
  'image/jpeg': '.jpg',
  'image/png': '.png',
}

/** Milliseconds between two checks whether another process has finished the picture. */
const POLL_INTERVAL = 100

export interface PictureMakerParts
  extends Pick<FeatureParts, 'database' | 'storage' | 'newId' | 'now' | 'log'> {
  images: Images
  discards: Discards
}

export function createPictureMaker(parts: PictureMakerParts) {
  const { database, images, now, log } = parts
  const leases = createDerivedFileLeases(parts)
  const recordResult = createRecordResult(parts)

  const rowKeyOf = (wantedPicture: WantedPicture) => ({
    source: wantedPicture.file.id,
    spec: sizeKey(wantedPicture),
    problemKey: fileProblemKey(images.encoder('preview', wantedPicture.file.mime)),
  })
  const find = (wantedPicture: WantedPicture) => findSizeRow(database.read, rowKeyOf(wantedPicture), now())

  async function makeUnderLease(wantedPicture: WantedPicture, requester: Requester): Promise<SizeRow | null> {
    const existingRow = await find(wantedPicture)
    if (existingRow) return existingRow
    const { spec, problemKey } = rowKeyOf(wantedPicture)
    try {
      const picture = await makeInDecoder(parts, wantedPicture, requester)
      if (!picture) return null
      log.debug('a picture was made in a size', { path: wantedPicture.path, spec })
      return await recordResult(
        wantedPicture,
        picture === 'undecodable' ? { spec: problemKey, problem: picture } : { spec, made: picture },
      )
    } catch (error) {
      if (!(error instanceof ImagesError)) throw error
      if (error.reason === 'closed') throw failure.sizeNotReady()
      log.warn('a picture could not be made in a size', {
        path: wantedPicture.path,
        spec,
        cause: String(error),
      })
      // Damaged bytes fail in every size, so the failure is recorded for all sizes (`problemKey`). Other
      // failures are recorded for this size only, because another size may be within the decoder's limits.
      if (error.reason === 'refused')
        return recordResult(wantedPicture, { spec: problemKey, problem: 'damaged' })
      return recordResult(wantedPicture, { spec, problem: error.reason === 'crashed' ? 'lost' : 'costly' })
    }
  }

  /**
   * Makes the picture, or returns the row of an existing one. The row names the picture's object, or says why
   * the picture cannot be made. Null if the file was deleted or overwritten, or if its object has been
   * renamed. If another process is making the picture, waits for it; rejects with `sizeNotReady` if `signal`
   * aborts first.
   */
  async function make(
    wantedPicture: WantedPicture,
    requester: Requester,
    signal: AbortSignal,
  ): Promise<SizeRow | null> {
    for (;;) {
      const outcome = await leases.exclusively(
        `size ${wantedPicture.file.id} ${sizeKey(wantedPicture)}`,
        () => makeUnderLease(wantedPicture, requester),
      )
      if (outcome) return outcome.result
      await Bun.sleep(POLL_INTERVAL)
      if (signal.aborted) throw failure.sizeNotReady()
      const existingRow = await find(wantedPicture)
      if (existingRow) return existingRow
    }
  }

  return { find, make }
}

/**
 * Makes the picture in a decoder process. Returns 'undecodable' if no picture can be decoded from the file,
 * and null if the object of the file is gone.
 */
async function makeInDecoder(
  { storage, images }: Pick<PictureMakerParts, 'storage' | 'images'>,
  { file, size, format }: WantedPicture,
  requester: Requester,
): Promise<SizedPicture | 'undecodable' | null> {
  const { scratch } = storage
  return storage.withLocalFile(
    file.object,
    async source =>
      (await images.size({ source, mime: file.mime, scratch, size, format, requester })) ?? 'undecodable',
  )
}

type MakeResult = { spec: string } & ({ made: SizedPicture } | { problem: NonNullable<SizeRow['problem']> })

const NO_OBJECT = { object: null, sha256: null, type: null, size: 0 }

function createRecordResult({ database, storage, discards, newId, now }: PictureMakerParts) {
  async function commitPicture({ path, file: { id } }: WantedPicture, sizedFile: SizedPicture) {
    const object = sizedPictureName(path, id, newId(MARK_LENGTH), PICTURE_EXTENSIONS[sizedFile.type])
    try {
      const sha256 = await commitDerivedFile(storage, sizedFile, object)
      return { object, sha256, type: sizedFile.type, size: sizedFile.size }
    } finally {
      await storage.adopt(sizedFile.file).discard()
    }
  }

  /**
   * Commits the picture and writes its row, or writes the row of the problem. Null if no file has this
   * content any more; then the picture is discarded.
   */
  return async function recordResult(
    wantedPicture: WantedPicture,
    result: MakeResult,
  ): Promise<SizeRow | null> {
    const startedAt = now()
    const resultColumns =
      'made' in result
        ? { ...(await commitPicture(wantedPicture, result.made)), problem: null }
        : { ...NO_OBJECT, problem: result.problem }
    const writtenRow = await database.transaction(tx => {
      const recordedAt = now()
      // If the commit took too long, the sweep (the removal of orphaned objects) may have removed the object.
      if (isTooOldToRecord(startedAt, recordedAt)) throw failure.sizeNotReady()
      const row = {
        ...resultColumns,
        source: wantedPicture.file.id,
        spec: result.spec,
        made_at: recordedAt,
        asked_at: recordedAt,
      }
      return putSizeRow(tx, row, discards.dueAt())
    })
    if (!writtenRow) discards.kick()
    return writtenRow
  }
}
