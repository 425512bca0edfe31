/**
 * The storage port: where the bytes of files are stored. Names are those of `names.ts`. Every adapter passes
 * `test/conformance/storage.ts`.
 *
 * If an object is absent, `open` returns null and `remove` succeeds. Any other problem rejects: a full store
 * with `StorageFullError`, one that cannot be reached with `StorageUnavailableError`.
 */

/**
 * Maximum size in bytes of a short file, which is staged in memory as a whole: that is cheaper than
 * streaming.
 */
export const MAX_SHORT_FILE_SIZE = 64 * 1024

/** Offsets in bytes: `start` is included, `end` is excluded. */
export interface ByteRange {
  start: number
  end: number
}

/**
 * Bytes of an upload before they are stored. They are available as a local file, so that decoders can read
 * them.
 */
export interface Staging extends AsyncDisposable {
  /** The path of the local file. Bytes that were staged as a whole are written at the first call. */
  file(): Promise<string>
  /** The bytes, if they were staged as a whole and `file` has not been called yet; otherwise null. */
  readonly bytes: Uint8Array<ArrayBuffer> | null
  /** Appends a chunk. The caller may reuse the chunk once the promise resolves. */
  write(chunk: Uint8Array): Promise<void>
  /** Ends writing, and flushes the file if it is to be stored on this disk. A second call changes nothing. */
  finish(): Promise<void>
  /**
   * Deletes the bytes; the end of an `await using` calls it. It may be called while bytes are being written.
   * An object that `commit` has stored is not affected.
   */
  discard(): Promise<void>
  /** Called by an adapter after it has moved the file, so that `discard` does nothing. */
  markMoved(): void
  /**
   * If true, `commit` links the file to its object name instead of renaming it, and `discard` keeps the file.
   */
  readonly isKept?: boolean
  /**
   * The name of the object that contains these bytes already, if any. They can be committed only under this
   * name.
   */
  readonly object?: string
}

/** An upload that arrives in several requests, as it is recorded in the database. */
export interface PartialUpload {
  id: string
  /** The object's name, for stores that need it from the beginning. */
  object: string
  length: number
  /** Number of bytes that survive a crash. */
  received: number
  /** The state that `PartialBytes.save` returned last; empty at the beginning. */
  state: string
}

/**
 * The bytes of a partial upload, open for a request that adds to them. Only one instance may be open for each
 * upload.
 */
export interface PartialBytes extends AsyncDisposable {
  /** Appends a chunk. Resolves with true if enough bytes have arrived for calling `save`. */
  write(chunk: Uint8Array): Promise<boolean>
  /**
   * Makes bytes durable, so that they survive a crash and other processes can read them. If `mustSaveAll` is
   * true (at the end of a request), these are all bytes so far; otherwise an adapter may leave out bytes that
   * would need an object of their own. May run while `write` does. After the caller has recorded the result,
   * `resumePartial` can continue after these bytes. Must be called with `mustSaveAll` before `finish`; if the
   * upload is complete, that call may leave the last bytes to `finish`.
   */
  save(mustSaveAll: boolean): Promise<Pick<PartialUpload, 'received' | 'state'>>
  /**
   * Called after the last byte; resolves with the staged bytes of the whole upload. If these are discarded,
   * the upload stays as it was at the last `save`.
   */
  finish(): Promise<Staging>
}

/** Size and hash, with which a remote store checks the bytes that it receives. */
export interface ContentDigest {
  size: number
  /** SHA-256 in lower-case hexadecimal digits. */
  sha256: string
}

/** An opened object, whose bytes the caller must read, or whose stream it must cancel. */
export interface StoredObject {
  /** Size of the whole object, even if only a range was requested. */
  readonly size: number
  /**
   * The requested bytes. A `Blob` has a known length and is read only when needed; a stream has no length.
   */
  readonly body: Blob | ReadableStream<Uint8Array>
  bytes(): Promise<Uint8Array<ArrayBuffer>>
}

export interface ListedObject {
  name: string
  size: number
  /** When the object got this name, in Unix milliseconds. */
  changedAt: number
  /**
   * When the bytes were written, in Unix milliseconds, as far as the store knows it. Relocating the object
   * does not change it.
   */
  writtenAt: number
}

export interface Storage {
  /**
   * Whether object names follow file paths, so that people can find files in the store and the database can
   * be rebuilt from it. Otherwise an object keeps its first name: renaming, deleting and restoring only
   * change rows, and `relocate` is never called.
   */
  readonly namesFollowPaths: boolean

  /**
   * Whether several machines can share the store. If so, all data on this machine may be lost without harm.
   */
  readonly isShared: boolean

  /**
   * A local folder in which a caller creates files before passing them to `adopt`. Only this process uses the
   * folder, which is on the same disk as the staged files.
   */
  readonly scratch: string

  stage(): Promise<Staging>

  /** Stages bytes in memory. The caller must not change them afterwards. */
  stageWhole(bytes: Uint8Array<ArrayBuffer>): Staging

