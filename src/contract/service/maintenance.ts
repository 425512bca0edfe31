/**
 * Maintenance: remaking derived files in rounds, orphans, and checking that all stored bytes are unchanged.
 */
import { z } from 'zod'
import { DASHBOARD_ROUTE } from '../accounts/session.ts'

export const MAINTENANCE_ROUTE = `${DASHBOARD_ROUTE}/maintenance`

/** Files that one call handles; the client calls again until `fertig` is true. */
export const MAINTENANCE_ROUND = 300

/**
 * `offen` is exact in libraries of ordinary size; in very large ones it also counts files that were not
 * checked yet.
 */
export const roundAnswer = z.object({ bearbeitet: z.int(), offen: z.int(), fertig: z.boolean() })
export type RoundAnswer = z.infer<typeof roundAnswer>

/** The most entries of each list; the total number is in `gesamt`. */
export const ORPHANS_SHOWN = 1000

/**
 * Strict: with a misspelt `aufraeumen` the call would only list the orphans, and seem to have removed them.
 */
export const orphansInput = z.strictObject({ aufraeumen: z.boolean().optional() })

export const orphansAnswer = z.object({
  /** Names of stored objects to which no row refers. */
  ohne_eintrag: z.array(z.string()),
  /** Paths of files whose object is missing. */
  ohne_datei: z.array(z.string()),
  /** Files in the trash whose object is missing; a path may occur several times in the trash. */
  papierkorb_ohne_datei: z.array(z.object({ nr: z.int(), path: z.string() })),
  /** The total number of entries of each list. */
  gesamt: z.object({ ohne_eintrag: z.int(), ohne_datei: z.int(), papierkorb_ohne_datei: z.int() }),
  /** The size of all objects to which no row refers. */
  bytes: z.int(),
  /** The number of objects that this call removed. */
  entfernt: z.int(),
  /** The number of objects that stay for now, because a running upload may still need them. */
  zu_jung: z.int(),
})
export type OrphansAnswer = z.infer<typeof orphansAnswer>

/** What is wrong with a stored file, in a sentence. */
export const FINDING_SENTENCES = {
  missing: 'Die Datei fehlt in der Ablage.',
  size: 'Die Datei hat in der Ablage eine andere Länge, als sie haben sollte.',
  content: 'Der Inhalt der Datei hat sich verändert: die Prüfsumme stimmt nicht.',
  unreadable: 'Die Datei lässt sich nicht lesen.',
} as const
export const findingCode = (reason: keyof typeof FINDING_SENTENCES) => `finding-${reason}`

/** The most findings in one answer; `weitere` is the number of further findings. */
export const FINDINGS_SHOWN = 200

const findings = {
  /** When the last complete round ended, in which every file was read; null before the first one. */
  geprueft_bis: z.int().nullable(),
  /** `papierkorb`: the file is in the trash. */
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

/** The part of the findings that the overview shows. */
export const integritySummary = z.object(findings)
export type IntegritySummary = z.infer<typeof integritySummary>

const amount = z.object({ dateien: z.int(), bytes: z.int() })

export const integrityAnswer = z.object({
  /** True while a check reads files: the slow background check, or a complete check. */
  laeuft: z.boolean(),
  /** The current round: when it began, how much was read, and how much there is in total. */
  runde: z.object({ seit: z.int().nullable(), gelesen: amount, gesamt: amount }),
  ...findings,
})
export type IntegrityAnswer = z.infer<typeof integrityAnswer>
