/** Whether the service can be reached, according to the last request or the event stream. */
import { createObservable } from '../state/observable.ts'

export const connectionLost = createObservable(false)
export const markLost = () => connectionLost.set(true)
export const markOnline = () => connectionLost.set(false)

/** Milliseconds to wait for `/health`, which does no work: a later answer means that the service is down. */
const HEALTH_PATIENCE = 5_000

/** Only the service itself counts, not a page from somebody else, such as a captive portal. */
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
