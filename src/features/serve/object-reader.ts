/** Reads objects for answers: small ones into memory, large ones straight from the store. */
import type { ByteRange, Storage } from '../../storage/storage.ts'
import { PREPARED_OBJECT_LIMIT } from './prepared.ts'

export type ObjectBody = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>

/** Null when the object is not there; rejects when it is not as long as its row says. */
export type ReadObject = (name: string, size: number, range?: ByteRange) => Promise<ObjectBody | null>

export function createObjectReader(storage: Storage): ReadObject {
  return async (name, size, range) => {
    const object = await storage.open(name)
    if (!object) return null
    // A shortened object must not pass for the file: half a picture is a lost one that nobody notices.
    if (object.size !== size) throw new Error(`the object ${name} has ${object.size} bytes, not ${size}`)
    return size <= PREPARED_OBJECT_LIMIT && !range ? object.bytes() : object.body(range)
  }
}
