/**
 * The error catalogue: code, status and German sentence of every error that the service answers with, by
 * area. `http/answers/render-error.ts` turns a failure into a response, and sends an error without a matching
 * entry as `unexpected`. Errors of backup and restore have no status, because they are only part of reports
 * and messages. Warnings are in `contract/service/warnings.ts`.
 */
import { accessFailures } from './access.ts'
import { dropFailures } from './drops.ts'
import { externalFailures } from './external.ts'
import { fetchFailures } from './fetch-url.ts'
import { libraryFailures } from './library.ts'
import { requestFailures } from './request.ts'
import { serviceFailures } from './service.ts'
import { uploadFailures } from './upload.ts'

export { archiveTrouble } from './archive.ts'
export { backupTrouble } from './backup.ts'
export { BackupTrouble, CommandRefusal } from './backup-trouble.ts'
export { Failure } from './failure.ts'
export { migrateTrouble } from './migrate.ts'
export { rehearsalTrouble } from './rehearsal.ts'
export { restoreRefusal, restoreTrouble } from './restore.ts'

export const failure = {
  ...requestFailures,
  ...accessFailures,
  ...externalFailures,
  ...libraryFailures,
  ...uploadFailures,
  ...dropFailures,
  ...fetchFailures,
  ...serviceFailures,
} as const
