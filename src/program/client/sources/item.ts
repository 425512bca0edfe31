/**
 * What every source of an import gives: one item for each file, which is fetched only when its turn comes.
 */

export interface Brought {
  /** Where the bytes lie now. */
  file: string
  /** The media type that the source declares. */
  mime?: string | undefined
}

export interface ImportItem {
  /** The old address, or the name in a folder or an archive that has none. */
  from: string
  /** The wanted path below the target. */
  name: string
  /** If the source gives the hash, a file that exists already need not be fetched. */
  sha256?: string | undefined
  size?: number
  /** `scratch`: a file that may be written to. */
  bring(scratch: string): Promise<Brought>
}
