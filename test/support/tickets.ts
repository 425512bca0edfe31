/** Tickets: how a program with a token creates them and one without uses them. */
import { answered, type Body, type HeaderMap } from './api.ts'
import { keepSecret } from './secrets.ts'
import type { Service } from './service.ts'

export interface TicketInput {
  pfad?: string | null
  ordner?: string | null
  max_bytes?: number | null
  arten?: string[] | null
  gueltig_s?: number | null
  anzahl?: number | null
  ueberschreiben?: boolean | null
}

export interface Ticket {
  url: string
  gueltig_bis: number
  anzahl: number
}

/** Whatever the answer. */
export const askForTicket = (service: Service, token: string, json?: unknown) =>
  fetch(`${service.url}/api/tickets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(json !== undefined && { body: JSON.stringify(json) }),
  })

export async function makeTicket(service: Service, token: string, input: TicketInput = {}): Promise<Ticket> {
  const ticket = await answered<Ticket>(await askForTicket(service, token, input))
  keepSecret('a ticket', ticket.url.split('/').at(-1)!)
  return ticket
}

/** Whatever the answer. */
export const useTicket = (url: string, body: Body, headers: HeaderMap = {}, method = 'POST') =>
  fetch(url, { method, body, headers })
