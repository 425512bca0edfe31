/** `GET /api/dash/ereignisse`: what the dashboard is told while it is open, as server-sent events. */
import { z } from 'zod'
import { OCCURRENCES } from './history.ts'
import { KINDS } from './kinds.ts'

/** Milliseconds until a browser connects again. */
export const EVENTS_RETRY = 3000
/** Streams that one session may hold open: as many windows. */
export const EVENTS_STREAMS_MAX = 20

/** Something happened to a file; `art` is null once it is gone. */
export const fileEvent = z.object({
  zeit: z.int(),
  was: z.enum(OCCURRENCES),
  pfad: z.string(),
  art: z.enum(KINDS).nullable(),
  bytes: z.int(),
  wer: z.string(),
})

/** A setting, a token, an account or a share was changed; what it is now is asked for where it matters. */
export const administrationEvent = z.object({ zeit: z.int(), was: z.string(), wer: z.string() })

export const TASKS = ['sicherung', 'thumbs', 'webp', 'verwaiste', 'integritaet'] as const

/** How far a backup or a maintenance has come; `gesamt` is null while nobody knows. */
export const progressEvent = z.object({
  aufgabe: z.enum(TASKS),
  erledigt: z.int(),
  gesamt: z.int().nullable(),
  fertig: z.boolean(),
})

/**
 * By the name of the event. `bereit`: from here on nothing is missed. `neu_laden`: too much happened, or something may
 * have been missed, so what is shown should be asked for anew.
 */
export const eventSchemas = {
  bereit: z.object({}),
  neu_laden: z.object({}),
  datei: fileEvent,
  verwaltung: administrationEvent,
  fortschritt: progressEvent,
}

export type EventName = keyof typeof eventSchemas
export type ServiceEvent = {
  [Name in EventName]: { name: Name; data: z.output<(typeof eventSchemas)[Name]> }
}[EventName]
