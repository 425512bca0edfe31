/**
 * Decides what a failed transfer means: a refusal, a broken connection, or a service that cannot accept files
 * for now.
 */
import { ApiError, ConnectionError, UNEXPECTED_ANSWER_CODE } from '../../api/error.ts'
import type { QueueHold, UploadProblem } from './queue-state.ts'

export type TransferFailure =
  | { kind: 'refused'; problem: UploadProblem }
  /** The transfer broke although the service can be reached. */
  | { kind: 'broken' }
  /**
   * The queue must wait. `retryAfter`: the milliseconds to wait according to the answer; null if it names no
   * time.
   */
  | { kind: 'wait'; reason: QueueHold['reason']; answer: QueueHold['answer']; retryAfter: number | null }

export interface FailureChecks {
  isReadable(file: File): Promise<boolean>
  isReachable(): Promise<boolean>
  /**
   * Asks the service whether the session is valid; false only if the service says that it has ended. The
   * sign-in dialog is shown then.
   */
  isSignedIn(): Promise<boolean>
}

/**
 * Whether an answer with this status is a temporary failure. 507 is not: a full disk stays full. With 520 and
 * above, Cloudflare reports that it got no usable answer from the service.
 */
const isTemporaryStatus = (status: number) => [408, 425, 429, 502, 503, 504].includes(status) || status >= 520

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
  // A 401 although the session is valid means that somebody signed in again after the request was sent, so
  // the file is sent again.
  if (status !== 401 && !isTemporaryStatus(status)) return { kind: 'refused', problem: { sentence, code } }
  const answer = code === UNEXPECTED_ANSWER_CODE ? { status } : { sentence, code }
  return { kind: 'wait', reason: 'busy', answer, retryAfter }
}
