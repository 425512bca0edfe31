/** What every import source yields: one item per file, fetched only when it is processed. */

export interface Brought {
  /** The local file with the bytes. */
  file: string
  mime?: string | undefined
}

export interface ImportItem {
  /** The old address, or the name in a folder or archive. */
  from: string
  /** The wanted path below the target. */
  name: string
  /** With a hash, a file that exists already need not be fetched. */
  sha256?: string | undefined
  size?: number
  /** `scratch`: a file that may be written to. */
  bring(scratch: string): Promise<Brought>
}
