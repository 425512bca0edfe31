/** What a failed transfer means: a refusal, a broken connection, or a service that has to be waited for. */
import { ApiError, ConnectionError, UNEXPECTED_ANSWER } from '../../api/error.ts'
import type { Hold, Problem } from './queue-state.ts'

export type Verdict =
  | { kind: 'refused'; problem: Problem }
  /** The transfer broke although the service answers. */
  | { kind: 'broken' }
  /** `after`: milliseconds that the answer asks to wait. */
  | { kind: 'wait'; why: Hold['why']; said: Hold['said']; after: number | null }

export interface VerdictParts {
  isReadable(file: File): Promise<boolean>
  isReachable(): Promise<boolean>
  /** Asks the service; if the session is over, shows the login. */
  isSignedIn(): Promise<boolean>
}

/** Not 507: a full disk stays full. From 520 on: Cloudflare gets no answer from the service. */
const isTemporary = (status: number) => [408, 425, 429, 502, 503, 504].includes(status) || status >= 520

export async function judge(error: unknown, file: File, parts: VerdictParts): Promise<Verdict> {
  if (error instanceof ApiError) return judgeAnswer(error, parts)
  if (!(error instanceof ConnectionError)) return { kind: 'refused', problem: { cause: 'unexpected' } }
  if (!(await parts.isReadable(file))) return { kind: 'refused', problem: { cause: 'unreadable' } }
  if (await parts.isReachable()) return { kind: 'broken' }
  return { kind: 'wait', why: 'away', said: null, after: null }
}

async function judgeAnswer(error: ApiError, { isSignedIn }: VerdictParts): Promise<Verdict> {
  const { status, sentence, code, retryAfter } = error
  if (status === 401 && !(await isSignedIn()))
    return { kind: 'wait', why: 'signedOut', said: null, after: null }
  // A 401 with a valid session: somebody signed in again after this file was sent, so it is sent once more.
  if (status !== 401 && !isTemporary(status)) return { kind: 'refused', problem: { sentence, code } }
  const said = code === UNEXPECTED_ANSWER ? { status } : { sentence, code }
  return { kind: 'wait', why: 'busy', said, after: retryAfter }
}
