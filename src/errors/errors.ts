/**
 * The error catalogue: every code, its status and its German sentence, by area. A client never receives an
 * error that is not in this catalogue; `http/answers/render.ts` turns a failure into a response. Errors of
 * backup and restore have no code and no status: their sentences go into a report, into a message and onto
 * the terminal. Warnings stand in `contract/service/warnings.ts`.
 */
import { accessFailures } from './access.ts'
import { fetchFailures } from './fetch-url.ts'
import { libraryFailures } from './library.ts'
import { requestFailures } from './request.ts'
import { serviceFailures } from './service.ts'
import { uploadFailures } from './upload.ts'

export {
  archiveTrouble,
  BackupTrouble,
  backupTrouble,
  CommandRefusal,
  moveTrouble,
  restoreRefusal,
  restoreTrouble,
} from './backup.ts'
export { Failure } from './failure.ts'

export const failure = {
  ...requestFailures,
  ...accessFailures,
  ...libraryFailures,
  ...uploadFailures,
  ...fetchFailures,
  ...serviceFailures,
} as const
