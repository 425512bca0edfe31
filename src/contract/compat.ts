/** What the compatibility routes accept: the calls of a third-party media host, unchanged. Wire words. */
import type { Kind } from './kinds.ts'

/** The older routes, each for one kind, and the name of its own form field. */
export const COMPAT_KINDS = { image: 'bilder', video: 'video', audio: 'audio' } as const satisfies Record<
  string,
  Kind
>
export type CompatKind = keyof typeof COMPAT_KINDS

/** Part names that real clients use for the file, on any of the routes. */
export const COMPAT_FILE_FIELDS: readonly string[] = ['file', 'image', 'video', 'audio', 'recording']

/** Characters of the hash in a stored name. More are taken only where two different files would meet. */
export const COMPAT_HASH_CHARACTERS = 12
