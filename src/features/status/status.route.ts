/** `GET /status`: open to everybody. */

import { ERROR_CODE_HEADER } from '../../contract/service/error-headers.ts'
import { statusAnswer, statusQuery } from '../../contract/service/status.ts'
import { failure } from '../../errors/errors.ts'
import type { AnyCaller } from '../../http/access/callers.ts'
import { type Route, route } from '../../http/routes.ts'
import type { Status } from './status.ts'

/** Whether the request is strict: an impaired service is then answered with 503 too. */
const isStrict = (streng: string | undefined) => streng === '1' || streng === 'true'

export function statusRoute(status: Status): Route<AnyCaller> {
  return route('GET', '/status', {
    summary:
      'Wie es dem Dienst geht; 503, wenn er gestört ist, mit „streng=1“ oder „streng=true“ auch, wenn er beeinträchtigt ist',
    query: statusQuery,
    answer: statusAnswer,
    async handle({ query: { streng } }) {
      const answer = await status.answer()
      const stateFailure = {
        gesund: null,
        beeintraechtigt: isStrict(streng) ? failure.statusImpaired() : null,
        gestoert: failure.statusDisturbed(),
      }[answer.stand]
      if (!stateFailure) return answer
      return Response.json(
        { ...answer, error: stateFailure.sentence },
        { status: stateFailure.status, headers: { [ERROR_CODE_HEADER]: stateFailure.code } },
      )
    },
  })
}
