/**
 * If a token allows only some kinds of files (pictures, audio, video, …), checks a file's kind by its content
 * too, because its label (header or extension) may be wrong.
 */

import { type Kind, kindOf, mediaTypeEssence } from '../../contract/paths/kinds.ts'
import type { Token } from '../../http/access/actor.ts'
import type { Images } from '../../images/images.ts'
import type { FeatureParts } from '../feature.ts'
import { requireKind } from '../tokens/check-limits.ts'
import type { ReceivedFile } from './receive-bytes.ts'
import { isDetectableType, typeOfBytes, UNINFORMATIVE_TYPES } from './type-lookup.ts'

/** Finds out whether a media container contains video, or audio alone. Null if the decoder cannot tell. */
export type ReadTracks = (
  file: ReceivedFile,
  mime: string,
  client: string,
) => Promise<'video' | 'audio' | null>

export function createReadTracks(parts: { images: Images } & Pick<FeatureParts, 'storage'>): ReadTracks {
  const { images, storage } = parts
  return async (file, mime, client) => {
    const job = { source: await file.staging.file(), mime, scratch: storage.scratch }
    const requester = { client, isAwaited: true }
    const measures = await images.derive({ ...job, parts: [], requester }).catch(() => null)
    if (!measures || (measures.width === undefined && measures.duration === undefined)) return null
    return measures.width === undefined ? 'audio' : 'video'
  }
}

/**
 * The media type detected from the first bytes, without parameters; null if unknown or in
 * `UNINFORMATIVE_TYPES`.
 */
export async function detectedType({ firstBytes }: Pick<ReceivedFile, 'firstBytes'>): Promise<string | null> {
  const type = mediaTypeEssence((await typeOfBytes(firstBytes))?.mime ?? '')
  return UNINFORMATIVE_TYPES.has(type) ? null : type
}

/**
 * Containers whose first bytes do not show whether they contain video or only audio. A token that allows
 * video or audio may store them.
 */
const AUDIO_OR_VIDEO_CONTAINERS = new Set([
  'audio/mp4',
  'audio/x-m4a',
  'audio/ogg',
  'audio/x-ms-asf',
  'application/ogg',
  'application/vnd.ms-asf',
  'application/vnd.rn-realmedia',
])

/**
 * Containers that office documents use. The first bytes do not always show the type of the document. If the
 * label says that it is an office document, the label counts.
 */
const DOCUMENT_CONTAINERS = new Set(['application/zip', 'application/x-cfb'])
const OFFICE_DOCUMENT_TYPE =
  /^application\/(?:epub\+zip|msword|vnd\.(?:ms-|openxmlformats-officedocument\.|oasis\.opendocument\.))/

const MEDIA_KINDS: readonly Kind[] = ['bilder', 'audio', 'video']

/**
 * Rejects if the token does not allow the kind of the label (header or extension), whose media type is
 * `mime`, or the kind of the content. Content that is not recognized counts as `sonstige` (other) if the
 * label says picture, audio or video and `typeOfBytes` can recognize files of that type.
 */
export type CheckKinds = (token: Token, file: ReceivedFile, mime: string) => Promise<void>

export function createCheckKinds(readTracks: ReadTracks): CheckKinds {
  return async (token, file, mime) => {
    if (!token.kinds) return
    const labelKind = kindOf(mime)
    requireKind(token, labelKind)
    const bytesType = await detectedType(file)
    if (bytesType === null) {
      if (MEDIA_KINDS.includes(labelKind) && (await isDetectableType(mime))) requireKind(token, 'sonstige')
      return
    }
    if (DOCUMENT_CONTAINERS.has(bytesType) && OFFICE_DOCUMENT_TYPE.test(mediaTypeEssence(mime))) return
    const isAllowed = (kind: Kind) => token.kinds!.includes(kind)
    if (AUDIO_OR_VIDEO_CONTAINERS.has(bytesType) && (isAllowed('audio') || isAllowed('video'))) return
    const mayBeSoundOnly = kindOf(bytesType) === 'video' && isAllowed('audio') && !isAllowed('video')
    if (mayBeSoundOnly && (await readTracks(file, bytesType, token.id)) === 'audio') return
    requireKind(token, kindOf(bytesType))
  }
}
