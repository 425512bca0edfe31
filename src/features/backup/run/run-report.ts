/** Creates the report of a backup run: of a run that has made an archive, or of one that has failed. */
import type { BackupReport } from '../../../contract/service/backup.ts'
import type { WarningCode } from '../../../contract/service/warnings.ts'
import { type BackupTrouble, backupTrouble } from '../../../errors/errors.ts'
import { warningFields } from '../places/target-warnings.ts'
import { foldersOf, type Targets } from '../places/targets.ts'
import type { TargetCheckParts } from './check-targets.ts'
import type { NewArchive } from './make-archive.ts'
import type { UsedPlace } from './repair.ts'

export type RunReport = Omit<BackupReport, 'zeit'>

interface RunResult {
  newArchive: NewArchive
  usedPlaces: readonly UsedPlace[]
  troubles: readonly BackupTrouble[]
  warnings: readonly WarningCode[]
}

/** The report of a run that has made an archive. It includes problems, such as a target that failed. */
export async function createRunReport(
  parts: Pick<TargetCheckParts, 'warningsFor' | 'listArchives'>,
  targets: Targets,
  { newArchive, usedPlaces, troubles, warnings }: RunResult,
): Promise<RunReport> {
  const listings = await Promise.all(foldersOf(targets).map(parts.listArchives))
  return {
    ok: troubles.length === 0,
    ...(targets.secondFolder !== null && { zweit: true as const }),
    archiv: newArchive.name,
    bytes: newArchive.bytes,
    gesichert: newArchive.contentBytes,
    orte: usedPlaces.length,
    plaetze: usedPlaces.map(({ place, copiedBytes, pruneResult }) => ({
      ort: place.name,
      bytes: pruneResult.bytes,
      kopiert: copiedBytes,
    })),
    ...(await warningFields(listings, parts, targets, warnings)),
    ...(troubles.length > 0 && {
      fehler: troubles.map(({ sentence }) => sentence).join(' '),
      fehler_codes: troubles.map(({ code }) => code),
    }),
  }
}

export const isDeadRunReport = ({ fehler_codes = [] }: BackupReport) =>
  fehler_codes.includes(backupTrouble.died().code)

export const createFailureReport = (
  { secondFolder }: Targets,
  { sentence, code }: Pick<BackupTrouble, 'sentence' | 'code'>,
  endedAt: number,
): BackupReport => ({
  ok: false,
  ...(secondFolder !== null && { zweit: true as const }),
  zeit: endedAt,
  archiv: null,
  bytes: 0,
  orte: 0,
  warnungen: [],
  fehler: sentence,
  fehler_codes: [code],
})
