/** Time-outs as signals. */
import { Failure, failure } from '../../errors.ts'

/** What `promise` gives, unless the signal fires first. */
export async function withinTime<T>(promise: Promise<T>, time: AbortSignal): Promise<T> {
  // Should it fail after nobody waits any more, that is no one's business.
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

/** Why the signal fired: a time-out of ours, or the person who asked has gone away. */
export function outOfTime(time: AbortSignal): Failure {
  if (time.reason instanceof Failure) return time.reason
  return time.reason instanceof Error && time.reason.name === 'TimeoutError'
    ? failure.sourceTooSlow()
    : failure.bodyCut()
}
