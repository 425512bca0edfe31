/**
 * Tickets: a program with a token creates an address to which another program may upload a few files. Each
 * use is subject to the limits that the token has at that moment, and to those of the ticket.
 *
 * A use is counted in the transaction that records the file, so a refused or interrupted upload costs no use,
 * and a crash neither loses a use nor grants one twice.
 */
import { randomBytes } from 'node:crypto'
import { sha256 } from '../../base/hash/sha256.ts'
import type { Kind } from '../../contract/paths/kinds.ts'
import { type NewTicket, TICKET_MAX_SECONDS, TICKET_PREFIX } from '../../contract/upload/tickets.ts'
import { DAY, SECOND } from '../../contract/values/units.ts'
import { failure } from '../../errors/errors.ts'
import type { Token } from '../../http/access/actor.ts'
import type { TicketUse } from '../../http/access/ticket.ts'
import type { FeatureParts } from '../feature.ts'
import { checkPath } from '../tokens/check-limits.ts'
import type { Tokens } from '../tokens/tokens.ts'
import * as store from './tickets.store.ts'

export type Tickets = ReturnType<typeof createTickets>

interface TicketsParts extends Pick<FeatureParts, 'database' | 'now'> {
  tokens: Pick<Tokens, 'findValid'>
}

const SECRET_BYTES = 32

/** Maximum number of tickets per token, including expired ones that are not removed yet. */
const MAX_TICKETS_PER_TOKEN = 10_000

/**
 * Milliseconds for which an expired ticket is kept, so that an upload that began before the expiry can still
 * be recorded.
 */
const EXPIRED_TICKET_RETENTION = DAY

const hashOf = (secret: string) => sha256(secret)

export function createTickets({ database, now, tokens }: TicketsParts) {
  /**
   * Whether the ticket has not expired. An expiry further away than the longest lifetime of a ticket was
   * written by a wrong clock and is not accepted.
   */
  function isCurrent({ valid_until }: store.TicketRow): boolean {
    const remainingTime = valid_until - now()
    return remainingTime > 0 && remainingTime <= TICKET_MAX_SECONDS * SECOND
  }

  return {
    /** Creates a ticket. The result is the only place where its secret appears. */
    async create(token: Token, { pfad, ordner, ...ticket }: NewTicket) {
      if (pfad != null) checkPath(token, pfad)
      if (ordner != null) checkPath(token, `${ordner}/a.bin`)
      const secret = TICKET_PREFIX + randomBytes(SECRET_BYTES).toString('base64url')
      const validUntil = Math.min(
        now() + ticket.gueltig_s * SECOND,
        token.validUntil ?? Number.POSITIVE_INFINITY,
      )
      await database.transaction(async tx => {
        if ((await store.countTickets(tx, token.id)) >= MAX_TICKETS_PER_TOKEN)
          throw failure.ticketsTooMany(MAX_TICKETS_PER_TOKEN)
        await store.insertTicket(tx, {
          hash: hashOf(secret),
          token_id: token.id,
          path: pfad ?? null,
          folder: ordner ?? null,
          max_bytes: ticket.max_bytes ?? null,
          kinds: ticket.arten ? JSON.stringify(ticket.arten) : null,
          overwrite: Number(ticket.ueberschreiben ?? false),
          uses_left: ticket.anzahl,
          valid_until: validUntil,
        })
      })
      return { secret, validUntil }
    },

    /**
     * Finds the ticket with this secret. Rejects with the same 401 if it is unknown, used up or expired, or
     * if its token is not valid. Also rejects if the token no longer allows the folder of the ticket.
     */
    async open(secret: string): Promise<TicketUse> {
      const row = await store.findTicket(database.read, hashOf(secret))
      const token = row && isCurrent(row) ? await tokens.findValid(row.token_id) : null
      if (!row || !token) throw failure.ticketInvalid()
      if (row.folder !== null) checkPath(token, `${row.folder}/a.bin`)
      return {
        id: row.hash,
        usesLeft: row.uses_left,
        token: tokenWithTicketLimits(token, row),
        path: row.path,
        overwrite: row.overwrite === 1,
        async claim(tx) {
          if (!(await store.spendTicketUse(tx, row.hash))) throw failure.ticketInvalid()
        },
      }
    },

    removeExpired: () =>
      database.transaction(tx =>
        store.deleteExpiredTickets(tx, { expiredBefore: now() - EXPIRED_TICKET_RETENTION }),
      ),
  }
}

function tokenWithTicketLimits(token: Token, { folder, max_bytes, kinds }: store.TicketRow): Token {
  const ticketKinds = kinds === null ? null : (JSON.parse(kinds) as Kind[])
  const sizeLimits = [token.maxFile, max_bytes].filter(size => size !== null)
  return {
    ...token,
    prefix: folder === null ? token.prefix : `${folder}/`,
    maxFile: sizeLimits.length === 0 ? null : Math.min(...sizeLimits),
    kinds:
      ticketKinds === null
        ? token.kinds
        : (token.kinds?.filter(kind => ticketKinds.includes(kind)) ?? ticketKinds),
  }
}
