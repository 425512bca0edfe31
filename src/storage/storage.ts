/**
 * The storage port: where the bytes of files are stored. Names are those of `names.ts`. Every adapter passes
 * `test/conformance/storage.ts`.
 *
 * When an object is absent, `open` answers null and `remove` succeeds. Any other problem rejects: a full
 * store with `StorageFullError` on every adapter, a store that cannot be reached with
 * `StorageUnavailableError`.
 */

/**
 * Bytes up to which a file is received and staged as a whole: piece by piece it would cost more than the
 * memory is worth.
 */
export const SHORT_BYTES = 64 * 1024

/** A half-open stretch of bytes: `start` included, `end` excluded. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Bytes of an upload before they are stored. Every adapter keeps them on this machine, so that decoders can
 * read them.
 */
export interface Staging extends AsyncDisposable {
  /**
   * The local file of the bytes. Bytes that were staged as a whole are written when it is first asked for.
   */
  file(): Promise<string>
  /** Bytes that were staged as a whole, as long as no file was asked for; else null. */
  readonly bytes: Uint8Array<ArrayBuffer> | null
  /** Appends a chunk. The caller may reuse the chunk once the promise resolves. */
  write(chunk: Uint8Array): Promise<void>
  /**
   * Ends writing, and flushes to the disk where the store is this disk; nothing can be written afterwards. A
   * second call changes nothing.
   */
  finish(): Promise<void>
  /**
   * Deletes the bytes, as does the end of an `await using`. May be called in the middle of writing, and after
   * `commit`, where it does nothing.
   */
  discard(): Promise<void>
  /** Called by an adapter that has given the file another name: nothing is left to discard. */
  moved(): void
}

/**
 * Facts about the bytes that a name is given to. A store that is not on this machine checks what arrives by
 * them.
 */
export interface Content {
  size: number
  /** SHA-256 in lower-case hexadecimal digits. */
  sha256: string
}

/** An opened object. Whoever opens one reads it or cancels its stream. */
export interface StoredObject {
  /** The length of the whole object, also when only a range was asked for. */
  readonly size: number
  /**
   * The bytes that were asked for. A `Blob` is read lazily and never held in memory as a whole; it knows its
   * length, which a stream does not.
   */
  readonly body: Blob | ReadableStream<Uint8Array>
  /** The same bytes in memory. */
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

export interface ListedObject {
  name: string
  size: number
  /** When the object got this name, in Unix milliseconds. */
  changedAt: number
  /**
   * When the bytes were written, in Unix milliseconds, as far as the store knows; relocating does not change
   * it.
   */
  writtenAt: number
}

export interface Storage {
  /**
   * Whether the names of objects follow the paths of their files, so that people find the files in the store
   * and the index can be rebuilt from it. Where they do not, an object keeps its first name for life:
   * renaming, throwing away and restoring are rows only, and `relocate` is never called.
   */
  readonly namesFollowPaths: boolean

  /** Whether the store is shared by several machines, so that nothing on this one has to last. */
  readonly isShared: boolean

  /**
   * A local folder for files that will be adopted. It belongs to this process and lies on the same disk as
   * staging.
   */
  readonly scratch: string

  stage(): Promise<Staging>

  /** The same for bytes that are there as a whole. The caller must not change them afterwards. */
  stageWhole(bytes: Uint8Array<ArrayBuffer>): Staging

  /** Turns a finished file in `scratch` into staged bytes. */
  adopt(file: string): Staging

  /**
   * Gives staged bytes their name. When the promise resolves, the object survives a power cut. A name is
   * given once: giving it again to the same bytes changes nothing. Giving it to other bytes is a mistake of
   * the caller, after which the name has the old or the new bytes, whole; the store may also reject.
   */
  commit(staging: Staging, name: string, content: Content): Promise<void>

  /**
   * One request to the store, for the whole object or for a range that lies within it. Null when the object
   * does not exist. An object stays readable while it is being read, even if it is removed.
   */
  open(name: string, range?: ByteRange): Promise<StoredObject | null>

  /** As `open`, but never from a cache: for comparing what the store itself holds. */
  inspect(name: string): Promise<StoredObject | null>

  /**
   * Makes the object `from` durably readable under the name `to` too. `from` stays: the caller points its row
   * at `to`, then discards `from`, so that the row names an existing object at every moment. Rejects when
   * `from` is absent.
   */
  relocate(from: string, to: string): Promise<void>

  /** Removes an object; an absent object is not an error. */
  remove(name: string): Promise<void>

  /** Removes many objects in few requests. Answers the errors of those that could not be removed, by name. */
  removeAll(names: readonly string[]): Promise<Map<string, unknown>>

  /**
   * Removes what uploads left in the store that broke off at least `olderThan` milliseconds ago, before they
   * had an object name; answers how many. Staged bytes are not meant: they lie on this machine.
   */
  removeUnfinished(olderThan: number): Promise<number>

  /** Every object whose name starts with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<ListedObject>

  /**
   * The size of an object in the store, null when it is absent. Unlike `open`, it does not block the process
   * when a disk hangs.
   */
  measure(name: string): Promise<number | null>

  /**
   * Tests writing: writes a few bytes, flushes and removes them. Rejects when the store cannot be written to.
   */
  probe(): Promise<void>

  /**
   * Runs `use` with a local file of the object's bytes. `use` must not change the file. Null when the object
   * is absent.
   */
  withLocalFile<T>(name: string, use: (file: string) => Promise<T>): Promise<T | null>

  /**
   * Removes staged files of this process that were not written to for `olderThan` milliseconds, and all
   * staged files of processes that are gone; answers how many were removed. What another living process
   * stages is its own affair.
   */
  clearStaging(olderThan: number): Promise<number>

  /** Removes what this process has staged and releases all resources; the store is not used afterwards. */
  close(): Promise<void>
}

/** The store does not answer, or refuses what it should do. Trying later may help. */
export class StorageUnavailableError extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(what, options)
    this.name = 'StorageUnavailableError'
  }
}

/** All bytes of an object have come, but they are not those that were stored. */
export class DamagedObject extends Error {}

export class StorageFullError extends Error {
  constructor(options?: ErrorOptions) {
    super('the store is full', options)
    this.name = 'StorageFullError'
  }
}
