/** Schemas and limits of the library in the dashboard: files, folders, and actions on them. */
import { z } from 'zod'
import { folderInput, nonTopFolderInput } from '../paths/folder-input.ts'
import { KINDS } from '../paths/kinds.ts'
import { PATH_MAX_LENGTH } from '../paths/path-rules.ts'
import { NAMES_MAX, PATHS_MAX } from '../values/input-limits.ts'
import { DEFAULT_PAGE_SIZE } from '../values/page-sizes.ts'
import { digitsOnly, pageAnswer, pageQuery } from '../values/paging.ts'
import { maxCharacters } from '../values/text.ts'
import { MEGABYTE } from '../values/units.ts'
import { SORT_ORDERS } from './choices.ts'
import { filterFields } from './filters.ts'

/**
 * Maximum size in bytes of a body with `PATHS_MAX` paths, and of one with `NAMES_MAX` names, of usual length.
 */
export const PATHS_BODY_LIMIT = 4 * MEGABYTE
export const NAMES_BODY_LIMIT = 8 * MEGABYTE
/**
 * Maximum number of files that one search-and-replace may rename. If there are more, it is refused, and the
 * user has to limit it to a folder.
 */
export const REPLACE_MAX_FILES = 50_000
const EXPRESSION_MAX_LENGTH = 500
/** Maximum page size of `GET /api/dateien`, the list for a token. */
const TOKEN_PAGE_MAX = 200

/**
 * The new name of a file or folder. Whether the resulting path is valid is checked later, which gives a more
 * precise error.
 */
const pathSegment = z
  .string()
  .min(1, 'darf nicht leer sein')
  .refine(value => !value.includes('/'), 'darf keinen Schrägstrich enthalten')

/** The schema does not check the paths: an action refuses only the invalid ones, and processes the others. */
const paths = z
  .array(z.string())
  .min(1, 'darf nicht leer sein')
  .max(PATHS_MAX, `darf höchstens ${PATHS_MAX} Einträge haben`)

export const libraryQuery = pageQuery.extend({
  ordner: folderInput.default('').describe('Leer: ganz oben'),
  suche: z
    .string()
    .max(...maxCharacters(PATH_MAX_LENGTH))
    .default('')
    .describe(
      'Wörter in beliebiger Reihenfolge, die alle im Pfad stehen, gleich ob groß oder klein; ü findet auch ue und u. Ein ' +
        'Wort mit * (beliebig viele Zeichen) oder ? (eines) muss von Anfang bis Ende eines Namens oder Ordners passen. ' +
        'Gesucht wird überall unterhalb von „ordner“; „ordner“ der Antwort sind dann Ordner, deren Name passt.',
    ),
  ...filterFields,
  sortierung: z.enum(SORT_ORDERS).default('name'),
  richtung: z.enum(['auf', 'ab']).default('auf'),
  unterordner: z.enum(['0', '1']).default('0').describe('1: auch, was in Unterordnern liegt'),
})
export type LibraryQuery = z.output<typeof libraryQuery>

const { ordner, suche, sortierung, richtung, unterordner, seite } = libraryQuery.shape
/**
 * The query of a result: all files of a list, on all its pages. Unknown fields are refused, because a
 * misspelt filter would make the result larger than intended.
 */
export const resultQuery = z.strictObject({ ordner, suche, unterordner, ...filterFields })
export type ResultQuery = z.output<typeof resultQuery>

const resultSelection = resultQuery.extend({
  gesamt: z
    .int()
    .min(0)
    .describe(
      'Wie viele Dateien die Liste zeigte; sind es inzwischen mehr oder weniger, geschieht nichts (409)',
    ),
})
export type ResultSelection = z.output<typeof resultSelection>

/** The files of an action: a list of paths, or a result. */
const fileChoice = {
  pfade: paths.optional(),
  treffer: resultSelection
    .optional()
    .describe('Statt „pfade“: alles, was eine Liste mit diesen Angaben zeigt'),
}
export const hasEitherPathsOrResult = ({ pfade, treffer }: { pfade?: unknown; treffer?: unknown }) =>
  (pfade === undefined) !== (treffer === undefined)
