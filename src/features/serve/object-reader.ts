/** Reads objects for answers: into memory, or straight from the store. */

import type { AnswerBody } from '../../http/server/answers.ts'
import { isLocalFile } from '../../storage/local-object.ts'
import type { ByteRange, Storage } from '../../storage/storage.ts'

export type ObjectBody = NonNullable<AnswerBody>

/** Null when the object is absent; rejects when the object is not as long as its row says. */
export type ReadObject = (name: string, size: number, range?: ByteRange) => Promise<ObjectBody | null>

/** A short object that the store sends as a stream is read as a whole: a stream does not tell readers its length. */
const SHORT = 128 * 1024

/** `intoMemory`: whether an object is read as a whole, by its size and whether it is a file of this machine. */
export function createObjectReader(
  storage: Storage,
  intoMemory: (size: number, isFile: boolean) => boolean = () => false,
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
    const isFile = object.body instanceof Blob && isLocalFile(object.body)
    return intoMemory(size, isFile) || isShortStream ? object.bytes() : object.body
  }
}
