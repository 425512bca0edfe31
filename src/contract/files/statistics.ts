/**
 * `GET /api/dash/statistik`: retrievals and storage by day, the largest files, and the least recently
 * retrieved ones.
 */
import { z } from 'zod'
import { folderInput } from '../paths/folder-input.ts'
import { overviewFile } from './overview.ts'

/**
 * Maximum number of folders, files and tokens in their lists; `tokens` may have one more entry, for all files
 * without a token or with a revoked token.
 */
export const STATISTICS_ROWS = 20

export const statisticsQuery = z.strictObject({
  ordner: folderInput.default('').describe('Nur was darunter liegt; leer: alles'),
})

/**
 * `tage`: the last `STATISTICS_DAYS` days, oldest first, without gaps; `tag` (day) such as `2026-11-15`, in
 * the service's time zone. `gesamt`: the sum of these days.
 */
const retrievalCounts = z.object({
  gesamt: z.int(),
  tage: z.array(z.object({ tag: z.string(), abrufe: z.int() })),
})
export type RetrievalCounts = z.infer<typeof retrievalCounts>

/** The number and size of the present files, and their retrievals in the last `STATISTICS_DAYS` days. */
const usageFields = { dateien: z.int(), bytes: z.int(), abrufe: z.int() }

export const statisticsAnswer = z.object({
  ordner: z.string(),
  dateien: z.int(),
  bytes: z.int(),
  abrufe: retrievalCounts,
  /**
   * Files and bytes at the end of each day; null for days before the first recorded figure. The list itself
   * is null if the query names a folder, and for an account that is limited to folders.
   */
  speicher: z
    .array(z.object({ tag: z.string(), dateien: z.int().nullable(), bytes: z.int().nullable() }))
    .nullable(),
  /** The direct subfolders with the most retrievals, in this order. */
  unterordner: z.array(z.object({ name: z.string(), pfad: z.string(), ...usageFields })),
  groesste: z.array(overviewFile),
  /**
   * The files whose last retrieval is longest ago, in this order. For a file that was never retrieved, the
   * time of its upload counts.
   */
  lange_nicht_abgerufen: z.array(overviewFile),
  /**
   * `id` is null in the entry for all files without a token or with a revoked token. The list itself is null
   * if the query names a folder, for an account that is limited to folders, and for everybody except
   * operators.
   */
  tokens: z
    .array(z.object({ id: z.string().nullable(), name: z.string().nullable(), ...usageFields }))
    .nullable(),
})
export type StatisticsAnswer = z.infer<typeof statisticsAnswer>

export const fileStatisticsAnswer = retrievalCounts
