/** Chooses which object of a file a request gets, the original or a derived file, and its ETag. */
import { nameOf, splitPath } from '../../contract/paths/path-parts.ts'
import type { ServedFile } from '../../database/database.ts'
import { DERIVATIONS, type DerivedPart, mayHavePart } from '../../storage/derived-parts.ts'
import { derivedObject } from '../../storage/names.ts'
import { floorToSecond, placementTime } from '../media/media.store.ts'

export interface ChosenObject {
  object: string
  size: number
  mime: string
  etag: string
  /** The time for `Last-Modified`, in milliseconds, rounded down to a second. */
  modified: number
  /** The file name of a download. */
  name: string
}

const WEBP_TYPE = 'image/webp'
export const WEBP_EXTENSION = '.webp'

/**
 * The ETag depends only on the content of the original, even that of a derived file (`suffix`), so that
 * storing the same bytes again keeps caches valid.
 */
const etagOf = (file: ServedFile, suffix = '') => `"${file.sha256.slice(0, 32)}${suffix}"`

/** The time at which the content was stored or its derived files were made, whichever is later. */
const lastChangedAt = (file: ServedFile) => Math.max(placementTime(file), floorToSecond(file.derived_at ?? 0))

/** Whether a WebP variant may still be made. */
export const awaitsVariant = (file: ServedFile) =>
  file.derived === 'pending' && mayHavePart('variant', file.mime)

/** The key of a prepared answer: the name of its object, and its `Last-Modified` in milliseconds. */
export type PreparedKey = Pick<ChosenObject, 'object' | 'modified'>

/**
 * The object that `chooseFile` would choose, to look up a prepared answer. Null if the client accepts WebP
 * and a WebP variant may still be made.
 */
export function preparedFileKey(file: ServedFile, isWebpAccepted: boolean): PreparedKey | null {
  if (isWebpAccepted && awaitsVariant(file)) return null
  return (
    (isWebpAccepted && preparedPartKey(file, 'variant')) || {
      object: file.object,
      modified: placementTime(file),
    }
  )
}

function preparedPartKey(file: ServedFile, part: DerivedPart): PreparedKey | null {
  const object = derivedObject(part, file)
  return object && { object: object.name, modified: lastChangedAt(file) }
}

/**
 * The object that `chooseDerived` would choose, to look up a prepared answer. Null while derived files are
 * still being made, or if the file has no such derived file.
 */
export const preparedDerivedKey = (file: ServedFile, part: DerivedPart): PreparedKey | null =>
  file.derived === 'pending' ? null : preparedPartKey(file, part)

export function chooseFile(file: ServedFile, path: string, isWebpAccepted: boolean): ChosenObject {
  const variant = isWebpAccepted && chooseDerived(file, 'variant', splitPath(path).stem)
  if (variant) return variant
  const { object, size, mime } = file
  return { object, size, mime, etag: etagOf(file), modified: placementTime(file), name: nameOf(path) }
}

/**
 * Null if the file has no such derived file. `stem`: the name of a download, to which `.webp` is appended.
 */
export function chooseDerived(file: ServedFile, part: DerivedPart, stem: string): ChosenObject | null {
  const object = derivedObject(part, file)
  return (
    object && {
      object: object.name,
      size: object.size,
      mime: WEBP_TYPE,
      etag: etagOf(file, `-${DERIVATIONS[part].letter}`),
      modified: lastChangedAt(file),
      name: stem + WEBP_EXTENSION,
    }
  )
}
