/** The five kinds of file, by media type. */
import { splitUnquoted, trimTrailing } from '../values/text.ts'

export const KINDS = ['bilder', 'video', 'audio', 'dokumente', 'sonstige'] as const
export type Kind = (typeof KINDS)[number]

const DOCUMENT_TYPES = new Set([
  'application/pdf',
  'application/rtf',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/epub+zip',
  'application/json',
  'application/xml',
])
const DOCUMENT_FAMILY_PATTERN = /^application\/vnd\.(openxmlformats-officedocument|oasis\.opendocument)\./

const MAX_TYPE_LENGTH = 200
/** The characters of RFC 6838 section 4.2, fewer than those of RFC 9110: `image/*` must not match. */
const TYPE_PATTERN = /^[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*\/[A-Za-z0-9][A-Za-z0-9!#$&^_.+-]*$/
// RFC 9110 section 5.6.6; spaces and tabs are allowed only around the semicolon.
const PARAMETER_PATTERN = /^[ \t]*[A-Za-z0-9!#$%&'*+.^_`|~-]+=(?:[A-Za-z0-9!#$%&'*+.^_`|~-]+|"[ !#-[\]-~]*")$/

/** Whether the text is a media type, with or without parameters. */
export function isMediaType(value: string): boolean {
  if (value.length > MAX_TYPE_LENGTH) return false
  const parts = splitUnquoted(value, ';')
  const [type = '', ...parameters] = parts.map((part, index) =>
    index < parts.length - 1 ? trimTrailing(part, ' \t') : part,
  )
  return TYPE_PATTERN.test(type) && parameters.every(parameter => PARAMETER_PATTERN.test(parameter))
}

/** The type without parameters, in lower case: `Text/HTML; charset=x` → `text/html`. */
export function mediaTypeEssence(mime: string): string {
  const semicolon = mime.indexOf(';')
  return (semicolon < 0 ? mime : mime.slice(0, semicolon)).trim().toLowerCase()
}

export function kindOf(mime: string): Kind {
  const type = mediaTypeEssence(mime)
  if (type.startsWith('image/')) return 'bilder'
  if (type.startsWith('video/')) return 'video'
  if (type.startsWith('audio/')) return 'audio'
  if (type.startsWith('text/') || DOCUMENT_TYPES.has(type) || DOCUMENT_FAMILY_PATTERN.test(type))
    return 'dokumente'
  return 'sonstige'
}
