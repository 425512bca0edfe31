/** `GET /api/dash/ereignisse`: the server-sent events that an open dashboard receives. */
import { z } from 'zod'
import { KINDS } from '../paths/kinds.ts'
import { OCCURRENCES } from './history.ts'

/** Milliseconds until a browser reconnects after a lost connection. */
export const EVENTS_RECONNECT_DELAY = 3000
/** Maximum number of event streams per session in one process; each open window of the dashboard has one. */
export const EVENTS_STREAMS_MAX = 20

/** A new entry in the history of files. `art` (kind) is null if there is no file at `pfad` any more. */
const fileEvent = z.object({
  zeit: z.int(),
  was: z.enum(OCCURRENCES),
  pfad: z.string(),
  art: z.enum(KINDS).nullable(),
  bytes: z.int(),
  wer: z.string(),
})

/**
 * A new entry in the history of administration, for example because a setting or a token was changed.
 * Dashboards then reload what the change may affect.
 */
const administrationEvent = z.object({ zeit: z.int(), was: z.string(), wer: z.string() })

/**
 * The preview of the file at `pfad` now exists. Only the machine that made it sends this event, so dashboards
 * also poll for previews.
 */
const previewEvent = z.object({ pfad: z.string() })

const PROGRESS_TASKS = ['sicherung', 'thumbs', 'webp', 'verwaiste', 'integritaet'] as const

/** The progress of a backup or of a maintenance task. `gesamt` (total) is null while it is unknown. */
export const progressEvent = z.object({
  aufgabe: z.enum(PROGRESS_TASKS),
  erledigt: z.int(),
  gesamt: z.int().nullable(),
  fertig: z.boolean(),
})

/**
 * The schema of each event by name. `bereit` (ready): sent at the start of a stream; the client gets all
 * changes after it. `neu_laden` (reload): the client may have missed events, so it should reload what it
 * shows.
 */
export const eventSchemas = {
  bereit: z.object({}),
  neu_laden: z.object({}),
  datei: fileEvent,
  verwaltung: administrationEvent,
  vorschau: previewEvent,
  fortschritt: progressEvent,
}

export type EventName = keyof typeof eventSchemas
export type ServiceEvent = {
  [Name in EventName]: { name: Name; data: z.output<(typeof eventSchemas)[Name]> }
}[EventName]
