/** Reads objects for answers: small objects into memory, large objects straight from the store. */
import type { ByteRange, Storage } from '../../storage/storage.ts'
import { PREPARED_OBJECT_LIMIT } from './prepared.ts'

export type ObjectBody = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>

/** Null when the object is absent; rejects when the object is not as long as its row says. */
export type ReadObject = (name: string, size: number, range?: ByteRange) => Promise<ObjectBody | null>

export function createObjectReader(storage: Storage): ReadObject {
  return async (name, size, range) => {
    const object = await storage.open(name, range)
    if (!object) return null
    // A shortened object must not be served as the file: nobody would notice that half of a picture is lost.
    if (object.size !== size) {
      if (object.body instanceof ReadableStream) await object.body.cancel()
      throw new Error(`the object ${name} has ${object.size} bytes, not ${size}`)
    }
    return size <= PREPARED_OBJECT_LIMIT && !range ? object.bytes() : object.body
  }
}
