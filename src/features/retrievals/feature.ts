/** The feature that counts how often each file was retrieved. */
import type { FeatureParts } from '../../feature.ts'
import { WRITE_DOWN_EVERY } from '../../jobs/job.ts'
import { createRetrievals } from './retrievals.ts'

export function createRetrievalsFeature(parts: FeatureParts) {
  const retrievals = createRetrievals(parts)
  return {
    retrievals,
    jobs: [{ name: 'retrieval counters', every: WRITE_DOWN_EVERY, run: retrievals.flush }],
  }
}
