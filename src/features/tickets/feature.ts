/** Tickets: upload addresses for programs that must not know a token. */

import { HOUR } from '../../contract/values/units.ts'
import type { ClockWatch } from '../../jobs/clock-watch.ts'
import type { FeatureParts } from '../feature.ts'
import type { Tokens } from '../tokens/tokens.ts'
import type { Upload } from '../upload/upload.ts'
import { ticketRoutes, ticketUseRoutes } from './tickets.route.ts'
import { createTickets } from './tickets.ts'

export function createTicketsFeature(
  parts: FeatureParts & { tokens: Tokens; upload: Upload; clockWatch: Pick<ClockWatch, 'mayRemoveByAge'> },
) {
  const tickets = createTickets(parts)
  async function removeExpired(): Promise<void> {
    if (await parts.clockWatch.mayRemoveByAge()) await tickets.removeExpired()
  }
  return {
    tickets,
    routes: { token: ticketRoutes({ ...parts, tickets }), ticket: ticketUseRoutes(parts) },
    jobs: [{ name: 'tickets', lease: 'tickets' as const, interval: HOUR, atStart: true, run: removeExpired }],
  }
}
