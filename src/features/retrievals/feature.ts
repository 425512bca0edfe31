import type { FeatureParts } from '../feature.ts'
import type { Workers } from '../workers.ts'
import { createRetrievals, type Retrievals } from './retrievals.ts'

export function createRetrievalsFeature(parts: FeatureParts & { workers: Pick<Workers, 'writeDown'> }) {
  const retrievals = createRetrievals(parts)
  /**
   * `flush` and `writeDown` of all workers on this machine. They are called before retrieval counts are read
   * from the database. Counts of other machines are written within about half a minute.
   */
  const retrievalsOfAllWorkers: Pick<Retrievals, 'flush' | 'writeDown'> = {
    flush: async () => void (await Promise.all([retrievals.flush(), parts.workers.writeDown()])),
    writeDown: async fileNumbers =>
      void (await Promise.all([retrievals.writeDown(fileNumbers), parts.workers.writeDown()])),
  }
  return {
    retrievals,
    retrievalsOfAllWorkers,
    jobs: [retrievals.job],
  }
}
