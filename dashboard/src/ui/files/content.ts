/**
 * Where pages load files and previews from: their own origin, or `FILES_HOST` if there is one. The public
 * addresses, `url` and `vorschau`, are for copying: the public name may not work yet.
 */
import {
  DASH_FILES_ROUTE,
  DASH_PREVIEWS_ROUTE,
  fileAddress,
  previewAddress,
  sizeAddress,
} from '../../../../src/contract/paths/addresses.ts'
import { createObservable, useObservable } from '../../state/observable.ts'

/** The base address on the files' own host; empty: none; null: not known yet. */
export const filesHostBase = createObservable<string | null>(null)

export interface ContentSources {
  /** Undefined while it is not known where files come from. */
  file(path: string): string | undefined
  /** A picture in one of the configured sizes. */
  size(name: string, path: string): string | undefined
  /** Null if there is no preview. */
  preview(given: { path: string; vorschau: string | null }): string | null
}

export const ownFileAddress = (path: string) => DASH_FILES_ROUTE + path

const OWN_ORIGIN: ContentSources = {
  file: ownFileAddress,
  // Public, and on every host while files have none of their own.
  size: (name, path) => sizeAddress('', name, path),
  // Previews in the trash have an address on this origin already.
  preview: ({ path, vorschau }) =>
    vorschau === null || vorschau.startsWith('/') ? vorschau : `${DASH_PREVIEWS_ROUTE}${path}.webp`,
}
const UNKNOWN: ContentSources = {
  file: () => undefined,
  size: () => undefined,
  preview: ({ vorschau }) => (vorschau?.startsWith('/') ? vorschau : null),
}

export function useContentSources(): ContentSources {
  const base = useObservable(filesHostBase)
  if (base === null) return UNKNOWN
  if (base === '') return OWN_ORIGIN
  return {
    file: path => fileAddress(base, path),
    size: (name, path) => sizeAddress(base, name, path),
    preview: ({ path, vorschau }) =>
      vorschau === null || vorschau.startsWith('/') ? vorschau : previewAddress(base, path),
  }
}
