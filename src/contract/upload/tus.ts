/** Resumable uploads: the tus protocol 1.0.0 (https://tus.io/protocols/resumable-upload). */
import { z } from 'zod'
import { DASHBOARD_ROUTE } from '../accounts/session.ts'
import { DAY } from '../values/units.ts'
import { digestHeaders } from './upload.ts'

export const TUS_VERSION = '1.0.0'
export const TUS_EXTENSIONS = 'creation,creation-with-upload,expiration,checksum,termination'
export const TUS_CHECKSUMS = ['sha1', 'sha256'] as const
export type TusChecksum = (typeof TUS_CHECKSUMS)[number]

/** The media type of a body that is a piece of an upload. */
export const TUS_PIECE = 'application/offset+octet-stream'

/** Where uploads are created; each is below. */
export const TUS_ROUTE = '/api/tus'
export const DASHBOARD_TUS_ROUTE = `${DASHBOARD_ROUTE}/tus`

/** Where a stored file can be found, in the answer to the last piece. */
export const STORED_PATH = 'X-Pfad'
export const STORED_ADDRESS = 'X-Url'

/** Milliseconds after its last piece in which an upload can be continued. */
export const TUS_LIFETIME = DAY

/** Maximum number of unfinished uploads of a token or an account, and of all together. */
export const TUS_MAX_UNFINISHED = 100
export const TUS_MAX_TOGETHER = 2000

/** Maximum number of characters of `Upload-Metadata`. */
export const TUS_MAX_METADATA = 4096

const version = z
  .literal(TUS_VERSION)
  .optional()
  .meta({ description: 'Fassung des Protokolls; ohne sie 412.' })

export const tusHeaders = z.object({
  'Tus-Resumable': version,
})

export const tusCreationHeaders = digestHeaders.extend({
  'Tus-Resumable': version,
  'Upload-Length': z.string().meta({ description: 'Länge der Datei in Bytes, größer als 0.' }),
  'Upload-Metadata': z.string().optional().meta({
    description:
      'Paare aus Namen und Base64: „pfad“, oder „filename“ mit „ordner“; „filetype“; „ueberschreiben“ (true, false).',
  }),
})

const checksum = z
  .string()
  .optional()
  .meta({ description: 'sha1 oder sha256 des Stücks, Base64; passt sie nicht, 460.' })

export const tusPieceHeaders = z.object({
  'Tus-Resumable': version,
  'Upload-Offset': z.string().meta({ description: 'Wie viele Bytes schon angekommen sind.' }),
  'Upload-Checksum': checksum,
})

export const tusOverrideHeaders = tusPieceHeaders.partial().extend({
  'X-HTTP-Method-Override': z
    .enum(['PATCH', 'HEAD', 'DELETE'])
    .meta({ description: 'Die gemeinte Methode, wo der Weg nur POST erlaubt.' }),
})

export const tusPieceForms = { [TUS_PIECE]: z.file() }

/** An unfinished upload, as the dashboard shows it. */
export const unfinishedUpload = z.object({
  id: z.string(),
  path: z.string().nullable(),
  laenge: z.int(),
  angekommen: z.int(),
  wer: z.string().meta({ description: 'Name des Tokens oder des Benutzerkontos' }),
  eigen: z.boolean().meta({ description: 'Ob er von diesem Benutzerkonto ist und fortgesetzt werden kann' }),
  verfaellt_am: z.int(),
  geaendert: z
    .int()
    .nullable()
    .meta({ description: 'Änderungszeit der Datei beim Absender, wenn er sie nannte' }),
})
export const unfinishedUploads = z.object({ uploads: z.array(unfinishedUpload) })
export type UnfinishedUpload = z.infer<typeof unfinishedUpload>
