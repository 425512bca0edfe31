/** Waits for a promise until a timeout signal fires, and says why it fired. */
import { Failure, failure } from '../../errors/errors.ts'

/** The result of `promise`; rejects if the signal fires first. */
export async function withinTime<T>(promise: Promise<T>, deadline: AbortSignal): Promise<T> {
  // Prevents an unhandled rejection: after the signal has fired, nobody waits for the promise.
  promise.catch(() => {})
  let stop = () => {}
  const timeout = new Promise<never>((_, reject) => {
    stop = () => reject(timeoutFailure(deadline))
    deadline.addEventListener('abort', stop, { once: true })
    if (deadline.aborted) stop()
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    deadline.removeEventListener('abort', stop)
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
