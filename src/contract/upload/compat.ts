/**
 * The compatibility routes: they implement the API of a third-party media host, so that its clients work
 * unchanged.
 */
import { z } from 'zod'
import type { Kind } from '../paths/kinds.ts'

/** The older routes, each for one kind of file. The key is also the name of the form field. */
export const COMPAT_KINDS = { image: 'bilder', video: 'video', audio: 'audio' } as const satisfies Record<
  string,
  Kind
>
export type CompatKind = keyof typeof COMPAT_KINDS

/** Field names that existing clients use for the file, on any of the routes. */
export const COMPAT_FILE_FIELDS: readonly string[] = ['file', 'image', 'video', 'audio', 'recording']

/**
 * Number of characters of the content's hash in a generated name. The compatibility routes use more if two
 * files would get the same name.
 */
export const COMPAT_HASH_LENGTH = 12

/** The form of the older routes. Fields such as `metadata` and `retentionExempt` are accepted and ignored. */
export const compatForm = (field: string) => z.object({ [field]: z.file(), filename: z.string().optional() })

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

/** The answer of the older routes. */
export const olderRoutesAnswer = z.object({ url: z.string(), id: z.string(), path: z.string() })
/** The answer of the newer routes. */
export const newerRoutesAnswer = z.object({
  status: z.literal('ok'),
  data: z.object({ id: z.string(), url: z.string() }),
})
export const compatRemovedAnswer = z.object({ status: z.literal('ok') })
