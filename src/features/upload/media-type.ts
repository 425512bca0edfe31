/** Media type of an upload, from header, extension or content, and the extension of a generated name. */
import { Mime } from 'mime'
import otherTypes from 'mime/types/other.js'
import standardTypes from 'mime/types/standard.js'
import { essence, isMediaType } from '../../contract/paths/kinds.ts'
import { splitPath } from '../../contract/paths/paths.ts'

const mime = new Mime(standardTypes, otherTypes)
// Puts the common extension first where the registry prefers another one.
mime.define(
  { 'audio/mpeg': ['mp3'], 'audio/ogg': ['ogg', 'opus'], 'image/jpeg': ['jpg', 'jpeg', 'jfif'] },
  true,
)

const UNKNOWN_TYPE = 'application/octet-stream'
export const UNKNOWN_EXTENSION = 'bin'

/** A declared media type without parameters; empty if invalid. */
export function declaredEssence(declared: string): string {
  const type = essence(declared)
  return isMediaType(type) ? type : ''
}

export function typeOfExtension(extension: string): string {
  return mime.getType(extension) ?? UNKNOWN_TYPE
}

export function typeOfPath(path: string): string {
  return typeOfExtension(splitPath(path).extension)
}

/** The extension without its dot. */
export function extensionOfType(type: string): string {
  return mime.getExtension(essence(type)) || UNKNOWN_EXTENSION
}

/**
 * The extension without its dot; null if it is not a known one: `shot.PNG` → `png`, `shot.undefined` → null.
 */
export function extensionOfName(name: string): string | null {
  const extension = splitPath(name).extension.slice(1).toLowerCase()
  return mime.getType(extension) === null ? null : extension
}

/** Maximum number of characters of an extension; longer text after the last dot is part of a sentence. */
const EXTENSION_MAX = 32

/** What a script of a client writes if it has no extension. */
const NO_EXTENSION = 'undefined'

/** The extension, known or not, if it is valid in a path: `tex.YTD` → `ytd`. */
export function keptExtension(name: string): string | null {
  const extension = splitPath(name).extension.slice(1).toLowerCase()
  const fits =
    extension !== NO_EXTENSION && extension.length <= EXTENSION_MAX && /^[a-z0-9_-]+$/.test(extension)
  return fits ? extension : null
}

/**
 * The type that the content shows. The library is loaded at the first upload, because it would slow down the
 * start of the service.
 */
export async function typeOfBytes(head: Uint8Array): Promise<{ mime: string; ext: string } | undefined> {
  const { fileTypeFromBuffer } = await import('file-type')
  return fileTypeFromBuffer(head)
}

/** Types that say nothing about the content, XML included; SVG is recognised by its label. */
export const UNINFORMATIVE_TYPES: ReadonlySet<string> = new Set([
  'application/xml',
  'text/xml',
  'application/octet-stream',
  '',
])

/** Formats that `typeOfBytes` recognises under another name. */
const OTHER_NAMES: ReadonlySet<string> = new Set(['wma', 'wmv', 'mka'])

/** Whether `typeOfBytes` would recognise this type, or one of its extensions (`image/jpg`). */
export async function hasSignature(type: string): Promise<boolean> {
  const { supportedExtensions, supportedMimeTypes } = await import('file-type')
  const name = essence(type)
  const extensions = [name.replace(/^.*\/(x-)?/, ''), ...(mime.getAllExtensions(name) ?? [])]
  const known: ReadonlySet<string> = supportedExtensions
  return (
    (supportedMimeTypes as ReadonlySet<string>).has(name) ||
    extensions.some(each => known.has(each) || OTHER_NAMES.has(each))
  )
}

/** The extension of a generated name: the first source that knows one decides. */
export async function extensionFor(known: {
  mime: string | null
  filename: string
  head: Uint8Array
  declaredType: string
}): Promise<string> {
  if (known.mime !== null) return extensionOfType(known.mime)
  return (
    extensionOfName(known.filename) ??
    (await typeOfBytes(known.head))?.ext ??
    keptExtension(known.filename) ??
    extensionOfType(known.declaredType)
  )
}
