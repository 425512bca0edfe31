/** Share links: the list of a folder, readable by whoever has the key. Wire words. */
import { z } from 'zod'
import { ownFolderInput } from './folder-input.ts'
import { KINDS } from './kinds.ts'

export const SHARE_ROUTE = '/s/'

/** Of an alphabet of 32 characters: 160 random bits. */
export const SHARE_KEY_LENGTH = 32

export const shareAddress = (publicUrl: string, key: string) => `${publicUrl}${SHARE_ROUTE}${key}`

/**
 * As typed, for rename and move keep what was typed as well; `items` and `items/` mean the same. Not the top: a slip of
 * the hand would publish the names of everything there is, also of what nobody could guess.
 */
export const shareInput = z.object({
  ordner: ownFolderInput,
})

export const shareQuery = z.object({ schluessel: z.string().min(1, 'darf nicht leer sein') })

export const shareAnswer = z.object({
  schluessel: z.string(),
  ordner: z.string(),
  url: z.string(),
  erstellt_am: z.int(),
  erstellt_von: z.string(),
})
export type ShareOnWire = z.infer<typeof shareAnswer>

/** `name`: the path below the folder. `laenge`: seconds of audio and video, else null. Nothing more is ever told. */
const sharedFile = z.object({
  name: z.string(),
  size: z.int(),
  art: z.enum(KINDS),
  url: z.string(),
  laenge: z.number().nullable(),
})
export type SharedFile = z.infer<typeof sharedFile>

/** `GET /s/<key>`: the folder with its subfolders, by name. */
export const sharedFolder = z.object({ ordner: z.string(), dateien: z.array(sharedFile) })
