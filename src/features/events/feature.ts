/** Events: open dashboard pages are notified of changes at once. */
import { eventsRoute } from './events.route.ts'
import { createEvents, type EventsParts } from './events.ts'

export function createEventsFeature(parts: EventsParts) {
  const events = createEvents(parts)
  const { publish, publishHere, close, settled } = events
  return { publish, publishHere, close, settled, routes: { session: [eventsRoute(events)] } }
}
