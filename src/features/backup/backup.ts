/**
 * The backup as other features use it: starts runs, waits for their reports, and shows the state. Only one
 * run is in progress at a time across all processes; its progress and its report are in the database. If the
 * process of a run dies, the run is reported as failed.
 */
import { join } from 'node:path'
import { BackupTrouble } from '../../errors/errors.ts'
import { makeAllPrivate } from '../../storage/local/make-private.ts'
import { isBucketName } from './bucket/bucket-target.ts'
import { createBucketLister } from './bucket/list-bucket.ts'
import { lastReport } from './last-report.ts'
import { createPlaceInspector, type PlaceInspector } from './places/place-inspector.ts'
import { placeOfArchive, targetWithNewestArchive } from './places/target-of-archive.ts'
import { createTargetNames, foldersOf } from './places/targets.ts'
import * as store from './run/backup.store.ts'
import { reportDeadRun } from './run/end-run.ts'
import type { LeasedRunParts } from './run/leased-run.ts'
import { createRunStarter } from './run/start-run.ts'
import { readBackupState } from './state.ts'

export type Backup = ReturnType<typeof createBackup>

export interface BackupParts extends Omit<LeasedRunParts, 'targets' | 'listArchives' | 'onRunEnded'> {
  dataDir: string
}

export function createBackup(backupParts: BackupParts) {
  const { database, log } = backupParts
  const targets = createTargetNames(backupParts)
  const folderInspector = createPlaceInspector()
  const bucketLister = createBucketLister({
    currentBucket: () => targets.current().bucket,
    now: backupParts.now,
  })
  const inspect: PlaceInspector['inspect'] = async place => {
    if (!isBucketName(place)) return folderInspector.inspect(place)
    const archives = await bucketLister.list(place)
    return archives && { archives, freeBytes: null }
  }
  const listArchives: PlaceInspector['listArchives'] = async place => (await inspect(place))?.archives ?? null
  const parts = { ...backupParts, targets, inspect, listArchives, onRunEnded: bucketLister.forget }
  const { start, stop } = createRunStarter(parts)

  return {
    start,
    stop,
    /** Begins or joins a run and waits for its end, for the daily job. Rejects if the run fails. */
    async run() {
      const { ok, fehler } = await (await start()).report
      if (!ok) throw new BackupTrouble(fehler ?? '')
    },
    async state() {
      await reportDeadRun(parts)
      return readBackupState(parts)
    },
    /**
     * The last report, with the number of targets that still have its archive. Null before the first report.
     */
    async lastReport() {
      await reportDeadRun(parts)
      return lastReport(parts)
    },
    placeOfArchive: (name: string) => placeOfArchive(parts, name),
    newestArchives: () => targetWithNewestArchive(parts),
    /** When the newest run began, whatever its result; null before the first run. */
    async lastRunStartedAt() {
      // The scheduler calls this regularly, so a run whose process has died is reported as failed even if
      // nobody asks for the state.
      await reportDeadRun(parts)
      return (await store.findRun(database.read))?.started_at ?? null
    },
    /**
     * Makes the archives in the target folders unreadable for other users. The folders themselves are left as
     * they are, because they may belong to somebody else.
     */
    async makeArchivesPrivate() {
      for (const folder of foldersOf(targets.current())) {
        const archives = (await listArchives(folder)) ?? []
        const files = archives.map(({ name }) => join(folder, name))
        await makeAllPrivate(files, log)
      }
    },
  }
}