/** The error if `hasEitherPathsOrResult` is false. The message completes „Das Feld „pfade“ …“. */
export const PATHS_OR_RESULT_ERROR = {
  path: ['pfade'],
  error: 'oder „treffer“ muss angegeben sein, und nur eines von beiden',
}

/** The query of `GET /api/dateien`, the list for a token that may list files. */
export const tokenFilesQuery = z.strictObject({
  ordner: folderInput.optional().describe('Ohne Angabe das Präfix des Tokens'),
  unterordner,
  suche,
  sortierung,
  richtung,
  seite,
  anzahl: digitsOnly(z.string())
    .transform(Number)
    .refine(size => size >= 1 && size <= TOKEN_PAGE_MAX, `muss zwischen 1 und ${TOKEN_PAGE_MAX} liegen`)
    .default(DEFAULT_PAGE_SIZE),
})

/**
 * A file in answers of the dashboard. `vorschau`: the address of the preview, or null. `zuletzt_abgerufen`:
 * null if never. `laenge`: duration in seconds. Optional fields are omitted if they have no value.
 */
export const fileAnswer = z.object({
  id: z.string(),
  path: z.string(),
  url: z.string(),
  vorschau: z.string().nullable(),
  size: z.int(),
  sha256: z.string(),
  mime: z.string(),
  art: z.enum(KINDS),
  updated_at: z.int(),
  abrufe: z.int(),
  zuletzt_abgerufen: z.int().nullable(),
  token_id: z.string().optional(),
  breite: z.int().optional(),
  hoehe: z.int().optional(),
  laenge: z.number().optional(),
})
export type FileAnswer = z.infer<typeof fileAnswer>

export const tokenFilesAnswer = z.object({
  dateien: z.array(
    fileAnswer.pick({ path: true, url: true, size: true, sha256: true, mime: true, updated_at: true }),
  ),
  gesamt: z.int(),
})

/** When, where and with which camera a picture was taken, from its metadata. Unknown fields are omitted. */
export const captureDetailsAnswer = z.object({
  aufgenommen: z.string().optional().describe('Uhr der Kamera, ohne Zeitzone: 2024-05-06T07:08:09'),
  kamera: z.string().optional(),
  ort: z.object({ breitengrad: z.number(), laengengrad: z.number() }).optional(),
})
export type CaptureDetails = z.infer<typeof captureDetailsAnswer>

/** A folder: its name, its path, and the number and total size of the files in it and in its subfolders. */
const folderFields = { name: z.string(), pfad: z.string(), dateien: z.int(), bytes: z.int() }

export const libraryAnswer = z.object({
  dateien: z.array(fileAnswer),
  ordner: z.array(z.object(folderFields)),
  ...pageAnswer,
})

export interface FolderNode {
  name: string
  pfad: string
  dateien: number
  bytes: number
  ordner: FolderNode[]
}
/** The schema refers to itself, so it needs a name (`id`) in the API document. */
const folderNode: z.ZodType<FolderNode> = z
  .object({ ...folderFields, ordner: z.lazy(() => z.array(folderNode)) })
  .meta({ id: 'ordnerbaum' })
export const folderTreeAnswer = z.array(folderNode)

export const renameFileInput = z.object({ pfad: z.string(), name: pathSegment })
export const renameFileAnswer = z.object({
  alt: z.string(),
  path: z.string(),
  url: z.string(),
  abrufe: z.int(),
})

/**
 * Which of these paths have a file. A client asks this before an upload, so that the user can decide what
 * happens to the existing files.
 */
export const existingPathsInput = z.object({ pfade: paths })
export const existingPathsAnswer = z.object({ vorhanden: z.array(z.string()) })

const refusals = z.array(z.object({ pfad: z.string(), grund: z.string(), code: z.string() }))

export const moveFilesInput = z
  .object({ ...fileChoice, ordner: folderInput })
  .refine(hasEitherPathsOrResult, PATHS_OR_RESULT_ERROR)
export const moveFilesAnswer = z.object({
  verschoben: z.array(z.object({ von: z.string(), nach: z.string() })),
  abgelehnt: refusals,
})

const trashNumbers = (orderText: string) =>
  z.array(z.int()).describe(`Nummern im Papierkorb, ${orderText}; zum Wiederherstellen genau dieser Dateien`)

