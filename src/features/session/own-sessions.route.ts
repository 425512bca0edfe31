/** `/api/dash/sitzungen`: list one's own sessions, end one, end all others. */
import { type OwnSession, ownSessionsAnswer } from '../../contract/accounts/own-sessions.ts'
import { DASHBOARD_ROUTE, doneAnswer } from '../../contract/accounts/session.ts'
import { answerOkAfter } from '../../http/routes.ts'
import { type SessionRoute, sessionRoute } from '../../http/session-route.ts'
import { publicSessionId, type Sessions } from './sessions.ts'

const PATH = `${DASHBOARD_ROUTE}/sitzungen`

export function ownSessionRoutes(sessions: Sessions): SessionRoute[] {
  return [
    sessionRoute('GET', PATH, {
      role: 'ansicht',
      names: 'nothing',
      summary: 'Die eigenen Sitzungen, die zuletzt benutzte zuerst',
      answer: ownSessionsAnswer,
      handle: async (_, { id: ownId, account }) =>
        (await sessions.list(account)).map(
          ({ id, begunAt, at, address, program }): OwnSession => ({
            ...{ id, begonnen: begunAt, zuletzt: at, adresse: address, programm: program },
            diese: id === publicSessionId(ownId),
          }),
        ),
    }),
    sessionRoute('DELETE', PATH, {
      role: 'ansicht',
      names: 'nothing',
      summary: 'Beendet alle eigenen Sitzungen bis auf diese',
      answer: doneAnswer,
      handle: (_, session) => answerOkAfter(sessions.endAll(session.account, session.actor, session)),
    }),
    sessionRoute('DELETE', `${PATH}/:id`, {
      role: 'ansicht',
      names: 'nothing',
      summary: 'Beendet eine eigene Sitzung',
      answer: doneAnswer,
      handle: ({ param }, session) => answerOkAfter(sessions.endOne(param('id'), session)),
    }),
  ]
}
