/** The six health checks behind `/status`. A check tries the real operation where that is possible. */

import type { LostChangesDetector } from '../../adapters/lost-changes.ts'
import { errorCode } from '../../base/system/error-code.ts'
import { createTimeLimit } from '../../base/time-limit.ts'
import type { BackupReport, RehearsalReport } from '../../contract/service/backup.ts'
import {
  archiveTargetsText,
  CHECK_REASONS,
  type CheckReason,
  type HealthCheck,
  MAX_BACKUP_AGE,
  SPACE_LIMIT_PERCENT,
  STATUS_REUSE_TIME,
} from '../../contract/service/status.ts'
import { hasRepairedWarning } from '../../contract/service/warnings.ts'
import { MINUTE } from '../../contract/values/units.ts'
import { DatabaseBusyError, DatabaseUnflushedError } from '../../database/database.ts'
import { readHighestRowNumber } from '../../database/highest-number.ts'
import type { ClockWatch } from '../../jobs/clock-watch.ts'
import { recordJobStart } from '../../jobs/daily-job-in-database.ts'
import { type DiskSpace, usedPercent } from '../../storage/local/space.ts'
import { StorageFullError, StorageUnavailableError } from '../../storage/storage.ts'
import type { FeatureParts } from '../feature.ts'
import { createInventoryCheck } from './inventory.ts'
import { type FileToCheck, fileAtOrAfter, fileReportedMissing, hasFiles } from './status.store.ts'
import type { CheckOutcome, RunCheck } from './status.ts'

/** Milliseconds that the database check waits for its write; must be less than the time limit of a check. */
const WRITE_TIME_LIMIT = 4_000

interface BackupQueries {
  /** The last backup run, if any. `orte`: number of targets where its archive was found just now. */
  lastReport(): Promise<Pick<BackupReport, 'ok' | 'zeit' | 'orte' | 'warnungen_codes'> | null>
  /** The last rehearsed restore, if any. */
  lastRehearsal(): Promise<Pick<RehearsalReport, 'ok'> | null>
  instanceCreatedAt(): Promise<number>
}

export interface ChecksParts extends Pick<FeatureParts, 'database' | 'storage' | 'now'> {
  lostChanges: Pick<LostChangesDetector, 'knownLoss'>
  clockWatch: Pick<ClockWatch, 'isDoubted'>
  space: () => Promise<DiskSpace | null>
  backups: BackupQueries
  /** A random number, at least 0 and less than 1. */
  random: () => number
}

export function createChecks(parts: ChecksParts): Record<HealthCheck, RunCheck> {
  const { database, storage, space: measureSpace, random } = parts

  async function checkDisk(): Promise<CheckOutcome> {
    try {
      await storage.probe()
      return {}
    } catch (cause) {
      return { grund: reasonOf(cause, CHECK_REASONS.diskRefuses), cause }
    }
  }

  /**
   * Checks the size of a file that was reported missing, if there is one, and of a random file. Fast, however
   * many files there are: it reads the integrity findings, which are usually few, and looks up single rows of
   * files.
   */
  async function checkFiles(): Promise<CheckOutcome> {
    const missingFile = await fileReportedMissing(database.read)
    const missingFileOutcome = missingFile && (await checkFile(missingFile))
    if (missingFileOutcome?.grund) return missingFileOutcome
    const randomRowNr = Math.floor(random() * (await readHighestRowNumber(database.read, 'media'))) + 1
    const randomFile = await fileAtOrAfter(database.read, randomRowNr)
    return randomFile ? checkFile(randomFile) : {}
  }

  async function checkFile(row: FileToCheck): Promise<CheckOutcome> {
    try {
      const size = await storage.measure(row.object)
      if (size === row.size) return {}
      // Not an error if the file was overwritten, moved or deleted meanwhile.
      if ((await fileAtOrAfter(database.read, row.nr))?.object !== row.object) return {}
      return { grund: size === null ? CHECK_REASONS.fileMissing : CHECK_REASONS.fileDiffers }
    } catch (cause) {
      return { grund: reasonOf(cause, CHECK_REASONS.fileUnreadable), cause }
    }
  }

  async function checkSpace(): Promise<CheckOutcome> {
    const diskSpace = await measureSpace()
    return diskSpace && usedPercent(diskSpace) >= SPACE_LIMIT_PERCENT ? { grund: CHECK_REASONS.spaceLow } : {}
  }

  return {
    datenbank: createDatabaseCheck(parts),
    platte: checkDisk,
    ausliefern: checkFiles,
    bestand: createInventoryCheck(parts),
    platz: checkSpace,
    sicherung: () => checkBackup(parts),
  }
}