export const deleteFilesInput = z.object(fileChoice).refine(hasEitherPathsOrResult, PATHS_OR_RESULT_ERROR)
export const deleteFilesAnswer = z.object({
  geloescht: z.array(z.string()),
  nummern: trashNumbers('in der Reihenfolge von „geloescht“'),
  abgelehnt: refusals,
})

const replaceFields = z.object({
  suche: z
    .string()
    .min(1, 'darf nicht leer sein')
    .max(...maxCharacters(EXPRESSION_MAX_LENGTH)),
  ersatz: z.string().max(...maxCharacters(PATH_MAX_LENGTH)),
  ordner: folderInput.default('').describe('Nur Dateien darunter; leer: alle'),
  pfade: paths.optional().describe('Nur diese Dateien, etwa eine Auswahl; was nicht da ist, wird übergangen'),
  treffer: resultSelection.optional().describe('Nur, was eine Liste mit diesen Angaben zeigt'),
  regex: z
    .boolean()
    .default(false)
    .describe('„suche“ ist ein regulärer Ausdruck (RE2); im Ersatz stehen $1, $2 … und $& für das Gefundene'),
  ausfuehren: z.boolean().default(false).describe('Ohne true wird nur gerechnet und gezeigt'),
})
export const replaceInput = replaceFields.refine(
  ({ pfade, treffer }) => pfade === undefined || treffer === undefined,
  { path: ['pfade'], error: 'und das Feld „treffer“ schließen einander aus' },
)
const replaceConflict = z.object({ von: z.string(), nach: z.string(), grund: z.string(), code: z.string() })
export type ReplaceConflict = z.infer<typeof replaceConflict>
/**
 * `treffer` (matches): every file whose path changes or would change. `konflikte`: those among them that
 * cannot be renamed, each with the reason.
 */
export const replaceAnswer = z.object({
  treffer: z.array(z.object({ von: z.string(), nach: z.string(), abrufe: z.int() })),
  konflikte: z.array(replaceConflict),
  ausgefuehrt: z.boolean(),
})

export const undoInput = z.object({
  aktion: z.string().min(1, 'darf nicht leer sein').max(100, 'ist zu lang'),
})
/**
 * `abgelehnt` (refused): files for which the action was not undone, for example because they have changed
 * since.
 */
export const undoAnswer = z.object({
  zurueckgenommen: z.int(),
  abgelehnt: refusals,
})
export type UndoAnswer = z.infer<typeof undoAnswer>

export const renameFolderInput = z.object({ ordner: nonTopFolderInput, name: pathSegment })
export const moveFolderInput = z.object({
  ordner: nonTopFolderInput,
  ziel: folderInput.describe('Der Ordner, in den er kommt; leer: ganz oben'),
})
export const deleteFolderInput = z.object({ ordner: nonTopFolderInput })
/**
 * The answer to an action on a folder. `dateien`: the number of affected files. `ordner`: the path of the
 * folder after the action, or of the deleted folder.
 */
export const folderAnswer = z.object({ dateien: z.int(), ordner: z.string() })
export const deleteFolderAnswer = folderAnswer.extend({ nummern: trashNumbers('ohne bestimmte Reihenfolge') })

export const missingNamesInput = z.object({
  muster: z
    .string()
    .max(...maxCharacters(PATH_MAX_LENGTH))
    .refine(value => value.includes('*'), 'braucht ein * an der Stelle des Namens')
    .describe('Pfad mit * an der Stelle des Namens, etwa items/*.png; mehrere * stehen für denselben Namen'),
  namen: z
    .array(z.string().max(...maxCharacters(PATH_MAX_LENGTH)))
    .max(NAMES_MAX, `darf höchstens ${NAMES_MAX} Einträge haben`),
})
/**
 * `fehlend` (missing): names in `namen` without a file. `ueberzaehlig` (surplus): names of files that are not
 * in `namen`. `vorhanden`: number of names with a file.
 */
export const missingNamesAnswer = z.object({
  fehlend: z.array(z.string()),
  ueberzaehlig: z.array(z.string()),
  vorhanden: z.int(),
})
