/**
 * Determines a file's real type. Labels of game clients are often wrong (WebP named `image.png`, audio as
 * `video/webm`), so the content decides first, then the declared type, then the name.
 */
import { essence } from '../../contract/paths/kinds.ts'
import type { ReadTracks } from '../upload/bytes-kind.ts'
import {
  extensionOfName,
  extensionOfType,
  keptExtension,
  typeOfBytes,
  typeOfExtension,
  UNINFORMATIVE_TYPES,
} from '../upload/media-type.ts'
import type { ReceivedUpload } from '../upload/upload.ts'

/** Containers of which the first bytes are the same with audio alone and with video. */
const CONTAINERS = new Set(['video/webm', 'video/mp4', 'video/matroska', 'video/ogg', 'audio/webm'])

/**
 * The extension by content. Audio in Ogg has an extension per codec (`opus`, `spx`). `ogg` covers all of
 * these, so the `ogg` of a client is kept.
 */
function ofContainer({ mime, ext }: { mime: string; ext: string }, ofName: string | null): string {
  return ofName === 'ogg' && essence(mime) === 'audio/ogg' ? ofName : ext
}

export type DetectType = ReturnType<typeof createDetectType>

export function createDetectType(readTracks: ReadTracks) {
  /**
   * The media type by the tracks that a container holds. If the decoder cannot tell, the type of the
   * container is kept.
   */
  async function byTracks(file: ReceivedUpload, mime: string, client: string): Promise<string> {
    const found = CONTAINERS.has(mime) ? await readTracks(file, mime, client) : null
    return found ? mime.replace(/^(video|audio)\//, `${found}/`) : mime
  }

  /**
   * Returns the media type, and the extension without its dot. `client`: the uploader; clients share the
   * decoders in turn.
   */
  return async (file: ReceivedUpload, name: string, client: string) => {
    const ofName = extensionOfName(name) ?? extensionOfName(file.filename)
    const bytes = await typeOfBytes(file.head)
    if (bytes && !UNINFORMATIVE_TYPES.has(bytes.mime)) {
      return { mime: await byTracks(file, bytes.mime, client), extension: ofContainer(bytes, ofName) }
    }
    const declared = essence(file.declaredType)
    const mime = UNINFORMATIVE_TYPES.has(declared) ? typeOfExtension(ofName ?? '') : declared
    const kept = ofName ?? keptExtension(name) ?? keptExtension(file.filename)
    return { mime, extension: kept ?? extensionOfType(mime) }
  }
}
