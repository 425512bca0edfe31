/**
 * Pictures in the configured sizes, at `/b/<size>/<path>`: made when requested, and kept until their total
 * size exceeds a limit.
 */
import { MINUTE } from '../../contract/values/units.ts'
import {
  createFindClientAddress,
  type FindClientAddress,
  networkOf,
} from '../../http/access/client-address.ts'
import type { PeerRequest } from '../../http/server/http-server.ts'
import type { Images } from '../../images/images.ts'
import { COUNTER_WRITE_INTERVAL } from '../../jobs/job.ts'
import type { FeatureParts } from '../feature.ts'
import type { Discards } from '../media/discards.ts'
import { createSizeFinder } from './find.ts'
import { createPictureMaker } from './make.ts'
import { createTrimmer } from './trimmer.ts'

export interface PictureSizesParts extends FeatureParts {
  images: Images
  discards: Discards
  trustedProxies: readonly string[]
}

const TRIM_INTERVAL = 10 * MINUTE

const clientNetwork = (findClientAddress: FindClientAddress, request: PeerRequest) =>
  networkOf(findClientAddress(request, { requestIP: () => ({ address: request.peer }) }))

export function createPictureSizesFeature(parts: PictureSizesParts) {
  const trimmer = createTrimmer(parts)
  const sizeFinder = createSizeFinder({ ...parts, trimmer, maker: createPictureMaker(parts) })
  const findClientAddress = createFindClientAddress(parts.trustedProxies)
  return {
    /**
     * Returns the path of the file that a request is for, and a function that finds or makes the picture.
     * `address` is the part of the request's path after `/b/`. Throws for an unknown size.
     */
    find: (request: PeerRequest, address: string) =>
      sizeFinder.find({
        address,
        accept: request.headers.get('Accept'),
        client: clientNetwork(findClientAddress, request),
      }),
    writeDown: trimmer.writeRequestTimes,
    async stop() {
      await sizeFinder.stop()
      await trimmer.stop()
    },
    jobs: [
      { name: 'asked sizes', interval: COUNTER_WRITE_INTERVAL, run: trimmer.writeRequestTimes },
      { name: 'picture sizes', lease: 'picture-sizes' as const, interval: TRIM_INTERVAL, run: trimmer.run },
    ],
  }
}
