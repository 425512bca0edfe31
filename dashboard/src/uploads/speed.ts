/** How fast bytes go out, over the last seconds: long enough to be calm, short enough to be true. */

const WINDOW = 6000
/** Before that, any figure would be a guess. */
const LEAST = 800

export interface SpeedMeter {
  /** So many more bytes have gone out. */
  add(bytes: number, at: number): void
  /** Bytes per second; null while nobody can tell. */
  speed(at: number): number | null
  reset(): void
}

export function createSpeedMeter(): SpeedMeter {
  let samples: { at: number; total: number }[] = []
  let total = 0

  return {
    add(bytes, at) {
      if (samples.length === 0) samples.push({ at, total })
      total += bytes
      samples.push({ at, total })
      // The newest of those that are older than the window stays, so that there is always a beginning.
      const old = samples.findLastIndex(sample => sample.at < at - WINDOW)
      if (old > 0) samples = samples.slice(old)
    },
    speed(at) {
      const first = samples.find(sample => sample.at >= at - WINDOW) ?? samples.at(-1)
      if (!first || at - first.at < LEAST) return null
      return ((total - first.total) * 1000) / (at - first.at)
    },
    reset() {
      samples = []
      total = 0
    },
  }
}
