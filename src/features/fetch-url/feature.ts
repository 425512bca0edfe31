/** Files that the service fetches from a public address. */
import type { FeatureParts } from '../../feature.ts'
import type { Media } from '../media/media.ts'
import type { RemoveMetadata } from '../upload/remove-metadata.ts'
import { fetchUrlRoute } from './fetch-url.route.ts'
import { createFetchUrl } from './fetch-url.ts'
import { internet } from './network.ts'

export function createFetchUrlFeature(
  parts: FeatureParts & { media: Media; removeMetadata: RemoveMetadata },
) {
  const fetchUrl = createFetchUrl({ ...parts, network: internet })
  return { routes: { session: [fetchUrlRoute({ ...parts, fetchUrl })] } }
}
