/**
 * The port of a backup target. A target stores archives, and has a content store (`stock`) for the file
 * contents that the archives name, each stored once. Targets outlive processes. They may be used by two runs
 * at once, by a process that was paused, or by another machine. So every file appears complete or not at all,
 * and every operation allows for other operations at the same time.
 *
 * Absence: if an archive or a content is absent, only `openArchive` and `read` reject. It is not an error to
 * remove, set aside or bring back something that is absent.
 * Overwriting: `putArchive`, `put` and `writeNote` replace a file that has the same name.
 * Failure: an operation rejects if the target cannot be used. If the source of the new bytes fails or
 * delivers the wrong bytes, or if the operation is aborted, the earlier file stays. If the target itself
 * fails, the earlier file, the new one, or neither of them is there afterwards.
 */

import type { ArchiveName } from '../archive/archive-name.ts'
import type { ArchiveFile } from '../archive/archive-reader.ts'

export interface FoundArchive extends ArchiveName {
  bytes: number
}

/** Options of a long operation. The caller can stop it, and can follow how many bytes it has processed. */
export interface OperationOptions {
  signal: AbortSignal
  /** Bytes that are written and then read back are counted twice. */
  onBytes: (count: number) => void
}

/**
 * Returns the bytes of a file from its start; may be called again. A chunk is valid only until the next one
 * is read.
 */
export type ContentSource = () => AsyncIterable<Uint8Array>

/** An entry of the content store: the checksum under which the content is stored, and its size in bytes. */
export interface StockEntry {
  sha256: string
  size: number
}

export interface ArchiveStore {
  /** The archives of the target, newest first. Other files beside them are not listed. */
  archives(): Promise<FoundArchive[]>
  /** Rejects with `BackupTrouble` if the archive is absent or cannot be opened. */
  openArchive(name: string): Promise<ArchiveFile>
  /**
   * Stores an archive under its name, reads it back and compares it; rejects with `ContentDiffers` if the
   * stored bytes differ. When it resolves, the archive survives a power cut.
   */
  putArchive(name: string, archive: ArchiveFile, options: OperationOptions): Promise<void>
  /**
   * Removes archives. When it resolves, the removal survives a power cut, so the contents that only these
   * archives named may be removed too.
   */
  removeArchives(names: readonly string[]): Promise<void>
}

export interface ContentStore {
  /**
   * Yields the entries of the content store page by page, in no particular order: all, or those whose
   * checksum begins with these two hexadecimal digits. Contents that are set aside are not listed.
   */
  contents(checksumPrefix?: string): AsyncIterable<StockEntry[]>
  /** The size of the content with this checksum; null if absent. */
  sizeOf(sha256: string): Promise<number | null>
  /** The bytes of the content, from this offset on. A chunk is valid only until the next one is read. */
  read(sha256: string, offset?: number): AsyncIterable<Uint8Array>
  /**
   * Stores content, replacing any earlier bytes under its checksum, reads it back and compares it. Rejects
   * with `ContentDiffers` if the given or the stored bytes do not have this checksum.
   */
  put(entry: StockEntry, content: ContentSource, options: OperationOptions): Promise<void>
  /**
   * When it resolves, everything that was stored with `put` survives a power cut. Must be called before an
   * archive that names new contents is published.
   */
  flush(): Promise<void>

  /** Takes the content out of the content store, but keeps it for `bringBack` until `removeAside`. */
  setAside(sha256: string): Promise<void>
  /**
   * Puts content that was set aside back into the content store. If the store has this content again, only
   * removes the copy that was set aside.
   */
  bringBack(sha256: string): Promise<void>
  /** The checksums of the contents that are set aside. */
  listAside(): Promise<string[]>
  removeAside(sha256: string): Promise<void>

  /**
   * Reads the note, a small text about the state of the target: when the parts of the content store and the
   * archives were last read, and which contents are damaged (`rereading.ts`). Null if absent.
   */
  readNote(): Promise<string | null>
  /** Replaces the whole note. */
  writeNote(text: string): Promise<void>
}

export interface Place extends ArchiveStore, ContentStore {
  /** The path of the folder, or the name of the bucket, for messages and reports. */
  readonly name: string

  /** Creates the folder if necessary, and removes unfinished files of interrupted runs. */
  prepare(): Promise<void>
  /** Bytes available; null if unknown. */
  freeBytes(): Promise<number | null>
}

/** Thrown if bytes do not have the expected checksum. */
export class ContentDiffers extends Error {
  constructor(
    /** Which bytes were wrong: the given ones, or those that the target returned after writing. */
    readonly side: 'source' | 'target',
    /** Checksum and size of the bytes that were found instead. */
    readonly foundEntry: StockEntry,
  ) {
    super(`the ${side} has other bytes than expected`)
  }
}

const MAX_CONCURRENT_FILES = 16
const MAX_CONCURRENT_BYTES = 8 * 1024 * 1024

/**
 * Whether a batch of contents that are processed concurrently is full: by the number of contents, or by their
 * total size.
 */
export const isBatchFull = (contents: readonly { size: number }[]) =>
  contents.length >= MAX_CONCURRENT_FILES ||
  contents.reduce((sum, { size }) => sum + size, 0) >= MAX_CONCURRENT_BYTES
