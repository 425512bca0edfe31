/** When the clock is trusted for deletions by age. The test sets the clock. */
import { expect, test } from 'bun:test'
import { DAY, HOUR, MINUTE } from '../contract/values/units.ts'
import { recordHistory } from '../features/history/history.store.ts'
import { openInstance } from '../testing/instance.ts'
import { createClockWatch } from './clock-watch.ts'

const START = Date.UTC(2026, 0, 1)

async function open() {
  const instance = await openInstance()
  const { database, log } = instance
  const clock = { now: START }
  const watch = createClockWatch({ database, log, now: () => clock.now })
  /** Stores a file. */
  const change = () =>
    database.transaction(tx =>
      recordHistory(tx, 'service', clock.now, [{ what: 'hochgeladen', path: 'a.txt', bytes: 1 }]),
    )
  return { ...instance, clock, watch, change }
}

test('a clock that runs on is trusted, with an hour or a night between two looks', async () => {
  await using world = await open()
  for (const pause of [0, MINUTE, HOUR, 23 * HOUR, DAY]) {
    world.clock.now += pause
    expect(await world.watch.isDoubted()).toBe(false)
    expect(await world.watch.mayRemoveByAge()).toBe(true)
  }
})

test.each([
  ['ahead', 40 * DAY],
  ['back', -40 * DAY],
])('a clock that has jumped %s is doubted, also after a restart, and the log says so', async (_, jump) => {
  await using world = await open()
  await world.watch.mayRemoveByAge()
  world.clock.now += jump
  expect(await world.watch.isDoubted()).toBe(true)
  expect(await world.watch.mayRemoveByAge()).toBe(false)
  expect(await world.watch.mayRemoveByAge()).toBe(false)
  const { database, log } = world
  const restarted = createClockWatch({ database, log, now: () => world.clock.now })
  expect(await restarted.mayRemoveByAge()).toBe(false)
  expect(await restarted.isDoubted()).toBe(true)
  expect(world.lines.filter(line => line.includes('the clock has jumped'))).toHaveLength(1)
})

test('a doubted clock is trusted again an hour after the jump, once somebody has changed a file', async () => {
  await using world = await open()
  await world.watch.mayRemoveByAge()
  world.clock.now += 40 * DAY
  await world.watch.mayRemoveByAge()
  world.clock.now += 59 * MINUTE
  await world.change()
  expect(await world.watch.mayRemoveByAge()).toBe(false)
  world.clock.now += MINUTE
  expect(await world.watch.mayRemoveByAge()).toBe(true)
  expect(await world.watch.isDoubted()).toBe(false)
})

test('without any change it is trusted again after a day', async () => {
  await using world = await open()
  await world.change()
  world.clock.now += 40 * DAY
  expect(await world.watch.mayRemoveByAge()).toBe(false)
  for (let hours = 1; hours < 24; hours++) {
    world.clock.now += HOUR
    expect(await world.watch.mayRemoveByAge()).toBe(false)
  }
  world.clock.now += HOUR
  expect(await world.watch.mayRemoveByAge()).toBe(true)
})

test('a correction is a jump as well: changes made before it confirm nothing', async () => {
  await using world = await open()
  await world.watch.mayRemoveByAge()
  world.clock.now += 40 * DAY
  await world.watch.mayRemoveByAge()
  await world.change()
  world.clock.now -= 40 * DAY
  expect(await world.watch.mayRemoveByAge()).toBe(false)
  world.clock.now += 2 * HOUR
  expect(await world.watch.mayRemoveByAge()).toBe(false)
  await world.change()
  expect(await world.watch.mayRemoveByAge()).toBe(true)
})

test('the first look of an older instance goes by its newest change', async () => {
  await using world = await open()
  await world.change()
  world.clock.now += 2 * DAY
  expect(await world.watch.mayRemoveByAge()).toBe(false)
})
