/** Checks a file's kind by its content too, if a token allows only some kinds: a label may be wrong. */

import { essence, type Kind, kindOf } from '../../contract/paths/kinds.ts'
import type { Token } from '../../http/access/token.ts'
import type { Images } from '../../images/images.ts'
import type { FeatureParts } from '../feature.ts'
import type { ReceivedFile } from './intake.ts'
import { hasSignature, typeOfBytes, UNINFORMATIVE_TYPES } from './media-type.ts'
import { requireKind } from './token-limits.ts'

/** Whether a container holds video or audio alone; null if the decoder cannot tell. */
export type ReadTracks = (
  file: ReceivedFile,
  mime: string,
  client: string,
) => Promise<'video' | 'audio' | null>

export function createReadTracks(parts: { images: Images } & Pick<FeatureParts, 'storage'>): ReadTracks {
  const { images, storage } = parts
  return async (file, mime, client) => {
    const job = { source: await file.staging.file(), mime, size: file.size, scratch: storage.scratch }
    const turn = { client, awaited: true }
    const measured = await images.derive({ ...job, parts: [], turn }).catch(() => null)
    if (!measured || (measured.width === undefined && measured.duration === undefined)) return null
    return measured.width === undefined ? 'audio' : 'video'
  }
}

/** The media type by content, without parameters; null if unknown. */
export async function detectedType({ head }: Pick<ReceivedFile, 'head'>): Promise<string | null> {
  const type = essence((await typeOfBytes(head))?.mime ?? '')
  return UNINFORMATIVE_TYPES.has(type) ? null : type
}

/**
 * Containers whose first bytes show audio, or do not show whether they hold audio or video. A token that
 * allows either kind may store them.
 */
const FILM_CONTAINERS = new Set([
  'audio/mp4',
  'audio/x-m4a',
  'audio/ogg',
  'audio/x-ms-asf',
  'application/ogg',
  'application/vnd.ms-asf',
  'application/vnd.rn-realmedia',
])

/** Containers of office documents, whose first bytes do not always tell more. */
const DOCUMENT_CONTAINERS = new Set(['application/zip', 'application/x-cfb'])
const OFFICE_DOCUMENT =
  /^application\/(?:epub\+zip|msword|vnd\.(?:ms-|openxmlformats-officedocument\.|oasis\.opendocument\.))/

const MEDIA: readonly Kind[] = ['bilder', 'audio', 'video']

interface LabelledTypes {
  /** The media type by label. */
  mime: string
  /** The media type by content, from `detectedType`. */
  bytesType: string | null
}

/** Throws unless the token allows the kind of the label and of the content. */
export type CheckKinds = (token: Token, file: ReceivedFile, types: LabelledTypes) => Promise<void>

export function createCheckKinds(readTracks: ReadTracks): CheckKinds {
  return async (token, file, { mime, bytesType }) => {
    if (!token.kinds) return
    const label = kindOf(mime)
    requireKind(token, label)
    if (bytesType === null) {
      if (MEDIA.includes(label) && (await hasSignature(mime))) requireKind(token, 'sonstige')
      return
    }
    if (DOCUMENT_CONTAINERS.has(bytesType) && OFFICE_DOCUMENT.test(essence(mime))) return
    const allowed = (kind: Kind) => token.kinds!.includes(kind)
    if (FILM_CONTAINERS.has(bytesType) && (allowed('audio') || allowed('video'))) return
    const isSoundOrFilm = kindOf(bytesType) === 'video' && allowed('audio') && !allowed('video')
    if (isSoundOrFilm && (await readTracks(file, bytesType, token.id)) === 'audio') return
    requireKind(token, kindOf(bytesType))
  }
}
