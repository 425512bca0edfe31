/**
 * The scope (who may call) of the routes at and below the address of a ticket. The address contains the
 * secret of the ticket.
 */
import { TICKETS_ROUTE } from '../../contract/paths/addresses.ts'
import type { TicketUse } from '../../http/access/ticket.ts'
import type { RouteScope } from '../../http/routes.ts'
import { pathOf } from '../../http/url-parts.ts'
import type { Tickets } from './tickets.ts'

export function ticketScope(tickets: Tickets): RouteScope<TicketUse> {
  return request =>
    tickets.open(
      pathOf(request.url)
        .slice(TICKETS_ROUTE.length + 1)
        .split('/', 1)[0] ?? '',
    )
}
