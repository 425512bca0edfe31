import { COUNTER_WRITE_INTERVAL } from '../../jobs/job.ts'
import type { FeatureParts } from '../feature.ts'
import type { Workers } from '../workers.ts'
import { createRetrievals, type Retrievals } from './retrievals.ts'

export function createRetrievalsFeature(parts: FeatureParts & { workers: Pick<Workers, 'writeDown'> }) {
  const retrievals = createRetrievals(parts)
  /**
   * The same two functions for all workers on this machine: they write the retrieval counts to the database
   * before an answer shows them. Counts of other machines are written within half a minute.
   */
  const retrievalsOfAllWorkers: Pick<Retrievals, 'flush' | 'writeDown'> = {
    flush: async () => void (await Promise.all([retrievals.flush(), parts.workers.writeDown()])),
    writeDown: async fileNumbers =>
      void (await Promise.all([retrievals.writeDown(fileNumbers), parts.workers.writeDown()])),
  }
  return {
    retrievals,
    retrievalsOfAllWorkers,
    jobs: [{ name: 'retrieval counters', every: COUNTER_WRITE_INTERVAL, run: retrievals.flush }],
  }
}
