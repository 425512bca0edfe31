/** Chooses which object of a file a request gets: the original, its WebP variant, or its preview. */
import { mayHaveVariant } from '../../contract/paths/kinds.ts'
import { nameOf, splitPath } from '../../contract/paths/paths.ts'
import type { ServedFile } from '../../database/database.ts'
import { previewName, variantName } from '../../storage/names.ts'
import { placedSince, wholeSecond } from '../media/media.store.ts'

export interface Choice {
  object: string
  size: number
  mime: string
  etag: string
  /** For `Last-Modified`: milliseconds, a whole second. */
  modified: number
  /** The file name that a download gets. */
  name: string
}

const WEBP = 'image/webp'
export const WEBP_END = '.webp'

/** The tag comes from the content, so that storing the same bytes again keeps every cache valid. */
const etagOf = (file: ServedFile, mark = '') => `"${file.sha256.slice(0, 32)}${mark}"`

/** A derived file is as new as the later of the content that it was made from and of itself. */
const derivedSince = (file: ServedFile) => Math.max(placedSince(file), wholeSecond(file.derived_at ?? 0))

/** True while a WebP variant may still be made. */
export const awaitsVariant = (file: ServedFile) => file.derived === 'pending' && mayHaveVariant(file.mime)

/** What the quick look into memory needs of a choice. */
export type Ready = Pick<Choice, 'object' | 'modified'>

/** The object that `chooseFile` chooses, for the quick look into memory; null while that is not settled. */
export function readyFile(file: ServedFile, webp: boolean): Ready | null {
  if (webp && awaitsVariant(file)) return null
  return webp && file.variant_size !== null
    ? { object: variantName(file.object, file.variant_mark), modified: derivedSince(file) }
    : { object: file.object, modified: placedSince(file) }
}

/** The same for `choosePreview`. */
export const readyPreview = (file: ServedFile): Ready | null =>
  file.preview_size === null || file.derived === 'pending'
    ? null
    : { object: previewName(file.object, file.preview_mark), modified: derivedSince(file) }

export function chooseFile(file: ServedFile, path: string, webp: boolean): Choice {
  if (!webp || file.variant_size === null) {
    const { object, size, mime } = file
    return { object, size, mime, etag: etagOf(file), modified: placedSince(file), name: nameOf(path) }
  }
  const name = splitPath(path).stem + WEBP_END
  return {
    object: variantName(file.object, file.variant_mark),
    size: file.variant_size,
    mime: WEBP,
    etag: etagOf(file, '-w'),
    modified: derivedSince(file),
    name,
  }
}

export function choosePreview(file: ServedFile, path: string): Choice | null {
  if (file.preview_size === null) return null
  const name = nameOf(path) + WEBP_END
  return {
    object: previewName(file.object, file.preview_mark),
    size: file.preview_size,
    mime: WEBP,
    etag: etagOf(file, '-t'),
    modified: derivedSince(file),
    name,
  }
}
