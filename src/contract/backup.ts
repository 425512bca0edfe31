/** `/api/dash/sicherung`: start a run, look at it, and its report. */
import { z } from 'zod'
import { DASHBOARD_ROUTE } from './session.ts'

export const BACKUP_ROUTE = `${DASHBOARD_ROUTE}/sicherung`

export const backupReport = z.object({
  ok: z.boolean(),
  /** Only where a second target is set, also when its part failed. */
  zweit: z.literal(true).optional(),
  /** When the run ended: a run of hours must not look old before the next one has ended. */
  zeit: z.int(),
  /** The archive's file name; null when none came about. */
  archiv: z.string().nullable(),
  bytes: z.int(),
  /** At how many places that archive lies: of the last run, as it is found there now. */
  orte: z.int(),
  warnungen: z.array(z.string()),
  /** Why it failed, in a sentence. */
  fehler: z.string().optional(),
})
export type BackupReport = z.infer<typeof backupReport>

/** What a run does, one after the other. */
export const BACKUP_STEPS = ['schreiben', 'pruefen', 'zweitziel'] as const
export type BackupStep = (typeof BACKUP_STEPS)[number]

export const backupState = z.object({
  laeuft: z.boolean(),
  /** Bytes of work, of all steps together; null while nothing runs. `gesamt` is an estimate until the end. */
  fortschritt: z
    .object({
      schritt: z.enum(BACKUP_STEPS),
      erledigt: z.int(),
      gesamt: z.int().nullable(),
      seit: z.int(),
    })
    .nullable(),
  /** Null before the first run has ended. */
  letzter: backupReport.nullable(),
  /** What lies at the two targets, the newest first. */
  archive: z.array(
    z.object({
      name: z.string(),
      zeit: z.int(),
      bytes: z.int(),
      /** At how many of the targets; of the last run, at how many of its places. */
      orte: z.int(),
      /** False when files were missing or damaged as it was made. */
      vollstaendig: z.boolean(),
    }),
  ),
  /** What is amiss with the targets as they are set now. */
  warnungen: z.array(z.string()),
})
export type BackupState = z.infer<typeof backupState>

export const backupQuery = z.object({ warten: z.enum(['0', '1'], 'muss 0 oder 1 sein').optional() })
