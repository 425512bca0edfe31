/**
 * Waits for a promise until a signal aborts (timeout, or the client has disconnected), and says why it
 * aborted.
 */
import { Failure, failure } from '../../errors/errors.ts'

/** The result of `promise`; rejects if `deadline` aborts first. */
export async function withinTime<T>(promise: Promise<T>, deadline: AbortSignal): Promise<T> {
  // Prevents an unhandled rejection: after `deadline` has aborted, nobody waits for the promise.
  promise.catch(() => {})
  let onAbort = () => {}
  const timeout = new Promise<never>((_, reject) => {
    onAbort = () => reject(timeoutFailure(deadline))
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
 * The failure for an aborted signal: its reason if that is a `Failure`; otherwise a timeout, or that the
 * client has disconnected.
 */
export function timeoutFailure(deadline: AbortSignal): Failure {
  if (deadline.reason instanceof Failure) return deadline.reason
  return deadline.reason instanceof Error && deadline.reason.name === 'TimeoutError'
    ? failure.sourceTooSlow()
    : failure.bodyCut()
}
