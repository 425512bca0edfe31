/**
 * The storage port: where the bytes of files are stored. Names are those of `names.ts`. Every adapter passes
 * `test/conformance/storage.ts`.
 *
 * When an object is absent, `open` answers null and `remove` succeeds. Any other problem rejects. A full store rejects
 * with `StorageFullError` on every adapter.
 */

/** A half-open stretch of bytes: `start` included, `end` excluded. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Bytes of an upload before they are stored. Every adapter keeps them on this machine, so that decoders can read them.
 */
export interface Staging {
  /** The local file to which the bytes are written. */
  readonly file: string
  /** Appends a chunk. The caller may reuse the chunk once the promise resolves. */
  write(chunk: Uint8Array): Promise<void>
  /** Ends writing and flushes to disk; nothing can be written afterwards. A second call changes nothing. */
  finish(): Promise<void>
  /** Deletes the bytes. May be called in the middle of writing, and after `commit`, where it does nothing. */
  discard(): Promise<void>
}

export interface StoredObject {
  readonly size: number
  /** All bytes, or a range. A `Blob` may be read lazily; it is never held in memory as a whole. */
  body(range?: ByteRange): Blob | ReadableStream<Uint8Array>
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

export interface ListedObject {
  name: string
  size: number
  /** When the object got this name, in Unix milliseconds. */
  changedAt: number
  /** When the bytes were written, in Unix milliseconds, as far as the store knows; relocating does not change it. */
  writtenAt: number
}

export interface Storage {
  /** A local folder for files that will be adopted; on the same disk as staging, and cleared together with it. */
  readonly scratch: string

  stage(): Promise<Staging>

  /** Turns a finished file in `scratch` into staged bytes. */
  adopt(file: string): Staging

  /**
   * Gives staged bytes their name. When the promise resolves, the object survives a power cut: file and folder are
   * flushed. An object that had this name is replaced atomically; a crash leaves the old or the new state, never a
   * mixture.
   */
  commit(staging: Staging, name: string): Promise<void>

  /** Null when the object does not exist. An object stays readable while it is being read, even if it is removed. */
  open(name: string): Promise<StoredObject | null>

  /**
   * Makes the object `from` durably readable under the name `to` too. `from` stays: the caller points its row at `to`,
   * then discards `from`, so that the row names an existing object at every moment. Rejects when `from` is absent.
   */
  relocate(from: string, to: string): Promise<void>

  /** Removes an object; an absent object is not an error. */
  remove(name: string): Promise<void>

  /** Every object whose name starts with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<ListedObject>

  /**
   * The size of an object, null when it is absent. Unlike `open`, it does not block the process when the store hangs.
   */
  measure(name: string): Promise<number | null>

  /** Tests writing: writes a few bytes, flushes and removes them. Rejects when the store cannot be written to. */
  probe(): Promise<void>

  /**
   * Runs `use` with a local file of the object's bytes. `use` must not change the file. Null when the object is absent.
   */
  withLocalFile<T>(name: string, use: (file: string) => Promise<T>): Promise<T | null>

  /** Removes staged files that were not written to for `olderThan` milliseconds; answers how many were removed. */
  clearStaging(olderThan: number): Promise<number>
}

export class StorageFullError extends Error {
  constructor(options?: ErrorOptions) {
    super('the store is full', options)
    this.name = 'StorageFullError'
  }
}
