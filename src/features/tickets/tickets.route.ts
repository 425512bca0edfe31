/** `POST /api/tickets` creates a ticket; `POST` or `PUT` to its address uploads as `/api/upload` does. */

import { DEFAULT_PREFIX } from '../../contract/accounts/tokens.ts'
import { TICKETS_ROUTE, ticketAddress } from '../../contract/paths/addresses.ts'
import { newTicket, ticketAnswer } from '../../contract/upload/tickets.ts'
import { ticketHeaders, uploadAnswer, uploadForms } from '../../contract/upload/upload.ts'
import type { Token } from '../../http/access/actor.ts'
import type { TicketUse } from '../../http/access/ticket.ts'
import { JSON_MEDIA_TYPE, type Route, route } from '../../http/routes.ts'
import type { Settings } from '../settings/settings.ts'
import { type StoreBodyParts, storeBody } from '../upload/store-and-answer.ts'
import type { UploadOptions } from '../upload/upload.ts'
import { uploadOptionsOf } from '../upload/upload-headers.ts'
import type { Tickets } from './tickets.ts'

export function ticketRoutes({
  tickets,
  settings,
}: {
  tickets: Tickets
  settings: Settings
}): Route<Token>[] {
  return [
    route('POST', TICKETS_ROUTE, {
      summary: 'Macht ein Ticket: eine Adresse, an die ein Programm ohne Token hochlädt',
      body: newTicket,
      isBodyOptional: true,
      answer: ticketAnswer,
      answerType: JSON_MEDIA_TYPE,
      async handle({ body }, token: Token) {
        const { secret, validUntil } = await tickets.create(token, body)
        const url = ticketAddress(settings.current().PUBLIC_URL, secret)
        return { url, gueltig_bis: validUntil, anzahl: body.anzahl }
      },
    }),
  ]
}

export function ticketUseRoutes(parts: StoreBodyParts): Route<TicketUse>[] {
  return (['POST', 'PUT'] as const).map(method =>
    route(method, `${TICKETS_ROUTE}/:schluessel`, {
      summary: 'Speichert eine Datei mit einem Ticket, in denselben Formen wie /api/upload',
      handlerInput: { headers: ticketHeaders, forms: uploadForms },
      answer: uploadAnswer,
      answerType: JSON_MEDIA_TYPE,
      handle({ request }, ticket: TicketUse) {
        const requestedOptions = uploadOptionsOf(request)
        const options = {
          ...requestedOptions,
          ...ticketDestination(ticket, requestedOptions),
          transactionHook: ticket.claim,
        }
        return storeBody(parts, request, ticket.token, options)
      },
    }),
  )
}

/** Decides the path of a file that is uploaded with a ticket, and what it may overwrite. */
export function ticketDestination(
  ticket: TicketUse,
  requestedOptions: Pick<UploadOptions, 'path' | 'overwrite'>,
) {
  const path = pathWithTicket(ticket, requestedOptions.path)
  // A generated path is derived from the content, so a second upload of the same file gets the same path. It
  // is accepted, since its bytes are the same.
  const allowedOverwrite = ticket.overwrite || (path === null && ('equal' as const))
  return { path, overwrite: requestedOptions.overwrite && allowedOverwrite }
}

/**
 * Returns the path that the ticket prescribes. If it prescribes none, returns the requested path below the
 * token's prefix (the folder of the ticket, if it has one) or else below `DEFAULT_PREFIX`. Null if no path
 * was requested either, so that one is generated.
 */
function pathWithTicket({ path, token }: TicketUse, requestedPath: string | null): string | null {
  if (path !== null || requestedPath === null) return path
  return `${token.prefix ?? DEFAULT_PREFIX}${requestedPath}`
}
