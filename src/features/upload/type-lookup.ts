/** Determines the media type of an upload, from header, extension or content. */
import otherTypes from 'mime/types/other.js'
import standardTypes from 'mime/types/standard.js'
import { isMediaType, mediaTypeEssence } from '../../contract/paths/kinds.ts'
import { splitPath } from '../../contract/paths/path-parts.ts'
import { ownValue } from '../../contract/values/own-value.ts'

/**
 * The extensions of each type, the usual one first. An extension with a star belongs mainly to another type.
 * The class that the package `mime` exports is not used, because it keeps a set for each type, which takes 2
 * MB.
 */
const EXTENSIONS_BY_TYPE: Readonly<Record<string, readonly string[]>> = {
  ...standardTypes,
  ...otherTypes,
  'audio/mpeg': ['mp3', ...standardTypes['audio/mpeg']],
  'audio/ogg': ['ogg', ...standardTypes['audio/ogg']],
  'image/jpeg': [...standardTypes['image/jpeg'], 'jfif'],
  'image/pjpeg': ['*jfif'],
}

const TYPE_BY_EXTENSION: ReadonlyMap<string, string> = new Map(
  Object.entries(EXTENSIONS_BY_TYPE).flatMap(([type, extensions]) =>
    extensions.filter(extension => !extension.startsWith('*')).map(extension => [extension, type] as const),
  ),
)

/** The usual extension comes first. */
export const extensionsOf = (type: string) =>
  (ownValue(EXTENSIONS_BY_TYPE, type) ?? []).map(extension => extension.replace('*', ''))

export const isKnownExtension = (extension: string) => TYPE_BY_EXTENSION.has(extension)

const UNKNOWN_TYPE = 'application/octet-stream'

/** A declared media type without parameters; empty if invalid. */
export function declaredEssence(declaredType: string): string {
  const type = mediaTypeEssence(declaredType)
  return isMediaType(type) ? type : ''
}

/** The media type of an extension, which is given without its dot; `application/octet-stream` if unknown. */
export function typeOfExtension(extension: string): string {
  return TYPE_BY_EXTENSION.get(extension.toLowerCase()) ?? UNKNOWN_TYPE
}

export function typeOfPath(path: string): string {
  return typeOfExtension(splitPath(path).extension.slice(1))
}

/**
 * Detects the media type from a file's first bytes; undefined if they show none. `file-type` is loaded when
 * it is first needed, because it would slow down the start of the service.
 */
export async function typeOfBytes(
  firstBytes: Uint8Array,
): Promise<{ mime: string; ext: string } | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  return fileTypeFromBuffer(firstBytes)
}

/**
 * Detected types that say nothing about the content. XML is one of them, because an SVG may be detected as
 * XML; its type is taken from the header or extension.
 */
export const UNINFORMATIVE_TYPES: ReadonlySet<string> = new Set([
  'application/xml',
  'text/xml',
  'application/octet-stream',
  '',
])

/** Extensions of formats that `typeOfBytes` recognises, but reports under another name. */
const ALIASED_EXTENSIONS: ReadonlySet<string> = new Set(['wma', 'wmv', 'mka'])

/**
 * Whether `typeOfBytes` can recognise files of this type. The type counts as recognised if `file-type` lists
 * it, one of its extensions, or the part after its slash as an extension (`image/jpg`).
 */
export async function isDetectableType(type: string): Promise<boolean> {
  const { supportedExtensions, supportedMimeTypes } = await import('file-type')
  const typeName = mediaTypeEssence(type)
  const extensions = [typeName.replace(/^.*\/(x-)?/, ''), ...extensionsOf(typeName)]
  const knownExtensions: ReadonlySet<string> = supportedExtensions
  return (
    (supportedMimeTypes as ReadonlySet<string>).has(typeName) ||
    extensions.some(extension => knownExtensions.has(extension) || ALIASED_EXTENSIONS.has(extension))
  )
}
