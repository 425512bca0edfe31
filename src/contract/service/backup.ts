/** `/api/dash/sicherung`: starting a backup, its progress, and its report. Times are Unix milliseconds. */
import { z } from 'zod'
import { DASHBOARD_ROUTE } from '../paths/addresses.ts'
import { WARNING_CODES } from './warnings.ts'

export const BACKUP_ROUTE = `${DASHBOARD_ROUTE}/sicherung`

export const backupReport = z.object({
  ok: z.boolean(),
  /** Present if a second target is set, even if writing to it failed. */
  zweit: z.literal(true).optional(),
  /**
   * When the run ended. The age of a backup is counted from its end: if it were counted from its start, the
   * backup of a long run would count as too old before the next run has ended.
   */
  zeit: z.int(),
  /** The file name of the archive; null if none was made. */
  archiv: z.string().nullable(),
  /** Bytes of the archive file. The contents of the stored files are kept beside it and do not count. */
  bytes: z.int(),
  /**
   * Number of targets that have the archive: in an answer, at present; in a saved report, at the end of the
   * run.
   */
  orte: z.int(),
  /** Total bytes of all files that were saved; files with equal contents are counted individually. */
  gesichert: z.int().optional(),
  /**
   * The targets of this run. `bytes`: the space that all archives and contents occupy there. `kopiert`: the
   * bytes that this run copied there.
   */
  plaetze: z.array(z.object({ ort: z.string(), bytes: z.int(), kopiert: z.int() })).optional(),
  warnungen: z.array(z.string()),
  /** The codes of `warnungen`, in the same order. Missing in reports of earlier versions. */
  warnungen_codes: z.array(z.enum(WARNING_CODES)).optional(),
  /**
   * What went wrong, as sentences. The archive may exist nevertheless, for example if only the second target
   * failed.
   */
  fehler: z.string().optional(),
  /** The codes of the sentences in `fehler`, in the same order. Missing in reports of earlier versions. */
  fehler_codes: z.array(z.string()).optional(),
})
export type BackupReport = z.infer<typeof backupReport>

/** The result of a rehearsed restore. */
export const rehearsalReport = z.object({
  ok: z.boolean(),
  /** When the rehearsal ended. */
  zeit: z.int(),
  /**
   * `archiv`: the name of the archive; null if there was none. `ort`: the target from which the archive was
   * restored; null if the rehearsal failed.
   */
  archiv: z.string().nullable(),
  ort: z.string().nullable(),
  /**
   * `zeilen`: rows, all of which were compared. `dateien`: files in the archive. `stichprobe`: files whose
   * content was compared. All are 0 if the rehearsal failed.
   */
  zeilen: z.int(),
  dateien: z.int(),
  stichprobe: z.int(),
  /** Why the rehearsal failed, as a sentence, and a list with the code of that sentence. */
  fehler: z.string().optional(),
  fehler_codes: z.array(z.string()).optional(),
})
export type RehearsalReport = z.infer<typeof rehearsalReport>

/**
 * Why an archive is kept. `anzahl`: it is one of the newest. `woche`, `monat`: it is the newest complete one
 * of a week or month, or its newest one if none is complete. `vollstaendig`: it is the newest complete one of
 * all.
 */
export const KEEP_REASONS = ['anzahl', 'woche', 'monat', 'vollstaendig'] as const
export type KeepReason = (typeof KEEP_REASONS)[number]

/** The steps of a backup, in their order. */
const BACKUP_STEPS = ['schreiben', 'pruefen', 'zweitziel', 'bucket'] as const
export type BackupStep = (typeof BACKUP_STEPS)[number]

export const backupState = z.object({
  laeuft: z.boolean(),
  /**
   * The progress in bytes, over all steps together; null while no backup runs. `gesamt` (total) is null at
   * the start, then an estimate. `seit`: when the run began.
   */
  fortschritt: z
    .object({
      schritt: z.enum(BACKUP_STEPS),
      erledigt: z.int(),
      gesamt: z.int().nullable(),
      seit: z.int(),
    })
    .nullable(),
  /** The report of the last run; null before the first run has ended. */
  letzter: backupReport.nullable(),
  /** The archives at the current targets, newest first. */
  archive: z.array(
    z.object({
      name: z.string(),
      zeit: z.int(),
      bytes: z.int(),
      /** Number of targets that have this archive. */
      orte: z.int(),
      /** Whether all files were present and undamaged while the archive was made. */
      vollstaendig: z.boolean(),
      /** The reasons for keeping the archive. If there are none, the next run removes it. */
      gruende: z.array(z.enum(KEEP_REASONS)),
    }),
  ),
  /**
   * The current targets. `frei`: free bytes. `bytes`: the space that archives and contents occupied after the
   * last run.
   */
  plaetze: z.array(z.object({ ort: z.string(), frei: z.int().nullable(), bytes: z.int().nullable() })),
  /** The report of the last rehearsed restore; null before the first one. */
  probe: rehearsalReport.nullable(),
  /** Warnings about the current targets, and the codes of these warnings in the same order. */
  warnungen: z.array(z.string()),
  warnungen_codes: z.array(z.enum(WARNING_CODES)),
})
export type BackupState = z.infer<typeof backupState>

/** The SHA-256 of the download of an archive, which contains the contents of all its files. */
export const archiveChecksumAnswer = z.object({ sha256: z.string() })

export const backupQuery = z.strictObject({ warten: z.enum(['0', '1'], 'muss 0 oder 1 sein').optional() })
