/** Reads objects for answers: into memory, or straight from the store. */
import type { ByteRange, Storage } from '../../storage/storage.ts'

export type ObjectBody = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>

/** Null when the object is absent; rejects when the object is not as long as its row says. */
export type ReadObject = (name: string, size: number, range?: ByteRange) => Promise<ObjectBody | null>

/** A short object that the store sends as a stream is read as a whole: a stream does not tell readers its length. */
const SHORT = 128 * 1024

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
    if (range) return object.body
    const isShortStream = size <= SHORT && object.body instanceof ReadableStream
    return intoMemory(size) || isShortStream ? object.bytes() : object.body
  }
}
