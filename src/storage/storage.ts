/**
 * The storage port: where the bytes of files are stored. Names are those of `names.ts`. Every adapter passes
 * `test/conformance/storage.ts`.
 *
 * If an object is absent, `open` returns null and `remove` succeeds. Any other problem rejects: a full store
 * with `StorageFullError`, one that cannot be reached with `StorageUnavailableError`.
 */

/** Maximum bytes of a file that is staged as a whole: streaming it would cost more than the memory. */
export const SHORT_BYTES = 64 * 1024

/** `start` included, `end` excluded. */
export interface ByteRange {
  start: number
  end: number
}

/** Bytes of an upload before they are stored, always on the local disk, so that decoders can read them. */
export interface Staging extends AsyncDisposable {
  /** The local file. Bytes that were staged as a whole are written at the first call. */
  file(): Promise<string>
  /** Bytes that were staged as a whole, until `file` is called; else null. */
  readonly bytes: Uint8Array<ArrayBuffer> | null
  /** Appends a chunk. The caller may reuse the chunk once the promise resolves. */
  write(chunk: Uint8Array): Promise<void>
  /** Ends writing, and flushes if the store is this disk. A second call changes nothing. */
  finish(): Promise<void>
  /**
   * Deletes the bytes, as does the end of an `await using`. May be called in the middle of writing, and after
   * `commit`, where it does nothing.
   */
  discard(): Promise<void>
  /** Called by an adapter that has renamed the file: nothing is left to discard. */
  moved(): void
  /** The file keeps this name too when it is committed; `discard` leaves it. */
  readonly isKept?: boolean
  /** The object that holds the bytes already; it is committed under this name only. */
  readonly object?: string
}

/** An upload that arrives in several requests, as the database knows it. */
export interface PartialUpload {
  id: string
  /** The object's name in stores that need one from the beginning. */
  object: string
  length: number
  /** Number of bytes that are safe. */
  received: number
  /** What `PartialBytes.save` returned last; empty at the beginning. */
  state: string
}

/** The bytes of such an upload while a request adds to them. Only one may be open for each upload. */
export interface PartialBytes extends AsyncDisposable {
  /** Appends a chunk. True if `save` would now have enough to do. */
  write(chunk: Uint8Array): Promise<boolean>
  /**
   * Makes bytes safe: they survive a crash and are readable by other processes. `all`: every one, at the end
   * of a request; otherwise those that cost nothing extra. May run while `write` goes on. Once the caller has
   * recorded the result, `resumePartial` continues from there. The end of an upload need not be saved.
   */
  save(all: boolean): Promise<Pick<PartialUpload, 'received' | 'state'>>
  /** After the last byte. Discarding the result leaves the upload as it was saved last. */
  finish(): Promise<Staging>
}

/** Size and hash, by which a remote store checks what arrives. */
export interface Content {
  size: number
  /** SHA-256 in lower-case hexadecimal digits. */
  sha256: string
}

/** An opened object. Whoever opens one reads it or cancels its stream. */
export interface StoredObject {
  /** Bytes of the whole object, even if only a range was requested. */
  readonly size: number
  /** The requested bytes. A `Blob` is read lazily and knows its length; a stream does not. */
  readonly body: Blob | ReadableStream<Uint8Array>
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

export interface ListedObject {
  name: string
  size: number
  /** When the object got this name, in Unix milliseconds. */
  changedAt: number
  /** When the bytes were written (Unix milliseconds), as far as known; relocating does not change it. */
  writtenAt: number
}

export interface Storage {
  /**
   * Whether object names follow file paths, so that people find files in the store and the index can be
   * rebuilt from it. Otherwise an object keeps its first name: renaming, deleting and restoring only change
   * rows, and `relocate` is never called.
   */
  readonly namesFollowPaths: boolean

  /** Whether several machines share the store, so that nothing on this one has to last. */
  readonly isShared: boolean

  /** A local folder for files that will be adopted, owned by this process and on the same disk as staging. */
  readonly scratch: string

  stage(): Promise<Staging>

  /** As `stage`, for bytes in memory. The caller must not change them afterwards. */
  stageWhole(bytes: Uint8Array<ArrayBuffer>): Staging

  /** Turns a finished file in `scratch` into staged bytes. */
  adopt(file: string): Staging

