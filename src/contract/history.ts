/** The history of files. Words on the wire. */
import { z } from 'zod'
import { pageAnswer, pageQuery } from './paging.ts'

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

const moment = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'muss eine Zeit in Millisekunden sein')
  .transform(Number)

/** `pfad`: the beginning of the path. `wer`: the name as shown. `von`, `bis`: Unix milliseconds, both inclusive. */
const filters = {
  was: z.enum(OCCURRENCES).optional(),
  pfad: z.string().max(200, 'ist zu lang').optional(),
  wer: z.string().max(200, 'ist zu lang').optional(),
  von: moment.optional(),
  bis: moment.optional(),
}

export const historyQuery = pageQuery.extend(filters)

const historyFilter = z.object(filters)
export type HistoryFilter = z.output<typeof historyFilter>

/** The export takes the filters of the list, or this word for the history of administration. */
export const ADMINISTRATION = 'verwaltung'
export const historyExportQuery = historyFilter.extend({
  was: z.enum([...OCCURRENCES, ADMINISTRATION]).optional(),
})

const entries = z.array(
  z.object({
    zeit: z.int(),
    was: z.enum(OCCURRENCES),
    pfad: z.string(),
    wer: z.string(),
    bytes: z.int(),
    einzelheiten: z.string().nullable(),
  }),
)

export const historyAnswer = z.object({ eintraege: entries, ...pageAnswer })

/** The history of one file; `pfad` of an entry is the path that the file had then. */
export const fileHistoryAnswer = z.object({ eintraege: entries })

export const HISTORY_COLUMNS = ['Zeit', 'Was', 'Pfad', 'Wer', 'Bytes', 'Einzelheiten'] as const
export const ADMINISTRATION_COLUMNS = ['Zeit', 'Wer', 'Was', 'Alt', 'Neu'] as const
