/** The library as the dashboard sees it: files, folders, and what can be done to them. Wire words and limits. */
import { z } from 'zod'
import { folderInput, ownFolderInput } from './folder-input.ts'
import { KINDS } from './kinds.ts'
import { NAMES_MAX, PATHS_MAX, SORT_ORDERS } from './limits.ts'
import { pageAnswer, pageQuery } from './paging.ts'
import { PATH_MAX_LENGTH } from './paths.ts'
import { MEGABYTE } from './units.ts'

/** Room for as many paths, or names, of ordinary length. */
export const PATHS_BODY_LIMIT = 4 * MEGABYTE
export const NAMES_BODY_LIMIT = 8 * MEGABYTE
/** Files that one search-and-replace may touch; beyond that it has to be narrowed down to a folder. */
export const REPLACE_MAX_FILES = 50_000
const EXPRESSION_MAX_LENGTH = 500

/** One segment; whether it makes a valid path is told with the reason. */
const segment = z
  .string()
  .min(1, 'darf nicht leer sein')
  .refine(value => !value.includes('/'), 'darf keinen Schrägstrich enthalten')

/** Each is judged by itself: one that cannot be is refused, the others are not. */
const paths = z
  .array(z.string())
  .min(1, 'darf nicht leer sein')
  .max(PATHS_MAX, `darf höchstens ${PATHS_MAX} Einträge haben`)

export const libraryQuery = pageQuery.extend({
  ordner: folderInput.default('').describe('Leer: ganz oben'),
  suche: z
    .string()
    .max(PATH_MAX_LENGTH, `darf höchstens ${PATH_MAX_LENGTH} Zeichen haben`)
    .default('')
    .describe('Teil des Pfads, gleich in welcher Schreibung; gesucht wird überall unterhalb von „ordner“'),
  art: z.enum(KINDS).optional(),
  token: z.string().min(1, 'darf nicht leer sein').max(100, 'ist zu lang').optional(),
  sortierung: z.enum(SORT_ORDERS).default('name'),
  richtung: z.enum(['auf', 'ab']).default('auf'),
  unterordner: z.enum(['0', '1']).default('0').describe('1: auch, was in Unterordnern liegt'),
})
export type LibraryQuery = z.output<typeof libraryQuery>

/** A file as every dashboard route tells it. `laenge`: seconds. What is not known is left out. */
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

/** Files and bytes of everything below, subfolders included. */
const folderFigures = { name: z.string(), pfad: z.string(), dateien: z.int(), bytes: z.int() }

export const libraryAnswer = z.object({
  dateien: z.array(fileAnswer),
  ordner: z.array(z.object(folderFigures)),
  ...pageAnswer,
})

export interface FolderNode {
  name: string
  pfad: string
  dateien: number
  bytes: number
  ordner: FolderNode[]
}
/** Named, since the API document refers to it from inside itself. */
const folderNode: z.ZodType<FolderNode> = z
  .object({ ...folderFigures, ordner: z.lazy(() => z.array(folderNode)) })
  .meta({ id: 'ordnerbaum' })
export const folderTreeAnswer = z.array(folderNode)

export const renameFileInput = z.object({ pfad: z.string(), name: segment })
export const renameFileAnswer = z.object({
  alt: z.string(),
  path: z.string(),
  url: z.string(),
  abrufe: z.int(),
})

/** Asked before files are sent, so that one can choose what to do with those that are there. */
export const presentInput = z.object({ pfade: paths })
export const presentAnswer = z.object({ vorhanden: z.array(z.string()) })

const refused = z.array(z.object({ pfad: z.string(), grund: z.string() }))

export const moveFilesInput = z.object({ pfade: paths, ordner: folderInput })
export const moveFilesAnswer = z.object({
  verschoben: z.array(z.object({ von: z.string(), nach: z.string() })),
  abgelehnt: refused,
})

export const deleteFilesInput = z.object({ pfade: paths })
export const deleteFilesAnswer = z.object({
  geloescht: z.array(z.string()),
  nummern: z
    .array(z.int())
    .describe(
      'Nummern im Papierkorb, in der Reihenfolge von „geloescht“; zum Wiederherstellen genau dieser Dateien',
    ),
  abgelehnt: refused,
})

export const replaceInput = z.object({
  suche: z
    .string()
    .min(1, 'darf nicht leer sein')
    .max(EXPRESSION_MAX_LENGTH, `darf höchstens ${EXPRESSION_MAX_LENGTH} Zeichen haben`),
  ersatz: z.string().max(PATH_MAX_LENGTH, `darf höchstens ${PATH_MAX_LENGTH} Zeichen haben`),
  ordner: folderInput.default('').describe('Nur Dateien darunter; leer: alle'),
  pfade: paths.optional().describe('Nur diese Dateien, etwa eine Auswahl; was nicht da ist, wird übergangen'),
  regex: z
    .boolean()
    .default(false)
    .describe('„suche“ ist ein regulärer Ausdruck (RE2); im Ersatz stehen $1, $2 … und $& für das Gefundene'),
  ausfuehren: z.boolean().default(false).describe('Ohne true wird nur gerechnet und gezeigt'),
})
const conflict = z.object({ von: z.string(), nach: z.string(), grund: z.string() })
export type ReplaceConflict = z.infer<typeof conflict>
/** `treffer` has every file that matches; `konflikte` those of them that cannot be renamed, and why. */
export const replaceAnswer = z.object({
  treffer: z.array(z.object({ von: z.string(), nach: z.string(), abrufe: z.int() })),
  konflikte: z.array(conflict),
  ausgefuehrt: z.boolean(),
})

export const renameFolderInput = z.object({ ordner: ownFolderInput, name: segment })
export const moveFolderInput = z.object({
  ordner: ownFolderInput,
  ziel: folderInput.describe('Der Ordner, in den er kommt; leer: ganz oben'),
})
export const deleteFolderInput = z.object({ ordner: ownFolderInput })
/** How many files it was about, and where they are now. */
export const folderAnswer = z.object({ dateien: z.int(), ordner: z.string() })

export const missingInput = z.object({
  muster: z
    .string()
    .max(PATH_MAX_LENGTH, `darf höchstens ${PATH_MAX_LENGTH} Zeichen haben`)
    .refine(value => value.includes('*'), 'braucht ein * an der Stelle des Namens')
    .describe('Pfad mit * an der Stelle des Namens, etwa items/*.png; mehrere * stehen für denselben Namen'),
  namen: z
    .array(z.string().max(PATH_MAX_LENGTH, `darf höchstens ${PATH_MAX_LENGTH} Zeichen haben`))
    .max(NAMES_MAX, `darf höchstens ${NAMES_MAX} Einträge haben`),
})
/** `fehlend`: names without a file. `ueberzaehlig`: names of files that the list does not have. */
export const missingAnswer = z.object({
  fehlend: z.array(z.string()),
  ueberzaehlig: z.array(z.string()),
  vorhanden: z.int(),
})
