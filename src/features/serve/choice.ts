/** Which of a file's objects a request gets: the original, its WebP variant, or its preview. */
import { mayHaveVariant } from '../../contract/kinds.ts'
import { nameOf, splitPath } from '../../contract/paths.ts'
import type { ServedFile } from '../../database/database.ts'
import { previewName, variantName } from '../../storage/names.ts'

export interface Choice {
  object: string
  size: number
  mime: string
  etag: string
  /** The name that a download gets. */
  name: string
}

const WEBP = 'image/webp'
export const WEBP_END = '.webp'

/** By content, so that storing the same bytes again keeps every cache valid. */
const etagOf = (file: ServedFile, mark = '') => `"${file.sha256.slice(0, 32)}${mark}"`

/** While this holds, a WebP variant may still come to be. */
export const awaitsVariant = (file: ServedFile) => file.derived === 'pending' && mayHaveVariant(file.mime)

/** The name alone of what `chooseFile` chooses, for the quick look into memory. */
export const chosenObject = (file: ServedFile, webp: boolean) =>
  webp && file.variant_size !== null ? variantName(file.object) : file.object

export function chooseFile(file: ServedFile, path: string, webp: boolean): Choice {
  if (!webp || file.variant_size === null) {
    return { object: file.object, size: file.size, mime: file.mime, etag: etagOf(file), name: nameOf(path) }
  }
  const name = splitPath(path).stem + WEBP_END
  return {
    object: variantName(file.object),
    size: file.variant_size,
    mime: WEBP,
    etag: etagOf(file, '-w'),
    name,
  }
}

export function choosePreview(file: ServedFile, path: string): Choice | null {
  if (file.preview_size === null) return null
  const name = nameOf(path) + WEBP_END
  return {
    object: previewName(file.object),
    size: file.preview_size,
    mime: WEBP,
    etag: etagOf(file, '-t'),
    name,
  }
}
