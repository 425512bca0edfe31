/** Calculates speed and remaining time from the progress of the last seconds. */
import { useEffect, useState } from 'react'

export interface SpeedMeterOptions {
  /**
   * The speed is measured over this many milliseconds: long enough to be steady, short enough to be current.
   */
  window: number
  /** Minimum milliseconds since the first sample: with less, any figure would be a guess. */
  minSpan: number
}

export function createSpeedMeter({ window, minSpan }: SpeedMeterOptions) {
  let samples: { at: number; done: number }[] = []
  return {
    /** Records the current amount. If it is smaller than the last one, the measurement starts over. */
    record(done: number, at: number) {
      if (done < (samples.at(-1)?.done ?? 0)) samples = []
      samples = [...samples.filter(sample => sample.at >= at - window), { at, done }]
    },
    /** The amount per second; null while there is too little data. */
    speed(at: number) {
      const lastSample = samples.at(-1)
      const firstSample = samples.find(sample => sample.at >= at - window) ?? lastSample
      if (!firstSample || !lastSample || at - firstSample.at < minSpan) return null
      return ((lastSample.done - firstSample.done) * 1000) / (at - firstSample.at)
    },
    reset() {
      samples = []
    },
  }
}

/** The milliseconds until the end; null if unknown or if nothing is left. */
export const remainingTime = (remainingAmount: number, speed: number | null) =>
  speed && remainingAmount > 0 ? (remainingAmount / speed) * 1000 : null

/** Polled figures arrive seconds apart, so they need a longer window than an upload. */
const POLLED_METER_OPTIONS = { window: 30_000, minSpan: 2_000 }

/** Speed and remaining time of a task whose progress is polled; `done` is null while it does not run. */
export function usePace(done: number | null, total: number | null) {
  const [meter] = useState(() => createSpeedMeter(POLLED_METER_OPTIONS))
  const [speed, setSpeed] = useState<number | null>(null)
  useEffect(() => {
    if (done === null) meter.reset()
    else meter.record(done, Date.now())
    setSpeed(meter.speed(Date.now()))
  }, [done, meter])
  return { speed, remaining: total === null || done === null ? null : remainingTime(total - done, speed) }
}
