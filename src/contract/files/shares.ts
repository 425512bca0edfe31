/** Share links: the files of a folder, listed for everybody who has the key of the link. */
import { z } from 'zod'
import { folderInput, nonTopFolderInput } from '../paths/folder-input.ts'
import { KINDS } from '../paths/kinds.ts'
import { MAX_VALID_UNTIL } from '../values/input-limits.ts'

/**
 * The suffix that turns the address of a share link into the address of a ZIP with the files of the folder.
 */
export const SHARE_ZIP_SUFFIX = '/zip'

/** Number of characters of a key. The alphabet has 32 characters, so a key has 160 random bits. */
export const SHARE_KEY_LENGTH = 32

/** After this time, requests for the link are answered as if the link were unknown. */
const validUntil = z
  .int('muss eine ganze Zahl sein')
  .positive('muss größer als null sein')
  .max(MAX_VALID_UNTIL, 'liegt zu weit in der Zukunft')
  .nullable()
  .describe('Ende des Links, Unix-Millisekunden; null: ohne Ende')

/**
 * The folder name is not changed to lower case (nor is it when a folder is renamed or moved); `items` and
 * `items/` mean the same. The top folder is refused: sharing it by mistake would publish the names of all
 * files, including unguessable ones.
 */
export const shareInput = z.object({
  ordner: nonTopFolderInput,
  gueltig_bis: validUntil.optional(),
})

/** `gueltig_bis`: null means that the link does not expire. */
export const shareChangeInput = z.strictObject({ gueltig_bis: validUntil })

export const shareQuery = z.strictObject({ schluessel: z.string().min(1, 'darf nicht leer sein') })

export const shareAnswer = z.object({
  schluessel: z.string(),
  ordner: z.string(),
  url: z.string(),
  erstellt_am: z.int(),
  erstellt_von: z.string(),
  gueltig_bis: z.int().nullable(),
})
export type ShareOnWire = z.infer<typeof shareAnswer>

/**
 * Everything that is published about a file. `name`: the path below the shared folder. `laenge`: duration in
 * seconds; null if the file has none.
 */
const sharedFile = z.object({
  name: z.string(),
  size: z.int(),
  art: z.enum(KINDS),
  url: z.string(),
  laenge: z.number().nullable(),
})
export type SharedFile = z.infer<typeof sharedFile>

/** The answer of `GET /s/<key>`: the files of the folder and its subfolders, ordered by path. */
export const sharedFolderAnswer = z.object({ ordner: z.string(), dateien: z.array(sharedFile) })

export const shareZipQuery = z.strictObject({
  ordner: folderInput.default('').describe('Ein Unterordner der Freigabe; leer: der ganze Ordner'),
})
