/**
 * Schemas of the routes with which programs upload, look up and delete files with a token, or upload with a
 * ticket, and of the headers of a request for a file. Most of them only describe the routes in the API
 * document.
 */

import { z } from 'zod'
import {
  ENCODING_HEADER,
  MEDIA_TYPE_HEADER,
  OVERWRITE_HEADER,
  PATH_HEADER,
  SHA256_HEADER,
} from './headers.ts'

/** Headers with the checksum of the file that a request stores. */
export const digestHeaders = z.object({
  'Repr-Digest': z
    .string()
    .optional()
    .meta({ description: 'sha-256 der Datei (RFC 9530); passt sie nicht, wird nichts gespeichert (400).' }),
  [SHA256_HEADER]: z.string().optional().meta({ description: 'Dasselbe hexadezimal.' }),
})

export const uploadHeaders = digestHeaders.extend({
  [PATH_HEADER]: z
    .string()
    .optional()
    .meta({ description: 'Zielpfad, genau wie gesendet. Ohne ihn entsteht der Pfad aus dem SHA-256.' }),
  [ENCODING_HEADER]: z.enum(['base64']).optional().meta({ description: 'Wenn der Inhalt Base64-Text ist.' }),
  [OVERWRITE_HEADER]: z
    .enum(['true', 'false'])
    .optional()
    .meta({ description: 'false: ein belegter Pfad wird mit 409 abgelehnt statt überschrieben.' }),
  [MEDIA_TYPE_HEADER]: z
    .string()
    .optional()
    .meta({ description: 'Medientyp; sonst entscheidet die Endung.' }),
  'Content-Digest': z
    .string()
    .optional()
    .meta({ description: 'sha-256 des Inhalts wie gesendet (RFC 9530); gilt, wo er die Datei selbst ist.' }),
})

/** The headers of an upload with a ticket. */
export const ticketHeaders = uploadHeaders.extend({
  [PATH_HEADER]: z.string().optional().meta({
    description: 'Name unter dem Ordner des Tickets; ohne Bedeutung, wenn das Ticket einen Pfad hat.',
  }),
  [OVERWRITE_HEADER]: z
    .enum(['false'])
    .optional()
    .meta({ description: 'false: nicht überschreiben, auch wenn das Ticket es erlaubt.' }),
})

export const uploadForms = {
  'multipart/form-data': z.object({ file: z.file() }),
  'text/plain': z.string().meta({ description: 'Base64, auch mit data:-Vorspann; dazu X-Encoding: base64.' }),
  '*/*': z.file().meta({ description: 'Jeder andere Inhalt ist die Datei selbst.' }),
}

export const uploadAnswer = z.object({
  url: z.string(),
  path: z.string(),
  size: z.int(),
  sha256: z.string(),
  mime: z.string(),
  replaced: z.boolean(),
  verkleinert: z
    .object({ von: z.string(), auf: z.string() })
    .optional()
    .meta({ description: 'Nur wenn das Bild verkleinert wurde: Breite x Höhe vorher und nachher.' }),
})

export const existsQuery = z.object({ pfad: z.string() })

export const existsAnswer = z.object({
  exists: z.boolean(),
  path: z.string(),
  url: z.string(),
  size: z.int().optional(),
  sha256: z.string().optional(),
  updated_at: z.int().optional(),
})

export const deletedAnswer = z.object({ deleted: z.string() })

export const fileHeaders = z.object({
  Accept: z
    .string()
    .optional()
    .meta({ description: 'Mit image/webp kommt die kleinere WebP-Fassung, wo es sie gibt.' }),
  'If-None-Match': z.string().optional().meta({ description: 'Dieselbe ETag: 304 ohne Inhalt.' }),
  'If-Modified-Since': z
    .string()
    .optional()
    .meta({ description: 'Ohne If-None-Match: 304, wenn die Datei seitdem gleich blieb.' }),
  'If-Match': z.string().optional().meta({ description: 'Eine andere ETag: 412.' }),
  'If-Unmodified-Since': z
    .string()
    .optional()
    .meta({ description: 'Ohne If-Match: 412, wenn sich die Datei seitdem geändert hat.' }),
  Range: z.string().optional().meta({ description: 'Ein einzelner Abschnitt: 206.' }),
  'If-Range': z
    .string()
    .optional()
    .meta({ description: 'ETag oder Datum: der Abschnitt nur, wenn es noch stimmt.' }),
})
