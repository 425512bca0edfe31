/** `/api/dash/sicherung`: start a run and, where asked, wait for its report; look at it. */
import { BACKUP_ROUTE, backupQuery, backupReport, backupState } from '../../contract/backup.ts'
import { jsonRoute } from '../../http/described.ts'
import { checked } from '../../http/json.ts'
import type { Route } from '../../http/routes.ts'
import { textStream } from '../../http/text-stream.ts'
import type { Session } from '../session/sessions.ts'
import type { Backup } from './backup.ts'

/** Less than a connection may rest, ours and that of a proxy. */
const HEARTBEAT = 15_000

export function backupRoutes({ backup }: { backup: Backup }): Route<Session>[] {
  return [
    jsonRoute({
      method: 'GET',
      path: BACKUP_ROUTE,
      summary: 'Ob eine Sicherung läuft, wie weit sie ist, was die letzte ergab, und welche Archive da sind',
      answer: backupState,
      handle: () => backup.state(),
    }),
    {
      method: 'POST',
      path: BACKUP_ROUTE,
      api: {
        summary:
          'Startet eine Sicherung, oder schließt sich der laufenden an: 202 mit dem Stand, mit warten=1 am Ende 200 mit dem Bericht',
        query: backupQuery,
        answer: backupReport.or(backupState),
      },
      async handle(context) {
        const { warten } = checked(backupQuery, context.req.query())
        const nr = await backup.start()
        if (warten !== '1') return Response.json(await backup.state(), { status: 202 })
        return new Response(textStream(whileWaiting(backup.report(nr))), {
          headers: { 'Content-Type': 'application/json;charset=utf-8' },
        })
      },
    },
  ]
}

/** Blanks before the JSON, which mean nothing there (RFC 8259, 2), keep the connection alive. */
async function* whileWaiting(report: Promise<unknown>): AsyncGenerator<string> {
  for (;;) {
    const rest = Promise.withResolvers<'waiting'>()
    const timer = setTimeout(() => rest.resolve('waiting'), HEARTBEAT)
    const ended = await Promise.race([report.then(value => ({ value })), rest.promise])
    clearTimeout(timer)
    if (ended !== 'waiting') {
      yield JSON.stringify(ended.value)
      return
    }
    yield ' '
  }
}
