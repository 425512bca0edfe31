import { expect, test } from 'bun:test'
import { createSpeedMeter } from './speed.ts'

test('says nothing at first, then what went out in the last seconds', () => {
  const meter = createSpeedMeter()
  expect(meter.speed(0)).toBeNull()
  meter.add(0, 0)
  meter.add(500, 500)
  expect(meter.speed(500)).toBeNull()
  meter.add(500, 1000)
  expect(meter.speed(1000)).toBe(1000)
})

test('follows a change within the window, and comes to rest at zero', () => {
  const meter = createSpeedMeter()
  for (let second = 0; second <= 20; second++) meter.add(1_000_000, second * 1000)
  expect(meter.speed(20_000)).toBeCloseTo(1_000_000, -3)
  for (let second = 21; second <= 30; second++) meter.add(1000, second * 1000)
  expect(meter.speed(30_000)!).toBeLessThan(2000)
  expect(meter.speed(60_000)).toBe(0)
  meter.reset()
  expect(meter.speed(61_000)).toBeNull()
})
