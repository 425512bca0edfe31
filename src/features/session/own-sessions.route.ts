/** `/api/dash/sitzungen`: list one's own sessions, end one, end all others. */
import { type OwnSession, ownSessionsAnswer } from '../../contract/accounts/own-sessions.ts'
import { doneAnswer } from '../../contract/accounts/session.ts'
import { DASHBOARD_ROUTE } from '../../contract/paths/addresses.ts'
import { type SessionRoute, sessionRoute } from '../../http/route-rights.ts'
import { answerOkWhenDone } from '../../http/routes.ts'
import { publicSessionId, type Sessions } from './sessions.ts'

const PATH = `${DASHBOARD_ROUTE}/sitzungen`

export function ownSessionRoutes(sessions: Sessions): SessionRoute[] {
  return [
    sessionRoute('GET', PATH, {
      role: 'ansicht',
      targets: 'nothing',
      summary: 'Die eigenen Sitzungen, die zuletzt benutzte zuerst',
      answer: ownSessionsAnswer,
      handle: async (_, { id: currentSessionId, account }) =>
        (await sessions.list(account)).map(
          ({ id, begunAt, usedAt, address, program }): OwnSession => ({
            id,
            begonnen: begunAt,
            zuletzt: usedAt,
            adresse: address,
            programm: program,
            diese: id === publicSessionId(currentSessionId),
          }),
        ),
    }),
    sessionRoute('DELETE', PATH, {
      role: 'ansicht',
      targets: 'nothing',
      summary: 'Beendet alle eigenen Sitzungen bis auf diese',
      answer: doneAnswer,
      handle: (_, session) => answerOkWhenDone(sessions.endAll(session.account, session.actor, session)),
    }),
    sessionRoute('DELETE', `${PATH}/:id`, {
      role: 'ansicht',
      targets: 'nothing',
      summary: 'Beendet eine eigene Sitzung',
      answer: doneAnswer,
      handle: ({ param }, session) => answerOkWhenDone(sessions.endOne(param('id'), session)),
    }),
  ]
}
