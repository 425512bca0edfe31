/**
 * Makes a picture in one of the configured sizes, in a decoder process. A lease in the database ensures that
 * only one service process makes it.
 *
 * Crash points: a crash after the object is committed and before its row is written leaves an object that the
 * sweep removes; the next request makes another one. If the file is deleted meanwhile, the transaction that
 * would write the row notices it, writes none and discards the object.
 */
import { failure } from '../../errors/errors.ts'
import { type Images, ImagesError, type SizedFile, type Turn } from '../../images/images.ts'
import { createLeases } from '../../jobs/leases.ts'
import { MARK_LENGTH, sizeName } from '../../storage/names.ts'
import { isTooOldToRecord } from '../../storage/object-age.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from '../media/discards.ts'
import { commitDerivedFile } from '../previews/derive.ts'
import { findSize, putSize, type SizeRow } from './sizes.store.ts'
import { specOf, verdictSpec, type WantedPicture } from './wanted.ts'

/** Milliseconds that a lease on a picture lasts after its last renewal, and between two renewals. */
const LEASE = 20_000
const RENEWAL = 6_000
const ENDINGS: Readonly<Record<SizedFile['type'], string>> = {
  'image/avif': '.avif',
  'image/webp': '.webp',
  'image/jpeg': '.jpg',
  'image/png': '.png',
}

/** Milliseconds between two checks whether another process has finished the picture. */
const LOOK_EVERY = 100

export interface PictureMakerParts
  extends Pick<FeatureParts, 'database' | 'storage' | 'newId' | 'now' | 'log'> {
  images: Images
  discards: Discards
}

/**
 * Makes the picture; the row says where it is, or why there is none. Null if the file is gone, or if its
 * object has another name by now.
 */
export type MakePicture = (wanted: WantedPicture, turn: Turn, signal: AbortSignal) => Promise<SizeRow | null>

export function createPictureMaker(parts: PictureMakerParts) {
  const { database, images, newId, now, log } = parts
  const leases = createLeases({ database, newId, now, log, lease: LEASE, renewal: RENEWAL })
  const record = createRecord(parts)

  const keyOf = (wanted: WantedPicture) => ({
    source: wanted.file.id,
    spec: specOf(wanted),
    verdict: verdictSpec(images.encoder('preview', wanted.file.mime)),
  })
  const find = (wanted: WantedPicture) => findSize(database.read, keyOf(wanted), now())

  async function makeAlone(wanted: WantedPicture, turn: Turn): Promise<SizeRow | null> {
    const known = await find(wanted)
    if (known) return known
    const { spec, verdict } = keyOf(wanted)
    try {
      const made = await decode(parts, wanted, turn)
      if (!made) return null
      log.debug('a picture was made in a size', { path: wanted.path, spec })
      return await record(wanted, made === 'undecodable' ? { spec: verdict, problem: made } : { spec, made })
    } catch (error) {
      if (!(error instanceof ImagesError)) throw error
      if (error.reason === 'closed') throw failure.sizeNotReady()
      log.warn('a picture could not be made in a size', { path: wanted.path, spec, cause: String(error) })
      // Damaged bytes fail in every size, so this is recorded for all sizes (`verdict`). Other failures are
      // recorded for this size only, since another size may be within the limits.
      if (error.reason === 'refused') return record(wanted, { spec: verdict, problem: 'damaged' })
      return record(wanted, { spec, problem: error.reason === 'crashed' ? 'lost' : 'costly' })
    }
  }

  async function make(wanted: WantedPicture, turn: Turn, signal: AbortSignal): Promise<SizeRow | null> {
    for (;;) {
      const ended = await leases.exclusively(`size ${wanted.file.id} ${specOf(wanted)}`, () =>
        makeAlone(wanted, turn),
      )
      if (ended) return ended.result
      await Bun.sleep(LOOK_EVERY)
      if (signal.aborted) throw failure.sizeNotReady()
      const known = await find(wanted)
      if (known) return known
    }
  }

  return { find, make }
}

/** Makes the picture in a decoder; null if the object of the file is gone. */
async function decode(
  { storage, images }: Pick<PictureMakerParts, 'storage' | 'images'>,
  { file, size, format }: WantedPicture,
  turn: Turn,
): Promise<SizedFile | 'undecodable' | null> {
  const { scratch } = storage
  return storage.withLocalFile(
    file.object,
    async source =>
      (await images.size({ source, mime: file.mime, scratch, size, format, turn })) ?? 'undecodable',
  )
}

type Result = { spec: string } & ({ made: SizedFile } | { problem: NonNullable<SizeRow['problem']> })

const NOTHING = { object: null, sha256: null, type: null, size: 0 }

function createRecord({ database, storage, discards, newId, now }: PictureMakerParts) {
  async function commit({ path, file: { id } }: WantedPicture, made: SizedFile) {
    const object = sizeName(path, id, newId(MARK_LENGTH), ENDINGS[made.type])
    try {
      const sha256 = await commitDerivedFile(storage, made, object)
      return { object, sha256, type: made.type, size: made.size }
    } finally {
      await storage.adopt(made.file).discard()
    }
  }

  /** Writes the row of the picture; null if no file has this content any more. */
  return async function record(wanted: WantedPicture, result: Result): Promise<SizeRow | null> {
    const begun = now()
    const outcome =
      'made' in result
        ? { ...(await commit(wanted, result.made)), problem: null }
        : { ...NOTHING, problem: result.problem }
    const written = await database.transaction(tx => {
      const at = now()
      // The sweep may have removed an object that is this old.
      if (isTooOldToRecord(begun, at)) throw failure.sizeNotReady()
      const row = { ...outcome, source: wanted.file.id, spec: result.spec, made_at: at, asked_at: at }
      return putSize(tx, row, discards.dueAt())
    })
    if (!written) discards.kick()
    return written
  }
}
