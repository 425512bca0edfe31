/** `/api/dash/sicherung`: starts a run and, if asked, waits for its report; shows the state of the backup. */
import type { SignedIn } from '../../access/callers.ts'
import { BACKUP_ROUTE, backupQuery, backupReport, backupState } from '../../contract/backup.ts'
import { type Route, route } from '../../http/routes.ts'
import type { Backup } from './backup.ts'

/**
 * Milliseconds between two blanks. Less than the time for which a connection may be idle, in this service and in a
 * proxy.
 */
const HEARTBEAT = 15_000

export interface BackupRouteParts {
  backup: Backup
  /** Milliseconds; only tests set this. */
  heartbeat?: number
}

export function backupRoutes({ backup, heartbeat = HEARTBEAT }: BackupRouteParts): Route<SignedIn>[] {
  return [
    route('GET', BACKUP_ROUTE, {
      summary: 'Ob eine Sicherung läuft, wie weit sie ist, was die letzte ergab, und welche Archive da sind',
      answer: backupState,
      handle: () => backup.state(),
    }),
    route('POST', BACKUP_ROUTE, {
      summary:
        'Startet eine Sicherung, oder schließt sich der laufenden an: 202 mit dem Stand, mit warten=1 am Ende 200 mit dem Bericht',
      query: backupQuery,
      answer: backupReport.or(backupState),
      async handle({ query: { warten } }) {
        const nr = await backup.start()
        if (warten !== '1') return Response.json(await backup.state(), { status: 202 })
        return new Response(whenKnown(backup.report(nr), heartbeat), {
          headers: { 'Content-Type': 'application/json;charset=utf-8' },
        })
      },
    }),
  ]
}

/**
 * The report as JSON once it is known. Until then blanks are sent to keep the connection alive; blanks before the JSON
 * mean nothing (RFC 8259, 2).
 */
function whenKnown(report: Promise<unknown>, heartbeat: number): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder()
  let timer: Timer
  let gone = false
  return new ReadableStream<Uint8Array>({
    start(controller) {
      timer = setInterval(() => controller.enqueue(encoder.encode(' ')), heartbeat)
      const end = (finish: () => void) => {
        clearInterval(timer)
        if (!gone) finish()
      }
      report.then(
        value =>
          end(() => {
            controller.enqueue(encoder.encode(JSON.stringify(value)))
            controller.close()
          }),
        error => end(() => controller.error(error)),
      )
    },
    cancel() {
      gone = true
      clearInterval(timer)
    },
  })
}
