/** `GET /api/dash/uebersicht`: the figures of the first page. */
import { z } from 'zod'
import { backupReport } from './backup.ts'
import { KINDS } from './kinds.ts'
import { integritySummary } from './maintenance.ts'

/** Days in the chart, today included. */
export const OVERVIEW_DAYS = 30
/** Files in each of the short lists. */
export const OVERVIEW_FILES = 10

const file = z.object({
  path: z.string(),
  url: z.string(),
  vorschau: z.string().nullable(),
  size: z.int(),
  art: z.enum(KINDS),
  updated_at: z.int(),
  abrufe: z.int(),
  zuletzt_abgerufen: z.int().nullable(),
})

export const overviewAnswer = z.object({
  dateien: z.int(),
  bytes: z.int(),
  /** All five, also those without a file. */
  arten: z.array(z.object({ art: z.enum(KINDS), dateien: z.int(), bytes: z.int() })),
  abrufe: z.object({
    /** Today and the six days before. */
    letzte_7_tage: z.int(),
    /** The oldest first, days without a retrieval included; `tag` like 2026-11-15, in the time of the service. */
    tage: z.array(z.object({ tag: z.string(), abrufe: z.int() })),
  }),
  neueste: z.array(file),
  meist_abgerufen: z.array(file),
  nie_abgerufen: z.object({ anzahl: z.int(), dateien: z.array(file) }),
  /** Bytes of the disk that holds the data folder; null where the system does not say. */
  platz: z.object({ frei: z.int(), gesamt: z.int() }).nullable(),
  /** The last backup's report; null before the first one. */
  sicherung: backupReport.nullable(),
  /** Whether every stored byte is what it was; the first few findings. */
  integritaet: integritySummary,
})
export type OverviewAnswer = z.infer<typeof overviewAnswer>
export type OverviewFile = z.infer<typeof file>
