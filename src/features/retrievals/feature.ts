import { WRITE_DOWN_EVERY } from '../../jobs/job.ts'
import type { FeatureParts } from '../feature.ts'
import type { Workers } from '../workers.ts'
import { createRetrievals, type Retrievals } from './retrievals.ts'

export function createRetrievalsFeature(parts: FeatureParts & { workers: Pick<Workers, 'writeDown'> }) {
  const retrievals = createRetrievals(parts)
  /**
   * Writes the counts of all workers to the database, for answers that show counts. Counts of other machines
   * follow within half a minute.
   */
  const ofAllWorkers: Pick<Retrievals, 'flush' | 'writeDown'> = {
    flush: async () => void (await Promise.all([retrievals.flush(), parts.workers.writeDown()])),
    writeDown: async numbers =>
      void (await Promise.all([retrievals.writeDown(numbers), parts.workers.writeDown()])),
  }
  return {
    retrievals,
    ofAllWorkers,
    jobs: [{ name: 'retrieval counters', every: WRITE_DOWN_EVERY, run: retrievals.flush }],
  }
}