  /** Turns a finished file in `scratch` into staged bytes. */
  adopt(file: string): Staging

  /**
   * Gives staged bytes the name of an object. When the promise resolves, the object survives a power cut. A
   * name is used once: committing the same bytes again changes nothing. Committing other bytes under the name
   * is a bug of the caller; the object then has either the old or the new bytes, complete, and the store may
   * also reject.
   */
  commit(staging: Staging, name: string, content: ContentDigest): Promise<void>

  /**
   * Opens the whole object or a range within it. Null if it does not exist. An object that is being read
   * stays readable to its end, even if it is removed before.
   */
  open(name: string, range?: ByteRange): Promise<StoredObject | null>

  /** Opens an object like `open`, but never from a cache. Used to check the bytes in the store itself. */
  inspect(name: string): Promise<StoredObject | null>

  /**
   * Makes the object `from` durably readable under the name `to` too. `from` is not removed: the caller
   * changes its row to `to` and then discards `from`, so that the row names an existing object at all times.
   * Rejects if `from` is absent.
   */
  relocate(from: string, to: string): Promise<void>

  /** Removes an object. It is not an error if the object is absent. */
  remove(name: string): Promise<void>

  /**
   * Removes many objects in few requests. Returns the errors of the objects that could not be removed, by
   * name.
   */
  removeAll(names: readonly string[]): Promise<Map<string, unknown>>

  /**
   * Removes from the store the remains of uploads that began at least `minAge` milliseconds ago and have not
   * become objects; returns the number of these uploads. Staged bytes are local, so they are not affected.
   * `keptObjects`: objects of partial uploads that may be continued.
   */
  removeUnfinished(minAge: number, keptObjects?: ReadonlySet<string>): Promise<number>

  /** Continues a partial upload, or starts it. Rejects with `PartialLostError` if its bytes are gone. */
  resumePartial(upload: PartialUpload): Promise<PartialBytes>

  /**
   * Removes what is stored under the id of a partial upload. With `unfinishedUpload`, an object store also
   * aborts its multipart upload and removes the object that it may have become. Do not pass
   * `unfinishedUpload` if a database row names that object.
   */
  removePartial(id: string, unfinishedUpload?: Pick<PartialUpload, 'object' | 'state'>): Promise<void>

  /**
   * The ids of all partial uploads that have left something in the store, apart from parts of multipart
   * uploads. An id may occur several times.
   */
  listPartial(): AsyncIterable<string>

  /** Every object whose name starts with `prefix`, in no particular order. */
  list(prefix: string): AsyncIterable<ListedObject>

  /**
   * The size of an object; null if it is absent. Unlike `open`, this does not block the process if a disk
   * hangs.
   */
  measure(name: string): Promise<number | null>

  /**
   * Tests whether the store can be written to: writes a few bytes and removes them. Rejects if writing fails.
   */
  probe(): Promise<void>

  /**
   * Reads the storage mark, a short text beside the objects that shows to which state of which database they
   * belong (`adapters/lost-changes.ts`); null if absent. It is not an object: it can be replaced, and `list`
   * does not yield it for any folder of objects (`OBJECT_ROOTS`).
   */
  readMark(): Promise<string | null>

  /** Replaces the storage mark, as a whole or not at all; null removes it. */
  writeMark(text: string | null): Promise<void>

  /**
   * Reads the key of the instance, with which secrets in the database are encrypted
   * (`features/session/factors/instance-key.ts`); null if absent. It is a short text beside the objects, is
   * in no backup, and is not an object.
   */
  readKey(): Promise<string | null>

  /**
   * Stores the key. Without `replace`, an existing key is kept, even if another process writes it at the same
   * time (except on a disk without hard links).
   */
  writeKey(text: string, options: { replace: boolean }): Promise<void>

  /**
   * Runs `use` with a local file that has the bytes of the object. `use` must not change the file. Null if
   * the object is absent.
   */
  withLocalFile<T>(name: string, use: (file: string) => Promise<T>): Promise<T | null>

  /**
   * Removes all staged files of exited processes. Also removes staged files of this process, or of no known
   * process, that were not written to for `minAge` milliseconds. Returns the number of files removed. Files
   * of other running processes stay.
   */
  clearStaging(minAge: number): Promise<number>

  /** Removes what this process has staged and releases all resources. No method may be called afterwards. */
  close(): Promise<void>
}

/** The store does not answer, or refuses. A later attempt may succeed. */
export class StorageUnavailableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'StorageUnavailableError'
  }
}

/** The bytes of a partial upload are gone or cannot be trusted, so the upload starts over. */
export class PartialLostError extends Error {}

/** The bytes of an object differ from those that were stored. */
export class DamagedObjectError extends Error {}

export class StorageFullError extends Error {
  constructor(options?: ErrorOptions) {
    super('the store is full', options)
    this.name = 'StorageFullError'
  }
}
