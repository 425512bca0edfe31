/** Schemas of the history of files. */

import { z } from 'zod'
import { timestampText } from '../values/number-schemas.ts'
import { pageAnswer, pageQuery } from '../values/paging.ts'

export const OCCURRENCES = [
  'hochgeladen',
  'ueberschrieben',
  'umbenannt',
  'verschoben',
  'geloescht',
  'wiederhergestellt',
  'entfernt',
] as const
export type Occurrence = (typeof OCCURRENCES)[number]

/**
 * `pfad`: how the path begins. `wer`: the actor, as `actorText` writes it. `von`, `bis`: Unix milliseconds,
 * inclusive.
 */
const filterFields = {
  was: z.enum(OCCURRENCES).optional(),
  pfad: z.string().max(200, 'ist zu lang').optional(),
  wer: z.string().max(200, 'ist zu lang').optional(),
  von: timestampText.optional(),
  bis: timestampText.optional(),
}

export const historyQuery = pageQuery.extend({
  ...filterFields,
  aktion: z.string().max(100, 'ist zu lang').optional().describe('Nur was diese Aktion getan hat'),
  gruppen: z
    .enum(['0', '1'])
    .default('0')
    .describe(
      '1: Was eine Aktion mit vielen Dateien tat, ist ein Eintrag mit „aktion“ und „dateien“. Mit „pfad“ oder „aktion“ bleibt jede Datei ein Eintrag.',
    ),
})

const historyFilter = z.strictObject(filterFields)
export type HistoryFilter = z.output<typeof historyFilter> & {
  aktion?: string | undefined
  /** If true, only the first (leading) one of the entries with the same `aktion` and `was` is listed. */
  isLeadingOnly?: boolean
}

/**
 * With this value of `was`, the export contains the history of administration instead of the history of
 * files.
 */
export const ADMINISTRATION_HISTORY = 'verwaltung'
export const historyExportQuery = historyFilter.extend({
  was: z.enum([...OCCURRENCES, ADMINISTRATION_HISTORY]).optional(),
})

const historyEntry = z.object({
  zeit: z.int(),
  was: z.enum(OCCURRENCES),
  pfad: z.string(),
  wer: z.string(),
  bytes: z.int(),
  einzelheiten: z.string().nullable(),
})

/**
 * Additional fields with `gruppen=1`. If the query has neither `pfad` nor `aktion`, an entry stands for all
 * entries with the same `aktion` and `was`, and `dateien` is their number. Otherwise `dateien` is 1.
 */
const groupFields = { aktion: z.string().nullable().optional(), dateien: z.int().optional() }

export const historyAnswer = z.object({ eintraege: z.array(historyEntry.extend(groupFields)), ...pageAnswer })

/** The history of one file; `pfad` is the path that the file had at that time. */
export const fileHistoryAnswer = z.object({ eintraege: z.array(historyEntry) })

export const HISTORY_EXPORT_COLUMNS = ['Zeit', 'Was', 'Pfad', 'Wer', 'Bytes', 'Einzelheiten'] as const
export const ADMINISTRATION_EXPORT_COLUMNS = ['Zeit', 'Wer', 'Was', 'Alt', 'Neu'] as const
