/**
 * The port of a backup target: a place for archives, and for the contents that they name, each stored once
 * (the stock). Targets outlive processes and may be used by two runs at once, by a process that was paused,
 * or by another machine. So every name appears complete or not at all, and no operation assumes that it is
 * the only one.
 *
 * An operation rejects if the target cannot be used. Absence is never an error.
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

/** Reads the content of a file from its start; may be called again. A chunk is valid only until the next. */
export type Content = () => AsyncIterable<Uint8Array>

/** A content in the stock: its checksum, which is its name, and its size in bytes. */
export interface StockEntry {
  sha256: string
  size: number
}

export interface Place {
  /** The target as the operator entered it, for messages. */
  readonly name: string

  /** Creates what the target needs, and removes unfinished files of interrupted runs. */
  prepare(): Promise<void>
  /** Bytes available; null if unknown. */
  freeBytes(): Promise<number | null>

  /** The archives of the target, newest first. */
  archives(): Promise<FoundArchive[]>
  /** Rejects with `BackupTrouble` if the archive is absent. */
  openArchive(name: string): Promise<ArchiveFile>
  /**
   * Stores an archive under its name, reads it back and compares it; rejects with `ContentDiffers` if it is
   * not the same. When it resolves, the archive survives a power cut.
   */
  putArchive(name: string, archive: ArchiveFile, options: OperationOptions): Promise<void>
  /** When it resolves, the archives are gone for good, so contents that only they name may be removed. */
  removeArchives(names: readonly string[]): Promise<void>

  /** The contents whose checksum begins with these two digits, or all; in pages, in no particular order. */
  contents(digits?: string): AsyncIterable<StockEntry[]>
  /** The size of the content with this checksum; null if absent. */
  sizeOf(sha256: string): Promise<number | null>
  /** The bytes of the content, from this offset on. A chunk is valid only until the next. */
  read(sha256: string, from?: number): AsyncIterable<Uint8Array>
  /**
   * Stores content, replacing what has its name, reads it back and compares its checksum. Rejects with
   * `ContentDiffers` if the given or the stored bytes do not have this checksum.
   */
  put(entry: StockEntry, content: Content, options: OperationOptions): Promise<void>
  /**
   * When it resolves, everything that was `put` survives a power cut. An archive is published only
   * afterwards.
   */
  flush(): Promise<void>

  /** Takes the content out of the stock, but keeps it until `removeAside`. */
  setAside(sha256: string): Promise<void>
  /** Puts content back that was set aside, unless the stock has it again. */
  bringBack(sha256: string): Promise<void>
  /** Everything that was set aside. */
  listAside(): Promise<string[]>
  removeAside(sha256: string): Promise<void>

  /** A small text that is kept with the stock: when each part of the stock was last read. Null if absent. */
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

/** Whether a batch is large enough to be processed concurrently: many small contents, or one long one. */
export const isBatchFull = (contents: readonly { size: number }[]) =>
  contents.length >= CONCURRENT_FILES || contents.reduce((sum, { size }) => sum + size, 0) >= CONCURRENT_BYTES
