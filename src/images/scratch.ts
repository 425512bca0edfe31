/** Temporary files of a decoding job, and their removal. */
import { randomUUID } from 'node:crypto'
import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Names of files that a decoder is to write. When the `work` of `withScratch` has ended, all of these files
 * are removed except those that were kept. If `work` fails, the kept files are removed too.
 */
export interface Scratch {
  /** Returns the path of a file that does not exist yet. It is unique and ends with `suffix`. */
  newPath(suffix: string): string
  /**
   * Keeps the file; the caller of `withScratch` owns it then. Does not keep it and resolves with undefined if
   * the decoder wrote no file or an empty one.
   */
  keep(file: string): Promise<{ file: string; size: number } | undefined>
}

export async function withScratch<T>(folder: string, work: (scratch: Scratch) => Promise<T>): Promise<T> {
  const fileNames = new Set<string>()
  const keptFiles = new Set<string>()
  const scratch: Scratch = {
    newPath(suffix) {
      const file = join(folder, `${randomUUID()}${suffix}`)
      fileNames.add(file)
      return file
    },
    async keep(file) {
      const size = await stat(file).then(
        stats => stats.size,
        () => 0,
      )
      if (size === 0) return undefined
      keptFiles.add(file)
      return { file, size }
    },
  }
  try {
    return await work(scratch)
  } catch (error) {
    keptFiles.clear()
    throw error
  } finally {
    for (const file of fileNames) if (!keptFiles.has(file)) await rm(file, { force: true })
  }
}
