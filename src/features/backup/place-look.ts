/**
 * What lies at a place, for pages and checks. A place may be a network share whose server is gone, where a call never comes
 * back; and the runtime has about as many threads for files as the machine has cores. So each look is made by a thread of
 * its own, and while one waits for a place nobody else asks there: whatever hangs, files are served and stored.
 */
import { createInTime } from '../../in-time.ts'
import { isForeignPath, longPath } from '../../storage/platform.ts'
import { newestFirst, parseArchiveName } from './archive-name.ts'
import type { FoundArchive } from './place.ts'

/** Milliseconds that a place has for its answer; less than a check of the status has. */
const PATIENCE = 4000

/** The newest first; none where the folder cannot be read; null when it did not answer in time. */
export type LookAt = (folder: string) => Promise<FoundArchive[] | null>

/** Names and lengths of the files in a folder whose names begin as those of archives do. */
export type LookAnswer = { name: string; bytes: number }[]

export function createLookAt(): LookAt {
  const inTime = createInTime(PATIENCE)
  return async folder => {
    // Earlier versions made a folder of that name in the working directory, and may have left archives there.
    if (isForeignPath(folder)) return []
    const files = await inTime(folder, () => onThread(folder), null)
    return files?.flatMap(asArchive).sort(newestFirst) ?? null
  }
}

function asArchive({ name, bytes }: LookAnswer[number]): FoundArchive[] {
  const parsed = parseArchiveName(name)
  return parsed ? [{ ...parsed, bytes }] : []
}

function onThread(folder: string): Promise<LookAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<LookAnswer>()
  const worker = new Worker(new URL('./place-look.worker.ts', import.meta.url).href, { ref: false })
  worker.onmessage = ({ data }: MessageEvent<LookAnswer>) => resolve(data)
  worker.onerror = ({ message }) => reject(new Error(`the thread that looks at a place was lost: ${message}`))
  worker.postMessage(longPath(folder))
  return promise.finally(() => worker.terminate())
}
