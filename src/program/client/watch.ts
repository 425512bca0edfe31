/**
 * Watches a folder: yields new and changed files once they have not been written to for a while. It polls,
 * because many network shares send no notifications of changes.
 */
import type { FolderFile } from './folder.ts'

export interface WatchParts {
  listFiles(): Promise<FolderFile[]>
  now(): number
  sleep(milliseconds: number): Promise<unknown>
  /** Milliseconds without a change before a file counts as complete. */
  quietTime?: number
}

/** Default of `quietTime` in milliseconds: long enough for a program that writes in bursts. */
const QUIET_TIME = 2_000
/** Minimum pause between two scans of the folder, in milliseconds. */
const POLL_INTERVAL = 1_000
/**
 * The pause is also at least this multiple of the duration of the last scan, so that a large folder does not
 * keep the disk busy.
 */
const PAUSE_FACTOR = 10

export function createFolderWatch({ listFiles, now, sleep, quietTime = QUIET_TIME }: WatchParts) {
  const observedFiles = new Map<string, { fingerprint: string; unchangedSince: number }>()
  const yieldedFingerprints = new Map<string, string>()
  const fingerprintOf = ({ size, changedAt }: FolderFile) => `${size} ${changedAt}`

  /**
   * Whether the file was not yet yielded in this state, and has been unchanged for `quietTime`. In the first
   * scan, the file may have existed before the watch began, so its modification time shows since when it has
   * been unchanged.
   */
  function isReady(file: FolderFile, isFirstScan: boolean): boolean {
    const fingerprint = fingerprintOf(file)
    if (yieldedFingerprints.get(file.name) === fingerprint) return false
    const observation = observedFiles.get(file.name)
    const unchangedSince =
      observation?.fingerprint === fingerprint
        ? observation.unchangedSince
        : isFirstScan
          ? Math.min(file.changedAt, now())
          : now()
    observedFiles.set(file.name, { fingerprint, unchangedSince })
    return now() - unchangedSince >= quietTime
  }

  return {
    /** Yields the files that are ready, at least one per batch. Never ends. */
    async *batches() {
      for (let isFirstScan = true; ; isFirstScan = false) {
        const scanStart = now()
        const readyFiles = (await listFiles()).filter(file => isReady(file, isFirstScan))
        for (const file of readyFiles) yieldedFingerprints.set(file.name, fingerprintOf(file))
        const scanTime = now() - scanStart
        if (readyFiles.length > 0) yield readyFiles
        await sleep(Math.max(POLL_INTERVAL, scanTime * PAUSE_FACTOR))
      }
    },
    /** Makes `batches` yield these files again. */
    yieldAgain(files: readonly FolderFile[]) {
      for (const { name } of files) yieldedFingerprints.delete(name)
    },
  }
}
