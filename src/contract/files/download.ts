/** Schemas of ZIP downloads, and of the forms that choose files for a download or an export. */
import { z } from 'zod'
import { folderInput } from '../paths/folder-input.ts'
import { jsonText } from '../upload/ingest.ts'
import { PATHS_MAX } from '../values/input-limits.ts'
import { exportFormat } from './export.ts'
import { hasEitherPathsOrResult, PATHS_OR_RESULT_ERROR, resultQuery } from './library.ts'

export const downloadQuery = z.strictObject({
  ordner: folderInput.default('').describe('Der Ordner mit seinen Unterordnern; leer: alles'),
})

/**
 * The request is a form, not JSON: a browser saves the answer to a form as a file, without holding it in
 * memory.
 */
const fileChoiceFields = z.object({
  pfade: jsonText
    .pipe(
      z
        .array(z.string(), 'muss eine Liste sein')
        .min(1, 'darf nicht leer sein')
        .max(PATHS_MAX, `darf höchstens ${PATHS_MAX} Einträge haben`),
    )
    .optional()
    .describe('JSON-Liste der Pfade'),
  treffer: jsonText
    .pipe(resultQuery)
    .optional()
    .describe('Statt „pfade“: JSON-Objekt mit ordner, suche, unterordner und den Filtern wie beim Auflisten'),
})
export const chosenFilesForm = fileChoiceFields.refine(hasEitherPathsOrResult, PATHS_OR_RESULT_ERROR)
export const exportForm = fileChoiceFields
  .extend({ format: exportFormat })
  .refine(hasEitherPathsOrResult, PATHS_OR_RESULT_ERROR)

/**
 * The file name of a ZIP. `name`: the name of its folder, or a word for its content. `day`: such as
 * `2026-11-15`.
 */
export const zipName = (name: string, day: string) => `${name}-${day}.zip`

/** The name of a text file that is added to a ZIP if files were deleted while the ZIP was written. */
export const MISSING_FILES_NOTE = 'NICHT-ENTHALTEN.txt'
