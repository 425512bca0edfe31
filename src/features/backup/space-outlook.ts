/** Warns if the space at a target does not suffice for the next run, or for the runs of the coming week. */
import type { BackupReport } from '../../contract/service/backup.ts'
import type { WarningCode } from '../../contract/service/warnings.ts'
import type { Queries } from '../../database/database.ts'
import { ownedAmount } from '../integrity/owners.ts'
import { rowBytes, successfulReports } from './run/backup.store.ts'

/** Number of future runs that should fit, so that the operator is warned in time. */
const RUNS_AHEAD = 7

export interface PlaceSpace {
  folder: string
  /** Null if unknown. */
  free: number | null
  /** Whether the target already has archives. */
  isUsed: boolean
}

export async function spaceWarnings(db: Queries, places: readonly PlaceSpace[]): Promise<WarningCode[]> {
  const [reports, rows, { bytes: owned }] = await Promise.all([
    successfulReports(db),
    rowBytes(db),
    ownedAmount(db),
  ])
  const codes = places.map(({ folder, free, isUsed }) => {
    const here = reports.filter(({ plaetze = [] }) => plaetze.some(({ ort }) => ort === folder))
    if (free === null || (isUsed && here.length === 0)) return null
    const next = rows + Math.max(0, owned - (here[0]?.gesichert ?? 0))
    if (free < next) return 'space-too-small'
    return free < next + (RUNS_AHEAD - 1) * averageCopy(here, folder) ? 'space-runs-out' : null
  })
  return [...new Set(codes.filter(code => code !== null))]
}

/**
 * Average number of bytes that the recent runs copied to this target. A run that copied everything, as the
 * first one does, is left out.
 */
function averageCopy(reports: readonly BackupReport[], folder: string): number {
  const copies = reports
    .slice(0, RUNS_AHEAD)
    .flatMap(({ plaetze = [] }) => plaetze.filter(({ ort }) => ort === folder))
    .filter(({ kopiert, bytes }) => kopiert < bytes)
  return copies.reduce((sum, { kopiert }) => sum + kopiert, 0) / Math.max(1, copies.length)
}
