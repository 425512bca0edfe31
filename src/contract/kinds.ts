/** The five kinds of file, by media type. Wire words. */

export const KINDS = ['bilder', 'video', 'audio', 'dokumente', 'sonstige'] as const
export type Kind = (typeof KINDS)[number]

const DOCUMENTS = new Set([
  'application/pdf',
  'application/rtf',
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
  'application/epub+zip',
  'application/json',
  'application/xml',
])
const DOCUMENT_FAMILIES = /^application\/vnd\.(openxmlformats-officedocument|oasis\.opendocument)\./

/** The type without parameters, in lower case: `Text/HTML; charset=x` → `text/html`. */
export function essence(mime: string): string {
  const semicolon = mime.indexOf(';')
  return (semicolon < 0 ? mime : mime.slice(0, semicolon)).trim().toLowerCase()
}

/** Pictures that are also offered as WebP where that is smaller. */
export function mayHaveVariant(mime: string): boolean {
  return ['image/png', 'image/jpeg', 'image/jpg', 'image/pjpeg'].includes(essence(mime))
}

export function kindOf(mime: string): Kind {
  const type = essence(mime)
  if (type.startsWith('image/')) return 'bilder'
  if (type.startsWith('video/')) return 'video'
  if (type.startsWith('audio/')) return 'audio'
  if (type.startsWith('text/') || DOCUMENTS.has(type) || DOCUMENT_FAMILIES.test(type)) return 'dokumente'
  return 'sonstige'
}
