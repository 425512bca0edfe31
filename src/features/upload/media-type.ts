/** Media types of uploads: from the header, the extension, or the bytes; and the extension of a generated name. */
import { fileTypeFromBuffer } from 'file-type'
import { Mime } from 'mime'
import otherTypes from 'mime/types/other.js'
import standardTypes from 'mime/types/standard.js'
import { essence } from '../../contract/kinds.ts'
import { splitPath } from '../../contract/paths.ts'

const mime = new Mime(standardTypes, otherTypes)
// The names people know, where the registry's first one is another.
mime.define(
  { 'audio/mpeg': ['mp3'], 'audio/ogg': ['ogg', 'opus'], 'image/jpeg': ['jpg', 'jpeg', 'jfif'] },
  true,
)

const UNKNOWN_TYPE = 'application/octet-stream'
const UNKNOWN_EXTENSION = 'bin'

// RFC 9110 section 8.3.1, tokens and parameters.
const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+"
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:\\s*;\\s*${TOKEN}=(?:${TOKEN}|"[^"\\\\\\r\\n]*"))*$`)

export function isMediaType(value: string): boolean {
  return value.length <= 200 && MEDIA_TYPE.test(value)
}

export function typeOfPath(path: string): string {
  return mime.getType(splitPath(path).extension) ?? UNKNOWN_TYPE
}

/** The extension, without its dot, that a generated name gets: the first source that tells one decides. */
export async function extensionFor(known: {
  mime: string | null
  filename: string
  head: Uint8Array
  declaredType: string
}): Promise<string> {
  const byMime = known.mime && mime.getExtension(essence(known.mime))
  if (byMime) return byMime
  const ofName = splitPath(known.filename.slice(known.filename.lastIndexOf('/') + 1))
    .extension.slice(1)
    .toLowerCase()
  if (mime.getType(ofName)) return ofName
  const byBytes = await fileTypeFromBuffer(known.head)
  if (byBytes) return byBytes.ext
  return mime.getExtension(essence(known.declaredType)) ?? UNKNOWN_EXTENSION
}
