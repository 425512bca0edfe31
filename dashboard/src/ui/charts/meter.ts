/** Speed and remaining time, from the last seconds. */
import { useEffect, useState } from 'react'

export interface MeterOptions {
  /** Milliseconds of samples that count: long enough to be steady, short enough to be current. */
  window: number
  /** Minimum milliseconds of samples: before that any figure would be a guess. */
  least: number
}

export function createMeter({ window, least }: MeterOptions) {
  let samples: { at: number; done: number }[] = []
  return {
    /** The current amount; a smaller one than before starts over. */
    see(done: number, at: number) {
      if (done < (samples.at(-1)?.done ?? 0)) samples = []
      samples.push({ at, done })
      // The newest sample older than the window stays, as its start.
      const old = samples.findLastIndex(sample => sample.at < at - window)
      if (old > 0) samples = samples.slice(old)
    },
    /** Per second; null while there is too little data. */
    speed(at: number) {
      const last = samples.at(-1)
      const first = samples.find(sample => sample.at >= at - window) ?? last
      if (!first || !last || at - first.at < least) return null
      return ((last.done - first.done) * 1000) / (at - first.at)
    },
    reset() {
      samples = []
    },
  }
}

/** Milliseconds; null if unknown or nothing is left. */
export const timeLeft = (left: number, speed: number | null) =>
  speed && left > 0 ? (left / speed) * 1000 : null

/** Polling has seconds in between, so it needs a longer window than an upload. */
const POLLED_METER = { window: 30_000, least: 2_000 }

/** Speed and remaining time of something that is polled; `done` is null while nothing runs. */
export function usePace(done: number | null, total: number | null) {
  const [meter] = useState(() => createMeter(POLLED_METER))
  const [speed, setSpeed] = useState<number | null>(null)
  useEffect(() => {
    if (done === null) meter.reset()
    else meter.see(done, Date.now())
    setSpeed(meter.speed(Date.now()))
  }, [done, meter])
  return { speed, remaining: total === null || done === null ? null : timeLeft(total - done, speed) }
}
