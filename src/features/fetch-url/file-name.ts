/**
 * Chooses the name of a fetched file if the user did not. The name that the source suggests is cleaned, not
 * refused.
 */

import { attempt } from '../../base/attempt.ts'
import { cleanGeneratedName } from '../../contract/paths/clean-path.ts'
import { kindOf } from '../../contract/paths/kinds.ts'
import { baseName, splitPath } from '../../contract/paths/path-parts.ts'
import { PATH_MAX_LENGTH } from '../../contract/paths/path-rules.ts'
import { COMPAT_HASH_LENGTH } from '../../contract/upload/compat.ts'
import { splitUnquoted } from '../../contract/values/text.ts'
import {
  extensionOfName,
  extensionOfType,
  UNKNOWN_EXTENSION,
  usableExtension,
} from '../upload/file-extension.ts'
import { typeOfBytes, typeOfExtension } from '../upload/type-lookup.ts'

export interface NameHints {
  /** The address after all redirects. */
  url: URL
  disposition: string
  contentType: string
  firstBytes: Uint8Array
  sha256: string
}

/**
 * Returns the name that a browser would use, cleaned: the name that the source suggests, or else the last
 * segment of the final address. If cleaning leaves nothing before the extension, the start of the hash takes
 * its place.
 */
export async function chooseFileName(hints: NameHints, folder: string): Promise<string> {
  const suggestedName = suggestName(hints)
  const extension = await extensionFor(suggestedName, hints)
  const hasKeptExtension =
    extensionOfName(suggestedName) !== null || usableExtension(suggestedName) === extension
  const stem = hasKeptExtension ? splitPath(suggestedName).stem : suggestedName
  const maxStemLength = PATH_MAX_LENGTH - folder.length - extension.length - '/.'.length
  return `${cleanGeneratedName(stem, maxStemLength) || hints.sha256.slice(0, COMPAT_HASH_LENGTH)}.${extension}`
}

function suggestName({ disposition, url }: NameHints): string {
  const dispositionName = baseName(nameInDisposition(disposition))
  return cleanGeneratedName(dispositionName, dispositionName.length) === ''
    ? baseName(percentDecode(url.pathname))
    : dispositionName
}

/** The name in a `Content-Disposition` (RFC 6266); `filename*` first, as its encoding is unambiguous. */
function nameInDisposition(disposition: string): string {
  const parameters = new Map<string, string>()
  for (const parameter of splitUnquoted(disposition, ';').slice(1)) {
    const equalsIndex = parameter.indexOf('=')
    if (equalsIndex < 0) continue
    const name = parameter.slice(0, equalsIndex).trim().toLowerCase()
    if (!parameters.has(name)) parameters.set(name, parameter.slice(equalsIndex + 1).trim())
  }
  const [charset = '', , ...encodedParts] = (parameters.get('filename*') ?? '').split("'")
  if (charset.toLowerCase() === 'utf-8' && encodedParts.length > 0)
    return percentDecode(encodedParts.join("'"))
  return unquote(parameters.get('filename') ?? '')
}

const unquote = (value: string) =>
  value.length > 1 && value.startsWith('"') && value.endsWith('"')
    ? value.slice(1, -1).replace(/\\(.)/g, '$1')
    : value

const percentDecode = (text: string) => attempt(() => decodeURIComponent(text)) ?? text

/**
 * Keeps a known extension of the name, since many formats look alike (every `.docx` is a ZIP). Exception: if
 * the content is media and the extension is not, the content decides: `photo.php` that sends a PNG becomes
 * `photo.png`. If the extension of the name is unknown, the first of these that gives an extension decides:
 * the content, the declared type, the name.
 */
async function extensionFor(name: string, { firstBytes, contentType }: NameHints): Promise<string> {
  const nameExtension = extensionOfName(name)
  const detectedType = await typeOfBytes(firstBytes)
  if (
    nameExtension !== null &&
    (!detectedType || !isMedia(detectedType.mime) || isMedia(typeOfExtension(nameExtension)))
  )
    return nameExtension
  const typeExtension = extensionOfType(contentType)
  return (
    detectedType?.ext ??
    (typeExtension === UNKNOWN_EXTENSION ? (usableExtension(name) ?? typeExtension) : typeExtension)
  )
}

const isMedia = (mime: string) => ['bilder', 'video', 'audio'].includes(kindOf(mime))
