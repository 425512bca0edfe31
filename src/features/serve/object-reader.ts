/** Reads objects for answers: small ones through memory, large ones straight from the store. */
import type { ByteRange, Storage } from '../../storage/storage.ts'
import { CACHED_OBJECT_LIMIT, createObjectCache } from './object-cache.ts'

export type ObjectBody = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>

/** Null when the object is not there; rejects when it is not as long as its row says. */
export type ReadObject = (name: string, size: number, range?: ByteRange) => Promise<ObjectBody | null>

export function createObjectReader(storage: Storage): ReadObject {
  const cache = createObjectCache()

  async function open(name: string, size: number) {
    const object = await storage.open(name)
    // A shortened object must not pass for the file: half a picture is a lost one that nobody notices.
    if (object && object.size !== size)
      throw new Error(`the object ${name} has ${object.size} bytes, not ${size}`)
    return object
  }

  async function readSmall(name: string, size: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const bytes = await (await open(name, size))?.bytes()
    if (!bytes) return null
    cache.put(name, bytes)
    return bytes
  }

  return async (name, size, range) => {
    if (size > CACHED_OBJECT_LIMIT) return (await open(name, size))?.body(range) ?? null
    const bytes = cache.get(name) ?? (await readSmall(name, size))
    return bytes && range ? bytes.subarray(range.start, range.end) : bytes
  }
}
