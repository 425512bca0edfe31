/** Lets users store a file that the service fetches from a public address. */
import type { FeatureParts } from '../feature.ts'
import type { Media } from '../media/media.ts'
import type { RemoveMetadata } from '../upload/remove-metadata.ts'
import { fetchUrlRoute } from './fetch-url.route.ts'
import type { FetchUrl } from './fetch-url.ts'

export function createFetchUrlFeature(
  parts: FeatureParts & { media: Media; removeMetadata: RemoveMetadata },
) {
  // The modules that fetch files are imported at the first request, because most installations never need
  // them.
  const fetchUrl: FetchUrl = async (task, disconnectSignal) => {
    const { createFetchUrl } = await import('./fetch-url.ts')
    const { internet } = await import('./network.ts')
    return createFetchUrl({ ...parts, network: internet })(task, disconnectSignal)
  }
  return { routes: { session: [fetchUrlRoute({ ...parts, fetchUrl })] } }
}
