/** Tickets: short-lived addresses for a few uploads, for programs that must not know a token. */

import { z } from 'zod'
import { nonTopFolderInput } from '../paths/folder-input.ts'
import { KINDS } from '../paths/kinds.ts'
import { positiveInteger } from '../values/number-schemas.ts'

/**
 * The beginning of every ticket, by which secret scanners can recognise a leaked ticket, and by which the log
 * recognises tickets in paths and leaves them out.
 */
export const TICKET_PREFIX = 'ticket_'

const TICKET_DEFAULT_SECONDS = 600
export const TICKET_MAX_SECONDS = 86_400
const TICKET_MAX_USES = 100

const positiveIntegerUpTo = (maximum: number) =>
  positiveInteger.max(maximum, `darf höchstens ${maximum} sein`)

/**
 * The body of the request for a ticket. If `max_bytes` or `arten` is omitted, only the limit of the token
 * applies. Unknown fields are refused, because one may be a misspelt limit.
 */
export const newTicket = z
  .strictObject({
    pfad: z
      .string()
      .nullish()
      .describe('Ganzer Zielpfad; ohne ihn entsteht ein Name unter „ordner“, oder X-Path nennt ihn.'),
    ordner: nonTopFolderInput
      .nullish()
      .describe('Ganzer Pfad eines Ordners; ohne ihn gilt das Präfix des Tokens.'),
    max_bytes: positiveIntegerUpTo(Number.MAX_SAFE_INTEGER).nullish().describe('Größte Datei.'),
    arten: z.array(z.enum(KINDS)).min(1, 'braucht mindestens eine Art').nullish(),
    gueltig_s: positiveIntegerUpTo(TICKET_MAX_SECONDS).nullish().describe('Sekunden; ohne Angabe 600.'),
    anzahl: positiveIntegerUpTo(TICKET_MAX_USES).nullish().describe('Wie viele Dateien; ohne Angabe eine.'),
    ueberschreiben: z.boolean().nullish().describe('Ob ein belegter Pfad überschrieben wird; sonst 409.'),
  })
  .refine(({ pfad, ordner }) => pfad == null || ordner == null, {
    path: ['ordner'],
    message: 'kann nicht zusammen mit „pfad“ angegeben werden',
  })
  .transform(({ gueltig_s, anzahl, ...limits }) => ({
    ...limits,
    gueltig_s: gueltig_s ?? TICKET_DEFAULT_SECONDS,
    anzahl: anzahl ?? 1,
  }))
export type NewTicket = z.output<typeof newTicket>

export const ticketAnswer = z.object({
  url: z.string().meta({ description: 'POST oder PUT dorthin lädt eine Datei hoch, ohne Token.' }),
  gueltig_bis: z.int(),
  anzahl: z.int(),
})
