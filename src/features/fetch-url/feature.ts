/** Lets users store a file that the service fetches from a public address. */
import type { FeatureParts } from '../feature.ts'
import type { Media } from '../media/media.ts'
import type { RemoveMetadata } from '../upload/remove-metadata.ts'
import { fetchUrlRoute } from './fetch-url.route.ts'
import type { FetchUrl } from './fetch-url.ts'

export function createFetchUrlFeature(
  parts: FeatureParts & { media: Media; removeMetadata: RemoveMetadata },
) {
  // The code is loaded at the first request, because most services never need it.
  const fetchUrl: FetchUrl = async (task, disconnectSignal) => {
    const { createFetchUrl } = await import('./fetch-url.ts')
    const { internet } = await import('./network.ts')
    return createFetchUrl({ ...parts, network: internet })(task, disconnectSignal)
  }
  return { routes: { session: [fetchUrlRoute({ ...parts, fetchUrl })] } }
}
