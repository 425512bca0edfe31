/** The integrity feature: reads every stored file again within a month and compares it with its hash. */
import type { FeatureParts } from '../../feature.ts'
import type { Events } from '../events/events.ts'
import type { Notify } from '../notify/notify.ts'
import { integrityRoutes } from './integrity.route.ts'
import { createIntegrity } from './integrity.ts'
import { createRateLimit } from './rate-limit.ts'
import { createScrub, SCRUB_INTERVAL } from './scrub.ts'

export function createIntegrityFeature(parts: FeatureParts & { notify: Notify; publish: Events['publish'] }) {
  const scrub = createScrub({ ...parts, limitRate: createRateLimit() })
  const integrity = createIntegrity({ ...parts, scrub })
  return {
    summary: integrity.summary,
    stop: integrity.stop,
    routes: { session: integrityRoutes(integrity) },
    jobs: [{ name: 'integrity', task: 'scrub' as const, every: SCRUB_INTERVAL, run: scrub.slice }],
  }
}
