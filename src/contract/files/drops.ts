/** Drop links: addresses at which people without an account upload files. */

import { z } from 'zod'
import { nonTopFolderInput } from '../paths/folder-input.ts'
import { KINDS } from '../paths/kinds.ts'
import { isValidPath } from '../paths/path-rules.ts'
import {
  DROP_DEFAULT_FILES,
  DROP_MAX_FILES,
  DROP_NOTE_MAX_LENGTH,
  MAX_VALID_UNTIL,
} from '../values/input-limits.ts'
import { positiveInteger } from '../values/number-schemas.ts'
import { maxCharacters } from '../values/text.ts'

/** Number of characters of a key. The alphabet has 32 characters, so a key has 160 random bits. */
export const DROP_KEY_LENGTH = 32

/** Unknown fields are refused, because one may be a misspelt limit. */
export const dropInput = z.strictObject({
  // The folder must leave room for a file name.
  ordner: nonTopFolderInput.refine(
    value => isValidPath(`${value}/a.bin`),
    'ist kein gültiger Pfad für einen Ordner',
  ),
  hinweis: z
    .string()
    .trim()
    .max(...maxCharacters(DROP_NOTE_MAX_LENGTH))
    .refine(value => !/[^\P{Cc}\n\r\t]/u.test(value), 'darf keine Steuerzeichen enthalten')
    .nullish()
    .describe('Steht über dem Feld, in das die Dateien kommen'),
  max_bytes: positiveInteger.nullish().describe('Größte Datei; sonst gilt MAX_UPLOAD_MB'),
  arten: z.array(z.enum(KINDS)).min(1, 'braucht mindestens eine Art').nullish(),
  gueltig_bis: positiveInteger.max(MAX_VALID_UNTIL, 'liegt zu weit in der Zukunft').nullish(),
  anzahl: positiveInteger
    .max(DROP_MAX_FILES, `darf höchstens ${DROP_MAX_FILES} sein`)
    .nullish()
    .describe(`Wie viele Dateien insgesamt; ohne Angabe ${DROP_DEFAULT_FILES}`),
})
export type DropInput = z.output<typeof dropInput>

/** `abgegeben`, `bytes`: the number and the total size of the files that were uploaded so far. */
export const dropAnswer = z.object({
  schluessel: z.string(),
  adresse: z.string(),
  ordner: z.string(),
  hinweis: z.string().nullable(),
  max_bytes: z.int().nullable(),
  arten: z.array(z.enum(KINDS)).nullable(),
  gueltig_bis: z.int().nullable(),
  anzahl: z.int(),
  abgegeben: z.int(),
  bytes: z.int(),
  erstellt_am: z.int(),
  erstellt_von: z.string(),
})
export type DropOnWire = z.infer<typeof dropAnswer>

export const dropForm = z.object({ file: z.array(z.file()) })

/** `name`: the file name that the visitor sent. The stored name could reveal other files of the folder. */
export const dropUploadAnswer = z.object({
  gespeichert: z.array(z.object({ name: z.string(), size: z.int() })),
  abgelehnt: z.array(z.object({ name: z.string(), grund: z.string(), code: z.string() })),
})
