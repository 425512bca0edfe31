/** `GET /api/dash/statistik`: figures by day, and files worth looking at. */
import { z } from 'zod'
import { folderInput } from '../paths/folder-input.ts'
import { overviewFile } from './overview.ts'

/** Number of days in every answer, including today; single files have no earlier days. */
export const STATISTICS_DAYS = 90
/** Number of entries in each list. */
export const STATISTICS_ROWS = 20

export const statisticsQuery = z.strictObject({
  ordner: folderInput.default('').describe('Nur was darunter liegt; leer: alles'),
})

/** Oldest day first, without gaps; `tag` like 2026-11-15, in the service's time zone. */
const retrievalFigures = z.object({
  gesamt: z.int(),
  tage: z.array(z.object({ tag: z.string(), abrufe: z.int() })),
})
export type RetrievalDays = z.infer<typeof retrievalFigures>

/** What exists now, and its retrievals in these days. */
const usageFigures = { dateien: z.int(), bytes: z.int(), abrufe: z.int() }

export const statisticsAnswer = z.object({
  ordner: z.string(),
  dateien: z.int(),
  bytes: z.int(),
  abrufe: retrievalFigures,
  /**
   * Files and bytes at the end of each day; null for days without a figure. The list itself is null for a
   * folder, and for an account that is limited to folders.
   */
  speicher: z
    .array(z.object({ tag: z.string(), dateien: z.int().nullable(), bytes: z.int().nullable() }))
    .nullable(),
  /** The subfolders directly inside the folder, those with most retrievals first. */
  unterordner: z.array(z.object({ name: z.string(), pfad: z.string(), ...usageFigures })),
  groesste: z.array(overviewFile),
  /** Files whose last retrieval (or upload, if they were never retrieved) is the longest ago come first. */
  lange_nicht_abgerufen: z.array(overviewFile),
  /**
   * `id` is null for files without a token, or of a revoked one. The list itself is null for a folder, and
   * for everybody except operators.
   */
  tokens: z
    .array(z.object({ id: z.string().nullable(), name: z.string().nullable(), ...usageFigures }))
    .nullable(),
})
export type StatisticsAnswer = z.infer<typeof statisticsAnswer>

export const fileStatisticsAnswer = retrievalFigures