  /**
   * Gives staged bytes their name. When the promise resolves, the object survives a power cut. A name is
   * given once: giving it again to the same bytes changes nothing. Giving it to other bytes is a bug of the
   * caller, after which the name has the old or the new bytes, complete; the store may also reject.
   */
  commit(staging: Staging, name: string, content: Content): Promise<void>

  /**
   * One request to the store, for the whole object or a range within it. Null if it does not exist. An object
   * stays readable while it is being read, even if it is removed.
   */
  open(name: string, range?: ByteRange): Promise<StoredObject | null>

  /** As `open`, but never from a cache: for comparing what the store itself holds. */
  inspect(name: string): Promise<StoredObject | null>

  /**
   * Makes the object `from` durably readable under the name `to` too. `from` stays: the caller points its row
   * at `to`, then discards `from`, so that the row names an existing object at every moment. Rejects if
   * `from` is absent.
   */
  relocate(from: string, to: string): Promise<void>

  /** An absent object is not an error. */
  remove(name: string): Promise<void>

  /** Removes many objects in few requests. Returns the errors of those that could not be removed, by name. */
  removeAll(names: readonly string[]): Promise<Map<string, unknown>>

  /**
   * Removes remains in the store of uploads that broke off at least `olderThan` milliseconds ago, before they
   * had an object name; returns how many. Not about staged bytes, which are local. `kept`: objects of partial
   * uploads that may go on.
   */
  removeUnfinished(olderThan: number, kept?: ReadonlySet<string>): Promise<number>

  /** Continues a partial upload, or starts it. Rejects with `PartialLostError` if its bytes are gone. */
  resumePartial(upload: PartialUpload): Promise<PartialBytes>

  /**
   * Removes what is stored of a partial upload. `object`: also the object that it may have become; not for an
   * upload that a row owns now.
   */
  removePartial(id: string, unfinished?: Pick<PartialUpload, 'object' | 'state'>): Promise<void>

  /** The ids of partial uploads of which something is stored, each at least once. */
  listPartial(): AsyncIterable<string>

  /** Every object whose name starts with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<ListedObject>

  /** The size of an object; null if absent. Unlike `open`, it does not block the process if a disk hangs. */
  measure(name: string): Promise<number | null>

  /** Writes a few bytes, flushes and removes them. Rejects if the store cannot be written to. */
  probe(): Promise<void>

  /**
   * The mark: a short text beside the objects about the database that they belong to
   * (`adapters/lost-changes.ts`); null if absent. It is not an object: it is replaced, and `list` never
   * yields it.
   */
  readMark(): Promise<string | null>

  /** Replaces the mark, as a whole or not at all; null removes it. */
  writeMark(text: string | null): Promise<void>

  /**
   * The key of the instance: a short text beside the objects and in no backup, with which secrets in the
   * database are encrypted (`features/session/factors/instance-key.ts`); null if absent. It is not an object.
   */
  readKey(): Promise<string | null>

  /** Stores the key. Without `replace` an existing one stays, also if another process writes it meanwhile. */
  writeKey(text: string, options: { replace: boolean }): Promise<void>

  /** Runs `use` with a local file, which it must not change. Null if the object is absent. */
  withLocalFile<T>(name: string, use: (file: string) => Promise<T>): Promise<T | null>

  /**
   * Removes staged files of this process that were not written to for `olderThan` milliseconds, and all those
   * of exited processes; returns how many. Files of other living processes stay.
   */
  clearStaging(olderThan: number): Promise<number>

  /** Removes what this process has staged and releases all resources; the store is not used afterwards. */
  close(): Promise<void>
}

/** The store does not answer, or refuses. Trying later may help. */
export class StorageUnavailableError extends Error {
  constructor(what: string, options?: ErrorOptions) {
    super(what, options)
    this.name = 'StorageUnavailableError'
  }
}

/** The bytes of a partial upload are gone or cannot be trusted: it starts over. */
export class PartialLostError extends Error {}

/** The bytes of an object are not those that were stored. */
export class DamagedObject extends Error {}

export class StorageFullError extends Error {
  constructor(options?: ErrorOptions) {
    super('the store is full', options)
    this.name = 'StorageFullError'
  }
}
