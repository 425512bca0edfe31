/** Temporary files of a decoding job, and their removal. */
import { randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Names of files for a decoder. Files that were not kept are removed at the end, even if the decoder was
 * lost.
 */
export interface Scratch {
  /** A unique name of a file that does not exist yet. */
  name(suffix: string): string
  /**
   * Makes the caller the owner of the file. Undefined if the decoder did not write it, or its size is not
   * wanted.
   */
  keep(
    file: string,
    isWanted?: (size: number) => boolean,
  ): Promise<{ file: string; size: number } | undefined>
}

export async function withScratch<T>(folder: string, work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const names = new Set<string>()
  const kept = new Set<string>()
  const scratch: Scratch = {
    name(suffix) {
      const file = join(folder, `${randomUUID()}${suffix}`)
      names.add(file)
      return file
    },
    async keep(file, isWanted = () => true) {
      const size = await stat(file).then(
        found => found.size,
        () => 0,
      )
      if (size === 0 || !isWanted(size)) return undefined
      kept.add(file)
      return { file, size }
    },
  }
  try {
    return await work(scratch)
  } catch (error) {
    kept.clear()
    throw error
  } finally {
    for (const file of names) if (!kept.has(file)) await rm(file, { force: true })
  }
}
