/** `GET /api/dash/uebersicht`: the figures and short lists of files on the dashboard's start page. */
import { z } from 'zod'
import { KINDS } from '../paths/kinds.ts'
import { backupReport } from '../service/backup.ts'
import { integritySummary } from '../service/maintenance.ts'

/** Number of days in the chart of retrievals, including today. */
export const OVERVIEW_DAYS = 30
/** Maximum number of files in each list of the overview. */
export const OVERVIEW_FILES = 10

export const overviewFile = z.object({
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
  /** All five kinds, including those without a file. */
  arten: z.array(z.object({ art: z.enum(KINDS), dateien: z.int(), bytes: z.int() })),
  abrufe: z.object({
    /** Retrievals today and on the six days before. */
    letzte_7_tage: z.int(),
    /**
     * The last `OVERVIEW_DAYS` days, oldest first, without gaps. `tag` (day): such as `2026-11-15`, in the
     * service's time zone.
     */
    tage: z.array(z.object({ tag: z.string(), abrufe: z.int() })),
  }),
  neueste: z.array(overviewFile),
  meist_abgerufen: z.array(overviewFile),
  nie_abgerufen: z.object({ anzahl: z.int(), dateien: z.array(overviewFile) }),
  /**
   * Free and total bytes of the disk of the data folder; null for roles other than operator, or if the system
   * does not report them.
   */
  platz: z.object({ frei: z.int(), gesamt: z.int() }).nullable(),
  /** The report of the last backup; null before the first one, and for roles other than operator. */
  sicherung: backupReport.nullable(),
  /** The result of the integrity check, with the first few findings; null for roles other than operator. */
  integritaet: integritySummary.nullable(),
})
export type OverviewAnswer = z.infer<typeof overviewAnswer>
export type OverviewFile = z.infer<typeof overviewFile>
