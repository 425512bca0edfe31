/** Pictures in the configured sizes, at `/b/<size>/<path>`: made when asked for, kept below a limit. */
import { MINUTE } from '../../contract/values/units.ts'
import { type ClientAddress, createClientAddress, networkOf } from '../../http/access/client-address.ts'
import type { PeerRequest } from '../../http/server/http-server.ts'
import type { Images } from '../../images/images.ts'
import { WRITE_DOWN_EVERY } from '../../jobs/job.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from '../media/discards.ts'
import { createFindSize } from './find.ts'
import { createPictureMaker } from './make.ts'
import { createTrimmer } from './trimmer.ts'

export interface PictureSizesParts extends FeatureParts {
  images: Images
  discards: Discards
  trustedProxies: readonly string[]
}

const TRIM_EVERY = 10 * MINUTE

const clientOf = (address: ClientAddress, request: PeerRequest) =>
  networkOf(address(request, { requestIP: () => ({ address: request.peer }) }))

export function createPictureSizesFeature(parts: PictureSizesParts) {
  const trimmer = createTrimmer(parts)
  const sizes = createFindSize({ ...parts, trimmer, maker: createPictureMaker(parts) })
  const clientAddress = createClientAddress(parts.trustedProxies)
  return {
    /** `address`: the part of the path after `/b/`. Throws for an unknown size. */
    find: (request: PeerRequest, address: string) =>
      sizes.find({
        address,
        accept: request.headers.get('Accept'),
        client: clientOf(clientAddress, request),
      }),
    writeDown: trimmer.writeDown,
    async stop() {
      await sizes.stop()
      await trimmer.stop()
    },
    jobs: [
      { name: 'asked sizes', every: WRITE_DOWN_EVERY, run: trimmer.writeDown },
      { name: 'picture sizes', lease: 'picture-sizes' as const, every: TRIM_EVERY, run: trimmer.run },
    ],
  }
}
