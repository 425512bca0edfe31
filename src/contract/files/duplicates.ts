/** Schemas of duplicates: groups of files with equal content, and the choice of which file to keep. */
import { z } from 'zod'
import { MAINTENANCE_ROUTE } from '../service/maintenance.ts'
import { DUPLICATES_MAX_GROUPS } from '../values/input-limits.ts'
import { pageAnswer, pageQuery } from '../values/paging.ts'
import { fileAnswer } from './library.ts'

export const DUPLICATES_ROUTE = `${MAINTENANCE_ROUTE}/doppelte`

export const duplicatesQuery = pageQuery

export const duplicatesAnswer = z.object({
  gruppen: z.array(
    z.object({
      sha256: z.string(),
      size: z.int(),
      dateien: z.int().describe('Wie viele Dateien diesen Inhalt haben'),
      bytes: z.int().describe('Was frei wird, wenn nur eine bleibt'),
      beispiele: z
        .array(fileAnswer)
        .describe('Die meistabgerufenen, bei gleicher Zahl die ältesten zuerst; höchstens 12'),
    }),
  ),
  ...pageAnswer,
  ueberzaehlig: z.int().describe('Dateien aller Gruppen, ohne je eine'),
  bytes: z.int().describe('Was in allen Gruppen frei wird'),
})

/** In each of these groups, all files except `behalten` (keep) are moved to the trash. */
export const removeDuplicatesInput = z.strictObject({
  gruppen: z
    .array(
      z.strictObject({
        sha256: z.string().regex(/^[0-9a-f]{64}$/, 'muss eine SHA-256 aus 64 Zeichen 0–9 und a–f sein'),
        behalten: z.string().describe('Der Pfad der Datei, die bleibt'),
        dateien: z
          .int()
          .min(2)
          .describe('Wie viele die Gruppe zeigte; sind es inzwischen andere, geschieht nichts (409)'),
      }),
    )
    .min(1, 'darf nicht leer sein')
    .max(DUPLICATES_MAX_GROUPS, `darf höchstens ${DUPLICATES_MAX_GROUPS} Einträge haben`)
    .refine(
      groups => new Set(groups.map(({ sha256 }) => sha256)).size === groups.length,
      'nennt einen Inhalt mehrmals',
    ),
})

export const removeDuplicatesAnswer = z.object({ geloescht: z.int(), bytes: z.int() })
