/**
 * The port of a backup target: a place for archives, and for the contents that they name, each stored once
 * (the stock). Targets outlive processes and may be used by two runs at once, by a process that was paused,
 * or by another machine. So every file appears complete or not at all, and no operation assumes that no other
 * one runs at the same time.
 *
 * An operation rejects if the target cannot be used. That an archive or a content is absent is an error only
 * for `openArchive` and `read`.
 */

import type { ArchiveName } from '../archive/archive-name.ts'
import type { ArchiveFile } from '../archive/archive-reader.ts'

export interface FoundArchive extends ArchiveName {
  bytes: number
}

/** Lets the caller of a long operation stop it, and follow how many bytes it has processed. */
export interface OperationOptions {
  signal: AbortSignal
  onBytes: (count: number) => void
}

/**
 * Reads the content of a file from its start; may be called again. A chunk is valid only until the next one
 * is read.
 */
export type Content = () => AsyncIterable<Uint8Array>

/** A content in the stock: its checksum, under which it is stored, and its size in bytes. */
export interface StockEntry {
  sha256: string
  size: number
}

export interface Place {
  /** The path of the folder, or the name of the bucket, for messages and reports. */
  readonly name: string

  /** Creates the folder if necessary, and removes unfinished files of interrupted runs. */
  prepare(): Promise<void>
  /** Bytes available; null if unknown. */
  freeBytes(): Promise<number | null>

  /** The archives of the target, newest first. */
  archives(): Promise<FoundArchive[]>
  /** Rejects with `BackupTrouble` if the archive is absent or cannot be opened. */
  openArchive(name: string): Promise<ArchiveFile>
  /**
   * Stores an archive under its name, reads it back and compares it; rejects with `ContentDiffers` if the
   * stored bytes differ. When it resolves, the archive survives a power cut.
   */
  putArchive(name: string, archive: ArchiveFile, options: OperationOptions): Promise<void>
  /** When it resolves, the archives are gone for good, so contents that only they name may be removed. */
  removeArchives(names: readonly string[]): Promise<void>

  /**
   * Yields the contents in the stock page by page, in no particular order: all, or those whose checksum
   * begins with these two digits.
   */
  contents(digits?: string): AsyncIterable<StockEntry[]>
  /** The size of the content with this checksum; null if absent. */
  sizeOf(sha256: string): Promise<number | null>
  /** The bytes of the content, from this offset on. A chunk is valid only until the next one is read. */
  read(sha256: string, from?: number): AsyncIterable<Uint8Array>
  /**
   * Stores content, replacing what the stock has under its checksum, reads it back and compares it. Rejects
   * with `ContentDiffers` if the given or the stored bytes do not have this checksum.
   */
  put(entry: StockEntry, content: Content, options: OperationOptions): Promise<void>
  /**
   * When it resolves, everything that was `put` survives a power cut. An archive that names new contents is
   * published only afterwards.
   */
  flush(): Promise<void>

  /** Takes the content out of the stock, but keeps it for `bringBack` until `removeAside`. */
  setAside(sha256: string): Promise<void>
  /**
   * Puts content that was set aside back into the stock. If the stock has it again, only removes what was set
   * aside.
   */
  bringBack(sha256: string): Promise<void>
  /** The checksums of the contents that are set aside. */
  listAside(): Promise<string[]>
  removeAside(sha256: string): Promise<void>

  /**
   * A small text that is kept with the stock: when its parts and the archives were last read, and which
   * contents are damaged (`rereading.ts`). Null if absent.
   */
  readNote(): Promise<string | null>
  /** Replaces the whole note. */
  writeNote(text: string): Promise<void>
}

/** Thrown if bytes do not have the checksum that they should have. */
export class ContentDiffers extends Error {
  constructor(
    /** What was wrong: the given bytes, or what the target returned after writing. */
    readonly side: 'source' | 'target',
    /** Checksum and size of the bytes that were found instead. */
    readonly found: StockEntry,
  ) {
    super(`the ${side} has other bytes than expected`)
  }
}

const CONCURRENT_FILES = 32
const CONCURRENT_BYTES = 8 * 1024 * 1024

/**
 * Whether a batch of contents, which are processed concurrently, is full: it has many small contents, or a
 * large one.
 */
export const isBatchFull = (contents: readonly { size: number }[]) =>
  contents.length >= CONCURRENT_FILES || contents.reduce((sum, { size }) => sum + size, 0) >= CONCURRENT_BYTES
