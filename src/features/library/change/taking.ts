/** When, with what and where a picture was taken, read from its EXIF on demand. */
import type { TakingAnswer } from '../../../contract/files/library.ts'
import { failure } from '../../../errors/errors.ts'
import { exifBlock } from '../../../images/metadata/exif-block.ts'
import { exifFacts } from '../../../images/metadata/exif-facts.ts'
import type { Source } from '../../../images/metadata/pieces.ts'
import type { Storage } from '../../../storage/storage.ts'
import type { FeatureParts } from '../../feature.ts'
import { findByPath } from '../../media/media.store.ts'

/** Bytes per request to the store, and the maximum number of requests. */
const WINDOW = 64 * 1024
const MAX_REQUESTS = 16

export function createTaking({ database, storage }: Pick<FeatureParts, 'database' | 'storage'>) {
  return async (path: string): Promise<TakingAnswer> => {
    // Tries twice, since an object may be moved between reading its row and opening it.
    for (let attempt = 0; attempt < 2; attempt++) {
      const file = await findByPath(database.read, path)
      if (!file) throw failure.fileAbsent()
      const source = fromStore(storage, file)
      const block = await exifBlock(source)
      if (!source.isGone()) return onWire(exifFacts(block ?? new Uint8Array()))
    }
    return {}
  }
}

/** Random access to a stored object. After `MAX_REQUESTS` requests the file seems to end. */
function fromStore(storage: Storage, { object, size }: { object: string; size: number }) {
  let start = 0
  let bytes = Buffer.alloc(0)
  let requests = 0
  let isGone = false
  const read: Source['read'] = async (at, length) => {
    const end = Math.min(size, at + length)
    if (at >= end) return Buffer.alloc(0)
    if (at < start || end > start + bytes.length) {
      const range = { start: at, end: Math.min(size, Math.max(end, at + WINDOW)) }
      const opened = ++requests > MAX_REQUESTS ? null : await storage.open(object, range)
      isGone ||= opened === null && requests === 1
      if (!opened) return Buffer.alloc(0)
      start = at
      bytes = Buffer.from(await opened.bytes())
    }
    return bytes.subarray(at - start, end - start)
  }
  return { size, read, isGone: () => isGone }
}

const onWire = ({ takenAt, camera, place }: ReturnType<typeof exifFacts>): TakingAnswer => ({
  ...(takenAt && { aufgenommen: takenAt }),
  ...(camera && { kamera: camera }),
  ...(place && { ort: { breitengrad: place.latitude, laengengrad: place.longitude } }),
})
