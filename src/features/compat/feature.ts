/** The compatibility routes: the calls of a third-party media host, for the clients of that host. */
import type { FeatureParts } from '../feature.ts'
import type { Media } from '../media/media.ts'
import type { ReadTracks } from '../upload/bytes-kind.ts'
import type { Deposit } from '../upload/deposit.ts'
import { compatRoutes } from './compat.route.ts'
import { createCompat } from './compat.ts'
import { createDetect } from './detect-type.ts'

export function createCompatFeature(
  parts: FeatureParts & { media: Media; deposit: Deposit; readTracks: ReadTracks },
) {
  const compat = createCompat({ ...parts, detect: createDetect(parts.readTracks) })
  return { routes: { key: compatRoutes({ ...parts, compat }) } }
}
