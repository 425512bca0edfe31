/** Calculates speed and remaining time from the progress of the last seconds. */
import { useEffect, useState } from 'react'

export interface SpeedMeterOptions {
  /**
   * The speed is measured over this many milliseconds: long enough to be steady, short enough to be current.
   */
  windowMs: number
  /**
   * Until the oldest sample of the window is this many milliseconds old, the speed is null: any figure would
   * be a guess.
   */
  minSpanMs: number
}

export function createSpeedMeter({ windowMs, minSpanMs }: SpeedMeterOptions) {
  let samples: { time: number; amount: number }[] = []
  return {
    /**
     * Records the amount that is done, such as the bytes sent. If it is smaller than the last recorded one,
     * the measurement starts over.
     */
    record(amount: number, time: number) {
      if (amount < (samples.at(-1)?.amount ?? 0)) samples = []
      samples = [...samples.filter(sample => sample.time >= time - windowMs), { time, amount }]
    },
    /** The amount per second; null while there is too little data. */
    speed(time: number) {
      const lastSample = samples.at(-1)
      const firstSample = samples.find(sample => sample.time >= time - windowMs) ?? lastSample
      if (!firstSample || !lastSample || time - firstSample.time < minSpanMs) return null
      return ((lastSample.amount - firstSample.amount) * 1000) / (time - firstSample.time)
    },
    reset() {
      samples = []
    },
  }
}

/** The milliseconds until the end; null if the speed is unknown or 0, or if nothing is left. */
export const remainingTime = (remainingAmount: number, speed: number | null) =>
  speed && remainingAmount > 0 ? (remainingAmount / speed) * 1000 : null

/** Polled figures arrive seconds apart, so they need a longer window than an upload. */
const POLLED_METER_OPTIONS = { windowMs: 30_000, minSpanMs: 2_000 }

/**
 * Speed and remaining time of a task whose progress is polled. `doneAmount` is null while the task does not
 * run.
 */
export function useProgressEstimate(doneAmount: number | null, total: number | null) {
  const [meter] = useState(() => createSpeedMeter(POLLED_METER_OPTIONS))
  const [speed, setSpeed] = useState<number | null>(null)
  useEffect(() => {
    if (doneAmount === null) meter.reset()
    else meter.record(doneAmount, Date.now())
    setSpeed(meter.speed(Date.now()))
  }, [doneAmount, meter])
  return {
    speed,
    remainingMs: total === null || doneAmount === null ? null : remainingTime(total - doneAmount, speed),
  }
}
