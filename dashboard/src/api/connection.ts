/** Whether the service can be reached, according to the last request or the event stream. */
import { createObservable } from '../state/observable.ts'

export const isConnectionLost = createObservable(false)
export const markDisconnected = () => isConnectionLost.set(true)
export const markConnected = () => isConnectionLost.set(false)

/** A service that takes longer to answer `/health`, which does no work, counts as unreachable. */
const HEALTH_TIMEOUT_MS = 5_000

/**
 * Requests `/health`, updates `isConnectionLost`, and returns whether the service has answered. An answer
 * from anything else, such as a captive portal, does not count.
 */
export async function isServiceReachable(): Promise<boolean> {
  const hasAnswered = await fetch('/health', { signal: AbortSignal.timeout(HEALTH_TIMEOUT_MS) })
    .then(response => response.json())
    .then(
      answer => answer?.ok === true,
      () => false,
    )
  if (hasAnswered) markConnected()
  else markDisconnected()
  return hasAnswered
}
