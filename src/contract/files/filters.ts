/**
 * The filters of a list of files, in addition to folder and search. Each given filter narrows the list
 * further. Values are text, as in a query string.
 */

import { z } from 'zod'
import { KINDS } from '../paths/kinds.ts'
import { FILTER_MAX_DAYS, FILTER_MAX_TOKENS } from '../values/input-limits.ts'
import { timestampText } from '../values/number-schemas.ts'
import { ORIENTATIONS } from './choices.ts'

/** One or more kinds, separated by commas. */
const kinds = z
  .string()
  .transform((text, context) => {
    const names = [...new Set(text.split(','))]
    const knownKinds = KINDS.filter(kind => names.includes(kind))
    if (knownKinds.length < names.length) context.addIssue(`muss aus ${KINDS.join(', ')} bestehen`)
    return knownKinds
  })
  .describe('Eine Art, oder mehrere mit Komma: bilder,video')

const tokens = z
  .string()
  .min(1, 'darf nicht leer sein')
  .transform(text => [...new Set(text.split(','))])
  .refine(ids => ids.every(id => id !== '' && id.length <= 100), 'muss aus Ids von Tokens bestehen')
  .refine(ids => ids.length <= FILTER_MAX_TOKENS, `darf höchstens ${FILTER_MAX_TOKENS} Einträge haben`)
  .describe('Die Id eines Tokens, oder mehrere mit Komma')

const wholeNumber = z
  .string()
  .regex(/^[0-9]{1,15}$/, 'muss eine ganze Zahl sein')
  .transform(Number)

const timestamp = (description: string) => timestampText.optional().describe(description)

export const filterFields = {
  art: kinds.optional(),
  token: tokens.optional(),
  geaendert_von: timestamp('Zuletzt geändert zu dieser Zeit oder später; Unix-Millisekunden'),
  geaendert_bis: timestamp('Zuletzt geändert zu dieser Zeit oder früher'),
  min_bytes: wholeNumber.optional(),
  max_bytes: wholeNumber.optional(),
  min_breite: wholeNumber.optional().describe('Pixel; nur Dateien, deren Maße bekannt sind'),
  max_breite: wholeNumber.optional(),
  min_hoehe: wholeNumber.optional(),
  max_hoehe: wholeNumber.optional(),
  ausrichtung: z.enum(ORIENTATIONS).optional().describe('Breiter als hoch, höher als breit, oder gleich'),
  nie_abgerufen: z.enum(['0', '1']).optional().describe('1: nur, was noch nie abgerufen wurde'),
  nicht_abgerufen_seit: timestamp(
    'Seit dieser Zeit weder abgerufen noch gespeichert: eine Datei, die erst später kam, zählt nicht',
  ),
  unabgerufen_tage: wholeNumber
    .refine(days => days >= 1 && days <= FILTER_MAX_DAYS, `muss zwischen 1 und ${FILTER_MAX_DAYS} liegen`)
    .optional()
    .describe('Wie „nicht_abgerufen_seit“, in Tagen vor jetzt'),
}
