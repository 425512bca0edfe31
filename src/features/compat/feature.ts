/** The compatibility routes: the calls of a third-party media host, for the clients of that host. */
import type { FeatureParts } from '../../feature.ts'
import type { Images } from '../../images/images.ts'
import type { Media } from '../media/media.ts'
import type { Deposit } from '../upload/deposit.ts'
import { compatRoutes } from './compat.route.ts'
import { createCompat } from './compat.ts'
import { createDetect } from './detect-type.ts'

export function createCompatFeature(
  parts: FeatureParts & { images: Images; media: Media; deposit: Deposit },
) {
  const compat = createCompat({ ...parts, detect: createDetect(parts) })
  return { routes: { key: compatRoutes({ ...parts, compat }) } }
}
