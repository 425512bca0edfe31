/** Reads the bytes of objects for answers: into memory, or as a file or stream of the store. */

import type { AnswerBody } from '../../http/server/answers.ts'
import { isSendableFile } from '../../http/server/answers.ts'
import type { ByteRange, Storage } from '../../storage/storage.ts'

export type ObjectBody = NonNullable<AnswerBody>

/**
 * Reads an object, or a range of it. Null if the object is absent; rejects if the whole object does not have
 * `size` bytes.
 */
export type ReadObject = (name: string, size: number, range?: ByteRange) => Promise<ObjectBody | null>

/**
 * Returns a function that reads objects. `fitsMemory` decides whether a whole object of this size is read
 * into memory; `isFile` says whether the object is a local file.
 */
export function createObjectReader(
  storage: Storage,
  fitsMemory: (size: number, isFile: boolean) => boolean = () => false,
): ReadObject {
  return async (name, size, range) => {
    const object = await storage.open(name, range)
    if (!object) return null
    // A truncated object must not be served, because nobody would notice that it is not the whole file.
    if (object.size !== size) {
      if (object.body instanceof ReadableStream) await object.body.cancel()
      throw new Error(`the object ${name} has ${object.size} bytes, not ${size}`)
    }
    const isFile = object.body instanceof Blob && isSendableFile(object.body)
    return !range && fitsMemory(size, isFile) ? object.bytes() : object.body
  }
}
