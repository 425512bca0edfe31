/**
 * The filters of a list of files, beside folder and search. Each field is text, as in a query, and narrows
 * the list further.
 */
import { z } from 'zod'
import { KINDS } from '../paths/kinds.ts'
import { FILTER_MAX_DAYS, FILTER_MAX_TOKENS, ORIENTATIONS } from '../values/limits.ts'

/** Several values are separated by commas. */
const kinds = z
  .string()
  .transform((text, context) => {
    const given = [...new Set(text.split(','))]
    const known = KINDS.filter(kind => given.includes(kind))
    if (known.length < given.length) context.addIssue(`muss aus ${KINDS.join(', ')} bestehen`)
    return known
  })
  .describe('Eine Art, oder mehrere mit Komma: bilder,video')

const tokens = z
  .string()
  .min(1, 'darf nicht leer sein')
  .transform(text => [...new Set(text.split(','))])
  .refine(given => given.every(id => id !== '' && id.length <= 100), 'muss aus Ids von Tokens bestehen')
  .refine(given => given.length <= FILTER_MAX_TOKENS, `darf höchstens ${FILTER_MAX_TOKENS} Einträge haben`)
  .describe('Die Id eines Tokens, oder mehrere mit Komma')

const whole = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'muss eine ganze Zahl sein')
  .transform(Number)

const moment = (description: string) =>
  z
    .string()
    .regex(/^[0-9]{1,15}$/, 'muss eine Zeit in Millisekunden sein')
    .transform(Number)
    .optional()
    .describe(description)

export const filterFields = {
  art: kinds.optional(),
  token: tokens.optional(),
  geaendert_von: moment('Zuletzt geändert zu dieser Zeit oder später; Unix-Millisekunden'),
  geaendert_bis: moment('Zuletzt geändert zu dieser Zeit oder früher'),
  min_bytes: whole.optional(),
  max_bytes: whole.optional(),
  min_breite: whole.optional().describe('Pixel; nur Dateien, deren Maße bekannt sind'),
  max_breite: whole.optional(),
  min_hoehe: whole.optional(),
  max_hoehe: whole.optional(),
  ausrichtung: z.enum(ORIENTATIONS).optional().describe('Breiter als hoch, höher als breit, oder gleich'),
  nie_abgerufen: z.enum(['0', '1']).optional().describe('1: nur, was noch nie abgerufen wurde'),
  nicht_abgerufen_seit: moment(
    'Seit dieser Zeit weder abgerufen noch gespeichert: eine Datei, die erst später kam, zählt nicht',
  ),
  unabgerufen_tage: whole
    .refine(days => days >= 1 && days <= FILTER_MAX_DAYS, `muss zwischen 1 und ${FILTER_MAX_DAYS} liegen`)
    .optional()
    .describe('Wie „nicht_abgerufen_seit“, in Tagen vor jetzt'),
}
