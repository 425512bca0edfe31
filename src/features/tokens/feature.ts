/** Tokens: the keys with which programs upload, and the limits of each key. */

import { COUNTER_WRITE_INTERVAL } from '../../jobs/job.ts'
import type { FeatureParts } from '../feature.ts'
import { createLastUseRecorder } from './last-used.ts'
import { tokenRoutes } from './tokens.route.ts'
import { createTokens } from './tokens.ts'

export function createTokensFeature(parts: FeatureParts) {
  const lastUsed = createLastUseRecorder(parts)
  const tokens = createTokens({ ...parts, lastUsed })
  return {
    tokens,
    /** Writes to the database when each token was last used. */
    flush: lastUsed.flush,
    routes: { session: tokenRoutes({ ...parts, tokens }) },
    jobs: [{ name: 'token use', interval: COUNTER_WRITE_INTERVAL, run: lastUsed.flush }],
  }
}
