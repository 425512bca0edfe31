/** Reads from the EXIF data of a picture when and where it was taken, and with which camera. */
import type { CaptureDetails } from '../../../contract/files/library.ts'
import { failure } from '../../../errors/errors.ts'
import { exifBlock } from '../../../images/metadata/exif-block.ts'
import { parseExif } from '../../../images/metadata/exif-facts.ts'
import type { FileSource } from '../../../images/metadata/pieces.ts'
import type { Storage } from '../../../storage/storage.ts'
import type { FeatureParts } from '../../feature.ts'
import { findByPath } from '../../media/media.store.ts'

/**
 * Each request to the store reads at least `WINDOW_SIZE` bytes, except at the end of the file. At most
 * `MAX_REQUESTS` requests are sent per attempt to read the EXIF data.
 */
const WINDOW_SIZE = 64 * 1024
const MAX_REQUESTS = 16

export function createReadCaptureDetails({ database, storage }: Pick<FeatureParts, 'database' | 'storage'>) {
  return async (path: string): Promise<CaptureDetails> => {
    // Tries twice, since the object may get another name after its row is read and before it is opened.
    for (let attempt = 0; attempt < 2; attempt++) {
      const file = await findByPath(database.read, path)
      if (!file) throw failure.fileAbsent()
      const source = createObjectSource(storage, file)
      const block = await exifBlock(source)
      if (!source.isGone()) return captureDetailsOnWire(parseExif(block ?? new Uint8Array()))
    }
    return {}
  }
}

/**
 * Returns a source that reads any part of a stored object. After `MAX_REQUESTS` requests to the store, a read
 * that needs another request returns no bytes, as at the end of the file.
 */
function createObjectSource(storage: Storage, { object, size }: { object: string; size: number }) {
  let windowStart = 0
  let windowBytes = Buffer.alloc(0)
  let requestCount = 0
  let isGone = false
  const read: FileSource['read'] = async (offset, length) => {
    const end = Math.min(size, offset + length)
    if (offset >= end) return Buffer.alloc(0)
    if (offset < windowStart || end > windowStart + windowBytes.length) {
      const range = { start: offset, end: Math.min(size, Math.max(end, offset + WINDOW_SIZE)) }
      const storedObject = ++requestCount > MAX_REQUESTS ? null : await storage.open(object, range)
      isGone ||= storedObject === null && requestCount === 1
      if (!storedObject) return Buffer.alloc(0)
      windowStart = offset
      windowBytes = Buffer.from(await storedObject.bytes())
    }
    return windowBytes.subarray(offset - windowStart, end - windowStart)
  }
  return { size, read, isGone: () => isGone }
}

const captureDetailsOnWire = ({ takenAt, camera, place }: ReturnType<typeof parseExif>): CaptureDetails => ({
  ...(takenAt && { aufgenommen: takenAt }),
  ...(camera && { kamera: camera }),
  ...(place && { ort: { breitengrad: place.latitude, laengengrad: place.longitude } }),
})