/**
 * Returns a check that reads and writes: a database may answer every query while nobody can write, for
 * example because the lock of a dead process is still held. A large change may block writes for long, so a
 * blocked write at first only adds a remark to the answer. The check fails if writes are still blocked
 * `STATUS_REUSE_TIME` milliseconds later.
 */
function createDatabaseCheck({
  database,
  clockWatch,
  now,
}: Pick<ChecksParts, 'database' | 'clockWatch' | 'now'>): RunCheck {
  const withTimeLimit = createTimeLimit(WRITE_TIME_LIMIT)
  let blockedSince: number | null = null

  async function tryWriting(): Promise<boolean> {
    await recordJobStart(database, 'status', now())
    return true
  }

  return async () => {
    try {
      await hasFiles(database.read)
    } catch (cause) {
      return { grund: CHECK_REASONS.database, cause }
    }
    try {
      if (await withTimeLimit('write', tryWriting, false)) {
        blockedSince = null
        return (await clockWatch.isDoubted()) ? { hinweis: CHECK_REASONS.clockJumped } : {}
      }
    } catch (cause) {
      if (!(cause instanceof DatabaseBusyError))
        return { grund: reasonOf(cause, CHECK_REASONS.databaseRefuses), cause }
    }
    blockedSince ??= now()
    return now() - blockedSince < STATUS_REUSE_TIME
      ? { hinweis: CHECK_REASONS.databaseBusy }
      : { grund: CHECK_REASONS.databaseRefuses }
  }
}

function reasonOf(cause: unknown, fallback: CheckReason): CheckReason {
  if (cause instanceof DatabaseUnflushedError) return CHECK_REASONS.databaseUnflushed
  if (cause instanceof StorageFullError || errorCode(cause) === 'SQLITE_FULL') return CHECK_REASONS.diskFull
  return cause instanceof StorageUnavailableError ? CHECK_REASONS.storeSilent : fallback
}

async function checkBackup({ backups, now }: Pick<ChecksParts, 'backups' | 'now'>): Promise<CheckOutcome> {
  const report = await backups.lastReport()
  if (!report) {
    const isNewInstance = now() - (await backups.instanceCreatedAt()) <= MAX_BACKUP_AGE
    return isNewInstance ? { hinweis: CHECK_REASONS.backupNever } : { grund: CHECK_REASONS.backupNever }
  }
  const { ok, zeit, orte } = report
  // No remark about 0 targets: a failed run may have left no archive.
  const targetCountHint = orte > 0 ? { hinweis: archiveTargetsText(orte) } : {}
  const hinweis = hasRepairedWarning(report) ? { hinweis: CHECK_REASONS.backupRepaired } : targetCountHint
  if (!ok) return { grund: CHECK_REASONS.backupFailed, ...hinweis }
  if (orte === 0) return { grund: CHECK_REASONS.backupGone }
  if (zeit > now() + MINUTE) return { grund: CHECK_REASONS.backupAhead, ...hinweis }
  if (now() - zeit > MAX_BACKUP_AGE) return { grund: CHECK_REASONS.backupOld, ...hinweis }
  const rehearsal = await backups.lastRehearsal()
  return rehearsal?.ok === false ? { grund: CHECK_REASONS.rehearsalFailed, ...hinweis } : hinweis
}
