/** Notifies open dashboard pages of changes soon after they happen. */
import { eventsRoute } from './events.route.ts'
import { createEvents, type EventsParts } from './events.ts'

export function createEventsFeature(parts: EventsParts) {
  const events = createEvents(parts)
  const { publish, publishHere, close, finishProgress } = events
  return { publish, publishHere, close, finishProgress, routes: { session: [eventsRoute(events)] } }
}
