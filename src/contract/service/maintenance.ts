/**
 * Maintenance: making missing previews and WebP versions, removing orphaned objects, checking the stored
 * bytes. Times are Unix milliseconds.
 */
import { z } from 'zod'
import { DASHBOARD_ROUTE } from '../paths/addresses.ts'

export const MAINTENANCE_ROUTE = `${DASHBOARD_ROUTE}/maintenance`

/**
 * Maximum number of files for which one call makes previews or WebP versions. The client repeats the call
 * until `fertig` (done) is true.
 */
export const MAINTENANCE_ROUND_FILES = 300

/**
 * `bearbeitet`: files processed by this call. `offen`: files still to process; in very large libraries this
 * includes files that were not examined yet.
 */
export const maintenanceRoundAnswer = z.object({ bearbeitet: z.int(), offen: z.int(), fertig: z.boolean() })
export type MaintenanceRoundAnswer = z.infer<typeof maintenanceRoundAnswer>

/** Maximum number of entries in each list of `orphansAnswer`; `gesamt` has the total numbers. */
export const MAX_ORPHANS_SHOWN = 1000

/**
 * Unknown fields are refused: a call with a misspelt `aufraeumen` (clean up) would only list the orphaned
 * objects instead of removing them.
 */
export const orphansInput = z.strictObject({ aufraeumen: z.boolean().optional() })

export const orphansAnswer = z.object({
  /**
   * Names of objects without a database row, except those on the discard list, which are about to be removed.
   */
  ohne_eintrag: z.array(z.string()),
  /** Paths of files whose object is missing. */
  ohne_datei: z.array(z.string()),
  /** Files in the trash whose object is missing; a path may occur several times in the trash. */
  papierkorb_ohne_datei: z.array(z.object({ nr: z.int(), path: z.string() })),
  gesamt: z.object({ ohne_eintrag: z.int(), ohne_datei: z.int(), papierkorb_ohne_datei: z.int() }),
  /** Total bytes of the objects in `ohne_eintrag`, including those that are not listed. */
  bytes: z.int(),
  entfernt: z.int(),
  /** Number of these objects that are too young to be removed: a running upload may still write their row. */
  zu_jung: z.int(),
})
export type OrphansAnswer = z.infer<typeof orphansAnswer>

/** German sentences that say what is wrong with a stored file. */
export const FINDING_SENTENCES = {
  missing: 'Die Datei fehlt in der Ablage.',
  size: 'Die Datei hat in der Ablage eine andere Länge, als sie haben sollte.',
  content: 'Der Inhalt der Datei hat sich verändert: die Prüfsumme stimmt nicht.',
  unreadable: 'Die Datei lässt sich nicht lesen.',
} as const
export const findingCode = (reason: keyof typeof FINDING_SENTENCES) => `finding-${reason}`

/**
 * Maximum number of entries of `befunde` (findings) in the full answer; `weitere` counts the findings that
 * are not listed.
 */
export const MAX_FINDINGS_SHOWN = 200

const findingFields = {
  /** When the last complete check of all files ended; null before the first one has ended. */
  geprueft_bis: z.int().nullable(),
  /** `papierkorb`: whether the file is in the trash. */
  befunde: z.array(
    z.object({
      pfad: z.string(),
      grund: z.string(),
      code: z.string(),
      seit: z.int(),
      papierkorb: z.boolean(),
    }),
  ),
  weitere: z.int(),
}

/** The fields of the integrity check's answer that the overview of the dashboard shows. */
export const integritySummary = z.object(findingFields)
export type IntegritySummary = z.infer<typeof integritySummary>

const fileTotals = z.object({ dateien: z.int(), bytes: z.int() })

export const integrityAnswer = z.object({
  /** Whether a check is reading files, in the background or on request. */
  laeuft: z.boolean(),
  /**
   * The current check of all files: when it began (`seit`; null if none is in progress), what was read so far
   * (`gelesen`), and all there is to read (`gesamt`).
   */
  runde: z.object({ seit: z.int().nullable(), gelesen: fileTotals, gesamt: fileTotals }),
  ...findingFields,
})
export type IntegrityAnswer = z.infer<typeof integrityAnswer>
