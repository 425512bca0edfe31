/** Calculations for a chart with one figure per day. */
import { ownValue } from '../../../../src/contract/values/own-value.ts'

/**
 * The figure at the top line of a chart: the smallest round figure that is not below the largest value. Round
 * figures are 1, 2, 3, 4, 5, 6, 8, 10, 20, …
 */
export function topFigure(values: readonly number[]): number {
  const largest = Math.max(1, ...values)
  const powerOfTen = 10 ** Math.floor(Math.log10(largest))
  return ([1, 2, 3, 4, 5, 6, 8].find(factor => factor * powerOfTen >= largest) ?? 10) * powerOfTen
}

/**
 * The figure at the top line of a chart of sizes in bytes. It is round in the displayed unit: 1, 2, 3, … 800,
 * 1000 MB, 1 GB.
 */
export function topFigureOfBytes(sizes: readonly number[]): number {
  const largest = Math.max(1, ...sizes)
  const unitSize = 1024 ** Math.floor(Math.log(largest) / Math.log(1024))
  const topInUnits = topFigure([largest / unitSize])
  return topInUnits * unitSize > 1000 * unitSize ? 1024 * unitSize : topInUnits * unitSize
}

/** The index of the day at a point of the chart; `x` is 0 at its left edge and 1 at its right edge. */
export const dayIndexAt = (x: number, dayCount: number) =>
  Math.min(dayCount - 1, Math.max(0, Math.floor(x * dayCount)))

/** The index of the day to which a key moves from the day at `index`; undefined if the key does not move. */
export function dayIndexByKey(key: string, index: number, dayCount: number): number | undefined {
  const lastIndex = dayCount - 1
  const targetIndexes: Record<string, number> = {
    ArrowLeft: index - 1,
    ArrowDown: index - 1,
    ArrowRight: index + 1,
    ArrowUp: index + 1,
    PageUp: index + 7,
    PageDown: index - 7,
    Home: 0,
    End: lastIndex,
  }
  const targetIndex = ownValue(targetIndexes, key)
  return targetIndex === undefined ? undefined : Math.min(lastIndex, Math.max(0, targetIndex))
}

/**
 * Noon of a day such as `2026-11-15`, in the time zone of the browser, so that formatting it there gives the
 * same day. (The service counts days in its own time zone.)
 */
export const noonOf = (tag: string) => new Date(`${tag}T12:00:00`)
