/**
 * The addresses from which pages load files and previews: their own origin, or `FILES_HOST` if there is one.
 * The public addresses in an answer, `url` and `vorschau`, are not used for this, because the public host
 * name may not work yet. The exception is a `vorschau` that begins with `/`: the preview of a file in the
 * trash.
 */
import {
  DASH_FILES_ROUTE,
  DASH_PREVIEWS_ROUTE,
  fileAddress,
  pictureSizeAddress,
  previewAddress,
} from '../../../../src/contract/paths/addresses.ts'
import { createObservable, useObservable } from '../../state/observable.ts'

/**
 * The base address of the host for files (`FILES_HOST`); empty if there is none; null while it is not known
 * yet.
 */
export const filesHostBase = createObservable<string | null>(null)

export interface ContentSources {
  /** The address of a file; undefined while the host of the files is not known. */
  addressOfFile(path: string): string | undefined
  /** The address of a picture in a configured size; undefined while the host of the files is not known. */
  addressInSize(name: string, path: string): string | undefined
  /**
   * The address of a preview; null if there is none. Also null while the host of the files is not known,
   * except for a file in the trash.
   */
  addressOfPreview(file: { path: string; vorschau: string | null }): string | null
}

export const sameOriginFileAddress = (path: string) => DASH_FILES_ROUTE + path

const SAME_ORIGIN_SOURCES: ContentSources = {
  addressOfFile: sameOriginFileAddress,
  // Picture sizes are public, and without a host for files every host serves them.
  addressInSize: (name, path) => pictureSizeAddress('', name, path),
  // An address that begins with `/` is that of a preview in the trash, which this origin serves.
  addressOfPreview: ({ path, vorschau }) =>
    vorschau === null || vorschau.startsWith('/') ? vorschau : `${DASH_PREVIEWS_ROUTE}${path}.webp`,
}
const SOURCES_OF_UNKNOWN_HOST: ContentSources = {
  addressOfFile: () => undefined,
  addressInSize: () => undefined,
  addressOfPreview: ({ vorschau }) => (vorschau?.startsWith('/') ? vorschau : null),
}

export function useContentSources(): ContentSources {
  const base = useObservable(filesHostBase)
  if (base === null) return SOURCES_OF_UNKNOWN_HOST
  if (base === '') return SAME_ORIGIN_SOURCES
  return {
    addressOfFile: path => fileAddress(base, path),
    addressInSize: (name, path) => pictureSizeAddress(base, name, path),
    addressOfPreview: ({ path, vorschau }) =>
      vorschau === null || vorschau.startsWith('/') ? vorschau : previewAddress(base, path),
  }
}
