/**
 * Determines a file's real type. The names and types that game clients send are often wrong (WebP named
 * `image.png`, audio as `video/webm`), so the content decides first, then the declared type, then the name.
 */
import { mediaTypeEssence } from '../../contract/paths/kinds.ts'
import type { ReadTracks } from '../upload/bytes-kind.ts'
import { extensionOfName, extensionOfType, usableExtension } from '../upload/file-extension.ts'
import { typeOfBytes, typeOfExtension, UNINFORMATIVE_TYPES } from '../upload/type-lookup.ts'
import type { ReceivedUpload } from '../upload/upload.ts'

/** Containers whose first bytes do not show whether they hold video or only audio. */
const AMBIGUOUS_CONTAINERS = new Set(['video/webm', 'video/mp4', 'video/matroska', 'video/ogg', 'audio/webm'])

/**
 * The extension for the detected type. Ogg audio has an extension per codec (`opus`, `spx`), but `ogg` is
 * valid for all of them, so it is kept if the client sent it.
 */
function detectedExtension(
  { mime, ext }: { mime: string; ext: string },
  nameExtension: string | null,
): string {
  return nameExtension === 'ogg' && mediaTypeEssence(mime) === 'audio/ogg' ? nameExtension : ext
}

export type DetectType = ReturnType<typeof createDetectType>

export function createDetectType(readTracks: ReadTracks) {
  /**
   * Returns the media type according to the tracks in the container. Returns `mime` unchanged if its
   * container is not ambiguous, or if the decoder cannot read the tracks.
   */
  async function typeByTracks(file: ReceivedUpload, mime: string, client: string): Promise<string> {
    const trackKind = AMBIGUOUS_CONTAINERS.has(mime) ? await readTracks(file, mime, client) : null
    return trackKind ? mime.replace(/^(video|audio)\//, `${trackKind}/`) : mime
  }

  /**
   * Detects the media type, and the extension without its dot. `client` is the id of the upload token:
   * clients take turns at the decoders, so that one client cannot block the others.
   */
  return async (file: ReceivedUpload, requestedName: string, client: string) => {
    const nameExtension = extensionOfName(requestedName) ?? extensionOfName(file.filename)
    const detectedType = await typeOfBytes(file.firstBytes)
    if (detectedType && !UNINFORMATIVE_TYPES.has(detectedType.mime)) {
      return {
        mime: await typeByTracks(file, detectedType.mime, client),
        extension: detectedExtension(detectedType, nameExtension),
      }
    }
    const declaredType = mediaTypeEssence(file.declaredType)
    const mime = UNINFORMATIVE_TYPES.has(declaredType) ? typeOfExtension(nameExtension ?? '') : declaredType
    const extension = nameExtension ?? usableExtension(requestedName) ?? usableExtension(file.filename)
    return { mime, extension: extension ?? extensionOfType(mime) }
  }
}
