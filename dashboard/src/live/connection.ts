/** Whether the service can be reached, as the last attempt showed. Requests and the event stream report here. */
import { createObservable } from '../hooks/observable.ts'

export const connectionLost = createObservable(false)
export const markLost = () => connectionLost.set(true)
export const markOnline = () => connectionLost.set(false)

/** Milliseconds: `/health` waits for nothing, so silence for longer is an answer too. */
const HEALTH_PATIENCE = 5_000

/** Asks the service for a sign of life; a page that somebody else answers with is none. */
export async function isReachable(): Promise<boolean> {
  const reached = await fetch('/health', { signal: AbortSignal.timeout(HEALTH_PATIENCE) })
    .then(response => response.json())
    .then(
      answer => answer?.ok === true,
      () => false,
    )
  if (reached) markOnline()
  else markLost()
  return reached
}
