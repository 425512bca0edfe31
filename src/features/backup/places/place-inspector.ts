/**
 * Lists the archives in a target folder and determines its free bytes, with a time limit, for pages, health
 * checks and backup runs. The folder may be on a network share whose server is gone. Then a system call may
 * never return, and the runtime has only about as many file threads as cores. So each listing runs in a
 * thread of its own, and a folder is not listed again while an earlier listing hangs.
 */

import { entryPoint } from '../../../base/program-files.ts'
import { createTimeLimit } from '../../../base/time-limit.ts'
import { isForeignPath } from '../../../storage/local/foreign-path.ts'
import { longPath } from '../../../storage/local/platform.ts'
import { newestFirst, parseArchiveName } from '../archive/archive-name.ts'
import type { FoundArchive } from './place.ts'

/** Milliseconds to wait for a listing; less than a health check may take. */
const LISTING_TIMEOUT = 4000

/**
 * Lists the archives at a target (a folder, or a bucket by its name), newest first; empty if a folder cannot
 * be read, null if a folder did not answer in time or a bucket cannot be listed.
 */
export type ListArchives = (place: string) => Promise<FoundArchive[] | null>

/** The result of a listing in a thread. */
export interface FolderListing {
  /** Names and lengths of the files whose names begin like those of archives. */
  files: { name: string; bytes: number }[]
  /** Bytes available; null if unknown. */
  freeBytes: number | null
}

export interface PlaceInspector {
  /**
   * Returns the archives at a target (a folder, or a bucket by its name), newest first, and its free bytes
   * (null if unknown). Returns null if a folder did not answer in time or a bucket cannot be listed.
   */
  inspect(targetName: string): Promise<{ archives: FoundArchive[]; freeBytes: number | null } | null>
  listArchives: ListArchives
}

export function createPlaceInspector(): PlaceInspector {
  const withTimeLimit = createTimeLimit(LISTING_TIMEOUT)
  const inspect: PlaceInspector['inspect'] = async folder => {
    // A path of another operating system is never examined: earlier versions created a folder of that name in
    // the working directory, and may have left archives there.
    if (isForeignPath(folder)) return { archives: [], freeBytes: null }
    const listing = await withTimeLimit(folder, () => listInThread(folder), null)
    return (
      listing && {
        archives: listing.files.flatMap(toFoundArchives).sort(newestFirst),
        freeBytes: listing.freeBytes,
      }
    )
  }
  return { inspect, listArchives: async folder => (await inspect(folder))?.archives ?? null }
}

function toFoundArchives({ name, bytes }: FolderListing['files'][number]): FoundArchive[] {
  const parsedName = parseArchiveName(name)
  return parsedName ? [{ ...parsedName, bytes }] : []
}

function listInThread(folder: string): Promise<FolderListing> {
  const { promise, resolve, reject } = Promise.withResolvers<FolderListing>()
  const worker = new Worker(entryPoint('placeInspector').href, { ref: false })
  worker.onmessage = ({ data }: MessageEvent<FolderListing>) => resolve(data)
  worker.onerror = ({ message }) => reject(new Error(`the thread that inspects a place was lost: ${message}`))
  worker.postMessage(longPath(folder))
  return promise.finally(() => worker.terminate())
}
