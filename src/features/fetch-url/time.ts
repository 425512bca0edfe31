/** Waits for a promise until a timeout signal fires, and says why it fired. */
import { Failure, failure } from '../../errors/errors.ts'

/** The result of `promise`; rejects if the signal fires first. */
export async function withinTime<T>(promise: Promise<T>, time: AbortSignal): Promise<T> {
  // If the promise fails after the signal fired, nobody waits for it any more.
  promise.catch(() => {})
  let stop = () => {}
  const up = new Promise<never>((_, reject) => {
    stop = () => reject(outOfTime(time))
    time.addEventListener('abort', stop, { once: true })
    if (time.aborted) stop()
  })
  try {
    return await Promise.race([promise, up])
  } finally {
    time.removeEventListener('abort', stop)
  }
}

/** The error for an aborted signal: its reason if that is a `Failure`, a timeout, or the client has gone. */
export function outOfTime(time: AbortSignal): Failure {
  if (time.reason instanceof Failure) return time.reason
  return time.reason instanceof Error && time.reason.name === 'TimeoutError'
    ? failure.sourceTooSlow()
    : failure.bodyCut()
}
