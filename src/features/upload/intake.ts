/**
 * Receives bytes: stages, counts and hashes them on the way, and refuses them in mid-stream when they grow too many.
 */
import { MEGABYTE } from '../../contract/units.ts'
import { failure } from '../../errors.ts'
import { StreamHash, sha256 } from '../../sha256.ts'
import type { Staging, Storage } from '../../storage/storage.ts'
import type { Settings } from '../settings/settings.ts'

export interface ReceivedFile {
  staging: Staging
  size: number
  sha256: string
  /** The first bytes, from which the type can be told. */
  head: Uint8Array
}

/** The size of the largest file that is allowed, and the error for a larger file. */
export interface SizeLimit {
  bytes: number
  exceeded: () => Error
}

/** The limit that the setting `MAX_UPLOAD_MB` gives at this moment. */
export function uploadLimit(settings: Settings): SizeLimit {
  const bytes = Math.floor(settings.current().MAX_UPLOAD_MB * MEGABYTE)
  return { bytes, exceeded: () => failure.uploadTooLarge(bytes) }
}

const HEAD_BYTES = 4100

/** Bytes as they arrive, or a short body that has arrived as a whole. */
export type ByteSource = AsyncIterable<Uint8Array> | Uint8Array<ArrayBuffer>

/** Leaves nothing behind when it rejects: for too many bytes, no bytes at all, a cut-off source, a full disk. */
export async function receive(storage: Storage, source: ByteSource, limit: SizeLimit): Promise<ReceivedFile> {
  if (source instanceof Uint8Array) return receiveWhole(storage, source, limit)
  const staging = await storage.stage()
  const hash = new StreamHash()
  try {
    const head: Uint8Array[] = []
    let size = 0
    for await (const chunk of source) {
      // A copy, also of a `Buffer`, whose `slice` would share memory that is freed.
      if (size < HEAD_BYTES) head.push(new Uint8Array(chunk.subarray(0, HEAD_BYTES - size)))
      size += chunk.length
      if (size > limit.bytes) throw limit.exceeded()
      // The chunk is hashed while the disk is busy.
      await Promise.all([hash.add(chunk), staging.write(chunk)])
    }
    if (size === 0) throw failure.bodyEmpty()
    await staging.finish()
    return { staging, size, sha256: await hash.digest(), head: Buffer.concat(head) }
  } catch (error) {
    hash.drop()
    await staging.discard()
    throw error
  }
}

function receiveWhole(storage: Storage, bytes: Uint8Array<ArrayBuffer>, limit: SizeLimit): ReceivedFile {
  const size = bytes.length
  if (size > limit.bytes) throw limit.exceeded()
  if (size === 0) throw failure.bodyEmpty()
  return {
    ...{ size, staging: storage.stageWhole(bytes) },
    ...{ sha256: sha256(bytes), head: bytes.subarray(0, HEAD_BYTES) },
  }
}
