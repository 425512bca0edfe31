/** Reads objects for answers: into memory, or straight from the store. */

import type { AnswerBody } from '../../http/server/sending/answers.ts'
import { isSentFile } from '../../http/server/sending/answers.ts'
import type { ByteRange, Storage } from '../../storage/storage.ts'

export type ObjectBody = NonNullable<AnswerBody>

/**
 * Reads an object, or a range of it. Null if the object is absent; rejects if it is not as long as recorded.
 */
export type ReadObject = (name: string, size: number, range?: ByteRange) => Promise<ObjectBody | null>

/**
 * `fitsMemory`: decides from the size of an object, and from whether it is a local file, whether the whole
 * object is read into memory.
 */
export function createObjectReader(
  storage: Storage,
  fitsMemory: (size: number, isFile: boolean) => boolean = () => false,
): ReadObject {
  return async (name, size, range) => {
    const object = await storage.open(name, range)
    if (!object) return null
    // A truncated object must not be served as the file: nobody would notice.
    if (object.size !== size) {
      if (object.body instanceof ReadableStream) await object.body.cancel()
      throw new Error(`the object ${name} has ${object.size} bytes, not ${size}`)
    }
    const isFile = object.body instanceof Blob && isSentFile(object.body)
    return !range && fitsMemory(size, isFile) ? object.bytes() : object.body
  }
}
