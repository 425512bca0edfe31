/**
 * Waits for a promise until a signal aborts, and creates the failure that says why it aborted: a timeout, or
 * a client that has disconnected.
 */
import { Failure, failure } from '../../errors/errors.ts'

/** The result of `promise`; rejects if `deadline` aborts first. */
export async function raceDeadline<T>(promise: Promise<T>, deadline: AbortSignal): Promise<T> {
  // Prevents an unhandled rejection: after `deadline` has aborted, nobody waits for the promise.
  promise.catch(() => {})
  let onAbort = () => {}
  const timeout = new Promise<never>((_, reject) => {
    onAbort = () => reject(abortFailure(deadline))
    deadline.addEventListener('abort', onAbort, { once: true })
    if (deadline.aborted) onAbort()
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    deadline.removeEventListener('abort', onAbort)
  }
}

/**
 * The failure for an aborted signal: the reason of the signal if that is a `Failure`, otherwise the failure
 * for a timeout or for a client that has disconnected.
 */
export function abortFailure(deadline: AbortSignal): Failure {
  if (deadline.reason instanceof Failure) return deadline.reason
  return deadline.reason instanceof Error && deadline.reason.name === 'TimeoutError'
    ? failure.sourceTooSlow()
    : failure.bodyCut()
}
