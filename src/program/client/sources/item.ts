/**
 * The items that an import source consists of, one per file. A file is fetched only when its item is
 * processed.
 */

export interface LocalCopy {
  /** The local file with the bytes. */
  file: string
  mime?: string | undefined
}

export interface ImportItem {
  /** The old address, or the name in a folder or archive. */
  from: string
  /** The desired path of the file, relative to the target folder. */
  name: string
  /**
   * If the hash is known, a file that the service already has at its path, with the same content, need not be
   * fetched.
   */
  sha256?: string | undefined
  size?: number
  /** Makes the file available locally. It may be written to the path `scratch`. */
  makeLocal(scratch: string): Promise<LocalCopy>
}
