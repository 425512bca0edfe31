/**
 * Decides what a failed transfer means: a refusal, a broken connection, or a service that cannot accept files
 * for now.
 */
import { ApiError, ConnectionError, UNEXPECTED_ANSWER } from '../../api/error.ts'
import type { Problem, QueueHold } from './queue-state.ts'

export type TransferFailure =
  | { kind: 'refused'; problem: Problem }
  /** The transfer broke although the service can be reached. */
  | { kind: 'broken' }
  /**
   * The queue must wait. `retryAfter`: the milliseconds for which the answer asks to wait; null if it names
   * no time.
   */
  | { kind: 'wait'; reason: QueueHold['reason']; answer: QueueHold['answer']; retryAfter: number | null }

export interface FailureChecks {
  isReadable(file: File): Promise<boolean>
  isReachable(): Promise<boolean>
  /** Asks the service whether the session is valid; if it has ended, the sign-in dialog is shown. */
  isSignedIn(): Promise<boolean>
}

/**
 * Whether an answer with this status is a temporary failure. 507 is not: a full disk stays full. From 520 on,
 * Cloudflare reports that it gets no answer from the service.
 */
const isTemporary = (status: number) => [408, 425, 429, 502, 503, 504].includes(status) || status >= 520

export async function classifyFailure(
  error: unknown,
  file: File,
  checks: FailureChecks,
): Promise<TransferFailure> {
  if (error instanceof ApiError) return classifyAnswer(error, checks)
  if (!(error instanceof ConnectionError)) return { kind: 'refused', problem: { cause: 'unexpected' } }
  if (!(await checks.isReadable(file))) return { kind: 'refused', problem: { cause: 'unreadable' } }
  if (await checks.isReachable()) return { kind: 'broken' }
  return { kind: 'wait', reason: 'away', answer: null, retryAfter: null }
}

async function classifyAnswer(error: ApiError, { isSignedIn }: FailureChecks): Promise<TransferFailure> {
  const { status, sentence, code, retryAfter } = error
  if (status === 401 && !(await isSignedIn()))
    return { kind: 'wait', reason: 'signedOut', answer: null, retryAfter: null }
  // A 401 with a valid session means that somebody signed in again after this file was sent, so it is sent
  // again.
  if (status !== 401 && !isTemporary(status)) return { kind: 'refused', problem: { sentence, code } }
  const answer = code === UNEXPECTED_ANSWER ? { status } : { sentence, code }
  return { kind: 'wait', reason: 'busy', answer, retryAfter }
}
