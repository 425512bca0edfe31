/**
 * Lists the archives at a place, for pages and checks. A place may be a network share whose server is gone; a
 * call to such a share never returns. The runtime has only about as many threads for files as the machine has
 * cores. So each look runs in a thread of its own, and while one look waits for a place, no second look at
 * that place begins. Whatever hangs, the service goes on serving and storing files.
 */

import { startedFile } from '../../../base/program-files.ts'
import { createTimeLimit } from '../../../base/time-limit.ts'
import { isForeignPath, longPath } from '../../../storage/local/platform.ts'
import { newestFirst, parseArchiveName } from '../archive/archive-name.ts'
import type { FoundArchive } from './place.ts'

/** Milliseconds that a place has for its answer; less than a check of the status has. */
const PATIENCE = 4000

/**
 * Archives of a folder, the newest first. The list is empty when the folder cannot be read; the result is
 * null when the folder did not answer in time.
 */
export type LookAt = (folder: string) => Promise<FoundArchive[] | null>

/** Names and lengths of the files in a folder whose names begin as those of archives do. */
export type LookAnswer = { name: string; bytes: number }[]

export function createLookAt(): LookAt {
  const withTimeLimit = createTimeLimit(PATIENCE)
  return async folder => {
    // A foreign path is never looked at: earlier versions created a folder of that name in the working
    // directory, and may have left archives there.
    if (isForeignPath(folder)) return []
    const files = await withTimeLimit(folder, () => onThread(folder), null)
    return files?.flatMap(asArchive).sort(newestFirst) ?? null
  }
}

function asArchive({ name, bytes }: LookAnswer[number]): FoundArchive[] {
  const parsed = parseArchiveName(name)
  return parsed ? [{ ...parsed, bytes }] : []
}

function onThread(folder: string): Promise<LookAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<LookAnswer>()
  const worker = new Worker(startedFile('placeLook').href, { ref: false })
  worker.onmessage = ({ data }: MessageEvent<LookAnswer>) => resolve(data)
  worker.onerror = ({ message }) => reject(new Error(`the thread that looks at a place was lost: ${message}`))
  worker.postMessage(longPath(folder))
  return promise.finally(() => worker.terminate())
}
