import { describe, expect, test } from 'bun:test'
import { createSpeedMeter, remainingTime } from './meter.ts'

/** The speed after the last of these samples. */
function after(...looks: [at: number, done: number][]): number | null {
  const meter = createSpeedMeter({ windowMs: 30_000, minSpanMs: 2_000 })
  for (const [at, done] of looks) meter.record(done, at)
  return meter.speed(looks.at(-1)?.[0] ?? 0)
}

describe('speed', () => {
  test('two looks some seconds apart give it', () => expect(after([0, 0], [4000, 40])).toBe(10))

  test.each<[string, [number, number][]]>([
    ['nothing seen', []],
    ['one look', [[0, 5]]],
    [
      'two looks too close together',
      [
        [0, 5],
        [1999, 50],
      ],
    ],
    [
      'figures that fall begin anew',
      [
        [0, 0],
        [2000, 90],
        [3000, 4],
      ],
    ],
  ])('%s: nothing is claimed', (_, looks) => expect(after(...looks)).toBeNull())

  test('only the window counts', () => expect(after([0, 0], [40_000, 10], [50_000, 1010])).toBe(100))

  test('follows a change, comes to rest at zero, and forgets on demand', () => {
    const meter = createSpeedMeter({ windowMs: 6000, minSpanMs: 800 })
    let done = 0
    const go = (bytes: number, second: number) => {
      done += bytes
      meter.record(done, second * 1000)
    }
    for (let second = 0; second <= 20; second++) go(1_000_000, second)
    expect(meter.speed(20_000)).toBeCloseTo(1_000_000, -3)
    for (let second = 21; second <= 30; second++) go(1000, second)
    expect(meter.speed(30_000)!).toBeLessThan(2000)
    expect(meter.speed(60_000)).toBe(0)
    meter.reset()
    expect(meter.speed(61_000)).toBeNull()
  })
})

test.each([
  [60, 10, 6000],
  [0, 10, null],
  [-2, 10, null],
  [60, null, null],
  [60, 0, null],
])('%j left at %j per second takes %j milliseconds', (left, speed, milliseconds) => {
  expect(remainingTime(left, speed)).toBe(milliseconds)
})
