/**
 * The compatibility routes: they implement the API of a third-party media host, so that its clients work
 * unchanged.
 */
import { z } from 'zod'
import type { Kind } from '../paths/kinds.ts'

/**
 * The kinds of files that have routes of their own, such as `/api/image` and `/api/v2/image`. The key is also
 * the name of the form field.
 */
export const COMPAT_KINDS = { image: 'bilder', video: 'video', audio: 'audio' } as const satisfies Record<
  string,
  Kind
>
export type CompatKind = keyof typeof COMPAT_KINDS

/** Names of the form fields in which existing clients send the file, on any of the routes. */
export const COMPAT_FILE_FIELDS: readonly string[] = ['file', 'image', 'video', 'audio', 'recording']

/**
 * Number of characters of the SHA-256 of the content in a generated file name. The compatibility routes use
 * more characters if different contents would get the same path.
 */
export const COMPAT_HASH_LENGTH = 12

/**
 * The form of the routes for one kind of file. Further fields, such as `metadata` and `retentionExempt`, are
 * ignored.
 */
export const compatKindForm = (field: string) =>
  z.object({ [field]: z.file(), filename: z.string().optional() })

export const compatFileForm = z.object({
  file: z.file(),
  path: z.string().optional().meta({ description: 'Ordner unterhalb des Präfixes.' }),
  filename: z.string().optional(),
})

export const compatBase64 = z.object({
  base64: z.string(),
  filename: z.string().optional(),
  path: z.string().optional(),
})

/** The answer of the older routes (`/api/image`, `/api/video`, `/api/audio`). */
export const olderRoutesAnswer = z.object({ url: z.string(), id: z.string(), path: z.string() })
/** The answer of the newer routes (`/api/v2/…` and `/api/v3/…`). */
export const newerRoutesAnswer = z.object({
  status: z.literal('ok'),
  data: z.object({ id: z.string(), url: z.string() }),
})
export const compatRemovedAnswer = z.object({ status: z.literal('ok') })
