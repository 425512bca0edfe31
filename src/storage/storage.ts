/**
 * The storage port: where the bytes of files live. Names are those of `names.ts`. Every adapter passes
 * `test/conformance/storage.ts`.
 *
 * Absence: `open` answers null, `remove` is content. Any other trouble rejects. A full store rejects with
 * `StorageFullError`, on every adapter alike.
 */

/** A half-open stretch of bytes: `start` included, `end` excluded. */
export interface ByteRange {
  start: number
  end: number
}

/** Bytes on their way in. They lie on this machine, whatever the adapter, so that decoders can read them. */
export interface Staging {
  /** The local file they are written to. */
  readonly file: string
  /** Appends. The chunk may be reused by the caller once the promise resolves. */
  write(chunk: Uint8Array): Promise<void>
  /** Ends writing and flushes to disk; nothing can be written afterwards. Calling it again changes nothing. */
  finish(): Promise<void>
  /** Throws everything away. Also right after `commit`, where it does nothing, or in the middle of writing. */
  discard(): Promise<void>
}

export interface StoredObject {
  readonly size: number
  /** The bytes, whole or in part. A `Blob` may be lazily read; it is never held in memory as a whole. */
  body(range?: ByteRange): Blob | ReadableStream<Uint8Array>
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

export interface ListedObject {
  name: string
  size: number
  /** When it came to be under this name, in Unix milliseconds. */
  changedAt: number
  /** When its bytes were written, as far as the store can tell; relocating does not change it. */
  writtenAt: number
}

export interface Storage {
  /** A local folder for files that are to be adopted; on the same disk as staging, and cleared with it. */
  readonly scratch: string

  stage(): Promise<Staging>

  /** Takes a finished file in `scratch` over as staged bytes. */
  adopt(file: string): Staging

  /**
   * Gives staged bytes their name. When it resolves they survive a power cut: file and folder are flushed. Whatever
   * lay under that name is replaced atomically; a crash leaves the old state or the new one, never a mixture.
   */
  commit(staging: Staging, name: string): Promise<void>

  /** Null when there is no such object. The object stays readable while it is being read, even if removed. */
  open(name: string): Promise<StoredObject | null>

  /**
   * Makes the object `from` readable as `to` too, durably. `from` stays: the caller points its row at `to`, then
   * discards `from`, so that the row leads to an object at every moment. Rejects when `from` is absent.
   */
  relocate(from: string, to: string): Promise<void>

  /** Removes an object; an absent one is no error. */
  remove(name: string): Promise<void>

  /** Every object whose name starts with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<ListedObject>

  /** The size of an object, null when there is none. Unlike `open` it never holds the process up, for a store that hangs. */
  measure(name: string): Promise<number | null>

  /** Writes a few bytes, flushes and removes them again: rejects when the store takes nothing, leaves nothing behind. */
  probe(): Promise<void>

  /** Runs `use` with a local file of the object's bytes, which must not be changed; null when it is absent. */
  withLocalFile<T>(name: string, use: (file: string) => Promise<T>): Promise<T | null>

  /** Removes staged bytes that nobody has written to for `olderThan` milliseconds; answers how many. */
  clearStaging(olderThan: number): Promise<number>
}

export class StorageFullError extends Error {
  constructor(options?: ErrorOptions) {
    super('the store is full', options)
    this.name = 'StorageFullError'
  }
}
