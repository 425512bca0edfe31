/** Schemas of resumable uploads (tus), for the API document and the dashboard. */
import { z } from 'zod'
import { TUS_PIECE_TYPE, TUS_VERSION } from './tus-wire.ts'
import { digestHeaders } from './upload.ts'

const versionHeader = z
  .literal(TUS_VERSION)
  .optional()
  .meta({ description: 'Fassung des Protokolls; ohne sie 412.' })

export const tusHeaders = z.object({
  'Tus-Resumable': versionHeader,
})

export const tusCreationHeaders = digestHeaders.extend({
  'Tus-Resumable': versionHeader,
  'Upload-Length': z.string().meta({ description: 'Länge der Datei in Bytes, größer als 0.' }),
  'Upload-Metadata': z.string().optional().meta({
    description:
      'Paare aus Namen und Base64: „pfad“, oder „filename“ mit „ordner“; „filetype“; „ueberschreiben“ (true, false).',
  }),
})

const checksumHeader = z
  .string()
  .optional()
  .meta({ description: 'sha1 oder sha256 des Stücks, Base64; passt sie nicht, 460.' })

export const tusPieceHeaders = z.object({
  'Tus-Resumable': versionHeader,
  'Upload-Offset': z.string().meta({ description: 'Wie viele Bytes schon angekommen sind.' }),
  'Upload-Checksum': checksumHeader,
})

export const tusOverrideHeaders = tusPieceHeaders.partial().extend({
  'X-HTTP-Method-Override': z
    .enum(['PATCH', 'HEAD', 'DELETE'])
    .meta({ description: 'Die gemeinte Methode, wo der Weg nur POST erlaubt.' }),
})

export const tusPieceForms = { [TUS_PIECE_TYPE]: z.file() }

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
