/**
 * Watches a folder: yields new and changed files once they have not been written to for a while. Polls, since
 * network shares send no notifications.
 */
import type { FolderFile } from './folder.ts'

export interface WatchParts {
  look(): Promise<FolderFile[]>
  now(): number
  sleep(milliseconds: number): Promise<unknown>
  /** Milliseconds without a change before a file counts as complete. */
  quiet?: number
}

/**
 * Milliseconds. They are long enough for a program that writes in bursts; a copy in progress changes all the
 * time.
 */
const QUIET = 2_000
const EVERY = 1_000
/**
 * The minimum pause is this multiple of the duration of the last scan, so that a large folder does not keep
 * the disk busy.
 */
const REST = 10

export function createWatch({ look, now, sleep, quiet = QUIET }: WatchParts) {
  const seen = new Map<string, { mark: string; since: number }>()
  const done = new Map<string, string>()
  const markOf = ({ size, changedAt }: FolderFile) => `${size} ${changedAt}`

  /**
   * `first`: the file existed before the watch, so its modification time shows since when it is unchanged.
   */
  function isReady(file: FolderFile, first: boolean): boolean {
    const mark = markOf(file)
    if (done.get(file.name) === mark) return false
    const before = seen.get(file.name)
    const since = before?.mark === mark ? before.since : first ? Math.min(file.changedAt, now()) : now()
    seen.set(file.name, { mark, since })
    return now() - since >= quiet
  }

  return {
    /** Never ends. Each batch contains at least one file. */
    async *batches() {
      for (let first = true; ; first = false) {
        const begun = now()
        const ready = (await look()).filter(file => isReady(file, first))
        for (const file of ready) done.set(file.name, markOf(file))
        const taken = now() - begun
        if (ready.length > 0) yield ready
        await sleep(Math.max(EVERY, taken * REST))
      }
    },
    /** Yields these files again. */
    again(files: readonly FolderFile[]) {
      for (const { name } of files) done.delete(name)
    },
  }
}
