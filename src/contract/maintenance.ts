/** Maintenance: rounds of derived files, orphans, and whether every stored byte is what it was. */
import { z } from 'zod'
import { DASHBOARD_ROUTE } from './session.ts'

export const MAINTENANCE_ROUTE = `${DASHBOARD_ROUTE}/maintenance`

/** Files in one call; the client calls again until `fertig`. */
export const MAINTENANCE_ROUND = 300

/** `offen` is exact in libraries of ordinary size; in very large ones it also counts what was not looked at yet. */
export const roundAnswer = z.object({ bearbeitet: z.int(), offen: z.int(), fertig: z.boolean() })
export type RoundAnswer = z.infer<typeof roundAnswer>

/** Entries of each list; how many there are in all stands beside it. */
export const ORPHANS_SHOWN = 1000

/** A misspelt `aufraeumen` would otherwise only look, and seem to have cleaned. */
export const orphansInput = z.strictObject({ aufraeumen: z.boolean().optional() })

export const orphansAnswer = z.object({
  /** Names of objects in the store that no entry points to. */
  ohne_eintrag: z.array(z.string()),
  /** Paths of files whose object is not there. */
  ohne_datei: z.array(z.string()),
  /** The same of the trash, where a path may stand several times. */
  papierkorb_ohne_datei: z.array(z.object({ nr: z.int(), path: z.string() })),
  /** Of each list as a whole. */
  gesamt: z.object({ ohne_eintrag: z.int(), ohne_datei: z.int(), papierkorb_ohne_datei: z.int() }),
  /** What the objects without an entry take up. */
  bytes: z.int(),
  /** How many were removed now. */
  entfernt: z.int(),
  /** How many stay for now, because an upload under way may yet need them. */
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

/** Findings shown in one answer; `weitere` says how many there are beyond them. */
export const FINDINGS_SHOWN = 200

const findings = {
  /** When every file had last been read as a whole; null before the first time. */
  geprueft_bis: z.int().nullable(),
  /** `papierkorb`: the file lies in the trash. */
  befunde: z.array(z.object({ pfad: z.string(), grund: z.string(), seit: z.int(), papierkorb: z.boolean() })),
  weitere: z.int(),
}

/** In the overview. */
export const integritySummary = z.object(findings)
export type IntegritySummary = z.infer<typeof integritySummary>

const amount = z.object({ dateien: z.int(), bytes: z.int() })

export const integrityAnswer = z.object({
  /** Somebody is reading right now: the slow check, or a whole one. */
  laeuft: z.boolean(),
  /** The present round: since when, how far, and of how much. */
  runde: z.object({ seit: z.int().nullable(), gelesen: amount, gesamt: amount }),
  ...findings,
})
export type IntegrityAnswer = z.infer<typeof integrityAnswer>
