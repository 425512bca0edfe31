/** A histogram of durations as Prometheus expects it: cumulative counts by upper bound. */

/**
 * The upper bounds in seconds. The small ones suit answers that need a database query, the large ones uploads
 * over a slow line.
 */
export const BUCKET_BOUNDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60] as const

export type Histogram = ReturnType<typeof createHistogram>

export function createHistogram() {
  const counts = new Array<number>(BUCKET_BOUNDS.length).fill(0)
  let count = 0
  let sum = 0
  return {
    observe(seconds: number) {
      count++
      sum += seconds
      const index = BUCKET_BOUNDS.findIndex(bound => seconds <= bound)
      if (index >= 0) counts[index]!++
    },
    /**
     * Returns the number of durations up to each bound, the number of all durations, and their sum in
     * seconds.
     */
    read() {
      let cumulativeCount = 0
      const buckets = BUCKET_BOUNDS.map((bound, index) => {
        cumulativeCount += counts[index]!
        return { bound, count: cumulativeCount }
      })
      return { buckets, count, sum }
    },
  }
}
