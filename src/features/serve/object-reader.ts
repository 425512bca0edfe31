/** Reads objects for answers: small objects into memory, large objects straight from the store. */
import type { ByteRange, Storage } from '../../storage/storage.ts'

export type ObjectBody = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>

/** Null when the object is absent; rejects when the object is not as long as its row says. */
export type ReadObject = (name: string, size: number, range?: ByteRange) => Promise<ObjectBody | null>

/** `intoMemory`: whether an object of this size is read as a whole. */
export function createObjectReader(
  storage: Storage,
  intoMemory: (size: number) => boolean = () => false,
): ReadObject {
  return async (name, size, range) => {
    const object = await storage.open(name, range)
    if (!object) return null
    // A shortened object must not be served as the file: nobody would notice that half of a picture is lost.
    if (object.size !== size) {
      if (object.body instanceof ReadableStream) await object.body.cancel()
      throw new Error(`the object ${name} has ${object.size} bytes, not ${size}`)
    }
    return !range && intoMemory(size) ? object.bytes() : object.body
  }
}
