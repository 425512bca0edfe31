/**
 * Warns if the free space at a backup target is too small for the next run, or for the runs of the coming
 * week.
 */
import type { BackupReport } from '../../contract/service/backup.ts'
import type { WarningCode } from '../../contract/service/warnings.ts'
import type { Queries } from '../../database/database.ts'
import { totalFileAmount } from '../integrity/owners.ts'
import { estimateArchiveBytes, successfulReports } from './run/backup.store.ts'

/** Number of future backup runs that should fit, so that the operator is warned in time. */
const FORECAST_RUNS = 7

export interface PlaceSpace {
  folder: string
  /** Bytes available; null if unknown. */
  freeBytes: number | null
  /** Whether the target already has archives. Also true if the target did not answer. */
  isUsed: boolean
}

export async function spaceWarnings(db: Queries, places: readonly PlaceSpace[]): Promise<WarningCode[]> {
  const [reports, archiveBytes, { bytes: libraryBytes }] = await Promise.all([
    successfulReports(db),
    estimateArchiveBytes(db),
    totalFileAmount(db),
  ])
  const codes = places.map(({ folder, freeBytes, isUsed }) => {
    const reportsOfTarget = reports.filter(({ plaetze = [] }) => plaetze.some(({ ort }) => ort === folder))
    if (freeBytes === null || (isUsed && reportsOfTarget.length === 0)) return null
    const nextRunBytes = archiveBytes + Math.max(0, libraryBytes - (reportsOfTarget[0]?.gesichert ?? 0))
    if (freeBytes < nextRunBytes) return 'space-too-small'
    return freeBytes < nextRunBytes + (FORECAST_RUNS - 1) * averageCopiedBytes(reportsOfTarget, folder)
      ? 'space-runs-out'
      : null
  })
  return [...new Set(codes.filter(code => code !== null))]
}

/**
 * Average number of bytes that the recent runs copied to this target. Runs that copied everything, as the
 * first one does, are left out; 0 if no run remains.
 */
function averageCopiedBytes(reports: readonly BackupReport[], folder: string): number {
  const targetReports = reports
    .slice(0, FORECAST_RUNS)
    .flatMap(({ plaetze = [] }) => plaetze.filter(({ ort }) => ort === folder))
    .filter(({ kopiert, bytes }) => kopiert < bytes)
  return targetReports.reduce((sum, { kopiert }) => sum + kopiert, 0) / Math.max(1, targetReports.length)
}
