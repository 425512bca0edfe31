/** The extension of a stored file: from the name that the client sent, from its media type or its content. */
import { mediaTypeEssence } from '../../contract/paths/kinds.ts'
import { splitPath } from '../../contract/paths/path-parts.ts'
import { extensionsOf, isKnownExtension, typeOfBytes } from './type-lookup.ts'

export const UNKNOWN_EXTENSION = 'bin'

/** The usual extension of a media type, without the dot; `bin` if the type is unknown. */
export function extensionOfType(type: string): string {
  return extensionsOf(mediaTypeEssence(type))[0] ?? UNKNOWN_EXTENSION
}

/**
 * The extension of a file name, without the dot; null if it is not a known one: `shot.PNG` → `png`,
 * `shot.undefined` → null.
 */
export function extensionOfName(name: string): string | null {
  const extension = splitPath(name).extension.slice(1).toLowerCase()
  return isKnownExtension(extension) ? extension : null
}

/** Maximum number of characters of an extension; longer text after the last dot is not taken for one. */
const MAX_EXTENSION_LENGTH = 32

/** The word that some client scripts write as the extension of a file that has none. */
const NO_EXTENSION = 'undefined'

/**
 * The extension of a file name, without the dot, even if unknown: `tex.YTD` → `ytd`. Null if there is none,
 * if it is too long or the word `undefined`, or if it has other characters than ASCII letters, digits, `_`
 * and `-`.
 */
export function usableExtension(name: string): string | null {
  const extension = splitPath(name).extension.slice(1).toLowerCase()
  const isUsable =
    extension !== NO_EXTENSION && extension.length <= MAX_EXTENSION_LENGTH && /^[a-z0-9_-]+$/.test(extension)
  return isUsable ? extension : null
}

/**
 * The extension of a generated name, from the first of these sources that gives one: the type that the client
 * asked for, the client's file name, the content, an unknown extension of the name, the declared type.
 */
export async function extensionFor(upload: {
  mime: string | null
  filename: string
  firstBytes: Uint8Array
  declaredType: string
}): Promise<string> {
  if (upload.mime !== null) return extensionOfType(upload.mime)
  return (
    extensionOfName(upload.filename) ??
    (await typeOfBytes(upload.firstBytes))?.ext ??
    usableExtension(upload.filename) ??
    extensionOfType(upload.declaredType)
  )
}
