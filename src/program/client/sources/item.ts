/** The items of an import source, one per file. A file is fetched only when its item is processed. */

export interface LocalCopy {
  /** The path of the local file. */
  file: string
  mime?: string | undefined
}

export interface ImportItem {
  /** The old address, or the name in a folder or archive. */
  from: string
  /** The desired path of the file, relative to the target folder. */
  name: string
  /**
   * The hash of the file, if it is known. The file need not be fetched if the service already has the same
   * content at its path.
   */
  sha256?: string | undefined
  size?: number
  /** Makes the file available locally. The implementation may write it to the path `scratchFile`. */
  makeLocal(scratchFile: string): Promise<LocalCopy>
}
