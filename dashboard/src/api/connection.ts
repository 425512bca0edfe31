/** Whether the service can be reached, as the last attempt showed. Requests and the event stream report here. */
import { createObservable } from '../state/observable.ts'

export const connectionLost = createObservable(false)
export const markLost = () => connectionLost.set(true)
export const markOnline = () => connectionLost.set(false)

/** Milliseconds: `/health` waits for nothing, so no answer within this time means that the service is unreachable. */
const HEALTH_PATIENCE = 5_000

/** Whether the service itself answers. A page from somebody else, such as a captive portal, does not count. */
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
