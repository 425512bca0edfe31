/** The trash: its limits, and the schemas of its routes. */
import { z } from 'zod'
import { KINDS } from '../paths/kinds.ts'
import { PATH_MAX_LENGTH } from '../paths/path-rules.ts'
import { TRASH_REQUEST_MAX_ENTRIES } from '../values/input-limits.ts'
import { pageAnswer, pageQuery } from '../values/paging.ts'
import { DAY } from '../values/units.ts'
import { TRASH_REASONS } from './choices.ts'

export const TRASH_MAX_DAYS = 30
/**
 * Milliseconds for which entries are kept. At the start and every hour, older entries are removed (unless the
 * clock may be wrong, see `jobs/clock-watch.ts`), and then the oldest ones until the trash is within its size
 * limit.
 */
export const TRASH_MAX_AGE = TRASH_MAX_DAYS * DAY

const entryNumbers = z
  .array(z.int('muss eine ganze Zahl sein'), 'muss eine Liste von Nummern sein')
  .max(TRASH_REQUEST_MAX_ENTRIES, `darf höchstens ${TRASH_REQUEST_MAX_ENTRIES} Nummern enthalten`)

export const trashQuery = pageQuery.extend({
  pfad: z
    .string()
    .max(PATH_MAX_LENGTH, 'ist zu lang')
    .optional()
    .describe('Nur die früheren Fassungen dieses Pfads'),
  grund: z.enum(TRASH_REASONS).optional().describe('Nur was aus diesem Grund im Papierkorb liegt'),
})
export type TrashFilter = Pick<z.output<typeof trashQuery>, 'pfad' | 'grund'>

/**
 * Times are Unix milliseconds. `gesamt` counts the entries that match the query; `bytes` is the size of all
 * entries that the account may see.
 */
export const trashAnswer = z.object({
  eintraege: z.array(
    z.object({
      nr: z.int(),
      path: z.string(),
      size: z.int(),
      mime: z.string(),
      art: z.enum(KINDS),
      geloescht_am: z.int(),
      geloescht_von: z.string(),
      grund: z.enum(TRASH_REASONS),
      verfaellt_am: z.int(),
      vorschau: z.string().nullable(),
    }),
  ),
  ...pageAnswer,
  bytes: z.int(),
  maxBytes: z.int(),
  maxTage: z.int(),
})
export type TrashEntryOnWire = z.infer<typeof trashAnswer>['eintraege'][number]

export const restoreInput = z.object({
  nummern: entryNumbers,
  ersetzen: z
    .boolean('muss true oder false sein')
    .default(false)
    .describe('Eine Datei, die jetzt an einem der Pfade liegt, kommt dafür in den Papierkorb'),
})

export const restoreAnswer = z.object({
  wiederhergestellt: z.array(z.object({ nr: z.int(), path: z.string(), url: z.string() })),
  abgelehnt: z.array(z.object({ nr: z.int(), grund: z.string(), code: z.string() })),
})

/**
 * Without `nummern`, all entries that the account may see are removed. Unknown fields are refused, because
 * one may be a misspelt `nummern`.
 */
export const emptyTrashInput = z.strictObject({ nummern: entryNumbers.optional() })

export const emptyTrashAnswer = z.object({ entfernt: z.int(), bytes: z.int() })
