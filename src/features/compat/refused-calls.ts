/**
 * The compatibility routes implement the API of a third-party media host. This file lists calls of that API
 * that this service does not support. They are answered with an error that says so; only a CORS preflight for
 * them succeeds.
 */
import type { Context } from 'hono'
import { type Failure, failure } from '../../errors/errors.ts'
import { answerPreflight } from '../../http/answers/cors.ts'

const UNSUPPORTED_CALLS: readonly [path: string, refusal: () => Failure][] = [
  ['/api/:call{(.*/)?presigned-url.*}', failure.presignedUnknown],
  ['/api/:call{(v[0-9]+/)?logs(/.*)?}', failure.logsUnknown],
]

export const REFUSED_CALLS = UNSUPPORTED_CALLS.map(([path, createFailure]) => ({
  path,
  refuse({ req }: Context): Response {
    if (req.method === 'OPTIONS') return answerPreflight(req.raw, ['GET', 'POST', 'PUT', 'OPTIONS'])
    throw createFailure()
  },
}))
